"""What tests of uploads share: archives in memory, spools, and bots that are quick to build."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import sqlalchemy as sa

from botyard.games import GAMES
from botyard.yard.bots.spool import Spool
from botyard.yard.bots.unpacking import UnpackedUpload
from botyard.yard.bots.uploads import Accepted, UploadTarget, enter_upload
from botyard.yard.config import Quotas
from botyard.yard.data.database import inserted_id
from botyard.yard.data.tables import PERSON
from botyard.yard.site import Yard

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


def unpacked(files: Mapping[str, bytes] | None = None, game: str = "", name: str = "bot") -> UnpackedUpload:
    """What unpacking gives, without a cage: for tests of what comes after it."""
    files = files or {"main.py": b"print('up')\n"}
    source = tarred(*((tarfile.TarInfo(path), content) for path, content in sorted(files.items())), packed=True)
    tree = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
    manifest = {"name": name, "game": game, "language": "python", "run": ["python3", "main.py"]}
    return UnpackedUpload(tree, source, manifest, len(files), sum(map(len, files.values())))


def hand_in(
    yard: Yard,
    person: int,
    content: str = "1",
    name: str = "Ant",
    *,
    activate: bool = False,
    game: str = GAME,
    quotas: Quotas | None = None,
) -> Accepted:
    """A version of a bot that was uploaded and is not built yet."""
    target = UploadTarget(game=game, name=name, activate=activate)
    upload = unpacked({"main.py": content.encode()})
    with yard.database.writing() as connection:
        return enter_upload(connection, yard.blobs, quotas or yard.config.quotas, person, target, upload, yard.clock())
