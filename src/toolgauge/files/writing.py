"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

from toolgauge.errors import OutputError

__all__ = ["replace_file", "write_file"]


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
            with open(name, "wb") as stream:
                yield stream
            return
        target = os.path.realpath(name)
        temporary = f"{target}.{os.urandom(4).hex()}.tmp"
        with _removed_on_failure(temporary):
            with open(temporary, "xb") as stream:
                _keep_mode(target, stream)
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, target)
    except OSError as error:
        raise OutputError(f"{name}: cannot be written: {_reason(error)}") from error


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
