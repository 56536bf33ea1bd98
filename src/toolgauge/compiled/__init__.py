"""The compiled part: it scores and adds up what is plain, which nearly everything in a large file is.

It is built where a C compiler is at hand when toolgauge is installed. Without it Python does the same, with the same
results. What it does not know it leaves to Python: `scoring/score.py` and `metrics/contributions.py` say what is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["AVAILABLE", "PlainCase", "PlainTotals", "score_plain"]

WANTED = 4
"""The version of the compiled part that belongs to this code."""

if TYPE_CHECKING:
    from ._compiled import VERSION, PlainCase, PlainTotals, score_plain
else:
    try:
        from ._compiled import VERSION, PlainCase, PlainTotals, score_plain
    except ImportError:
        VERSION = PlainCase = PlainTotals = score_plain = None

AVAILABLE = VERSION == WANTED
"""Whether it is there. Nothing else here may be used otherwise."""
