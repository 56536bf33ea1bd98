"""Every record is recognised by the reader it is meant for, and by no other."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from toolgauge.core import JsonValue
from toolgauge.traces.formats import BUILT_IN, built_in

MODULES = {value.partition(":")[0]: name for name, value in BUILT_IN.items()}
"""Names of readers, by the module they are in."""

TESTED = sorted(path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py"))


def samples_of(module: str) -> list[JsonValue]:
    """The records that the tests of a format are about."""
    found: list[JsonValue] = getattr(import_module(f".test_{module}", __package__), "SAMPLES", [])
    return found


@pytest.mark.parametrize("module", [module for module in TESTED if module in MODULES])
def test_samples_are_recognised_by_their_reader_alone(module: str) -> None:
    samples = samples_of(module)
    assert samples
    for sample in samples:
        found = [name for name in BUILT_IN if built_in(name).recognises(sample)]
        assert found == [MODULES[module]], msgspec.json.encode(sample)[:300].decode()


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_reader_stumbles_over_what_is_no_record(name: str) -> None:
    kind = built_in(name)
    odd: list[JsonValue] = [
        None,
        True,
        1,
        1.5,
        "",
        "x",
        "{",
        [],
        [[]],
        [None],
        ["x"],
        [{}],
        {},
        {"": {}},
        {"messages": 1},
    ]
    assert [value for value in odd if kind.recognises(value)] == []
