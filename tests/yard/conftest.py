"""What tests of the yard share: both databases, and a yard on each."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from botyard.yard.config import YardConfig
from botyard.yard.data.database import Database
from botyard.yard.site import Yard
from tests.yard.postgres import Postgres, find_program, running_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    if find_program("initdb") is None and not os.environ.get("BOTYARD_NOTHING_MISSING"):
        pytest.skip("PostgreSQL is missing; install the package postgresql")
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp") as folder:  # a socket's path must be short
        Path(folder).chmod(0o755)
        with running_postgres(Path(folder)) as server:
            yield server


@pytest.fixture(params=["sqlite", "postgres"])
def database_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh, empty database; every test that uses it runs on both.

    Under a yard, which would make all tables, they are there already.
    """
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'yard.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.yard_database() if "yard" in request.fixturenames else server.new_database()


class Hands:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now_ms = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now_ms

    def pass_ms(self, milliseconds: int) -> None:
        self.now_ms += milliseconds


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def yard(database_address: str, tmp_path: Path, hands: Hands) -> Iterator[Yard]:
    """An empty yard with its tables made."""
    database = Database.at(database_address)
    if database.on_sqlite:
        database.create()
    yard = Yard(YardConfig(tmp_path / "yard", database=database_address), database, hands)
    yield yard
    yard.close()


@pytest.fixture
def one_yard(tmp_path: Path, hands: Hands) -> Iterator[Yard]:
    """A yard on SQLite, for pages whose queries other tests run on both databases."""
    database = Database.in_file(tmp_path / "one.db")
    database.create()
    yard = Yard(YardConfig(tmp_path / "yard"), database, hands)
    yield yard
    yard.close()
