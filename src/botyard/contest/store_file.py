"""This module keeps the store of one contest in an SQLite file beside the contest file.

A crash leaves games that were asked for, leased or done. A game becomes done in one transaction with all that is
kept of it; a run that is killed before leaves a lease, which the next run takes back. So running again is always safe.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from botyard.contest.database import open_database
from botyard.contest.identity import Identity
from botyard.contest.schema import check_schema
from botyard.contest.sql_contest import contests_of, damaged
from botyard.contest.sql_store import SqlStore
from botyard.kernel.errors import BadRecord, YardError


class StoreFile(SqlStore):
    """A store in a file of its own."""

    def __init__(self, path: Path, contest: str = "") -> None:
        super().__init__(open_database(path), contest, str(path))
        self.path = path

    @classmethod
    def create(cls, path: Path, identity: Identity, root: bytes, plan: Mapping[str, Any]) -> StoreFile:
        """Creates a store. It is made under another name and then renamed, so that nobody finds half a store."""
        beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.new")
        store = cls(beside, identity.fingerprint)
        try:
            if not path.exists():
                remove_journal(path)
            store.begin(identity, root, plan)
            store.close()
            rename_new(beside, path)
        except OSError as error:
            raise YardError(f"cannot write {path}", hint=error.strerror or str(error)) from None
        finally:
            with contextlib.suppress(OSError):
                cls.remove(beside)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> StoreFile:
        """Opens an existing store; refuses with a hint what is no store, is damaged or has another version."""
        if not path.is_file():
            raise YardError(
                f"there is no store {path}", hint="the contest has not begun: `botyard contest run` starts it"
            )
        store = cls(path)
        with store.reading() as connection:
            check_schema(connection, path)
            if connection.exec_driver_sql("PRAGMA quick_check").scalar() != "ok":
                raise damaged(str(path), "its pages are inconsistent")
            contests = contests_of(connection)
        if len(contests) != 1:
            raise BadRecord(
                f"{path} holds {len(contests)} contests",
                hint="a contest file needs a store that holds only its own contest",
            )
        store.contest = contests[0]
        store.find()
        return store

    @staticmethod
    def remove(path: Path) -> None:
        path.unlink(missing_ok=True)
        remove_journal(path)


def remove_journal(path: Path) -> None:
    """Removes what SQLite keeps beside a file while it is in use. After a crash it stays there, and if somebody deletes
    the file alone, SQLite would put what was forgotten into the next file of that name."""
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def rename_new(beside: Path, path: Path) -> None:
    """Gives a new file its name, unless there is such a file: another run may have begun in the same moment."""
    try:
        path.hardlink_to(beside)
    except FileExistsError:
        raise YardError(f"another run has just made {path}", hint="run this one again: it goes on") from None
    except OSError:  # not every file system has links
        beside.replace(path)
    else:
        beside.unlink()
