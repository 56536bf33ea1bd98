"""Reading suites: the cases, the tools that are there to solve them, and how they are scored."""

from .check import check_suite
from .definitions import undefined_tools
from .formats.bfcl import Names, load_bfcl_suite
from .formats.judged import JudgedAnswer, read_judged_answers
from .load import find_lines, load_suite
from .places import case_lines, suite_file
from .propose import Proposal, propose_suite
from .selection import select_cases
from .write import write_suite

__all__ = [
    "JudgedAnswer",
    "Names",
    "Proposal",
    "case_lines",
    "check_suite",
    "find_lines",
    "load_bfcl_suite",
    "load_suite",
    "propose_suite",
    "read_judged_answers",
    "select_cases",
    "suite_file",
    "undefined_tools",
    "write_suite",
]
