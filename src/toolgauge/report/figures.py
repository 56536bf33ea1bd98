"""The tables of figures: per agent and group, per tool, and which tools were mistaken for which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from toolgauge.catalogue import Words
from toolgauge.core import Estimate, Row, Summary

from .blocks import Block, Column, Heading, Line, Paragraph, Table
from .display import shorten, visible
from .numbers import amount, decimal, interval, known, share

__all__ = ["agents_of", "figures", "group_of", "label_of", "tool_tables", "value_of_label"]

_MOST_CONFUSIONS = 10
_MOST_REASONS = 4
_MOST_REASON = 100
_MOST_LABEL = 24


@dataclass(frozen=True, slots=True)
class _Figure:
    """A column of figures: its metric and how it is shown."""

    metric: str
    title: str
    show: Callable[[Estimate | None, str], str]
    optional: bool = False
    """Left out where no row has a value."""


def _plain(estimate: Estimate | None, missing: str) -> str:
    return decimal(known(estimate), missing)


def _interval(estimate: Estimate | None, _: str) -> str:
    return interval(estimate)


_CHOICE = (
    _Figure("accuracy", "accuracy", share),
    _Figure("accuracy", "interval", _interval),
    _Figure("precision", "precision", _plain),
    _Figure("recall", "recall", _plain),
    _Figure("f1", "f1", _plain),
)
_VERDICTS = (
    _Figure("pass_rate", "pass_rate", _plain),
    _Figure("pass_rate", "interval", _interval),
    _Figure("pass_rate_scored", "pass_rate_scored", _plain),
    _Figure("answer", "answer", _plain, optional=True),
    _Figure("ambiguous_rate", "ambiguous_rate", _plain, optional=True),
    _Figure("judge", "judge", _plain, optional=True),
)
_PARTS = (
    _Figure("score", "score", _plain),
    _Figure("score", "interval", _interval),
    _Figure("call_precision", "call_precision", _plain),
    _Figure("call_recall", "call_recall", _plain),
    _Figure("param_accuracy", "param_accuracy", _plain),
    _Figure("content", "content", _plain, optional=True),
)
_FAULTS = (
    _Figure("tool_fail_rate", "tool_fail_rate", share),
    _Figure("tool_fail_rate", "interval", _interval),
    _Figure("tool_fail_rate_published", "tool_fail_rate_published", share),
    _Figure("redundant_rate", "redundant_rate", _plain, optional=True),
    _Figure("unknown_tool_rate", "unknown_tool_rate", _plain, optional=True),
    _Figure("schema_error_rate", "schema_error_rate", _plain, optional=True),
    _Figure("ungrounded_rate", "ungrounded_rate", _plain, optional=True),
)
_AMOUNTS = ("latency", "calls", "planned_calls", "rounds", "handoffs", "requests", "tokens", "cost")


def agents_of(summary: Summary) -> tuple[str, ...]:
    """The agents in the order of the rows."""
    return tuple(dict.fromkeys(row.agent for row in summary.rows))


def label_of(summary: Summary, words: Words) -> str:
    """What the label is called that the rows are broken down by; it comes from data."""
    by = summary.by or ""
    return words.known(f"label.{by}", shorten(visible(by), _MOST_LABEL))


def group_of(row: Row, words: Words) -> str:
    """The value of the label in a row, or the word for all of them."""
    return ", ".join(value_of_label(value, words) for value in row.group.values()) if row.group else words("all")


def value_of_label(value: str, words: Words) -> str:
    """A value of the label, which looks neither like the word for all cases nor like the one for none."""
    if not value:
        return words("unlabelled")
    return f'"{value}"' if value.strip().casefold() in (words("all"), words("unlabelled")) else value


def figures(summary: Summary, words: Words, *, brief: bool = False) -> Iterator[Block]:
    """The tables of figures per agent and group.

    Args:
        summary: What they show.
        words: The language.
        brief: Whether to leave out what the score is made of, and how long it took.
    """
    if not summary.rows:
        return
    yield from _section(summary, words, "section.choice", _CHOICE, counted=True)
    yield from _section(summary, words, "section.verdicts", _telling(_VERDICTS, summary.rows))
    if not brief:
        yield from _section(summary, words, "section.parts", _telling(_PARTS, summary.rows))
    yield from _section(summary, words, "section.faults", _FAULTS)
    yield from _amounts(summary, words, [name for name in _AMOUNTS if not (brief and name == "latency")])


def _telling(wanted: Sequence[_Figure], rows: Sequence[Row]) -> tuple[_Figure, ...]:
    """Without the rate over completed cases where it says the same, content nobody asked for, and rates of nothing."""
    same = all(known(row.metrics.get("pass_rate")) == known(row.metrics.get("pass_rate_scored")) for row in rows)
    whole = all(known(row.metrics.get("content")) in (1.0, None) for row in rows)
    left_out = {"pass_rate_scored"} if same else set()
    if whole:
        left_out.add("content")
    if not any(known(row.metrics.get("ambiguous_rate")) for row in rows):
        left_out.add("ambiguous_rate")
    return tuple(figure for figure in wanted if figure.metric not in left_out)


def _section(
    summary: Summary, words: Words, title: str, wanted: Sequence[_Figure], *, counted: bool = False
) -> Iterator[Block]:
    rows = summary.rows
    shown = [
        figure
        for figure in wanted
        if not figure.optional or any(known(row.metrics.get(figure.metric)) is not None for row in rows)
    ]
    columns = [*_keys(summary, words), *([Column(words("column.n"))] if counted else [])]
    columns.extend(Column(words(f"column.{figure.title}")) for figure in shown)
    missing = words("none")
    lines = []
    for row in rows:
        cells = [row.agent] if summary.by is None else [row.agent, group_of(row, words)]
        if counted:
            cells.append(str(row.n))
        cells.extend(figure.show(row.metrics.get(figure.metric), missing) for figure in shown)
        lines.append(Line(tuple(cells), "strong" if summary.by is not None and not row.group else "plain"))
    yield Heading(words(title))
    yield Table(tuple(columns), tuple(lines), grouped=summary.by is not None)
    yield from _reasons(rows, shown, words)


def _keys(summary: Summary, words: Words) -> list[Column]:
    agent = Column(words("column.agent"), "left", key=True)
    return [agent] if summary.by is None else [agent, Column(label_of(summary, words), "left", key=True)]


def _reasons(rows: Sequence[Row], shown: Sequence[_Figure], words: Words) -> Iterator[Block]:
    """Why figures are missing, each reason once."""
    found: dict[str, dict[str, None]] = {}
    for figure in shown:
        for row in rows:
            estimate = row.metrics.get(figure.metric)
            if estimate is not None and known(estimate) is None and estimate.reason and figure.title != "interval":
                reason = words.known(f"reason: {estimate.reason}", estimate.reason)
                found.setdefault(reason, {})[words(f"column.{figure.title}")] = None
    if found:
        parts = [
            f"{', '.join(titles)} ({shorten(visible(reason), _MOST_REASON)})"
            for reason, titles in list(found.items())[:_MOST_REASONS]
        ]
        yield Paragraph(words("missing", reasons="; ".join(parts)), "dim")


def _amounts(summary: Summary, words: Words, names: Sequence[str]) -> Iterator[Block]:
    """Time and cost of each agent as a whole, quantity by quantity so that agents stand side by side."""
    missing = words("none")
    lines = []
    for name in names:
        rows = [row for row in summary.rows if not row.group and known(row.metrics.get(name)) is not None]
        for row in rows:
            found = row.metrics[name]
            values = (found.value, found.p50, found.p95)
            cells = (words(f"quantity.{name}"), row.agent, *(amount(value, missing) for value in values))
            lines.append(Line((*cells, str(found.n))))
    if not lines:
        return
    columns = (
        Column(words("column.quantity"), "left", key=True),
        Column(words("column.agent"), "left", key=True),
        *(Column(words(f"column.{name}")) for name in ("mean", "p50", "p95", "n")),
    )
    yield Heading(words("section.amounts"))
    yield Table(columns, tuple(lines), grouped=True)


def tool_tables(summary: Summary, words: Words) -> Iterator[Block]:
    """What each agent did with each tool, and which tools it called in place of others."""
    if summary.tools:
        names = ("expected", "called", "right", "missed", "superfluous", "failed")
        lines = tuple(
            Line((row.agent, row.tool, *(str(getattr(row, name)) for name in names))) for row in summary.tools
        )
        columns = (
            Column(words("column.agent"), "left", key=True),
            Column(words("column.tool"), "left", key=True),
            *(Column(words(f"column.{name}")) for name in names),
        )
        yield Heading(words("section.tools"))
        yield Table(columns, lines, grouped=True)
    if summary.confusion:
        yield from _confusion(summary, words)


def _confusion(summary: Summary, words: Words) -> Iterator[Block]:
    shown: Counter[str] = Counter()
    lines = []
    for entry in sorted(summary.confusion, key=lambda entry: -entry.count):
        shown[entry.agent] += 1
        if shown[entry.agent] <= _MOST_CONFUSIONS:
            lines.append(Line((entry.agent, entry.expected, entry.called, str(entry.count))))
    order = {agent: index for index, agent in enumerate(agents_of(summary))}
    lines.sort(key=lambda line: order.get(line.cells[0], len(order)))
    columns = (
        Column(words("column.agent"), "left", key=True),
        Column(words("column.expected_tool"), "left", key=True),
        Column(words("column.called_tool"), "left"),
        Column(words("column.count")),
    )
    yield Heading(words("section.confusion"))
    yield Table(columns, tuple(lines), grouped=True)
    if len(lines) < len(summary.confusion):
        yield Paragraph(words("more", number=len(summary.confusion) - len(lines)), "dim")
