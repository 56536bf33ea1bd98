"""Results and exceptions without a text, with keys that look alike, or no numbers: named, and nothing is lost."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.tools import samples
from toolgauge.core import ToolResult
from toolgauge.tools import Box, from_function, from_function_in_process


def called(function: Any, *, apart: bool = False) -> ToolResult:
    """What comes of a call of a function, here or in a process of its own."""

    async def call() -> ToolResult:
        box = Box([(from_function_in_process if apart else from_function)(function)])
        done = await box.call(function.__name__, {})
        await box.close()
        return done.result

    return asyncio.run(call())


@pytest.mark.parametrize("apart", [False, True], ids=["here", "isolated"])
@pytest.mark.parametrize(
    ("function", "words"),
    [
        (samples.unprintable, "the result of 'unprintable', of type Unprintable, cannot be read"),
        (samples.unprintable_within, "the result of 'unprintable_within', of type list, cannot be read"),
        (samples.breaks_when_dumped, "of type Dumps, cannot be read: RuntimeError: not now"),
        (samples.exits_when_printed, "cannot be read: Exits cannot be converted to text"),
        (samples.raises_unprintable, "UnprintableError (RuntimeError while converting it to text)"),
        (samples.raises_half_a_character, "HalfError: half \\ud800"),
        (samples.ends_everything, "Ends: now"),
        (samples.cancels_itself, "CancelledError"),
    ],
)
def test_what_has_no_text_is_a_failed_call_that_names_tool_and_type(function: Any, words: str, apart: bool) -> None:
    result = called(function, apart=apart)
    assert words in (result.error or ""), result
    assert result.value is None


@pytest.mark.parametrize("apart", [False, True], ids=["here", "isolated"])
def test_no_key_of_a_result_is_lost_and_no_number_becomes_nothing(apart: bool) -> None:
    keys = called(samples.same_keys, apart=apart).value
    assert keys == {"1 (int)": "a", "1": "b", "None": 1, "in": {"2 (int)": [], "2": {}}}
    assert called(samples.no_numbers, apart=apart).value == {"x": "nan", "y": ["inf", None, "-inf"]}
