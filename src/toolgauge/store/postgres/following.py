"""Being told by the server when something happens to a run, so that nobody has to ask again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread

import psycopg

from toolgauge.errors import StoreError

from .database import Database

__all__ = ["CHANNEL", "Listener"]

CHANNEL = "toolgauge_runs"
"""The channel on which the ids of runs that have changed are sent."""

LISTEN_SECONDS = 0.5
"""So often the listener looks whether anybody is still interested."""

PAUSE_SECONDS = 1.0
"""So long after a lost connection it is made anew. Whoever waits looks for himself now and then, too."""


class Listener:
    """Tells whoever follows a run that something happened to it: one thread with one connection, as long as needed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._told: dict[str, list[Callable[[], None]]] = {}
        self._thread: Thread | None = None
        self._closed = Event()

    @contextmanager
    def following(self, run_id: str, tell: Callable[[], None]) -> Iterator[None]:
        """Have something called, in another thread, whenever something may have happened to a run."""
        with self._lock:
            self._told.setdefault(run_id, []).append(tell)
            if self._thread is None and not self._closed.is_set():
                self._thread = Thread(target=self._listen, name="toolgauge-listener", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                self._told[run_id].remove(tell)
                if not self._told[run_id]:
                    del self._told[run_id]

    def close(self) -> None:
        """Tell nobody any more."""
        self._closed.set()
        thread = self._thread
        if thread is not None:
            thread.join(4 * LISTEN_SECONDS)

    def _over(self) -> bool:
        """Whether nobody is interested any more; then the thread ends."""
        with self._lock:
            if not self._told or self._closed.is_set():
                self._thread = None
                return True
        return False

    def _listen(self) -> None:
        while not self._over():
            # What cannot be listened to now is listened to later: those who follow look for themselves meanwhile.
            with suppress(psycopg.Error, StoreError), self._database.connect() as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                self._tell_all()  # what happened before is not told by the server
                while not self._over():
                    for notice in connection.notifies(timeout=LISTEN_SECONDS, stop_after=1):
                        self._tell(notice.payload)
                return
            self._closed.wait(PAUSE_SECONDS)

    def _tell(self, run_id: str) -> None:
        with self._lock:
            interested = list(self._told.get(run_id, ()))
        for tell in interested:
            tell()

    def _tell_all(self) -> None:
        with self._lock:
            runs = list(self._told)
        for run in runs:
            self._tell(run)
