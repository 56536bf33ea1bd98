"""Runs with what their reports begin with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from toolgauge.core import Run
from toolgauge.metrics import CaseSums

__all__ = ["with_headline"]


def with_headline(run: Run, sums: Mapping[str, CaseSums] | None = None) -> Run:
    """The run with what a report of it begins with: how its agents stand to each other, and what fails most.

    Args:
        run: The run.
        sums: By agent what was added up; default: it is added up again from the trajectories.
    """
    from toolgauge.analysis.headline import headline  # statistics, which not every command needs

    return replace(run, headline=headline(run, sums))
