"""Decoding JSON so that whatever is wrong has a line and a column.

msgspec decodes; the standard decoder and the small finder below run only after it has complained.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NoReturn

import msgspec

from toolgauge.core import JsonValue
from toolgauge.errors import MOST_PROBLEMS, Problem

from .problems import Path, Place

__all__ = [
    "MOST_DEPTH",
    "BadJson",
    "JsonPlaces",
    "check_count",
    "check_depth",
    "decode_json",
    "duplicate_keys",
    "find_place",
    "holds_key_twice",
    "is_shallow",
    "place_of",
    "repeats_key",
]

MOST_DEPTH = 200
"""How deep lists and objects may be nested: deeper than any real file, and safe to walk recursively."""

MOST_PARTS = 1_000_000
"""Lists, objects and keys of one record. They take up to fifty times as much memory as they are long."""

VALUES_OF_PART = 2
"""How many values may be there for each of them: those take less."""

MOST_KEYS = 200_000
"""How many different keys. One that was seen before takes no room, and a new one more than anything else."""

MOST_PASSED = 300_000
"""Values that are passed by to find the places of some others."""

BLANK = re.compile(r"[ \t\n\r]*")
# A string that is never closed goes to the end, and what was taken is never given back: without both, these would need
# quadratic time on some inputs, and a hundred times the size of a long string in memory.
STRUCTURE = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[][{}]', re.DOTALL)
KEY_OR_BRACKET = re.compile(r'(?P<string>"(?:[^"\\]++|\\.)*+"?)(?P<colon>\s*+:)?|[][{}]', re.DOTALL)
AFTER_KEY = re.compile(r'"[ \t\n\r]*+:')
KEY = re.compile(rb'"([^"\\]*+)"[ \t\n\r]*+:')
NO_COUNTED = bytes(set(range(256)) - set(b'[{:,"'))
NO_STRUCTURE = bytes(set(range(256)) - set(b'[]{}"'))
PIECE = 1 << 20
"""How many bytes are taken apart at a time."""
DIVIDE = "write each record on its own line"
SURROGATE = re.compile("[\ud800-\udfff]")


class BadJson(Exception):  # noqa: N818 - carries a problem; never seen by a person
    """The text is not JSON; the problem counts lines from the beginning of the text."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.what)


def decode_json(data: bytes) -> JsonValue:
    """The JSON value that the bytes hold.

    A lone surrogate, which Python writes and strict decoders refuse, is kept as its escape sequence.

    Raises:
        BadJson: It is not JSON, or nested too deep.
        UnicodeDecodeError: It is not UTF-8.
    """
    try:
        value: JsonValue = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):
        check_depth(data)
        return _decode_slowly(data.decode("utf-8"))
    # Looking through the value is many times faster than looking through the text, which says where the fault is.
    if not is_shallow(data) and _is_deep(value):
        check_depth(data)
    return value


def _is_deep(value: JsonValue) -> bool:
    """Whether lists and objects are nested too deep; looks at one level after the other."""
    level: list[Any] = [value] if isinstance(value, (dict, list)) else []
    for _ in range(MOST_DEPTH):
        level = [
            item
            for holder in level
            for item in (holder.values() if holder.__class__ is dict else holder)
            if item.__class__ is dict or item.__class__ is list
        ]
        if not level:
            return False
    return True


def check_count(data: bytes, most: int = MOST_PARTS) -> None:
    """Refuse what holds so much that decoding it would take all the memory, whatever it is.

    Args:
        data: What is taken for JSON.
        most: How many lists, objects and keys it may hold.

    Raises:
        BadJson: It holds more, or too many values or different keys.
    """
    keys, values = data.count(b":"), data.count(b",")
    parts = data.count(b"[") + data.count(b"{") + keys
    most_values = VALUES_OF_PART * most
    if parts > most or values > most_values:
        _check_parts(data, most)
    if keys > MOST_KEYS:
        _check_keys(data)


