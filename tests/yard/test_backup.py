"""Backup and restore: all of a yard comes back, on either database, or nothing does."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from botyard.kernel.errors import BadRecord, YardError
from botyard.yard.config import CONFIG_FILE, YardConfig
from botyard.yard.data.database import Database
from botyard.yard.data.tables import BLOB
from botyard.yard.keeping.archive import HEAD_NAME, tables_there
from botyard.yard.keeping.backup import write_backup
from botyard.yard.keeping.migrating import Revisions, migrate
from botyard.yard.keeping.restore import restore
from botyard.yard.site import Yard
from tests.yard.planting import add_entry, add_ladder, add_match, add_person, large
from tests.yard.postgres import Postgres

HEAD = Revisions().newest


@pytest.fixture
def yard(tmp_path: Path) -> Iterator[Yard]:
    """A yard in which something has happened."""
    yield from busy_yard(YardConfig(tmp_path / "yard"))


def busy_yard(config: YardConfig) -> Iterator[Yard]:
    config.folder.mkdir()
    migrate(config.database_address)
    yard = Yard(config, Database.at(config.database_address))
    with yard.database.writing() as connection:
        ladder, ada = add_ladder(connection), add_person(connection, "Ада \U0001f41d")
        entry = add_entry(connection, yard, ladder, ada, "plays")
        add_match(connection, yard, ladder, [entry], 5, replay=large("replay"), turns=b"\x00\xff")
    yield yard
    yard.close()


def rows_of(database: Database) -> dict[str, list[Any]]:
    with database.reading() as connection:
        tables = tables_there(connection)
        return {table.name: sorted(map(tuple, connection.execute(sa.select(table))), key=str) for table in tables}


def backup_of(yard: Yard) -> Path:
    target = yard.config.folder / "backup.tar"
    write_backup(yard.config, yard.database, target, 7)
    return target


@pytest.mark.parametrize("of", ["sqlite", "postgres"])
def test_all_of_a_yard_comes_back_on_the_other_database(tmp_path: Path, postgres: Postgres, of: str) -> None:
    there = YardConfig(tmp_path / "yard", database=postgres.new_database() if of == "postgres" else "")
    elsewhere = YardConfig(tmp_path / "other", database="" if of == "postgres" else postgres.new_database())
    for yard in busy_yard(there):
        check_return(yard, elsewhere)


def check_return(yard: Yard, elsewhere: YardConfig) -> None:
    (yard.config.folder / CONFIG_FILE).write_text('title = "Ours"\n')
    target = backup_of(yard)
    assert target.stat().st_mode & 0o777 == 0o600, "it holds everybody's sources"
    restored = restore(elsewhere, target)
    database = Database.at(elsewhere.database_address)
    assert rows_of(database) == rows_of(yard.database)
    assert (restored.blobs, restored.missing) == (1, [])
    there = Yard(elsewhere, database)
    with database.writing() as connection:
        digest = connection.scalars(sa.select(BLOB.c.digest).where(BLOB.c.content.is_(None))).one()
        assert there.blobs.read(connection, digest) == large("replay")
        assert add_person(connection, "Bob") == 2, "new rows get numbers of their own"
    assert restored.config is not None
    assert restored.config.read_text() == 'title = "Ours"\n'
    assert (restored.config.name == CONFIG_FILE) == (elsewhere.database == ""), "one that named another database waits"
    database.close()
    with pytest.raises(YardError, match="there already"):
        restore(elsewhere, target)


def check_lost_blob(yard: Yard, tmp_path: Path) -> None:
    """A blob that is damaged does not cost the others."""
    (path,) = yard.blobs.files()
    path.write_bytes(b"altered")
    target = tmp_path / "backup.tar"
    report = write_backup(yard.config, yard.database, target, 7)
    assert (report.damaged, report.blobs) == ([path.name], 0)
    assert restore(YardConfig(tmp_path / "fourth"), target).missing == [path.name]


def altered(archive: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """The same archive with other content; None leaves a member out."""
    other = archive.with_name("altered.tar")
    with tarfile.open(archive) as source, tarfile.open(other, "w") as target:
        for member in source:
            file = source.extractfile(member)
            assert file is not None
            content = change(member.name, file.read())
            if content is not None:
                member.size = len(content)
                target.addfile(member, io.BytesIO(content))
    return other


def more_rows(name: str, raw: bytes) -> bytes:
    if name != "rows/person.jsonl.gz":
        return raw
    lines = gzip.decompress(raw).splitlines(keepends=True)
    return gzip.compress(b"".join([*lines, lines[-1]]))


DAMAGE: dict[str, tuple[Callable[[str, bytes], bytes | None], str]] = {
    "no head": (lambda name, raw: None if name == HEAD_NAME else raw, "no backup of a yard"),
    "another format": (lambda name, raw: raw.replace(b"botyard-backup", b"tar"), "no backup of a yard"),
    "a later format": (lambda name, raw: raw.replace(b'"version": 1', b'"version": 2'), "a backup of format"),
    "later tables": (
        lambda name, raw: raw.replace(f'"revision": "{HEAD}"'.encode(), b'"revision": "9999"'),
        "revision '9999'",
    ),
    "a table is missing": (lambda name, raw: None if "rows/seat" in name else raw, "rows of"),
    "a table is cut off": (lambda name, raw: raw[:-9] if "rows/seat" in name else raw, "cannot be read"),
    "a row twice": (more_rows, "does not fit"),
    "odd rows": (lambda name, raw: gzip.compress(b"{}\n") if "rows/seat" in name else raw, "cannot be read"),
}


def test_a_backup_that_was_damaged_is_refused_and_leaves_nothing(
    yard: Yard, postgres: Postgres, tmp_path: Path
) -> None:
    whole, config = backup_of(yard), YardConfig(tmp_path / "other")
    for change, words in DAMAGE.values():
        with pytest.raises((BadRecord, YardError), match=words):
            restore(config, altered(whole, change))
    (tmp_path / "cut.tar").write_bytes(whole.read_bytes()[:5000])
    with pytest.raises(BadRecord):
        restore(config, tmp_path / "cut.tar")
    assert not config.folder.exists() or not list(config.folder.glob("yard.db*"))
    config = YardConfig(tmp_path / "third", database=postgres.new_database())
    with pytest.raises(BadRecord, match="does not fit"):
        restore(config, altered(whole, more_rows))
    assert restore(config, whole).missing == [], "and the place is still empty for a good one"
    check_lost_blob(yard, tmp_path)
