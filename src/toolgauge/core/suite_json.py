"""A suite as JSON, as it is kept, and the hash by which two of them are the same."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module

import msgspec

from .suite import Suite

__all__ = ["encode_sorted", "encode_suite", "suite_hash"]

HALVES = re.compile("[\ud800-\udfff]")


def encode_suite(suite: Suite) -> bytes:
    """The suite as JSON. Halves of surrogate pairs, which no file can hold, become the text of their escapes."""
    try:
        return msgspec.json.encode(suite, enc_hook=_named)
    except UnicodeEncodeError:
        return _without_halves(suite)


def encode_sorted(value: object) -> bytes:
    """A part of a suite as JSON with sorted keys, by which it is the same as another, however either came about."""
    try:
        return msgspec.json.encode(value, enc_hook=_named, order="sorted")
    except UnicodeEncodeError:
        return msgspec.json.encode(msgspec.json.decode(_without_halves(value)), order="sorted")


def suite_hash(suite: Suite) -> str:
    """The SHA-256 of a suite as JSON with sorted keys: the same for equal suites, however their files are written.

    A suite that was kept and read again has the same one, so that what somebody says of it need not be believed.
    """
    return _sha256(encode_sorted(suite))


def _sha256(data: bytes) -> str:
    """By Python's own module where it has one: `hashlib` loads OpenSSL, which takes 3 MB of memory."""
    for name in ("_sha2", "_sha256", "hashlib"):
        with suppress(ImportError, AttributeError):
            digest: str = import_module(name).sha256(data).hexdigest()
            return digest
    raise ImportError("this Python has no SHA-256")


def _without_halves(value: object) -> bytes:
    import json

    text = json.dumps(msgspec.to_builtins(value, enc_hook=_named), ensure_ascii=False)
    return HALVES.sub(lambda half: f"\\\\u{ord(half[0]):04x}", text).encode()


def _named(value: object) -> object:
    """A rule that is Python code is kept by its name: it can be read, not applied again."""
    name = getattr(value, "__qualname__", type(value).__qualname__)
    return {"$python": f"{getattr(value, '__module__', '')}:{name}"}
