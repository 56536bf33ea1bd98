"""Faults of all kinds, planted into one run in any mixture, are each found with their tool, argument and number."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge.analysis.diagnose import diagnose
from toolgauge.catalogue import Lang
from toolgauge.core import FAULT_GROUPS, IssueKind, State
from toolgauge.report import DiagnosisDocument, render

from .planting import PLANTS, Plant, run_with

Key = tuple[IssueKind, str | None, str | None, str | None, State | None]

PER_TOPIC = 6
"""How many cases each topic has."""

REPEATS = {"budget": "get_price", "call without need": "search_web"}
"""Faults that are planted with several calls that are the same, which is a pattern of its own."""


def key_of(fault: Plant) -> Key:
    return fault.kind, fault.tool, fault.argument, fault.other, fault.state


def wanted(planted: dict[str, list[int]]) -> Counter[Key]:
    """The patterns that should be found, and in how many trajectories each."""
    counts: Counter[Key] = Counter()
    for name, numbers in planted.items():
        counts[key_of(PLANTS[name])] += len(numbers)
        if name in REPEATS:
            counts["duplicate_call", REPEATS[name], None, None, None] += len(numbers)
    return +counts


@st.composite
def mixtures(draw: st.DrawFn) -> dict[str, list[int]]:
    """For each case of each topic one fault that fits, or none."""
    planted: dict[str, list[int]] = {}
    for topic in sorted({fault.topic for fault in PLANTS.values()}):
        fitting = [None, *(name for name, fault in PLANTS.items() if fault.topic == topic)]
        for number in range(PER_TOPIC):
            name = draw(st.sampled_from(fitting))
            if name is not None:
                planted.setdefault(name, []).append(number)
    return planted


@settings(max_examples=examples(40), deadline=None)
@given(mixtures())
def test_any_mixture_of_faults_is_told_apart(planted: dict[str, list[int]]) -> None:
    diagnosis = diagnose(run_with(*((PLANTS[name], numbers) for name, numbers in planted.items())))
    found = {(one.kind, one.tool, one.argument, one.other, one.state): one for one in diagnosis.patterns}
    assert {key: one.trajectories for key, one in found.items()} == wanted(planted)
    assert sum(one.first for one in diagnosis.groups) == diagnosis.failed
    for lang in ("en", "vi"):
        _check_words(" ".join("".join(render(DiagnosisDocument(diagnosis, 50), lang=lang)).split()), planted)


def _check_words(shown: str, planted: dict[str, list[int]]) -> None:
    for name in planted:
        for part in (PLANTS[name].tool, PLANTS[name].argument, PLANTS[name].other):
            assert part is None or part in shown, (name, part)


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_every_kind_of_fault_at_once_fills_every_group(lang: Lang) -> None:
    topics: Counter[str] = Counter()
    planted: dict[str, list[int]] = {}
    for name, fault in PLANTS.items():
        if topics[fault.topic] < PER_TOPIC:
            planted[name] = [topics[fault.topic]]
            topics[fault.topic] += 1
    diagnosis = diagnose(run_with(*((PLANTS[name], numbers) for name, numbers in planted.items())))
    assert {one.group for one in diagnosis.groups if one.trajectories} == set(FAULT_GROUPS)
    shown = "".join(render(DiagnosisDocument(diagnosis, 50), lang=lang))
    _check_words(" ".join(shown.split()), planted)
    assert max(map(len, shown.splitlines())) <= 80
