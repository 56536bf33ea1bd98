"""Commands in forks of this process, which has imported toolgauge already: begun, killed, and what they leave running.

The process of a scenario becomes the parent of whatever they leave behind: nothing can hide by being orphaned.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from toolgauge.cli import main

__all__ = ["NOTHING_MORE", "apart", "begin", "check_no_process_is_left", "command", "finish", "kill_after", "run"]

SUBREAPER = 36
"""What Linux calls the wish to become the parent of processes whose parent died."""

PATIENCE = 120.0
"""No command takes so long."""

NOTHING_MORE: Mapping[str, str] = {}
"""The environment as it is."""

LINGERING = 10.0
"""So long processes may take to notice that they are not needed any more."""


def apart(scenario: Callable[[Path, Random], int], dice: Random) -> tuple[int, str]:
    """Do it in an empty folder, in a process without other children; how many kills there were, and what is wrong."""
    with tempfile.TemporaryDirectory(prefix="tg-kill-") as outer:
        pid = os.fork()
        if pid == 0:
            _do(scenario, Path(outer), dice)
        os.waitpid(pid, 0)
        found = Path(outer) / "found"
        kills, fault = json.loads(found.read_bytes()) if found.exists() else (0, "the scenario itself died")
        return int(kills), str(fault)


def _do(scenario: Callable[[Path, Random], int], outer: Path, dice: Random) -> None:
    found: tuple[int, str] = (0, "")
    try:
        _adopt_orphans()
        folder = outer / "folder"
        folder.mkdir()
        found = (scenario(folder, dice), "")
    except AssertionError as error:
        found = (0, f"{error} ({traceback.extract_tb(error.__traceback__)[-1].line})")
    except Exception:  # noqa: BLE001 - what a store says that cannot be read is what is looked for
        found = (0, traceback.format_exc())
    finally:
        (outer / "found").write_text(json.dumps(found))
        os._exit(0)


def _adopt_orphans() -> None:
    """Become the parent of whatever loses its own."""
    if ctypes.CDLL(None, use_errno=True).prctl(SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "processes without parents cannot be adopted")


def command(*arguments: str) -> Callable[[], object]:
    """What calls the command line, for `begin`."""

    def call() -> None:
        sys.argv = ["toolgauge", *arguments]
        main()

    return call


def begin(folder: Path, call: Callable[[], object], *, environment: Mapping[str, str] = NOTHING_MORE) -> int:
    """Begin it in a folder, in a process of its own; the id of the process."""
    pid = os.fork()
    if pid:
        return pid
    code = 99
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.environ.update(LC_ALL="C.UTF-8", TMPDIR=str(folder), **environment)
        os.chdir(folder)
        said = os.open(folder.parent / "said", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard, target in ((0, nothing), (1, nothing), (2, said)):
            os.dup2(target, standard)
        sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115
        call()
        code = 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 1 if ending.code else 0
    except BaseException:  # noqa: BLE001 - the process ends here, and says why
        traceback.print_exc()
    finally:
        gc.collect()
        sys.stderr.flush()
        os._exit(code)


def finish(pid: int) -> int:
    """Wait for a process; how it ended."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    raise AssertionError("a command does not end")


def run(
    folder: Path,
    call: Callable[[], object],
    *,
    codes: tuple[int, ...] = (0,),
    environment: Mapping[str, str] = NOTHING_MORE,
) -> float:
    """Run it to its end, which has to be one of these; how long it took."""
    started = time.monotonic()
    code = finish(begin(folder, call, environment=environment))
    said = (folder.parent / "said").read_text(encoding="utf-8", errors="replace")
    assert code in codes, f"exit code {code}: {said}"
    assert "Traceback" not in said, said
    return time.monotonic() - started


def kill_after(pid: int, seconds: float) -> bool:
    """Kill a process after a while; whether it was still there."""
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)  # one that has ended is still there until it is waited for
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) == -signal.SIGKILL


def check_no_process_is_left() -> None:
    """Make sure that all processes end that killed ones had started."""
    until = time.monotonic() + LINGERING
    while time.monotonic() < until:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not ended:
            time.sleep(0.01)
    left = [name for name in _children() if name]
    raise AssertionError(f"processes live on: {left}")


def _children() -> list[str]:
    found = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [f"{pid} {Path(f'/proc/{pid}/cmdline').read_bytes().replace(bytes(1), b' ').decode()}" for pid in found]
