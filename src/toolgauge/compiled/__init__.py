"""The compiled part: it scores and adds up what is plain, which nearly everything in a large file is.

It is built where a C compiler is at hand when toolgauge is installed. Without it Python does the same, with the same
results. What it does not know it leaves to Python: `scoring/score.py` and `metrics/contributions.py` say what is right.
It is a package of its own since both need it: `scoring/fast.py` and `metrics/totals.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .fingerprint import fingerprint

__all__ = ["AVAILABLE", "PlainCase", "PlainTotals", "score_plain"]

NOT_BUILT = -1

if TYPE_CHECKING:
    from ._compiled import FINGERPRINT, PlainCase, PlainTotals, score_plain
else:
    try:
        from ._compiled import FINGERPRINT, PlainCase, PlainTotals, score_plain
    except ImportError:
        FINGERPRINT = NOT_BUILT
        PlainCase = PlainTotals = score_plain = None

AVAILABLE = FINGERPRINT != NOT_BUILT and fingerprint() in (None, FINGERPRINT)
"""Whether it is there and was built from these sources. Nothing else here may be used otherwise."""
