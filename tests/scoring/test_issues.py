"""The table of issue kinds, and how issues are marked by it."""

from __future__ import annotations

import pytest

from tests import oracle
from toolgauge.core import FAILING_KINDS, FAULT_GROUPS, ISSUE_KINDS, ISSUE_TYPES, Issue, IssueKind
from toolgauge.scoring.issues import mark_failing


def test_every_kind_has_a_row() -> None:
    assert tuple(ISSUE_TYPES) == ISSUE_KINDS


def test_every_fault_group_has_a_kind() -> None:
    assert {known.group for known in ISSUE_TYPES.values()} == set(FAULT_GROUPS)


def test_the_kinds_that_fail_a_case_are_those_of_the_oracle() -> None:
    assert FAILING_KINDS == oracle.ALWAYS_FAILING


@pytest.mark.parametrize("kind", ISSUE_KINDS)
def test_issues_are_marked_by_their_kind_and_stay_as_they_are_otherwise(kind: IssueKind) -> None:
    issue = Issue(kind, "tool", "argument", 1, 2, want="want", got="got")
    marked = Issue(kind, "tool", "argument", 1, 2, want="want", got="got", failing=True)
    assert mark_failing([issue], {kind}) == (marked,)
    assert mark_failing([issue], set(ISSUE_KINDS) - {kind}) == (issue,)
