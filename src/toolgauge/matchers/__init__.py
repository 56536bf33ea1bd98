"""Rules for one argument value: literals, matchers such as `{$one_of: [...]}`, and Python callables.

matcher.py has what a matcher and a rule are, table.py all of them and what is asked of them; values.py, numbers.py,
schemas.py and bfcl.py have an entry for each, python.py how callables are asked. dates.py reads days, months and
years as agents write them.
"""

from .bfcl import BFCL_TYPES
from .dates import readings
from .matcher import (
    NOTHING_BEFORE,
    RULE_SCHEMA,
    TEXT_SCHEMA,
    Description,
    Earlier,
    Fits,
    Fitting,
    Matcher,
    Rule,
    RuleContext,
    is_literal,
    object_schema,
)
from .python import SuiteFault, name_rule
from .schema_work import TooMuchWork
from .schemas import CompiledSchema, SchemaBreach, compile_schema, schema_fault
from .table import (
    MATCHERS,
    NOT_A_MATCHER,
    check_rule,
    compile_rule,
    describe,
    fitting,
    read_matcher,
    rule_schema,
    taken_literally,
)
from .values import ANY, ONE_OF

__all__ = [
    "ANY",
    "BFCL_TYPES",
    "MATCHERS",
    "NOTHING_BEFORE",
    "NOT_A_MATCHER",
    "ONE_OF",
    "RULE_SCHEMA",
    "TEXT_SCHEMA",
    "CompiledSchema",
    "Description",
    "Earlier",
    "Fits",
    "Fitting",
    "Matcher",
    "Rule",
    "RuleContext",
    "SchemaBreach",
    "SuiteFault",
    "TooMuchWork",
    "check_rule",
    "compile_rule",
    "compile_schema",
    "describe",
    "fitting",
    "is_literal",
    "name_rule",
    "object_schema",
    "read_matcher",
    "readings",
    "rule_schema",
    "schema_fault",
    "taken_literally",
]
