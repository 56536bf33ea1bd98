"""What people see of a watch: its alarms, its series over time with what is usual, and its conversations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from toolgauge.core import Trajectory
from toolgauge.drift import ChartReading, Drift
from toolgauge.pages.charts import Chart
from toolgauge.pages.charts.series import SeriesLine, SeriesPoint, series_chart
from toolgauge.stats import wilson

from .alarms import AlarmRecord, list_alarms
from .channels import describe, moment
from .measures import KINDS
from .state import LOST, WatchState

__all__ = ["ShownAlarm", "ShownLabel", "ShownWatch", "show_conversations", "show_watch", "watch_charts"]

HOUR = 3600

Hour = Annotated[int, Meta(ge=0, le=10_000_000)]
"""In hours since 1970."""
Total = Annotated[float, Meta(ge=-1e300, le=1e300)]

POINTS = 42
"""About how many points a line has."""

FEWEST = 20
"""So many observations are behind a point at least."""

MAX_LINES = 6
MAX_CHARTS = 40
SHARES = ("pass_rate", "suite_pass_rate")


class ShownAlarm(Struct, frozen=True):
    """An alarm in words."""

    id: str
    open: bool
    text: str
    traces: tuple[str, ...]


class ShownLabel(Struct, frozen=True):
    """A label that a mix did not have while it was learned."""

    series: str
    label: str
    at: str
    trace: str


class ShownWatch(Struct, frozen=True):
    """A watch in figures and charts."""

    conversations: int
    since: str
    alarms: tuple[ShownAlarm, ...]
    charts: tuple[Chart, ...]
    readings: tuple[ChartReading, ...]
    losses: tuple[tuple[str, int], ...]
    first_seen: tuple[ShownLabel, ...]
    """The latest first."""

    @property
    def open_alarms(self) -> int:
        """How many alarms nobody has acknowledged."""
        return sum(alarm.open for alarm in self.alarms)


def show_watch(path: str) -> ShownWatch:
    """A watch as it stands.

    Raises:
        UsageError: There is none.
    """
    state = WatchState(path, create=False)
    try:
        records = list_alarms(state)
        known = state.fact("drift")
        with state.explained():
            drift = Drift() if known is None else Drift.decode(known)
        readings = drift.readings()
        counters = state.counters()
        first = state.execute("SELECT min(hour) FROM hours", types=tuple[Hour | None])[0][0]
        return ShownWatch(
            counters.get("conversations", 0),
            "" if first is None else datetime.fromtimestamp(first * HOUR, UTC).strftime("%Y-%m-%d"),
            tuple(_alarm(record) for record in reversed(records)),
            tuple(watch_charts(state, records, readings)),
            readings,
            tuple((name.removeprefix(LOST), count) for name, count in counters.items() if name.startswith(LOST)),
            tuple(
                ShownLabel(each.series, each.label, moment(each.at), each.trace)
                for each in reversed(drift.first_seen())
            ),
        )
    finally:
        state.close()


def _alarm(record: AlarmRecord) -> ShownAlarm:
    return ShownAlarm(record.alarm.id, record.open, describe(record.alarm, traces=False), record.alarm.examples)


def watch_charts(state: WatchState, records: list[AlarmRecord], readings: tuple[ChartReading, ...]) -> list[Chart]:
    """A chart for each series, those with alarms first."""
    found = state.execute("SELECT DISTINCT series FROM hours ORDER BY series", types=tuple[str])
    alarmed = {record.alarm.series for record in records}
    names = sorted((name for (name,) in found), key=lambda name: (name not in alarmed, name.partition("{")[0], name))
    charts = []
    for number, name in enumerate(names[:MAX_CHARTS]):
        moments = [record.alarm.changed_at for record in records if record.alarm.series == name]
        kind = KINDS.get(name.partition("{")[0], "rate" if name.partition("{")[0] in SHARES else "quantity")
        lines = _mix(state, name) if kind == "mix" else [_line(state, name, kind == "rate", readings)]
        charts.append(series_chart(f"series-{number}", name, lines, moments, bounded=kind != "quantity"))
    return charts


def _line(state: WatchState, series: str, is_rate: bool, readings: tuple[ChartReading, ...]) -> SeriesLine:
    rows = state.execute(
        "SELECT hour, sum(count), sum(total) FROM hours WHERE series = ? AND count > 0 GROUP BY hour ORDER BY hour",
        (series,),
        tuple[Hour, int, Total],
    )
    points = []
    for hours in _spells({hour: count for hour, count, _ in rows}):
        count = sum(each for hour, each, _ in rows if hour in hours)
        total = sum(each for hour, _, each in rows if hour in hours)
        interval = wilson(min(max(round(total), 0), count), count) if is_rate else (None, None)
        points.append(SeriesPoint(_middle(hours), total / count, count, *interval))
    usual = next((reading.level for reading in readings if reading.series == series), None)
    return SeriesLine(series, points, usual if is_rate else None)


def _mix(state: WatchState, series: str) -> list[SeriesLine]:
    query = "SELECT hour, label, count FROM hours WHERE series = ? AND count > 0 ORDER BY hour"
    rows = state.execute(query, (series,), tuple[Hour, str, int])
    totals: dict[int, int] = {}
    by_label: dict[str, dict[int, int]] = {}
    for hour, label, count in rows:
        totals[hour] = totals.get(hour, 0) + count
        by_label.setdefault(label, {})[hour] = count
    spells = _spells(totals)
    largest = sorted(by_label, key=lambda label: -sum(by_label[label].values()))[:MAX_LINES]
    return [SeriesLine(label, [_share(by_label[label], totals, hours) for hours in spells]) for label in largest]


def _share(own: Mapping[int, int], totals: Mapping[int, int], hours: Sequence[int]) -> SeriesPoint:
    total = sum(totals[hour] for hour in hours)
    return SeriesPoint(_middle(hours), sum(own.get(hour, 0) for hour in hours) / total, total)


def _spells(counts: Mapping[int, int]) -> list[list[int]]:
    """The hours in groups of about as many observations each, so that no mark rests on a handful of them."""
    enough = max(FEWEST, sum(counts.values()) / POINTS)
    found: list[list[int]] = []
    seen = 0.0
    for hour, count in counts.items():
        if not found or seen >= enough:
            found.append([])
            seen = 0.0
        found[-1].append(hour)
        seen += count
    if len(found) > 1 and seen < enough / 2:
        found[-2] += found.pop()
    return found


def _middle(hours: Sequence[int]) -> float:
    return (hours[0] + hours[-1] + 1) / 2 * HOUR


def show_conversations(path: str, trace: str) -> list[tuple[Trajectory, str]]:
    """The conversations of a trace, each with its record as text; empty where they are kept no longer."""
    state = WatchState(path, create=False)
    try:
        found = state.conversation(trace)
    finally:
        state.close()
    return [(each, msgspec.json.format(msgspec.json.encode(each), indent=2).decode()) for each in found]
