"""Scoring: pure functions from a case and a trajectory to a score with its evidence.

`score.py` is the definition; `fast.py` takes what the compiled part gives equally, in less time.
"""

from .score import Scorer, score

__all__ = ["Scorer", "score"]
