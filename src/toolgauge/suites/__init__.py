"""Reading suites: the cases, the tools that are there to solve them, and how they are scored.

Names are imported when they are first used: whoever loads a suite writes and proposes none.
"""

from __future__ import annotations

from toolgauge.lazy import lazy_exports

TYPE_CHECKING = False  # see toolgauge/lazy.py
if TYPE_CHECKING:
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

__getattr__ = lazy_exports(
    __name__,
    {
        ".check": "check_suite",
        ".definitions": "undefined_tools",
        ".formats.bfcl": "Names load_bfcl_suite",
        ".formats.judged": "JudgedAnswer read_judged_answers",
        ".load": "find_lines load_suite",
        ".places": "case_lines suite_file",
        ".propose": "Proposal propose_suite",
        ".selection": "select_cases",
        ".write": "write_suite",
    },
)
