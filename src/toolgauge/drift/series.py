"""One series: what is usual in it, its charts, and the alarm that one of them raises."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2s
from itertools import chain

from msgspec import Struct, field

from toolgauge.core import Estimate

from .baseline import Baseline, bin_of, cell_of, median_estimate, share_estimate
from .bets import NEW, OTHER, RANK_BETS, Bet, TiltBet, bets_of, share_bets
from .moments import Moment, moment_of_ranks, moment_of_shares
from .sessions import Finished
from .values import Alarm, ChartReading, DriftSettings, Kind, Moved

__all__ = ["Series"]

_RECENT = 256
"""How many sessions are kept to tell what came after a change, and to name examples."""
_MAX_LABELS = 500
"""How many labels of a mix are known by name; beyond, labels count as others."""
_DAY = 86_400.0
_GROWTH = 1.1
"""Limits are computed anew when there are so many times the sessions."""


class ChartState(Struct, array_like=True):
    """Where a CUSUM chart stands, and its limit."""

    statistic: float = 0.0
    limit: float = 0.0
    run_length: float = 0.0


class Series(Struct):
    """A series with its charts; all of it is state that can be encoded."""

    name: str
    kind: Kind
    baseline: Baseline = field(default_factory=Baseline)
    learned: bool = False
    raised: int = 0
    """How many alarms there were."""
    labels: list[str] = field(default_factory=list)
    """Of a mix the labels that have charts; of others the one label ""."""
    known: list[str] = field(default_factory=list)
    """Of a mix the labels that are not new."""
    charts: dict[str, list[ChartState]] = field(default_factory=dict)
    recent: list[Finished] = field(default_factory=list)
    next_limits: int = 0
    """With how many sessions limits are computed anew."""
    limits_among: int = 0
    """Among how many series the false alarms were shared when they were last."""
    before: Baseline | None = None
    """What was usual before the last alarm."""

    def take(self, session: Finished, settings: DriftSettings, series: int) -> Alarm | None:
        """One more session.

        Args:
            session: What it says in this series.
            settings: How often charts may cry wolf.
            series: Among how many series the false alarms are shared.
        """
        session.session = ""  # has been told by now, and need not be kept
        cell = cell_of(session.at, settings.utc_offset) if settings.rhythm else 0
        self.baseline.count(session.at, cell)
        self.recent.append(session)
        if len(self.recent) > 2 * _RECENT:
            del self.recent[:-_RECENT]
        if not self.learned:
            self._learn(session, cell, settings)
            return None
        self._compare(session, cell)
        if self.baseline.sessions >= self.next_limits or series != self.limits_among:
            self._set_limits(settings, series)
        return self._alarm(session, settings)

    def finish_learning(self, settings: DriftSettings) -> None:
        """From now on the series is told from what it has seen."""
        self.labels = [""]
        if self.kind == "mix":
            totals = {label: self.baseline.total(label) for label in self.baseline.shares if label != OTHER}
            ordered = sorted(totals, key=lambda label: (-totals[label], label))
            charted, rest = ordered[: settings.max_labels], ordered[settings.max_labels :]
            self.known = sorted({*self.known, *ordered})
            self.baseline.merge_labels(rest, OTHER)
            self.labels = [*charted, *([OTHER] if OTHER in self.baseline.shares else []), NEW]
        self.charts = {label: [ChartState() for _ in bets_of(self.kind, label)] for label in self.labels}
        self.learned, self.next_limits = True, 0

    def _learn(self, session: Finished, cell: int, settings: DriftSettings) -> None:
        if self.kind == "quantity":
            self.baseline.add_value(cell, bin_of(session.value))
        elif self.kind == "rate":
            self.baseline.add_share(cell, "", session.value)
        else:
            for label, share in session.shares.items():
                few = label in self.baseline.shares or len(self.baseline.shares) < _MAX_LABELS
                self.baseline.add_share(cell, label if few else OTHER, share)
        days = settings.relearn_days if self.raised else settings.baseline_days
        if self.baseline.sessions >= settings.baseline_sessions and self.baseline.elapsed >= days * _DAY:
            self.finish_learning(settings)

    def _compare(self, session: Finished, cell: int) -> None:
        """Add the session to what is usual, and what it says to each chart."""
        if self.kind == "quantity":
            number = bin_of(session.value)
            self.baseline.add_value(cell, number)
            low, high = self.baseline.rank(cell, number)
            for bet, chart in zip(RANK_BETS, self.charts[""], strict=True):
                chart.statistic = max(0.0, chart.statistic + bet.evidence(low, high))
            session.rank = (low + high) / 2
            return
        for label, share in self._shares(session).items():
            self.baseline.add_share(cell, label, share)
            usual = self.baseline.usual_share(cell, label)
            for tilt, chart in zip(share_bets(self.kind, label), self.charts[label], strict=True):
                chart.statistic = max(0.0, chart.statistic + tilt.evidence(share, usual))

    def _shares(self, session: Finished) -> dict[str, float]:
        """The shares of the labels that have charts."""
        if self.kind == "rate":
            return {"": session.value}
        shares = dict.fromkeys(self.labels, 0.0)
        for label, share in session.shares.items():
            shares[self._charted(label)] += share
        return shares

    def _charted(self, label: str) -> str:
        if label in self.charts:
            return label
        return OTHER if OTHER in self.charts and label in self.known else NEW

    def is_new(self, label: str) -> bool:
        """Whether a mix did not have a label while it was learned."""
        return self.learned and label not in self.charts and label not in self.known

    def _set_limits(self, settings: DriftSettings, series: int) -> None:
        """Limits by which this series has its share of the false alarms, and each chart an equal part of that."""
        base = self.baseline
        seconds = max(60.0, base.elapsed * base.sessions / max(1, base.sessions - 1))
        a_period = base.sessions / seconds * settings.days * _DAY
        run_length = max(2.0, a_period * series * sum(map(len, self.charts.values())) / settings.false_alarms)
        for label, charts in self.charts.items():
            rate = min(1 - 0.5 / base.sessions, max(0.5 / base.sessions, base.mean(label)))
            for bet, chart in zip(bets_of(self.kind, label), charts, strict=True):
                chart.limit = bet.limit(run_length, rate) if isinstance(bet, TiltBet) else bet.limit(run_length)
                chart.run_length = run_length
        self.next_limits, self.limits_among = int(base.sessions * _GROWTH) + 1, series

    def _alarm(self, session: Finished, settings: DriftSettings) -> Alarm | None:
        if not any(chart.statistic >= chart.limit for charts in self.charts.values() for chart in charts):
            return None
        over = [
            (chart.statistic / chart.limit, label, bet, chart)
            for label, charts in self.charts.items()
            for bet, chart in zip(bets_of(self.kind, label), charts, strict=True)
            if chart.statistic >= chart.limit
        ]
        _, label, bet, chart = max(over, key=lambda each: each[0])
        alarm = self._describe(session, settings, label, bet, chart)
        self.forget()
        return alarm

    def forget(self) -> None:
        """Learn anew what is usual, keeping what was until now."""
        self.before = self.baseline
        self.baseline, self.learned, self.charts, self.recent = Baseline(), False, {}, []
        self.known = [] if self.kind != "mix" else self.known
        self.raised += 1

    def go_back(self, settings: DriftSettings) -> bool:
        """Tell from what was usual before the last alarm again; False if there was none or it is no longer known."""
        if self.before is None:
            return False
        self.baseline, self.before, self.recent = self.before, None, []
        if NEW in self.baseline.shares:
            self.baseline.merge_labels([NEW], OTHER)
        self.finish_learning(settings)
        return True

    def _describe(self, session: Finished, settings: DriftSettings, label: str, bet: Bet, chart: ChartState) -> Alarm:
        moment = self._moment(label, rising=bet.direction == "up")
        after = self.recent[-moment.middle :]
        before, now = self._levels(label, after)
        moved = self._moved(after) if self.kind == "mix" else ()
        named = self._name(label, after)
        return Alarm(
            id=blake2s(f"{self.name}\n{self.raised}\n{session.at!r}".encode(), digest_size=8).hexdigest(),
            series=self.name,
            kind=self.kind,
            direction=bet.direction,
            at=session.at,
            changed_at=after[0].at,
            changed_between=(self.recent[-moment.most].at, self.recent[-moment.fewest].at),
            sessions=len(after),
            before=before,
            after=now,
            chart=bet.name,
            statistic=chart.statistic,
            limit=chart.limit,
            label=named,
            moved=moved,
            examples=self._examples(named, bet.direction == "up", after)[: settings.examples],
        )

    def _moment(self, label: str, *, rising: bool) -> Moment:
        """How many of the sessions that are kept came after the change."""
        if self.kind == "quantity":
            return moment_of_ranks([each.rank for each in self.recent], rising=rising)
        shares = [self._shares(each)[label] for each in self.recent]
        return moment_of_shares(shares, self.baseline.sessions, self.baseline.total(label), rising=rising)

    def _levels(self, label: str, after: list[Finished]) -> tuple[Estimate, Estimate]:
        base = self.baseline
        if self.kind == "quantity":
            later = Counter(bin_of(each.value) for each in after)
            earlier = {number: many - later[number] for number, many in base.all_bins().items()}
            return median_estimate(earlier), median_estimate(later)
        shares = [self._shares(each)[label] for each in after]
        many, total, squares = len(shares), sum(shares), sum(share * share for share in shares)
        squares_before = base.squares.get(label, 0.0) - squares
        return (
            share_estimate(base.sessions - many, base.total(label) - total, squares_before),
            share_estimate(many, total, squares),
        )

    def _moved(self, after: list[Finished]) -> tuple[Moved, ...]:
        """Labels whose share after the change lies outside the interval of before, and the other way round."""
        found = []
        for label in self.labels:
            was, now = self._levels(label, after)
            if _apart(was, now):
                found.append(Moved(self._name(label, after), was, now))
        return tuple(sorted(found, key=lambda each: -abs((each.after.value or 0.0) - (each.before.value or 0.0))))

    def _name(self, label: str, after: list[Finished]) -> str:
        """A label by its own name: of new ones the one that has the largest share."""
        if label != NEW:
            return label
        shares: dict[str, float] = {}
        for name, share in chain.from_iterable(each.shares.items() for each in after):
            if self._charted(name) == NEW:
                shares[name] = shares.get(name, 0.0) + share
        return max(shares, key=lambda name: (shares[name], name), default=label)

    def _examples(self, label: str, rising: bool, after: list[Finished]) -> tuple[str, ...]:
        latest = after[::-1]
        if self.kind == "mix":
            with_label = [each.traces.get(label, "") for each in latest]
            traces = with_label if rising else [each.trace for each in latest if label not in each.shares]
        elif self.kind == "rate":
            traces = [each.trace for each in latest if (each.value > 0) == rising]
        else:
            traces = [each.trace for each in sorted(latest, key=lambda each: each.value, reverse=rising)]
        return tuple(dict.fromkeys(filter(None, traces)))

    def readings(self) -> list[ChartReading]:
        """Where the charts stand; while the series is being learned, those it has whatever is learned."""
        found = []
        for label in self.labels if self.learned else [""] if self.kind != "mix" else []:
            states = self.charts.get(label) or [ChartState() for _ in bets_of(self.kind, label)]
            for bet, chart in zip(bets_of(self.kind, label), states, strict=True):
                found.append(
                    ChartReading(
                        series=self.name,
                        kind=self.kind,
                        chart=bet.name,
                        label=label,
                        direction=bet.direction,
                        statistic=chart.statistic,
                        limit=chart.limit or None,
                        run_length=chart.run_length or None,
                        learned=self.baseline.sessions,
                        level=self._level(label),
                    )
                )
        return found

    def _level(self, label: str) -> Estimate:
        if self.kind == "quantity":
            return median_estimate(self.baseline.all_bins())
        base = self.baseline
        return share_estimate(base.sessions, base.total(label), base.squares.get(label, 0.0))


def _apart(one: Estimate, other: Estimate) -> bool:
    """Whether neither estimate lies in the interval of the other."""
    return not _holds(one, other.value) and not _holds(other, one.value)


def _holds(estimate: Estimate, value: float | None) -> bool:
    low, high = estimate.low, estimate.high
    return value is None or low is None or high is None or low <= value <= high
