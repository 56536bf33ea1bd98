"""Shares out work: chunks over workers, which are processes of this machine, or this process itself.

A `Work` says what is done to one chunk, and what a worker has to say in the end. An executor gives the chunks out and
gives back what became of them, in the order of the chunks. A worker shares nothing with others but the memory in which
it puts its bytes, so that one that is killed, or is no longer wanted, is simply ended.
"""

from __future__ import annotations

import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from toolgauge.core import gc_paused

if TYPE_CHECKING:
    from mmap import mmap
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

__all__ = ["Done", "Executor", "LostWorker", "Processes", "Session", "ThisProcess", "Work", "WorkResult", "executor"]

Chunk = TypeVar("Chunk")
Answer = TypeVar("Answer")
Rest = TypeVar("Rest")
Chunk_contra = TypeVar("Chunk_contra", contravariant=True)
Rest_co = TypeVar("Rest_co", covariant=True)

PER_WORKER = 2
"""So many chunks a worker has at once: the next one is there when it is done with the first."""

AHEAD = 4
"""For each worker so many chunks are given out before what became of the first of them is taken."""

MAX_SHARED = 4 * 1024 * 1024
"""Bytes of one result that go through shared memory, where they are copied once; through a pipe it is four times."""

THREADED = ("obstore", "pyarrow")
"""Libraries with threads of their own, which a fork does not have, and would wait for without end."""

HELD = (signal.SIGINT, signal.SIGTERM)


class WorkResult(NamedTuple, Generic[Answer]):
    """What became of a chunk."""

    answer: Answer
    """What the work says of it; it is pickled."""
    data: bytes | memoryview = b""
    """Many bytes that came of it, which stay what they are until the next result is asked for."""


class Work(Protocol[Chunk_contra, Answer, Rest_co]):
    """What is done to chunks. Each worker gets a copy of it before the first chunk."""

    def process(self, chunk: Chunk_contra, /) -> WorkResult[Answer]:
        """Do one chunk. Whatever it raises makes the worker a lost one."""

    def finish(self) -> Rest_co:
        """What this worker has to say when there are no more chunks."""


class LostWorker(Exception):  # noqa: N818 - an answer that never came
    """A worker ended before it had answered."""


class Done(NamedTuple, Generic[Chunk, Answer]):
    """A chunk, and what became of it."""

    chunk: Chunk
    result: WorkResult[Answer] | None
    """None: the worker was lost."""


class Session(Protocol[Chunk, Answer, Rest]):
    """Workers that are ready for chunks."""

    def results(self, chunks: Iterable[Chunk], /) -> Iterator[Done[Chunk, Answer]]:
        """What becomes of the chunks, in their order."""

    def finish(self) -> list[Rest]:
        """What each worker has to say in the end.

        Raises:
            LostWorker: One of them says nothing any more.
        """


class Executor(Protocol):
    """Whoever has work done."""

    def open(self, work: Work[Chunk, Answer, Rest], /) -> AbstractContextManager[Session[Chunk, Answer, Rest]]:
        """Make workers ready; when the block is left they are ended, whatever they are doing."""


def executor(jobs: int) -> Executor:
    """The executor for so many workers."""
    return Processes(jobs) if jobs > 1 else ThisProcess()


class ThisProcess:
    """Has work done here, one chunk after the other."""

    def open(self, work: Work[Chunk, Answer, Rest]) -> AbstractContextManager[Session[Chunk, Answer, Rest]]:
        """There is nothing to make ready."""
        return nullcontext(_Here(work))


class _Here(Generic[Chunk, Answer, Rest]):
    """This process as the only worker."""

    def __init__(self, work: Work[Chunk, Answer, Rest]) -> None:
        self._work = work

    def results(self, chunks: Iterable[Chunk]) -> Iterator[Done[Chunk, Answer]]:
        for chunk in chunks:
            yield Done(chunk, self._work.process(chunk))

    def finish(self) -> list[Rest]:
        return [self._work.finish()]


class Processes:
    """Has work done by processes of this machine; by this one where no other can be started."""

    def __init__(self, jobs: int) -> None:
        """With so many of them."""
        self._jobs = jobs

    @contextmanager
    def open(self, work: Work[Chunk, Answer, Rest]) -> Iterator[Session[Chunk, Answer, Rest]]:
        """Start the processes, as many as can be had."""
        from mmap import mmap
        from multiprocessing import get_context
        from pickle import PickleError

        forks = sys.platform == "linux" and not any(name in sys.modules for name in THREADED)
        context: BaseContext = get_context("fork" if forks else "spawn")
        # Pages that nobody writes to take no room.
        memory = mmap(-1, self._jobs * AHEAD * MAX_SHARED) if forks else None
        workers: list[_WorkerProcess] = []
        try:
            # A process that is a worker itself may start none.
            with suppress(OSError, PickleError, AttributeError, TypeError, AssertionError):
                for _ in range(self._jobs):
                    workers.append(_WorkerProcess(context, work, memory, workers if forks else ()))
            yield _Pool(workers, memory) if workers else _Here(work)
        finally:
            for worker in workers:
                worker.end()
            if memory is not None:
                memory.close()


