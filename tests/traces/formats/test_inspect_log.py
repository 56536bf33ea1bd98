"""Logs of Inspect evaluations, as JSON documents and as archives."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.budgets import examples
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.errors import InputError, NothingToDo
from toolgauge.traces import ImportReport, ReadOptions, archives, read_traces

from .disturbance import convert as convert_records
from .disturbance import reads_any_record
from .spoiling import without_identity

EVALUATION: dict[str, JsonValue] = {
    "task": "weather",
    "model": "mockllm/model",
    "dataset": {"samples": 1},
    "config": {},
}


def called(key: str, tool: str, **arguments: JsonValue) -> dict[str, JsonValue]:
    return {"id": key, "function": tool, "arguments": arguments, "type": "function"}


def assistant(words: JsonValue, *calls: JsonValue) -> dict[str, JsonValue]:
    return {"role": "assistant", "content": words, "source": "generate", "tool_calls": list(calls)}


def answered(key: str, tool: str, content: JsonValue, **more: JsonValue) -> dict[str, JsonValue]:
    return {"role": "tool", "content": content, "tool_call_id": key, "function": tool, **more}


SAMPLE: dict[str, JsonValue] = {
    "id": "now_hanoi",
    "epoch": 2,
    "input": "How warm is it?",
    "target": "31",
    "messages": [
        {"role": "system", "content": "Answer briefly."},
        {"role": "user", "content": "Please answer: How warm is it?", "source": "input"},
        assistant("Let me see.", called("c1", "get_weather", city="Hanoi"), called("c2", "get_weather", city="Hue")),
        answered("c1", "get_weather", "attachment://0123"),
        answered("c2", "get_weather", "", error={"type": "timeout", "message": "took too long"}),
        assistant("It is 31."),
    ],
    "output": {
        "model": "mockllm/model",
        "choices": [{"message": {"role": "assistant", "content": "It is 31."}, "stop_reason": "stop"}],
        "completion": "It is 31.",
    },
    "scores": {"includes": {"value": "C", "answer": "31"}, "grade": {"value": 0.5}},
    "metadata": {"ticket": 7},
    "events": [
        {"event": "model", "timestamp": "2026-01-31T08:00:00.500+00:00"},
        {
            "event": "tool",
            "id": "c1",
            "function": "get_weather",
            "timestamp": "2026-01-31T08:00:01+00:00",
            "completed": "2026-01-31T08:00:01.250+00:00",
        },
        {"event": "model", "timestamp": "2026-01-31T08:00:02+00:00"},
    ],
    "model_usage": {
        "mockllm/model": {"input_tokens": 20, "output_tokens": 4, "input_tokens_cache_read": 5, "total_cost": 0.25}
    },
    "started_at": "2026-01-31T08:00:00+00:00",
    "total_time": 3.5,
    "attachments": {"0123": '{"celsius": 31}'},
    "error_retries": [],
}
LOG: dict[str, JsonValue] = {"version": 2, "status": "success", "eval": EVALUATION, "samples": [SAMPLE]}
EXPECTED = Trajectory(
    "now_hanoi",
    "mockllm/model",
    2,
    calls=(
        Call(
            "get_weather",
            {"city": "Hanoi"},
            "c1",
            1,
            result={"celsius": 31},
            started_ms=1000.0,
            duration_ms=250.0,
        ),
        Call("get_weather", {"city": "Hue"}, "c2", 1, error="took too long"),
    ),
    output="It is 31.",
    latency_ms=3500.0,
    usage=Usage(2, 25, 4, 0.25),
    input="How warm is it?",
    meta={"ticket": 7, "scores": {"includes": "C", "grade": 0.5}},
)

OLDER: dict[str, JsonValue] = {
    "version": 1,
    "status": "success",
    "eval": {"task": "t", "model": "m", "solver": "basic_agent", "tags": ["nightly"]},
    "samples": [
        {
            "id": 1,
            "epoch": 1,
            "input": [
                {"role": "system", "content": "x"},
                {"role": "user", "content": [{"type": "text", "text": "Why?"}]},
            ],
            "target": ["a"],
            "messages": [
                {"role": "user", "content": "Why?"},
                assistant([{"type": "text", "text": "hm"}], called("a", "search", q="why")),
                answered("a", "search", [{"type": "text", "text": "so"}], tool_error="broken"),
            ],
            "output": {"choices": [{"message": {"content": "hm", "tool_calls": [called("a", "search")]}}]},
            "score": {"value": 1},
            "transcript": {"events": [], "content": {}},
        }
    ],
}

SAMPLES: list[JsonValue] = [LOG, OLDER]


def convert(*records: JsonValue) -> tuple[list[Trajectory], list[str]]:
    """What becomes of records, and what is said to be lost."""
    found, report = convert_records(records)
    return found, list(report.lost)


def test_a_log_as_a_document_and_a_sample_by_itself() -> None:
    assert convert(LOG) == ([EXPECTED], [])
    assert convert(SAMPLE) == ([EXPECTED], [])


def test_an_older_log() -> None:
    (found,), lost = convert(OLDER)
    assert lost == []
    assert found == Trajectory(
        "1",
        "basic_agent (m)",
        1,
        calls=(Call("search", {"q": "why"}, "a", 1, result="so", error="broken"),),
        usage=Usage(1),
        input="Why?",
        meta={"scores": 1, "tags": ["nightly"]},
    )


@pytest.mark.parametrize(
    ("changes", "state", "error"),
    [
        ({"error": {"message": "ValueError('no')", "traceback": "…"}}, "error", "ValueError('no')"),
        ({"error": {"message": "CancelledError()"}}, "cancelled", "CancelledError()"),
        ({"limit": {"type": "message", "limit": 30}}, "limit", None),
        ({"limit": {"type": "working", "limit": 30}}, "timeout", None),
        ({"limit": {"type": "operator", "limit": 1}}, "cancelled", None),
        ({"output": {"choices": [{"stop_reason": "max_tokens"}]}}, "limit", None),
    ],
)
def test_how_a_sample_ended(changes: dict[str, JsonValue], state: str, error: str | None) -> None:
    (found,), _ = convert({**SAMPLE, **changes})
    assert (found.state, found.error) == (state, error)


def test_retries_limits_and_calls_that_the_provider_made() -> None:
    searched: JsonValue = {
        "type": "tool_use",
        "tool_type": "web_search",
        "id": "w",
        "name": "web_search",
        "arguments": '{"q": "x"}',
        "result": "found",
    }
    messages: list[JsonValue] = [
        {"role": "user", "content": "x"},
        assistant([searched, {"type": "text", "text": "Here."}]),
    ]
    sample: dict[str, JsonValue] = {**SAMPLE, "messages": messages, "output": {}, "events": [], "model_usage": {}}
    sample |= {"error_retries": [{"message": "rate limit"}], "limit": {"type": "token", "limit": 10}}
    (found,), lost = convert(sample)
    assert lost == []
    assert found.calls == (Call("web_search", {"q": "x"}, "w", 1, result="found"),)
    assert (found.output, found.state, found.usage) == ("Here.", "limit", Usage(1))
    assert found.events == ({"kind": "retry", "error": "rate limit"}, {"kind": "limit", "type": "token", "limit": 10})


def test_what_other_agents_did_is_taken_from_the_events() -> None:
    def span(key: str, above: str | None, kind: str, name: str) -> dict[str, JsonValue]:
        return {"event": "span_begin", "id": key, "parent_id": above, "type": kind, "name": name}

    def tool(key: str, place: str, name: str, **more: JsonValue) -> dict[str, JsonValue]:
        return {"event": "tool", "id": key, "span_id": place, "function": name, "arguments": {}, "result": "r", **more}

    messages: list[JsonValue] = [
        {"role": "user", "content": "x"},
        assistant("", called("t", "transfer_to_helper")),
        answered("t", "transfer_to_helper", "Successfully transferred to helper."),
        assistant("[helper] get_weather()"),
        assistant("", called("k", "asker")),
        answered("k", "asker", "because"),
        assistant("Done."),
    ]
    events: list[JsonValue] = [
        span("main", None, "agent", "react"),
        span("h", "main", "handoff", "helper"),
        span("ht", "h", "tool", "transfer_to_helper"),
        tool("t", "main", "transfer_to_helper", agent="helper"),
        span("ha", "ht", "agent", "helper"),
        tool("g", "ha", "get_weather"),
        tool("s", "ha", "submit"),
        span("kt", "main", "tool", "asker"),
        tool("k", "main", "asker"),
        span("ka", "kt", "agent", "asker"),
        tool("i", "ka", "look_up", error={"message": "gone"}),
    ]
    (found,), lost = convert({**SAMPLE, "messages": messages, "events": events, "output": {}})
    assert lost == []
    assert [(call.tool, call.turn, call.result) for call in found.calls] == [
        ("transfer_to_helper", 1, "Successfully transferred to helper."),
        ("get_weather", 2, "r"),
        ("asker", 3, "because"),
    ]
    assert found.output == "Done."
    assert found.events == (
        {"kind": "handoff", "agent": "helper"},
        {"kind": "inner_call", "agent": "asker", "tool": "look_up", "args": {}, "error": "gone"},
    )


def test_what_is_missing_is_told() -> None:
    messages: list[JsonValue] = [
        {"role": "user", "content": "x"},
        assistant("", {**called("a", "t"), "parse_error": "bad JSON"}, called("b", "u")),
        answered("a", "t", "attachment://nowhere", error={"type": "parsing", "message": "bad JSON"}),
        answered("z", "v", "of nothing"),
    ]
    (found,), lost = convert({**SAMPLE, "messages": messages, "output": None, "events": None})
    assert [(call.tool, call.error, call.result) for call in found.calls] == [
        ("t", "bad JSON", "attachment://nowhere"),
        ("u", None, None),
        ("v", None, "of nothing"),
    ]
    assert lost == [
        "the model wrote arguments that could not be parsed",
        "a text is kept in an attachment that is missing",
        "a tool result belongs to no recorded call; the call is added without arguments",
        "a call has no recorded result",
    ]
    assert convert({**LOG, "samples": None})[1] == ["a log contains no samples; they were not kept, or none was run"]
    assert convert({**LOG, "samples": [1]})[1] == ["a sample is left out because it is not an object"]


@given(st.randoms(use_true_random=False))
@settings(max_examples=examples(100), deadline=None)
def test_nothing_that_is_wrong_in_a_record_stops_the_reader(random: Random) -> None:
    assert reads_any_record([*SAMPLES, SAMPLE], "inspect", random)


def archive(path: Path, entries: dict[str, JsonValue | bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as target:
        for name, value in entries.items():
            target.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return path


ENTRIES: dict[str, JsonValue | bytes] = {
    "_journal/start.json": {"version": 2, "eval": EVALUATION, "plan": {}},
    "samples/now_hanoi_epoch_2.json": SAMPLE,
    "samples/other_epoch_1.json": {**SAMPLE, "id": "other", "epoch": 1},
    "summaries.json": [],
    "header.json": {k: v for k, v in LOG.items() if k != "samples"},
}
OTHER = replace(EXPECTED, case="other", trial=1)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_an_archive_is_read_sample_by_sample(tmp_path: Path, method: int) -> None:
    report = ImportReport()
    assert list(
        map(without_identity, read_traces(archive(tmp_path / "x.eval", ENTRIES, method), ReadOptions(report=report)))
    ) == [
        EXPECTED,
        OTHER,
    ]
    assert report.lines() == ["read 2 trajectories with 4 calls as Inspect logs"]


def test_an_archive_that_was_cut_off_gives_what_is_left(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.eval", ENTRIES)
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"samples/other")])
    report = ImportReport()
    assert list(map(without_identity, read_traces(path, ReadOptions(report=report)))) == [EXPECTED]
    assert list(report.lost) == ["the archive is cut off; the rest is read"]


@pytest.mark.parametrize(
    ("damage", "lost"),
    [
        (b"[]", "a sample is left out because it is not a JSON object"),
        (b"{", "a sample is left out because it is not a JSON object"),
        (b"\xff", "a sample is left out because it is not a JSON object"),
        (b" " * 3_000_000, "a sample is left out: it is larger than 2 MiB"),
    ],
)
def test_a_sample_that_cannot_be_read_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes, lost: str
) -> None:
    monkeypatch.setattr(archives, "LARGEST_SAMPLE", 2 * 1024 * 1024)
    report = ImportReport()
    path = archive(tmp_path / "x.eval", {**ENTRIES, "samples/other_epoch_1.json": damage})
    assert list(map(without_identity, read_traces(path, ReadOptions(report=report)))) == [EXPECTED]
    assert list(report.lost) == [lost]


def test_an_entry_that_lies_about_its_size_is_not_unpacked_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "LARGEST_SAMPLE", 1024 * 1024)
    path = archive(tmp_path / "x.eval", {"header.json": LOG, "samples/a_epoch_1.json": b" " * 50_000_000})
    data = bytearray(path.read_bytes())
    place = data.rindex(b"PK\x01\x02")
    data[place + 24 : place + 28] = struct.pack("<I", 10)
    path.write_bytes(data)
    report = ImportReport()
    with pytest.raises(NothingToDo):
        list(read_traces(path, ReadOptions(report=report)))
    assert list(report.lost) == ["a sample is left out: it is larger than 1 MiB"]


def test_samples_of_odd_shapes_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    odd: JsonValue = {**SAMPLE, "events": {"not": "a list"}, "model_usage": None}
    found = list(read_traces(archive(tmp_path / "x.eval", {"samples/x.json": odd})))
    assert [call.tool for call in found[0].calls] == ["get_weather", "get_weather"]


def test_samples_in_pieces_are_told(tmp_path: Path) -> None:
    report = ImportReport()
    pieces: dict[str, JsonValue | bytes] = {
        "samples/b_epoch_1/sample.json": {},
        "samples/b_epoch_1/messages/0.json": [],
    }
    assert len(list(read_traces(archive(tmp_path / "x.eval", {**ENTRIES, **pieces}), ReadOptions(report=report)))) == 2
    lost = [(what.partition(" because ")[0], count) for what, count in report.lost.items()]
    assert lost == [("a sample is left out", 1)]


@pytest.mark.parametrize("size", range(4, 400, 7))
def test_an_archive_cut_anywhere_never_crashes(tmp_path: Path, size: int) -> None:
    small: dict[str, JsonValue | bytes] = {
        "header.json": {},
        "samples/a_epoch_1.json": {"id": "a", "epoch": 1, "messages": []},
    }
    path = archive(tmp_path / "x.eval", small)
    with zipfile.ZipFile(path) as whole:
        directory = whole.start_dir  # behind the last entry, which is the sample
    path.write_bytes(path.read_bytes()[:size])
    try:
        found = [trajectory.case for trajectory in read_traces(path)]
    except (InputError, NothingToDo):  # anything else is a crash
        found = []
    assert found == (["a"] if size >= directory else [])


def test_archives_of_other_programs_are_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.zip", {"mimetype": b"x", "content": b"y"})
    with pytest.raises(InputError, match="this is an archive, but not an Inspect log; unpack it"):
        list(read_traces(path))


def test_an_archive_from_a_pipe_is_refused_with_a_word_of_advice(tmp_path: Path) -> None:
    data = archive(tmp_path / "x.eval", ENTRIES).read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "toolgauge", "convert", "-"], input=data, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr.decode().startswith("Error: standard input: an archive cannot be read from a pipe; save it")


def zstandard_archive(entries: dict[str, JsonValue | bytes]) -> bytes:
    """An archive as Inspect writes it, which the standard library of older Pythons cannot."""
    zstandard = import_module("zstandard")
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w") as target:
        for name, value in entries.items():
            target.writestr(name, zstandard.compress(json.dumps(value).encode()))
    data = bytearray(plain.getvalue())
    for mark, method in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        place = data.find(mark)
        while place >= 0:
            data[place + method : place + method + 2] = struct.pack("<H", 93)
            place = data.find(mark, place + 4)
    return bytes(data)


@pytest.mark.deep
def test_archives_with_zstandard_are_read_and_bombs_are_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.eval"
    path.write_bytes(zstandard_archive(ENTRIES))
    assert list(map(without_identity, read_traces(path))) == [EXPECTED, OTHER]
    monkeypatch.setattr(archives, "LARGEST_SAMPLE", 1024 * 1024)
    path.write_bytes(zstandard_archive({"header.json": LOG, "samples/a.json": ["x" * 50_000_000]}))
    report = ImportReport()
    with pytest.raises(NothingToDo):
        list(read_traces(path, ReadOptions(report=report)))
    assert list(report.lost) == ["a sample is left out: it is larger than 1 MiB"]


def test_what_to_install_is_told_where_zstandard_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(tmp_path / "x.eval", ENTRIES, zipfile.ZIP_STORED)
    data = path.read_bytes()
    path.write_bytes(data.replace(b"\x14\x00\x00\x00\x00\x00", b"\x14\x00\x00\x00\x5d\x00"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(InputError, match=r"a package is missing; pip install 'toolgauge\[inspect\]'"):
        list(read_traces(path))


EVALUATE = """
import sys

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import ToolError, tool


