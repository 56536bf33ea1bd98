"""The run that somebody means: a run file, or a run of the store."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from toolgauge.files import STANDARD_INPUT

from .headers import Suites
from .runfile import RunFile

if TYPE_CHECKING:
    from .stored import StoredRun

__all__ = ["find_run"]


def find_run(
    reference: str | os.PathLike[str], store: str | os.PathLike[str] | None = None, suites: Suites | None = None
) -> RunFile | StoredRun:
    """Open a run without reading its trajectories.

    Args:
        reference: A run file, or a run of the store: its id or the beginning of it, its name, NAME@latest, or latest.
        store: Where runs are kept; default: `.toolgauge/runs.db`.
        suites: Where several runs are opened: decodes a suite that they share once.

    Raises:
        InputError: The file is no run file.
        UsageError: There is no such run, or no store.
    """
    text = os.fspath(reference)
    # What is no file is looked for in a store where the word is no path, or somebody names a store.
    may_be_stored = store is not None or not (os.path.dirname(text) or text.endswith((".jsonl", ".json")))
    if text == STANDARD_INPUT or os.path.exists(reference) or not may_be_stored:
        return RunFile(reference, suites)
    from .runs import Store

    with Store(store, create=False) as opened:
        return opened.open_run(opened.find(text).id, suites)
