"""Going through what a case expects, with the path of every part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolgauge.core import Case, ExpectedCall, JsonValue, Plan
from toolgauge.files import Path
from toolgauge.matchers import fitting, read_matcher

__all__ = ["calls_of", "choices_in", "closest", "is_to_be_absent", "plans_of", "rules_of", "sources_in", "texts_in"]


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


def texts_in(rule: JsonValue, path: Path) -> Iterator[tuple[Path, str]]:
    """Every text in a rule that stands for itself, however deep: a literal, or an option of `$one_of` and the like.

    Patterns, schemas and names of tools are left out.
    """
    found = read_matcher(rule)
    if isinstance(rule, str):
        yield path, rule
    elif isinstance(rule, list):
        for index, item in enumerate(rule):
            yield from texts_in(item, (*path, index))
    elif isinstance(rule, dict) and (found is None or found[0].holds in ("rules", "values")):
        for key, item in rule.items():
            yield from texts_in(item, (*path, key))


def choices_in(rule: JsonValue, path: Path) -> Iterator[tuple[Path, Sequence[JsonValue]]]:
    """Every matcher in a rule, however deep, that has several options: where they stand, and the options."""
    if isinstance(rule, list):
        for index, item in enumerate(rule):
            yield from choices_in(item, (*path, index))
    elif isinstance(rule, dict):
        found = read_matcher(rule)
        if found is not None:
            matcher, _ = found
            options = fitting(rule).options
            if options is not None:
                yield (*path, matcher.name), options
            if matcher.holds != "rules":
                return
        for key, item in rule.items():
            yield from choices_in(item, (*path, key))


def sources_in(rule: JsonValue) -> tuple[str, ...]:
    """The tools from whose earlier results a rule wants the value to come."""
    found = read_matcher(rule)
    if found is None or found[0].holds != "tools":
        return ()
    _, named = found
    return tuple(tool for tool in (named if isinstance(named, list) else [named]) if isinstance(tool, str))


def is_to_be_absent(rule: JsonValue) -> bool:
    """Whether a rule wants the argument to be left out, whatever its value."""
    return fitting(rule).types == frozenset()


def closest(word: str, known: list[str]) -> str | None:
    """The known word that was probably meant."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, known, n=1, cutoff=0.6)), None)
