"""Which trials of each agent on each case have been seen, kept small for millions of them."""

from __future__ import annotations

from typing import TypeAlias

__all__ = ["MAX_MASKED_TRIAL", "SeenTrials", "TrialKey"]

TrialKey: TypeAlias = tuple[str, str, int]
"""Agent, case and trial: what is done once in a run."""

MAX_MASKED_TRIAL = 1024
"""Trials up to this number are bits of one integer; a larger one is kept by itself, so that none costs much memory."""


class SeenTrials:
    """The trials that were seen. Each counts once."""

    __slots__ = ("large", "masks")

    def __init__(self) -> None:
        self.masks: dict[str, dict[str, int]] = {}
        """By agent and case the trials as bits; a case of which only large trials were seen has 0."""
        self.large: dict[tuple[str, str], set[int]] = {}
        """By agent and case the trials beyond the mask."""

    def add(self, agent: str, case: str, trial: int) -> bool:
        """Record a trial, and say whether it is new."""
        masks = self.masks.get(agent)
        if masks is None:
            masks = self.masks[agent] = {}
        mask = masks.get(case, 0)
        if 0 <= trial <= MAX_MASKED_TRIAL:
            masks[case] = mask | 1 << trial
            return not mask >> trial & 1
        masks[case] = mask
        large = self.large.setdefault((agent, case), set())
        known = trial in large or (trial > 0 and mask >> trial & 1)
        large.add(trial)
        return not known

    def add_lowest_free(self, agent: str, case: str) -> int:
        """Record the lowest trial that is free, from 1 on, and return it; 0 is for recorders that count from there."""
        masks = self.masks.setdefault(agent, {})
        mask = masks.get(case, 0)
        large = self.large.get((agent, case), ())
        while (free := _lowest_free(mask)) in large:
            mask |= 1 << free
        masks[case] = mask | 1 << free
        return free


def _lowest_free(mask: int) -> int:
    mask |= 1
    return (~mask & (mask + 1)).bit_length() - 1
