"""What several trials of a case come to: pass@k and pass^k, for every k."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from toolgauge.core import Estimate, Repeated
from toolgauge.stats.intervals import pass_all, pass_any

__all__ = ["PassAtK", "read_pass_at_k", "repeated"]

EVERY_K = 32
"""Up to so many trials every k is given; beyond, its doubles and the number of trials."""

_NAME = re.compile(r"pass([@^])([1-9]\d{0,5})")


class PassAtK(NamedTuple):
    """A figure over k trials, as it is asked for by name: `pass@3` or `pass^3`."""

    every: bool
    """Whether all of the trials have to pass; else one of them."""
    k: int

    def estimate(self, tries: Iterable[tuple[int, int]]) -> Estimate:
        """The figure, given how many trials of each case passed, and how many there were."""
        counted = Counter(tries)
        return pass_all(counted, self.k) if self.every else pass_any(counted, self.k)


def read_pass_at_k(name: str) -> PassAtK | None:
    """What a name such as `pass^3` asks for; None: it is the name of something else."""
    found = _NAME.fullmatch(name)
    return None if found is None else PassAtK(found[1] == "^", int(found[2]))


def repeated(tries: Iterable[tuple[int, int]]) -> tuple[Repeated, ...]:
    """pass@k and pass^k for every k up to the trials that all cases have; nothing where some have one only.

    Args:
        tries: How many trials of each case passed, and how many there were.
    """
    counted = Counter(tries)
    fewest = min((planned for _, planned in counted), default=0)
    if fewest < 2:
        return ()
    doubles = {EVERY_K << power for power in range(1, fewest.bit_length()) if EVERY_K << power < fewest}
    steps = [*range(1, min(fewest, EVERY_K) + 1), *sorted(doubles | ({fewest} if fewest > EVERY_K else set()))]
    return tuple(Repeated(k, pass_any(counted, k), pass_all(counted, k)) for k in steps)
