"""The one way in which trajectories become figures: scored, kept where they are to be kept, and added up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol, get_args

from msgspec.structs import replace

from toolgauge.core import (
    UNSCORED,
    Answer,
    Case,
    CaseScorer,
    Issue,
    JsonValue,
    Note,
    RunHeader,
    Score,
    Scored,
    State,
    Suite,
    Summary,
    Trajectory,
    described,
    traced,
)
from toolgauge.errors import UsageError
from toolgauge.matchers import SuiteFault
from toolgauge.metrics import PartialTotals, Tally, check_scorer_names, metrics_with
from toolgauge.scoring import Scorer, add_outcomes, open_scorer

__all__ = [
    "Keep",
    "MemorySink",
    "ResultSink",
    "RunSink",
    "ScoringOptions",
    "ScoringPipeline",
    "open_scorers",
    "scorer_versions",
]

Keep = Literal["all", "issues", "failed", "none"]
"""Which trajectories a run holds when it is scored: `issues` are those that failed or passed with issues. Its summary
rests on all of them."""


class ResultSink(Protocol):
    """Where scored trajectories go: a list, a file, a store."""

    def extend(self, several: Iterable[Scored], /) -> None:
        """Keep some more."""


class RunSink(ResultSink, Protocol):
    """A sink that a run is made of: what it holds can be read again, and may end up in a file behind a header."""

    def reserve_header(self, header: RunHeader, /) -> None:
        """Leave room for a header like this one, before anything is appended."""

    def __iter__(self) -> Iterator[Scored]: ...


class MemorySink(list[Scored]):
    """Holds scored trajectories in memory."""

    def reserve_header(self, header: RunHeader, /) -> None:
        """A list has no header."""


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How the trajectories of a run are scored, added up and kept."""

    suite: Suite
    """The suite that they are of."""
    by: str | None = None
    """The label to break figures down by."""
    keep: Keep = "all"
    """Which of them are kept."""
    grounding: bool = False
    """Whether to look for arguments that came from nowhere, too."""
    scorers: tuple[CaseScorer, ...] = ()
    """Scorers of one's own that are asked, too."""
    scored_by: tuple[str, ...] = ()
    """The names of scorers that were asked when the trajectories were scored, where that was before."""

    @property
    def scorer_names(self) -> tuple[str, ...]:
        """The names of all scorers whose outcomes are added up."""
        return tuple(dict.fromkeys((*self.scored_by, *(scorer.name for scorer in self.scorers))))


