"""Reading recorded trajectories, and joining them to the cases of a suite."""

from .join import Join
from .normal import checked
from .notes import ImportReport
from .read import read_traces

__all__ = ["ImportReport", "Join", "checked", "read_traces"]
