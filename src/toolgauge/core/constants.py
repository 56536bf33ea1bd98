"""The few constants that everybody means alike."""

from __future__ import annotations

import os
from typing import TypeAlias

__all__ = ["ANY_OTHER", "CATEGORY", "JUDGE", "OPINIONS", "POINTER", "ROUNDING_SLACK", "TUPLE", "PathLike"]

ANY_OTHER = "*"
"""In `forbid_args`: every argument that is not named otherwise."""

CATEGORY = "category"
"""The label that holds the category of a question of the Berkeley Function-Calling Leaderboard."""

JUDGE = "judge"
"""The kind of event that holds what a language model thinks of an answer."""

POINTER = "answer_pointer"
"""The kind of event that holds the passage of an answer that a language model points to."""

OPINIONS = (JUDGE, POINTER)
"""What a trajectory keeps that models were asked after the agent was done."""

TUPLE = "$tuple"
"""The key of an object that stands for a Python tuple among arguments, where that is told from a list."""

ROUNDING_SLACK = 1e-9
"""Figures that are no farther apart than this differ by rounding only."""

PathLike: TypeAlias = str | os.PathLike[str]
