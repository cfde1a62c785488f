"""What a worker is told about a version: its work as a message, made from the tables."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from typing import Any

import sqlalchemy as sa

import botyard
from botyard.contest.messages import CageOptions
from botyard.contest.worker_facts import own_toolchains
from botyard.games import load
from botyard.jail.canonical import Source
from botyard.yard.data.blobs import BlobReader
from botyard.yard.data.tables import BOT, LADDER, VERSION
from botyard.yard.refusals import NotThere
from botyard.yard.work.building import BuildWork
from botyard.yard.work.checking import CheckWork, stamp_of


@dataclass(frozen=True, slots=True)
class SourceOfVersion:
    """The source of a version, and what it belongs to."""

    game: str
    name: str
    source: Source


def source_of(connection: sa.Connection, blobs: BlobReader, version: int) -> SourceOfVersion:
    chosen = sa.select(BOT.c.game, BOT.c.name, VERSION.c.source).join(VERSION, VERSION.c.bot == BOT.c.id)
    row = connection.execute(chosen.where(VERSION.c.id == version)).one_or_none()
    if row is None:
        raise NotThere(f"there is no version {version}")
    return SourceOfVersion(row.game, row.name, source_in(connection, blobs, row.source))


def source_in(connection: sa.Connection, blobs: BlobReader, digest: str) -> Source:
    """Returns a source that is a blob of the yard: it is read now, because the connection is not ours later."""
    content = blobs.read(connection, digest)
    return Source(digest, lambda: content)


def build_work(connection: sa.Connection, blobs: BlobReader, cage: CageOptions, version: int) -> BuildWork:
    """Returns the build of a version as work."""
    found = source_of(connection, blobs, version)
    return BuildWork(version, found.game, found.name, found.source, cage)


def check_work(connection: sa.Connection, blobs: BlobReader, cage: CageOptions, version: int) -> CheckWork:
    """Returns the check of a version as work, with the settings that it is going to play with."""
    found = source_of(connection, blobs, version)
    settings = settings_of(connection, found.game)
    conditions = check_conditions(found.game, settings, cage)
    return CheckWork(version, found.game, found.name, settings, found.source, cage, conditions)


def settings_of(connection: sa.Connection, game: str) -> dict[str, Any]:
    """Returns the settings a bot of a game is checked with: those of its first ladder, else the game's own."""
    ladders = sa.select(LADDER.c.settings).where(LADDER.c.game == game).order_by(LADDER.c.state != "open", LADDER.c.id)
    found = connection.scalars(ladders.limit(1)).one_or_none()
    if found is not None:
        return dict(json.loads(found))
    settings = load(game).settings()
    return {field.name: getattr(settings, field.name) for field in fields(settings)}


def check_conditions(game: str, settings: dict[str, Any], cage: CageOptions) -> str:
    """Returns what a check is made with wherever it is made: Botyard, rules, settings and cage."""
    told = [botyard.__version__, load(game).facts.rules_version, settings, asdict(cage)]
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()


def check_stamp(game: str, settings: dict[str, Any], cage: CageOptions, toolchains: str = "") -> str:
    """Returns what a check was made with: all of that, and the toolchains of a machine, of this one if none are named.
    If it changes, bots are checked again."""
    return stamp_of(check_conditions(game, settings, cage), toolchains or own_toolchains())
