"""The assertions of one promptfoo test, and what they ask for in the terms of a case.

What asks for a tool without forbidding others makes further calls neutral; `tool-call-f1`, which counts them, makes
them cost; an exact sequence forbids them. Assertions of the same tool speak of the same expected call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from toolgauge.core import Budget, Expect, ExpectedCall, Extra, JsonValue, Order, Times, nfc
from toolgauge.files import Path
from toolgauge.matchers import taken_literally

from .imported import ImportedSuite

__all__ = ["Assertions", "fill", "fill_all"]

SCHEMA_CHECKS = ("is-valid-openai-tools-call", "is-valid-openai-function-call", "is-valid-function-call")
"""Assertions that calls keep to the schemas of their tools, which is looked at wherever tools are defined."""

_VARIABLE = re.compile(r"\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}")


class Assertions:
    """Takes the assertions of a test one by one."""

    def __init__(self, imported: ImportedSuite, path: Path, values: Mapping[str, JsonValue]) -> None:
        self._imported = imported
        self._path = path
        self._values = values
        self._calls: list[ExpectedCall] = []
        self._said = False
        """Whether anything is said about which calls to make."""
        self._extra: Extra = "allow"
        self._sequence: list[int] = []
        self._detailed: set[int] = set()
        """Expected calls whose arguments some assertion has described."""
        self._forbid: list[str] = []
        self._contains: list[str] = []
        self._answer: dict[str, JsonValue] | None = None
        self._latency: float | None = None

    def take(self, assertion: JsonValue, index: int) -> None:
        """Take one assertion, or say that it has no counterpart."""
        kind = assertion.get("type") if isinstance(assertion, dict) else None
        if not isinstance(assertion, dict) or not isinstance(kind, str):
            self._imported.refuse((*self._path, "assert", index), "an assertion without a type")
            return
        if assertion.get("weight") == 0:
            self._imported.leave_out("a promptfoo assertion of weight 0")
            return
        value = fill_all(assertion.get("value"), self._values)
        handlers: dict[str, Callable[[JsonValue, Mapping[str, JsonValue]], bool]] = {
            "contains": self._take_text,
            "icontains": self._take_text,
            "contains-all": self._take_texts,
            "icontains-all": self._take_texts,
            "equals": self._take_answer,
            "latency": self._take_latency,
            "tool-call-f1": self._take_set,
            "trajectory:tool-used": self._take_used,
            "not-trajectory:tool-used": self._take_unused,
            "trajectory:tool-args-match": self._take_arguments,
            "trajectory:tool-sequence": self._take_sequence,
        }
        if kind in SCHEMA_CHECKS and self._imported.has_tools:
            return
        handle = handlers.get(kind)
        if handle is None or not handle(value, assertion):
            self._imported.leave_out(f"promptfoo assertion {kind!r}{'' if handle is None else ' of this form'}")

    def result(self) -> tuple[Expect, Budget | None]:
        """What all of them ask for."""
        calls, order = self._in_sequence()
        expect = Expect(
            calls=calls if self._said else None,
            order=order,
            extra=self._extra if self._said else "penalise",
            forbid=tuple(dict.fromkeys(self._forbid)),
            contains=tuple(dict.fromkeys(self._contains)),
            answer=self._answer,
        )
        return expect, None if self._latency is None else Budget(latency_ms=self._latency)

    def _in_sequence(self) -> tuple[tuple[ExpectedCall, ...], Order]:
        """The expected calls, and their order: strict where all are in the sequence, else one after the other."""
        if not self._sequence:
            return tuple(self._calls), "any"
        if self._sequence == list(range(len(self._calls))):
            return tuple(self._calls), "strict"
        calls = list(self._calls)
        for position, index in enumerate(self._sequence):
            after = (f"step{position}",) if position else ()
            calls[index] = replace(calls[index], id=f"step{position + 1}", after=after)
        return tuple(calls), "any"

    def _place(self, name: str, taken: set[int]) -> int:
        """The position of an expected call of a tool, apart from those that are taken."""
        self._said = True
        for index, call in enumerate(self._calls):
            if call.tool == name and index not in taken:
                return index
        self._calls.append(ExpectedCall(name))
        return len(self._calls) - 1

    def _take_text(self, value: JsonValue, _: Mapping[str, JsonValue]) -> bool:
        text = _text(value)
        if text:
            self._contains.append(text)
        return bool(text)

    def _take_texts(self, value: JsonValue, _: Mapping[str, JsonValue]) -> bool:
        listed = value.split(",") if isinstance(value, str) and _text(value) else value
        texts = [_text(item) for item in listed] if isinstance(listed, list) else []
        self._contains += filter(None, texts)
        return bool(texts) and all(texts)

    def _take_answer(self, value: JsonValue, _: Mapping[str, JsonValue]) -> bool:
        text = _text(value)
        if not text or self._answer is not None:
            return False
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        self._answer = {"type": "number", "value": value} if number else {"type": "string", "value": text}
        return True

    def _take_latency(self, _: JsonValue, assertion: Mapping[str, JsonValue]) -> bool:
        limit = assertion.get("threshold")
        if isinstance(limit, bool) or not isinstance(limit, (int, float)) or limit <= 0:
            return False
        self._latency = min(self._latency or limit, limit)
        return True

    def _take_set(self, value: JsonValue, assertion: Mapping[str, JsonValue]) -> bool:
        names = _names([*value.split(",")] if isinstance(value, str) else value)
        if not names:
            return False
        if assertion.get("threshold") not in (None, 1):
            self._imported.leave_out("the threshold of promptfoo assertion 'tool-call-f1'")
        for name in names:
            self._place(name, set())
        self._extra = "forbid" if self._extra == "forbid" else "penalise"
        return True

    def _take_used(self, value: JsonValue, _: Mapping[str, JsonValue]) -> bool:
        if isinstance(value, dict):
            name, times = _name(value), _times(value)
            if name is None or times is None:
                return False
            if times.max == 0:
                self._forbid.append(name)
                return True
            index = self._place(name, set())
            if times != Times():
                self._calls[index] = replace(self._calls[index], times=times)
            return True
        names = _names([value] if isinstance(value, str) else value)
        for name in names:
            self._place(name, set())
        return bool(names)

    def _take_unused(self, value: JsonValue, _: Mapping[str, JsonValue]) -> bool:
        named = _name(value) if isinstance(value, dict) and not {"min", "max"} & value.keys() else None
        names = [named] if named else _names([value] if isinstance(value, str) else value)
        self._forbid += names
        return bool(names)

    def _take_arguments(self, value: JsonValue, _: Mapping[str, JsonValue]) -> bool:
        name = _name(value) if isinstance(value, dict) else None
        args = (value.get("args") or value.get("arguments")) if isinstance(value, dict) else None
        if name is None or not isinstance(args, dict) or not isinstance(value, dict):
            return False
        ignored = value.get("ignore")
        dropped = [ignored] if isinstance(ignored, str) else ignored if isinstance(ignored, list) else []
        if any(not isinstance(key, str) or _is_pattern(key) for key in dropped):
            return False
        exact = value.get("mode") == "exact"
        index = self._place(name, self._detailed)
        self._detailed.add(index)
        defaults = value.get("defaults")
        check: dict[str, JsonValue] = {}
        if exact:
            check = {str(key): {"$any": True} for key in dropped}
            if isinstance(defaults, dict):
                check |= {key: taken_literally(item) for key, item in defaults.items()}
        wanted = {
            key: taken_literally(item) if exact else _partial(item)
            for key, item in args.items()
            if key not in dropped and not key.startswith("$")
        }
        call = replace(self._calls[index], args=wanted, check=check, forbid_args=("*",) if exact else ())
        self._calls[index] = call
        return True

    def _take_sequence(self, value: JsonValue, _: Mapping[str, JsonValue]) -> bool:
        steps = value.get("steps") if isinstance(value, dict) else value
        names = _names(steps)
        if not names or self._sequence:
            return False
        taken: set[int] = set()
        for name in names:
            index = self._place(name, taken)
            taken.add(index)
            self._sequence.append(index)
        if isinstance(value, dict) and value.get("mode") == "exact":
            self._extra = "forbid"
        return True


def _partial(value: JsonValue) -> JsonValue:
    """A rule for a value of which objects may hold more keys, however deep."""
    if isinstance(value, dict) and not any(key.startswith("$") for key in value):
        return {"$partial": {key: _partial(item) for key, item in value.items()}}
    return taken_literally(value)


def _text(value: JsonValue) -> str:
    """A value as text; empty where it is none, or stands in another file, or is a template that was not filled in."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    text = str(value).strip()
    return "" if text.startswith("file://") or "{{" in text or "{%" in text else nfc(text)


