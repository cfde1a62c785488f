"""A client of 2018 plays on a real server, which is killed and started again: its address is still good."""

from __future__ import annotations

import json
import re
import signal
import socket
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener, urlopen

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from botyard.yard.config import CONFIG_FILE
from botyard.yard.keeping.verify import verify
from botyard.yard.opening import config_with, open_for_serving, open_yard
from botyard.yard.rooms.chronicles import stints_before
from botyard.yard.rooms.points import leaders_of
from botyard.yard.rooms.rooms import RoomPlan, create_room, room_games
from tests.waiting import PATIENCE_S, finished, in_time, wait_until
from tests.yard.test_serve import LADDER, folder, serving

__all__ = ["folder"]

BOOK = room_games()[0]
GAME, BOT = BOOK.facts.name, next(iter(BOOK.bots.HOUSE_BOTS))
QUICK = {"tick_ms": 60, "rounds_time": 40, "rounds_time_before_start": 2, "rounds_per_match": 3}
# How the client of 2018 in Python reads the address that a player pastes into it.
ADDRESS = re.compile(r"^(https?)://(.*)/codenjoy-contest/board/player/(\w+)\?code=(\d+)$")


class Original:
    """A client of the original: it knows one address and makes the socket's of it."""

    def __init__(self, address: str) -> None:
        found = ADDRESS.match(address)
        assert found, address
        scheme, self.server, self.user, self.code = found.groups()
        self.rest = f"{scheme}://{self.server}/codenjoy-contest/rest"
        socket_scheme = "wss" if scheme == "https" else "ws"
        self.socket = f"{socket_scheme}://{self.server}/codenjoy-contest/ws?user={self.user}&code={self.code}"

    def ask(self, path: str) -> Any:
        with urlopen(f"{self.rest}/{path}", timeout=PATIENCE_S) as answer:
            return json.loads(answer.read())

    def play(self, boards: int) -> list[str]:
        """Answers so many boards, as a solver does."""

        async def answered() -> list[str]:
            seen = []
            async with connect(self.socket, origin=Origin("http://localhost")) as socket:
                for number in range(boards):
                    seen.append(str(await socket.recv()))
                    await socket.send(("LEFT", "ACT", "up, act", "DOWN(")[number % 4])
            return seen

        return finished(answered())

    def is_refused(self) -> bool:
        """Whether the socket does not open with another code."""

        async def knock() -> None:
            async with connect(self.socket[:-1]):
                pass

        try:
            finished(knock())
        except InvalidStatus as error:
            return error.response.status_code == 401
        return False


class Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Shows where a form leads, and does not go there."""


def registered(server: str, name: str) -> str:
    """Sends the form of 2018, from no page in particular; returns the address that the browser is sent to."""
    form = urlencode({"readableName": name, "email": "a@b.c", "password": "1", "gameName": GAME}).encode()
    request = Request(f"{server}/codenjoy-contest/register", form)
    with pytest.raises(HTTPError) as sent:
        build_opener(Stay()).open(request, timeout=PATIENCE_S)
    with sent.value as answer:
        assert answer.code == 303
        return server + str(answer.headers["Location"])


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


@pytest.mark.long
def test_the_address_of_2018_is_good_before_and_after_a_kill(folder: Path) -> None:
    (folder / CONFIG_FILE).write_text(f"port = {free_port()}\n{LADDER}")
    with open_for_serving(config_with(folder, None)) as (yard, _), yard.database.writing() as connection:
        plan = RoomPlan("den", GAME, settings=QUICK, house=[BOT, BOT])
        room = create_room(connection, plan, yard.clock(), by=None)

    with serving(folder, port=None) as (running, told):
        client = Original(registered(told["address"], "Eva"))
        boards = client.play(60)
        assert all(re.fullmatch("board=(.*)", board) and len(board) == 906 for board in boards)
        assert len(set(boards)) > 3
        settings = client.ask(f"settings/player?user={client.user}&code={client.code}")
        assert settings["[Rounds] Time per Round"] == "40"
        assert client.ask(f"joystick/player/{client.user}/code/{client.code}/do/LEFT") is True
        log = client.ask(f"player/{client.user}/log/0")
        assert log
        assert {f"board={line['board']}" for line in log} & set(boards)
        wait_until(lambda: kept_of(folder, client.user), lambda: "no round of hers was kept")
        before_ms = log[-1]["time"]
        running.send_signal(signal.SIGKILL)
        in_time(running.wait)
    points = points_of(folder, room)

    with serving(folder, port=None) as (running, told):
        again = Original(registered(told["address"], "Liv"))
        assert again.server == client.server
        assert client.ask(f"player/{client.user}/check/{client.code}") is True
        scores = {row["id"]: row["score"] for row in client.ask("room/den/scores")}
        assert scores[client.user] == points["Eva"], "nobody has played for her since"
        assert len(client.play(10)) == 10
        assert client.ask(f"settings/player?user={client.user}&code={client.code}") == settings
        kept = client.ask(f"player/{client.user}/log/{before_ms}")
        assert kept, "boards of before the kill come from the replays"
        assert kept[-1]["time"] <= before_ms
        assert client.is_refused()
        running.send_signal(signal.SIGTERM)
    with open_yard(config_with(folder, None)) as yard:
        assert verify(yard).troubles == []


def kept_of(folder: Path, user: str) -> int:
    """How many stints of a player are written down."""
    with open_yard(config_with(folder, None)) as yard, yard.database.reading() as connection:
        return len(stints_before(connection, user, yard.clock()))


def points_of(folder: Path, room: int) -> dict[str, int]:
    with open_yard(config_with(folder, None)) as yard, yard.database.reading() as connection:
        return {leader.name: leader.points for leader in leaders_of(connection, room)}
