"""Datasets and test cases of deepeval: an input with the tools that are expected to be called.

Read are a list of goldens or test cases, as `EvaluationDataset.save_as` writes it, the same one a line, and an object
that holds such a list. An expected output is a reference for a judge, and so has no counterpart here.
"""

from __future__ import annotations

from toolgauge.core import Case, Expect, ExpectedCall, JsonValue, nfc
from toolgauge.files import Path

from .imported import ImportedSuite, call_of, labels_of, pick

__all__ = ["read", "recognises"]

MARKS = (
    "expected_output",
    "expected_tools",
    "actual_output",
    "tools_called",
    "retrieval_context",
    "source_file",
    "additional_metadata",
    "custom_column_key_values",
)
"""Keys by one of which, beside `input`, a golden or test case is known."""

HOLDERS = ("goldens", "test_cases", "conversational_goldens")

UNMAPPED = ("expected_output", "context", "retrieval_context", "expectations", "expected_labels")
"""What else is expected or given, for judges and for metrics of retrieval."""


def recognises(value: JsonValue) -> bool:
    """Whether a document is of deepeval."""
    if isinstance(value, dict) and "cases" not in value and "tests" not in value:
        return any(_are_goldens(pick(value, holder)) for holder in HOLDERS)
    return _are_goldens(value)


def _are_goldens(value: JsonValue) -> bool:
    return isinstance(value, list) and any(map(_is_golden, value))


def _is_golden(value: JsonValue) -> bool:
    """A golden is known by its keys; those of our own cases and traces are not among them."""
    if not isinstance(value, dict) or {"expect", "calls", "case"} & value.keys():
        return False
    if "scenario" in value and (pick(value, "expected_outcome") is not None or "turns" in value):
        return True
    return isinstance(value.get("input"), str) and any(_has(value, mark) for mark in MARKS)


def _has(record: dict[str, JsonValue], name: str) -> bool:
    return name in record or pick(record, name) is not None


def read(value: JsonValue, imported: ImportedSuite) -> None:
    """Import all goldens and test cases of a document."""
    lists: list[tuple[Path, JsonValue]] = [((), value)]
    if isinstance(value, dict):
        lists = [((key,), held) for key, held in value.items() if isinstance(held, list)]
        name = pick(value, "alias") or value.get("name")
        imported.name = name if isinstance(name, str) else ""
    for path, goldens in lists:
        for index, golden in enumerate(goldens if isinstance(goldens, list) else ()):
            _read_golden(golden, (*path, index), imported)


def _read_golden(golden: JsonValue, path: Path, imported: ImportedSuite) -> None:
    if not isinstance(golden, dict) or not isinstance(golden.get("input"), str):
        imported.leave_out(
            "a deepeval golden of a conversation" if _is_golden(golden) else "a deepeval entry without input"
        )
        return
    for key in UNMAPPED:
        if pick(golden, key):
            imported.leave_out(f"deepeval key {key!r}")
    expect = Expect(_calls(pick(golden, "expected_tools"), path, imported))
    name = golden.get("name")
    metadata = golden.get("metadata") or pick(golden, "additional_metadata")
    labels = labels_of(metadata, pick(golden, "custom_column_key_values"))
    identity = name if isinstance(name, str) else ""
    imported.add(Case(identity, nfc(str(golden["input"]).strip()), labels, expect=expect), path)


def _calls(tools: JsonValue, path: Path, imported: ImportedSuite) -> tuple[ExpectedCall, ...] | None:
    """The expected calls; None where nothing is said about tools."""
    if not isinstance(tools, list):
        return None
    calls: list[ExpectedCall] = []
    for index, tool in enumerate(tools):
        call = call_of(tool)
        if call is None:
            imported.refuse((*path, "expected_tools", index), "an expected tool without a name")
        else:
            calls.append(call)
        if isinstance(tool, dict) and tool.get("output") is not None:
            imported.leave_out("deepeval's expected output of a tool")
    return tuple(calls)
