"""What tests of uploads share: archives in memory, spools, and bots that are quick to build."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import sqlalchemy as sa

from botyard.games import GAMES
from botyard.yard.bots.spool import Spool
from botyard.yard.data.database import inserted_id
from botyard.yard.data.tables import PERSON

GAME = sorted(GAMES)[0]


def zipped(files: Mapping[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


def tarred(*rows: tuple[tarfile.TarInfo, bytes], packed: bool = False) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz" if packed else "w") as archive:
        for row, content in rows:
            row.size = len(content)
            archive.addfile(row, io.BytesIO(content))
    return target.getvalue()


def spooled(folder: Path, files: Mapping[str, bytes], most: int = 8 << 20) -> Spool:
    """An upload that has come in."""
    spool = Spool(folder, most)
    for name, content in files.items():
        spool.begin(name)
        spool.add(content)
    spool.end()
    return spool


def add_person(connection: sa.Connection, name: str, role: str = "player") -> int:
    row = {"name": name, "name_key": name.lower(), "role": role, "state": "active", "made_ms": 0}
    return inserted_id(connection, PERSON, **row)
