"""Listing everything in which a decoded value differs from a type.

The happy path is `msgspec.convert`, which stops at the first fault. Only when it complains is the value walked again
beside the description of the type, so that a person gets all the faults of a file at once, in plain words.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from toolgauge.core import JsonValue
from toolgauge.errors import MOST_PROBLEMS, did_you_mean

from .problems import Fault, Path, shorten

__all__ = ["convert", "list_faults", "type_info"]

T = TypeVar("T")

WORDS: dict[type[inspect.Type], str] = {
    inspect.StructType: "an object",
    inspect.DictType: "an object",
    inspect.ListType: "a list",
    inspect.VarTupleType: "a list",
    inspect.StrType: "a string",
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.BoolType: "true or false",
    inspect.NoneType: "null",
}


@lru_cache(maxsize=64)
def type_info(kind: Any) -> inspect.Type:
    """What msgspec knows about a type, worked out once."""
    return inspect.type_info(kind)


def convert(value: JsonValue, kind: type[T]) -> T | list[Fault]:
    """The value as this type, or all the reasons why it cannot be."""
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, OverflowError, RecursionError) as error:
        return list_faults(value, kind) or [Fault((), f"invalid: {error}")]


def list_faults(value: JsonValue, kind: Any) -> list[Fault]:
    """In what the value differs from the type, as far as it can be shown; nothing where it fits."""
    return list(islice(_faults(value, type_info(kind), ()), MOST_PROBLEMS + 1))


def _faults(value: JsonValue, kind: inspect.Type, path: Path) -> Iterator[Fault]:
    if isinstance(kind, inspect.UnionType):
        yield from _union_faults(value, kind, path)
    elif isinstance(kind, inspect.AnyType):
        return
    elif isinstance(kind, inspect.LiteralType):
        if not any(value == choice and type(value) is type(choice) for choice in kind.values):
            yield _not_a_choice(value, kind.values, path)
    elif not _fits(value, kind):
        yield Fault(path, f"expected {_words(kind)}, found {_found(value)}", _quote_hint(value, kind))
    elif isinstance(kind, inspect.StructType) and isinstance(value, dict):
        yield from _struct_faults(value, kind, path)
    elif isinstance(kind, inspect.StructType) and isinstance(value, list):
        yield from _row_faults(value, kind, path)
    elif isinstance(kind, inspect.DictType) and isinstance(value, dict):
        for key, item in value.items():
            yield from _faults(item, kind.value_type, (*path, key))
    elif isinstance(kind, inspect.ListType | inspect.VarTupleType) and isinstance(value, list):
        for index, item in enumerate(value):
            yield from _faults(item, kind.item_type, (*path, index))
    elif isinstance(kind, inspect.IntType | inspect.FloatType) and isinstance(value, int | float):
        yield from _bound_faults(value, kind, path)


def _fits(value: JsonValue, kind: inspect.Type) -> bool:
    """Whether the value is of the right sort, whatever is inside."""
    if isinstance(value, bool):
        return isinstance(kind, inspect.BoolType)
    if value is None:
        return isinstance(kind, inspect.NoneType)
    if isinstance(value, str):
        return isinstance(kind, inspect.StrType)
    if isinstance(value, int):
        return isinstance(kind, inspect.IntType | inspect.FloatType)
    if isinstance(value, float):
        return isinstance(kind, inspect.FloatType)
    if isinstance(value, list):
        return isinstance(kind, inspect.ListType | inspect.VarTupleType) or _is_row(kind)
    return isinstance(kind, inspect.StructType | inspect.DictType) and not _is_row(kind)


def _is_row(kind: inspect.Type) -> bool:
    """Whether it is a struct that is written as a list of its fields."""
    return isinstance(kind, inspect.StructType) and kind.array_like


def _union_faults(value: JsonValue, kind: inspect.UnionType, path: Path) -> Iterator[Fault]:
    literals = [choice for choice in kind.types if isinstance(choice, inspect.LiteralType)]
    if literals and isinstance(value, str):
        yield from _faults(value, literals[0], path)
        return
    for choice in kind.types:
        if _fits(value, choice) or isinstance(choice, inspect.AnyType):
            yield from _faults(value, choice, path)
            return
    wanted = [_words(choice) for choice in kind.types if not isinstance(choice, inspect.NoneType)]
    hint = next((hint for choice in kind.types if (hint := _quote_hint(value, choice))), "")
    yield Fault(path, f"expected {' or '.join(wanted)}, found {_found(value)}", hint)


def _struct_faults(value: dict[str, JsonValue], kind: inspect.StructType, path: Path) -> Iterator[Fault]:
    fields = {field.encode_name: field for field in kind.fields}
    for key, item in value.items():
        if key in fields:
            yield from _faults(item, fields[key].type, (*path, key))
        elif kind.forbid_unknown_fields:
            hint = did_you_mean(key, list(fields))
            yield Fault((*path, key), f"{shorten(key)} is not a known key", hint, at_key=True)
    for name, field in fields.items():
        if field.required and name not in value:
            yield Fault(path, f"the key {name!r} is missing")


def _row_faults(value: list[JsonValue], kind: inspect.StructType, path: Path) -> Iterator[Fault]:
    for index, (item, field) in enumerate(zip(value, kind.fields, strict=False)):
        yield from _faults(item, field.type, (*path, index))
    required = sum(field.required for field in kind.fields)
    if len(value) < required:
        yield Fault(path, f"expected {required} values or more, found {len(value)}")


def _bound_faults(value: int | float, kind: inspect.IntType | inspect.FloatType, path: Path) -> Iterator[Fault]:
    if kind.ge is not None and not value >= kind.ge:
        yield Fault(path, f"expected {kind.ge:g} or more, found {shorten(value)}")
    elif kind.gt is not None and not value > kind.gt:
        yield Fault(path, f"expected more than {kind.gt:g}, found {shorten(value)}")
    elif kind.le is not None and not value <= kind.le:
        yield Fault(path, f"expected {kind.le:g} or less, found {shorten(value)}")
    elif kind.lt is not None and not value < kind.lt:
        yield Fault(path, f"expected less than {kind.lt:g}, found {shorten(value)}")


def _not_a_choice(value: JsonValue, choices: tuple[Any, ...], path: Path) -> Fault:
    names = [str(choice) for choice in choices]
    hint = did_you_mean(value, names) if isinstance(value, str) else ""
    if hint.startswith("known here"):
        hint = ""
    shown = shorten(value) if isinstance(value, str | int | float) else _found(value)
    return Fault(path, f"expected one of {', '.join(names)}, found {shown}", hint)


def _words(kind: inspect.Type) -> str:
    if _is_row(kind):
        return "a list"
    if isinstance(kind, inspect.LiteralType):
        return "one of " + ", ".join(map(str, kind.values))
    return WORDS.get(type(kind), "another kind of value")


def _found(value: JsonValue) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"the string {shorten(value)}"
    if isinstance(value, int | float):
        return f"the number {shorten(value)}"
    return "a list" if isinstance(value, list) else "an object"


def _quote_hint(value: JsonValue, kind: inspect.Type) -> str:
    if not isinstance(kind, inspect.StrType) or isinstance(value, list | dict):
        return ""
    return "put it in quotes if the text is meant"
