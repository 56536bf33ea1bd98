"""Several processes come to what one comes to, whatever happens to them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest

from tests.builders import expected
from tests.test_intake import SUITE
from toolgauge import api
from toolgauge.core import Call, Case, Expect, Scored, Suite, Summary, Trajectory
from toolgauge.errors import InputError, UsageError
from toolgauge.shares import divide, dividing, processes, worker
from toolgauge.store import Spool
from toolgauge.traces import ImportReport

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
    assert path.stat().st_size > 3 * dividing.SMALLEST
    return path


Outcome = tuple[object, Summary, list[Scored], list[str]]


def scored(traces: Path, jobs: int, suite: Suite = SUITE, keep: api.Keep = "all") -> Outcome:
    report = ImportReport()
    with Spool() as spool:
        run = api.score(suite, traces, keeper=spool, jobs=jobs, keep=keep, report=report)
        return msgspec.structs.replace(run.header, created=""), run.summary, list(spool), report.lines()


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Takes down whether what was shared could be used."""
    found: list[bool] = []
    original = processes._share

    def share(task: processes.Task, others: int) -> worker.Shared | None:
        found.append(False)
        whole = original(task, others)
        found[-1] = whole is not None
        return whole

    monkeypatch.setattr(processes, "_share", share)
    return found


@pytest.mark.parametrize("keep", ["all", "failed", "none"])
def test_it_does_not_matter_how_many_there_are(large: Path, shared: list[bool], keep: api.Keep) -> None:
    alone = scored(large, 1, keep=keep)
    assert [scored(large, jobs, keep=keep) for jobs in (2, 3)] == [alone, alone]
    assert shared == [True, True]
    pieces = divide(str(large), None, "x", 3)
    assert pieces is not None
    assert [piece.begin for piece in pieces[1:]] == [piece.end for piece in pieces[:-1]]
    assert (pieces[0].begin, pieces[-1].end) == (0, large.stat().st_size)
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


def test_unknown_keys_are_told_however_many_there_are(tmp_path: Path, shared: list[bool]) -> None:
    path = written(tmp_path / "traces.jsonl", trajectories(3000))
    path.write_bytes(path.read_bytes().replace(b'{"case"', b'{"colour":"red","case"'))
    for jobs in (1, 2, 3):
        notes = scored(path, jobs)[3]
        assert len(notes) == 1
        assert notes[0].startswith("colour: not a key of a trajectory, ignored in ")
    assert shared == [True, True]


@forked
@pytest.mark.parametrize("when", ["at first", "in the middle", "in the end"])
def test_a_process_that_is_ended_from_outside_changes_nothing(
    large: Path, shared: list[bool], monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    alone = scored(large, 1)
    first = os.getpid()

    def ending(original: Callable[..., object], after: int) -> Callable[..., object]:
        times = 0

        def step(*arguments: object) -> object:
            nonlocal times
            times += 1
            if os.getpid() != first and times > after:
                os.kill(os.getpid(), signal.SIGKILL)
            if os.getpid() == first:
                time.sleep(0.01)  # so that the others get something to do
            return original(*arguments)

        return step

    name, after = {"at first": ("run", 0), "in the middle": ("_score", 1), "in the end": ("findings", 0)}[when]
    monkeypatch.setattr(worker.Worker, name, ending(getattr(worker.Worker, name), after))
    assert scored(large, 2) == alone
    assert shared == [False]


@forked
def test_what_cannot_be_started_is_done_without(
    large: Path, shared: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> int:
        raise BlockingIOError("no more processes")

    alone = scored(large, 1)
    monkeypatch.setattr(os, "fork", refuse)
    assert scored(large, 3) == alone
    assert shared == [True]


@forked
def test_no_process_is_left_when_work_is_given_up(large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = os.getpid()
    original = worker.Worker._score
    left = tmp_path / "left"

    def interrupted(self: worker.Worker, number: int) -> worker.Done:
        if os.getpid() == first:
            raise KeyboardInterrupt
        time.sleep(0.05)
        left.write_text(str(os.getpid()), encoding="utf-8")
        return original(self, number)

    monkeypatch.setattr(worker.Worker, "_score", interrupted)
    with pytest.raises(KeyboardInterrupt):
        scored(large, 2)
    if left.exists():
        with pytest.raises(ProcessLookupError):
            os.kill(int(left.read_text("utf-8")), 0)


SLOW = """
import os, sys, time
from tests.test_intake import SUITE
from toolgauge import api
from toolgauge.shares.worker import Worker
from toolgauge.store import Spool
original = Worker._score
def score(self, number):
    print(os.getpid(), flush=True)
    time.sleep(0.2)
    return original(self, number)
Worker._score = score
with Spool() as spool:
    api.score(SUITE, sys.argv[1], keeper=spool, jobs=2)
"""


@forked
def test_helpers_go_when_the_first_process_is_killed(large: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", SLOW, str(large)], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        helper = next(pid for pid in map(int, first.stdout) if pid != first.pid)
        first.kill()
        # Who has the pipe open still runs; it ends once nobody has.
        first.stdout.read()
        assert first.wait() == -signal.SIGKILL
    deadline = time.monotonic() + 20
    while _runs(helper):
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
def test_what_finds_no_room_is_scored_by_one(large: Path, shared: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_place", lambda *_: ("/dev/full", 0))
    assert scored(large, 2) == scored(large, 1)
    assert shared == [False]


def test_what_is_small_or_not_ours_is_not_divided(tmp_path: Path, large: Path) -> None:
    assert divide(str(tmp_path / "none"), None, "x", 2) is None
    assert divide(str(written(tmp_path / "small", trajectories(100))), None, "x", 2) is None
    assert divide(str(large), None, "x", 40) is None
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_bytes(b'{"messages": [{"role": "user", "content": "x"}]}\n' * 60_000)
    assert divide(str(foreign), None, "x", 2) is None
    run = tmp_path / "run.jsonl"
    run.write_bytes(b'{"schema":"toolgauge.run/1"}\n' + large.read_bytes())
    assert divide(str(run), None, "x", 2) is None


def test_a_name_for_several_agents_is_refused_by_all(tmp_path: Path, shared: list[bool]) -> None:
    """The first half of the lines is of one agent, the second of another; no piece holds both."""
    several = [
        Trajectory(f"c{number % 3}", "p" if number < 1500 else "q", number // 3 + 1, calls=()) for number in range(3000)
    ]
    path = written(tmp_path / "traces.jsonl", several)
    told = []
    for jobs in (1, 2):
        with pytest.raises(UsageError, match="several agents, 'p' and 'q'") as caught, Spool() as spool:
            api.score(SUITE, {"given": path}, keeper=spool, jobs=jobs)
        told.append(str(caught.value))
    assert told[0] == told[1]
    assert shared == [False]
