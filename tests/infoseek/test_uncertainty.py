"""Intervals of scores, and the paired test of two files: by hand, by enumeration, and through the command."""

from __future__ import annotations

import json
import re
from itertools import product
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.running import toolgauge
from toolgauge.infoseek import PairedCounts, PairedScores, compare, harmonic_mean, score
from toolgauge.infoseek import uncertainty as module
from toolgauge.infoseek.uncertainty import final_interval, split_interval
from toolgauge.stats import wilson


def test_the_interval_of_a_split_is_wilsons_in_percent() -> None:
    low, high = wilson(8, 10)
    assert split_interval(8, 10) == (round(100 * low, 2), round(100 * high, 2)) == (49.02, 94.33)
    assert split_interval(0, 0) is None


def test_the_interval_of_the_final_score_by_hand() -> None:
    # Both shares are a half, so that the mean is a half; each bound moves it as the other share stays.
    low, high = wilson(5, 10)
    down = 0.5 - 2 * 0.5 * low / (0.5 + low)
    up = 2 * 0.5 * high / (0.5 + high) - 0.5
    wanted = round(100 * (0.5 - 2**0.5 * down), 2), round(100 * (0.5 + 2**0.5 * up), 2)
    assert final_interval(((5, 10), (5, 10))) == wanted


def test_an_empty_split_has_no_interval_and_zeros_have_one() -> None:
    assert final_interval(((5, 10), (0, 0))) is None
    low, high = final_interval(((0, 10), (0, 10))) or (None, None)
    assert low == 0
    assert high == round(100 * wilson(0, 10)[1], 2)
    low, high = final_interval(((10, 10), (0, 10))) or (None, None)
    assert low == 0
    assert high is not None
    assert high > 30


@pytest.mark.parametrize(("first", "second", "n"), [(0.5, 0.5, 30), (0.2, 0.7, 30), (0.9, 0.6, 25), (0.05, 0.3, 40)])
def test_the_interval_of_the_final_score_holds_it_as_often_as_it_says(first: float, second: float, n: int) -> None:
    truth = 100 * harmonic_mean(first, second)
    covered = 0.0
    for right_first, right_second in product(range(n + 1), repeat=2):
        chance = 1.0
        for right, rate in ((right_first, first), (right_second, second)):
            chance *= comb(n, right) * rate**right * (1 - rate) ** (n - right)
        low, high = final_interval(((right_first, n), (right_second, n))) or (101.0, 101.0)
        covered += chance * (low - 0.01 <= truth <= high + 0.01)
    assert 0.93 <= covered <= 0.985


def swaps(counts: list[PairedCounts]) -> list[float]:
    """The difference of final scores for every way of swapping the predictions of items, one by one."""
    items = [
        (place, pair)
        for place, one in enumerate(counts)
        for pair, number in zip(product((1, 0), repeat=2), one, strict=True)
        for _ in range(number)
    ]
    found = []
    for flips in product((False, True), repeat=len(items)):
        right = [[0, 0] for _ in counts]
        for (place, pair), flip in zip(items, flips, strict=True):
            first, second = pair[::-1] if flip else pair
            right[place][0] += first
            right[place][1] += second
        shares = [[right[place][side] / one.total for place, one in enumerate(counts)] for side in (0, 1)]
        found.append(100 * (harmonic_mean(*shares[1]) - harmonic_mean(*shares[0])))
    return found


SMALL = st.tuples(*[st.integers(0, 2)] * 4).map(lambda four: PairedCounts(*four)).filter(lambda one: one.total > 0)


@given(SMALL, SMALL)
def test_p_is_the_share_of_all_ways_of_swapping_items(first: PairedCounts, second: PairedCounts) -> None:
    found = PairedScores({"a": first, "b": second}).difference()
    every = swaps([first, second])
    seen = abs(found.value)
    assert found.p == pytest.approx(sum(abs(one) >= seen - 1e-9 for one in every) / len(every))
    assert found.drawn == 0


