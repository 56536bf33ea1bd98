"""The table of issue kinds, and how issues are marked by it."""

from __future__ import annotations

import pytest

from tests import oracle
from tests.builders import case
from toolgauge.core import FAULT_GROUPS, ISSUE_KINDS, ISSUE_TYPES, Issue, IssueKind, Settings
from toolgauge.scoring.failing import Failing, failing_issues, mark_failing


def test_every_kind_has_a_row() -> None:
    assert tuple(ISSUE_TYPES) == ISSUE_KINDS


def test_every_fault_group_has_a_kind() -> None:
    assert {known.group for known in ISSUE_TYPES.values()} == set(FAULT_GROUPS)


def test_the_kinds_that_fail_a_case_are_those_of_the_oracle() -> None:
    by_score, strict = (failing_issues(case([]), Settings(passing=rule)) for rule in ("score", "strict"))
    assert by_score.kinds == oracle.ALWAYS_FAILING
    assert not by_score.if_expected | by_score.if_changes
    assert strict.kinds == oracle.ALWAYS_FAILING | oracle.STRICTLY_FAILING
    assert strict.if_expected == {"unrecovered_error"}
    assert strict.if_changes == {"unexpected_call", "duplicate_call"}


@pytest.mark.parametrize("kind", ISSUE_KINDS)
def test_issues_are_marked_by_their_kind_and_stay_as_they_are_otherwise(kind: IssueKind) -> None:
    issue = Issue(kind, "tool", "argument", 1, 2, want="want", got="got")
    marked = Issue(kind, "tool", "argument", 1, 2, want="want", got="got", failing=True)
    assert mark_failing([issue], Failing(frozenset({kind}))) == (marked,)
    assert mark_failing([issue], Failing(frozenset(ISSUE_KINDS) - {kind})) == (issue,)


@pytest.mark.parametrize("kind", ISSUE_KINDS)
def test_a_condition_decides_where_there_is_one(kind: IssueKind) -> None:
    of_call, of_expected = Issue(kind, "send", call=1), Issue(kind, "look", call=1, expected=0)
    only_expected = Failing(frozenset(), if_expected=frozenset({kind}))
    only_changing = Failing(frozenset(), if_changes=frozenset({kind}), changing=frozenset({"send"}))
    assert [only_expected.fails(issue) for issue in (of_call, of_expected)] == [False, True]
    assert [only_changing.fails(issue) for issue in (of_call, of_expected)] == [True, False]


def test_fail_on_and_ignore_add_and_take_away() -> None:
    told = failing_issues(case([]), Settings(fail_on=("over_latency", "duplicate_call"), ignore=("wrong_arg",)))
    assert told.fails(Issue("over_latency"))
    assert told.fails(Issue("duplicate_call", "read_only"))
    assert not told.fails(Issue("wrong_arg", "a", "x", 0, 0))
    assert told.fails(Issue("missing_arg", "a", "x", 0, 0))


def test_what_ended_early_cannot_be_ignored() -> None:
    assert failing_issues(case([]), Settings(ignore=("agent_error",))).fails(Issue("agent_error"))
