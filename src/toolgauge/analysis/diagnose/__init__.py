"""Finding the patterns in what goes wrong: which faults, of which tool and argument, and what to change about it."""

from .diagnose import diagnose

__all__ = ["diagnose"]
