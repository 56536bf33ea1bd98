"""Loading a suite from YAML, JSON, JSONL or CSV, with everything that is wrong in it listed at once."""

from __future__ import annotations

import os
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from toolgauge.core import Case, JsonValue, Settings, Suite, nfc
from toolgauge.errors import NothingToDo, Problem
from toolgauge.files import (
    BadJson,
    Document,
    Fault,
    InputFile,
    Problems,
    RecordDecoder,
    Rejected,
    convert,
    duplicate_keys,
    list_faults,
    read_json_document,
    read_records,
    read_yaml_document,
    recognise,
    shorten,
)

from .definitions import WrittenTool, check_tools, tool_definition
from .rules import check_case, check_settings, repeated_ids
from .table import COLUMNS, read_table_cases

__all__ = ["load_suite"]


class WrittenSuite(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A suite as written in a YAML or JSON document."""

    cases: tuple[Case, ...] | None
    name: str | None = None
    tools: tuple[WrittenTool | str, ...] | None = None
    settings: Settings | None = None


def load_suite(path: str | os.PathLike[str], *, input_format: str | None = None) -> Suite:
    """Read a suite.

    Args:
        path: A YAML, JSON, JSONL or CSV file.
        input_format: Which of them it is, where its content does not tell: yaml, json, jsonl or csv.

    Raises:
        InputError: The file cannot be used; all that is wrong in it is listed, with places.
        NothingToDo: There are no cases in it.
        UsageError: There is no such format.
    """
    with InputFile(path) as source:
        kind = recognise(source, COLUMNS, input_format)
        if source.blank:
            suite = Suite(source.stem, ())
        elif kind == "csv":
            suite = Suite(source.stem, tuple(read_table_cases(source)))
        elif kind == "jsonl":
            suite = _read_lines(source)
        elif kind == "json":
            document = read_json_document(source)
            suite = _read_lines(source) if _is_case(document.value) else _read_document(source, document)
        else:
            suite = _read_document(source, read_yaml_document(source, WrittenSuite))
        if not suite.cases:
            raise NothingToDo(f"{source.name}: there are no cases in this suite")
        return suite


def _is_case(value: JsonValue) -> bool:
    """Whether a document is a single case: JSONL of one line."""
    return isinstance(value, dict) and "id" in value and "cases" not in value


def _read_document(source: InputFile, document: Document) -> Suite:
    if document.value is None:
        return Suite(source.stem, ())
    written = convert(document.value, WrittenSuite)
    problems = Problems(source.name)
    if isinstance(written, list):
        problems.add_faults([*written, *_faults_beside(document.value)], document.locate)
        problems.raise_if_any()
        raise AssertionError("a document that cannot be converted has faults")
    problems.add_faults(_rule_faults(written), document.locate)
    problems.raise_if_any()
    tools = [tool_definition(tool) for tool in written.tools or () if isinstance(tool, WrittenTool)]
    name = nfc((written.name or "").strip()) or source.stem
    return Suite(name, written.cases or (), tuple(tools), written.settings or Settings())


def _rule_faults(written: WrittenSuite) -> Iterator[Fault]:
    cases = written.cases or ()
    yield from check_tools(written.tools or (), ("tools",))
    if written.settings is not None:
        yield from check_settings(written.settings, ("settings",))
    for index, case in enumerate(cases):
        yield from check_case(case, ("cases", index))
    for index, first, name in repeated_ids(case.id for case in cases):
        yield Fault(("cases", index, "id"), f"the id {shorten(name)} is that of cases[{first}] already")


def _faults_beside(value: JsonValue) -> Iterator[Fault]:
    """Broken rules in those parts of a document whose types are right, where others are wrong."""
    if not isinstance(value, dict):
        return
    for index, case in enumerate(_items(value.get("cases"))):
        if not list_faults(case, Case):
            yield from check_case(msgspec.convert(case, Case), ("cases", index))
    ids = [case.get("id") if isinstance(case, dict) else None for case in _items(value.get("cases"))]
    for index, first, name in repeated_ids(name if isinstance(name, str) else None for name in ids):
        yield Fault(("cases", index, "id"), f"the id {shorten(name)} is that of cases[{first}] already")


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _read_lines(source: InputFile) -> Suite:
    """One case a line; the places of broken rules are found in the line itself."""
    decode = RecordDecoder(Case)
    seen: dict[str, int] = {}

    def decode_case(data: bytes) -> Case:
        case = decode(data)
        twice = duplicate_keys(data.decode("utf-8"))
        if twice:
            key, place = twice[0]
            raise BadJson(Problem(f"the key {key!r} is here a second time", *place))
        faults = list(check_case(case, ()))
        name = nfc(case.id.strip())
        if name in seen:
            faults.append(Fault(("id",), f"the id {shorten(case.id)} is there already, as case {seen[name]}"))
        seen.setdefault(name, len(seen) + 1)
        if faults:
            raise Rejected(*faults)
        return case

    return Suite(source.stem, tuple(case for _, _, case in read_records(source, decode_case)))