def _check_parts(data: bytes, most: int) -> None:
    """As `check_count`, where there are enough characters that would stand for too much outside of strings."""
    most_values = VALUES_OF_PART * most
    plain = data.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in data else data
    parts = values = inside = 0
    for start in range(0, len(plain), PIECE):
        between = plain[start : start + PIECE].translate(None, NO_COUNTED).split(b'"')
        found = b"".join(between[inside::2])
        inside ^= len(between) - 1 & 1
        more = found.count(b",")
        values += more
        parts += len(found) - more
        if parts > most:
            raise BadJson(Problem(f"more than {most:,} lists, objects and keys in one record", 1, hint=DIVIDE))
        if values > most_values:
            raise BadJson(Problem(f"more than {most_values:,} values in one record", 1, hint=DIVIDE))


def _check_keys(data: bytes) -> None:
    seen: set[bytes] = set()
    for match in KEY.finditer(data):
        seen.add(match[1])
        if len(seen) > MOST_KEYS:
            raise BadJson(Problem(f"more than {MOST_KEYS:,} different keys in one record", 1, hint=DIVIDE))


def check_depth(data: bytes) -> None:
    """Refuse what is nested deeper than anything that walks it can stand.

    Raises:
        BadJson: It is nested too deep.
    """
    if is_shallow(data):
        return
    depth = 0
    for match in STRUCTURE.finditer(data):
        token = match[0]
        if token in b"[{":
            depth += 1
            if depth > MOST_DEPTH:
                line = data.count(b"\n", 0, match.start()) + 1
                column = match.start() - (data.rfind(b"\n", 0, match.start()) + 1) + 1
                what = f"lists and objects are nested more than {MOST_DEPTH} deep"
                raise BadJson(Problem(what, line, column))
        elif token in b"]}":
            depth -= 1


