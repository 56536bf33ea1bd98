"""From observations to sessions: what belongs to one conversation is put together before any chart sees it.

Calls of one conversation resemble each other. As one piece of evidence each, sessions are what charts take to be
independent, however alike the calls within are.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from msgspec import Struct, field

from .values import Kind, Observation

__all__ = ["Finished", "OpenSession", "OpenSessions"]

_MAX_VALUES = 500
"""Of a session's values of one series, the median of the first so many counts."""
_MAX_LABELS = 100
"""Of a session's labels of one series, the first so many count."""


class Finished(Struct, array_like=True):
    """What one session says in one series."""

    at: float
    """When the session began."""
    value: float = 0.0
    """Of a rate the share in which it happened, of a quantity the median."""
    rank: float = 0.5
    """Of a quantity where it lies among the sessions until then, once the series is learned."""
    shares: dict[str, float] = field(default_factory=dict)
    """Of a mix the share of each label."""
    session: str = ""
    trace: str = ""
    """Of a rate the first where it happened, of a quantity the one with the largest value."""
    traces: dict[str, str] = field(default_factory=dict)
    """Of a mix the first with each label."""


class Gathered(Struct):
    """What was seen so far of one session in one series."""

    kind: Kind
    observations: int = 0
    total: float = 0.0
    values: list[float] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    trace: str = ""
    largest: float = 0.0
    traces: dict[str, str] = field(default_factory=dict)

    def add(self, seen: Observation) -> None:
        """One more observation."""
        if seen.kind == "mix":
            self._add_label(seen)
            return
        self.observations += 1
        self.total += seen.value
        if self.observations == 1 or seen.value > self.largest:
            self.trace, self.largest = seen.trace, seen.value
        if seen.kind == "quantity" and len(self.values) < _MAX_VALUES:
            self.values.append(seen.value)

    def _add_label(self, seen: Observation) -> None:
        if seen.label not in self.labels:
            if len(self.labels) >= _MAX_LABELS:
                return
            self.traces[seen.label] = seen.trace
        self.observations += 1
        self.labels[seen.label] = self.labels.get(seen.label, 0) + 1

    def finish(self, at: float, session: str) -> Finished:
        """All of it as one piece of evidence."""
        if self.kind == "mix":
            shares = {label: many / self.observations for label, many in sorted(self.labels.items())}
            first = next(iter(self.traces.values()))
            return Finished(at, shares=shares, session=session, trace=first, traces=self.traces)
        if self.kind == "rate":
            share = min(1.0, max(0.0, self.total / self.observations))
            return Finished(at, share, session=session, trace=self.trace)
        return Finished(at, median(self.values), session=session, trace=self.trace)


class OpenSession(Struct):
    """A session that may go on."""

    first: float
    last: float
    series: dict[str, Gathered] = field(default_factory=dict)


class OpenSessions(Struct):
    """Sessions that may go on, the one that was silent longest first."""

    open: dict[str, OpenSession] = field(default_factory=dict)
    closed_early: int = 0
    """How many were taken as over because too many were open."""

    def add(self, seen: Observation) -> None:
        """Put an observation to its session."""
        session = self.open.pop(seen.session, None) or OpenSession(seen.at, seen.at)
        session.first, session.last = min(session.first, seen.at), max(session.last, seen.at)
        self.open[seen.session] = session
        gathered = session.series.get(seen.series)
        if gathered is None:
            gathered = session.series[seen.series] = Gathered(seen.kind)
        gathered.add(seen)

    def any_over(self, before: float, most: int) -> bool:
        """Whether there is a session to take out."""
        return bool(self.open) and (len(self.open) > most or next(iter(self.open.values())).last < before)

    def over(self, before: float, most: int) -> Iterator[tuple[str, Finished]]:
        """Take out the sessions that were silent since, and those beyond the most that may be open."""
        while self.any_over(before, most):
            name = next(iter(self.open))
            self.closed_early += self.open[name].last >= before
            yield from self.end(name)

    def end(self, name: str) -> Iterator[tuple[str, Finished]]:
        """Take out one session, if it is open."""
        session = self.open.pop(name, None)
        if session is not None:
            for series, gathered in session.series.items():
                yield series, gathered.finish(session.first, name)
