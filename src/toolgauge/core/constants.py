"""The few constants that everybody means alike."""

from __future__ import annotations

import os
from typing import TypeAlias

__all__ = ["ANY_OTHER", "ROUNDING_SLACK", "PathLike"]

ANY_OTHER = "*"
"""In `forbid_args`: every argument that is not named otherwise."""

ROUNDING_SLACK = 1e-9
"""Figures that are no farther apart than this differ by rounding only."""

PathLike: TypeAlias = str | os.PathLike[str]
