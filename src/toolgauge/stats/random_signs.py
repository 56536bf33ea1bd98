"""The chance that whole numbers with random signs add up to at least so much, where there are too many to count sums.

Give each number its sign by a fair coin, and count the sum by the coins that show heads. The chance of every sum then
follows from the characteristic function, a product of one factor for each coin, at as many points as there are sums
(Pagano and Tritchler, 1983). All but the points near 0 are as good as 0 and are left out.

A chance of one in a billion would be lost in the rounding of others near a half. So the coins are loaded until the sum
in question is the one to be expected, which multiplies its chance by a factor that is known, and is taken out again.
"""

from __future__ import annotations

from cmath import exp as complex_exp
from cmath import log as complex_log
from collections.abc import Sequence
from math import exp, expm1, fsum, gcd, inf, log, log1p, pi, sin, sqrt
from typing import NamedTuple

__all__ = ["chance_of_sum"]

_MAX_WORK = 1_000_000
"""How many factors of the characteristic function there may be, points times different numbers."""

_NEGLIGIBLE = 80.0
"""Of a point whose factors multiply to less than exp(-40) nothing is left in the sum."""

_STEEPEST = 700.0
"""The most that a coin is loaded by: the logarithm of its odds, of which the exponential still is a number."""

_HALVINGS = 60


class _Coin(NamedTuple):
    """Equal numbers, and how their coins are loaded."""

    size: int
    many: int
    heads: float
    """The chance of heads."""
    tails: float


def chance_of_sum(numbers: Sequence[tuple[int, int]], least: int) -> float | None:
    """The chance that the numbers add up to at least so much; None where finding it takes too long.

    Args:
        numbers: Numbers above 0, each with how often it is there.
        least: The sum in question, above 0 and at most that of all numbers.
    """
    unit = gcd(*(size for size, _ in numbers))
    numbers = [(size // unit, many) for size, many in numbers]
    whole = sum(size * many for size, many in numbers)
    # The sum is what shows heads, less the rest; where no signs lead to this one, the next does.
    wanted = (-(-least // unit) + whole + 1) // 2
    points = whole + 1 + whole % 2
    if points * len(numbers) > _MAX_WORK:
        return None
    load = _load(numbers, wanted)
    # Each coin's (1 + exp(load * size)) / 2, less exp(load) for each unit of the sum.
    scale = fsum(many * (load * size + log1p(exp(-load * size)) - log(2.0)) for size, many in numbers) - load * wanted
    if exp(scale) == 0.0:
        return 0.0
    coins = [_Coin(size, many, 1 / (1 + exp(-load * size)), 1 / (1 + exp(load * size))) for size, many in numbers]
    return exp(scale) * _loaded_chance(coins, wanted, whole - wanted + 1, points, load)


def _load(numbers: Sequence[tuple[int, int]], wanted: int) -> float:
    """How much a unit of a number loads its coin, for this sum of heads to be about the one to be expected."""
    low, high = 0.0, _STEEPEST / max(size for size, _ in numbers)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if fsum(size * many / (1 + exp(-middle * size)) for size, many in numbers) < wanted:
            low = middle
        else:
            high = middle
    # Without any load the sums beyond would all weigh the same, which is harder to add up.
    return max(low, 2 / sqrt(sum(size * size * many for size, many in numbers)))


def _loaded_chance(coins: Sequence[_Coin], wanted: int, sums: int, points: int, load: float) -> float:
    """The chance of the sums from one on with loaded coins, each sum weighed by how much the load has made of it.

    Args:
        coins: The coins.
        wanted: The first sum.
        sums: How many there are.
        points: At how many points the characteristic function is looked at; an odd number.
        load: The load of a unit.
    """
    spreads = sorted(((4 * coin.many * coin.heads * coin.tails, coin.size) for coin in coins), reverse=True)
    found = [expm1(-load * sums) / expm1(-load)]
    for point in range(1, points // 2 + 1):
        angle = 2 * pi * point / points
        if _decline(spreads, angle / 2) > _NEGLIGIBLE:
            continue
        turned = sum(
            coin.many * complex_log(coin.tails + coin.heads * complex_exp(complex(0, angle * coin.size)))
            for coin in coins
        )
        step = complex(-load, -angle)
        beyond = (1 - complex_exp(sums * step)) / (1 - complex_exp(step))
        # The point on the other side of 0 adds the conjugate.
        found.append(2 * (complex_exp(turned - complex(0, angle * wanted)) * beyond).real)
    return fsum(found) / points


def _decline(spreads: Sequence[tuple[float, int]], half_angle: float) -> float:
    """Twice the logarithm by which the characteristic function has declined at least; more than enough is endless."""
    lost = 0.0
    for spread, size in spreads:
        sine = sin(half_angle * size)
        lost += spread * sine * sine
        if lost > _NEGLIGIBLE:
            return inf
    return lost
