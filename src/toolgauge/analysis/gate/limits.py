"""Limits on metrics: how they are written, and which metrics there are to limit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal

from toolgauge.core import Case, Suite, nfc
from toolgauge.errors import NothingToDo, UsageError, did_you_mean
from toolgauge.metrics import METRICS, Metric, find_metric, read_pass_at_k

__all__ = [
    "Limit",
    "Side",
    "check_bound",
    "known_metric",
    "matching_cases",
    "read_limit",
    "read_number",
    "split_limit",
]

Side = Literal["minimum", "maximum"]

PERCENTILES = ("p50", "p95")

_NAME = re.compile(r"(?P<metric>[^\[\]=]*)(?:\[(?P<group>.*)\])?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Limit:
    """The least or the most that a metric may be, for all cases or for those with certain labels."""

    side: Side
    metric: str
    bound: float
    percentile: str | None = None
    """`p50` or `p95`, where not the mean is meant."""
    group: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The metric as it is written."""
        return self.metric if self.percentile is None else f"{self.metric}.{self.percentile}"


def read_limit(text: str, side: Side, bound: float | None = None, metrics: Sequence[Metric] = METRICS) -> Limit:
    """Read a limit such as `f1=0.8`, `f1[difficulty=hard]=80%`, `latency.p95=2000` or `pass^3=0.7`.

    Args:
        text: The limit; without its number where that is given by itself.
        side: Whether it is the least or the most.
        bound: The number.
        metrics: The metrics that there are to limit.

    Raises:
        UsageError: It is written in another way, there is no such metric, or no such value of it.
    """
    name = text
    if bound is None:
        name, bound = split_limit(text)
    found = _NAME.fullmatch(name)
    if found is None:
        raise UsageError(f"{name!r} is not a metric; write f1, f1[difficulty=hard] or latency.p95")
    base, dot, percentile = found["metric"].strip().partition(".")
    if read_pass_at_k(found["metric"].strip()) is not None:
        _check_share(base, bound, "limited to")
        return Limit(side, base, bound, None, _group(found["group"], name))
    metric = known_metric(base, metrics)
    if dot and (not metric.percentiles or percentile not in PERCENTILES):
        raise UsageError(f"{found['metric']!r} is not a metric; amounts such as latency have .p50 and .p95")
    check_bound(metric, bound, "limited to")
    return Limit(side, metric.name, bound, percentile or None, _group(found["group"], name))


def split_limit(text: str) -> tuple[str, float]:
    """What a limit is about, as it is written, and its number.

    Raises:
        UsageError: It is written in another way.
    """
    name, equals, number = text.rpartition("=")
    if not equals or not name or name.count("[") > name.count("]"):
        raise UsageError(f"write a limit on a metric as NAME=NUMBER, such as f1=0.8, not {text!r}")
    return name, read_number(number, text)


def known_metric(name: str, metrics: Sequence[Metric] = METRICS) -> Metric:
    """The metric of a name.

    Raises:
        UsageError: There is none among these.
    """
    metric = find_metric(name, metrics)
    if metric is None:
        names = [known.name for known in metrics]
        hint = did_you_mean(name, names) or f"known here: {', '.join(names)}, pass@K, pass^K"
        raise UsageError(f"there is no metric {name!r}; {hint}")
    return metric


def read_number(text: str, whole: str = "") -> float:
    """A number, or a percentage.

    Raises:
        UsageError: It is neither.
    """
    digits = text.strip()
    try:
        number = float(digits.removesuffix("%").strip()) / (100 if digits.endswith("%") else 1)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        place = f" in {whole!r}" if whole and whole != text else ""
        raise UsageError(f"{text!r}{place} is not a number; write 0.9 or 90%")
    return number


def check_bound(metric: Metric, bound: float, what: str) -> None:
    """Make sure that a number can be a value of a metric, or a difference of two.

    Args:
        metric: The metric.
        bound: The number.
        what: What the metric is to be by it, such as `limited to`.

    Raises:
        UsageError: It cannot, as a percentage without its sign.
    """
    if metric.kind != "amount":
        _check_share(metric.name, bound, what)
    elif not isfinite(bound) or bound < 0:
        raise UsageError(f"{metric.name} cannot be {what} {bound:g}; give 0 or more, such as 0.05")


def _check_share(name: str, bound: float, what: str) -> None:
    if not isfinite(bound) or bound < 0:
        raise UsageError(f"{name} cannot be {what} {bound:g}; give 0 or more, such as 0.05")
    if bound > 1:
        hint = f"; write {bound:g}% as {bound:g}% or {bound / 100:g}" if bound <= 100 else ""
        raise UsageError(f"{name} cannot be {what} {bound:g}: it lies between 0 and 1{hint}")


def _group(text: str | None, name: str) -> dict[str, str]:
    if text is None:
        return {}
    parts = text.split(",")
    if not all("=" in part for part in parts):
        parts = [text]  # a comma may be part of the value
    group = {}
    for part in parts:
        label, equals, value = part.partition("=")
        if not equals or not label.strip():
            raise UsageError(f"write labels as [LABEL=VALUE], such as [difficulty=hard], not {name!r}")
        group[nfc(label.strip())] = nfc(value.strip())
    return group


def matching_cases(suite: Suite, group: dict[str, str]) -> frozenset[str]:
    """The ids of the cases with these labels.

    Raises:
        NothingToDo: There is none.
    """
    found = frozenset(case.id for case in suite.cases if has_labels(case, group))
    if found or not group:
        return found
    for label, value in group.items():
        known = list(dict.fromkeys(nfc(case.labels[label]) for case in suite.cases if label in case.labels))
        if value not in known:
            labels = list(dict.fromkeys(key for case in suite.cases for key in case.labels))
            hint = did_you_mean(value, known) if known else did_you_mean(label, labels) or "its cases have no labels"
            what = f"no case of suite {suite.name!r} has the label {label}={value}"
            raise NothingToDo(what + (f"; {hint}" if hint else ""))
    written = ", ".join(f"{label}={value}" for label, value in group.items())
    raise NothingToDo(f"no case of suite {suite.name!r} has all of the labels {written}")


def has_labels(case: Case, group: dict[str, str]) -> bool:
    """Whether a case has these labels."""
    return all(nfc(case.labels.get(label, "")) == value for label, value in group.items())
