"""The tables of a store: made and brought to the newest version, each step as a whole or not at all."""

from __future__ import annotations

import psycopg

from toolgauge.errors import StoreError, UsageError

from .database import Connection, Database

__all__ = ["VERSION", "NoStore", "prepare"]

MARK = "toolgauge"
"""What stands in the table `toolgauge_store`, by which a store of ours is known."""

LOCK = 0x746F6F6C
"""Which of the locks of a database is taken by whoever changes the tables: the word `tool`."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE suites (hash TEXT PRIMARY KEY, suite BYTEA NOT NULL)",
        """CREATE TABLE runs (
            key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            created TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'interrupted')),
            planned BIGINT NOT NULL,
            suite TEXT NOT NULL REFERENCES suites (hash),
            header BYTEA NOT NULL,
            settings BYTEA NOT NULL
        )""",
        "CREATE INDEX runs_by_suite ON runs (suite)",
        """CREATE TABLE numbers (
            run BIGINT PRIMARY KEY REFERENCES runs (key) ON DELETE CASCADE,
            last BIGINT NOT NULL DEFAULT 0
        ) WITH (fillfactor = 50)""",
        """CREATE TABLE counts (
            run BIGINT PRIMARY KEY REFERENCES runs (key) ON DELETE CASCADE,
            finished BIGINT NOT NULL DEFAULT 0,
            passed BIGINT NOT NULL DEFAULT 0,
            replaced BIGINT NOT NULL DEFAULT 0
        ) WITH (fillfactor = 50)""",
        """CREATE TABLE trajectories (
            run BIGINT NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
            agent TEXT NOT NULL,
            case_id TEXT NOT NULL,
            trial BIGINT NOT NULL,
            number BIGINT NOT NULL,
            state TEXT NOT NULL,
            passed BOOLEAN NOT NULL,
            passed_before BOOLEAN,
            line BYTEA NOT NULL,
            PRIMARY KEY (run, agent, case_id, trial)
        )""",
        "CREATE UNIQUE INDEX trajectories_by_number ON trajectories (run, number)",
        """CREATE TABLE journal (
            key BIGINT GENERATED ALWAYS AS IDENTITY,
            run BIGINT NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
            agent TEXT NOT NULL,
            case_id TEXT NOT NULL,
            trial BIGINT NOT NULL,
            token TEXT NOT NULL,
            event BYTEA NOT NULL,
            PRIMARY KEY (run, agent, case_id, trial, token)
        )""",
        """CREATE TABLE baselines (
            name TEXT PRIMARY KEY,
            run BIGINT NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
            since TEXT NOT NULL
        )""",
        """CREATE TABLE reviews (
            key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            run BIGINT NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
            about TEXT NOT NULL,
            review BYTEA NOT NULL,
            UNIQUE (run, about)
        )""",
        """CREATE TABLE workers (
            id TEXT PRIMARY KEY,
            run BIGINT NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
            pid BIGINT NOT NULL,
            process TEXT NOT NULL,
            host TEXT NOT NULL,
            system TEXT NOT NULL,
            beat TIMESTAMPTZ NOT NULL
        ) WITH (fillfactor = 50)""",
        "CREATE INDEX workers_by_run ON workers (run)",
        """CREATE TABLE trials (
            run BIGINT NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
            place BIGINT NOT NULL,
            agent TEXT NOT NULL,
            case_id TEXT NOT NULL,
            trial BIGINT NOT NULL,
            done BOOLEAN NOT NULL DEFAULT FALSE,
            tries BIGINT NOT NULL DEFAULT 0,
            worker TEXT REFERENCES workers (id) ON DELETE SET NULL,
            PRIMARY KEY (run, agent, case_id, trial)
        )""",
        "CREATE INDEX trials_left ON trials (run, place) WHERE NOT done AND worker IS NULL",
        "CREATE INDEX trials_leased ON trials (worker) WHERE worker IS NOT NULL",
    ),
    (
        """CREATE TABLE paces (
            endpoint TEXT PRIMARY KEY,
            next_request TIMESTAMPTZ NOT NULL,
            next_token TIMESTAMPTZ NOT NULL
        ) WITH (fillfactor = 50)""",
        """CREATE TABLE requests (
            id TEXT PRIMARY KEY,
            endpoint TEXT NOT NULL,
            worker TEXT REFERENCES workers (id) ON DELETE CASCADE,
            until TIMESTAMPTZ NOT NULL
        )""",
        "CREATE INDEX requests_by_endpoint ON requests (endpoint)",
        "CREATE INDEX requests_by_worker ON requests (worker)",
    ),
)
"""What each version of the layout adds to the one before: the runs and who works on them; limits of providers."""

VERSION = len(MIGRATIONS)

STRANGERS = """
    SELECT COUNT(*) FROM pg_catalog.pg_class AS relation
    JOIN pg_catalog.pg_namespace AS space ON space.oid = relation.relnamespace
    WHERE space.nspname = current_schema() AND relation.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend WHERE objid = relation.oid AND deptype = 'e')
