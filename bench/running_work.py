"""One way of running 2,000 cases with a model that takes 50 ms a turn and needs two, in a process of its own.

`python bench/running_work.py WAY COUNT CONCURRENCY SECONDS` prints the seconds that went by, those that the processor
worked, and the largest memory in bytes. What is loaded once is loaded before, by a small run. Peers are imported from
whatever environment this is run in, so nothing of toolgauge is imported before it is needed.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["WAYS"]

QUESTION = "What is the weather in Hanoi?"
BEGAN = [0.0, 0.0]
"""When the measured part began, in seconds of the clock and of the processor."""

WARM = 20
"""Cases of the small run."""


def bare(count: int, concurrency: int, seconds: float, _: Path) -> None:
    """Workers that sleep twice a case: what the waiting alone takes."""

    async def work(cases: Any) -> None:
        for _ in cases:
            await asyncio.sleep(seconds)
            await asyncio.sleep(seconds)

    async def program() -> None:
        cases = iter(range(count))
        await asyncio.gather(*(work(cases) for _ in range(concurrency)))

    asyncio.run(program())


def stored(count: int, concurrency: int, seconds: float, folder: Path) -> None:
    """A run of toolgauge, every trajectory stored and scored."""
    _toolgauge(count, concurrency, _model(seconds), folder / f"{count}.db")


def in_memory(count: int, concurrency: int, seconds: float, _: Path) -> None:
    """A run of toolgauge that is not stored."""
    _toolgauge(count, concurrency, _model(seconds), False)


def resumed(count: int, concurrency: int, _: float, folder: Path) -> None:
    """Going on with a run of which all cases but one are there, until that one is asked about."""
    import toolgauge
    from toolgauge.store.sqlite import SqliteStore

    store = folder / "resumed.db"
    if not store.exists():
        _toolgauge(count, concurrency, _model(0), store)
        with SqliteStore(store) as opened:
            opened._connection.execute("DELETE FROM trajectories WHERE key = (SELECT MAX(key) FROM trajectories)")
    began = time.perf_counter()
    asked: list[float] = []

    def note(_: Any) -> str:
        asked.append(time.perf_counter() - began)
        return "It is 31."

    from toolgauge.testing import ScriptedModel

    toolgauge.run(_suite(count), "tools", model=ScriptedModel(note, name="m"), store=store, resume="latest")
    print(f"resume {asked[0]}", file=sys.stderr)


def through_http(count: int, concurrency: int, seconds: float, folder: Path) -> None:
    """A run of toolgauge through the OpenAI client, with a bare server in a process of its own."""
    from bench.transport import serving
    from toolgauge.models import open_model

    with serving(seconds) as port:
        model = open_model("openai:m", base_url=f"http://127.0.0.1:{port}/v1", api_key="none")
        _toolgauge(count, concurrency, model, folder / f"http-{count}.db")


def _toolgauge(count: int, concurrency: int, model: Any, store: Path | bool) -> None:
    import toolgauge

    place: Any = store
    run = toolgauge.run(_suite(count), "tools", model=model, concurrency=concurrency, store=place, watcher=Beginning())
    assert run.summary.counts.passed == count, run.summary.counts


class Beginning:
    """Notes when the first case begins; checking the suite comes before."""

    def begin(self, *_: object) -> None:
        BEGAN[:] = [time.perf_counter(), time.process_time()]

    def finished(self, *_: object) -> None: ...

    def retried(self) -> None: ...

    def stopping(self, _: str) -> None: ...


def _suite(count: int) -> Any:
    from toolgauge.core import CannedResult, Case, Expect, ExpectedCall, Suite, ToolDefinition

    parameters: Any = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tool = ToolDefinition("get_weather", "The weather.", parameters, (CannedResult(result={"celsius": 31}),))
    expect = Expect(calls=(ExpectedCall("get_weather", {"city": "Hanoi"}),), contains=("31",))
    return Suite("weather", tuple(Case(f"c{number}", QUESTION, expect=expect) for number in range(count)), (tool,))


def _model(seconds: float) -> Any:
    from toolgauge.core import ModelReply, ModelRequest, ToolRequest, Usage

    called = ModelReply(calls=(ToolRequest("get_weather", {"city": "Hanoi"}, "c1"),), usage=Usage(1, 100, 10))
    said = ModelReply("It is 31.", usage=Usage(1, 120, 5))

    class Waiting:
        name = "m"

        async def ask(self, request: ModelRequest) -> ModelReply:
            if seconds:
                await asyncio.sleep(seconds)
            return said if request.messages[-1].role == "tool" else called

    return Waiting()


def pydantic_evals(count: int, concurrency: int, seconds: float, _: Path) -> None:
    """pydantic-evals, with one evaluator that looks for the figure; nothing is stored."""
    from pydantic_evals import Case, Dataset  # type: ignore[import-not-found]  # in the environment of the peer
    from pydantic_evals.evaluators import Contains  # type: ignore[import-not-found]

    async def task(_: str) -> str:
        await asyncio.sleep(seconds)
        await asyncio.sleep(seconds)
        return "It is 31."

    cases = [Case(name=f"c{number}", inputs=QUESTION) for number in range(count)]
    dataset = Dataset(name="weather", cases=cases, evaluators=[Contains("31")])
    report = asyncio.run(dataset.evaluate(task, max_concurrency=concurrency, progress=False))
    assert len(report.cases) == count


def inspect_ai(count: int, concurrency: int, seconds: float, folder: Path) -> None:
    """inspect-ai, with a solver that waits twice, its own log, and a scorer that looks for the figure."""
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import includes
    from inspect_ai.solver import Generate, TaskState, solver

    @solver  # type: ignore[untyped-decorator]  # in the environment of the peer
    def waits() -> Any:
        async def solve(state: TaskState, _: Generate) -> TaskState:
            await asyncio.sleep(seconds)
            await asyncio.sleep(seconds)
            state.output.completion = "It is 31."
            return state

        return solve

    samples = [Sample(id=f"c{number}", input=QUESTION, target="31") for number in range(count)]
    task = Task(dataset=samples, solver=waits(), scorer=includes())
    log = evaluate(
        task, model="mockllm/model", max_samples=concurrency, log_dir=str(folder), display="none", log_level="error"
    )[0]
    assert log.status == "success"


WAYS: dict[str, Callable[[int, int, float, Path], None]] = {
    "bare asyncio": bare,
    "toolgauge, stored": stored,
    "toolgauge, in memory": in_memory,
    "toolgauge, resumed": resumed,
    "toolgauge, through HTTP": through_http,
    "pydantic-evals": pydantic_evals,
    "inspect-ai": inspect_ai,
}


def main() -> None:
    way, count, concurrency, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    with tempfile.TemporaryDirectory(prefix="toolgauge-bench-") as name:
        folder = Path(name)
        os.chdir(folder)
        perform = WAYS[way]
        if perform is not resumed:
            perform(WARM, concurrency, seconds, folder)
        BEGAN[:] = [time.perf_counter(), time.process_time()]
        perform(count, concurrency, seconds, folder)
        taken = [time.perf_counter() - BEGAN[0], time.process_time() - BEGAN[1]]
    print(json.dumps([*taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024]))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    main()
