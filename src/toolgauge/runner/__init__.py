"""Running agents on the cases of a suite: limits, interruptions, opinions of judges, and nothing that gets lost."""

from .conduct import conduct
from .keeping import MemoryRecorder, RunRecorder, StoreRecorder
from .limits import DEFAULT_LIMITS, narrowed
from .origin import origin
from .plan import Plan, Planned, describe_tools, differences, suite_differences
from .run import Finished, Judges, Runner, Stop, Watcher
from .toolset import Toolset, check_expected, gather_tools
from .trial import Caller, Trial

__all__ = [
    "DEFAULT_LIMITS",
    "Caller",
    "Finished",
    "Judges",
    "MemoryRecorder",
    "Plan",
    "Planned",
    "RunRecorder",
    "Runner",
    "Stop",
    "StoreRecorder",
    "Toolset",
    "Trial",
    "Watcher",
    "check_expected",
    "conduct",
    "describe_tools",
    "differences",
    "gather_tools",
    "narrowed",
    "origin",
    "suite_differences",
]