def test_what_is_drawn_comes_near_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    paired = PairedScores({"a": PairedCounts(40, 12, 25, 40), "b": PairedCounts(50, 20, 24, 30)})
    counted = paired.difference()
    monkeypatch.setattr(module, "MAX_COUNTED", 0)
    drawn = paired.difference()
    assert drawn.drawn == 10_000
    assert drawn.p == pytest.approx(counted.p, abs=0.015)
    assert drawn == paired.difference()
    assert (drawn.low, drawn.high) == (counted.low, counted.high)
    assert counted.low is not None
    assert counted.high is not None
    assert counted.low < counted.value < counted.high


def test_equal_files_have_no_difference() -> None:
    found = PairedScores({"a": PairedCounts(5, 0, 0, 5), "b": PairedCounts(5, 0, 0, 5)}).difference()
    assert (found.value, found.p, found.low, found.high) == (0, 1, None, None)


REFERENCES = [
    {"data_id": f"{split}{number}", "answer_eval": ["x"], "data_split": f"unseen_{split}", "question_type": "String"}
    for split in ("question", "entity")
    for number in range(12)
]


def predictions(right: int, without: int = 0) -> list[dict[str, str]]:
    """The first of each split right, the rest wrong."""
    return [
        {"data_id": str(one["data_id"]), "prediction": "x" if place % 12 < right else "y"}
        for place, one in enumerate(REFERENCES)
        if place >= without
    ]


def test_two_sets_of_predictions_are_paired_item_by_item() -> None:
    first, second, paired = compare(predictions(3), predictions(11, without=1), REFERENCES)
    assert first == score(predictions(3), REFERENCES)
    assert second == score(predictions(11, without=1), REFERENCES)
    assert paired.splits == {"unseen_question": PairedCounts(2, 0, 8, 1), "unseen_entity": PairedCounts(3, 0, 8, 1)}
    assert (paired.left_out, paired.items) == (1, 23)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, records in (("few", predictions(3)), ("many", predictions(11)), ("references", REFERENCES)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, records)))
    return tmp_path


def test_the_command_says_which_file_is_better(files: Path) -> None:
    command = ["infoseek", "few.jsonl", "references.jsonl", "--against", "many.jsonl"]
    done = toolgauge(*command, cwd=files)
    assert (done.returncode, done.stderr) == (0, "")
    assert "many.jsonl is better than few.jsonl: final score 91.67 against 25.00" in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "few.jsonl (A) and many.jsonl (B)" in done.stdout
    (line,) = re.findall(r"^Unseen entity .* to .*$", done.stdout, re.M)
    assert line.split()[3:5] == ["0", "8"], "only A, only B: the better file is B"
    vietnamese = toolgauge(*command, "--lang", "vi", cwd=files).stdout
    assert "many.jsonl tốt hơn few.jsonl" in " ".join(vietnamese.split())
    assert max(map(len, vietnamese.splitlines())) <= 80
    data = json.loads(toolgauge(*command, "--format", "json", cwd=files).stdout)
    assert data["final_score"] == 25.0
    assert data["against"]["final_score"] == 91.67
    assert data["comparison"]["p"] < 0.001
    assert data["comparison"]["splits"]["unseen_entity"]["only_second"] == 8
    for form in ("md", "csv", "latex", "html"):
        assert toolgauge(*command, "--format", form, cwd=files).returncode == 0


def test_json_has_intervals_where_they_are_asked_for(files: Path) -> None:
    command = ["infoseek", "many.jsonl", "references.jsonl", "--format", "json"]
    plain = json.loads(toolgauge(*command, cwd=files).stdout)
    more = json.loads(toolgauge(*command, "--intervals", cwd=files).stdout)
    assert set(more) - set(plain) == {"intervals"}
    assert more["intervals"]["unseen_entity_score"]["score"] == list(split_interval(11, 12) or ())
    assert more["intervals"]["unseen_entity_score"]["score_time"] is None


def test_files_without_an_item_in_common_are_not_compared(files: Path) -> None:
    (files / "other.jsonl").write_text(json.dumps({"data_id": "question0", "prediction": "x"}))
    (files / "few.jsonl").write_text(json.dumps({"data_id": "question1", "prediction": "x"}))
    done = toolgauge("infoseek", "few.jsonl", "references.jsonl", "--against", "other.jsonl", cwd=files)
    assert done.returncode == 5
    assert "few.jsonl and other.jsonl have no prediction for the same reference" in done.stderr
