"""Reading suites: the cases, the tools that are there to solve them, and how they are scored."""

from .bfcl import load_bfcl_suite
from .check import check_suite
from .load import load_suite
from .places import find_lines
from .propose import Proposal, propose_suite
from .writing import write_suite

__all__ = [
    "Proposal",
    "check_suite",
    "find_lines",
    "load_bfcl_suite",
    "load_suite",
    "propose_suite",
    "write_suite",
]
