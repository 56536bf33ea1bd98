"""Stores for tests: files, and databases of a real server, which is started when the first test wants one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.postgres_server import PostgresServer, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server of this process of tests, which does not wait for the disk."""
    with postgres_server() as server:
        yield server


@pytest.fixture
def team_store(postgres: PostgresServer) -> Iterator[str]:
    """The address of an empty database."""
    address = postgres.new_database()
    yield address
    postgres.drop_database(address)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.deep)])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Gives the address of another store whenever it is called, of each kind that there is."""
    made: list[str] = []

    def file() -> str:
        made.append("")
        return str(tmp_path / f"store-{len(made)}.db")

    if request.param == "sqlite":
        yield file
        return
    server: PostgresServer = request.getfixturevalue("postgres")

    def database() -> str:
        made.append(server.new_database())
        return made[-1]

    yield database
    for address in made:
        server.drop_database(address)


@pytest.fixture
def store_address(new_store: Callable[[], str]) -> str:
    """The address of a store that is not there yet, of each kind that there is."""
    return new_store()
