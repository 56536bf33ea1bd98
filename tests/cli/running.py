"""Runs the real command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["toolgauge"]


def toolgauge(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `toolgauge` and return what it printed and how it ended."""
    return subprocess.run(
        [sys.executable, "-m", "toolgauge", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
