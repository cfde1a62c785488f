"""What tests of the yard share: both databases, a yard on each, its ladder and its contests."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from botyard.yard.config import YardConfig
from botyard.yard.data.database import Database
from botyard.yard.site import Yard
from tests.yard.hall import Hall
from tests.yard.league import League
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
    """The address of a fresh, empty database; every test that uses it runs on both."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'yard.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()


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


@pytest.fixture(scope="session")
def empty_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SQLite with all tables, which tests copy: making them anew takes twenty times as long."""
    path = tmp_path_factory.mktemp("tables") / "empty.db"
    database = Database.in_file(path)
    database.create()
    database.close()
    return path


@pytest.fixture(params=["sqlite", "postgres"])
def tables_address(request: pytest.FixtureRequest, tmp_path: Path, empty_tables: Path) -> str:
    """The address of a database whose tables are empty; every test that uses it runs on both."""
    if request.param == "sqlite":
        shutil.copyfile(empty_tables, tmp_path / "yard.db")
        return f"sqlite:///{tmp_path / 'yard.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.emptied_database()


@pytest.fixture
def yard(tables_address: str, tmp_path: Path, hands: Hands) -> Iterator[Yard]:
    """An empty yard with its tables made."""
    yard = Yard(YardConfig(tmp_path / "yard", database=tables_address), Database.at(tables_address), hands)
    yield yard
    yard.close()


@pytest.fixture
def one_yard(empty_tables: Path, tmp_path: Path, hands: Hands) -> Iterator[Yard]:
    """A yard on SQLite, for pages whose queries other tests run on both databases."""
    shutil.copyfile(empty_tables, tmp_path / "one.db")
    yard = Yard(YardConfig(tmp_path / "yard"), Database.in_file(tmp_path / "one.db"), hands)
    yield yard
    yard.close()


@pytest.fixture
def league(yard: Yard) -> League:
    return League(yard)


@pytest.fixture
def hall(yard: Yard) -> Hall:
    return Hall(yard)
