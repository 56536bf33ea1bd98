"""The issues of a test in words, as code that looks for words in them expects: one text for all calls of a kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from toolgauge.catalogue import Lang, Words, words_of
from toolgauge.core import Issue, IssueKind, Scored
from toolgauge.report import word_issue
from toolgauge.report.values import brief

__all__ = ["word_issues"]

_TOGETHER: frozenset[IssueKind] = frozenset({"missing_call", "unexpected_call", "missing_content"})
"""Kinds of which one text names all that there are."""

_WORDED: frozenset[IssueKind] = _TOGETHER | {"missing_arg", "wrong_arg", "forbidden_arg", "invalid_arg", "over_latency"}
"""Kinds that have words of their own here; the others are worded as in every report."""


def word_issues(scored: Scored, lang: Lang) -> list[str]:
    """The issues in words, those that fail the test first."""
    words = words_of(lang)
    order: dict[IssueKind, int] = {}
    for issue in scored.score.issues:
        order.setdefault(issue.kind, len(order))
    ordered = sorted(scored.score.issues, key=lambda issue: (not issue.failing, order[issue.kind]))
    toolless = scored.score.says_tools and not scored.score.alignment and not _expects(scored.score.issues)
    found: list[str] = []
    for kind, several in groupby(ordered, key=lambda issue: issue.kind):
        found += _texts(kind, list(several), words, toolless=toolless)
    return found


def _expects(issues: Sequence[Issue]) -> bool:
    return any(issue.kind == "missing_call" for issue in issues)


def _texts(kind: IssueKind, issues: Sequence[Issue], words: Words, *, toolless: bool) -> Iterator[str]:
    if kind not in _WORDED:
        yield from (word_issue(issue, words.lang) for issue in issues)
        return
    if kind in _TOGETHER:
        key = "unneeded_call" if kind == "unexpected_call" and toolless else kind
        named = [brief(issue.want if kind == "missing_content" else issue.tool, words) for issue in issues]
        yield words(f"tooleval.issue.{key}", names=f"[{', '.join(named)}]")
        return
    for issue in issues:
        yield words(
            f"tooleval.issue.{kind}",
            tool=issue.tool,
            argument=issue.argument,
            want=None if issue.want is None and kind != "wrong_arg" else _value(issue, "want", words),
            got=_value(issue, "got", words),
        )


def _value(issue: Issue, name: str, words: Words) -> str:
    value = getattr(issue, name)
    if issue.kind == "over_latency" and isinstance(value, (int, float)):
        return words.number(f"{value:.0f}")
    shown = brief(value, words)
    # A number stands in quotes, too, as a text does.
    return f"'{shown}'" if isinstance(value, (int, float)) and not isinstance(value, bool) else shown
