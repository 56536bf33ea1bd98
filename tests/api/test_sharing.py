"""Several processes come to what one comes to, whatever happens to them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from tests.builders import expected
from tests.test_pipeline import SUITE
from toolgauge import api
from toolgauge.api import sharing
from toolgauge.api.sharing import ScoreChunks, divide
from toolgauge.core import Call, Case, Expect, Scored, Suite, Summary, Trajectory
from toolgauge.errors import InputError, OutputError, UsageError
from toolgauge.store import Spool
from toolgauge.traces import ImportReport, Source

forked = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


def trajectories(count: int) -> list[Trajectory]:
    """Trajectories of two agents on two cases, each with a trial of its own."""
    dice = Random(9)
    found = []
    for number in range(count):
        calls = tuple(Call(dice.choice("ab"), {"x": dice.randint(0, 1)}) for _ in range(dice.randint(0, 3)))
        case_id, agent = f"c{number % 2 + 1}", "pq"[number // 2 % 2]
        took = dice.choice([None, dice.uniform(1, 5000)])
        found.append(Trajectory(case_id, agent, number // 4 + 1, calls=calls, latency_ms=took))
    return found


def written(path: Path, several: list[Trajectory], size: int = 1200) -> Path:
    lines = [msgspec.json.encode(msgspec.structs.replace(one, output="x" * size)) for one in several]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A file that is worth three processes."""
    path = written(tmp_path / "traces.jsonl", trajectories(3000))
    assert path.stat().st_size > 3 * sharing.MIN_PER_WORKER
    return path


Outcome = tuple[object, Summary, list[Scored], list[str]]


