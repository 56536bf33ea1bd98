"""The alarms of a watch: who was told of which, which are acknowledged, and what is to be done about their series."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from toolgauge.drift import Alarm, Drift
from toolgauge.errors import UsageError

from .channels import Channel, QuietHours
from .notes import WatchNotes
from .state import WatchState

__all__ = ["AlarmRecord", "Teller", "acknowledge", "apply_requests", "list_alarms", "reset"]

FIRST_WAIT = 5.0
LONGEST_WAIT = 900.0
"""How many seconds pass before a channel that failed is tried again: twice as many each time, up to the longest."""


class AlarmRecord(Struct, frozen=True):
    """An alarm, and what became of it."""

    alarm: Alarm
    acknowledged: float | None
    delivered: tuple[str, ...]
    """The channels that took it."""

    @property
    def open(self) -> bool:
        """Whether nobody has acknowledged it."""
        return self.acknowledged is None


def list_alarms(state: WatchState, *, only_open: bool = False) -> list[AlarmRecord]:
    """The alarms, the earliest first."""
    query = "SELECT body, acknowledged, delivered FROM alarms ORDER BY at, id"
    rows = state.execute(query, types=tuple[bytes, float | None, str])
    with state.explained():
        return [
            AlarmRecord(
                msgspec.json.decode(body, type=Alarm),
                acknowledged,
                tuple(msgspec.json.decode(delivered, type=list[str])),
            )
            for body, acknowledged, delivered in rows
            if not only_open or acknowledged is None
        ]


def acknowledge(state: WatchState, ids: Sequence[str], now: float) -> list[Alarm]:
    """Note that alarms are known: their new level is what is usual from now on.

    Args:
        state: The state; a watch that is running learns of it.
        ids: Beginnings of their ids, or `all`.
        now: When, in seconds since 1970.

    Raises:
        UsageError: There is no such alarm.
    """
    found = _find(state, ids)
    with state.transaction() as connection:
        for alarm in found:
            connection.execute("UPDATE alarms SET acknowledged = ? WHERE id = ?", (now, alarm.id))
            connection.execute("INSERT INTO requests(what, series) VALUES('acknowledge', ?)", (alarm.series,))
            # The run that an alarm of the gate is about is what later ones are held to.
            connection.execute("UPDATE runs SET accepted = 1 WHERE id = ?", (alarm.label,))
    return found


def reset(state: WatchState, ids: Sequence[str], now: float) -> list[Alarm]:
    """Note that alarms were false, or their cause is mended: what was usual before is usual again."""
    found = _find(state, ids)
    with state.transaction() as connection:
        for alarm in found:
            connection.execute("UPDATE alarms SET acknowledged = ? WHERE id = ?", (now, alarm.id))
            connection.execute("INSERT INTO requests(what, series) VALUES('reset', ?)", (alarm.series,))
    return found


def _find(state: WatchState, ids: Sequence[str]) -> list[Alarm]:
    known = [record.alarm for record in list_alarms(state, only_open=True)]
    if "all" in ids:
        return known
    found: dict[str, Alarm] = {}
    for wanted in ids:
        fitting = [alarm for alarm in known if alarm.id.startswith(wanted) or alarm.series == wanted]
        if not fitting:
            raise UsageError(f"{wanted!r}: there is no open alarm with this id or of this series")
        found.update({alarm.id: alarm for alarm in fitting})
    return list(found.values())


def apply_requests(state: WatchState, drift: Drift) -> list[int]:
    """Do to the charts what was asked for since; returns the numbers of the requests."""
    known = {reading.series for reading in drift.readings()}
    numbers: list[int] = []
    query = "SELECT id, what, series FROM requests ORDER BY id"
    for number, what, series in state.execute(query, types=tuple[int, str, str]):
        numbers.append(number)
        if series in known:
            if what == "acknowledge":
                drift.acknowledge(series)
            elif what == "reset" and not drift.reset(series):
                drift.relearn(series)
    return numbers


class Teller:
    """Tells channels of alarms, until each has taken each of them."""

    def __init__(
        self, channels: Sequence[Channel], quiet: QuietHours | None = None, notes: WatchNotes | None = None
    ) -> None:
        """Make ready.

        Args:
            channels: Who is told.
            quiet: When nobody is.
            notes: Who could not be told, and why.
        """
        self._channels = channels
        self._quiet = quiet
        self._notes = notes if notes is not None else WatchNotes()
        self._waits: dict[str, tuple[float, float]] = {}
        """By channel when it may be tried again, and how long it waited."""
        self.failures: dict[str, int] = {}
        """By channel how often it failed."""

    def tell(self, state: WatchState, now: float) -> int:
        """Tell what is to be told; returns how many alarms are still to be told to somebody."""
        records = [record for record in list_alarms(state) if not self._told(record)]
        if not records or (self._quiet is not None and self._quiet.includes(now)):
            return len(records)
        return sum(not self._tell_one(state, record, now) for record in records)

    def _told(self, record: AlarmRecord) -> bool:
        return all(channel.name in record.delivered for channel in self._channels)

    def _tell_one(self, state: WatchState, record: AlarmRecord, now: float) -> bool:
        """Tell all channels of an alarm; returns whether all of them know it now."""
        delivered = list(record.delivered)
        for channel in self._channels:
            due, waited = self._waits.get(channel.name, (0.0, 0.0))
            if channel.name in delivered or now < due:
                continue
            failure = channel.send(record.alarm)
            if failure is None:
                delivered.append(channel.name)
                self._waits.pop(channel.name, None)
                self._note(state, record.alarm.id, delivered)
            else:
                waited = min(LONGEST_WAIT, 2 * waited or FIRST_WAIT)
                self._waits[channel.name] = (now + waited, waited)
                self.failures[channel.name] = self.failures.get(channel.name, 0) + 1
                self._notes.add(f"{channel.name}: an alarm was not delivered, and will be retried: {failure}")
        return all(channel.name in delivered for channel in self._channels)

    def _note(self, state: WatchState, alarm: str, delivered: list[str]) -> None:
        with state.transaction() as connection:
            connection.execute(
                "UPDATE alarms SET delivered = ? WHERE id = ?", (msgspec.json.encode(delivered).decode(), alarm)
            )
