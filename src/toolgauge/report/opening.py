"""What every report of a run opens with: three sentences, and one table with a line per agent.

Who is better, and whether that is noise; what to fix first; what was not run or could not be measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from toolgauge.catalogue import Words
from toolgauge.core import Contrast, Counts, Estimate, Headline, Pairing, Row, Run, Summary

from .blocks import Block, Column, Line, Paragraph, Table, Tone
from .diagnosis import pattern_name
from .display import known, points, rounded_interval, rounded_percent
from .figures import scorers_of
from .values import short_name

__all__ = ["OVERVIEW", "opening"]

OVERVIEW = "overview"
"""The name of the table."""

_MAX_NAMED = 3
"""So many agents are named in a sentence; of more it says how many."""

_MAX_NAME = 40
_MAX_SCORERS = 2
"""So many scorers of one's own have a column; the others are in the tables below."""

_FIGURES = ("accuracy", "f1")
_TONES: dict[str, Tone] = {"better": "good", "worse": "bad"}


def opening(run: Run, words: Words) -> Iterator[Block]:
    """The three sentences, and the table."""
    summary = run.summary
    rows = [row for row in summary.rows if not row.group]
    if not rows:
        return
    found = run.headline or Headline()
    best = max(rows, key=lambda row: known(row.metrics.get("pass_rate")) or 0.0)
    against = _against(best.agent, found.pairings)
    yield Paragraph(_standing(rows, best, against, words), "strong")
    yield Paragraph(_fix_first(summary.counts, found, words))
    yield Paragraph(" ".join(_unmeasured(summary, rows, words)))
    yield from _table(rows, best, against, words)


def _against(best: str, pairings: Sequence[Pairing]) -> dict[str, Contrast]:
    """By agent how it stands beside the best, with differences from its point of view: a better one is never there."""
    found = {}
    for pairing in pairings:
        if best in (pairing.first, pairing.second):
            other = pairing.second if best == pairing.first else pairing.first
            found[other] = next(one for one in pairing.contrasts if not one.group)
    return found


def _standing(rows: Sequence[Row], best: Row, against: Mapping[str, Contrast], words: Words) -> str:
    """Who is better, by how much, and whether it is noise."""
    if len(rows) == 1:
        issues = best.counts.passed_with_issues
        return words("head.one", **_passed([best], words), issues=issues or None)
    leading = [row for row in rows if _same(row, best)]
    if not any(row.counts.measured for row in rows):
        return words("head.unrun", agents=len(rows), planned=sum(row.counts.planned for row in rows))
    if len(leading) == len(rows):
        return words("head.same", **_passed(leading, words), agents=len(rows))
    others = [row for row in rows if row not in leading]
    if len(against) < len(rows) - 1:
        return words("head.uncompared", **_passed(leading, words), agents=len(rows))
    told = [row for row in others if against[row.agent].verdict in ("better", "worse")]
    unclear = [row for row in others if row not in told]
    if len(rows) == 2:
        (other,) = others
        key = "head.pair.better" if told else "head.pair.noise"
        contrast = against[other.agent]
        said = words(key, **_passed(leading, words), **_other(other), **_figures(contrast, words))
        return f"{said} {words('compare.which.methods')}." if contrast.seems_to_contradict else said
    if not told:
        least = min(against[row.agent].adjusted_p or 0.0 for row in unclear)
        return words("head.best.noise", **_passed(leading, words), others=_listed(unclear, words), p=_p(least, words))
    most = max(against[row.agent].adjusted_p or 0.0 for row in told)
    values = {**_passed(leading, words), "told": _listed(told, words), "p": _p(most, words)}
    return words("head.best.better", **values, unclear=_listed(unclear, words) if unclear else None)


def _same(row: Row, other: Row) -> bool:
    return (row.counts.passed, row.counts.planned) == (other.counts.passed, other.counts.planned)


def _passed(rows: Sequence[Row], words: Words) -> dict[str, object]:
    """The figures of those who passed the most, or of the only one."""
    row = rows[0]
    estimate = row.metrics.get("pass_rate")
    return {
        "agent": _listed(rows, words),
        "passed": row.counts.passed,
        "planned": row.counts.planned,
        "rate": rounded_percent(known(estimate), words),
        "interval": rounded_interval(estimate, words),
    }


def _other(row: Row) -> dict[str, object]:
    return {"other": short_name(row.agent, _MAX_NAME), "other_passed": row.counts.passed}


def _figures(one: Contrast, words: Words) -> dict[str, object]:
    """How far the best is ahead, its interval, and how likely chance does as much."""
    gap = one.difference
    turned = -1 if (gap.value or 0.0) < 0 else 1
    bounds = sorted(turned * bound for bound in (gap.low, gap.high) if bound is not None)
    interval = None
    if len(bounds) == 2:
        low, high = (points(bound, words, sign=True) for bound in bounds)
        interval = words("compare.interval", low=low, high=high)
    difference = points(abs(gap.value or 0.0), words)
    return {"difference": difference, "gap": interval, "p": _p(one.adjusted_p, words)}


def _p(value: float | None, words: Words) -> str:
    return words.number("< 0.001" if (value or 0.0) < 0.001 else f"= {value or 0.0:.3f}")


