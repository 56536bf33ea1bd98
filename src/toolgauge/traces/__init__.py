"""Reading recorded trajectories, and joining them to the cases of a suite."""

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
