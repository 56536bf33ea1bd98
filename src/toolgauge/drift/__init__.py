"""Drift: charts that tell a change from noise in rates, quantities and mixes, at one stated rate of false alarms.

Pure: observations go in, alarms come out, and the state is a value. `docs/drift.md` says what is assumed and promised.
"""

from __future__ import annotations

from .bets import OTHER
from .monitor import Drift
from .values import Alarm, ChartReading, Direction, DriftSettings, FirstSeen, Kind, Moved, Observation

__all__ = [
    "OTHER",
    "Alarm",
    "ChartReading",
    "Direction",
    "Drift",
    "DriftSettings",
    "FirstSeen",
    "Kind",
    "Moved",
    "Observation",
]