def _listed(rows: Sequence[Row], words: Words) -> str:
    if len(rows) > _MAX_NAMED:
        return words("head.others", number=len(rows))
    names = [short_name(row.agent, _MAX_NAME) for row in rows]
    return names[0] if len(names) == 1 else words("head.and", first=", ".join(names[:-1]), last=names[-1])


def _fix_first(counts: Counts, found: Headline, words: Words) -> str:
    failed = counts.measured - counts.passed
    if not failed:
        return words("head.fix.nothing" if counts.passed else "head.fix.unrun")
    if found.examined < failed:
        return words("head.fix.unknown", failed=failed)
    if found.pattern is None:
        return words("head.fix.none", failed=failed)
    return words("head.fix", pattern=pattern_name(found.pattern, words), count=found.pattern.failed, failed=failed)


def _unmeasured(summary: Summary, rows: Sequence[Row], words: Words) -> Iterator[str]:
    """What was not run, ended early or could not be read; in one sentence that all is well."""
    counts = summary.counts
    parts = []
    if counts.not_run + counts.cancelled:
        parts.append(words("head.not_run", count=counts.not_run + counts.cancelled, planned=counts.planned))
    early = counts.error + counts.timeout + counts.limit
    if early:
        parts.append(words("head.ended_early", count=early))
    for note in summary.notes:
        if note.kind in ("unmatched", "answers_not_scored", "unscored", "scorer_failed"):
            scorer = note.values.get("scorer")
            name = None if scorer is None else short_name(str(scorer), _MAX_NAME)
            parts.append(words(f"head.{note.kind}", count=note.values.get("count"), scorer=name))
    for reason, names in _missing(rows).items():
        shown = ", ".join(words(f"column.{name}").replace("\u00a0", " ") for name in names)
        why = words.known(f"reason.{reason}", short_name(reason, _MAX_NAME))
        parts.append(words("head.missing", figures=shown, reason=why))
    yield words("head.unmeasured", parts="; ".join(parts)) if parts else words("head.all", planned=counts.planned)


def _missing(rows: Sequence[Row]) -> dict[str, list[str]]:
    """The figures of the table that no agent has, by the reason."""
    found: dict[str, list[str]] = {}
    for name in _FIGURES:
        estimates = [row.metrics.get(name, Estimate(None)) for row in rows]
        if all(known(estimate) is None for estimate in estimates) and estimates[0].reason:
            found.setdefault(estimates[0].reason, []).append(name)
    return found


def _table(rows: Sequence[Row], best: Row, against: Mapping[str, Contrast], words: Words) -> Iterator[Block]:
    """A line per agent. What no agent has, and what is 0 everywhere, has no column."""
    columns = [
        Column(words("column.agent"), "left", key=True),
        Column(words("column.n")),
        Column(words("head.column.passed")),
    ]
    cells = [[row.agent, _n(row.counts, words), _rate(row, words)] for row in rows]

    def add(title: str, values: Sequence[str]) -> None:
        columns.append(Column(title))
        for line, value in zip(cells, values, strict=True):
            line.append(value)

    if len(against) == len(rows) - 1 and not all(_same(row, best) for row in rows):
        add(words("head.column.verdict"), [_verdict(row, best, against, words) for row in rows])
    if any(row.counts.passed_with_issues for row in rows):
        add(words("head.column.issues"), [words.number(row.counts.passed_with_issues) for row in rows])
    for name in _FIGURES:
        values = [known(row.metrics.get(name)) for row in rows]
        if any(value is not None for value in values):
            shown = [words("none") if value is None else words.number(f"{value:.2f}") for value in values]
            add(words(f"column.{name}"), shown)
    for name in scorers_of(rows)[:_MAX_SCORERS]:
        values = [known(row.metrics.get(name)) for row in rows]
        add(
            short_name(name, _MAX_NAME),
            [words("none") if value is None else words.number(f"{value:.2f}") for value in values],
        )
    failing = [known(row.metrics.get("tool_fail_rate")) for row in rows]
    if any(failing):
        add(words("head.column.tool_fail_rate"), [rounded_percent(value, words) for value in failing])
    tones = [_TONES.get(against[row.agent].verdict, "plain") if row.agent in against else "plain" for row in rows]
    lines = tuple(Line(tuple(line), tone) for line, tone in zip(cells, tones, strict=True))
    yield Table(tuple(columns), lines, name=OVERVIEW)
    if not any(failing) and any(value is not None for value in failing):
        yield Paragraph(words("head.no_failed_call"), "dim")


def _n(counts: Counts, words: Words) -> str:
    """How many were measured, and how many were planned where that differs."""
    if counts.measured == counts.planned:
        return words.number(counts.planned)
    return f"{words.number(counts.measured)}/{words.number(counts.planned)}"


def _rate(row: Row, words: Words) -> str:
    estimate = row.metrics.get("pass_rate")
    value = known(estimate)
    if value is None:
        return words("none")
    interval = rounded_interval(estimate, words)
    return rounded_percent(value, words) + (f" ({interval})" if interval else "")


def _verdict(row: Row, best: Row, against: Mapping[str, Contrast], words: Words) -> str:
    if _same(row, best):
        return words("head.verdict.best")
    one = against[row.agent]
    told = one.verdict in ("better", "worse")
    p = one.adjusted_p or 0.0
    shown = words.number("<0.01" if p < 0.01 else f"{p:.2f}")
    return words("head.verdict.worse" if told else "head.verdict.unclear", p=shown)