"""
"""How many tables and views there are in our schema that belong to no extension."""


class NoStore(UsageError):  # noqa: N818 - a statement reads better than an error's name
    """There is no store in this database."""


def prepare(database: Database, *, create: bool) -> None:
    """Make sure that the tables of a store are there, in the newest version.

    Whoever may only read needs no more than that here.

    Raises:
        NoStore: There is none, and none is to be made.
        StoreError: It was written by a later version of toolgauge, is no store of ours, or cannot be made.
    """
    with database.explained(), database.connect() as connection:
        version = _version(connection, database.shown)
        if version == VERSION:
            return
        if version is None and not create:
            raise NoStore(f"{database.shown}: there is no store of runs; name another one with --store")
        if version is not None and version > VERSION:
            path = database.shown
            raise StoreError(
                f"{path}: this store has version {version}, and this toolgauge supports {VERSION}; update toolgauge"
            )
        try:
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
                _upgrade(connection, _version(connection, database.shown))
        except psycopg.errors.InsufficientPrivilege as error:
            what = "this account may not create the tables of a store" if version is None else _too_old(version)
            hint = "have an account open it that may, see docs/store.md"
            raise StoreError(f"{database.shown}: {what}; {hint}") from error


def _too_old(version: int) -> str:
    return f"this store has version {version}, this toolgauge needs {VERSION}, and this account may not upgrade it"


def _version(connection: Connection, shown: str) -> int | None:
    """The version of the store in the schema of a connection; None: there is none, and room for one."""
    (schema, known, strangers) = connection.execute(
        f"SELECT current_schema(), to_regclass(quote_ident(current_schema()) || '.toolgauge_store'), ({STRANGERS})"
    ).fetchone()
    if schema is None:
        what = "the schema that its search_path names is not there, or not for this account"
        raise StoreError(f"{shown}: {what}; create the schema, or have access to it granted")
    if known is not None:
        try:
            rows = connection.execute("SELECT mark, version FROM toolgauge_store").fetchall()
        except (psycopg.errors.UndefinedColumn, psycopg.errors.WrongObjectType):
            rows = []
        if len(rows) == 1 and rows[0][0] == MARK:
            return int(rows[0][1])
    if known is not None or strangers:
        what = f"the schema {schema!r} of this database is in use by another program"
        hint = "choose another database, or a separate schema with ?options=-csearch_path%3DNAME"
        raise StoreError(f"{shown}: {what}; {hint}")
    return None


def _upgrade(connection: Connection, version: int | None) -> None:
    """Take the steps that are left. Another process may have taken some in the meantime."""
    if version is None:
        connection.execute("CREATE TABLE toolgauge_store (mark TEXT NOT NULL, version INTEGER NOT NULL)")
        connection.execute("INSERT INTO toolgauge_store VALUES (%s, 0)", (MARK,))
    for statements in MIGRATIONS[version or 0 :]:
        for statement in statements:
            connection.execute(statement)
    connection.execute("UPDATE toolgauge_store SET version = %s", (VERSION,))
