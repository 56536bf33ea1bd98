"""The matchers of any value: which one it is, whether it is there, what it holds, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from toolgauge.core import Call, JsonValue, identity, nfc, same
from toolgauge.files import Fault, Path

from .matcher import (
    ALWAYS,
    RULE_SCHEMA,
    Description,
    Earlier,
    Fitting,
    Matcher,
    Rule,
    RuleContext,
    Schema,
    every_key,
    is_literal,
)

__all__ = ["ABSENT", "ANY", "CONTAINS", "DEFAULT", "FROM", "ITEMS", "LITERAL", "NOT", "ONE_OF", "PARTIAL", "SET"]

_NOTHING: Schema = {"enum": [True, None, {}]}
_LIST = frozenset(["array"])


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]


def _takes_nothing(name: str) -> Callable[[JsonValue, Path], Iterator[Fault]]:
    def check(value: JsonValue, path: Path) -> Iterator[Fault]:
        if value is not True and value is not None and value != {}:
            yield Fault(path, f"'{name}' takes nothing", f"write {{{name}: true}}")

    return check


def _takes_list(name: str, *, empty: bool = False) -> Callable[[JsonValue, Path], Iterator[Fault]]:
    def check(value: JsonValue, path: Path) -> Iterator[Fault]:
        if not isinstance(value, list) or not (value or empty):
            yield Fault(path, f"'{name}' takes a list" + ("" if empty else " with at least one value"))

    return check


# --- which value it is, and whether it is there


LITERAL = Matcher(
    "$literal",
    lambda wanted, _: Rule(lambda value, _: same(wanted, value)),
    schema={"description": "This value as it is, in which keys with $ are not matchers."},
    fitting=lambda wanted: Fitting(values=(wanted,)),
    describe=lambda wanted: Description(None, {"value": wanted}),
)

ANY = Matcher(
    "$any",
    lambda _, __: ALWAYS,
    _takes_nothing("$any"),
    {"description": "Any value, as long as it is there.", **_NOTHING},
)


def _compile_one_of(options: JsonValue, context: RuleContext) -> Rule:
    rules = [context.rule(option) for option in _listed(options)]
    if all(not isinstance(option, (list, dict)) and not callable(option) for option in _listed(options)):
        known = {identity(option) for option in _listed(options)}
        return Rule(lambda value, _: not isinstance(value, (list, dict)) and identity(value) in known)
    return Rule(
        lambda value, earlier: any(rule.fits(value, earlier) for rule in rules),
        any(rule.absent_fits for rule in rules),
        any(rule.looks_back for rule in rules),
    )


ONE_OF = Matcher(
    "$one_of",
    _compile_one_of,
    _takes_list("$one_of"),
    {"description": "One of these values or matchers.", "type": "array", "items": RULE_SCHEMA, "minItems": 1},
    "rules",
    lambda options: Fitting(options=_listed(options)),
    lambda options: Description("value.one_of", items={"options": _listed(options)}),
)


def _compile_not(unwanted: JsonValue, context: RuleContext) -> Rule:
    rule = context.rule(unwanted)
    return Rule(lambda value, earlier: not rule.fits(value, earlier), looks_back=rule.looks_back)


def _describe_not(unwanted: JsonValue) -> Description:
    if isinstance(unwanted, Mapping) and ABSENT.name in unwanted:
        return Description("value.some")
    return Description("value.not", {"value": unwanted})


NOT = Matcher(
    "$not",
    _compile_not,
    schema={"description": "Anything but this.", **RULE_SCHEMA},
    holds="rules",
    describe=_describe_not,
)

ABSENT = Matcher(
    "$absent",
    lambda _, __: Rule(lambda _, __: False, absent_fits=True),
    _takes_nothing("$absent"),
    {"description": "The argument is not there.", **_NOTHING},
    fitting=lambda _: Fitting(types=frozenset()),
)


def _compile_default(wanted: JsonValue, context: RuleContext) -> Rule:
    rule = context.rule(wanted)
    return Rule(rule.fits, True, rule.looks_back)


DEFAULT = Matcher(
    "$default",
    _compile_default,
    schema={"description": "This value, or the argument is left out.", **RULE_SCHEMA},
    holds="rules",
    fitting=lambda wanted: Fitting(options=(wanted,)),
)


# --- what it holds


def _check_contains(value: JsonValue, path: Path) -> Iterator[Fault]:
    if value == [] or value == "" or value is None:
        yield Fault(path, "'$contains' takes what the value must contain", "a text, an item, or a list of them")


def _compile_contains(wanted: JsonValue, context: RuleContext) -> Rule:
    rules = [context.rule(part) for part in _listed(wanted)]
    texts = [_folded(part) if isinstance(part, str) else None for part in _listed(wanted)]

    def fits(value: JsonValue, earlier: Earlier) -> bool:
        if isinstance(value, str):
            text = _folded(value)
            return all(part is not None and part in text for part in texts)
        return isinstance(value, list) and all(any(rule.fits(item, earlier) for item in value) for rule in rules)

    return Rule(fits, looks_back=any(rule.looks_back for rule in rules))


def _folded(text: str) -> str:
    return nfc(text).casefold()


def _containing(wanted: JsonValue) -> Fitting:
    texts = all(isinstance(part, str) for part in _listed(wanted))
    return Fitting(types=_LIST | {"string"} if texts else _LIST)


CONTAINS = Matcher(
    "$contains",
    _compile_contains,
    _check_contains,
    {
        "description": "A text that contains this text, or a list with this item. Write several as a list.",
        "not": {"enum": [None, "", []]},
    },
    "rules",
    _containing,
)


def _compile_set(wanted: JsonValue, context: RuleContext) -> Rule:
    rules = [context.rule(item) for item in _listed(wanted)]

    def fits(value: JsonValue, earlier: Earlier) -> bool:
        return (
            isinstance(value, list)
            and all(any(rule.fits(item, earlier) for item in value) for rule in rules)
            and all(any(rule.fits(item, earlier) for rule in rules) for item in value)
        )

    return Rule(fits, looks_back=any(rule.looks_back for rule in rules))


def _fitting_set(wanted: JsonValue) -> Fitting:
    # One item can fit several matchers of a set, but only one of its literals.
    different = {identity(item) for item in _listed(wanted) if is_literal(item)}
    return Fitting(types=_LIST, min_items=len(different), items=_listed(wanted))


SET = Matcher(
    "$set",
    _compile_set,
    _takes_list("$set", empty=True),
    {"description": "A list of these items, in any order.", "type": "array", "items": RULE_SCHEMA},
    "rules",
    _fitting_set,
)


def _compile_items(wanted: JsonValue, context: RuleContext) -> Rule:
    rule = context.rule(wanted)
    return Rule(
        lambda value, earlier: isinstance(value, list) and all(rule.fits(item, earlier) for item in value),
        looks_back=rule.looks_back,
    )


ITEMS = Matcher(
    "$items",
    _compile_items,
    schema={"description": "A list in which every item matches this.", **RULE_SCHEMA},
    holds="rules",
    fitting=lambda _: Fitting(types=_LIST),
)


def _object(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _check_partial(value: JsonValue, path: Path) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(path, "'$partial' takes an object")


def _compile_partial(wanted: JsonValue, context: RuleContext) -> Rule:
    parts = {key: context.rule(item) for key, item in _object(wanted).items()}
    return Rule(every_key(parts, others=True), looks_back=any(part.looks_back for part in parts.values()))


PARTIAL = Matcher(
    "$partial",
    _compile_partial,
    _check_partial,
    {
        "description": "An object with these keys, and perhaps others.",
        "type": "object",
        "additionalProperties": RULE_SCHEMA,
    },
    "rules",
    lambda wanted: Fitting(types=frozenset(["object"]), keys=_object(wanted)),
)


# --- where it comes from


def _check_from(value: JsonValue, path: Path) -> Iterator[Fault]:
    names = _listed(value)
    if not names or not all(isinstance(name, str) and name for name in names):
        yield Fault(path, "'$from' takes the name of a tool, or a list of names")


def _compile_from(source: JsonValue, _: RuleContext) -> Rule:
    tools = frozenset(map(str, _listed(source)))

    def fits(value: JsonValue, earlier: Earlier) -> bool:
        results = (call for call in earlier.calls[: earlier.before] if call.tool in tools and call.error is None)
        return any(_appears(value, call) for call in results)

    return Rule(fits, looks_back=True)


def _appears(value: JsonValue, call: Call) -> bool:
    """Whether a value, or every item of a list, stands somewhere in the result of a call."""
    if isinstance(value, list):
        return bool(value) and all(_appears(item, call) for item in value)
    return value is not None and _within(value, call.result)


def _within(value: JsonValue, result: JsonValue) -> bool:
    if identity(value) == identity(result):
        return True
    if isinstance(result, str) and isinstance(value, (str, int, float)) and not isinstance(value, bool):
        text = f"{value:.15g}" if isinstance(value, float) else str(value)
        return bool(text.strip()) and _as_word(_folded(text.strip()), _folded(result))
    if isinstance(result, list):
        return any(_within(value, item) for item in result)
    return isinstance(result, dict) and any(_within(value, item) for item in result.values())


def _as_word(part: str, text: str) -> bool:
    """Whether a text holds another that neither begins nor ends inside a word or number."""
    start = text.find(part)
    while start >= 0:
        end = start + len(part)
        opens = start == 0 or not (text[start - 1].isalnum() and part[0].isalnum())
        closes = end == len(text) or not (text[end].isalnum() and part[-1].isalnum())
        if opens and closes:
            return True
        start = text.find(part, start + 1)
    return False


FROM = Matcher(
    "$from",
    _compile_from,
    _check_from,
    {
        "description": "A value from an earlier result of this tool; write several tools as a list.",
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}],
    },
    holds="tools",
)
