"""Saved runs: as files that can be passed on, and in a store that is written while agents run.

Names are imported when they are first used, and what needs a database is behind `open_store`: scoring does without.
"""

from __future__ import annotations

from toolgauge.lazy import lazy_exports

TYPE_CHECKING = False  # see toolgauge/lazy.py
if TYPE_CHECKING:
    from .encoding import Suites, append_scored, encode_header, encode_scored
    from .opening import (
        WATCH_MARK,
        copy_run,
        database_beside,
        failed_cases,
        find_run,
        import_run,
        open_store,
        salvage_store,
        shown_place,
        store_exists,
    )
    from .places import check_other_store, check_places, make_default_folder, same_file
    from .reviews import append_reviews, encode_reviews, read_reviews_file, reviews_path
    from .runfile import RunFile
    from .runs import BEAT_SECONDS, RunInfo, RunLines, RunState, RunStore, RunWriter, Salvaged, StoredRun, TrialQueue
    from .spool import Spool

__all__ = [
    "BEAT_SECONDS",
    "WATCH_MARK",
    "RunFile",
    "RunInfo",
    "RunLines",
    "RunState",
    "RunStore",
    "RunWriter",
    "Salvaged",
    "Spool",
    "StoredRun",
    "Suites",
    "TrialQueue",
    "append_reviews",
    "append_scored",
    "check_other_store",
    "check_places",
    "copy_run",
    "database_beside",
    "encode_header",
    "encode_reviews",
    "encode_scored",
    "failed_cases",
    "find_run",
    "import_run",
    "make_default_folder",
    "open_store",
    "read_reviews_file",
    "reviews_path",
    "salvage_store",
    "same_file",
    "shown_place",
    "store_exists",
]

__getattr__ = lazy_exports(
    __name__,
    {
        ".encoding": "Suites append_scored encode_header encode_scored",
        ".opening": (
            "WATCH_MARK copy_run database_beside failed_cases find_run import_run open_store salvage_store shown_place "
            "store_exists"
        ),
        ".places": "check_other_store check_places make_default_folder same_file",
        ".reviews": "append_reviews encode_reviews read_reviews_file reviews_path",
        ".runfile": "RunFile",
        ".runs": "BEAT_SECONDS RunInfo RunLines RunState RunStore RunWriter Salvaged StoredRun TrialQueue",
        ".spool": "Spool",
    },
)
