"""The form of a backup: one tar file with the rows of all tables and the files of all blobs.

    botyard-backup.json     what it is: Botyard's version, the revision of the tables, how many rows each has
    yard.toml               if the yard had one
    rows/TABLE.jsonl.gz     the names of the columns in the first line, then a row in each
    blobs/DIGEST            the content of a blob that is not in its row

Rows are written through SQL alone, so that a backup of either database can be restored to either.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from botyard.kernel.bounded import json_of
from botyard.kernel.errors import BadRecord

FORMAT = "botyard-backup"
VERSION = 1
HEAD_NAME, CONFIG_NAME = "botyard-backup.json", "yard.toml"
HEAD_MAX = 64 * 1024  # bytes
ROWS_NAME = re.compile(r"rows/([a-z_]{1,60})\.jsonl\.gz")
BLOB_NAME = re.compile(r"blobs/([0-9a-f]{64})")
LINE_MAX = 64 * 1024 * 1024  # bytes of one row
BASE64 = "base64"
DAMAGED = "it was cut off or altered; use another backup"


@dataclass(frozen=True, slots=True)
class BackupHead:
    """What a backup says of itself."""

    botyard: str
    revision: str
    taken_ms: int
    tables: dict[str, int]  # rows by table, in an order in which they can be added

    def as_bytes(self) -> bytes:
        return json.dumps({"format": FORMAT, "version": VERSION, **asdict(self)}, indent=1).encode()

    @classmethod
    def read(cls, raw: bytes) -> BackupHead:
        head = json_of(raw, "the head of the backup")
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise BadRecord("this is no backup of a yard", hint="name a file that `botyard yard backup` wrote")
        if head.get("version") != VERSION:
            raise BadRecord(f"a backup of format {head.get('version')!r}", hint="use the Botyard that wrote it")
        try:
            tables = {str(name): int(count) for name, count in head["tables"].items()}
            return cls(str(head["botyard"]), str(head["revision"]), int(head["taken_ms"]), tables)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise BadRecord("the head of the backup cannot be read", hint=DAMAGED) from None


def tables_there(connection: sa.Connection) -> list[sa.Table]:
    """Returns the tables of a database as they are, of whatever revision, in an order in which rows can be added."""
    found = sa.MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != "alembic_version"]


def row_line(values: tuple[Any, ...]) -> bytes:
    """Returns a row as a line; numbers come back as they were, bit for bit."""
    plain = [{BASE64: base64.b64encode(value).decode()} if isinstance(value, bytes) else value for value in values]
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def row_of(line: bytes, table: str) -> list[Any]:
    try:
        values = json_of(line, f"a row of {table}")
        assert isinstance(values, list)
        return [base64.b64decode(value[BASE64]) if isinstance(value, dict) else value for value in values]
    except (AssertionError, KeyError, TypeError, ValueError):
        raise BadRecord(f"a row of {table} cannot be read", hint=DAMAGED) from None
