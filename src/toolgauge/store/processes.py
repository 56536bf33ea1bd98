"""Processes that write stores: which one it is, and whether it is still there."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["ProcessIdentity", "boot_id", "own_identity", "process_began"]


class ProcessIdentity(NamedTuple):
    """What tells a process from all others, on whatever machine."""

    pid: int
    began: str
    """The moment that it began, by which a later one with the same number is known."""
    host: str
    system: str
    """Which start of the machine it is, and which of its containers: each counts its processes for itself."""


def own_identity() -> ProcessIdentity:
    """This process."""
    return _identity(os.getpid())


@cache
def _identity(pid: int) -> ProcessIdentity:
    """By number: a process that was forked is another one."""
    try:
        container = os.readlink("/proc/self/ns/pid")
    except OSError:
        container = ""
    return ProcessIdentity(pid, process_began(pid), platform.node(), f"{boot_id()} {container}")


def boot_id() -> str:
    """Which start of this machine it is; empty where the system does not tell."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def process_began(pid: int) -> str:
    """The moment that a process began; empty where there is none, or the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        if Path("/proc/self").exists():
            return ""
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return ""
        except PermissionError:
            return "?"
        return "?"
    return "" if fields[0] in "ZX" else fields[19]