def _names(value: JsonValue) -> list[str]:
    """Names of tools; nothing where one of them is a pattern, or no name."""
    if not isinstance(value, list):
        return []
    names = [_name(item) if isinstance(item, dict) else _text(item) for item in value]
    return [name for name in names if name] if all(name and not _is_pattern(name) for name in names) else []


def _name(value: Mapping[str, JsonValue]) -> str | None:
    """The name of a tool, or a pattern that is one because nothing in it is left open."""
    named = value.get("name") or value.get("pattern") or value.get("tool")
    text = _text(named)
    return text if text and not _is_pattern(text) else None


def _is_pattern(text: str) -> bool:
    return "*" in text or "?" in text


def _times(value: Mapping[str, JsonValue]) -> Times | None:
    """How often a tool is to be used; None where the numbers are none."""
    least, most = value.get("min", 1), value.get("max")
    if isinstance(least, bool) or not isinstance(least, int) or least < 0:
        return None
    if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 0):
        return None
    return Times(min(least, most) if most == 0 else least, most)


# --- variables of templates


def fill(text: str, values: Mapping[str, JsonValue]) -> str | None:
    """A text with its variables filled in; None where it is a template of another kind, or a variable is missing."""
    known = {name: str(value) for name, value in values.items() if isinstance(value, (str, int, float))}
    if any(name not in known for name in _VARIABLE.findall(text)):
        return None
    rest = _VARIABLE.sub("", text)
    if "{{" in rest or "{%" in rest:
        return None
    return _VARIABLE.sub(lambda match: known[match[1]], text)


def fill_all(value: JsonValue, values: Mapping[str, JsonValue]) -> JsonValue:
    """A value with the variables in all its texts filled in; a text for which that cannot be done stays as it is."""
    if isinstance(value, str):
        filled = fill(value, values)
        return value if filled is None else filled
    if isinstance(value, list):
        return [fill_all(item, values) for item in value]
    if isinstance(value, dict):
        return {key: fill_all(item, values) for key, item in value.items()}
    return value
