"""Runs the real command in a process of its own."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from .prepared import PreparedProcess

__all__ = ["toolgauge"]

TIMEOUT = 120


@cache
def _prepared() -> PreparedProcess:
    prepared = PreparedProcess()
    atexit.register(prepared.close)
    return prepared


def toolgauge(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `toolgauge` and return what it printed and how it ended.

    Where it can be, it is forked from a process that has imported toolgauge already, which saves most of the time.
    """
    words = [*map(str, arguments)]
    variables = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", **environment}
    if hasattr(os, "fork") and _prepared().suits(variables):
        return _prepared().run(words, cwd, variables, TIMEOUT)
    return subprocess.run(
        [sys.executable, "-m", "toolgauge", *words],
        cwd=cwd,
        env=variables,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=TIMEOUT,
    )
