"""Running agents on the cases of a suite: limits, interruptions, opinions of judges, and nothing that gets lost."""

from .event_loop import run_in_loop
from .execute import execute_run
from .forecast import forecast_run
from .options import Agents, RunOptions, RunOutcome, Stop, Watcher
from .plan import DEFAULT_LIMITS, PlannedTrial, RunPlan
from .trial import Caller, Trial

__all__ = [
    "DEFAULT_LIMITS",
    "Agents",
    "Caller",
    "PlannedTrial",
    "RunOptions",
    "RunOutcome",
    "RunPlan",
    "Stop",
    "Trial",
    "Watcher",
    "execute_run",
    "forecast_run",
    "run_in_loop",
]
