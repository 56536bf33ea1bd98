"""What can be said of two contenders: how far apart they are, whether by more than chance, and what it would take."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from .json import JsonValue
from .showing import as_html
from .summary import Estimate, MetricName, Repeated

__all__ = [
    "Comparison",
    "Contender",
    "Contrast",
    "Judged",
    "Mismatch",
    "PairedTest",
    "Pairing",
    "Reliability",
]

Judged = Literal["better", "worse", "no_evidence", "untested"]
"""What is said of the second contender beside the first. No evidence is meant either way: they need not be equal."""

PairedTest = Literal["mcnemar", "permutation", "permutation_drawn"]
"""McNemar's exact test, or a paired permutation test with every permutation counted, or with ten thousand drawn."""


class Contender(Struct, frozen=True, gc=False):
    """An agent in a run."""

    name: str
    """What it is called here: the agent, with its run where that is needed to tell it from others."""
    agent: str
    run: str
    """The run as it was asked for."""
    trials: int
    """The most trials that a case has."""
    planned: int = 0
    """How many trajectories were planned."""
    measured: int = 0
    """How many of them were measured: all but what was cancelled or not run."""


class Contrast(Struct, frozen=True, gc=False):
    """Two contenders by one metric on one group of cases; the empty group is all of them."""

    metric: MetricName
    group: dict[str, str]
    n: int
    """How many cases both have a figure for. Of rates of what was planned, cases that were not run are among them."""
    first: float | None
    second: float | None
    difference: Estimate
    """Second less first, with its 95 % interval."""
    verdict: Judged
    test: PairedTest | None = None
    p: float | None = None
    mid_p: float | None = None
    """The mid-p variant of McNemar's test, for information."""
    adjusted_p: float | None = None
    """After Holm's correction over all pairs; what the verdict rests on."""
    only_first: int | None = None
    """Cases that only the first passed, where each was tried once."""
    only_second: int | None = None
    odds_ratio: Estimate | None = None
    """How many times as often only the second passed as only the first."""
    standardised: float | None = None
    """The difference in standard deviations of cases, where the metric is a mean."""
    detectable: float | None = None
    """The smallest difference that so many cases show four times out of five; None: none that there can be."""
    measured: int = 0
    """On how many of these cases both were measured: what was not run counts as not passed, and nowhere else."""
    more_cases: int | None = None
    """How many more cases it would take to show the difference that was seen; None: cannot be told."""

    @property
    def seems_to_contradict(self) -> bool:
        """Whether the interval leaves out 0 and the verdict is that there is no evidence, or the other way round."""
        low, high = self.difference.low, self.difference.high
        if low is None or high is None or self.adjusted_p is None:
            return False
        return (low > 0 or high < 0) != (self.verdict in ("better", "worse"))


class Pairing(Struct, frozen=True, gc=False):
    """Two contenders, and what is said of the second beside the first."""

    first: str
    second: str
    verdict: Judged
    """By the metric that decides, over all cases."""
    contrasts: tuple[Contrast, ...]


class Reliability(Struct, frozen=True, gc=False):
    """How steady a contender is over several trials of the same cases."""

    contender: str
    cases: int
    """Cases with several trials."""
    flaky: int
    """Those of them that passed in some trials only."""
    flakiness: float
    """How often two trials of a case end differently, on average."""
    examples: tuple[str, ...]
    """The flakiest cases."""
    repeated: tuple[Repeated, ...]


class Mismatch(Struct, frozen=True, gc=False):
    """Something in which runs differ that are compared all the same."""

    kind: Literal["cases", "changed", "tools", "settings", "scoring", "scorers"]
    first: str
    """A run."""
    second: str
    """The run that differs from it."""
    values: dict[str, JsonValue]


class Comparison(Struct, frozen=True, gc=False):
    """Everything that a report of a comparison shows."""

    suite: str
    cases: int
    """How many cases are compared."""
    left_out: int
    """How many cases of the suite are not, because some contender has nothing on them."""
    by: str | None
    """The label that the contrasts are broken down by."""
    metric: MetricName
    """The metric that decides."""
    contenders: tuple[Contender, ...]
    pairings: tuple[Pairing, ...]
    reliability: tuple[Reliability, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    resamples: int = 0
    """How often cases were resampled for the intervals; 0: they are in closed form."""

    def _repr_html_(self) -> str:
        return as_html(self)