def open_scorers(given: Iterable[object], *, allow_code: bool = False) -> tuple[CaseScorer, ...]:
    """Scorers that are named or given, each with a name of its own.

    Args:
        given: Names of installed ones, `module:object`, or objects; see `open_scorer`.
        allow_code: Whether `module:object` may be imported.

    Raises:
        UsageError: One is not there or no scorer, or its name is taken.
        PluginError: One cannot be imported or made.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        given = (given,)
    opened = tuple(open_scorer(one, allow_code=allow_code) for one in given)
    check_scorer_names(scorer.name for scorer in opened)
    return opened


def scorer_versions(scorers: Sequence[CaseScorer]) -> dict[str, JsonValue]:
    """What the header of a run says of its scorers; nothing where there are none."""
    return {"scorers": {scorer.name: scorer.version for scorer in scorers}} if scorers else {}


class ScoringPipeline:
    """Scores the trajectories of one run, keeps them, and adds them up."""

    def __init__(self, options: ScoringOptions, sink: ResultSink, *, agents: Iterable[str] = ()) -> None:
        """Make ready.

        Args:
            options: How they are scored.
            sink: Where they are kept.
            agents: Agents that are known to be on every case; they come in this order, whoever is finished first.
        """
        self.tally = Tally(options.suite, by=options.by, metrics=metrics_with(options.scorer_names))
        self.tally.expect(agents)
        self.agents: dict[str, None] = {}
        """The agents, in the order in which they appeared."""
        self.kept = 0
        """How many trajectories were kept."""
        self._options = options
        self._sink = sink

    @cached_property
    def _scorer(self) -> Scorer:
        return Scorer(self._options.suite, grounding=self._options.grounding)

    @cached_property
    def _cases(self) -> dict[str, Case]:
        return {case.id: case for case in self._options.suite.cases}

    def process(self, trajectories: list[Trajectory]) -> list[Score]:
        """Score some trajectories, keep and count them. What cannot be kept is not counted.

        All of them go through one step before the next begins: what a step needs stays in the cache of the processor,
        which saves a fifth of the time. In the list, one that cannot be scored is replaced by an error of its case.
        """
        for place, trajectory in enumerate(trajectories):
            if trajectory.state == "error" and trajectory.events:
                trajectories[place] = _as_it_was(trajectory)
        try:
            scores = self._scorer.score_all(trajectories)
        except UsageError:  # what no case can be scored without, such as an extra that is not installed
            raise
        except Exception:  # noqa: BLE001 - found again for the one that it is about
            scores = [self._score_alone(trajectories, place) for place in range(len(trajectories))]
        if self._options.scorers:
            scores = add_outcomes(self._options.scorers, self._cases, trajectories, scores)
        self._keep(trajectories, scores)
        self.tally.add_all(trajectories, scores)
        self.agents.update(dict.fromkeys([trajectory.agent for trajectory in trajectories]))
        return scores

    def _score_alone(self, trajectories: list[Trajectory], place: int) -> Score:
        """Score one trajectory; where that cannot be done, it is an error of its case, and holds up no other."""
        trajectory = trajectories[place]
        try:
            return self._scorer.score(trajectory)
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever one trajectory or one rule sets off
            trajectories[place] = failed = _unscored(trajectory, error)
            answer = None if self._cases[failed.case].expect.answer is None else Answer(reason=failed.error or "")
            issue = Issue("agent_error", want=UNSCORED, got=failed.error, failing=True)
            return Score(failed.case, failed.agent, failed.trial, failed.state, answer=answer, issues=(issue,))

    def add(self, scored: Iterable[Scored]) -> None:
        """Count trajectories that were scored and kept before."""
        self.tally.add_scored(scored)

    def merge(self, totals: PartialTotals, kept: int) -> None:
        """Count what another process has scored and kept; put the agents in order afterwards.

        Args:
            totals: What it has added up, by the same label.
            kept: How many trajectories it kept.
        """
        self.tally.merge(totals)
        self.kept += kept

    def put_in_order(self, agents: Iterable[str]) -> None:
        """Put all agents in the order in which they appear here."""
        self.agents = dict.fromkeys(agents)
        self.tally.put_in_order(self.agents)

    def redirect(self, sink: ResultSink) -> None:
        """From now on, keep trajectories here."""
        self._sink = sink

    def summary(self, notes: Sequence[Note] = ()) -> Summary:
        """The figures of everything that was counted."""
        return self.tally.summary(notes)

    def _keep(self, trajectories: list[Trajectory], scores: list[Score]) -> None:
        keep = self._options.keep
        if keep == "none":
            return
        kept = map(Scored, trajectories, scores)
        if keep == "all":
            self._sink.extend(kept)
            self.kept += len(scores)
            return
        found = [one for one in kept if not one.score.passed or (keep == "issues" and one.score.issues)]
        self._sink.extend(found)
        self.kept += len(found)


def _unscored(trajectory: Trajectory, error: Exception) -> Trajectory:
    """A trajectory that cannot be scored, as an error of its case, with the state that it had for scoring it again."""
    event: dict[str, JsonValue] = {"kind": UNSCORED, "state": trajectory.state, "error": trajectory.error}
    if isinstance(error, SuiteFault):
        words = str(error)
        error = error.__cause__ if isinstance(error.__cause__, Exception) else error
    else:
        words = f"what the agent did could not be scored: {described(error)}"
    event["trace"] = traced(error)
    return replace(trajectory, state="error", error=words, events=(*trajectory.events, event))


def _as_it_was(trajectory: Trajectory) -> Trajectory:
    """A trajectory as it was before it could not be scored: the suite may have been corrected since."""
    event = trajectory.events[-1]
    state, error = event.get("state"), event.get("error")
    if event.get("kind") != UNSCORED or state not in get_args(State) or not (error is None or isinstance(error, str)):
        return trajectory
    return replace(trajectory, state=state, error=error, events=trajectory.events[:-1])
