"""What a watch counts, in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toolgauge.drift import ChartReading

from .alarms import list_alarms
from .state import LOST, WatchState

__all__ = ["exposition"]

PREFIX = "toolgauge_watch_"


def exposition(
    state: WatchState,
    gauges: Mapping[str, float],
    answers: Mapping[str, int],
    closed: int,
    readings: Iterable[ChartReading],
) -> str:
    """The text for `/metrics`.

    Args:
        state: What was counted and kept.
        gauges: Where the watch stands.
        answers: What the receiver answered, by `SIGNAL STATUS`.
        closed: How many connections it closed to make room for others.
        readings: Where the charts stand.
    """
    lines: list[str] = []
    losses = {name.removeprefix(LOST): value for name, value in state.counters().items() if name.startswith(LOST)}
    others = {name: value for name, value in state.counters().items() if not name.startswith(LOST)}
    for name, value in others.items():
        _family(lines, f"{name.replace(' ', '_')}_total", "counter", [({}, value)])
    _family(lines, "losses_total", "counter", [({"reason": reason}, value) for reason, value in losses.items()])
    for name, gauge in gauges.items():
        _family(lines, name, "gauge", [({}, gauge)])
    _family(lines, "requests_total", "counter", [(_answer(key), value) for key, value in answers.items()])
    _family(lines, "connections_closed_total", "counter", [({}, closed)])
    query = "SELECT series, label, sum(count), sum(total) FROM hours GROUP BY series, label"
    rows = state.execute(query, types=tuple[str, str, int, float])
    labelled = [({"series": series, "label": label}, count, total) for series, label, count, total in rows]
    _family(lines, "observations_total", "counter", [(labels, count) for labels, count, _ in labelled])
    _family(lines, "observations_sum", "counter", [(labels, total) for labels, _, total in labelled])
    charts = [(_chart(reading), reading) for reading in readings]
    _family(lines, "chart_statistic", "gauge", [(labels, reading.statistic) for labels, reading in charts])
    _family(lines, "chart_limit", "gauge", [(labels, each.limit) for labels, each in charts if each.limit is not None])
    alarms = list_alarms(state)
    _family(lines, "alarms_total", "counter", [({}, len(alarms))])
    _family(lines, "alarms_open", "gauge", [({}, sum(record.open for record in alarms))])
    return "\n".join(lines) + "\n"


def _answer(key: str) -> dict[str, str]:
    signal, _, status = key.partition(" ")
    return {"signal": signal, "status": status}


def _chart(reading: ChartReading) -> dict[str, str]:
    return {
        "series": reading.series,
        "chart": reading.chart,
        "label": reading.label,
        "direction": reading.direction,
    }


def _family(lines: list[str], name: str, kind: str, values: Iterable[tuple[Mapping[str, str], float]]) -> None:
    lines.append(f"# TYPE {PREFIX}{name} {kind}")
    for labels, value in values:
        written = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items() if text)
        lines.append(f"{PREFIX}{name}{{{written}}} {value:.17g}" if written else f"{PREFIX}{name} {value:.17g}")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
