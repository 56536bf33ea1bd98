"""The tables of figures: per agent and group, per tool, and which tools were mistaken for which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from toolgauge.catalogue import Words
from toolgauge.core import Estimate, Row, Summary
from toolgauge.metrics import METRICS, SECTIONS, Metric, Section, Shown

from .blocks import Block, Column, Heading, Line, Paragraph, Table
from .display import amount, decimal, interval, known, share, shorten, visible
from .totals import totals_line

__all__ = [
    "agents_of",
    "counted",
    "figures",
    "group_of",
    "is_partly_measured",
    "label_of",
    "scorers_of",
    "tool_tables",
    "value_of_label",
]

_MAX_CONFUSIONS = 10
_MAX_REASONS = 4
_MAX_REASON = 100
_MAX_LABEL = 24


@dataclass(frozen=True, slots=True)
class _Figure:
    """A column of figures: its metric and how it is shown."""

    metric: str
    title: str
    show: Callable[[Estimate | None, Words], str]


def _plain(estimate: Estimate | None, words: Words) -> str:
    return decimal(known(estimate), words)


def agents_of(summary: Summary) -> tuple[str, ...]:
    """The agents in the order of the rows."""
    return tuple(dict.fromkeys(row.agent for row in summary.rows))


def label_of(summary: Summary, words: Words) -> str:
    """What the label is called that the rows are broken down by; it comes from data."""
    by = summary.by or ""
    return words.known(f"label.{by}", shorten(visible(by), _MAX_LABEL))


def group_of(row: Row, words: Words) -> str:
    """The value of the label in a row, or the word for all of them."""
    return ", ".join(value_of_label(value, words) for value in row.group.values()) if row.group else words("all")


def value_of_label(value: str, words: Words) -> str:
    """A value of the label, which looks neither like the word for all cases nor like the one for none."""
    if not value:
        return words("unlabelled")
    return f'"{value}"' if value.strip().casefold() in (words("all"), words("unlabelled")) else value


def figures(summary: Summary, words: Words, *, zeros: bool = False) -> Iterator[Block]:
    """The tables of figures per agent and group.

    Args:
        summary: What they show.
        words: The language.
        zeros: Whether rates of faults have columns even where they are 0 for all.
    """
    if not summary.rows:
        return
    every = [*METRICS, *map(_of_scorer, scorers_of(summary.rows))]
    partly = is_partly_measured(summary)
    for section in SECTIONS:
        shown = [metric for metric in every if metric.shown.section == section]
        shown.sort(key=lambda metric: metric.shown.rank)
        if section == "amounts":
            yield from _amounts(summary, words, [metric.name for metric in shown if _is_shown(metric, summary.rows)])
            if line := totals_line(summary, words):
                yield Paragraph(line)
        elif shown:
            yield from _section(summary, words, section, shown, with_n=partly or section == SECTIONS[0], zeros=zeros)


def is_partly_measured(summary: Summary) -> bool:
    """Whether something was planned and not measured, which every table has to say then."""
    return any(row.n != row.counts.planned for row in summary.rows)


def counted(row: Row, words: Words, n: int | None = None) -> str:
    """How many trajectories a figure rests on, and how many were planned where some were not measured."""
    n = row.n if n is None else n
    if row.n == row.counts.planned:
        return words.number(n)
    return f"{words.number(n)}/{words.number(row.counts.planned)}"


def scorers_of(rows: Sequence[Row]) -> list[str]:
    """The metrics that are not in the table: those of scorers."""
    listed = {metric.name for metric in METRICS}
    return [name for name in dict.fromkeys(name for row in rows for name in row.metrics) if name not in listed]


def _of_scorer(name: str) -> Metric:
    """A metric of a scorer, as far as it matters to who shows it."""
    return Metric(name, "mean", (), (), Shown("scorers", interval=True), "")


def _is_shown(metric: Metric, rows: Sequence[Row]) -> bool:
    """Whether a column of a metric would say something."""
    shown = metric.shown
    values = [known(row.metrics.get(metric.name)) for row in rows]
    if shown.left_out_with and values == [known(row.metrics.get(shown.left_out_with)) for row in rows]:
        return False
    if shown.left_out_at is not None and all(value in (shown.left_out_at, None) for value in values):
        return False
    return not shown.optional or any(value is not None for value in values)


def _columns(metrics: Sequence[Metric]) -> Iterator[_Figure]:
    for metric in metrics:
        yield _Figure(metric.name, metric.name, share if metric.shown.as_share else _plain)
        if metric.shown.interval:
            yield _Figure(metric.name, "interval", interval)


def _section(
    summary: Summary, words: Words, section: Section, metrics: Sequence[Metric], *, with_n: bool, zeros: bool
) -> Iterator[Block]:
    rows = summary.rows
    telling = [metric for metric in metrics if _is_shown(metric, rows)]
    nothing = [] if zeros else [metric for metric in telling if _is_nothing(metric, rows)]
    telling = [metric for metric in telling if metric not in nothing]
    said = [Paragraph(words("zeros", names=_zeros(nothing, words)), "dim")] if nothing else []
    if said and not telling:
        yield Heading(words(f"section.{section}"))
        yield from said
        return
    shown = list(_columns(telling))
    title = "column.planned_n" if is_partly_measured(summary) else "column.n"
    columns = [*_keys(summary, words), *([Column(words(title))] if with_n else [])]
    columns.extend(Column(_title(figure, words), name=figure.metric) for figure in shown)
    lines = []
    for row in rows:
        cells = [row.agent] if summary.by is None else [row.agent, group_of(row, words)]
        if with_n:
            cells.append(counted(row, words))
        cells.extend(figure.show(row.metrics.get(figure.metric), words) for figure in shown)
        lines.append(Line(tuple(cells), "strong" if summary.by is not None and not row.group else "plain"))
    yield Heading(words(f"section.{section}"))
    yield Table(tuple(columns), tuple(lines), grouped=summary.by is not None, name=section)
    yield from _reasons(rows, shown, words)
    yield from said


def _is_nothing(metric: Metric, rows: Sequence[Row]) -> bool:
    """Whether a rate of faults is 0 wherever it is known, which a line says better than a column."""
    values = [known(row.metrics.get(metric.name)) for row in rows]
    return metric.shown.section == "faults" and any(value is not None for value in values) and not any(values)


def _zeros(metrics: Sequence[Metric], words: Words) -> str:
    titles = [words.known(f"column.{metric.name}", metric.name).replace("\u00a0", " ") for metric in metrics]
    return ", ".join(title.lower() if title != title.upper() else title for title in titles)


def _title(figure: _Figure, words: Words) -> str:
    """What a column is called; that of a scorer by the name of the scorer."""
    return words.known(f"column.{figure.title}", shorten(visible(figure.title), _MAX_LABEL))


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
                reason = words.known(f"reason.{estimate.reason}", estimate.reason)
                found.setdefault(reason, {})[_title(figure, words)] = None
    if found:
        parts = [
            f"{', '.join(titles)} ({shorten(visible(reason), _MAX_REASON)})"
            for reason, titles in list(found.items())[:_MAX_REASONS]
        ]
        yield Paragraph(words("missing", reasons="; ".join(parts)), "dim")


def _amounts(summary: Summary, words: Words, names: Sequence[str]) -> Iterator[Block]:
    """Time and cost of each agent as a whole, quantity by quantity so that agents stand side by side."""
    lines = []
    for name in names:
        rows = [row for row in summary.rows if not row.group and known(row.metrics.get(name)) is not None]
        for row in rows:
            found = row.metrics[name]
            values = (found.value, found.p50, found.p95)
            cells = (words(f"quantity.{name}"), row.agent, *(amount(value, words) for value in values))
            lines.append(Line((*cells, counted(row, words, found.n)), name=name))
    if not lines:
        return
    columns = (
        Column(words("column.quantity"), "left", key=True),
        Column(words("column.agent"), "left", key=True),
        *(Column(words(f"column.{name}")) for name in ("mean", "p50", "p95")),
        Column(words("column.planned_n" if is_partly_measured(summary) else "column.n")),
    )
    yield Heading(words("section.amounts"))
    yield Table(columns, tuple(lines), grouped=True, name="amounts")


def tool_tables(summary: Summary, words: Words) -> Iterator[Block]:
    """What each agent did with each tool, and which tools it called in place of others."""
    if summary.tools:
        every = ("expected", "called", "right", "wrong_args", "missed", "superfluous", "failed")
        names = [name for name in every if any(getattr(row, name) for row in summary.tools)]
        lines = tuple(
            Line((row.agent, row.tool, *(words.number(getattr(row, name)) for name in names))) for row in summary.tools
        )
        columns = (
            Column(words("column.agent"), "left", key=True),
            Column(words("column.tool"), "left", key=True),
            *(Column(words(f"column.{name}")) for name in names),
        )
        yield Heading(words("section.tools"))
        yield Table(columns, lines, grouped=True, name="tools")
        yield from _incomplete(summary, words)
    if summary.confusion:
        yield from _confusion(summary, words)
        yield from _incomplete(summary, words)


def _incomplete(summary: Summary, words: Words) -> Iterator[Block]:
    """Whose tables rest on less than was planned, below tables without a column that says so."""
    rows = [row for row in summary.rows if not row.group and row.n != row.counts.planned]
    if rows:
        texts = [
            words(
                "note.incomplete",
                agent=shorten(visible(row.agent), _MAX_LABEL),
                measured=row.n,
                planned=row.counts.planned,
            )
            for row in rows
        ]
        yield Paragraph(" ".join(texts), "warn")


def _confusion(summary: Summary, words: Words) -> Iterator[Block]:
    shown: Counter[str] = Counter()
    lines = []
    for entry in sorted(summary.confusion, key=lambda entry: -entry.count):
        shown[entry.agent] += 1
        if shown[entry.agent] <= _MAX_CONFUSIONS:
            lines.append(Line((entry.agent, entry.expected, entry.called, words.number(entry.count))))
    order = {agent: index for index, agent in enumerate(agents_of(summary))}
    lines.sort(key=lambda line: order.get(line.cells[0], len(order)))
    columns = (
        Column(words("column.agent"), "left", key=True),
        Column(words("column.expected_tool"), "left", key=True),
        Column(words("column.called_tool"), "left"),
        Column(words("column.count")),
    )
    yield Heading(words("section.confusion"))
    yield Table(columns, tuple(lines), grouped=True, name="confusion")
    if len(lines) < len(summary.confusion):
        yield Paragraph(words("more", number=len(summary.confusion) - len(lines)), "dim")
