"""A whole JSON or YAML document: its value, and where each part of it stands in the file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from toolgauge.core import JsonValue
from toolgauge.errors import InputError, Problem

from .jsontext import BadJson, JsonPlaces, decode_json, duplicate_keys, holds_key_twice
from .problems import Locate
from .reading import MEBIBYTE, InputFile

__all__ = ["LocatedDocument", "read_json_document", "read_yaml_document"]

LARGEST_JSON = 48 * MEBIBYTE
LARGEST_YAML = 16 * MEBIBYTE
"""The largest documents, in bytes. They are held as a whole, YAML with the place of every word."""

LOOKED_AT = 8 * MEBIBYTE
"""Documents that are not refused for it, and no longer than this, are looked through for keys that are there twice."""

USE_LINES = "write it as JSONL, one record a line, which may be of any size"


@dataclass(frozen=True, slots=True)
class LocatedDocument:
    """A decoded document."""

    value: JsonValue
    """None where the file holds nothing."""
    locate: Locate
    repeats: bool = False
    """Whether an object holds a key twice, of which the last counts; of large documents it is not known."""


def read_json_document(source: InputFile, *, unique_keys: bool = True) -> LocatedDocument:
    """Read a file that holds one JSON document.

    Args:
        source: The file.
        unique_keys: Whether a key twice in one object is refused, as in what people write; else the last one counts.

    Raises:
        InputError: It is too large, not UTF-8, not JSON, or an object in it holds a key twice.
    """
    data = source.text(LARGEST_JSON, USE_LINES).encode("utf-8")
    if not data or data.isspace():
        return LocatedDocument(None, _nowhere)
    problem: Problem | None = None
    try:
        value = decode_json(data)
    except BadJson as error:
        problem = error.problem
    if problem is not None:
        # Raised out here, it does not hold what held the document.
        raise InputError(source.name, problem)
    text = data.decode("utf-8")
    del data
    pairs = duplicate_keys(text) if unique_keys else []
    twice = [Problem(f"duplicate key {key!r}", *place) for key, place in pairs]
    if twice:
        raise InputError(source.name, twice)
    repeats = not unique_keys and len(text) <= LOOKED_AT and holds_key_twice(text)
    return LocatedDocument(value, JsonPlaces(text), repeats)


def read_yaml_document(source: InputFile, kind: Any) -> LocatedDocument:
    """Read a file that holds one YAML document, meant to become this type.

    Raises:
        InputError: It is too large, not UTF-8, not YAML, or uses what is not allowed.
    """
    from .yamlnodes import find_node_place, node_value, read_nodes

    nodes = read_nodes(source.text(LARGEST_YAML, USE_LINES), source.name)
    if nodes is None:
        return LocatedDocument(None, _nowhere)
    return LocatedDocument(node_value(nodes, kind, source.name), partial(find_node_place, nodes))


def _nowhere(path: object, at_key: bool = False) -> None:  # noqa: ARG001 - an empty file has no places
    return None
