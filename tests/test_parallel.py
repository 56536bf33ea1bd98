"""Work that is shared out comes back in order, whoever did it and whatever became of them."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Iterator

import pytest

from toolgauge import parallel
from toolgauge.parallel import Done, Executor, LostWorker, Processes, ThisProcess, WorkResult, executor

forked = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


class Squares:
    """Squares numbers, repeats them as bytes, and adds them up."""

    def __init__(self) -> None:
        self.sum = 0

    def process(self, number: int) -> WorkResult[int]:
        time.sleep(random.Random(number).random() / 500)
        if number == -1:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == -2:
            raise ValueError(number)
        self.sum += number
        return WorkResult(number * number, b"%d " % number * number)

    def finish(self) -> tuple[int, int]:
        return os.getpid(), self.sum


def kept(done: Done[int, int]) -> Done[int, int]:
    """With a copy of the bytes, which are good until the next result only."""
    if done.result is None:
        return done
    return Done(done.chunk, WorkResult(done.result.answer, bytes(done.result.data)))


@pytest.mark.parametrize("shared_out", [ThisProcess(), Processes(2), Processes(5)], ids=["here", "two", "five"])
def test_results_come_in_the_order_of_the_chunks(shared_out: Executor) -> None:
    chunks = list(range(200))
    with shared_out.open(Squares()) as session:
        found = [kept(done) for done in session.results(iter(chunks))]
        rests = session.finish()
    assert [done.chunk for done in found] == chunks
    assert [done.result for done in found] == [WorkResult(number**2, b"%d " % number * number) for number in chunks]
    assert sum(rest for _, rest in rests) == sum(chunks)
    assert len({pid for pid, _ in rests}) == len(rests)


def test_one_job_is_done_here_and_several_elsewhere() -> None:
    pids = []
    for jobs in (1, 2):
        with executor(jobs).open(Squares()) as session:
            list(session.results([1, 2, 3]))
            pids.append({pid for pid, _ in session.finish()})
    assert pids[0] == {os.getpid()}
    assert os.getpid() not in pids[1]
    assert len(pids[1]) == 2


def test_results_too_large_for_shared_memory_come_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "MAX_SHARED", 64)
    with Processes(2).open(Squares()) as session:
        found = [kept(done).result for done in session.results(range(60))]
    assert found == [WorkResult(number**2, b"%d " % number * number) for number in range(60)]


@forked
@pytest.mark.parametrize("fatal", [-1, -2], ids=["killed", "raising"])
def test_a_lost_worker_loses_only_what_it_was_given(fatal: int) -> None:
    chunks = [*range(20), fatal, *range(20, 60)]
    with Processes(3).open(Squares()) as session:
        found = [kept(done) for done in session.results(chunks)]
        with pytest.raises(LostWorker):
            session.finish()
    assert [done.chunk for done in found] == chunks
    lost = [done.chunk for done in found if done.result is None]
    assert fatal in lost
    assert len(lost) <= parallel.PER_WORKER
    assert all(
        done.result == WorkResult(done.chunk**2, b"%d " % done.chunk * done.chunk) for done in found if done.result
    )


@forked
def test_without_any_worker_left_every_chunk_comes_back_undone() -> None:
    chunks = [-1, -1, -1, -1, *range(30)]
    with Processes(2).open(Squares()) as session:
        found = list(session.results(chunks))
    assert [done.chunk for done in found] == chunks
    assert all(done.result is None for done in found[-20:])


@forked
def test_work_that_is_given_up_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    original = parallel._WorkerProcess.__init__

    def start(self: parallel._WorkerProcess, *arguments: object) -> None:
        original(self, *arguments)  # type: ignore[arg-type]  # as they came
        started.append(self.process.pid or 0)

    monkeypatch.setattr(parallel._WorkerProcess, "__init__", start)
    with Processes(2).open(Squares()) as session:
        assert next(session.results(range(10**6))).chunk == 0
    assert len(started) == 2
    for pid in started:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_chunks_are_asked_for_when_they_can_be_given_out() -> None:
    asked = 0

    def chunks() -> Iterator[int]:
        nonlocal asked
        for number in range(1000):
            asked += 1
            yield number

    with Processes(2).open(Squares()) as session:
        results = session.results(chunks())
        next(results)
        assert asked <= 2 * parallel.AHEAD
        results.close()  # type: ignore[attr-defined]  # a generator
