"""What a matcher is: all that is known of one in a single value. And what a rule is, which matchers are compiled to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from toolgauge.core import Call, JsonValue, nfc
from toolgauge.errors import did_you_mean
from toolgauge.files import Fault, Path, shorten

__all__ = [
    "ALWAYS",
    "NOTHING_BEFORE",
    "RULE_SCHEMA",
    "TEXT_SCHEMA",
    "Description",
    "Earlier",
    "Fits",
    "Fitting",
    "Matcher",
    "Rule",
    "RuleContext",
    "every_key",
    "in_turn",
    "is_literal",
    "literal",
    "object_schema",
    "unknown_keys",
]


# --- rules


class Earlier(Struct, frozen=True, gc=False):
    """The calls that were made before the one whose argument is looked at."""

    calls: Sequence[Call]
    before: int
    """How many of the calls came before."""


NOTHING_BEFORE = Earlier((), 0)

Fits: TypeAlias = Callable[[JsonValue, Earlier], bool]
"""Says whether a value fits, given the calls before."""


class Rule(Struct, frozen=True, gc=False):
    """A rule for one argument, ready to be applied."""

    fits: Fits
    absent_fits: bool = False
    """Whether leaving the argument out is right as well."""
    looks_back: bool = False
    """Whether it depends on the calls before."""


ALWAYS = Rule(lambda _, __: True)
"""Fits every value."""


def is_literal(rule: object) -> bool:
    """Whether a rule as written is a value that stands for itself, without any matcher in it."""
    if isinstance(rule, list):
        return all(map(is_literal, rule))
    if isinstance(rule, dict):
        return not any(key.startswith("$") for key in rule) and all(map(is_literal, rule.values()))
    return rule is None or isinstance(rule, (str, int, float))


def literal(expected: JsonValue) -> Fits:
    """Equality with a text, number, boolean or null, without mixing up types."""
    if isinstance(expected, str):
        normal = nfc(expected)
        return lambda value, _: value == normal or (isinstance(value, str) and nfc(value) == normal)
    if expected is None or isinstance(expected, bool):
        return lambda value, _: value is expected
    return lambda value, _: value == expected and not isinstance(value, bool)


def in_turn(items: Sequence[Fits]) -> Fits:
    """A list whose items fit one by one."""

    def fits(value: JsonValue, earlier: Earlier) -> bool:
        return (
            isinstance(value, list)
            and len(value) == len(items)
            and all(item(part, earlier) for item, part in zip(items, value, strict=True))
        )

    return fits


def every_key(rules: dict[str, Rule], *, others: bool) -> Fits:
    """An object whose keys fit their rules; other keys only where they are allowed."""
    parts = {nfc(key): rule for key, rule in rules.items()}

    def fits(value: JsonValue, earlier: Earlier) -> bool:
        if not isinstance(value, dict):
            return False
        found = {nfc(key): item for key, item in value.items()}
        if not others and not found.keys() <= parts.keys():
            return False
        return all(rule.fits(found[key], earlier) if key in found else rule.absent_fits for key, rule in parts.items())

    return fits


# --- matchers


Schema: TypeAlias = dict[str, Any]

RULE_SCHEMA: Schema = {"$ref": "#/definitions/Rule"}
"""In the JSON schema of a matcher: a rule of any kind."""

TEXT_SCHEMA: Schema = {"type": ["string", "number", "boolean"]}
"""A text, which an editor may take for something else where it has no quotes."""


def object_schema(required: list[str], **keys: Schema) -> Schema:
    """The JSON schema of an object with these keys and no others."""
    return {"type": "object", "properties": keys, "required": required, "additionalProperties": False}


class RuleContext(Struct, frozen=True, gc=False):
    """What a matcher is compiled with."""

    locale: str | None
    """Which of day and month comes first in dates: `vi`, `en`, or unknown."""
    compile: Callable[[JsonValue, str | None], Rule]

    def rule(self, written: JsonValue) -> Rule:
        """A rule that stands inside the matcher."""
        return self.compile(written, self.locale)


class Fitting(Struct, frozen=True, gc=False):
    """What is known of the values that fit a rule. All of it is true of every such value; the linter relies on it."""

    values: Sequence[JsonValue] | None = None
    """The only values that fit."""
    options: Sequence[JsonValue] | None = None
    """Rules of which a value has to fit one."""
    types: frozenset[str] | None = None
    """The JSON types that they have; empty: no value fits."""
    bounds: tuple[float, float] | None = None
    """The lowest and the highest number, perhaps infinite; None: they are not numbers."""
    min_items: float = 0
    max_items: float = inf
    items: Sequence[JsonValue] = ()
    """Rules each of which some item of the list has to fit."""
    keys: Mapping[str, JsonValue] = {}
    """Rules for keys of the object."""


class Description(Struct, frozen=True, gc=False):
    """How a matcher is put into words, without the words."""

    key: str | None
    """The words in the catalogue; None: there are none, and the value is shown as JSON."""
    values: Mapping[str, object] = {}
    """By place in the words the value that stands there."""
    items: Mapping[str, Sequence[object]] = {}
    """By place in the words several values that stand there one after the other."""
    notes: tuple[tuple[str, str], ...] = ()
    """What is added in brackets: words in the catalogue, and what is shown where they are not there."""


def _no_faults(_: JsonValue, __: Path) -> Iterator[Fault]:
    return iter(())


def _nothing_known(_: JsonValue) -> Fitting:
    return Fitting()


class Matcher(Struct, frozen=True):
    """One matcher. Its words for reports stand in the catalogue, under `value.` and the name without `$`."""

    name: str
    """As a suite writes it, such as `$one_of`."""
    compile: Callable[[JsonValue, RuleContext], Rule]
    """Makes a rule of what is written in it."""
    check: Callable[[JsonValue, Path], Iterator[Fault]] = _no_faults
    """Everything wrong with what is written in it, apart from the rules in it."""
    schema: Schema = {}
    """What may be written in it as JSON schema, with a description for editors."""
    holds: Literal["rules", "values", "tools", "syntax"] = "values"
    """What is written in it: rules again (one, or a list or an object of them); values that stand for themselves; tools
    from whose earlier results the value comes; or something else, such as a pattern."""
    fitting: Callable[[JsonValue], Fitting] = _nothing_known
    """What is known of the values that fit."""
    describe: Callable[[JsonValue], Description] | None = None
    """What its words are filled in with; None: `{value}` is what is written in it."""


def unknown_keys(name: str, value: Mapping[str, JsonValue], known: Sequence[str], path: Path) -> Iterator[Fault]:
    """The keys of an object in a matcher that mean nothing there."""
    for key in value:
        if key not in known:
            yield Fault((*path, key), f"{shorten(key)} is not a key of '{name}'", did_you_mean(key, known), at_key=True)
