"""What goes into drift charts and what comes out: observations, settings, alarms, and where every chart stands."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from toolgauge.core import Estimate

__all__ = ["Alarm", "ChartReading", "Direction", "DriftSettings", "FirstSeen", "Kind", "Moved", "Observation"]

Kind = Literal["rate", "quantity", "mix"]
"""A rate is of things that happen or do not, a quantity of numbers, a mix of labels that share one whole."""
Direction = Literal["up", "down"]

Positive = Annotated[float, Meta(gt=0)]


class Observation(Struct, frozen=True, gc=False):
    """One thing seen in one conversation: a call that failed or did not, a duration, a tool that was called."""

    series: str
    kind: Kind
    at: float
    """When, in seconds since 1970 (UTC)."""
    value: float = 0.0
    """Of a rate 1 where it happened and 0 where it did not; of a quantity the number; of a mix nothing."""
    label: str = ""
    """Of a mix what was seen: the tool, the error class."""
    session: str = ""
    """Observations of one session are one piece of evidence; without a session each is one of its own."""
    trace: str = ""
    """Where to look at it."""


class DriftSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How often charts may cry wolf, and what they learn from before they may."""

    false_alarms: Positive = 1.0
    """How many false alarms are allowed in `days`, of all series together."""
    days: Positive = 30.0
    baseline_sessions: Annotated[int, Meta(ge=2)] = 100
    """A series is told from at least so many sessions ..."""
    baseline_days: Annotated[float, Meta(ge=0)] = 7.0
    """... that cover at least so many days, so that a week's rhythm is known before anything is called unusual."""
    relearn_days: Annotated[float, Meta(ge=0)] = 1.0
    """The same after an alarm, from when on the series is told from what came after it."""
    rhythm: bool = True
    """Whether sessions are compared with those of the same hours, and weekends with weekends, once there are enough."""
    utc_offset: float = 0.0
    """Hours that local time is ahead of UTC, for the rhythm."""
    gap: Positive = 1800.0
    """A session that was silent for so many seconds is over."""
    max_open: Annotated[int, Meta(ge=1)] = 10_000
    """How many sessions may be open at once; beyond, the one that was silent longest is taken as over."""
    max_labels: Annotated[int, Meta(ge=1)] = 12
    """How many labels of a mix have charts of their own; the others, and those that appear later, share charts."""
    examples: Annotated[int, Meta(ge=0)] = 5
    """How many traces an alarm names."""


class Moved(Struct, frozen=True, gc=False):
    """A label of a mix that has another share than before."""

    label: str
    before: Estimate
    after: Estimate


class FirstSeen(Struct, frozen=True, gc=False):
    """A label appeared that the series did not have while it was learned. Not an alarm: that takes more than one."""

    series: str
    label: str
    at: float
    session: str
    trace: str


class Alarm(Struct, frozen=True, gc=False):
    """A series is no longer what it was."""

    id: str
    """The same for the same stream, so that an alarm told twice can be known by it."""
    series: str
    kind: Kind
    direction: Direction
    at: float
    """When it was raised: the time of the session that carried the chart over its limit."""
    changed_at: float
    """When the series changed, as likely later as earlier; looked for among the last few hundred sessions."""
    sessions: int
    """How many sessions of the series there were from then on."""
    before: Estimate
    """Of a rate or a label the mean over sessions of the share within each; of a quantity the median over sessions."""
    after: Estimate
    chart: str
    """Which chart of the series raised it, as in `ChartReading`."""
    statistic: float
    limit: float
    label: str = ""
    """Of a mix the label whose chart raised it."""
    moved: tuple[Moved, ...] = ()
    """Of a mix the labels whose shares moved, the largest move first."""
    examples: tuple[str, ...] = ()
    """Traces to look at, the latest first."""
    changed_between: tuple[float, float] = (0.0, 0.0)
    """Between which times it changed, nine times in ten."""
    first_seen: tuple[FirstSeen, ...] = ()
    """Of a mix the labels that appeared since the earlier of these times, the latest last."""


class ChartReading(Struct, frozen=True, gc=False):
    """Where one chart stands, for drawing."""

    series: str
    kind: Kind
    chart: str
    label: str
    direction: Direction
    statistic: float
    limit: float | None
    """None while the series is being learned."""
    run_length: float | None
    """How many sessions there are between false alarms of this chart, on average, by computation."""
    learned: int
    """How many sessions the series is told from."""
    level: Estimate
    """What is usual: the mean share over sessions, or the median."""
