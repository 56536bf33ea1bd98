"""From scores to the summary that every report is drawn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import compress

from msgspec.structs import replace

from toolgauge.core import (
    CATEGORY,
    SCORER_FAILED,
    Case,
    Confusion,
    Counts,
    Estimate,
    Note,
    Row,
    Score,
    Scored,
    Settings,
    Suite,
    SuiteFacts,
    Summary,
    ToolRow,
    Trajectory,
    nfc,
)
from toolgauge.errors import NothingToDo, did_you_mean
from toolgauge.stats import Z95, clustered, exact_sum, share_interval, wilson

from .accumulate import CaseColumns, CaseSums, by_agent, in_batches
from .percentiles import Distribution
from .repetition import repeated
from .scorers import FAILED, UNSCORED, sum_of
from .table import METRICS, NOTHING_MEASURED, Metric, Reason
from .totals import AgentTotals, CaseLayout, PartialTotals, ToolTotals

__all__ = ["Tally", "chosen_agents", "chosen_label", "default_label", "estimate", "summarise"]


def default_label(suite: Suite) -> str | None:
    """The label that a report breaks figures down by when none is named: `difficulty`, where some case has it.

    Questions of a leaderboard are broken down by its categories.
    """
    if suite.settings.profile is not None and any(CATEGORY in case.labels for case in suite.cases):
        return CATEGORY
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


def estimate(metric: Metric, cases: CaseColumns) -> Estimate:
    """Estimate a metric over cases, each with the sums over its trials.

    A rate with one trial per case has a Wilson interval. Everything else has one by the delta method, clustered by
    case, on the logit scale where it is a share; where that has no width, Wilson on the pooled counts.
    """
    trajectories = cases.column(metric.n)
    n = int(sum(trajectories))
    if not n:
        return Estimate(None, n=0, reason=_reason(metric, cases))
    upper, lower = cases.column(metric.above), cases.column(metric.below)
    above, below = exact_sum(upper), exact_sum(lower)
    if not below:
        if metric.perfect_without and not cases.total(*metric.perfect_without):
            return Estimate(1.0, n=n)
        return Estimate(None, n=n, reason=_reason(metric, cases))
    value = above / below
    if not all(trajectories):
        upper, lower = list(compress(upper, trajectories)), list(compress(lower, trajectories))
    if metric.kind == "rate" and max(lower) <= 1:
        low, high = wilson(above, below)
        return Estimate(value, low, high, n)
    error = clustered(upper, lower)
    if metric.kind == "amount":
        if len(lower) < 2:
            return Estimate(value, n=n)
        return Estimate(value, max(0.0, value - Z95 * error), value + Z95 * error, n)
    low, high = share_interval(value, error, len(lower), below)
    return Estimate(value, low, high, n)


def _reason(metric: Metric, cases: CaseColumns) -> Reason:
    """Why there is no figure: what the metric says, unless no trajectory could have told."""
    planned = metric.below in (("planned",), ("completed",))
    return metric.reason if planned or cases.total("measured") else NOTHING_MEASURED


def summarise(
    suite: Suite,
    scored: Iterable[Scored],
    *,
    by: str | None = None,
    notes: Sequence[Note] = (),
    metrics: Sequence[Metric] = METRICS,
) -> Summary:
    """Summarise scored trajectories: per agent, per value of the label `by`, and per agent overall."""
    tally = Tally(suite, by=by, metrics=metrics)
    tally.add_scored(scored)
    return tally.summary(notes)


class Tally:
    """Adds up scores. Its size depends on the number of agents and cases, not on that of trajectories."""

    def __init__(self, suite: Suite, *, by: str | None = None, metrics: Sequence[Metric] = METRICS) -> None:
        """Begin with nothing.

        Args:
            suite: The suite that the trajectories are of.
            by: The label to break figures down by.
            metrics: The metrics of the run.
        """
        self._suite = suite
        self._by = by
        self._metrics = metrics
        self._group = {case.id: case.labels.get(by, "") if by else "" for case in suite.cases}
        expected = {
            case.id: [(call.tool, call.min_calls) for call in case.expect.plans[0].calls]
            for case in suite.cases
            if _is_fixed(case, suite.settings)
        }
        self._layout = CaseLayout(self._group, expected)
        self._agents: dict[str, AgentTotals] = {}

    def add_all(self, trajectories: list[Trajectory], scores: list[Score]) -> None:
        """Add trajectories with their scores."""
        for agent, own, own_scores in by_agent(trajectories, scores):
            self._totals_of(agent).add_all(own, own_scores)

    def add(self, trajectory: Trajectory, score: Score) -> None:
        """Add one trajectory with its score."""
        self.add_all([trajectory], [score])

    def add_scored(self, scored: Iterable[Scored]) -> None:
        """Add trajectories that come with their scores."""
        for trajectories, scores in in_batches((one.trajectory, one.score) for one in scored):
            self.add_all(trajectories, scores)

    def expect(self, agents: Iterable[str]) -> None:
        """Put these agents first, in this order, whichever of them comes first."""
        for name in agents:
            self._totals_of(name)

    def totals(self) -> PartialTotals:
        """Everything that was added up, for a tally of the same suite and label elsewhere."""
        return PartialTotals({name: agent.pack() for name, agent in self._agents.items()})

    def sums(self) -> dict[str, CaseSums]:
        """By agent what was added up, case by case."""
        return {name: agent.sums for name, agent in self._agents.items()}

    def merge(self, totals: PartialTotals) -> None:
        """Add everything that another tally of the same suite and label has added up."""
        for name, packed in totals.agents.items():
            self._totals_of(name).merge(packed)

    def put_in_order(self, agents: Iterable[str]) -> None:
        """Put all agents in the order in which they appear here."""
        self._agents = {name: self._agents[name] for name in dict.fromkeys(agents)}

    def summary(self, notes: Sequence[Note] = ()) -> Summary:
        """The summary of everything added so far."""
        cases = {name: self._cases_of(agent) for name, agent in self._agents.items()}
        every = [agent.sums.at(cases[name]) for name, agent in self._agents.items()]
        tools = {name: agent.tools() for name, agent in self._agents.items()}
        return Summary(
            suite=_facts(self._suite, self._group if self._by else {}),
            by=self._by,
            counts=_counts(every),
            rows=tuple(row for name, agent in self._agents.items() for row in self._rows(name, agent, cases[name])),
            tools=tuple(row for name, found in tools.items() for row in _tool_rows(name, found)),
            confusion=tuple(
                Confusion(name, expected, called, count)
                for name, found in tools.items()
                for (expected, called), count in sorted(found.confused.items(), key=lambda item: (-item[1], item[0]))
            ),
            notes=(*notes, *self._notes(cases)),
        )

    def _totals_of(self, agent: str) -> AgentTotals:
        found = self._agents.get(agent)
        if found is None:
            found = self._agents[agent] = AgentTotals(self._layout, self._metrics)
        return found

    def _cases_of(self, agent: AgentTotals) -> list[str]:
        """The cases of an agent in the order of the suite, so that who added what first makes no difference."""
        return [case for case in self._group if case in agent.sums.cases]

    def _groups(self) -> list[str]:
        """The values of the label, in the order of the suite; cases without it come last."""
        return sorted(dict.fromkeys(self._group.values()), key=lambda value: value == "") if self._by else []

    def _members(self, value: str, cases: Iterable[str]) -> list[str]:
        return [case for case in cases if self._group[case] == value]

    def _rows(self, name: str, agent: AgentTotals, cases: Sequence[str]) -> Iterator[Row]:
        for value in self._groups():
            members = self._members(value, cases)
            if members and self._by:
                values = agent.distributions.get(value, {})
                yield self._row(name, {self._by: value}, agent, members, values)
        names = dict.fromkeys(metric for group in agent.distributions.values() for metric in group)
        every = {
            metric: Distribution.merged(group[metric] for group in agent.distributions.values() if metric in group)
            for metric in names
        }
        yield self._row(name, {}, agent, cases, every)

    def _row(
        self,
        name: str,
        group: dict[str, str],
        agent: AgentTotals,
        members: Sequence[str],
        distributions: Mapping[str, Distribution],
    ) -> Row:
        cases = agent.sums.at(members)
        metrics: dict[str, Estimate] = {}
        for metric in self._metrics:
            figure = estimate(metric, cases)
            if metric.percentiles and metric.name in distributions and figure.value is not None:
                p50, p95 = distributions[metric.name].percentiles(0.5, 0.95)
                figure = replace(figure, p50=p50, p95=p95)
            if metric.part is not None and figure.value is None:
                said = agent.reasons.of(metric.name, next(iter(group.values()), None))
                figure = replace(figure, reason="; ".join(said) or figure.reason)
            metrics[metric.name] = figure
        counts = _counts([cases])
        tries = zip(map(int, cases.column(("passed",))), map(int, cases.column(("planned",))), strict=True)
        return Row(agent=name, group=group, n=counts.measured, counts=counts, metrics=metrics, repeated=repeated(tries))

    def _notes(self, cases: Mapping[str, Sequence[str]]) -> Iterator[Note]:
        most_trials = unanswered = opinions = 0
        for name, agent in self._agents.items():
            every = agent.sums.at(cases[name])
            most_trials = max([most_trials, *map(int, every.column(("planned",)))])
            unanswered += int(every.total("ambiguous_answers"))
            opinions += int(every.total("opinions"))
            for value in self._groups() or [""]:
                yield from _fail_rate_note(name, value, agent.sums.at(self._members(value, cases[name])))
            for kind in ("not_run", "cancelled"):
                missing = list(compress(cases[name], every.column((kind,))))
                if missing:
                    yield Note(kind, {"agent": name, "count": int(every.total(kind)), "cases": list(missing[:3])})
        if most_trials > 1:
            yield Note("several_trials", {"trials": most_trials})
        if unanswered:
            yield Note("answers_not_scored", {"count": unanswered})
        if opinions:
            yield Note("judge", {"count": opinions})
        for metric in self._metrics:
            if metric.part is not None and sum_of(metric.name, UNSCORED) in metric.part.names:
                yield from self._scorer_notes(metric.name)

    def _scorer_notes(self, scorer: str) -> Iterator[Note]:
        """How often a scorer has measured nothing, and how often that is its own fault."""
        agents = [(agent, agent.sums.at(agent.sums.cases)) for agent in self._agents.values()]
        unscored = int(sum(cases.total(sum_of(scorer, UNSCORED)) for _, cases in agents))
        failed = int(sum(cases.total(sum_of(scorer, FAILED)) for _, cases in agents))
        if unscored > failed:
            yield Note("unscored", {"scorer": scorer, "count": unscored - failed})
        if failed:
            said = (reason for agent, _ in agents for reason in agent.reasons.of(scorer))
            reason = min((reason for reason in said if reason.startswith(SCORER_FAILED)), default="")
            yield Note("scorer_failed", {"scorer": scorer, "count": failed, "reason": reason})


def _is_fixed(case: Case, settings: Settings) -> bool:
    """Whether every call of a case is either right or superfluous, and it is clear how many there are to be."""
    expect = case.expect
    return (
        len(expect.plans) == 1
        and not expect.neutral
        and expect.extra != "allow"
        and settings.for_case(case).failed == "count"
        and all(call.min_calls == call.max_calls for call in expect.plans[0].calls)
    )


def _tool_rows(name: str, tools: ToolTotals) -> Iterator[ToolRow]:
    for tool in sorted({*tools.right, *tools.called, *tools.missed}):
        yield ToolRow(
            agent=name,
            tool=tool,
            expected=tools.right[tool] + tools.missed[tool],
            called=tools.called[tool],
            right=tools.right[tool] - tools.wrong_args[tool],
            wrong_args=tools.wrong_args[tool],
            missed=tools.missed[tool],
            superfluous=tools.superfluous[tool],
            failed=tools.failed[tool],
        )


def _counts(cases: Iterable[CaseColumns]) -> Counts:
    found = list(cases)
    return Counts(*(int(sum(one.total(state) for one in found)) for state in Counts.__struct_fields__))


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


def _fail_rate_note(agent: str, group: str, cases: CaseColumns) -> Iterator[Note]:
    """Says where the published fail rate, which leaves out cases whose every call failed, gives another figure."""
    failed, calling = int(cases.total("with_failure")), int(cases.total("with_calls"))
    both, working = int(cases.total("with_both")), int(cases.total("with_success"))
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
