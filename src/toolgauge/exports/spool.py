"""What was not delivered yet: batches in files of their own, beside the store, for their owner only.

A batch is put here before it is sent and taken away when it has arrived, so that nothing is lost when a process ends in
between, however it ends. A file is there as a whole or not at all. Credentials are never in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from toolgauge.core import PathLike
from toolgauge.errors import OutputError
from toolgauge.store.opening import store_files
from toolgauge.store.places import make_default_folder
from toolgauge.store.runs import DEFAULT_FOLDER

from .evaluation import Evaluation
from .identity import digest

__all__ = ["MAX_SPOOLED_BYTES", "ExportSpool", "SpooledBatch", "spool_folder"]

SCHEMA = "toolgauge.export/1"
ENDING = ".export.json"
DRAFT = ".draft"

MAX_SPOOLED_BYTES = 256 * 1024 * 1024
"""How much is kept. What would be more is not, and is said to be lost."""

LONGEST_KEPT = timedelta(days=7)
"""For how long something is kept that its receiver refuses: until then a trace that is late may have come."""

DRAFT_KEPT = timedelta(hours=1)
"""After this a file that was not finished is nobody's any more."""


S = TypeVar("S", bound=Struct)


class SpooledBatch(Struct, frozen=True, kw_only=True):
    """Evaluations for one system that did not arrive yet."""

    schema: str = SCHEMA
    to: str
    address: str
    """Where the system is, without credentials."""
    since: str
    """When it was first tried, as an ISO 8601 time in UTC."""
    reason: str = ""
    """Why it did not arrive; empty: it is not known to have failed."""
    evaluations: tuple[Evaluation, ...]

    @property
    def key(self) -> str:
        """What it is known by: the same batch for the same system is kept once."""
        return digest(self.to, self.address, *(one.id for one in self.evaluations))

    def is_old(self, now: datetime) -> bool:
        """Whether it has been refused for so long that it is given up."""
        try:
            return now - datetime.fromisoformat(self.since) > LONGEST_KEPT
        except (ValueError, TypeError):
            return True


def spool_folder(store: PathLike | None = None) -> str:
    """Where batches wait: beside the file of the store, or in the usual folder where a store is no file."""
    files = store_files(store)
    return f"{files[0]}-exports" if files else os.path.join(DEFAULT_FOLDER, "exports")


class ExportSpool:
    """A folder of batches that did not arrive yet."""

    def __init__(self, folder: str) -> None:
        """Name the folder, which is made when something has to be kept."""
        self.folder = folder
        self._size: int | None = None

    def keep(self, batch: SpooledBatch) -> bool:
        """Keep a batch, for good when this returns.

        Returns:
            Whether there was room for it.

        Raises:
            OutputError: It cannot be written.
        """
        data = msgspec.json.encode(batch)
        if self._size is None:
            self._size = sum(size for _, size in self._files())
        if self._size + len(data) > MAX_SPOOLED_BYTES:
            return False
        target = self._path(batch)
        draft = f"{target}.{os.urandom(4).hex()}{DRAFT}"
        try:
            make_default_folder(Path(self.folder).parent)
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(draft, target)
        except OSError as error:
            with suppress(OSError):
                os.unlink(draft)
            raise OutputError(f"{self.folder}: cannot be written: {error.strerror or error}") from error
        self._size += len(data)
        return True

    def drop(self, batch: SpooledBatch) -> None:
        """Take a batch away, which has arrived or is given up."""
        path = self._path(batch)
        with suppress(OSError):
            size = os.path.getsize(path)
            os.unlink(path)
            self._size = None if self._size is None else max(0, self._size - size)

    def waiting(self, to: str | None = None, address: str | None = None) -> Iterator[SpooledBatch]:
        """The batches that wait, the oldest first; those of one system, or all.

        What is no batch, because somebody else put or changed it, is passed over.
        """
        self._clear_drafts()
        # All of them together may be more than there is memory for.
        heads = [(head.since, path, head) for path, _ in self._files() if (head := _read(path, _Head)) is not None]
        for _, path, head in sorted(heads, key=lambda one: one[:2]):
            if to in (None, head.to) and address in (None, head.address):
                batch = _read_batch(path)
                if batch is not None:
                    yield batch

    def read(self, to: str, key: str) -> SpooledBatch | None:
        """The batch that is known by a key; None: it does not wait any more."""
        return _read_batch(os.path.join(self.folder, f"{to}-{key}{ENDING}"))

    def _path(self, batch: SpooledBatch) -> str:
        return os.path.join(self.folder, f"{batch.to}-{batch.key}{ENDING}")

    def _files(self) -> list[tuple[str, int]]:
        try:
            with os.scandir(self.folder) as entries:
                return [(one.path, one.stat().st_size) for one in entries if one.name.endswith(ENDING)]
        except OSError:
            return []

    def _clear_drafts(self) -> None:
        """Remove what a process left behind that was killed while it wrote."""
        oldest = (datetime.now(UTC) - DRAFT_KEPT).timestamp()
        with suppress(OSError), os.scandir(self.folder) as entries:
            for one in entries:
                if one.name.endswith(DRAFT) and one.stat().st_mtime < oldest:
                    os.unlink(one.path)


class _Head(Struct, frozen=True):
    """What is known of a batch without reading all of it."""

    to: str
    address: str
    since: str


def _read(path: str, kind: type[S]) -> S | None:
    try:
        with open(path, "rb") as stream:
            return msgspec.json.decode(stream.read(MAX_SPOOLED_BYTES), type=kind)
    except (OSError, msgspec.DecodeError):
        return None


def _read_batch(path: str) -> SpooledBatch | None:
    batch = _read(path, SpooledBatch)
    if batch is None or batch.schema != SCHEMA:
        return None
    # The name is made of what is in it: a batch that was changed would never be taken away.
    return batch if os.path.basename(path) == f"{batch.to}-{batch.key}{ENDING}" else None


def batch_of(to: str, address: str, evaluations: Sequence[Evaluation]) -> SpooledBatch:
    """A batch that is about to be sent for the first time."""
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    return SpooledBatch(to=to, address=address, since=now, evaluations=tuple(evaluations))
