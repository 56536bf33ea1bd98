"""The problem lister: it finds a fault exactly where msgspec does, and all of them."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.core import Case, JsonValue, Trajectory
from toolgauge.files import convert, format_path, list_faults

KEYS = st.sampled_from(
    ["id", "input", "labels", "expect", "calls", "tool", "args", "times", "min", "order", "case", "trial", "state"]
)
LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.sampled_from(["a", "any", "error"])
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)


@pytest.mark.parametrize("kind", [Case, Trajectory])
@given(value=VALUES)
def test_there_are_faults_exactly_where_the_conversion_fails(kind: Any, value: Any) -> None:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        assert list_faults(value, kind)
    else:
        assert not list_faults(value, kind)


def test_f6_every_fault_is_listed_with_its_path_and_a_hint() -> None:
    written: dict[str, JsonValue] = {
        "id": 3,
        "expect": {"order": "stric", "calls": [{"tol": "a", "optional": "yes"}]},
        "budget": {"calls": -1, "latency_ms": 0},
    }
    found = convert(written, Case)
    assert isinstance(found, list)
    assert [(format_path(fault.path), fault.what, fault.hint) for fault in found] == [
        ("id", "expected a string, found the number 3", "put it in quotes if the text is meant"),
        ("expect.order", "expected one of any, strict, found 'stric'", "did you mean 'strict'?"),
        ("expect.calls[0].tol", "'tol' is not a known key", "did you mean 'tool'?"),
        ("expect.calls[0].optional", "expected true or false, found the string 'yes'", ""),
        ("expect.calls[0]", "the key 'tool' is missing", ""),
        ("budget.calls", "expected 0 or more, found -1", ""),
        ("budget.latency_ms", "expected more than 0, found 0", ""),
    ]


def test_a_path_with_an_odd_key_can_still_be_read() -> None:
    assert format_path(("labels", "a b", 2, "$one_of")) == "labels['a b'][2].$one_of"
