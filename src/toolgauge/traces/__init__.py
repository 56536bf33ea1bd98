"""Reading recorded trajectories, and joining them to the cases of a suite.

Names are imported when they are first used: a command that only lists the formats reads nothing.
"""

from __future__ import annotations

from toolgauge.lazy import lazy_exports

TYPE_CHECKING = False  # see toolgauge/lazy.py
if TYPE_CHECKING:
    from .case_names import CaseFinder, Naming, by_text, kept_key
    from .chunks import RecordsBelongTogether, divide_foreign, read_foreign_chunk
    from .context import ReadContext, ReadOptions
    from .foreign import reader_names
    from .formats.bfcl_decoding import BFCL_HANDLERS
    from .import_report import ImportReport
    from .join import Join, Seen
    from .native import EncodedBatch, encode_trajectories, encode_trajectory
    from .objects import from_messages
    from .read import divide_native, read_chunk, read_encoded, read_in_lists, read_traces
    from .sources import Source, Traces, fallback_names, find_sources
    from .tool_names import known_tools
    from .trajectory_builder import TrajectoryBuilder
    from .unicode_names import checked

__all__ = [
    "BFCL_HANDLERS",
    "CaseFinder",
    "EncodedBatch",
    "ImportReport",
    "Join",
    "Naming",
    "ReadContext",
    "ReadOptions",
    "RecordsBelongTogether",
    "Seen",
    "Source",
    "Traces",
    "TrajectoryBuilder",
    "by_text",
    "checked",
    "divide_foreign",
    "divide_native",
    "encode_trajectories",
    "encode_trajectory",
    "fallback_names",
    "find_sources",
    "from_messages",
    "kept_key",
    "known_tools",
    "read_chunk",
    "read_encoded",
    "read_foreign_chunk",
    "read_in_lists",
    "read_traces",
    "reader_names",
]

__getattr__ = lazy_exports(
    __name__,
    {
        ".case_names": "CaseFinder Naming by_text kept_key",
        ".chunks": "RecordsBelongTogether divide_foreign read_foreign_chunk",
        ".context": "ReadContext ReadOptions",
        ".foreign": "reader_names",
        ".formats.bfcl_decoding": "BFCL_HANDLERS",
        ".import_report": "ImportReport",
        ".join": "Join Seen",
        ".native": "EncodedBatch encode_trajectories encode_trajectory",
        ".objects": "from_messages",
        ".read": "divide_native read_chunk read_encoded read_in_lists read_traces",
        ".sources": "Source Traces fallback_names find_sources",
        ".tool_names": "known_tools",
        ".trajectory_builder": "TrajectoryBuilder",
        ".unicode_names": "checked",
    },
)
