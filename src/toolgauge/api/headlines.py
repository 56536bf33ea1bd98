"""Runs with what their reports begin with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from toolgauge.core import Run
from toolgauge.metrics import CaseSums

__all__ = ["with_headline"]


def with_headline(run: Run, sums: Mapping[str, CaseSums] | None = None) -> Run:
    """The run with the opening of its report: how its agents compare, and what fails most.

    Args:
        run: The run.
        sums: The sums by agent; default: computed again from the trajectories.
    """
    from toolgauge.analysis.headline import headline  # statistics, which not every command needs

    return replace(run, headline=headline(run, sums))
