"""JSON values and rules at random, and what it means for two values to be equal."""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from tests.strategies import LITERALS, MATCHERS, RESULTS
from toolgauge.core import Call, JsonValue
from toolgauge.matchers import Earlier, compile_rule

KEYS = st.text(st.characters(exclude_characters="$", categories=("L", "M", "N", "P", "S", "Z")), max_size=4)
"""Keys of objects that cannot be mistaken for matchers."""

SCALARS: st.SearchStrategy[JsonValue] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
)

ANYTHING: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=8
)
"""Any JSON value."""

NEAR = [*LITERALS, *(value for kind in MATCHERS.values() for _, values in kind for value in values)]

FEW: st.SearchStrategy[JsonValue] = st.recursive(
    st.sampled_from(NEAR),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("kl"), inner, max_size=2),
    max_leaves=4,
)
"""Values out of a few, so that rules and values meet."""


def _nested(inner: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    objects = st.dictionaries(st.sampled_from("kl"), inner, max_size=2)
    return st.one_of(
        st.lists(inner, max_size=3),
        objects,
        inner.map(lambda rule: {"$not": rule}),
        inner.map(lambda rule: {"$default": rule}),
        inner.map(lambda rule: {"$items": rule}),
        objects.map(lambda rules: {"$partial": rules}),
        st.lists(inner, min_size=1, max_size=3).map(lambda rules: {"$one_of": rules}),
        st.lists(inner, max_size=3).map(lambda rules: {"$set": rules}),
        st.lists(inner, min_size=1, max_size=2).map(lambda rules: {"$contains": rules}),
    )


RULES: st.SearchStrategy[JsonValue] = st.recursive(
    st.sampled_from([*LITERALS, *(rule for kind in MATCHERS.values() for rule, _ in kind)]), _nested, max_leaves=5
)
"""Literals and all matchers, one in another."""

CALLS: st.SearchStrategy[list[Call]] = st.lists(
    st.builds(
        Call,
        tool=st.sampled_from("abc"),
        result=st.sampled_from(RESULTS),
        error=st.sampled_from([None, None, "boom"]),
    ),
    max_size=3,
)
"""Calls that were made before."""


def fits(rule: Any, value: JsonValue, *, before: list[Call] | None = None, locale: str | None = None) -> bool:
    """Whether a value fits a rule, by the code under test."""
    calls = before or []
    return compile_rule(rule, locale).fits(value, Earlier(calls, len(calls)))


def canonical(value: JsonValue) -> Hashable:
    """Something that is equal for equal values: exact numbers, composed texts, and the type beside each."""
    if value is None or isinstance(value, bool):
        return "constant", str(value)
    if isinstance(value, (int, float)):
        return "number", Fraction(value)
    if isinstance(value, str):
        return "text", unicodedata.normalize("NFC", value)
    if isinstance(value, list):
        return "list", tuple(map(canonical, value))
    return "object", frozenset((canonical(key), canonical(item)) for key, item in value.items())
