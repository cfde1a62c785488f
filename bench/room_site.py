"""Whether a site that is busy holds up its rooms: 60 rooms with 900 bots, with and without watchers and logins.

    PYTHONPATH=src:. python bench/room_site.py [--seconds 20] [--turns 3]

A yard with pages, API and rooms runs in a process of its own, on SQLite, and 900 bots answer every board from another
process. Stretches of time take turns: *calm*, in which nothing else happens, and *busy*, in which 200 pages watch one
match that is played at ten ticks a second, one address attempts 50 logins a second (which must be answered by 429
before anything is hashed) and somebody else signs in once a second. Told is from the moment a tick is due to the moment
it begins, in milliseconds. The bar: the p99 of busy stretches within 1.5 times that of calm ones.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import room
from room import ANSWERS, SEATS, WARM_UP_S, Process, shown
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

ROOMS, WATCHERS, ATTEMPTS = 60, 200, 50
PASSWORD = "a sentence of words"
TICK_S = 0.1  # of the match that is watched


async def serve() -> None:
    """The server's process: says where everything is, and for every line that it hears how late ticks were since."""
    from botyard.links.web.garbage import collect_rarely
    from botyard.links.web.server import listen, raise_file_limit, serving
    from botyard.yard.config import YardConfig
    from botyard.yard.data.database import Database
    from botyard.yard.rooms.caretaker import Caretaker
    from botyard.yard.serving import SWITCH_S, yard_app
    from botyard.yard.site import Yard
    from botyard.yard.work.steward import Steward

    raise_file_limit()
    with tempfile.TemporaryDirectory() as folder:
        database = Database.in_file(Path(folder) / "yard.db")
        database.create()
        yard = Yard(YardConfig(Path(folder), proxies=("127.0.0.1",)), database)
        match = filled(yard)
        rooms, steward = Caretaker(yard), Steward(yard)
        await rooms.follow_all()
        door = listen("127.0.0.1", 0)
        async with serving(yard_app(yard, steward, rooms), door):
            collect_rarely()
            sys.setswitchinterval(SWITCH_S)
            beside = [asyncio.create_task(rooms.run()), asyncio.create_task(played(steward, yard, match))]
            bots = [(member.user, member.code) for one in rooms.lobby.rooms.values() for member in one.members]
            print(json.dumps({"port": door.getsockname()[1], "match": match, "bots": bots}), flush=True)
            while await asyncio.to_thread(sys.stdin.readline):
                beats = rooms.lobby.metronomes.values()
                print(json.dumps([1000 * late for beat in beats for late in beat.lateness]), flush=True)
                for beat in beats:
                    beat.lateness.clear()
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)


def filled(yard: Any) -> int:
    """Makes rooms with members, somebody who signs in, and a match that is being played; returns the match."""
    from tests.yard.living import LivingYard
    from tests.yard.test_pages import TWO

    from botyard.yard.people.accounts import register
    from botyard.yard.people.passwords import HASHER, one_form
    from botyard.yard.rooms.members import register_member
    from botyard.yard.rooms.rooms import RoomPlan, create_room, room_games

    game = room_games()[0].facts.name
    with yard.database.writing() as connection:
        register(connection, "Ada", HASHER.hash(one_form(PASSWORD)), yard.clock())
        for number in range(ROOMS):
            create_room(connection, RoomPlan(f"room-{number}", game), yard.clock(), by=None)
            for bot in range(SEATS):
                register_member(connection, f"room-{number}", f"bot {bot}", yard.clock())
    living = LivingYard(yard)
    living.open(TWO)
    for name in ("Asp", "Boa"):
        living.bot(living.person(f"owner of {name}"), TWO, name)
    first: int = living.ask(TWO, "Asp", "Boa")[0]
    living.begin(first)
    return first


async def played(steward: Any, yard: Any, match: int) -> None:
    """Lets a match go on for ever, as signs of a worker would tell of it."""
    from tests.links.matches import rival_of

    from botyard.contest.messages import CageOptions, Sign
    from botyard.kernel.settings import fresh_seed
    from botyard.links.play import play
    from botyard.yard.caller import Caller
    from botyard.yard.ladders.match_lists import match_for
    from botyard.yard.ladders.plans import settings_values
    from botyard.yard.work.matches import MatchPlayer, MatchWork

    told = await yard.ask(match_for, match, Caller())
    seed, house = fresh_seed(), rival_of(told.listed.game)
    game = await asyncio.to_thread(play, told.listed.game, [house] * 2, seed=seed)
    settings = settings_values(game.replay.new_game().settings)
    while True:
        players = tuple(MatchPlayer(name=seat.name, house=house) for seat in told.listed.seats)
        steward.live.begin(MatchWork(match, told.listed.game, settings, seed, players, CageOptions()))
        for at, entries in enumerate(game.replay.ticks):
            if isinstance(entries[0], list):
                steward.live.hear(match, Sign(match, at, played=(tuple(entries[0]),)))
            await asyncio.sleep(TICK_S)


