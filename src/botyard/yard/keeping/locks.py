"""Locks on a yard as a whole: one server at a time, and nobody else there while its database is replaced.

They are locks of the kernel on files in the yard's folder, which end with their holder however it ends. Two folders may
name one PostgreSQL database, so its server is asked as well.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from botyard.kernel.errors import YardError
from botyard.yard.config import YardConfig
from botyard.yard.data.database import postgres_engine, told_plainly

SERVING, USING, KEEPING = ".serving.lock", ".using.lock", ".keeping.lock"
SERVER = 0x626F7479  # the advisory lock of PostgreSQL that a server holds


@contextlib.contextmanager
def serving(config: YardConfig) -> Iterator[None]:
    """While inside, this process is the only server of a yard."""
    words = f"the yard {config.folder} is being served"
    with contextlib.ExitStack() as held:
        for place in places(config):
            held.enter_context(locked_file(place / SERVING, fcntl.LOCK_EX, words, "end that server first"))
        if not is_sqlite(config):
            held.enter_context(postgres_lock(config))
        yield


@contextlib.contextmanager
def using(config: YardConfig) -> Iterator[None]:
    """While inside, the database of a yard stays where it is. Many may use it at a time."""
    words = f"the database of the yard {config.folder} is being replaced"
    with contextlib.ExitStack() as held:
        for place in places(config):
            held.enter_context(locked_file(place / USING, fcntl.LOCK_SH, words, "try again when that is done"))
        yield


@contextlib.contextmanager
def alone(config: YardConfig) -> Iterator[None]:
    """While inside, no other command uses the yard. A server holds `serving` besides."""
    words = f"the yard {config.folder} is in use"
    with contextlib.ExitStack() as held:
        for place in places(config):
            held.enter_context(locked_file(place / USING, fcntl.LOCK_EX, words, "try again when nobody uses it"))
        yield


@contextlib.contextmanager
def keeping(config: YardConfig) -> Iterator[None]:
    """While inside, nobody else backs the yard up or removes anything of it: a backup must find what it lists."""
    words = f"another backup or prune of the yard {config.folder} is at work"
    with locked_file(config.folder / KEEPING, fcntl.LOCK_EX, words, "try again when it is done"):
        yield


def places(config: YardConfig) -> list[Path]:
    """Returns the folders that are locked: that of the yard, and that of an SQLite file which lies elsewhere."""
    url = sa.make_url(config.database_address)
    beside = [Path(url.database).resolve().parent] if is_sqlite(config) and url.database else []
    return sorted({config.folder.resolve(), *beside})


def is_sqlite(config: YardConfig) -> bool:
    return sa.make_url(config.database_address).get_backend_name() == "sqlite"


@contextlib.contextmanager
def locked_file(path: Path, how: int, words: str, hint: str) -> Iterator[None]:
    """Holds a lock on a file, or says who does. Whoever is alone has left its number there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise YardError(f"cannot lock {path}", hint=error.strerror or str(error)) from None
    try:
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 32, 0).decode(errors="replace").strip()
            by = f" by process {holder}" if holder.isdigit() else ""
            raise YardError(f"{words}{by}", hint=hint) from None
        if how == fcntl.LOCK_EX:
            os.ftruncate(handle, 0)
            os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
        if how == fcntl.LOCK_EX:
            os.ftruncate(handle, 0)
    finally:
        os.close(handle)


@contextlib.contextmanager
def postgres_lock(config: YardConfig) -> Iterator[None]:
    """Holds a lock in the database itself, over a connection of its own."""
    engine = postgres_engine(sa.make_url(config.database_address))
    try:
        with told_plainly(), engine.connect() as connection:
            if not connection.execute(sa.select(sa.func.pg_try_advisory_lock(SERVER))).scalar():
                hint = "it runs with another folder or on another machine; end it first"
                raise YardError("the database has a server already", hint=hint)
            connection.commit()
            yield
    finally:
        engine.dispose()
