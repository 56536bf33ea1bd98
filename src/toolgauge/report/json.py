"""JSON for programs: unrounded values, one row or case a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite

import msgspec

from .render import Document, RenderOptions

__all__ = ["FORMAT", "builtins", "encode_json", "indented_json", "list_json"]

_ESCAPED = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""What JSON allows but a terminal or an encoder does not take well; it can stand in strings only."""


class Json:
    """Every document in the form it has for programs."""

    suffix = "json"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Draw a document, piece by piece."""
        return document.json(options.words)


FORMAT = Json()


def encode_json(value: object) -> str:
    """A value as JSON that any reader takes: no NaN, no half characters, no control characters."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"))
    return _escaped(text)


def indented_json(value: object) -> str:
    """A small value as JSON that people read too."""
    return _escaped(json.dumps(value, indent=2, ensure_ascii=False)) + "\n"


def _escaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _finite(value: object) -> object:
    """The value with numbers that JSON does not know written as texts."""
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, (list, tuple)) else value


def list_json(name: str, items: Iterable[object], end: str = ",\n") -> Iterator[str]:
    """A member of an object that is a list, with an item a line, piece by piece."""
    yield f'"{name}":['
    separator = "\n"
    for item in items:
        yield separator + encode_json(item)
        separator = ",\n"
    yield "]" + end


def builtins(value: object) -> object:
    """A core value as plain dicts and lists; a Python callable in it is named."""
    return msgspec.to_builtins(value, enc_hook=lambda rule: f"{getattr(rule, '__name__', type(rule).__name__)}()")
