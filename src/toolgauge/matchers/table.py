"""The table of matchers, and what is asked of it: check, compile, describe, the JSON schema, what is known of values.

A matcher is added by an entry here, and by its words in the catalogue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from toolgauge.core import JsonValue
from toolgauge.errors import did_you_mean
from toolgauge.files import Fault, Path, shorten

from .bfcl import BFCL
from .matcher import (
    RULE_SCHEMA,
    Description,
    Fitting,
    Matcher,
    Rule,
    RuleContext,
    Schema,
    every_key,
    in_turn,
    is_literal,
    literal,
)
from .numbers import APPROX, DATE, RANGE
from .python import asking
from .schemas import REGEX, SCHEMA
from .values import ABSENT, ANY, CONTAINS, DEFAULT, FROM, ITEMS, LITERAL, NOT, ONE_OF, PARTIAL, SET

__all__ = [
    "MATCHERS",
    "NOT_A_MATCHER",
    "check_rule",
    "compile_rule",
    "describe",
    "fitting",
    "read_matcher",
    "rule_schema",
    "taken_literally",
]

MATCHERS: dict[str, Matcher] = {
    matcher.name: matcher
    for matcher in (
        LITERAL,
        ANY,
        ONE_OF,
        NOT,
        ABSENT,
        DEFAULT,
        REGEX,
        CONTAINS,
        APPROX,
        RANGE,
        DATE,
        SET,
        ITEMS,
        PARTIAL,
        SCHEMA,
        FROM,
        BFCL,
    )
}
"""All matchers by name, in the order in which they are listed to people."""

NOT_A_MATCHER: Schema = {"pattern": "^([^$]|$)"}
"""The names of keys that are no matchers."""


def read_matcher(rule: object) -> tuple[Matcher, JsonValue] | None:
    """The matcher that a rule is, and what is written in it; None where it is a literal or a Python callable."""
    if isinstance(rule, Mapping) and len(rule) == 1:
        name = next(iter(rule))
        if name in MATCHERS:
            return MATCHERS[name], rule[name]
    return None


def taken_literally(value: JsonValue) -> JsonValue:
    """A rule that only this value fits, even where it looks like a matcher."""
    return {LITERAL.name: value} if _holds_dollar(value) else value


def _holds_dollar(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return any(key.startswith("$") or _holds_dollar(item) for key, item in value.items())
    return isinstance(value, list) and any(map(_holds_dollar, value))


def compile_rule(rule: JsonValue | Callable[[JsonValue], bool], locale: str | None = None) -> Rule:
    """Make a rule of what stands in a suite.

    A dict with one key that starts with `$` is a matcher; anything else is a literal, in whose lists and dicts matchers
    may stand again. A Python callable is asked; where it raises, or says neither True nor False, the suite is at fault.

    Args:
        rule: The literal, matcher or callable.
        locale: Which of day and month comes first in dates: `vi`, `en`, or unknown.
    """
    if callable(rule):
        return Rule(asking(rule))
    if isinstance(rule, dict):
        name = next(iter(rule), "")
        if len(rule) == 1 and name.startswith("$"):
            return MATCHERS[name].compile(rule[name], RuleContext(locale, compile_rule))
        parts = {key: compile_rule(item, locale) for key, item in rule.items()}
        return Rule(every_key(parts, others=False), looks_back=any(part.looks_back for part in parts.values()))
    if isinstance(rule, list):
        items = [compile_rule(item, locale) for item in rule]
        return Rule(in_turn([item.fits for item in items]), looks_back=any(item.looks_back for item in items))
    return Rule(literal(rule))


def check_rule(rule: JsonValue, path: Path) -> Iterator[Fault]:
    """Everything wrong with the matchers in an expected value, however deep they stand.

    A literal may hold lists and objects, but a key that starts with `$` is never part of a literal: its object has to
    be a known matcher, with that one key. Only inside `$literal` everything stands for itself.
    """
    if isinstance(rule, list):
        for index, item in enumerate(rule):
            yield from check_rule(item, (*path, index))
    elif isinstance(rule, dict):
        name = next((key for key in rule if key.startswith("$")), None)
        if name is None:
            for key, item in rule.items():
                yield from check_rule(item, (*path, key))
        elif name not in MATCHERS:
            hint = did_you_mean(name, list(MATCHERS)) or f"matchers are {', '.join(MATCHERS)}"
            yield Fault((*path, name), f"{shorten(name)} is not a matcher", hint, at_key=True)
        elif len(rule) > 1:
            other = next(key for key in rule if key != name)
            what = f"a matcher must be alone in its object, but {shorten(other)} is beside {name!r}"
            yield Fault((*path, other), what, at_key=True)
        else:
            yield from _check_matcher(MATCHERS[name], rule[name], (*path, name))


def _check_matcher(matcher: Matcher, written: JsonValue, path: Path) -> Iterator[Fault]:
    faults = list(matcher.check(written, path))
    yield from faults
    if not faults and matcher.holds == "rules":
        yield from check_rule(written, path)


def describe(rule: Mapping[str, object]) -> Description | None:
    """What a matcher is put into words with; None where this is none."""
    found = read_matcher(rule)
    if found is None:
        return None
    matcher, written = found
    if matcher.describe is None:
        return Description(f"value.{matcher.name[1:]}", {"value": written})
    return matcher.describe(written)


def fitting(rule: JsonValue) -> Fitting:
    """What is known of the values that fit a literal or a matcher; nothing where it is written wrongly."""
    found = read_matcher(rule)
    if found is not None:
        matcher, written = found
        wrong = any(True for _ in matcher.check(written, ()))
        return Fitting() if wrong else matcher.fitting(written)
    if is_literal(rule):
        return Fitting(values=(rule,))
    if isinstance(rule, list):
        return Fitting(types=frozenset(["array"]), min_items=len(rule), max_items=len(rule), items=rule)
    return Fitting(types=frozenset(["object"]), keys=rule) if isinstance(rule, dict) else Fitting()


def rule_schema() -> Schema:
    """The JSON schema of a literal, in whose lists and objects matchers may stand again, or a matcher."""
    return {
        "description": "The value itself, or a matcher, which starts with $.",
        "anyOf": [
            {"type": ["string", "number", "boolean", "null"]},
            {"type": "array", "items": RULE_SCHEMA},
            {"type": "object", "propertyNames": NOT_A_MATCHER, "additionalProperties": RULE_SCHEMA},
            {
                "type": "object",
                "properties": {name: matcher.schema for name, matcher in MATCHERS.items()},
                "additionalProperties": False,
                "minProperties": 1,
                "maxProperties": 1,
            },
        ],
    }