def scored(traces: Path, jobs: int, suite: Suite = SUITE, keep: api.Keep = "all") -> Outcome:
    report = ImportReport()
    with Spool() as spool:
        run = api.score(suite, traces, sink=spool, jobs=jobs, keep=keep, report=report)
        return msgspec.structs.replace(run.header, created=""), run.summary, list(spool), report.lines()


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Records whether what was shared could be used."""
    found: list[bool] = []
    original = sharing._score

    def score(*arguments: Any) -> bool:
        found.append(False)
        found[-1] = original(*arguments)
        return found[-1]

    monkeypatch.setattr(sharing, "_score", score)
    return found


@pytest.mark.parametrize("keep", ["all", "failed", "none"])
def test_it_does_not_matter_how_many_there_are(large: Path, shared: list[bool], keep: api.Keep) -> None:
    alone = scored(large, 1, keep=keep)
    assert [scored(large, jobs, keep=keep) for jobs in (2, 3)] == [alone, alone]
    assert shared == [True, True]
    pieces = divide([Source(large)], 3)
    assert pieces is not None
    chunks = [piece.chunk for piece in pieces if piece.chunk is not None]
    assert [chunk.begin for chunk in chunks[1:]] == [chunk.end for chunk in chunks[:-1]]
    assert (chunks[0].begin, chunks[-1].end) == (0, large.stat().st_size)
    assert len(pieces) > 5


def test_agents_come_in_the_order_of_the_lines(tmp_path: Path, shared: list[bool]) -> None:
    """Each agent appears in another piece for the first time; some have nothing of any case."""
    several = []
    for number in range(3000):
        agent = f"agent {number // 300}"
        several.append(Trajectory("c1" if number % 300 else "nothing", agent, number % 300 + 1, calls=(Call("b", {}),)))
        if number % 500 == 499:
            several.append(Trajectory("nothing", f"lost {number}", 1, calls=(Call("b", {}),)))
    path = written(tmp_path / "traces.jsonl", several)
    alone = scored(path, 1)
    for _ in range(3):
        assert scored(path, 3) == alone
    assert shared == [True] * 3
    assert "belong to no case" in " ".join(alone[3])
    header = alone[0]
    assert isinstance(header, msgspec.Struct)
    assert list(header.agents)[:10] == [f"agent {number}" for number in range(10)]  # type: ignore[attr-defined]


def test_lines_that_depend_on_each_other_are_scored_by_one(tmp_path: Path, shared: list[bool]) -> None:
    dice = Random(3)
    same = [Trajectory(dice.choice(["c1", "c2"]), "p", dice.randint(1, 40), calls=()) for _ in range(3000)]
    path = written(tmp_path / "traces.jsonl", same)
    alone = scored(path, 1)
    assert scored(path, 2) == alone
    assert "got the next free number" in " ".join(alone[3])
    assert shared == [False]
    twins = Suite("s", tuple(Case(name, "the same?", expect=Expect((expected("b"),))) for name in ("c1", "c2")))
    asked = [Trajectory("", "p", number // 4, calls=(), input="the same?") for number in range(4, 3004)]
    path = written(tmp_path / "asked.jsonl", asked)
    assert scored(path, 2, twins) == scored(path, 1, twins)
    assert shared == [False, False]


def spoilt(path: Path, size: int, change: Callable[[int, bytes], bytes]) -> Path:
    """A file in which lines are changed, by their number."""
    lines = written(path, trajectories(4000), size).read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(change(number, line) for number, line in enumerate(lines, 1)))
    return path


@pytest.mark.parametrize(
    ("size", "change", "noted"),
    [
        (800, lambda _, line: line.replace(b'{"case"', b'{"colour":"red","case"'), 1),
        (1200, lambda number, line: line.replace(b'{"case"', b'{"csae":1,"case"') if number == 901 else line, 1),
        (900, lambda number, line: line.replace(b'{"case"', b'{"key %d":1,"case"' % number), 100),
    ],
    ids=["in every line", "in one of the first thousand", "another in each"],
)
def test_unknown_keys_are_told_as_one_process_tells_them(
    tmp_path: Path, shared: list[bool], size: int, change: Callable[[int, bytes], bytes], noted: int
) -> None:
    path = spoilt(tmp_path / "traces.jsonl", size, change)
    alone = scored(path, 1)
    assert len(alone[3]) == noted
    assert [scored(path, jobs) for jobs in (2, 3)] == [alone, alone]
    assert shared == [True, True]


def test_a_record_of_another_tool_among_the_first_is_seen(tmp_path: Path, shared: list[bool]) -> None:
    foreign = (
        b'{"case":"c2","agent":"p","trial":1000,"output":"x","messages":'
        b'[{"role":"user","content":"question"},{"role":"assistant","content":"hello"}]}\n'
    )
    path = spoilt(tmp_path / "traces.jsonl", 800, lambda number, line: foreign if number == 31 else line)
    alone = scored(path, 1)
    assert "OpenAI" in " ".join(alone[3])
    assert scored(path, 2) == alone
    assert shared == []


@forked
@pytest.mark.parametrize("when", ["at first", "in the middle", "in the end"])
def test_a_process_that_is_ended_from_outside_changes_nothing(
    large: Path, shared: list[bool], monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    alone = scored(large, 1)

    def ending(original: Callable[..., object], after: int) -> Callable[..., object]:
        times = 0

        def step(*arguments: object) -> object:
            nonlocal times
            times += 1
            if times > after:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(*arguments)

        return step

    name, after = {"at first": ("process", 0), "in the middle": ("process", 1), "in the end": ("finish", 0)}[when]
    monkeypatch.setattr(ScoreChunks, name, ending(getattr(ScoreChunks, name), after))
    assert scored(large, 2) == alone
    assert shared == [False]


@forked
def test_what_cannot_be_started_is_done_without(
    large: Path, shared: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> int:
        raise BlockingIOError("no more processes")

    alone = scored(large, 1)
    with monkeypatch.context() as changed:
        changed.setattr(os, "fork", refuse)
        assert scored(large, 3) == alone
        _is_refused_for_several_agents(large.parent, 3)
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)  # type: ignore[attr-defined]
    assert scored(large, 3) == alone
    assert shared == [True, False, True]


@forked
def test_no_process_is_left_when_work_is_given_up(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(multiprocessing.active_children())
    started: list[int | None] = []

    def interrupted(self: Spool, _: bytes) -> None:
        started.extend(child.pid for child in set(multiprocessing.active_children()) - before)
        raise KeyboardInterrupt

    monkeypatch.setattr(Spool, "append_lines", interrupted)
    with pytest.raises(KeyboardInterrupt):
        scored(large, 2)
    assert len(started) == 2
    for pid in started:
        with pytest.raises(ProcessLookupError):
            os.kill(pid or 0, 0)


def test_progress_that_has_to_be_made_again_is_taken_back(tmp_path: Path, shared: list[bool]) -> None:
    same = [Trajectory("c1", "p", 1, calls=()) for _ in range(3000)]
    path = written(tmp_path / "traces.jsonl", same)
    steps: list[int] = []
    with Spool() as spool:
        api.score(SUITE, path, sink=spool, jobs=2, advance=steps.append)
    assert shared == [False]
    assert min(steps) < 0
    assert sum(steps) == 3000


@pytest.fixture(autouse=True)
def limited() -> Iterator[None]:
    """Whoever waits for what never comes is told after a minute, and again while it cleans up."""

    def end(*_: object) -> None:
        pytest.fail("this takes too long")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, 60, 5)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


SLOW = """
import os, sys, time
from tests.test_pipeline import SUITE
from toolgauge import api
from toolgauge.api.sharing import ScoreChunks
from toolgauge.parallel import WorkResult
from toolgauge.store import Spool
original = ScoreChunks.process
def process(self, chunk):
    os.write(1, b"%d\\n" % os.getpid())
    if sys.argv[2] == "score":
        time.sleep(0.2)
        return original(self, chunk)
    return WorkResult(b"x" * 10**7)
