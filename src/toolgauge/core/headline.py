"""What a reader should know before any table: how agents stand to each other, and what fails most."""

from __future__ import annotations

from msgspec import Struct

from .comparison import Pairing
from .diagnosis import Pattern

__all__ = ["Headline"]


class Headline(Struct, frozen=True, gc=False):
    """What the first sentences of a report rest on, beside the summary."""

    pairings: tuple[Pairing, ...] = ()
    """Every two agents by their pass rates over all cases, as `compare` judges them; empty: they were not compared."""
    pattern: Pattern | None = None
    """The fault that shows in most of what did not pass, as `diagnose` finds it."""
    examined: int = 0
    """How many trajectories that did not pass were looked at for it; fewer than there are: it is not known."""
