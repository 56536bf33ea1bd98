"""Numpy makes resampling faster and changes nothing: the same streams, the same sums, the same figures."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from random import Random

import msgspec
import numpy as np
import pytest

from toolgauge.analysis.contrasts import contrast
from toolgauge.metrics import find_metric
from toolgauge.stats import Paired, bootstrap, bootstrap_difference, permutation_test, swapping
from toolgauge.stats.arrays import Columns, PairedArrays, Places, as_array, fast_stream, plain_stream
from toolgauge.stats.differences import find_differences
from toolgauge.stats.swapping import Swaps

pytestmark = pytest.mark.deep


@pytest.mark.parametrize("seed", [0, 1, 20260131, 2**32 - 1])
def test_both_streams_give_the_same_bytes(seed: int) -> None:
    plain, fast = plain_stream(seed), fast_stream(np, seed)
    for number in (4, 400, 8, 40_000):
        assert plain(number) == fast(number)


def without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (swapping, bootstrap):
        monkeypatch.setattr(module, "accelerator", lambda: None)


@pytest.mark.parametrize("single", [0, 1, 7, 8, 33, 700])
def test_drawn_sums_are_the_same(single: int) -> None:
    random = Random(single)
    pairs = [(random.randint(-(2**40), 2**40), random.randint(-9, 9)) for _ in range(single)]
    swaps = Swaps(pairs, [((3, 1), 16), ((5, 0), 31), ((1, 2), 32), ((7, 7), 1_000)])
    drawn = swapping._fast(swaps, 300, 7, np)
    fast = [pair for above, below in drawn for pair in zip(above.tolist(), below.tolist(), strict=True)]
    assert list(swapping._plain(swaps, 300, 7)) == fast
    assert len(set(fast)) > 50


def pair(n: int, seed: int) -> Paired:
    random = Random(seed)
    columns = [[random.lognormvariate(6, 1) for _ in range(n)] for _ in range(2)]
    return Paired(columns[0], [random.randint(1, 3) for _ in range(n)], columns[1], [1] * n)


@pytest.mark.parametrize("n", [40, 2_500])
def test_p_values_and_intervals_are_the_same_to_the_last_bit(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    paired = pair(n, n)
    strata = [str(place % 3) for place in range(n)]
    fast = permutation_test(paired), bootstrap_difference(paired, strata=strata, resamples=150)
    without_numpy(monkeypatch)
    assert (permutation_test(paired), bootstrap_difference(paired, strata=strata, resamples=150)) == fast
    assert fast[0].method == "resampled"


def test_everything_works_where_numpy_is_not_installed() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from toolgauge.stats import Paired, permutation_test, bootstrap_difference\n"
        "n = 40; paired = Paired([i * 1.1 for i in range(n)], [1] * n, [i * i % 7 + i for i in range(n)], [1] * n)\n"
        "print(repr(permutation_test(paired).p), repr(bootstrap_difference(paired, resamples=100)))"
    )
    plain = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    with_numpy = code.replace("sys.modules['numpy'] = None", "import numpy")
    fast = subprocess.run([sys.executable, "-c", with_numpy], capture_output=True, text=True, check=True).stdout
    assert plain == fast


def columns(kind: str, n: int, random: Random) -> Sequence[Sequence[float]]:
    """The four columns of a pair: upper and lower sums of the first, then of the second."""
    ones = [1] * n
    if kind == "binary":
        return [[random.randint(0, 1) for _ in range(n)], ones, [random.randint(0, 1) for _ in range(n)], ones]
    if kind == "trials":
        return [[random.randint(0, 3) for _ in range(n)], [3] * n, [random.randint(0, 3) for _ in range(n)], [3] * n]
    if kind == "halves":
        right = [[random.randint(0, 3) for _ in range(n)] for _ in range(2)]
        return [right[0], [k + random.randint(0, 4) / 2 for k in right[0]], right[1], [k + 1.5 for k in right[1]]]
    if kind == "uneven":
        calls = [[random.randint(0, 3) for _ in range(n)] for _ in range(2)]
        return [[float(random.randint(0, k)) for k in calls[0]], calls[0], [k * 0.3 for k in calls[1]], calls[1]]
    if kind == "equal":
        same = [random.random() for _ in range(n)]
        return [same, ones, same, ones]
    if kind == "large":
        amounts = [float(random.randint(0, 2**52)) for _ in range(n)]
        return [amounts, ones, amounts[1:] + amounts[:1], ones]
    return [
        [random.lognormvariate(6, 2) for _ in range(n)],
        ones,
        [random.lognormvariate(6, 2) for _ in range(n)],
        ones,
    ]


KINDS = ["binary", "trials", "halves", "uneven", "equal", "large", "amounts"]


def both_ways(kind: str, n: int) -> tuple[Paired, PairedArrays]:
    made = columns(kind, n, Random(f"{kind} {n}"))
    arrays = [as_array(column, np) for column in made]
    return Paired(*made), PairedArrays(arrays[0], arrays[1], arrays[2], arrays[3], np)


@pytest.mark.parametrize("n", [1, 2, 13, 400, 5_000])
@pytest.mark.parametrize("kind", KINDS)
def test_arrays_give_the_figures_of_lists_to_the_last_bit(kind: str, n: int) -> None:
    listed, arrays = both_ways(kind, n)
    for paired in (listed, arrays):
        assert len(paired) == n
    for name in ("totals", "first", "second", "once", "binary", "even", "discordant", "spread"):
        assert getattr(arrays, name) == getattr(listed, name), name
    assert arrays.influences().tolist() == listed.influences()
    assert arrays.means() == listed.means()
    assert arrays.contributions().listed() == listed.contributions()
    assert arrays.listed() == listed


@pytest.mark.parametrize("n", [1, 13, 400, 5_000])
@pytest.mark.parametrize("kind", KINDS)
def test_contrasts_are_the_same_with_arrays(kind: str, n: int) -> None:
    listed, arrays = both_ways(kind, n)
    names = ("pass_rate", "f1", "precision", "score", "latency")
    for metric in filter(None, map(find_metric, names if kind != "amounts" else ("latency",))):
        found = contrast(metric, arrays, {"kind": kind}), contrast(metric, listed, {"kind": kind})
        # What is shown is written as JSON, where a number of numpy would be an error.
        assert msgspec.json.encode(found[0]) == msgspec.json.encode(found[1])
        drawn = contrast(metric, arrays, {}, resamples=100), contrast(metric, listed, {}, resamples=100)
        assert drawn[0] == drawn[1]


@pytest.mark.parametrize("n", [1, 40, 3_000])
@pytest.mark.parametrize("kind", KINDS)
def test_differences_come_in_the_same_groups_and_order(kind: str, n: int) -> None:
    fast, plain = map(find_differences, both_ways(kind, n)[::-1])
    assert (len(fast.groups), fast.groups.total, fast.seen) == (len(plain.groups), plain.groups.total, plain.seen)
    assert list(fast.groups) == list(plain.groups)
    assert (fast.above[1:], fast.below[1:]) == (plain.above[1:], plain.below[1:])
    for number, slope in ((1, 0.0), (7, 0.5), (512, 0.83)):
        assert fast.groups.largest(number, slope) == plain.groups.largest(number, slope)


def test_amounts_that_an_array_would_round_stay_in_lists() -> None:
    n = 1_200
    exact = Columns([2**53 + 1] * n, [1] * n, frozenset())
    small = Columns([2**53 - 1] * n, [1] * n, frozenset())
    everywhere = Places(range(n))
    assert type(exact.paired(small, everywhere)) is type(small.paired(exact, everywhere)) is Paired
    assert isinstance(small.paired(small, everywhere), PairedArrays)
    assert type(small.paired(small, Places(range(10)))) is Paired


def test_columns_are_taken_at_the_places_of_a_group() -> None:
    n = 3_000
    first, second = Columns(list(range(n)), [1] * n, frozenset({2})), Columns([5] * n, [2] * n, frozenset({4}))
    places = Places(range(0, n, 2)).without(first.missing | second.missing)
    taken = [place for place in range(0, n, 2) if place not in (2, 4)]
    size = len(taken)
    assert first.paired(second, places).listed() == Paired(taken, [1] * size, [5] * size, [2] * size)
