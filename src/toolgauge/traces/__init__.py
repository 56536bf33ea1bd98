"""Reading recorded trajectories, and joining them to the cases of a suite."""

from .join import Join
from .notes import ImportReport
from .read import read_traces

__all__ = ["ImportReport", "Join", "read_traces"]
