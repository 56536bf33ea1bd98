"""A log that several processes read gives what one process gives, byte for byte, with the same report."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from toolgauge import parallel
from toolgauge.api.converting import convert_to_write
from toolgauge.errors import InputError
from toolgauge.files import Chunk
from toolgauge.parallel import Done
from toolgauge.traces import EncodedBatch, ImportReport, chunks

Record = dict[str, Any]


def chat(dice: random.Random, number: int) -> Record:
    """A conversation in OpenAI's layout."""
    messages: list[Record] = [{"role": "user", "content": f"Thời tiết {number}?"}]
    for call in range(dice.randint(0, 2)):
        key = f"call_{number}_{call}"
        asked = {"name": "get_weather", "arguments": json.dumps({"city": dice.choice(["Huế", "Hà Nội"])})}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [{"id": key, "type": "function", "function": asked}]},
            {"role": "tool", "tool_call_id": key, "content": json.dumps({"note": "nắng " * dice.randint(1, 80)})},
        ]
    return {"id": f"c{number}", "messages": [*messages, {"role": "assistant", "content": "Nắng."}]}


def anthropic(dice: random.Random, number: int) -> Record:
    """The same in Anthropic's."""
    use = {"type": "tool_use", "id": f"t{number}", "name": "get_weather", "input": {"city": "Huế"}}
    result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "nắng " * dice.randint(1, 30)}
    turns = [("user", "Thời tiết?"), ("assistant", [use]), ("user", [result]), ("assistant", "Nắng.")]
    return {"id": f"c{number}", "messages": [{"role": role, "content": content} for role, content in turns]}


def unnamed(dice: random.Random, number: int) -> Record:
    """A conversation without a question and without an id."""
    return {"messages": [message for message in chat(dice, number)["messages"] if message["role"] != "user"]}


def unanswered(dice: random.Random, number: int) -> Record:
    """A conversation that may go on."""
    return {"messages": [*chat(dice, number)["messages"][:-1], {"role": "user", "content": "And?"}]}


def without_result(dice: random.Random, number: int) -> Record:
    """A conversation in which a result is lost."""
    record = chat(dice, number)
    return {**record, "messages": [message for message in record["messages"] if message["role"] != "tool"]}


UNUSUAL: list[Callable[[random.Random, int], object]] = [
    unnamed,
    unanswered,
    without_result,
    anthropic,
    lambda dice, number: {"role": "user", "content": "Alone?"},
    lambda dice, number: "broken",
    lambda dice, number: {"case": "native", "calls": []},
    lambda dice, number: None,
]


def log(dice: random.Random, usual: Callable[[random.Random, int], Record], unusual: float) -> bytes:
    """Some hundred records, of which a share is out of the ordinary."""
    lines = []
    for number in range(300):
        make: Callable[[random.Random, int], object] = usual
        if dice.random() < unusual:
            make = dice.choice(UNUSUAL)
        record = make(dice, number)
        line = "" if record is None else json.dumps(record, ensure_ascii=dice.random() < 0.5)
        lines.append(line[:-9] if record == "broken" else line)
    end = dice.choice(["\n", "\n", "\r\n"])
    return (end.join(lines) + dice.choice(["", end])).encode()


def converted(path: Path, jobs: int) -> tuple[bytes, list[str], int]:
    """What is written, what is said, and how much was read."""
    report = ImportReport()
    batches: list[EncodedBatch] = list(convert_to_write(path, jobs, None, report))
    assert sum(map(len, batches)) == report.read
    return b"".join(batch.data for batch in batches), list(report.lines()), report.read


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are shared that are not large, in parts of some lines."""
    monkeypatch.setattr(chunks, "SMALLEST", 1)
    monkeypatch.setattr(chunks, "CHUNK", 4_000)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> list[Chunk]:
    """The chunks that other processes have read."""
    taken: list[Chunk] = []
    results = parallel._Pool.results

    def watched(*given: Any) -> Iterator[Done[Chunk, Any]]:
        for done in results(*given):
            taken.extend([done.chunk] if done.result is not None and done.result.answer is not None else [])
            yield done

    monkeypatch.setattr(parallel._Pool, "results", watched)
    return taken


@pytest.mark.parametrize("usual", [chat, anthropic])
@pytest.mark.parametrize(("seed", "unusual"), [(1, 0.0), (2, 0.002), (3, 0.005), (4, 0.01), (5, 0.02), (6, 0.1)])
def test_several_processes_give_what_one_gives(
    tmp_path: Path, usual: Callable[[random.Random, int], Record], seed: int, unusual: float, shared: list[Chunk]
) -> None:
    for again in range(4):
        path = tmp_path / f"{again}.jsonl"
        path.write_bytes(log(random.Random(seed * 100 + again), usual, unusual))
        shared.clear()
        alone = converted(path, 1)
        assert not shared
        assert converted(path, 2) == alone
        assert shared or unusual


def test_a_line_that_is_too_long_is_refused_as_by_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(7)
    good = [json.dumps(chat(dice, number)) for number in range(50)]
    path = tmp_path / "long.jsonl"
    path.write_text("\n".join([*good, json.dumps({"messages": "x" * (33 * 1024 * 1024)}), *good]), encoding="utf-8")
    for jobs in (1, 2):
        with pytest.raises(InputError, match="this line is longer than 32 MiB") as caught:
            converted(path, jobs)
        assert caught.value.problems[0].line == 51


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are found under /proc")
def test_an_interrupt_ends_all_processes(tmp_path: Path) -> None:
    dice = random.Random(8)
    path = tmp_path / "log.jsonl"
    once = "".join(json.dumps(chat(dice, number)) + "\n" for number in range(20_000))
    with path.open("w", encoding="utf-8") as stream:
        while stream.tell() < 150_000_000:
            stream.write(once)
    command = [sys.executable, "-m", "toolgauge", "convert", str(path), "-o", str(tmp_path / "out"), "--jobs", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 60
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while len(found := children.read_text().split()) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert not (tmp_path / "out").exists()
    assert [child for child in found if Path(f"/proc/{child}/cmdline").exists()] == []