class _Task(Generic[Chunk, Answer]):
    """A chunk that was given out."""

    __slots__ = ("answered", "chunk", "result", "slot")

    def __init__(self, chunk: Chunk, slot: int) -> None:
        self.chunk = chunk
        self.slot = slot
        self.answered = False
        self.result: tuple[Answer, bytes | int] | None = None
        """The answer, and the bytes that came with it or how many of them are in the memory that is shared."""


class _Pool(Generic[Chunk, Answer, Rest]):
    """Processes that wait for chunks."""

    def __init__(self, workers: Sequence[_WorkerProcess], memory: mmap | None) -> None:
        self._workers = list(workers)
        self._memory = memory
        self._slots = list(range(len(workers) * AHEAD))
        self._lost = False

    def results(self, chunks: Iterable[Chunk]) -> Iterator[Done[Chunk, Answer]]:
        waiting: deque[_Task[Chunk, Answer]] = deque()
        left = iter(chunks)
        while True:
            while self._slots and (worker := self._next_worker()) is not None:
                try:
                    chunk = next(left)
                except StopIteration:
                    break
                waiting.append(_Task(chunk, self._slots.pop()))
                self._give(worker, waiting[-1])
            if not waiting and not self._workers:
                yield from (Done(chunk, None) for chunk in left)
            if not waiting:
                return
            while not waiting[0].answered:
                self._receive()
            task = waiting.popleft()
            with self._taken(task) as result:
                yield Done(task.chunk, result)
            self._slots.append(task.slot)

    def finish(self) -> list[Rest]:
        if self._lost:
            raise LostWorker
        try:
            for worker in self._workers:
                worker.connection.send(None)
            return [worker.connection.recv() for worker in self._workers]
        except (EOFError, OSError) as error:
            raise LostWorker from error

    def _next_worker(self) -> _WorkerProcess | None:
        """The one with the least to do, unless all have enough."""
        least = min(self._workers, key=lambda worker: len(worker.tasks), default=None)
        return None if least is None or len(least.tasks) >= PER_WORKER else least

    def _give(self, worker: _WorkerProcess, task: _Task[Chunk, Answer]) -> None:
        worker.tasks.append(task)
        try:
            worker.connection.send((task.chunk, task.slot))
        except OSError:
            self._lose(worker)

    def _receive(self) -> None:
        """Take the answers that are there; wait for one where there is none."""
        from multiprocessing.connection import wait

        by_connection = {worker.connection: worker for worker in self._workers}
        for connection in wait(list(by_connection)):
            worker = by_connection[connection]  # type: ignore[index]  # one of those that were given
            try:
                result = worker.connection.recv()
            except (EOFError, OSError):
                self._lose(worker)
            else:
                task = worker.tasks.popleft()
                task.result, task.answered = result, True

    def _lose(self, worker: _WorkerProcess) -> None:
        """Expect nothing of a worker any more."""
        self._lost = True
        self._workers.remove(worker)
        for task in worker.tasks:
            task.answered = True

    @contextmanager
    def _taken(self, task: _Task[Chunk, Answer]) -> Iterator[WorkResult[Answer] | None]:
        """What became of it; bytes in the memory that is shared are not copied, and are given back in the end."""
        if task.result is None:
            yield None
            return
        answer, data = task.result
        if not isinstance(data, int) or self._memory is None:
            yield WorkResult(answer, b"" if isinstance(data, int) else data)
            return
        begin = task.slot * MAX_SHARED
        with memoryview(self._memory) as memory, memory[begin : begin + data] as shared:
            yield WorkResult(answer, shared)


class _WorkerProcess:
    """Another process, and the pipe to it."""

    def __init__(
        self,
        context: BaseContext,
        work: Work[Any, Any, Any],
        memory: mmap | None,
        others: Sequence[_WorkerProcess],
    ) -> None:
        self.connection, theirs = context.Pipe()
        self.tasks: deque[_Task[Any, Any]] = deque()
        """What it was given and has not answered, in that order."""
        # A fork has all pipes open. Those that it keeps would never end for those who read them.
        inherited = [self.connection, *(other.connection for other in others)] if memory is not None else []
        with theirs, _signals_held():
            self.process: BaseProcess = context.Process(  # type: ignore[attr-defined]  # each kind of context has it
                target=_serve, args=(work, theirs, memory, inherited), daemon=True
            )
            self.process.start()

    def end(self) -> None:
        """End it, whatever it does: it has nothing that anybody would miss."""
        self.connection.close()
        self.process.terminate()
        self.process.join()


@contextmanager
def _signals_held() -> Iterator[None]:
    """Let signals wait that a process which begins here would not know how to handle."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(work: Work[Any, Any, Any], connection: Any, memory: mmap | None, inherited: Iterable[Any]) -> None:
    """Do chunks until there are none left, or nobody is there to give any."""
    # An interrupt goes to all processes; the first one says so, and ends the others quietly.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD)
    for other in inherited:
        other.close()
    with suppress(EOFError, OSError), gc_paused():
        while (given := connection.recv()) is not None:
            chunk, slot = given
            try:
                answer, data = work.process(chunk)
            except Exception:  # noqa: BLE001 - whoever does the chunk again finds the same, and says what it is
                return
            if memory is not None and len(data) <= MAX_SHARED:
                memory[slot * MAX_SHARED : slot * MAX_SHARED + len(data)] = data
                connection.send((answer, len(data)))
            else:
                connection.send((answer, data))
        connection.send(work.finish())
