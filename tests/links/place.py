"""A server on somebody's own machine inside a test, with a game to look at or a match that is played."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from botyard.games.game import new
from botyard.links.human import HumanSeat
from botyard.links.play import play
from botyard.links.viewing.app import Door
from botyard.links.viewing.screening import ReplayScreening, Screening
from botyard.links.viewing.server import viewing
from botyard.links.viewing.shelf import Shelf
from botyard.links.viewing.sockets import Audience, Screens
from botyard.links.viewing.stage import Stage
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.match.loop import Played, play_game
from botyard.match.player import Player
from tests.links.matches import rival_of, short_match
from tests.waiting import PATIENCE_S, bounded, soon


@cache
def played_game() -> Played:
    return play("hive", ["house:forager", "house:wanderer"], seed=3, max_turns=250)


@dataclass
class Place:
    """A running server, and a way in."""

    port: int
    secret: str

    @property
    def root(self) -> str:
        return f"/{self.secret}"


@dataclass
class Reply:
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        packed = self.headers.get("content-encoding") == "gzip"
        return json.loads(gzip.decompress(self.body) if packed else self.body)


@contextlib.asynccontextmanager
async def serving_door(door: Door) -> AsyncIterator[Place]:
    async with viewing() as guard:
        secret = guard.open_door(door.app())
        yield Place(int(guard.address(secret).split(":")[2].split("/")[0]), secret)


def shelf_of(*screenings: Screening) -> Shelf:
    shelf = Shelf()
    for screening in screenings or (ReplayScreening.of_game(played_game()),):
        shelf.add(screening, "a <b>game</b>")
    return shelf


async def ask(place: Place, path: str, method: str = "GET", **headers: str) -> Reply:
    fields = {"Host": f"127.0.0.1:{place.port}", "Connection": "close"}
    fields |= {name.replace("_", "-").title(): value for name, value in headers.items()}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return await exchange(place, "\r\n".join(lines).encode("latin-1"))


async def exchange(place: Place, request: bytes) -> Reply:
    reader, writer = await asyncio.open_connection("127.0.0.1", place.port)
    writer.write(request)
    try:
        async with bounded(PATIENCE_S, "no answer came"):
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
            body = await reader.read()
    finally:
        writer.close()
    return Reply(int(first.split()[1]), dict(line.lower().split(": ", 1) for line in lines), body)


@dataclass
class Live:
    """A match on show that a test plays."""

    stage: Stage
    players: Sequence[Player]
    place: Place
    audience: Audience
    screens: dict[int, Screens]

    async def play(self) -> Played:
        game = new("hive", 4, **short_match("hive"))
        played = await play_game(game, self.players, self.stage.watch)
        self.stage.finish(played)
        return played


@contextlib.asynccontextmanager
async def live(*, people: bool = False, seat: int | None = None, outsiders: bool = False) -> AsyncIterator[Live]:
    game = new("hive", 4, **short_match("hive"))
    name = rival_of("hive").partition(":")[2]
    players = [HousePlayer(game.book, game.settings, name, LoopClock()) for _ in range(2)]
    persons = {0: HumanSeat("Ada", game.book.facts.orders)} if people else {}
    stage = Stage(game, players, persons, 0, outsiders=outsiders)
    shelf, audience = Shelf(), Audience(stage)
    screens = {at: Screens(person, patient=False) for at, person in persons.items()}
    number = shelf.add(stage, "live")
    door = Door(shelf, {number: audience}, seat, {number: screens} if seat is not None else {})
    async with serving_door(door) as place:
        yield Live(stage, players, place, audience, screens)


@contextlib.asynccontextmanager
async def socket_of(place: Place, path: str, **options: Any) -> AsyncIterator[ClientConnection]:
    origin = options.pop("origin", f"http://127.0.0.1:{place.port}")
    address = f"ws://127.0.0.1:{place.port}{place.root}/{path}"
    async with connect(address, compression=None, proxy=None, origin=origin, max_size=None, **options) as made:
        yield made


async def heard(client: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(await soon(client.recv()))
    return message


async def hear_out(client: ClientConnection) -> None:
    """Reads until the socket is closed, which it tells."""
    while True:
        await client.recv()
