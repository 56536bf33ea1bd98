"""Scoring: pure functions from a case and a trajectory to a score with its evidence.

`score.py` is the definition; `fast.py` takes what the compiled part gives equally, in less time.
"""

from .score import Scorer, score
from .scorers import add_outcomes, open_scorer

__all__ = ["Scorer", "add_outcomes", "open_scorer", "score"]