ScoreChunks.process = process
if sys.argv[2] == "send":
    Spool.append_lines = lambda *_: time.sleep(60)
with Spool() as spool:
    api.score(SUITE, sys.argv[1], sink=spool, jobs=2)
"""


@forked
@pytest.mark.parametrize("doing", ["score", "send"])
def test_workers_go_when_the_first_process_is_killed(large: Path, doing: str) -> None:
    command = [sys.executable, "-c", SLOW, str(large), doing]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        workers: set[int] = set()
        while len(workers) < 2:
            workers.add(int(first.stdout.readline()))
        time.sleep(0.2)
        first.kill()
        # Who has the pipe open still runs; it ends once nobody has.
        first.stdout.read()
        assert first.wait() == -signal.SIGKILL
    deadline = time.monotonic() + 20
    while any(map(_runs, workers)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    """Whether a process is there that has not ended; nobody may have asked how it did."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_is_wrong_is_told_as_one_process_tells_it(large: Path, shared: list[bool]) -> None:
    lines = large.read_bytes().splitlines(keepends=True)
    lines[2500] = b'{"case": "c1", "calls": [}\n'
    large.write_bytes(b"".join(lines))
    told = []
    for jobs in (1, 2):
        with pytest.raises(InputError) as caught:
            scored(large, jobs)
        told.append(str(caught.value))
    assert told[0] == told[1]
    assert ":2501:" in told[0]
    assert len(shared) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_finds_no_room_is_reported(large: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    with Path("/dev/full").open("r+b", buffering=0) as full:
        monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: full)
        with pytest.raises(OutputError, match="No space left"):
            scored(large, jobs)


def test_what_is_small_or_not_ours_is_not_divided(tmp_path: Path, large: Path) -> None:
    assert divide([Source(tmp_path / "none")], 2) is None
    assert divide([Source(written(tmp_path / "small", trajectories(100)))], 2) is None
    assert divide([Source(large)], 40) is None
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_bytes(b'{"messages": [{"role": "user", "content": "x"}]}\n' * 60_000)
    assert divide([Source(foreign)], 2) is None
    run = tmp_path / "run.jsonl"
    run.write_bytes(b'{"schema":"toolgauge.run/1"}\n' + large.read_bytes())
    assert divide([Source(run)], 2) is None
    assert divide([Source("-")], 2) is None
    assert divide([Source(tmp_path)], 2) is None


def _is_refused_for_several_agents(folder: Path, jobs: int) -> str:
    """The first half of the lines is of one agent, the second of another; no piece holds both."""
    several = [
        Trajectory(f"c{number % 3}", "p" if number < 1500 else "q", number // 3 + 1, calls=()) for number in range(3000)
    ]
    path = written(folder / "two.jsonl", several)
    with pytest.raises(UsageError, match="several agents, 'p' and 'q'") as caught, Spool() as spool:
        api.score(SUITE, {"given": path}, sink=spool, jobs=jobs)
    return str(caught.value)


def test_a_name_for_several_agents_is_refused_by_all(tmp_path: Path, shared: list[bool]) -> None:
    assert _is_refused_for_several_agents(tmp_path, 1) == _is_refused_for_several_agents(tmp_path, 2)
    assert shared == [False]
