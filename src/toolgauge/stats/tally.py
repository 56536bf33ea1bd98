"""Adding up scores, one at a time, into the summary that every report is drawn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from msgspec.structs import replace

from toolgauge.core import (
    Case,
    Confusion,
    Counts,
    Estimate,
    Note,
    Row,
    Score,
    Scored,
    Suite,
    SuiteFacts,
    Summary,
    ToolRow,
    Trajectory,
    nfc,
)
from toolgauge.errors import NothingToDo, did_you_mean

from .estimate import estimate
from .metrics import METRICS, Sums
from .spread import Spread
from .totals import ADDER, SPREADS, AgentTotals, Totals

__all__ = ["Tally", "chosen_agents", "chosen_label", "default_label", "summarise"]

STATES = ("planned", "passed", "failed", "error", "timeout", "limit", "cancelled", "not_run")


def default_label(suite: Suite) -> str | None:
    """The label that a report breaks figures down by when none is named: `difficulty`, where some case has it."""
    return "difficulty" if any("difficulty" in case.labels for case in suite.cases) else None


def chosen_label(suite: Suite, by: str | None) -> str | None:
    """The label that somebody names, or else the default one.

    Raises:
        NothingToDo: No case has it.
    """
    if by is None:
        return default_label(suite)
    by = nfc(by)
    known = list(dict.fromkeys(key for case in suite.cases for key in case.labels))
    if by not in known:
        hint = did_you_mean(by, known) or "its cases have no labels"
        raise NothingToDo(f"no case of suite {suite.name!r} has the label {by!r}; {hint}")
    return by


def chosen_agents(summary: Summary, wanted: Collection[str]) -> tuple[str, ...]:
    """The agents that are looked at: those that are named, or else all.

    Raises:
        NothingToDo: There are no trajectories, or not of these agents.
    """
    known = tuple(dict.fromkeys(row.agent for row in summary.rows))
    if not known:
        raise NothingToDo("there are no trajectories in this run")
    for name in wanted:
        if name not in known:
            hint = did_you_mean(name, known)
            raise NothingToDo(f"this run has no agent {name!r}" + (f"; {hint}" if hint else ""))
    return tuple(name for name in known if not wanted or name in wanted)


def summarise(suite: Suite, scored: Iterable[Scored], *, by: str | None = None, notes: Sequence[Note] = ()) -> Summary:
    """Summarise scored trajectories: per agent, per value of the label `by`, and per agent overall."""
    tally = Tally(suite, by=by)
    for one in scored:
        tally.add(one.trajectory, one.score)
    return tally.summary(notes)


class Tally:
    """Adds up scores. Its size depends on the number of agents and cases, not on that of trajectories."""

    def __init__(self, suite: Suite, *, by: str | None = None) -> None:
        self._suite = suite
        self._by = by
        self._group = {case.id: case.labels.get(by, "") if by else "" for case in suite.cases}
        self._settled = {case.id: case for case in suite.cases if _is_settled(case)}
        self._agents: dict[str, AgentTotals] = {}

    def add_all(self, trajectories: list[Trajectory], scores: list[Score]) -> None:
        """Add trajectories with their scores."""
        at = 0
        while at < len(scores):
            if ADDER is not None:
                at = ADDER.add(self._agents, trajectories, scores, at)
                if at == len(scores):
                    return
            self.add(trajectories[at], scores[at])
            at += 1

    def add(self, trajectory: Trajectory, score: Score) -> None:
        """Add one trajectory with its score."""
        agent = self._agents.get(score.agent)
        if agent is None:
            agent = self._agents[score.agent] = AgentTotals()
        place = agent.places.get(score.case)
        if place is None:
            place = agent.make_place(score.case, self._group[score.case], settled=score.case in self._settled)
        agent.add(place, trajectory, score)

    def expect(self, agents: Iterable[str]) -> None:
        """Make room for these agents on every case, so that the order in which they are added does not matter.

        Something has to be added of each of them for each case.
        """
        for name in agents:
            agent = self._agents.setdefault(name, AgentTotals())
            for case, group in self._group.items():
                if case not in agent.places:
                    agent.make_place(case, group, settled=case in self._settled)

    def totals(self) -> Totals:
        """Everything that was added up, for a tally of the same suite and label in another process."""
        return {name: agent.packed() for name, agent in self._agents.items()}

    def merge(self, totals: Totals) -> None:
        """Add everything that another tally of the same suite and label has added up."""
        for name, packed in totals.items():
            self._agents.setdefault(name, AgentTotals()).merge(packed)

    def put_in_order(self, agents: Iterable[str]) -> None:
        """Put all agents in the order in which they appear here."""
        self._agents = {name: self._agents[name] for name in dict.fromkeys(agents)}

    def summary(self, notes: Sequence[Note] = ()) -> Summary:
        """The summary of everything added so far."""
        self._settle()
        rows = [row for name, agent in self._agents.items() for row in self._rows(name, agent)]
        expected = {
            name: [(call.tool, call.least) for call in case.expect.plans[0].calls]
            for name, case in self._settled.items()
        }
        every = [sums for agent in self._agents.values() for sums in agent.sums.values()]
        return Summary(
            suite=_facts(self._suite, self._group if self._by else {}),
            by=self._by,
            counts=_counts(every),
            rows=tuple(rows),
            tools=tuple(row for name, agent in self._agents.items() for row in _tool_rows(name, agent, expected)),
            confusion=tuple(
                Confusion(name, expected, called, count)
                for name, agent in self._agents.items()
                for (expected, called), count in sorted(agent.confused.items(), key=lambda item: (-item[1], item[0]))
            ),
            notes=(*notes, *self._notes()),
        )

    def _settle(self) -> None:
        for agent in self._agents.values():
            agent.settle()
            # In the order of the suite, so that who added what first makes no difference.
            agent.sums = {case: agent.sums[case] for case in self._group if case in agent.sums}

    def _groups(self) -> list[str]:
        """The values of the label, in the order of the suite; cases without it come last."""
        return sorted(dict.fromkeys(self._group.values()), key=lambda value: value == "") if self._by else []

    def _rows(self, name: str, agent: AgentTotals) -> Iterator[Row]:
        for value in self._groups():
            members = [sums for case, sums in agent.sums.items() if self._group[case] == value]
            if members and self._by:
                yield _row(name, {self._by: value}, members, agent.spreads.get(value, {}))
        spreads = {
            metric: Spread.merged(group[metric] for group in agent.spreads.values() if metric in group)
            for metric in SPREADS
        }
        yield _row(name, {}, list(agent.sums.values()), spreads)

    def _notes(self) -> Iterator[Note]:
        most_trials = 0
        unanswered = 0
        for name, agent in self._agents.items():
            most_trials = max([most_trials, *(sums.planned for sums in agent.sums.values())])
            unanswered += agent.unscored_answers
            for value in self._groups() or [""]:
                members = [sums for case, sums in agent.sums.items() if self._group[case] == value]
                yield from _fail_rate_note(name, value, members)
            missing = [case for case, sums in agent.sums.items() if sums.not_run]
            if missing:
                count = sum(sums.not_run for sums in agent.sums.values())
                yield Note("not_run", {"agent": name, "count": count, "cases": list(missing[:3])})
        if most_trials > 1:
            yield Note("several_trials", {"trials": most_trials})
        if unanswered:
            yield Note("answers_not_scored", {"count": unanswered})
        opinions = sum(sums.opinions for agent in self._agents.values() for sums in agent.sums.values())
        if opinions:
            yield Note("judge", {"count": opinions})


def _is_settled(case: Case) -> bool:
    """Whether every call of a case is either right or superfluous, and it is clear how many there are to be."""
    expect = case.expect
    return (
        len(expect.plans) == 1
        and not expect.neutral
        and expect.extra != "allow"
        and all(call.least == call.most for call in expect.plans[0].calls)
    )


def _row(agent: str, group: dict[str, str], members: Sequence[Sums], spreads: dict[str, Spread]) -> Row:
    metrics: dict[str, Estimate] = {}
    for metric in METRICS:
        figure = estimate(metric, members)
        if metric.name in spreads and figure.value is not None:
            p50, p95 = spreads[metric.name].percentiles(0.5, 0.95)
            figure = replace(figure, p50=p50, p95=p95)
        metrics[metric.name] = figure
    return Row(
        agent=agent, group=group, n=sum(sums.planned for sums in members), counts=_counts(members), metrics=metrics
    )


def _tool_rows(name: str, agent: AgentTotals, expected: Mapping[str, Sequence[tuple[str, int]]]) -> Iterator[ToolRow]:
    called, right = agent.counted(expected)
    for tool in sorted({*right, *called, *agent.missed}):
        yield ToolRow(
            agent=name,
            tool=tool,
            expected=right[tool] + agent.missed[tool],
            called=called[tool],
            right=right[tool],
            missed=agent.missed[tool],
            superfluous=agent.superfluous[tool],
            failed=agent.failed[tool],
        )


def _counts(members: Sequence[Sums]) -> Counts:
    return Counts(*(sum(map(attrgetter(state), members)) for state in STATES))


def _facts(suite: Suite, groups: dict[str, str]) -> SuiteFacts:
    expected: Counter[str] = Counter()
    for case in suite.cases:
        expected.update({call.tool for plan in case.expect.plans for call in plan.calls})
    defined = tuple(tool.name for tool in suite.tools)
    return SuiteFacts(
        name=suite.name,
        cases=len(suite.cases),
        tools=defined or tuple(sorted(expected)),
        expected_tools=dict(sorted(expected.items())),
        groups=dict(Counter(groups.values())),
    )


def _fail_rate_note(agent: str, group: str, members: Sequence[Sums]) -> Iterator[Note]:
    """Says where the published fail rate, which leaves out cases whose every call failed, gives another figure."""
    failed, calling = sum(s.with_failure for s in members), sum(s.with_calls for s in members)
    both, working = sum(s.with_both for s in members), sum(s.with_success for s in members)
    if failed * working != both * calling:
        yield Note(
            "fail_rate_published",
            {
                "agent": agent,
                "group": group,
                "failed": failed,
                "with_calls": calling,
                "published_failed": both,
                "published_with_calls": working,
            },
        )
