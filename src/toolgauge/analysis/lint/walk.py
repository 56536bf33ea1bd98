"""Going through what a case expects, with the path of every part."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.core import Case, ExpectedCall, JsonValue, Plan
from toolgauge.files import Path

__all__ = ["calls_of", "closest", "matcher_of", "plans_of", "rules_of", "texts_in"]


def plans_of(case: Case) -> Iterator[tuple[Path, Plan]]:
    """Every plan of a case, with its path."""
    expect = case.expect
    if expect.any_of:
        for index, plan in enumerate(expect.any_of):
            yield ("expect", "any_of", index), plan
    elif expect.calls is not None:
        yield ("expect",), Plan(expect.calls)


def calls_of(case: Case) -> Iterator[tuple[Path, ExpectedCall]]:
    """Every expected call of a case, in any plan, with its path."""
    for path, plan in plans_of(case):
        for index, call in enumerate(plan.calls):
            yield (*path, "calls", index), call


def rules_of(call: ExpectedCall, path: Path) -> Iterator[tuple[Path, str, JsonValue]]:
    """Every rule for an argument of a call: its path, the argument, the rule."""
    for key, rules in (("args", call.args), ("check", call.check)):
        for name, rule in rules.items():
            yield (*path, key, name), name, rule


def matcher_of(rule: object) -> str | None:
    """The name of the matcher that a rule is; None where it is a literal or a Python callable."""
    if isinstance(rule, dict) and len(rule) == 1:
        name = next(iter(rule))
        if isinstance(name, str) and name.startswith("$"):
            return name
    return None


def texts_in(rule: JsonValue, path: Path) -> Iterator[tuple[Path, str]]:
    """Every text in a rule that stands for itself, however deep: a literal, or an option of `$one_of` and the like.

    Patterns and schemas are left out, whose texts mean something else.
    """
    if isinstance(rule, str):
        yield path, rule
    elif isinstance(rule, list):
        for index, item in enumerate(rule):
            yield from texts_in(item, (*path, index))
    elif isinstance(rule, dict) and matcher_of(rule) not in ("$regex", "$schema", "$from"):
        for key, item in rule.items():
            yield from texts_in(item, (*path, key))


def closest(word: str, known: list[str]) -> str | None:
    """The known word that was probably meant."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, known, n=1, cutoff=0.6)), None)
