"""Which issues fail a case whatever its score: the table in `core/score.py`, and what the suite and the case say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from toolgauge.core import ISSUE_TYPES, Case, Issue, IssueKind, PassRule, Settings, ToolDefinition

__all__ = ["Failing", "changing_tools", "failing_issues", "mark_failing"]

UNEXPECTED: frozenset[IssueKind] = frozenset({"unexpected_call"})
"""What fails a case as well where no call but those expected may be made."""

NEVER_PASSED: frozenset[IssueKind] = frozenset({"agent_error"})
"""What cannot be ignored: a trajectory that ended early is never passed."""


class Failing(Struct, frozen=True):
    """The issues that fail a case, whatever its score."""

    kinds: frozenset[IssueKind]
    """Kinds of which every issue does."""
    if_expected: frozenset[IssueKind] = frozenset()
    """Kinds of which those do that are about an expected call."""
    if_changes: frozenset[IssueKind] = frozenset()
    """Kinds of which those do that are about a tool that changes things."""
    changing: frozenset[str] = frozenset()
    """The tools that change things."""

    def fails(self, issue: Issue) -> bool:
        """Whether an issue alone fails the case."""
        kind = issue.kind
        return (
            kind in self.kinds
            or (kind in self.if_changes and issue.tool in self.changing)
            or (kind in self.if_expected and issue.expected is not None)
        )

    def without_extra_calls(self) -> Failing:
        """The same where no call but those expected may be made."""
        return replace(self, kinds=self.kinds | UNEXPECTED)


def failing_issues(case: Case, settings: Settings, changing: frozenset[str] = frozenset()) -> Failing:
    """The issues that fail a case.

    Args:
        case: The case.
        settings: Its settings, as `Settings.for_case` gives them.
        changing: The tools that change things.
    """
    forbids_extra = case.expect.extra == "forbid"
    return _failing_issues(settings.passing, tuple(settings.fail_on), tuple(settings.ignore), forbids_extra, changing)


@lru_cache(maxsize=64)
def _failing_issues(
    passing: PassRule,
    fail_on: tuple[IssueKind, ...],
    ignore: tuple[IssueKind, ...],
    forbids_extra: bool,
    changing: frozenset[str],
) -> Failing:
    """The same by all that they depend on: nearly all cases of a suite share one."""
    by_rule = {
        kind: known.fails_if
        for kind, known in ISSUE_TYPES.items()
        if known.fails == "score" or (known.fails == "strict" and passing == "strict")
    }
    always = {kind for kind, condition in by_rule.items() if condition is None}
    if forbids_extra:
        always |= UNEXPECTED
    ignored = frozenset(ignore) - NEVER_PASSED
    return Failing(
        kinds=frozenset(always - ignored | set(fail_on)),
        if_expected=frozenset(kind for kind, condition in by_rule.items() if condition == "expected") - ignored,
        if_changes=frozenset(kind for kind, condition in by_rule.items() if condition == "changes") - ignored,
        changing=changing,
    )


def changing_tools(tools: Sequence[ToolDefinition]) -> frozenset[str]:
    """The names of the tools that change things, as their definitions say."""
    return frozenset(tool.name for tool in tools if tool.changes_things)


def mark_failing(issues: Iterable[Issue], failing: Failing) -> tuple[Issue, ...]:
    """The same issues, with those marked that fail the case whatever its score."""
    return tuple([replace(issue, failing=True) if failing.fails(issue) else issue for issue in issues])
