"""Numpy makes resampling faster and changes nothing: the same streams, the same sums, the same figures."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import numpy as np
import pytest

from toolgauge.stats import Paired, bootstrap, bootstrap_difference, permutation_test, swapping
from toolgauge.stats.randomness import fast_stream, plain_stream
from toolgauge.stats.swapping import Swaps, draw_sums


@pytest.mark.parametrize("seed", [0, 1, 20260131, 2**32 - 1])
def test_both_streams_give_the_same_bytes(seed: int) -> None:
    plain, fast = plain_stream(seed), fast_stream(np, seed)
    for number in (4, 400, 8, 40_000):
        assert plain(number) == fast(number)


def without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (swapping, bootstrap):
        monkeypatch.setattr(module, "accelerator", lambda: None)


@pytest.mark.parametrize("single", [0, 1, 7, 8, 33, 700])
def test_drawn_sums_are_the_same(single: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(single)
    pairs = [(random.randint(-(2**40), 2**40), random.randint(-9, 9)) for _ in range(single)]
    swaps = Swaps(pairs, [((3, 1), 16), ((5, 0), 31), ((1, 2), 32), ((7, 7), 1_000)])
    fast = list(draw_sums(swaps, 300))
    without_numpy(monkeypatch)
    assert list(draw_sums(swaps, 300)) == fast
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
