"""Runs in a store: begun, gone on with, found again, imported, deleted."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

import msgspec

from toolgauge.core import JsonValue, RunHeader, Scored, suite_hash
from toolgauge.errors import StoreError, UsageError, did_you_mean

from .database import connect, explained, make, transaction, upgrade
from .headers import Suites, encode_suite, with_suite, without_suite
from .leases import find_lease, forget, take_lease
from .places import is_there, network_file_system, store_path
from .runfile import RunFile
from .stored import RunInfo, RunState, StoredRun
from .writer import RunWriter, save

__all__ = ["Store"]

LATEST = "latest"


class Store:
    """A file with runs. Several processes may read and write one at the same time. Use it as a context manager."""

    def __init__(self, url: str | os.PathLike[str] | None = None, *, create: bool = True) -> None:
        """Open the store.

        Args:
            url: A path, or `sqlite:///path`; default: `.toolgauge/runs.db` below the current directory.
            create: Whether to make one where there is none.

        Raises:
            UsageError: It cannot be opened or made there.
            StoreError: It is damaged, or of a later version.
        """
        self.path = store_path(url)
        if not create and not self.path.exists():
            raise UsageError(f"{self.path}: there is no store of runs; name another one with --store")
        if not is_there(self.path):
            make(self.path)
        kind = network_file_system(self.path)
        self.warnings = (
            [f"{self.path} is on a network file system ({kind}), where locks of several writers may not hold"]
            if kind
            else []
        )
        """What a person should know before relying on it."""
        self._writing: list[int] = []
        with explained(self.path):
            self._connection = connect(self.path)
            try:
                upgrade(self._connection, self.path, fresh=False)
            except BaseException:
                self._connection.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, and let go of the runs that were written through it."""
        for key in self._writing:
            forget(self.path, key)
        self._connection.close()

    def begin(
        self, header: RunHeader, planned: int, *, name: str = "", settings: Mapping[str, JsonValue] | None = None
    ) -> RunWriter:
        """Begin a run.

        Args:
            header: How it comes about, and its suite.
            planned: How many trajectories there will be.
            name: What a person calls it.
            settings: What has to be the same when somebody goes on with it.
        """
        with explained(self.path):
            with transaction(self._connection):
                key, run = self._insert(header, planned, name, settings or {}, "running")
                take_lease(self._connection, self.path, key)
            # So that a run is there, if unfinished, even where the file with the latest changes gets lost.
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._writing.append(key)
        return RunWriter(self._connection, self.path, key, run)

    def resume(self, run_id: str) -> RunWriter:
        """Go on with a run.

        Raises:
            StoreError: Another process is writing it.
        """
        with explained(self.path), transaction(self._connection):
            key = self._key(run_id)
            holder = find_lease(self._connection, self.path, key)
            if holder is not None:
                raise StoreError(f"run {run_id} is being written by {holder.shown}; wait for it, or end it first")
            take_lease(self._connection, self.path, key)
            self._connection.execute("UPDATE runs SET state = 'running' WHERE key = ?", (key,))
        self._writing.append(key)
        return RunWriter(self._connection, self.path, key, run_id)

    def _insert(
        self, header: RunHeader, planned: int, name: str, settings: Mapping[str, JsonValue], state: RunState
    ) -> tuple[int, str]:
        digest = header.suite_hash or suite_hash(header.suite)
        suite = encode_suite(header.suite)
        self._connection.execute("INSERT OR IGNORE INTO suites VALUES (?, ?)", (digest, suite))
        run = f"{header.created[:10].replace('-', '')}-{header.created[11:16].replace(':', '')}-{secrets.token_hex(3)}"
        row = (run, name, header.created, state, planned, digest, without_suite(header), msgspec.json.encode(settings))
        cursor = self._connection.execute(
            "INSERT INTO runs (id, name, created, state, planned, suite, header, settings) VALUES (?,?,?,?,?,?,?,?)",
            row,
        )
        assert cursor.lastrowid is not None  # noqa: S101 - a row was inserted
        return cursor.lastrowid, run

    def runs(self) -> list[RunInfo]:
        """All runs, the newest first."""
        with explained(self.path):
            found = self._connection.execute("SELECT id FROM runs ORDER BY created DESC, key DESC").fetchall()
            return [self.info(run) for (run,) in found]

    def info(self, run_id: str) -> RunInfo:
        """What is known of a run, without its trajectories."""
        with explained(self.path):
            row = self._connection.execute(
                "SELECT key, id, name, created, state, planned, suite, header, settings FROM runs WHERE id = ?",
                (run_id,),
            ).fetchone()
            if row is None:
                raise UsageError(f"{self.path}: there is no run {run_id!r}")
            key, run, name, created, state, planned, digest, header, settings = row
            finished, passed = self._connection.execute(
                "SELECT COUNT(*), COALESCE(SUM(passed), 0) FROM trajectories WHERE run = ?", (key,)
            ).fetchone()
            holder = find_lease(self._connection, self.path, key)
        written = msgspec.json.decode(header)
        return RunInfo(
            run,
            name,
            created,
            state,
            planned,
            finished,
            passed,
            written.get("suite_name", ""),
            tuple(written.get("agents", ())),
            holder.shown if holder is not None else None,
            written.get("about", {}),
            msgspec.json.decode(settings),
            digest,
        )

    def find(self, reference: str) -> RunInfo:
        """The run that somebody means: an id or its beginning, a name, `latest`, or NAME@latest.

        Raises:
            UsageError: There is none, or several.
        """
        with explained(self.path):
            listed = self._connection.execute("SELECT id, name FROM runs ORDER BY created DESC, key DESC").fetchall()
        if not listed:
            raise UsageError(f"{self.path}: there are no runs in this store")
        name, at, rest = reference.rpartition("@")
        if reference == LATEST:
            return self.info(listed[0][0])
        if at and rest == LATEST:
            found = [run for run, called in listed if called == name][:1]
        else:
            found = [run for run, _ in listed if run == reference]
            found = found or [run for run, called in listed if called == reference]
            found = found or [run for run, _ in listed if run.startswith(reference)]
        if len(found) == 1:
            return self.info(found[0])
        if found:
            hint = f"{reference}@latest is the newest" if any(called == reference for _, called in listed) else ""
            what = f"{reference!r} means several runs: {', '.join(found[:5])}"
            raise UsageError(f"{self.path}: {what}" + (f"; {hint}" if hint else ""))
        known = [LATEST, *dict.fromkeys([called for _, called in listed if called]), *[run for run, _ in listed]]
        hint = did_you_mean(reference, known) or "toolgauge runs list shows what there is"
        raise UsageError(f"{self.path}: there is no run {reference!r}; {hint}")

    def open_run(self, run_id: str, suites: Suites | None = None) -> StoredRun:
        """A run with its trajectories.

        Args:
            run_id: Its id.
            suites: Where several runs are opened: decodes a suite that they share once.
        """
        with explained(self.path):
            row = self._connection.execute(
                "SELECT runs.key, header, suites.suite FROM runs JOIN suites ON suites.hash = runs.suite WHERE id = ?",
                (run_id,),
            ).fetchone()
        if row is None:
            raise UsageError(f"{self.path}: there is no run {run_id!r}")
        key, header, suite = row
        return StoredRun(self.path, key, self.info(run_id), with_suite(header, suite, suites or Suites()))

    def delete(self, run_id: str) -> None:
        """Delete a run.

        Raises:
            StoreError: A process is writing it.
        """
        with explained(self.path):
            with transaction(self._connection):
                key = self._key(run_id)
                holder = find_lease(self._connection, self.path, key)
                if holder is not None:
                    raise StoreError(f"run {run_id} is being written by {holder.shown} and cannot be deleted")
                for table in ("trajectories", "journal", "leases", "baselines"):
                    self._connection.execute(f"DELETE FROM {table} WHERE run = ?", (key,))  # noqa: S608 - names of ours
                self._connection.execute("DELETE FROM runs WHERE key = ?", (key,))
                self._connection.execute("DELETE FROM suites WHERE hash NOT IN (SELECT suite FROM runs)")
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def keep(self, header: RunHeader, scored: Iterable[Scored], *, name: str = "") -> str:
        """Keep a run that is finished already: all of it, or nothing.

        Returns:
            Its id.
        """
        with explained(self.path), transaction(self._connection):
            key, run = self._insert(header, 0, name, {}, "finished")
            planned = 0
            for one in scored:
                save(self._connection, key, one)
                planned += 1
            self._connection.execute("UPDATE runs SET planned = ? WHERE key = ?", (planned, key))
        return run

    def import_run(self, path: str | os.PathLike[str], *, name: str = "") -> str:
        """Keep the run of a run file.

        Returns:
            Its id in this store.

        Raises:
            InputError: The file is no run file, or not whole.
        """
        file = RunFile(path)
        return self.keep(file.header, file, name=name)

    def set_baseline(self, run_id: str, name: str) -> None:
        """Make a run the baseline of a name, in place of another one.

        Raises:
            StoreError: A process is writing the run.
        """
        since = datetime.now(UTC).isoformat(timespec="seconds")
        with explained(self.path), transaction(self._connection):
            key = self._key(run_id)
            holder = find_lease(self._connection, self.path, key)
            if holder is not None:
                raise StoreError(f"run {run_id} is being written by {holder.shown}; wait until it is finished")
            self._connection.execute("INSERT OR REPLACE INTO baselines VALUES (?, ?, ?)", (name, key, since))

    def baselines(self) -> dict[str, tuple[RunInfo, str]]:
        """By name the runs that are baselines, and since when."""
        with explained(self.path):
            found = self._connection.execute(
                "SELECT baselines.name, id, since FROM baselines JOIN runs ON key = run ORDER BY baselines.name"
            ).fetchall()
            return {name: (self.info(run), since) for name, run, since in found}

    def _key(self, run_id: str) -> int:
        row = self._connection.execute("SELECT key FROM runs WHERE id = ?", (run_id,)).fetchone()
        if row is None:
            raise UsageError(f"{self.path}: there is no run {run_id!r}")
        return int(row[0])
