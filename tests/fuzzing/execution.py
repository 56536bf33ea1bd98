"""Runs a job in a fork of this process, which has imported toolgauge already, and says what is wrong with how it ended.

The fork has a folder, streams and limits of its own: processor time, address space, and the time that somebody waits.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .jobs import Job
from .programs import PROGRAMS

__all__ = ["PROCESSOR_SECONDS", "RESIDENT_BYTES", "Ended", "execute"]

PROCESSOR_SECONDS = 10.0
RESIDENT_BYTES = 500_000_000
WAITING_SECONDS = 60.0
"""After so long a command hangs, even if it takes nothing of the processor."""

ADDRESS_BYTES = 6 << 30
"""What no command may reserve, so that the machine survives one that would take everything."""

INTERRUPT_SECONDS = 1.5
"""When a command that serves is interrupted."""

CODES = {0, 1, 2, 3, 4, 5, 130, 143}
"""How a command may end."""

LEFT_BEHIND = re.compile(r"\.tmp$|\.new-|-(journal|wal)$")
"""Names of files that are there only while a command runs; a log of SQLite may stay if it is empty."""

TEMPORARY = "temporary"
"""The folder for temporary files, in that of the job."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a job ended."""

    fault: str
    """What is wrong with that; empty: nothing."""
    code: int
    """The exit code, or minus the number of the signal that ended it."""
    seconds: float
    """Of the processor."""
    memory: int
    """The most bytes in memory at one time."""
    said: str

    @property
    def kind(self) -> str:
        """The fault in a word or two, for comparing it with another."""
        raised = re.findall(
            r"^(?:Error: internal error: )?(\w+(?:\.\w+)*)(?:Error|Exception)\b", self.said, re.MULTILINE
        )
        return f"{self.fault.partition(':')[0]} {raised[-1] if raised else ''}".strip()


def execute(job: Job) -> Ended:
    """Run a job in a folder of its own."""
    with _folder() as folder:
        job.lay_out(folder)
        (folder / TEMPORARY).mkdir(exist_ok=True)
        before = {path.name for path in folder.rglob("*")}
        pid = os.fork()
        if pid == 0:
            _be(job, folder)
        status, used, overdue = _wait(pid, job.interrupt)
        said = (folder.parent / "said").read_text(encoding="utf-8", errors="replace")[-20_000:]
        code = os.waitstatus_to_exitcode(status)
        seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
        left = [] if code < 0 else _left_behind(folder, before)
        return Ended(_fault(code, seconds, memory, said, overdue, left), code, seconds, memory, said)


def _fault(code: int, seconds: float, memory: int, said: str, overdue: bool, left: list[str]) -> str:
    if overdue:
        return f"hang: not done after {WAITING_SECONDS:.0f} s"
    if seconds > PROCESSOR_SECONDS or code == -signal.SIGXCPU:
        return f"hang: {seconds:.1f} s of the processor"
    if memory > RESIDENT_BYTES:
        return f"memory: {memory / 1e6:.0f} MB"
    if code not in CODES or "internal error" in said:
        return f"crash: exit code {code}"
    if "Traceback (most recent call last)" in said:
        return f"traceback: exit code {code}"
    return f"left behind: {', '.join(left)}" if left else ""


def _left_behind(folder: Path, before: set[str]) -> list[str]:
    temporary = [path.name for path in (folder / TEMPORARY).iterdir()]
    found = [path for path in folder.rglob("*") if path.name not in before and LEFT_BEHIND.search(path.name)]
    return sorted({*temporary, *(path.name for path in found if path.stat().st_size or not path.name.endswith("-wal"))})


def _wait(pid: int, interrupt: bool) -> tuple[int, resource.struct_rusage, bool]:
    """Wait for a process; how it ended, what it took, and whether it had to be killed."""
    started = time.monotonic()
    pause, overdue = 0.0005, False
    while True:
        ended, status, used = os.wait4(pid, os.WNOHANG)
        if ended:
            return status, used, overdue
        passed = time.monotonic() - started
        if interrupt and passed > INTERRUPT_SECONDS:
            os.kill(pid, signal.SIGINT)
            interrupt = False
        if passed > WAITING_SECONDS and not overdue:
            os.killpg(pid, signal.SIGKILL)
            overdue = True
        time.sleep(pause)
        pause = min(pause * 1.2, 0.02)


def _be(job: Job, folder: Path) -> None:
    """Be the process of a job, and end."""
    code = 99
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_BYTES, ADDRESS_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (int(PROCESSOR_SECONDS) + 1, int(PROCESSOR_SECONDS) + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _redirect(folder)
        os.environ.update(TMPDIR=str(folder / TEMPORARY), LC_ALL="C.UTF-8", HOME=str(folder), COLUMNS="80")
        tempfile.tempdir = None
        os.chdir(folder)
        faulthandler.dump_traceback_later(WAITING_SECONDS * 0.9)  # where it hangs is said before it is killed
        PROGRAMS[job.kind](job)
        code = 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 1 if ending.code else 0
    except BaseException:  # noqa: BLE001 - whatever it is, it is what is looked for
        traceback.print_exc()
    finally:
        faulthandler.cancel_dump_traceback_later()
        gc.collect()  # closes what a process that ends closes
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


def _redirect(folder: Path) -> None:
    """Let nothing in, and put what is said into a file beside the folder; output that is not looked at goes nowhere."""
    nothing = os.open(os.devnull, os.O_RDWR)
    said = os.open(folder.parent / "said", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    for standard, target in ((0, nothing), (1, nothing), (2, said)):
        os.dup2(target, standard)
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115


@contextmanager
def _folder() -> Iterator[Path]:
    """An empty folder, in memory where that can be had."""
    where = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - a place, not a name
    outer = Path(tempfile.mkdtemp(prefix="tg-fuzz-", dir=where))
    try:
        (outer / "job").mkdir()
        yield outer / "job"
    finally:
        shutil.rmtree(outer, ignore_errors=True)
