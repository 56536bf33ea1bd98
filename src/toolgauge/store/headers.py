"""Headers of runs in a store, where a suite that several runs share is kept once."""

from __future__ import annotations

import re

import msgspec

from toolgauge.core import RunHeader, Suite

__all__ = ["encode_suite", "with_suite", "without_suite"]

HALVES = re.compile("[\ud800-\udfff]")


def encode_suite(suite: Suite) -> bytes:
    """The suite as JSON. Halves of surrogate pairs, which no file can hold, become the text of their escapes."""
    try:
        return msgspec.json.encode(suite, enc_hook=_named)
    except UnicodeEncodeError:
        import json

        text = json.dumps(msgspec.to_builtins(suite, enc_hook=_named), ensure_ascii=False)
        return HALVES.sub(lambda half: f"\\\\u{ord(half[0]):04x}", text).encode()


def _named(value: object) -> object:
    """A rule that is Python code is kept by its name: it can be read, not applied again."""
    return {"$python": f"{getattr(value, '__module__', '')}:{getattr(value, '__qualname__', '')}"}


def without_suite(header: RunHeader) -> bytes:
    """The header as JSON, with no more of its suite than the name."""
    written = {name: getattr(header, name) for name in header.__struct_fields__ if name != "suite"}
    return msgspec.json.encode({**written, "suite_name": header.suite.name})


def with_suite(header: bytes, suite: bytes) -> RunHeader:
    """The header again, with its suite."""
    written = msgspec.json.decode(header, type=dict[str, msgspec.Raw])
    written.pop("suite_name", None)
    written["suite"] = msgspec.Raw(suite)
    return msgspec.json.decode(msgspec.json.encode(written), type=RunHeader)
