"""Reading suites: the cases, the tools that are there to solve them, and how they are scored."""

from .load import load_suite

__all__ = ["load_suite"]
