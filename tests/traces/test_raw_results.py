"""Results that are written again as they were written say the same, and whatever else they are is decoded."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge.core import Call, JsonValue, Trajectory
from toolgauge.traces import encode_trajectories, encode_trajectory, read_traces
from toolgauge.traces.context import ReadContext, ReadOptions
from toolgauge.traces.outcomes import SAYING, RawResults

LONG = "thời tiết " * 30
VERBATIM = RawResults()


def encoded(trajectories: Iterable[Trajectory]) -> bytes:
    return b"".join(batch.data for batch in encode_trajectories(trajectories))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
keys = st.sampled_from(sorted({*SAYING, "result", "data", "x"}))
said = st.sampled_from(["failed", "OK", "error", "none", 200, 404, True, False, ["closed"], {"message": "closed"}])
outcomes = st.dictionaries(keys, values | said, max_size=4)


@settings(deadline=None, max_examples=examples(300))
@given(outcomes | st.lists(values), st.sampled_from([None, 2]), st.booleans())
def test_the_same_is_read_of_what_is_written_as_it_was(value: JsonValue, indent: int | None, ascii_only: bool) -> None:
    holder = {**value, "long": LONG} if isinstance(value, dict) else [value, LONG]
    text = json.dumps(holder, indent=indent, ensure_ascii=ascii_only)
    expected = ReadContext().resolve_result(text)
    result, error = ReadContext(ReadOptions(verbatim=True)).resolve_result(text)
    line = msgspec.json.encode(result)
    assert b"\n" not in line
    assert (msgspec.json.decode(line), error) == expected


def test_a_long_result_is_not_decoded() -> None:
    text = json.dumps({"status": "ok", "success": True, "items": [LONG]}, indent=1)
    written = VERBATIM(text)
    assert isinstance(written, msgspec.Raw)
    assert msgspec.json.decode(written) == json.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"short": 1}',
        '{"large": 1e999, "long": "%s"}',
        '{"large": 1E+400, "long": "%s"}',
        f'{{"large": {"9" * 400}.0, "long": "%s"}}',
        '{"long": "%s"',
        '{"long": "%s\\ud800"}',
        '{"error": "no such city", "long": "%s"}',
        '{"isError": true, "long": "%s"}',
        '{"status": "FAILED", "long": "%s"}',
        '{"errors": ["closed"], "long": "%s"}',
        '{"type": "error", "long": "%s"}',
        '{"status_code": 503, "long": "%s"}',
        f'["%s", {"[" * 195}{"]" * 195}]',
        f'["%s", {"[{" * 98} "x": 1 {"}]" * 98}]',
        "%s",
    ],
)
def test_whatever_is_unusual_is_decoded(text: str) -> None:
    text = text.replace("%s", LONG)
    assert text[:1] not in "{[" or VERBATIM(text) is None
    assert ReadContext(ReadOptions(verbatim=True)).resolve_result(text) == ReadContext().resolve_result(text)


def test_what_the_recorder_calls_a_failure_keeps_its_reason() -> None:
    text = json.dumps({"message": "closed", "long": LONG})
    assert ReadContext(ReadOptions(verbatim=True)).resolve_result(text, True) == (json.loads(text), "closed")


def test_a_file_that_was_converted_as_it_was_written_reads_the_same(tmp_path: Path) -> None:
    lines = []
    for number, result in enumerate((json.dumps({"text": LONG}), LONG, "Error: closed", "{", "")):
        asked = {"id": "c", "function": {"name": "look", "arguments": "{}"}}
        answer = {"role": "tool", "tool_call_id": "c", "content": result}
        messages = [{"role": "user", "content": "Look."}, {"role": "assistant", "tool_calls": [asked]}, answer]
        lines.append(json.dumps({"id": str(number), "messages": messages}))
    log, converted = tmp_path / "log.jsonl", tmp_path / "converted.jsonl"
    log.write_text("\n".join(lines), "utf-8")
    converted.write_bytes(encoded(read_traces(log, ReadOptions(verbatim=True))))
    expected = list(read_traces(log))
    assert len(expected) == 5
    assert list(read_traces(converted)) == expected


@given(st.lists(st.integers(0, 3)))
def test_lines_of_many_trajectories_are_those_of_each(sizes: list[int]) -> None:
    trajectories = [
        Trajectory(f"k{size}", calls=(Call("look", result="x" * 30_000 * size),) if size else ()) for size in sizes
    ]
    assert encoded(trajectories) == b"".join(map(encode_trajectory, trajectories))
    assert sum(map(len, encode_trajectories(trajectories))) == len(trajectories)
