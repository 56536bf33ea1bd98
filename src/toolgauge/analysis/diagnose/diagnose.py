"""From a run to a diagnosis."""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.core import FAULT_GROUPS, Diagnosis, GroupShare, Pattern, Run, nfc
from toolgauge.metrics import chosen_agents, chosen_label

from .advice import Adviser
from .patterns import PatternCounts, PatternKey, RunPatterns, group_of

__all__ = ["diagnose", "leading_pattern"]


def diagnose(run: Run, *, by: str | None = None, agents: Sequence[str] = ()) -> Diagnosis:
    """Find the patterns in what goes wrong in a run, and what to change about each.

    Args:
        run: The run.
        by: The label to break patterns down by; default `difficulty`, if the suite has it.
        agents: The agents to include; default: all.

    Returns:
        The diagnosis: groups of faults, and patterns by kind of issue, tool and argument; what fails the most
        trajectories comes first.

    Raises:
        NothingToDo: There are no trajectories, or none of these agents, or no case has the label.
    """
    names = chosen_agents(run.summary, [nfc(agent) for agent in agents])
    gathered = RunPatterns(chosen_label(run.header.suite, by))
    cases = {case.id: case for case in run.header.suite.cases}
    for one in run.scored:
        if one.score.agent in names:
            gathered.add(cases[one.score.case], one)
    adviser = Adviser(run.header.suite)
    ordered = sorted(gathered.found.items(), key=lambda item: _weight(item[1]))
    return Diagnosis(
        suite=run.header.suite.name,
        agents=names,
        by=gathered.by,
        trajectories=gathered.trajectories,
        failed=gathered.failed,
        not_run=gathered.not_run,
        groups=tuple(_groups(gathered)),
        patterns=tuple(_pattern(key, found, gathered, adviser) for key, found in ordered),
    )


def leading_pattern(run: Run) -> tuple[Pattern | None, int]:
    """The pattern that fails the most trajectories of a run, and how many that did not pass were looked at."""
    gathered = RunPatterns(None)
    cases = {case.id: case for case in run.header.suite.cases}
    for one in run.scored:
        if not one.score.passed:
            gathered.add(cases[one.score.case], one)
    if not gathered.found:
        return None, gathered.failed
    key, found = min(gathered.found.items(), key=lambda item: _weight(item[1]))
    return _pattern(key, found, gathered, Adviser(run.header.suite)), gathered.failed


def _weight(found: PatternCounts) -> tuple[int, int, int]:
    """What fails more comes first, then what goes wrong first, then what is seen more often."""
    return -found.failed, -found.first, -found.trajectories


def _groups(gathered: RunPatterns) -> list[GroupShare]:
    shares = []
    for group in FAULT_GROUPS:
        trajectories, failed, first = gathered.groups.get(group, [0, 0, 0])
        shares.append(GroupShare(group, trajectories, failed, _share(failed, gathered), first))
    return shares


def _share(failed: int, gathered: RunPatterns) -> float:
    return failed / gathered.failed if gathered.failed else 0.0


def _pattern(key: PatternKey, found: PatternCounts, gathered: RunPatterns, adviser: Adviser) -> Pattern:
    return Pattern(
        group=group_of(key),
        kind=key.kind,
        tool=key.tool,
        argument=key.argument,
        other=key.other,
        state=key.state,
        occurrences=found.occurrences,
        trajectories=found.trajectories,
        failed=found.failed,
        share=_share(found.failed, gathered),
        first=found.first,
        step=found.step,
        most=found.most,
        agents=dict(found.agents),
        labels=gathered.spread(found),
        examples=found.examples,
        companions=gathered.companions(key),
        advice=adviser.advise(key, found),
    )
