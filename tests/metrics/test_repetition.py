"""pass@k and pass^k for every k: worked out by hand, and against every choice of k trials in fractions."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from tests.cli.running import toolgauge
from toolgauge.metrics import read_pass_at_k, repeated
from toolgauge.stats.intervals import share_interval

TRIES = st.lists(st.integers(2, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=12)


def by_choices(tries: list[tuple[int, int]], k: int, every: bool) -> Fraction:
    """The mean share of choices of k trials of which all pass, or at least one."""
    shares = []
    for passed, n in tries:
        chosen = list(combinations([True] * passed + [False] * (n - passed), k))
        good = sum(all(one) if every else any(one) for one in chosen)
        shares.append(Fraction(good, len(chosen)))
    return sum(shares, Fraction(0)) / len(shares)


def test_three_trials_by_hand() -> None:
    # One case passed always, one never, one twice of three times.
    one, two, three = repeated([(3, 3), (0, 3), (2, 3)])
    assert [each.k for each in (one, two, three)] == [1, 2, 3]
    assert one.pass_any.value == one.pass_all.value == pytest.approx((1 + 0 + 2 / 3) / 3)
    # Of the three pairs of trials of the last case all hold a passed one, and one holds two of them.
    assert two.pass_any.value == pytest.approx((1 + 0 + 1) / 3)
    assert two.pass_all.value == pytest.approx((1 + 0 + 1 / 3) / 3)
    assert three.pass_any.value == pytest.approx(2 / 3)
    assert three.pass_all.value == pytest.approx(1 / 3)
    error = stdev([1, 0, 1 / 3]) / sqrt(3)
    assert (two.pass_all.low, two.pass_all.high) == pytest.approx(share_interval(4 / 9, error, 3, 3))


@settings(max_examples=examples(200))
@given(TRIES)
def test_every_k_is_what_all_choices_of_k_trials_give(tries: list[tuple[int, int]]) -> None:
    found = repeated(tries)
    assert [each.k for each in found] == list(range(1, min(n for _, n in tries) + 1))
    for each in found:
        assert each.pass_any.value == pytest.approx(float(by_choices(tries, each.k, every=False)))
        assert each.pass_all.value == pytest.approx(float(by_choices(tries, each.k, every=True)))
        assert each.pass_any.n == each.pass_all.n == len(tries)


@given(TRIES)
def test_the_order_of_cases_makes_no_difference(tries: list[tuple[int, int]]) -> None:
    assert repeated(tries) == repeated(sorted(tries)) == repeated(tries[::-1])


def test_one_trial_of_a_case_tells_nothing_about_several() -> None:
    assert repeated([(1, 1), (2, 2)]) == ()
    assert repeated([]) == ()


def test_of_very_many_trials_not_every_k_is_given() -> None:
    assert [each.k for each in repeated([(50, 100)])] == [*range(1, 33), 64, 100]
    assert [each.k for each in repeated([(5, 33)])][-2:] == [32, 33]


@pytest.mark.parametrize("name", ["pass_rate", "pass@", "pass@0", "pass^-1", "pass^3.p95", "PASS^3", "pass^03"])
def test_other_names_ask_for_something_else(name: str) -> None:
    assert read_pass_at_k(name) is None


@pytest.fixture
def run_file(tmp_path: Path) -> Path:
    """One agent, two cases of three trials: one passes always, the other twice."""
    (tmp_path / "suite.yaml").write_text(
        "name: small\ncases:\n"
        "  - {id: a, input: A, labels: {difficulty: easy}, expect: {calls: [{tool: look}]}}\n"
        "  - {id: b, input: B, labels: {difficulty: hard}, expect: {calls: [{tool: look}]}}\n"
    )
    lines = [
        {"case": case, "agent": "x", "trial": trial, "calls": [{"tool": "look"}] if (case, trial) != ("b", 3) else []}
        for case in "ab"
        for trial in (1, 2, 3)
    ]
    traces = tmp_path / "traces.jsonl"
    traces.write_text("\n".join(map(json.dumps, lines)))
    made = tmp_path / "small.run.jsonl"
    done = toolgauge("score", tmp_path / "suite.yaml", traces, "--format", "run", "-o", made)
    assert done.returncode == 0, done.stderr
    return made


def test_a_report_of_one_agent_gives_every_k(run_file: Path) -> None:
    data = json.loads(toolgauge("report", run_file, "--format", "json").stdout)
    rows = {json.dumps(row["group"]): row["repeated"] for row in data["rows"]}
    whole = rows["{}"]
    assert [one["k"] for one in whole] == [1, 2, 3]
    assert [one["pass_all"]["value"] for one in whole] == pytest.approx([5 / 6, (1 + 1 / 3) / 2, 1 / 2])
    assert [one["pass_any"]["value"] for one in whole] == pytest.approx([5 / 6, 1, 1])
    hard = rows['{"difficulty": "hard"}']
    assert [one["pass_all"]["value"] for one in hard] == pytest.approx([2 / 3, 1 / 3, 0])
    for lang, title in (("en", "pass^k"), ("vi", "pass^k")):
        text = toolgauge("report", run_file, "--lang", lang, "--full").stdout
        assert title in text


@pytest.mark.parametrize(
    ("limit", "code", "shown"),
    [
        ("pass^3=0.5", 0, "0.5"),
        ("pass^3=0.51", 1, "0.5"),
        ("pass@3=100%", 0, "1"),
        ("pass^2[difficulty=hard]=0.34", 1, "0.333"),
        ("pass^2[difficulty=hard]=0.33", 0, "0.333"),
        ("pass^4=0.1", 1, "no case has this many trials"),
    ],
)
def test_the_gate_limits_any_k(run_file: Path, limit: str, code: int, shown: str) -> None:
    done = toolgauge("gate", run_file, "--min-pass-rate", "0", "--min", limit)
    assert (done.returncode, done.stderr) == (code, "")
    assert shown in done.stdout


def test_a_limit_on_pass_at_k_that_cannot_be_is_refused(run_file: Path) -> None:
    done = toolgauge("gate", run_file, "--min", "pass^3=70")
    assert done.returncode == 2
    assert "pass^3 cannot be limited to 70: it lies between 0 and 1" in done.stderr
    done = toolgauge("gate", run_file, "--min", "pass^0=0.7")
    assert done.returncode == 2
    assert "there is no metric 'pass^0'" in done.stderr
