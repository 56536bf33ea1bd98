"""Reading recorded trajectories, and joining them to the cases of a suite.

Names are imported when they are first used: a command that only lists the formats reads nothing.
"""

from __future__ import annotations

from toolgauge.lazy import lazy_exports

TYPE_CHECKING = False  # see toolgauge/lazy.py
if TYPE_CHECKING:
    from .case_names import CaseFinder, Naming, by_text, kept_key
    from .foreign import reader_names
    from .import_report import ImportReport
    from .join import Join, Seen
    from .native import Written, count_of, encode_trajectories, encode_trajectory
    from .objects import from_messages
    from .read import PieceReader, ReadOptions, Span, divide_native, read_in_lists, read_to_write, read_traces
    from .sources import PathLike, Source, Traces, fallback_names, find_sources
    from .tool_names import known_tools
    from .unicode_names import checked

__all__ = [
    "CaseFinder",
    "ImportReport",
    "Join",
    "Naming",
    "PathLike",
    "PieceReader",
    "ReadOptions",
    "Seen",
    "Source",
    "Span",
    "Traces",
    "Written",
    "by_text",
    "checked",
    "count_of",
    "divide_native",
    "encode_trajectories",
    "encode_trajectory",
    "fallback_names",
    "find_sources",
    "from_messages",
    "kept_key",
    "known_tools",
    "read_in_lists",
    "read_to_write",
    "read_traces",
    "reader_names",
]

__getattr__ = lazy_exports(
    __name__,
    {
        ".case_names": "CaseFinder Naming by_text kept_key",
        ".foreign": "reader_names",
        ".import_report": "ImportReport",
        ".join": "Join Seen",
        ".native": "Written count_of encode_trajectories encode_trajectory",
        ".objects": "from_messages",
        ".read": "PieceReader ReadOptions Span divide_native read_in_lists read_to_write read_traces",
        ".sources": "PathLike Source Traces fallback_names find_sources",
        ".tool_names": "known_tools",
        ".unicode_names": "checked",
    },
)
