"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

from toolgauge.errors import OutputError

try:
    import fcntl
except ImportError:  # not on Windows
    LOCKS = False
else:
    LOCKS = True

__all__ = ["UnlinkedFile", "replace_file", "start_writeback", "write_file"]


def write_file(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> None:
    """Write a file; if that fails, what was there before is still there.

    Raises:
        OutputError: It could not be written.
    """
    with replace_file(path) as stream:
        stream.writelines(chunks)


@contextmanager
def replace_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A stream whose content becomes the file when the block ends well.

    It is written beside the target under another name and then renamed, so that nobody ever sees half a file. If the
    block raises, the target stays as it was.

    Raises:
        OutputError: It could not be written.
    """
    name = os.fspath(path)
    try:
        if _is_special(name):
            # Renaming onto a device or a pipe would put a plain file in its place.
            with open(name, "wb") as special:
                yield special
            return
        target = os.path.realpath(name)
        _clear_left_behind(target)
        temporary, stream = _open_temporary(target)
        with _removed_on_failure(temporary):
            with stream:
                _keep_mode(target, stream)
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
                if LOCKS:  # it is held until it has its name
                    os.replace(temporary, target)
            if not LOCKS:  # what is open cannot be renamed there
                os.replace(temporary, target)
    except OSError as error:
        raise OutputError(f"{name}: cannot be written: {_reason(error)}") from error


class UnlinkedFile:
    """A new file beside its target, which has no name before it takes the place of that.

    Whatever happens to the process until then, nothing is left of it.
    """

    def __init__(self, target: str) -> None:
        """Open it.

        Raises:
            OSError: There are no such files here.
        """
        self.target = target
        descriptor = os.open(os.path.dirname(target), os.O_TMPFILE | os.O_RDWR, 0o666)
        self.stream: IO[bytes] = os.fdopen(descriptor, "w+b")

    @classmethod
    def beside(cls, path: str) -> UnlinkedFile | None:
        """Such a file for a target; None where it has to be written in another way."""
        if not hasattr(os, "O_TMPFILE") or _is_special(path):
            return None
        try:
            return cls(os.path.realpath(path))
        except OSError:
            return None

    def take_place(self) -> None:
        """Replace the target, for good.

        Raises:
            OSError: That is not possible.
        """
        _clear_left_behind(self.target)
        temporary = _temporary_name(self.target)
        _keep_mode(self.target, self.stream)
        _hold(self.stream)
        self.stream.flush()
        os.fsync(self.stream.fileno())
        directory = os.open(os.path.dirname(temporary), os.O_DIRECTORY)
        try:
            with _removed_on_failure(temporary):
                # Python follows links here only where a directory is named.
                opened = f"/proc/self/fd/{self.stream.fileno()}"
                os.link(opened, os.path.basename(temporary), dst_dir_fd=directory, follow_symlinks=True)
                os.replace(temporary, self.target)
        finally:
            os.close(directory)


def start_writeback(descriptor: int, begin: int, size: int) -> None:
    """Have a part of a file written to the disk from now on, so that in the end there is less to wait for."""
    if hasattr(os, "posix_fadvise"):
        # It is a hint, and who does not take it writes everything in the end.
        with suppress(OSError):
            os.posix_fadvise(descriptor, begin, size, os.POSIX_FADV_DONTNEED)


def _clear_left_behind(target: str) -> None:
    """Remove what commands that were killed have left of this file: whoever is still writing holds a lock."""
    folder, name = os.path.split(target)
    pattern = re.compile(rf"{re.escape(name)}\.[0-9a-f]{{8}}\.tmp")
    # Whoever may not look into the folder, or remove something from it, has left nothing there either.
    with suppress(OSError):
        for found in os.scandir(folder or "."):
            if LOCKS and pattern.fullmatch(found.name) and found.is_file(follow_symlinks=False):
                with suppress(OSError), open(found.path, "rb") as stream:
                    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(found.path)


def _open_temporary(target: str) -> tuple[str, IO[bytes]]:
    """A new file beside the target, which is held until it is closed."""
    while True:
        temporary = _temporary_name(target)
        stream = open(temporary, "xb")  # noqa: SIM115 - closed by whoever gets it
        _hold(stream)
        if os.fstat(stream.fileno()).st_nlink or not LOCKS:
            return temporary, stream
        stream.close()  # somebody took it for left behind, before it was held


def _hold(stream: IO[bytes]) -> None:
    """Let others see that somebody is writing it; where files cannot be locked, nobody clears anything away."""
    if LOCKS:
        with suppress(OSError):
            fcntl.flock(stream, fcntl.LOCK_EX)


def _temporary_name(target: str) -> str:
    return f"{target}.{os.urandom(4).hex()}.tmp"


def _is_special(name: str) -> bool:
    """Whether something other than a plain file is there."""
    try:
        mode = os.stat(name).st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode)


def _keep_mode(target: str, stream: IO[bytes]) -> None:
    with suppress(FileNotFoundError):
        os.chmod(stream.fileno(), stat.S_IMODE(os.stat(target).st_mode))


@contextmanager
def _removed_on_failure(temporary: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "the directory does not exist"
    if isinstance(error, IsADirectoryError):
        return "this is a directory"
    if isinstance(error, PermissionError):
        return "no permission"
    return error.strerror or str(error)
