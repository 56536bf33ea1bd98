"""A fault that the linter found in a suite, as data; words are made when somebody reads it."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from .json import JsonValue

__all__ = ["FINDING_KINDS", "SEVERITIES", "Finding", "FindingKind", "Severity"]

Severity: TypeAlias = Literal["error", "warning", "hint"]
"""How bad it is: certainly wrong, probably wrong, or worth a look."""

SEVERITIES: tuple[Severity, ...] = get_args(Severity)

FindingKind: TypeAlias = Literal[
    "unknown_tool",
    "similar_tool",
    "unused_tool",
    "invalid_schema",
    "unknown_arg",
    "impossible_value",
    "required_arg_forbidden",
    "arg_expected_and_forbidden",
    "check_on_fixed_arg",
    "check_contradicts_arg",
    "repeated_option",
    "ambiguous_date",
    "expected_and_forbidden",
    "expected_and_neutral",
    "neutral_and_forbidden",
    "extra_allows_all",
    "too_many_required",
    "order_contradiction",
    "no_earlier_source",
    "never_welcome",
    "empty_text",
    "repeated_text",
    "same_plan",
    "unreachable_plan",
    "look_alike_ids",
    "duplicate_input",
    "few_cases",
    "missing_label",
    "unreviewed",
    "suspected_gold",
    "reviewed_gold",
]
"""The stable names of what can be wrong with a suite."""

FINDING_KINDS: tuple[FindingKind, ...] = get_args(FindingKind)


class Finding(Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing in a suite that is wrong, or looks as if it were."""

    kind: FindingKind
    severity: Severity
    case: str | None = None
    """Id of the case it is in; None: it concerns the suite as a whole."""
    path: tuple[str | int, ...] = ()
    """Where it is: keys and list positions from the case inwards, or from the suite where there is no case."""
    values: dict[str, JsonValue] = {}
    """What the words for it are made of."""
