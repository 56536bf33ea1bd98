"""Scoring: pure functions from a case and a trajectory to a score with its evidence."""

from .alignment import Aligned, align
from .plans import ReadyCase, ReadyPlan, Slot, ready
from .score import Scorer, score

__all__ = ["Aligned", "ReadyCase", "ReadyPlan", "Scorer", "Slot", "align", "ready", "score"]
