"""Opens a yard: its folder, its file, its locks and its database. A server makes what is missing, commands do not."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa

from botyard.kernel.errors import YardError
from botyard.yard.config import CONFIG_FILE, YardConfig
from botyard.yard.data.database import Database, insert_new
from botyard.yard.data.tables import FACT
from botyard.yard.keeping import locks
from botyard.yard.keeping.migrating import Migrated, migrate, needs_migration
from botyard.yard.reading import database, read_config, write_default
from botyard.yard.site import Yard


def make_folder(folder: Path) -> None:
    """Makes the folder of a yard with the file that explains every choice. Nobody else may look into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise YardError(f"cannot make the folder {folder}", hint=error.strerror or str(error)) from None
    write_default(folder)


def config_with(folder: Path, address: str | None) -> YardConfig:
    """Returns what the file of a yard decides, with another database if one is named."""
    config = read_config(folder)
    return config if address is None else replace(config, database=database("--db", address))


def config_there(folder: Path, address: str | None = None) -> YardConfig:
    """Returns the configuration of a yard that exists."""
    config = config_with(folder, address)
    url = sa.make_url(config.database_address)
    there = Path(url.database or "").exists() if locks.is_sqlite(config) else (folder / CONFIG_FILE).exists()
    if not there:
        raise YardError(f"there is no yard in {folder}", hint="name its folder; `botyard serve FOLDER` makes one")
    return config


@contextlib.contextmanager
def open_yard(config: YardConfig) -> Iterator[Yard]:
    """A yard for a command, which may run beside a server. Its tables must be those of this Botyard."""
    with locks.using(config):
        yard = Yard(config, Database.at(config.database_address))
        with contextlib.closing(yard):
            if needs_migration(yard.database):
                hint = "run `botyard yard migrate` first, or start the server, which does"
                raise YardError(f"the tables of the yard {config.folder} are of an older Botyard", hint=hint)
            yield yard


@contextlib.contextmanager
def open_for_serving(config: YardConfig) -> Iterator[tuple[Yard, Migrated]]:
    """A yard for its one server: tables are made or migrated first."""
    with locks.serving(config):
        migrated = migrate_alone(config)
        with locks.using(config), contextlib.closing(Yard(config, Database.at(config.database_address))) as yard:
            yield yard, migrated


def migrate_alone(config: YardConfig) -> Migrated:
    """Migrates a yard that this process serves, while no command uses it."""
    with locks.alone(config):
        return migrate(config.database_address)


# Where the site is reached: a command that makes a link runs in another process, and a port may be chosen at the start

ADDRESS = "address"


def note_address(connection: sa.Connection, address: str) -> None:
    """Keeps under which address the site is served now."""
    insert_new(connection, FACT, {"name": ADDRESS, "value": address})
    connection.execute(sa.update(FACT).where(FACT.c.name == ADDRESS).values(value=address))


def last_address(connection: sa.Connection, config: YardConfig) -> str:
    """Returns under which address the site is served, or was last; of one that never was, what its file says."""
    noted = connection.execute(sa.select(FACT.c.value).where(FACT.c.name == ADDRESS)).scalar_one_or_none()
    return config.public_url or noted or f"http://{config.host}:{config.port}"
