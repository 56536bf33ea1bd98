"""A sign of life for work that takes longer than a second, on a terminal only."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from toolgauge.catalogue.speaking import say
from toolgauge.core import OPINIONS, JsonValue, Score, Trajectory
from toolgauge.errors import INCOMPLETE
from toolgauge.report import duration, money

from . import INTERRUPTED, TERMINATED, complain
from .options import tell
from .streams import messages

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["ProgressLine", "RunBar"]

PATIENCE = 1.0
"""Seconds before anything is shown."""

STUCK = {"interrupted": INTERRUPTED, "the run was stopped": TERMINATED}
"""The exit code where code under test did not let go of the process, by why the run was to end."""

EVERY = 500
"""How many trajectories pass between two looks at the clock."""


def _number(value: JsonValue) -> Any:
    """A number of an event, which may hold anything."""
    return value if isinstance(value, (int, float)) else 0


class ProgressLine:
    """Counts trajectories that are done on standard error. Use it as a context manager."""

    def __init__(self, done: Literal["scored", "converted"] = "scored") -> None:
        self._done = done
        self._terminal = sys.stderr.isatty()
        self._started = time.monotonic()
        self._count = self._looked = 0
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")

    def advance(self, count: int) -> None:
        """So many more are done."""
        self._count += count
        if not self._terminal or self._count - self._looked < EVERY:
            return
        taken = time.monotonic() - self._started
        if taken > PATIENCE:
            self._looked = self._count
            sys.stderr.write(f"\r{say(self._words(f'{self._count / taken:,.0f}'))}")
            sys.stderr.flush()
            self._shown = True

    def _words(self, rate: str) -> str:
        if self._done == "converted":
            return f"{self._count:,} trajectories converted, {rate} a second"
        return f"{self._count:,} trajectories scored, {rate} a second"


class RunBar:
    """How many trials are done, how many of them passed, and what they cost."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._began = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._planned = 0
        self._done = 0
        self._passed = 0
        self._finished = 0
        self.retries = 0
        """How often a model was asked again."""
        self._cost: float | None = 0.0
        self._spent = 0.0
        self._tokens = 0
        self._waited = 0.0
        self._unknown = 0
        """Of how many trials it is not known what they cost."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def begin(self, planned: int, before: int) -> None:
        """So many trials are planned, of which so many were finished before."""
        self._planned, self._done = planned, before

    def finished(self, trajectory: Trajectory, score: Score) -> None:
        """A trial is finished and kept."""
        self._done += 1
        self._finished += 1
        self._passed += score.passed
        cost = None if trajectory.usage is None else trajectory.usage.cost_usd
        self._cost = None if cost is None or self._cost is None else self._cost + cost
        self._count(trajectory)
        self._show()

    def _count(self, trajectory: Trajectory) -> None:
        """Add up what a trial took, with the opinions on it."""
        usage = trajectory.usage
        if usage is not None:
            self._tokens += usage.tokens or 0
            self._spent += usage.cost_usd or 0.0
            self._waited += usage.waited_ms or 0.0
        self._unknown += usage is None or usage.cost_usd is None
        for event in trajectory.events:
            used = event.get("usage") if event.get("kind") in OPINIONS else None
            if isinstance(used, dict):
                self._tokens += _number(used.get("input_tokens")) + _number(used.get("output_tokens"))
                self._spent += _number(used.get("cost_usd"))

    def totals(self, max_cost: float | None = None) -> Iterator[str]:
        """What was done took, in a line; another one where a limit of the cost could not count everything.

        Of agents of which neither tokens nor cost are known, there is nothing to add up.
        """
        if max_cost is not None and self._unknown:
            cases = "1 case" if self._unknown == 1 else f"{self._unknown} cases"
            yield f"the cost of {cases} is not known, and did not count towards --max-cost"
        if not self._tokens and self._unknown == self._finished:
            return
        parts = [f"took {duration(time.monotonic() - self._began)}"]
        if self._tokens:
            parts.append(f"{self._tokens:,} tokens")
        known = self._finished - self._unknown
        if known and self._unknown:
            parts.append(f"{money(self._spent)} (unknown for {self._unknown} of {self._finished} cases)")
        elif known:
            parts.append(money(self._spent))
        elif self._tokens:
            parts.append("cost unknown (give prices with --prices)")
        if self._waited:
            parts.append(f"{duration(self._waited / 1000)} waiting to retry")
        yield ", ".join(map(say, parts))

    def retried(self) -> None:
        """A model is asked again."""
        self.retries += 1
        self._show()

    def stopping(self, words: str) -> None:
        """The run is about to stop."""
        self._close()
        tell(words)

    def stuck(self, why: str) -> None:
        """End the process. What was finished is kept, and the run can be resumed."""
        self._terminal = False
        complain(
            "an agent or a tool blocks everything and catches whatever would stop it, so that only the process could "
            "be ended; --resume continues the run, --isolate-agent and --isolate end only the agent or the tool"
        )
        os._exit(STUCK.get(why, INCOMPLETE))

    def _show(self) -> None:
        if not self._terminal or (self._bar is None and time.monotonic() - self._began < PATIENCE):
            return
        if self._bar is None:
            self._open()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._done, words=self._words())

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[words]}"), TimeRemainingColumn())
        self._bar = Progress(*columns, console=Console(file=messages()), transient=True)
        self._task = self._bar.add_task("", total=self._planned, completed=self._done, words=self._words())
        self._bar.start()

    def _words(self) -> str:
        parts = [say(f"{self._passed} of {self._finished} passed")]
        if self._cost:
            parts.append(f"${self._cost:.4f}")
        if self.retries:
            parts.append(say("1 retry" if self.retries == 1 else f"{self.retries} retries"))
        return ", ".join(parts)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            self._terminal = False
