"""A PostgreSQL server in a temporary folder, run by a user of its own: root may not run one."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from botyard.yard.data.all_tables import ALL_TABLES
from botyard.yard.data.database import Database
from tests.waiting import RUN_S, wait_until

USER = "postgres"  # Debian's package makes this user


def find_program(name: str) -> str | None:
    """Returns where a program of PostgreSQL is; Debian keeps them off the path."""
    places = [str(folder / "bin") for folder in sorted(Path("/usr/lib/postgresql").glob("*"), reverse=True)]
    return shutil.which(name, path=os.pathsep.join([*places, os.environ.get("PATH", "")]))


class Postgres:
    """A running server. Each database in it is made of an empty one."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._made = folder, 0
        self._kept = ""  # the address of the database that tests use one after another

    def address(self, name: str = "postgres") -> str:
        return f"postgresql+psycopg://{USER}@/{name}?host={self._folder}"

    def new_database(self) -> str:
        """Returns the address of a fresh database."""
        self._made += 1
        name = f"yard{self._made}"
        with administering(self.address()) as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {name}")
        return self.address(name)

    def emptied_database(self) -> str:
        """Returns the address of a database whose tables have no rows.

        Tests use the same one after another, because a fresh one costs half a second of work; a test that has left a
        transaction open keeps it for itself.
        """
        try:
            if self._kept:
                empty(self._kept)
                return self._kept
        except sa.exc.OperationalError:
            pass
        self._kept = self.new_database()
        database = Database.at(self._kept)
        database.create()
        database.close()
        return self._kept

    @property
    def answers(self) -> bool:
        try:
            with administering(self.address()) as connection:
                return connection.exec_driver_sql("SELECT 1").scalar() == 1
        except sa.exc.OperationalError:
            return False


def empty(address: str) -> None:
    """Removes all rows, and has numbers begin with 1 again."""
    tables = [table.name for table in reversed(ALL_TABLES.sorted_tables)]
    asked = "SELECT string_agg(format('ALTER SEQUENCE %I RESTART', relname), ';') FROM pg_class WHERE relkind = 'S'"
    with administering(address) as connection:
        numbers = connection.exec_driver_sql(asked.replace("%", "%%")).scalar_one()
        removed = [f'DELETE FROM "{name}"' for name in tables]
        connection.exec_driver_sql("; ".join(["SET lock_timeout = '2s'", *removed, numbers]))


@contextmanager
def administering(address: str) -> Iterator[sa.Connection]:
    engine = sa.create_engine(address, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        yield connection


@contextmanager
def running_postgres(folder: Path) -> Iterator[Postgres]:
    """Runs a server while inside. It listens to a socket in the folder and to nothing else."""
    initdb, server = find_program("initdb"), find_program("postgres")
    assert initdb, "PostgreSQL is missing; install the package postgresql"
    assert server, "PostgreSQL is missing; install the package postgresql"
    user = pwd.getpwnam(USER) if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    os.chown(folder, user.pw_uid, user.pw_gid)
    as_user: dict[str, Any] = (
        {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    )
    data = folder / "data"
    subprocess.run(
        [initdb, "-D", str(data), "-U", USER, "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"],
        check=True, capture_output=True, cwd=folder, timeout=RUN_S, **as_user,
    )  # fmt: skip
    quick = ["-F", "-c", "listen_addresses=", "-c", "shared_buffers=16MB", "-c", "autovacuum=off"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [server, "-D", str(data), "-k", str(folder), *quick], stdout=log, stderr=log, cwd=folder, **as_user
        )
    postgres = Postgres(folder)
    try:
        wait_until(lambda: postgres.answers)
        yield postgres
    finally:
        process.send_signal(signal.SIGINT)  # it does not wait for connections that a failed test has left
        process.wait(30)
