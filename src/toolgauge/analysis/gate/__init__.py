"""Deciding whether a run is good enough: limits on its figures, cases that must pass, no loss against a baseline."""

from .decide import DEFAULT_MAX_DROP, DEFAULT_PASS_RATE, Flaky, gate
from .limits import Limit, read_limit, read_number, split_limit

__all__ = [
    "DEFAULT_MAX_DROP",
    "DEFAULT_PASS_RATE",
    "Flaky",
    "Limit",
    "gate",
    "read_limit",
    "read_number",
    "split_limit",
]
