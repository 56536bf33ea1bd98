"""Rules for one argument value: literals, matchers such as `{$one_of: [...]}`, and Python callables.

rules.py has what a rule is and how literals are compared, meaning.py what each matcher means, shapes.py what may be
written in it, dates.py days, months and years as agents write them, schemas.py how JSON schemas are compiled, bfcl.py
the comparison of one leaderboard.
"""

from .bfcl import BFCL_TYPES
from .dates import readings
from .meaning import COMPILERS, compile_rule
from .rules import NOTHING_BEFORE, Earlier, Fits, Rule
from .schemas import compile_schema, schema_fault
from .shapes import check_rule

__all__ = [
    "BFCL_TYPES",
    "MATCHERS",
    "NOTHING_BEFORE",
    "Earlier",
    "Fits",
    "Rule",
    "check_rule",
    "compile_rule",
    "compile_schema",
    "readings",
    "schema_fault",
]

MATCHERS = tuple(COMPILERS)
"""The names of all matchers."""
