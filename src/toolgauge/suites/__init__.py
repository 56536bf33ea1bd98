"""Reading suites: the cases, the tools that are there to solve them, and how they are scored."""

from .load import load_suite
from .matchers import check_matcher

__all__ = ["check_matcher", "load_suite"]