async def load_it() -> None:
    """The clients' process: 900 bots all the time; watchers and logins between the lines `busy` and `calm`."""
    from botyard.links.web.server import raise_file_limit

    raise_file_limit()
    place = json.loads(sys.stdin.readline())
    bots = [asyncio.create_task(bot(place["port"], user, code)) for user, code in place["bots"]]
    gc.collect()
    gc.freeze()
    await asyncio.sleep(WARM_UP_S + len(bots) / 300)
    print("playing", flush=True)
    busy: list[asyncio.Task[None]] = []
    answers: Counter[str] = Counter()
    while line := await asyncio.to_thread(sys.stdin.readline):
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)
        busy = []
        if line == "busy\n":
            busy = [asyncio.create_task(watch(place["port"], place["match"], answers)) for _ in range(WATCHERS)]
            busy.append(asyncio.create_task(sign_in(place["port"], "10.0.0.1", "wrong", 1 / ATTEMPTS, answers)))
            busy.append(asyncio.create_task(sign_in(place["port"], "", PASSWORD, 1.0, answers)))
        await asyncio.sleep(WARM_UP_S)
        print(json.dumps(answers), flush=True)
    for task in [*bots, *busy]:
        task.cancel()


async def bot(port: int, user: str, code: str) -> None:
    address = f"ws://127.0.0.1:{port}/codenjoy-contest/ws?user={user}&code={code}"
    headers = {"X-Forwarded-For": f"10.1.{random.randrange(256)}.{random.randrange(256)}"}
    async with connect(
        address, compression=None, proxy=None, open_timeout=120, ping_interval=None, additional_headers=headers
    ) as socket:
        try:
            async for _ in socket:
                await socket.send(random.choice(ANSWERS))
        except ConnectionClosed:
            return


async def watch(port: int, match: int, answers: Counter[str]) -> None:
    headers = {"X-Forwarded-For": f"10.2.{random.randrange(256)}.{random.randrange(256)}"}
    address = f"ws://127.0.0.1:{port}/show/live/{match}"
    while True:
        async with connect(address, compression=None, proxy=None, additional_headers=headers) as socket:
            async for _ in socket:
                answers["told to watchers"] += 1


async def sign_in(port: int, address: str, password: str, every_s: float, answers: Counter[str]) -> None:
    """Attempts to sign in again and again, each at its time; without an address, every time from another one."""
    due, number = time.monotonic(), 0
    pending: set[asyncio.Task[None]] = set()
    while True:
        number += 1
        task = asyncio.create_task(attempt(port, address or f"10.3.0.{number % 250}", password, answers))
        pending.add(task)
        task.add_done_callback(pending.discard)
        due += every_s
        await asyncio.sleep(max(due - time.monotonic(), 0))


async def attempt(port: int, address: str, password: str, answers: Counter[str]) -> None:
    body = urlencode({"name": "Ada", "password": password, "to": ""}).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        f"POST /login HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nConnection: close\r\n"
        f"X-Forwarded-For: {address}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    status = (await reader.readline()).split()[1].decode()
    answers[f"{'attempts' if password != PASSWORD else 'logins'} {status}"] += 1
    writer.close()


def measure(seconds: float, turns: int) -> None:
    late: dict[str, list[float]] = {"calm": [], "busy": []}
    answers: dict[str, int] = {}
    with Process("--serve") as server, Process("--load") as clients:
        clients.say(server.hear())
        assert clients.hear() == "playing\n"
        for turn in range(2 * turns):
            kind = ("calm", "busy")[turn % 2]
            clients.say(f"{kind}\n")
            answers = json.loads(clients.hear())
            server.say("\n")
            server.hear()
            time.sleep(seconds)
            server.say("\n")
            late[kind] += json.loads(server.hear())
    for kind, found in late.items():
        print(f"{kind}  {shown(found)}")
    at = {kind: sorted(found)[int(0.99 * len(found))] for kind, found in late.items()}
    print(f"p99 busy / calm: {at['busy'] / at['calm']:.2f}; {answers}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--load", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        asyncio.run(serve())
    elif chosen.load:
        asyncio.run(load_it())
    else:
        room.__file__ = __file__  # its processes are this script
        measure(chosen.seconds, chosen.turns)


if __name__ == "__main__":
    main()
