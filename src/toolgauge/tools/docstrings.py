"""What a docstring says of a function and of its parameters, in the three common styles."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator

__all__ = ["describe"]

GOOGLE = re.compile(r"^(Args|Arguments|Parameters|Params):\s*$")
NUMPY = re.compile(r"^(Parameters|Other Parameters)\s*$")
UNDERLINE = re.compile(r"^-{3,}\s*$")
HEADING = re.compile(r"^[A-Z][A-Za-z ]{2,30}:\s*$")
GOOGLE_ITEM = re.compile(r"^\*{0,2}(?P<name>\w+)\s*(\([^)]*\))?\s*:\s*(?P<text>.*)$")
NUMPY_ITEM = re.compile(r"^\*{0,2}(?P<name>\w+)\s*(:.*)?$")
REST_ITEM = re.compile(r"^:param\s+(?:[^:]*\s)?\*{0,2}(?P<name>\w+)\s*:\s*(?P<text>.*)$")
REST_FIELD = re.compile(r"^:\w+[^:]*:")


def describe(function: Callable[..., object]) -> tuple[str, dict[str, str]]:
    """What the function is for, and what each parameter is, as far as its docstring says so."""
    text = inspect.getdoc(function) or ""
    lines = text.splitlines()
    found = dict(_google(lines)) or dict(_numpy(lines)) or dict(_rest(lines))
    return _summary(lines), found


def _summary(lines: list[str]) -> str:
    """Everything before the first section."""
    kept: list[str] = []
    for index, line in enumerate(lines):
        below = lines[index + 1] if index + 1 < len(lines) else ""
        if HEADING.match(line) or REST_FIELD.match(line) or (line.strip() and UNDERLINE.match(below)):
            break
        kept.append(line)
    return "\n".join(kept).strip()


def _google(lines: list[str]) -> Iterator[tuple[str, str]]:
    start = next((index + 1 for index, line in enumerate(lines) if GOOGLE.match(line)), len(lines))
    body = []
    for line in lines[start:]:
        if line.strip() and not line.startswith(" "):
            break
        body.append(line)
    yield from _items(body, GOOGLE_ITEM)


def _numpy(lines: list[str]) -> Iterator[tuple[str, str]]:
    for index, line in enumerate(lines[:-1]):
        if NUMPY.match(line) and UNDERLINE.match(lines[index + 1]):
            body = []
            for position, below in enumerate(lines[index + 2 :], index + 2):
                if position + 1 < len(lines) and below.strip() and UNDERLINE.match(lines[position + 1]):
                    break
                body.append(below)
            yield from _items(body, NUMPY_ITEM)


def _rest(lines: list[str]) -> Iterator[tuple[str, str]]:
    name, words = "", ""
    for line in lines:
        item = REST_ITEM.match(line.strip())
        if item or REST_FIELD.match(line.strip()):
            if name:
                yield name, words
            name, words = (item["name"], item["text"].strip()) if item else ("", "")
        elif name and line.strip():
            words = f"{words} {line.strip()}".strip()
    if name:
        yield name, words


def _items(lines: list[str], pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Parameters of a section: each begins where the indentation is that of the first."""
    filled = [line for line in lines if line.strip()]
    margin = len(filled[0]) - len(filled[0].lstrip()) if filled else 0
    name, words = "", ""
    for line in filled:
        begins = len(line) - len(line.lstrip()) == margin
        item = pattern.match(line.strip()) if begins else None
        if item:
            if name:
                yield name, words
            name = item["name"]
            words = (item.groupdict().get("text") or "").strip()
        elif name:
            words = f"{words} {line.strip()}".strip()
    if name:
        yield name, words
