"""All series of one watch: observations in, alarms out, at one stated rate of false alarms."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from .series import Series
from .sessions import Finished, Gathered, OpenSessions
from .values import Alarm, ChartReading, DriftSettings, FirstSeen, Observation

__all__ = ["Drift"]

_MAX_FIRST_SEEN = 200
_MAX_NAMED = 5
"""How many new labels an alarm names."""
_VERSION = 1


class DriftState(Struct):
    """Everything a monitor knows, so that one that was decoded raises the same alarms."""

    settings: DriftSettings
    version: int = _VERSION
    now: float = 0.0
    """The latest time that was seen."""
    sessions: OpenSessions = field(default_factory=OpenSessions)
    series: dict[str, Series] = field(default_factory=dict)
    first_seen: list[FirstSeen] = field(default_factory=list)
    ignored: int = 0


class Drift:
    """Charts of all series of one watch, which together keep to one rate of false alarms.

    Observations of different series and sessions may come mixed, in the order of time as far as sessions go that are
    over. Nothing here reads a clock: time is what observations and `advance` say.

    Args:
        settings: How often charts may cry wolf, and what they learn from.
    """

    def __init__(self, settings: DriftSettings | None = None) -> None:
        self._state = DriftState(settings or DriftSettings())

    @property
    def settings(self) -> DriftSettings:
        """What it was made with."""
        return self._state.settings

    def observe(self, observation: Observation) -> tuple[Alarm, ...]:
        """Take one observation; returns the alarms that sessions raise which are over by it."""
        state = self._state
        if not isfinite(observation.value) or not isfinite(observation.at):
            state.ignored += 1
            return ()
        known = state.series.get(observation.series)
        if known is not None and known.kind != observation.kind:
            raise ValueError(f"series {observation.series!r} is a {known.kind}, not a {observation.kind}")
        if known is None:
            state.series[observation.series] = Series(observation.series, observation.kind)
        state.now = max(state.now, observation.at)
        if observation.session:
            state.sessions.add(observation)
            return self._close(state.now - state.settings.gap)
        alone = Gathered(observation.kind)
        alone.add(observation)
        return (
            *self._close(state.now - state.settings.gap),
            *self._take(observation.series, alone.finish(observation.at, "")),
        )

    def advance(self, now: float) -> tuple[Alarm, ...]:
        """Tell the time where nothing is observed, so that silent sessions are over."""
        self._state.now = max(self._state.now, now)
        return self._close(self._state.now - self._state.settings.gap)

    def finish(self, silent_since: float = float("inf")) -> tuple[Alarm, ...]:
        """Take sessions as over though time has not moved on, at the end of what there is to watch.

        Args:
            silent_since: Those of which nothing was seen since then; all of them unless it is given.
        """
        return self._close(silent_since)

    def end(self, session: str) -> tuple[Alarm, ...]:
        """Take one session as over, of which it is known that nothing more will come."""
        return self._take_all(self._state.sessions.end(session))

    def _close(self, before: float) -> tuple[Alarm, ...]:
        if not self._state.sessions.any_over(before, self._state.settings.max_open):
            return ()
        return self._take_all(self._state.sessions.over(before, self._state.settings.max_open))

    def _take_all(self, finished: Iterable[tuple[str, Finished]]) -> tuple[Alarm, ...]:
        return tuple(alarm for series, session in finished for alarm in self._take(series, session))

    def _take(self, name: str, session: Finished) -> tuple[Alarm, ...]:
        state = self._state
        series = state.series[name]
        for label in session.shares:
            if series.is_new(label) and not any(
                each.series == name and each.label == label for each in state.first_seen
            ):
                seen = FirstSeen(name, label, session.at, session.session, session.traces.get(label, ""))
                state.first_seen = [*state.first_seen, seen][-_MAX_FIRST_SEEN:]
        alarm = series.take(session, state.settings, len(state.series))
        if alarm is None:
            return ()
        earliest = alarm.changed_between[0]
        new = [each for each in state.first_seen if each.series == name and each.at >= earliest]
        return (replace(alarm, first_seen=tuple(new[-_MAX_NAMED:])),)

    def adopt(self, settings: DriftSettings) -> None:
        """Go by other settings from now on; series that have been learned stay so."""
        if settings != self._state.settings:
            self._state.settings = settings
            for series in self._state.series.values():
                series.limits_among = 0  # they are computed anew with the next session

    def learned(self, series: str | None = None) -> None:
        """End learning, of one series or of all: what was observed so far is the baseline that was given."""
        for each in self._chosen(series):
            if not each.learned and each.baseline.sessions >= 2:
                each.finish_learning(self._state.settings)

    def acknowledge(self, series: str) -> None:
        """The last alarm of a series is known, and its new level is what is usual from now on."""
        self._state.series[series].before = None

    def reset(self, series: str) -> bool:
        """The last alarm of a series was false, or its cause is mended: go back to what was usual before.

        Returns:
            Whether that was still known; if not, nothing changes.
        """
        return self._state.series[series].go_back(self._state.settings)

    def relearn(self, series: str | None = None) -> None:
        """Forget what is usual, of one series or of all, and learn it from now on."""
        for each in self._chosen(series):
            self._state.series[each.name] = Series(each.name, each.kind, raised=each.raised)

    def _chosen(self, series: str | None) -> list[Series]:
        return list(self._state.series.values()) if series is None else [self._state.series[series]]

    def readings(self) -> tuple[ChartReading, ...]:
        """Where every chart of every series stands, with its limit."""
        return tuple(reading for series in self._state.series.values() for reading in series.readings())

    def first_seen(self) -> tuple[FirstSeen, ...]:
        """Labels that mixes did not have while they were learned, the latest last."""
        return tuple(self._state.first_seen)

    @property
    def closed_early(self) -> int:
        """How many sessions were taken as over because too many were open at once."""
        return self._state.sessions.closed_early

    @property
    def ignored(self) -> int:
        """How many observations were left out because their value or time is no number."""
        return self._state.ignored

    def encode(self) -> bytes:
        """Everything that is known, as JSON."""
        return msgspec.json.encode(self._state)

    @classmethod
    def decode(cls, state: bytes) -> Drift:
        """A monitor that goes on where `encode` was called."""
        monitor = cls()
        monitor._state = msgspec.json.decode(state, type=DriftState)
        return monitor
