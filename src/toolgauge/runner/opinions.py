"""Which models are asked about a trial when its agent is done, and what the trajectory keeps of what they say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from toolgauge.core import JUDGE, OPINIONS, POINTER, Case, JsonValue, Suite, Trajectory
from toolgauge.errors import ModelError, OutputError

from .judging import opinion
from .models import RunModels
from .options import RunOptions
from .pointing import pointer
from .trial import Trial

__all__ = ["Opinions", "Request", "asked_about", "cancelled", "judges", "points", "without_opinions"]

Event: TypeAlias = dict[str, JsonValue]


class Request(NamedTuple):
    """Somebody who is to be asked."""

    kind: str
    ask: Callable[[], Coroutine[Any, Any, Event]]


class Opinions:
    """Knows whose opinions a run wants."""

    def __init__(self, models: RunModels, options: RunOptions) -> None:
        self._models = models
        self._options = options

    def check(self, suite: Suite) -> None:
        """Open all models before anything is run.

        Raises:
            UsageError: Nobody is there to be asked.
        """
        for case in suite.cases:
            if judges(case, self._options):
                self._models.judge(case.judge)
            if points(case, self._options):
                self._models.pointer()

    def concern(self, case: Case) -> bool:
        """Whether somebody is to be asked about a case."""
        return points(case, self._options) or judges(case, self._options)

    def wanted(self, case: Case, done: Trajectory) -> list[Request]:
        """Who is asked about a trial that has come to its end."""
        if done.state != "completed":
            return []
        found = []
        output = done.output or ""
        if points(case, self._options) and output.strip():
            points_to = self._models.pointer()
            found.append(Request(POINTER, lambda: pointer(points_to, case, output)))
        if judges(case, self._options):
            judge = self._models.judge(case.judge)
            found.append(Request(JUDGE, lambda: opinion(judge, case, done.output)))
        return found


def judges(case: Case, options: RunOptions) -> bool:
    """Whether a model is asked what it thinks of the answer."""
    return case.judge is not None and not options.no_judge


def points(case: Case, options: RunOptions) -> bool:
    """Whether a model is asked for the passage that is the answer: the run says so, or the case."""
    if case.expect.answer is None:
        return False
    return options.answer_model is not None or ("find" in case.expect.answer and not options.no_judge)


def without_opinions(done: Trajectory) -> Trajectory:
    """The trajectory without what only the run may say: what a judge thinks of the answer, and where a model sees it.

    It is not looked at yet whether the events that an agent returned are any.
    """
    own = tuple(event for event in done.events if not _is_opinion(event))
    return done if len(own) == len(done.events) else replace(done, events=own)


def _is_opinion(event: object) -> bool:
    return isinstance(event, dict) and dict.get(event, "kind") in OPINIONS


async def asked_about(wanted: list[Request], trial: Trial, done: Trajectory) -> Trajectory:
    """The trajectory with what was said about it, behind the retries that it took.

    A request that cannot be made leaves word on the trial.
    """
    for kind, ask in wanted:
        event: Event
        before = len(trial.events)
        try:
            event = await ask()
        except (ModelError, OutputError) as error:
            if trial.ending is None:
                trial.broken = error
                return done
        except asyncio.CancelledError:
            event = {"kind": kind, "error": "it was cancelled"}
        except Exception as error:  # noqa: BLE001 - whatever a model raises is that there is no opinion
            event = {"kind": kind, "error": f"{type(error).__name__}: {error}"}
        if trial.ending is not None:
            return cancelled(done, trial)
        retries = [one for one in trial.events[before:] if one.get("kind") == "retry"]
        done = replace(done, events=(*done.events, *retries, event))
    return done


def cancelled(trajectory: Trajectory, trial: Trial) -> Trajectory:
    """A trajectory that was complete and is not, because nobody waited for what models say of it."""
    return replace(trajectory, state="cancelled", error=trial.reason)
