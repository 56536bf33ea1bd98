"""A large log of another tool is divided where every line stands for itself, and read as a whole where one does not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.api.test_partials import merged, part, scored
from tests.files.test_opening import SUITE
from tests.traces.test_chunks import Record, anthropic, chat, log
from toolgauge.api.pieces import plan_pieces
from toolgauge.traces import ReadOptions, chunks, find_sources


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are divided that are not large, into chunks of some lines."""
    monkeypatch.setattr(chunks, "SMALLEST", 1)
    monkeypatch.setattr(chunks, "CHUNK", 4_000)


def asked(make: Callable[[random.Random, int], Record]) -> Callable[[random.Random, int], Record]:
    """Records about the questions of the suite, so that there is something to score."""

    def made(dice: random.Random, number: int) -> Record:
        text = json.dumps(make(dice, number))
        first = next(one for one in json.loads(text)["messages"] if one["role"] == "user")
        return json.loads(text.replace(json.dumps(first["content"]), json.dumps(f"Weather in {dice.choice('ab')}?")))  # type: ignore[no-any-return]  # a record again

    return made


def planned(path: Path, **options: Any) -> int:
    """Into how many pieces a file is divided."""
    sources, _ = find_sources(SUITE, str(path))
    return len(plan_pieces(sources, 2, ReadOptions(**options), whole=()))


@pytest.mark.parametrize("make", [chat, anthropic])
@pytest.mark.parametrize("unusual", [0.0, 0.005, 0.1])
def test_all_ways_to_divide_a_log_come_to_what_one_process_comes_to(
    tmp_path: Path, make: Callable[[random.Random, int], Record], unusual: float
) -> None:
    for seed in range(4):
        path = tmp_path / f"{seed}.jsonl"
        path.write_bytes(log(random.Random(seed), asked(make), unusual))
        whole = scored(str(path))
        for jobs in (2, 3):
            assert scored(str(path), jobs=jobs) == whole
        folder = tmp_path / f"parts-{seed}"
        assert scored(str(path), parts=folder, jobs=2) == whole
        written = sorted(folder.glob("*.part"))
        assert merged(written) == whole
        assert len(written) > 1 or unusual
        shards = [part(tmp_path / f"{number}.part", str(path), f"{number}/2") for number in (1, 2)]
        assert merged(shards) == whole


def test_a_log_is_divided_by_the_reader_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(log(random.Random(1), asked(chat), 0.0))
    assert planned(path, input_format="openai-chat") > 1
    assert planned(path, input_format="otel") == 1


def test_the_exchanges_of_one_conversation_stay_together(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    usual = log(random.Random(1), asked(chat), 0.0).rstrip().splitlines()
    opening = {"messages": [{"role": "user", "content": "Weather in a?"}]}
    call = {"id": "1", "type": "function", "function": {"name": "w", "arguments": '{"c": "a"}'}}
    asks = {"role": "assistant", "content": None, "tool_calls": [call]}
    later = {"messages": [*opening["messages"], asks, {"role": "tool", "tool_call_id": "1", "content": "31"}]}
    exchanges = [
        {**opening, "response": {"choices": [{"message": asks}]}},
        {**later, "response": {"choices": [{"message": {"role": "assistant", "content": "31"}}]}},
    ]
    usual[100:100] = [json.dumps(exchanges[0]).encode()]
    usual[250:250] = [json.dumps(exchanges[1]).encode()]
    path.write_bytes(b"\n".join(usual))
    assert planned(path) > 1
    whole = scored(str(path))
    assert scored(str(path), jobs=2) == whole
    assert scored(str(path), parts=tmp_path / "parts") == whole
    assert len(list((tmp_path / "parts").glob("*.part"))) == 1
