"""Spoiling inputs by chance: bytes, texts, JSON values, tables. The same dice spoil in the same way."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.traces.formats.disturbance import disturbed

__all__ = ["spoil_bytes", "spoil_json", "spoil_rows", "spoil_text", "spoil_value"]

PIECES = (
    *(
        "\n",
        "\r\n",
        "\r",
        "\t",
        " ",
        ",",
        ":",
        ": ",
        "- ",
        '"',
        "'",
        "{",
        "}",
        "[",
        "]",
        "[]",
        "{}",
        "|",
        "# ",
        "---\n",
    ),
    *("&a ", "*a", "<<: *a", "!!python/object:x ", "!x ", "%", "~", "null", "true", "no", "1e999", "NaN", "-Infinity"),
    *("\\ud800", "\\u0000", "\0", "\x1b[2J", "\x9b", "\ufeff", "\u2028", "\u202e", "é", "e\u0301", "ﬁ", "İ", "🙂", "½"),
    *(
        "$any",
        "$regex",
        "$ref",
        "#/$defs/a",
        "../../x",
        "=1+1",
        "@latest",
        "{{x}}",
        "%s",
        "9" * 40,
        "-0",
        "0x1F",
        "1_000",
    ),
)
"""What readers stumble over."""

KEYS = (
    "type",
    "content",
    "id",
    "case",
    "calls",
    "tool",
    "args",
    "name",
    "",
    "$ref",
    "$any",
    "\ud800",
    "é",
    "__class__",
)

NUMBERS = (0, -1, 1, 2, 0.1, -0.0, 1e308, 5e-324, 2**31, 2**53 + 1, 2**63, 2**64, 10**30, -(10**400), True, False)

DEPTHS = (30, 250, 600, 1100, 5000, 100_000)

TEXTS = (
    "",
    " ",
    "x" * 300,
    "\ud800",
    "\0",
    "\x1b]8;;x\x07",
    "{",
    "[1",
    '{"a": 1}',
    "2026-02-30",
    "1e999",
    "nan",
    "\n" * 50,
)

LARGE = 1_500_000
"""To so many bytes an input is made to grow, which few are."""


class _Raw(str):
    """A text that stands in JSON as it is."""


def spoil_bytes(data: bytes, dice: Random) -> bytes:
    """The bytes, with some changed, gone, moved, repeated or cut off."""
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 4, 16))):
        place = dice.randrange(len(changed) + 1)
        length = dice.choice((1, 1, 2, 4, 8, 64, 512))
        way = dice.randrange(7)
        if way == 0 and changed:
            changed[place % len(changed)] ^= 1 << dice.randrange(8)
        elif way == 1:
            changed[place : place + length] = dice.randbytes(length)
        elif way == 2:
            changed[place:place] = dice.choice(PIECES).encode("utf-8", "surrogatepass")
        elif way == 3:
            del changed[place : place + length]
        elif way == 4:
            other = dice.randrange(len(changed) + 1)
            changed[place:place] = changed[other : other + length]
        elif way == 5:
            changed[place : place + length] = dice.choice((b"\0", b"\xff", b"\x7f", b"\x80")) * length
        else:
            del changed[place:]
    return bytes(changed)


def spoil_text(data: bytes, dice: Random) -> bytes:
    """The text, with pieces put in, and lines or parts of lines changed."""
    lines = data.splitlines(keepends=True) or [b""]
    for _ in range(dice.randint(1, 4)):
        number = dice.randrange(len(lines))
        line = lines[number]
        place = dice.randrange(len(line) + 1)
        way = dice.randrange(7)
        if way <= 1:
            piece = dice.choice(PIECES) * dice.choice((1, 1, 1, 3, 400))
            lines[number] = line[:place] + piece.encode("utf-8", "surrogatepass") + line[place:]
        elif way == 2:
            lines[number] = line[:place] + line[place + dice.randint(1, 10) :]
        elif way == 3:
            lines.insert(number, dice.choice(lines))
        elif way == 4 and len(lines) > 1:
            del lines[number]
        elif way == 5:
            lines[number] = line.replace(b"    ", b"\t") if dice.random() < 0.5 else b"  " + line
        else:
            words = line.split(b" ")
            words[dice.randrange(len(words))] = dice.choice(dice.choice(lines).split(b" "))
            lines[number] = b" ".join(words)
    return _grown(b"".join(lines), dice)


def spoil_value(value: Any, dice: Random) -> Any:
    """A JSON value with parts replaced, gone or out of order, and now and then with something extreme in it."""
    whole = disturbed([value], dice)
    if whole and dice.random() < 0.5:
        _put_extreme(whole, dice)
    return whole[0] if whole else None


def spoil_json(data: bytes, dice: Random) -> bytes:
    """A document of JSON, or lines of it, with values changed; where it is neither, its text is spoiled."""
    try:
        records, in_lines = [json.loads(data)], False
    except (ValueError, RecursionError):
        try:
            records, in_lines = [json.loads(line) for line in data.splitlines() if line.strip()], True
        except (ValueError, RecursionError):
            return spoil_text(data, dice)
    if not records:
        return spoil_text(data, dice)
    for _ in range(dice.choice((1, 1, 1, 3))):
        place = dice.randrange(len(records))
        records[place] = spoil_value(records[place], dice)
    if in_lines and dice.random() < 0.1:
        dice.shuffle(records)
    written = "\n".join(_written(record, dice) for record in records) + ("\n" if in_lines else "")
    spoiled = written.encode("utf-8", "surrogatepass" if dice.random() < 0.05 else "backslashreplace")
    if dice.random() < 0.1:
        spoiled = spoil_bytes(spoiled, dice)
    return _grown(spoiled, dice)


def spoil_rows(rows: Sequence[Sequence[Any]], dice: Random) -> list[list[Any]]:
    """A table with cells changed, rows longer, shorter or out of place, and headings that appear twice."""
    table = [list(row) for row in rows]
    for _ in range(dice.randint(1, 4)):
        row = dice.choice(table)
        place = dice.randrange(len(row) + 1)
        way = dice.randrange(5)
        if way <= 1 and row:
            row[place % len(row)] = dice.choice(
                (*TEXTS, *NUMBERS, *PIECES, None, dice.choice(dice.choice(table) or [0]))
            )
        elif way == 2:
            row.insert(place, dice.choice(TEXTS))
        elif way == 3:
            del row[place:]
        else:
            table.insert(dice.randrange(len(table)), list(row))
    return table


def spoil_csv(data: bytes, dice: Random) -> bytes:
    """A table as CSV, with cells changed."""
    rows = list(csv.reader(io.StringIO(data.decode("utf-8", "replace"))))
    written = io.StringIO()
    csv.writer(written, delimiter=dice.choice(",,,;\t")).writerows(spoil_rows(rows or [[""]], dice))
    return _grown(written.getvalue().encode("utf-8", "surrogatepass"), dice)


SPOILERS: dict[str, Callable[[bytes, Random], bytes]] = {
    "json": spoil_json,
    "csv": spoil_csv,
    "text": spoil_text,
    "bytes": spoil_bytes,
}


def spoil(kind: str, data: bytes, dice: Random) -> bytes:
    """Spoil it as what it is, or now and then as something simpler."""
    simpler = dice.random()
    if simpler < 0.1:
        return spoil_bytes(data, dice)
    return spoil_text(data, dice) if simpler < 0.2 else SPOILERS[kind](data, dice)


def _put_extreme(holder: list[Any], dice: Random) -> None:
    """Put something extreme somewhere into a value."""
    value: Any = holder
    parent: Any = holder
    key: Any = 0
    while isinstance(value, list | dict) and value and (value is holder or dice.random() < 0.8):
        parent, key = value, dice.choice(list(value)) if isinstance(value, dict) else dice.randrange(len(value))
        value = parent[key]
    if isinstance(parent, dict) and dice.random() < 0.2:
        parent[dice.choice(KEYS)] = parent.pop(key)
        return
    parent[key] = _extreme(dice)


def _extreme(dice: Random) -> Any:
    way = dice.randrange(8)
    if way <= 2:
        return dice.choice(TEXTS)
    if way <= 4:
        return dice.choice(NUMBERS)
    if way == 5:
        return dice.choice((float("nan"), float("inf"), float("-inf")))
    if way == 6:
        depth = dice.choice(DEPTHS)
        left, right = dice.choice((("[", "]"), ('{"a":', "}")))
        return _Raw(left * depth + "1" + right * (depth if dice.random() < 0.8 else 0))
    return {key: dice.choice(NUMBERS) for key in KEYS}


def _written(value: Any, dice: Random) -> str:
    """A value as JSON, with what only stands for a text put in as it is."""
    raw: list[str] = []

    def mark(part: Any) -> Any:
        if isinstance(part, _Raw):
            raw.append(part)
            return f"\x00raw{len(raw) - 1}\x00"
        if isinstance(part, dict):
            return {key: mark(each) for key, each in part.items()}
        return [mark(each) for each in part] if isinstance(part, list) else part

    text = json.dumps(mark(value), ensure_ascii=dice.random() < 0.5)
    for number, part in enumerate(raw):
        text = text.replace(json.dumps(f"\x00raw{number}\x00"), part)
    if dice.random() < 0.03 and '": ' in text:
        begin = text.index('": ')
        text = text[: begin + 1] + ": 1, " + text[text.rindex('"', 0, begin) :]  # a key that appears twice
    return text


def _grown(data: bytes, dice: Random) -> bytes:
    """The same, or now and then a part of it so often that it is large."""
    if dice.random() > 0.004 or not data:
        return data
    begin = dice.randrange(len(data))
    part = data[begin : begin + dice.choice((1, 2, 10, 200, 4000))]
    return data[:begin] + part * (LARGE // len(part)) + data[begin:]
