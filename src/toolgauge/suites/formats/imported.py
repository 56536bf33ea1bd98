"""What is imported from the suite of another tool, and what is left out, counted by kind.

And what these suites have in common: labels, keys in two spellings, calls as a name with literal arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from toolgauge.core import Case, ExpectedCall, JsonValue, Suite, ToolDefinition, nfc
from toolgauge.files import Fault, Path, convert
from toolgauge.matchers import taken_literally

from ..check import check_case
from ..definitions import WrittenTool, check_tools, tool_definition

__all__ = ["ImportedSuite", "call_of", "labels_of", "literals", "pick"]

LONGEST_LABEL = 100
"""Longer texts are descriptions, and no groups of cases."""

NAME_KEYS = ("tool", "name", "tool_name", "toolName")

ARGUMENT_KEYS = (
    "args",
    "arguments",
    "input_parameters",
    "inputParameters",
    "tool_input",
    "toolInput",
    "parameters",
    "input",
)


class ImportedSuite:
    """Collects the cases of a suite while it is read."""

    def __init__(self) -> None:
        self.name = ""
        self._cases: list[tuple[Case, Path]] = []
        self._tools: list[tuple[WrittenTool, Path]] = []
        self._faults: list[Fault] = []
        self._left_out: dict[str, set[int]] = {}
        self._notes: dict[str, set[int]] = {}

    def add(self, case: Case, path: Path) -> None:
        """Import a case; an id that is empty or taken is given later."""
        self._cases.append((case, path))

    def add_tools(self, tools: JsonValue, path: Path) -> None:
        """Import tool definitions, in any of the usual spellings; what is none is passed over."""
        known = {tool_definition(other).name for other, _ in self._tools}
        for index, written in enumerate(tools if isinstance(tools, list) else ()):
            tool = convert(written, WrittenTool)
            if isinstance(tool, WrittenTool) and tool_definition(tool).name not in {"", *known}:
                self._tools.append((tool, (*path, index)))
                known.add(tool_definition(tool).name)

    @property
    def has_tools(self) -> bool:
        """Whether tools are defined."""
        return bool(self._tools)

    def refuse(self, path: Path, what: str, hint: str = "") -> None:
        """Something that is meant for us and cannot be used."""
        self._faults.append(Fault(path, what, hint))

    def leave_out(self, what: str) -> None:
        """Something of the case that comes next has no counterpart here."""
        self._left_out.setdefault(what, set()).add(len(self._cases))

    def note(self, text: str) -> None:
        """Something else that is to be known of the case that comes next."""
        self._notes.setdefault(text, set()).add(len(self._cases))

    def remarks(self) -> Iterator[str]:
        """A line for each kind of thing that was left behind, with the number of cases."""
        for what, cases in self._left_out.items():
            yield f"{what} has no counterpart here, left out in {_count(cases)}"
        for text, cases in self._notes.items():
            yield f"{text} ({_count(cases)})"

    def suite(self, name: str) -> tuple[Suite, list[Fault]]:
        """What became of it, and everything that is wrong with it."""
        ids = _identities([case.id for case, _ in self._cases])
        cases = [replace(case, id=name) for (case, _), name in zip(self._cases, ids, strict=True)]
        faults = [*self._faults, *self._tool_faults()]
        for case, (_, path) in zip(cases, self._cases, strict=True):
            faults += [Fault(path, fault.what, fault.hint) for fault in check_case(case, ())]
        tools: list[ToolDefinition] = [tool_definition(tool) for tool, _ in self._tools]
        return Suite(nfc(self.name.strip()) or name, tuple(cases), tuple(tools)), faults

    def _tool_faults(self) -> Iterator[Fault]:
        for tool, path in self._tools:
            for fault in check_tools([tool], ()):
                yield Fault((*path, *fault.path[1:]), fault.what, fault.hint)


def _count(cases: set[int]) -> str:
    return "1 case" if len(cases) == 1 else f"{len(cases)} cases"


def _identities(names: list[str]) -> list[str]:
    """Ids that are all different: as given where that can be, numbered where there is none."""
    width = len(str(len(names)))
    given = [nfc(name.strip()) for name in names]
    taken: set[str] = set(given)
    seen: set[str] = set()
    found: list[str] = []
    for number, name in enumerate(given, start=1):
        chosen = name
        if not name or name in seen:
            chosen, again = name or f"q{number:0{width}}", 1
            while chosen in taken or chosen in seen:
                again += 1
                chosen = f"{name or f'q{number:0{width}}'} ({again})"
        seen.add(chosen)
        found.append(chosen)
    return found


def labels_of(*holders: JsonValue) -> dict[str, str]:
    """Labels from metadata: its short texts and numbers."""
    found: dict[str, str] = {}
    for holder in holders:
        for key, value in holder.items() if isinstance(holder, dict) else ():
            if isinstance(value, bool) or not isinstance(value, (str, int, float)):
                continue
            if key.strip() and 0 < len(text := str(value).strip()) <= LONGEST_LABEL:
                found[key] = text
    return found


def pick(record: JsonValue, name: str) -> JsonValue:
    """The value of a key that is written `like_this` or `likeThis`; None where there is none."""
    if not isinstance(record, dict):
        return None
    if name in record:
        return record[name]
    first, *others = name.split("_")
    return record.get(first + "".join(word.capitalize() for word in others))


# --- expected calls as other tools write them


def call_of(item: JsonValue) -> ExpectedCall | None:
    """The expected call that a value stands for: a name, or an object with a name; None where there is no name."""
    if isinstance(item, str):
        name = nfc(item.strip())
        return ExpectedCall(name) if name else None
    if not isinstance(item, dict):
        return None
    function = item.get("function")
    if isinstance(function, dict):
        return call_of(function)
    named = next((item[key] for key in NAME_KEYS if isinstance(item.get(key), str)), None)
    if not isinstance(named, str) or not named.strip():
        return None
    given = next((found for key in ARGUMENT_KEYS if (found := _object(item.get(key))) is not None), {})
    return ExpectedCall(nfc(named.strip()), literals(given))


def _object(value: JsonValue) -> dict[str, JsonValue] | None:
    """The value if it is an object, or a text that holds one, as chat models write arguments."""
    if isinstance(value, str):
        try:
            value = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            return None
    return value if isinstance(value, dict) else None


def literals(values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Arguments of which each has to be exactly this; what no suite can name, as it begins with `$`, is left out."""
    return {name: taken_literally(value) for name, value in values.items() if not name.startswith("$")}
