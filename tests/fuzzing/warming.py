"""Usual commands, done once in this process, so that forks of it find patterns, schemas and tables ready."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from toolgauge.cli import main

from .seeds import seeds

__all__ = ["warm_up"]

COMMANDS = (
    "score suite.yaml traces.jsonl --failures --details --grounding",
    "score truth.csv react.csv --format json",
    "lint suite.yaml",
    "lint suite.yaml --format md",
    "convert all.jsonl --text-calls any",
    "report a.run.jsonl --format html",
    "report a.run.jsonl --format junit",
    "report a.run.jsonl --format latex",
    "report latest --store runs.db --with-reviews",
    "gate a.run.jsonl --min-pass-rate 0.5",
    "diagnose a.run.jsonl",
    "compare a.run.jsonl",
    "infoseek predictions.jsonl references.jsonl",
    "infoseek predictions.jsonl references.jsonl --format html",
    "init --from-traces traces.jsonl -o proposed.yaml",
)
"""None of these starts a thread, which no fork would have."""


def warm_up() -> None:
    """Do them, where nobody sees it."""
    made = seeds()
    files = {
        "suite.yaml": made.suites["weather-suite.yaml"],
        "truth.csv": made.suites["truth.csv"],
        "traces.jsonl": made.traces["traces.jsonl"],
        "react.csv": made.traces["react.csv"],
        "all.jsonl": b"\n".join(data for name, data in made.traces.items() if name.endswith(".jsonl")),
        "a.run.jsonl": made.run_file,
        "runs.db": made.store,
        "predictions.jsonl": made.infoseek["predictions.jsonl"],
        "references.jsonl": made.infoseek["references.jsonl"],
    }
    arguments, before = sys.argv, Path.cwd()
    with tempfile.TemporaryDirectory() as folder, _unheard():
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        os.chdir(folder)
        try:
            for command in COMMANDS:
                sys.argv = ["toolgauge", *command.split()]
                with suppress(SystemExit):
                    main()
        finally:
            os.chdir(before)
            sys.argv = arguments


@contextmanager
def _unheard() -> Iterator[None]:
    """Let nothing out that is printed."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(standard) for standard in (1, 2)]
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        for standard in (1, 2):
            os.dup2(nothing, standard)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for standard, before in zip((1, 2), kept, strict=True):
            os.dup2(before, standard)
            os.close(before)
        os.close(nothing)
