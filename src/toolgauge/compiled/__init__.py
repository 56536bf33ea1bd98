"""The compiled part: it scores and adds up what is plain, which nearly everything in a large file is.

It is built where a C compiler is at hand when toolgauge is installed. Without it Python does the same, with the same
results. What it does not know it leaves to Python: `scoring/plain.py` and `stats/tally.py` say what is right.
"""

from __future__ import annotations

try:
    from ._compiled import Adder, PlainCase, score_plain
except ImportError:
    AVAILABLE = False
else:
    AVAILABLE = True

__all__ = ["AVAILABLE", "Adder", "PlainCase", "score_plain"]
