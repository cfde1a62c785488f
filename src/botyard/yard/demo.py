"""A yard to look at: invented players hand in the starters of all games, the way real ones do.

Nobody can sign in as one of them, because they have no passwords. A yard that has people in it is left alone.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable
from dataclasses import replace

import sqlalchemy as sa

from botyard.games.starters import Starter, all_starters
from botyard.jail.manifest import manifest_of
from botyard.jail.toolchains import Unusable, tool_named
from botyard.kernel.errors import YardError
from botyard.yard.bots.spool import Spool
from botyard.yard.bots.uploads import UploadTarget, accept_upload
from botyard.yard.config import Quotas
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import FACT, PERSON
from botyard.yard.people.accounts import register
from botyard.yard.site import Yard

FACT_NAME = "demo"  # the invented people of this yard, as a list of their numbers
NAMES = ("Mira", "Tomte", "Anouk", "Idris", "Juno", "Pavel", "Sanna", "Okoro")
BOT_NAMES = {
    "c": "Clockwork", "cpp": "Cogwheel", "go": "Gopherine", "java": "Mocha", "javascript": "Jitterbug",
    "lua": "Moonmoth", "python": "Pythagoras", "rust": "Ferrous", "shell": "Hermit",
}  # fmt: skip
ENOUGH = Quotas(uploads_a_day=1000, unfinished_builds=1000, bots=1000)

log = logging.getLogger("botyard.yard")


def add_players(connection: sa.Connection, now_ms: int) -> list[int]:
    """Adds the invented players, or finds that they are there; refuses a yard that belongs to others."""
    kept = connection.execute(sa.select(FACT.c.value).where(FACT.c.name == FACT_NAME)).scalar_one_or_none()
    if kept is not None:
        return [int(number) for number in json.loads(kept)]
    if connection.execute(sa.select(PERSON.c.id).limit(1)).first() is not None:
        raise YardError("--demo would invent players on a site that has real ones", hint="use a folder of its own")
    people = [register(connection, name, None, now_ms).id for name in NAMES]
    connection.execute(sa.insert(FACT).values(name=FACT_NAME, value=json.dumps(people)))
    note_event(connection, now_ms, "yard.demo", "yard", people=len(people))
    return people


async def hand_in_starters(yard: Yard, people: list[int]) -> None:
    """Hands in every starter that can be built here, each by another player of its game."""
    generous = Yard(replace(yard.config, quotas=ENOUGH), yard.database, yard.clock)
    places: dict[str, int] = {}
    for starter in await asyncio.to_thread(buildable, all_starters()):
        place = places[starter.game] = places.get(starter.game, -1) + 1
        player = people[(place + len(places)) % len(people)]
        try:
            await hand_in(generous, player, starter)
        except YardError as error:
            log.warning("the demo goes without a bot in %s for %s: %s", starter.language, starter.game, error)


async def hand_in(yard: Yard, player: int, starter: Starter) -> None:
    with Spool(yard.config.folder / "incoming", yard.config.quotas.upload_bytes) as spool:
        for path in starter.files:
            spool.begin(path)
            spool.add((starter.folder / path).read_bytes())
        spool.end()
        name = BOT_NAMES.get(starter.language, starter.language.capitalize())
        await accept_upload(yard, player, UploadTarget(game=starter.game, name=name, activate=True), spool)


def buildable(starters: Iterable[Starter]) -> list[Starter]:
    """Returns those starters whose compilers and interpreters are installed."""
    return [starter for starter in starters if all(map(is_there, programs_of(starter)))]


def programs_of(starter: Starter) -> set[str]:
    manifest = manifest_of(starter.folder)
    return {command[0] for command in (*manifest.build, manifest.run) if "/" not in command[0]}


def is_there(program: str) -> bool:
    try:
        return tool_named(program) is not None
    except Unusable:
        return False