@tool
def get_weather():
    async def execute(city: str) -> str:
        '''The weather of a city.

        Args:
            city: Its name.
        '''
        if city == "Atlantis":
            raise ToolError("no such city")
        return "31 degrees, " + "and sunny, " * 30 + "all day"

    return execute


def outputs():
    name = "mockllm/model"
    found = [
        ModelOutput.for_tool_call(name, "get_weather", {"city": "Hanoi"}),
        ModelOutput.for_tool_call(name, "get_weather", {"city": "Atlantis"}),
        ModelOutput.from_content(name, "It is 31."),
    ]
    for output in found:
        output.usage = ModelUsage(input_tokens=10, output_tokens=2, total_tokens=12)
    return found


sample = Sample(id="now_hanoi", input="Weather in Hanoi?", target="31", metadata={"ticket": 7})
task = Task(name="weather", dataset=[sample], solver=[use_tools(get_weather()), generate()], scorer=includes())
for form in ("json", "eval"):
    model = get_model("mockllm/model", custom_outputs=outputs())
    evaluate(task, model=model, log_dir=form, log_format=form, display="none")
"""


@pytest.mark.deep
def test_real_logs_in_both_formats_are_read_as_one_written_by_hand(tmp_path: Path) -> None:
    (tmp_path / "evaluate.py").write_text(EVALUATE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "evaluate.py"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    for path in (*tmp_path.glob("json/*.json"), *tmp_path.glob("eval/*.eval")):
        report = ImportReport()
        (found,) = map(without_identity, read_traces(path, ReadOptions(report=report)))
        assert report.lines() == ["read 1 trajectory with 2 calls as Inspect logs"]
        times: list[dict[str, Any]] = []
        for call in found.calls:
            assert call.id is not None
            assert call.started_ms is not None
            assert call.duration_ms is not None
            times.append({"id": call.id, "started_ms": call.started_ms, "duration_ms": call.duration_ms})
        assert found.latency_ms is not None
        result = "31 degrees, " + "and sunny, " * 30 + "all day"
        assert found == Trajectory(
            "now_hanoi",
            "mockllm/model",
            1,
            calls=(
                Call("get_weather", {"city": "Hanoi"}, turn=1, result=result, **times[0]),
                Call("get_weather", {"city": "Atlantis"}, turn=2, error="no such city", **times[1]),
            ),
            output="It is 31.",
            latency_ms=found.latency_ms,
            usage=Usage(3, 30, 6),
            input="Weather in Hanoi?",
            meta={"ticket": 7, "scores": {"includes": "C"}},
        )
    assert len(list(tmp_path.glob("*/*_weather_*"))) == 2
