"""Where a run comes from: the version of the program, of Python, and the commit that was checked out."""

from __future__ import annotations

import platform
import re
from pathlib import Path

from toolgauge.core import JsonValue

__all__ = ["origin"]

HASH = re.compile(r"[0-9a-f]{40,64}")


def origin(folder: Path | None = None) -> dict[str, JsonValue]:
    """What is known of the surroundings of a run."""
    return {"python": platform.python_version(), "system": platform.system(), "commit": _commit(folder or Path.cwd())}


def _commit(folder: Path) -> str | None:
    """The commit of the repository that a folder is in, read from its files; None: there is none."""
    for place in (folder, *folder.parents):
        git = place / ".git"
        try:
            if git.is_file():
                git = (place / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()).resolve()
            if (git / "HEAD").is_file():
                return _head(git)
        except (OSError, UnicodeDecodeError):
            return None
    return None


def _head(git: Path) -> str | None:
    written = (git / "HEAD").read_text(encoding="utf-8").strip()
    if not written.startswith("ref:"):
        return written if HASH.fullmatch(written) else None
    name = written.removeprefix("ref:").strip()
    common = git / "commondir"
    shared = (git / common.read_text(encoding="utf-8").strip()) if common.is_file() else git
    for home in (git, shared):
        if (home / name).is_file():
            found = (home / name).read_text(encoding="utf-8").strip()
            return found if HASH.fullmatch(found) else None
    packed = shared / "packed-refs"
    if packed.is_file():
        for line in packed.read_text(encoding="utf-8").splitlines():
            value, _, ref = line.partition(" ")
            if ref == name and HASH.fullmatch(value):
                return value
    return None