def is_shallow(data: bytes, depth: int = MOST_DEPTH) -> bool:
    """Whether lists and objects are surely nested no deeper than this, found out many times faster than where they are.

    Strings are left out, then brackets with nothing between them, again and again.
    """
    if data.count(b"[") + data.count(b"{") <= depth:
        return True
    plain = data.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in data else data
    # Two quotes with no bracket between them are an empty string, or the end of one and the beginning of the next:
    # without them the brackets outside of strings are the same.
    plain = plain.translate(None, NO_STRUCTURE).replace(b'""', b"")
    brackets = []
    inside = 0
    for start in range(0, len(plain), PIECE):
        parts = plain[start : start + PIECE].split(b'"')
        brackets.append(b"".join(parts[inside::2]))
        inside ^= len(parts) - 1 & 1
    rest = b"".join(brackets)
    if b"[" * (depth + 1) in rest.replace(b"{", b"["):
        return False
    # Each turn takes away one level of lists and one of objects at most.
    for _ in range(depth // 2):
        if not rest:
            return True
        before, rest = len(rest), rest.replace(b"[]", b"").replace(b"{}", b"")
        if len(rest) == before:
            return False  # what is left is no JSON
    return False


def _decode_slowly(text: str) -> JsonValue:
    """Decode with the standard module, which says where it fails and which takes lone surrogates."""
    try:
        value: JsonValue = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError as error:
        cut = _skip_blank(text, error.pos) == len(text)
        what = "the JSON ends too early" if cut else f"not valid JSON: {_lowered(error.msg)}"
        hint = "the end seems to be cut off" if cut else ""
        problem = Problem(what, *place_of(text, error.pos), hint=hint)
    except _NotANumber as error:
        place = place_of(text, max(text.find(error.literal), 0))
        problem = Problem(f"{error.literal[:40]} is not a number in JSON", *place)
    except (ValueError, RecursionError):
        problem = Problem("a number is too long, or the nesting too deep", 1)
    else:
        return _escape_surrogates(value)
    # Raised out here, it does not hold the error of the decoder, which holds all of the text.
    raise BadJson(problem)


class _NotANumber(Exception):  # noqa: N818 - used only inside this module
    def __init__(self, literal: str) -> None:
        self.literal = literal
        super().__init__(literal)


def _refuse(literal: str) -> NoReturn:
    raise _NotANumber(literal)


def _finite(literal: str) -> float:
    number = float(literal)
    if number in (float("inf"), float("-inf")):
        raise _NotANumber(literal)
    return number


def _lowered(message: str) -> str:
    return message[:1].lower() + message[1:]


def _escape_surrogates(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", value)
    if isinstance(value, list):
        return [_escape_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {str(_escape_surrogates(key)): _escape_surrogates(item) for key, item in value.items()}
    return value


def place_of(text: str, position: int) -> Place:
    """Line and column of a position in a text."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


class JsonPlaces:
    """Finds the places of values in a JSON text, as long as that does not take too long."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._left = MOST_PASSED
        """How many more values may be passed by."""

    def __call__(self, path: Path, at_key: bool = False) -> Place | None:
        """Line and column of the value at a path, or of its last key; None where it is not found.

        A path that ends in something missing gives the place of the object that should have held it, and so does one
        that would take too long to follow.
        """
        text = self._text
        try:
            position = _skip_blank(text, 0)
            for index, step in enumerate(path):
                last = index == len(path) - 1
                if isinstance(step, str):
                    found = self._enter_object(position, step, at_key and last)
                else:
                    found = self._enter_list(position, step)
                if found is None:
                    break
                position = found
            return place_of(text, position)
        except (ValueError, IndexError, RecursionError):
            # The text was decoded before, so this is out of reach but for the most twisted of inputs.
            return None

    def _enter_object(self, position: int, key: str, at_key: bool) -> int | None:
        text = self._text
        if text[position] != "{":
            return None
        found = None
        position = _skip_blank(text, position + 1)
        while text[position] == '"' and self._left > 0:
            self._left -= 1
            name, end = _skip_value(text, position)
            value = _skip_blank(text, _skip_blank(text, end) + 1)
            if name == key:
                # The last one of several equal keys is the one that counts, so the search goes on.
                found = position if at_key else value
            position = _skip_blank(text, _skip_value(text, value)[1])
            if text[position] != ",":
                break
            position = _skip_blank(text, position + 1)
        return found

    def _enter_list(self, position: int, index: int) -> int | None:
        text = self._text
        if text[position] != "[":
            return None
        position = _skip_blank(text, position + 1)
        for _ in range(index):
            self._left -= 1
            position = _skip_blank(text, _skip_value(text, position)[1])
            if text[position] != "," or self._left <= 0:
                return None
            position = _skip_blank(text, position + 1)
        return position


def find_place(text: str, path: Path, at_key: bool = False) -> Place | None:
    """Line and column of one value of a JSON text, as `JsonPlaces` finds them."""
    return JsonPlaces(text)(path, at_key)


def _skip_blank(text: str, position: int) -> int:
    match = BLANK.match(text, position)
    return match.end() if match else position


_skip_value: Callable[[str, int], tuple[object, int]] = json.JSONDecoder().raw_decode


def duplicate_keys(text: str) -> list[tuple[str, Place]]:
    """Keys that an object holds twice, with their places: as many as are shown, and one more.

    Decoders accept them and keep the last, which silently drops something that a person wrote.
    """
    return list(islice(_walk_for_duplicates(text), MOST_PROBLEMS + 1)) if holds_key_twice(text) else []


def holds_key_twice(text: str | bytes) -> bool:
    """Whether an object somewhere in a JSON text holds a key twice.

    Raises:
        ValueError: It is not JSON.
        RecursionError: It is nested too deeply.
    """
    found = False

    def look(pairs: list[tuple[str, object]]) -> None:
        nonlocal found
        found = found or len(dict(pairs)) != len(pairs)

    json.loads(text, object_pairs_hook=look, parse_int=len)
    return found


def repeats_key(text: str, decoded: dict[str, JsonValue]) -> bool:
    """Whether a text from which an object was decoded has a key twice somewhere; only one of the values is left.

    Where there are no more colons than keys, which is nearly always, there is no need to look closer.
    """
    if text.count(":") <= len(decoded) or len(AFTER_KEY.findall(text)) <= len(decoded):
        return False
    return holds_key_twice(text)


def _walk_for_duplicates(text: str) -> Iterator[tuple[str, Place]]:
    names: list[set[str]] = []
    for match in KEY_OR_BRACKET.finditer(text):
        found = match[0]
        if found in "[{":
            names.append(set())
        elif found in "]}":
            names.pop()
        elif match["colon"]:
            name = json.loads(match["string"])
            if name in names[-1]:
                yield name, place_of(text, match.start())
            names[-1].add(name)
