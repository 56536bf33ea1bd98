"""Watching agents in production and suites over time. It needs the extra `watch`.

receiver, files ──▶ inbox (state) ──▶ conversations (gathering) ──▶ measures ──▶ drift ──▶ alarms ──▶ channels
"""

from __future__ import annotations

from toolgauge.lazy import lazy_exports

TYPE_CHECKING = False  # see toolgauge/lazy.py
if TYPE_CHECKING:
    from .alarms import acknowledge, list_alarms, reset
    from .channels import QuietHours, describe
    from .opening import WatchParts, make_settings, open_watch
    from .service import Watch, WatchOptions
    from .settings import ReceiverLimits, WatchSettings
    from .state import DEFAULT_STATE, WatchState

__all__ = [
    "DEFAULT_STATE",
    "QuietHours",
    "ReceiverLimits",
    "Watch",
    "WatchOptions",
    "WatchParts",
    "WatchSettings",
    "WatchState",
    "acknowledge",
    "describe",
    "list_alarms",
    "make_settings",
    "open_watch",
    "reset",
]

__getattr__ = lazy_exports(
    __name__,
    {
        ".alarms": "acknowledge list_alarms reset",
        ".channels": "QuietHours describe",
        ".opening": "WatchParts make_settings open_watch",
        ".service": "Watch WatchOptions",
        ".settings": "ReceiverLimits WatchSettings",
        ".state": "DEFAULT_STATE WatchState",
    },
)
