"""How late boards are: live rooms of Snake Battle with WebSocket bots, server and clients in processes of their own.

    PYTHONPATH=src python bench/room.py [--seconds 20] [--runs 3]

Three figures per scenario, in milliseconds. *tick*: from the moment a tick is due to the moment it begins. *board*:
from the same moment to a client having read the board, all of the tick, the network and the client's own delay
included (both processes read the same monotonic clock). Clients answer every board. *host*: how late a third process is
woken that does nothing else, a hundred times a second; that much the machine itself adds. The bar is a p99 of the tick
under 50 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import select
import subprocess
import sys
import time

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

SCENARIOS = {"one room, 15 bots, 20 ticks/s": (1, 50), "60 rooms, 900 bots, 1 tick/s": (60, 1000)}
SEATS = 15
WARM_UP_S = 3.0
ANSWERS = ("LEFT", "RIGHT", "UP", "DOWN", "LEFT,ACT")


async def serve(rooms: int, tick_ms: int) -> None:
    """The server's process: says where everybody plays, runs until its input ends, says how late its ticks were."""
    from botyard.cli.room import open_lobby
    from botyard.links.codenjoy.app import room_server
    from botyard.links.web.garbage import collect_rarely
    from botyard.links.web.server import listen, raise_file_limit, serving

    raise_file_limit()
    lobby = open_lobby("snakebattle", None, {"tick_ms": tick_ms}, rooms)
    for room in lobby.rooms.values():
        for number in range(SEATS):
            lobby.register(room, f"bot {number}")
    door = listen("127.0.0.1", 0)
    async with serving(room_server(lobby), door):
        collect_rarely()
        async with lobby.running():
            beats = [
                {"due": beat.due, "period": beat.period_s, "bots": [(m.user, m.code) for m in beat.room.members]}
                for beat in lobby.metronomes.values()
            ]
            print(json.dumps({"port": door.getsockname()[1], "rooms": beats}), flush=True)
            await asyncio.to_thread(sys.stdin.readline)  # the warm-up is over
            for beat in lobby.metronomes.values():
                beat.lateness.clear()
            busy, began = time.process_time(), time.monotonic()
            await asyncio.to_thread(sys.stdin.read)
            busy = (time.process_time() - busy) / (time.monotonic() - began)
            late = [1000 * seconds for beat in lobby.metronomes.values() for seconds in beat.lateness]
    print(json.dumps({"busy": busy, "late": late}), flush=True)


async def play(seconds: float) -> None:
    """The clients' process: plays all bots, then says how late boards were after the warm-up."""
    from botyard.links.web.server import raise_file_limit

    raise_file_limit()
    place = json.loads(sys.stdin.readline())
    late: list[float] = []
    begin: float | None = None

    async def bot(user: str, code: str, due: float, period: float) -> None:
        address = f"ws://127.0.0.1:{place['port']}/codenjoy-contest/ws?user={user}&code={code}"
        async with connect(address, compression=None, proxy=None, open_timeout=60, ping_interval=None) as socket:
            try:
                async for _ in socket:
                    now = time.monotonic()
                    if begin is not None and now > begin:
                        late.append(1000 * ((now - due) % period))
                    await socket.send(random.choice(ANSWERS))
            except ConnectionClosed:
                return

    bots = [
        asyncio.create_task(bot(user, code, room["due"], room["period"]))
        for room in place["rooms"]
        for user, code in room["bots"]
    ]
    gc.collect()
    gc.freeze()
    await asyncio.sleep(WARM_UP_S + len(bots) / 300)
    begin = time.monotonic()
    print("playing", flush=True)
    await asyncio.sleep(seconds)
    print(json.dumps(late), flush=True)
    await asyncio.to_thread(sys.stdin.read)  # the server is measured to the end with everybody connected
    for task in bots:
        task.cancel()
    await asyncio.gather(*bots, return_exceptions=True)


class Process:
    """This script once more, spoken to in lines."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *failure: object) -> None:
        self.end()
        self._process.wait()

    def say(self, line: str) -> None:
        self._input.write(line)
        self._input.flush()

    def end(self) -> None:
        self._input.close()

    def hear(self) -> str:
        return self._output.readline()


def idle() -> None:
    """A process that only wakes up, until its input ends, and says how late it was."""
    late: list[float] = []
    due = time.monotonic()
    while not select.select([sys.stdin], [], [], max(due - time.monotonic(), 0))[0]:
        late.append(1000 * (time.monotonic() - due))
        due = max(due + 0.01, time.monotonic())
    print(json.dumps(late), flush=True)


def measure(rooms: int, tick_ms: int, seconds: float) -> tuple[dict[str, list[float]], float]:
    """Lateness of ticks, boards and a bare timer, and the share of a core the server took."""
    with Process("--serve", f"{rooms},{tick_ms}") as server:
        place = server.hear()
        with Process("--play", str(seconds)) as clients:
            clients.say(place)
            assert clients.hear() == "playing\n"
            server.say("\n")
            with Process("--idle") as sleeper:
                boards = json.loads(clients.hear())
                sleeper.end()
                host = json.loads(sleeper.hear())
            server.end()
            report = json.loads(server.hear())
    return {"tick": report["late"], "board": boards, "host": host}, report["busy"]


def shown(late: list[float]) -> str:
    late = sorted(late)

    def at(share: float) -> float:
        return late[min(int(share * len(late)), len(late) - 1)]

    return f"p50 {at(0.5):6.2f}  p99 {at(0.99):6.2f}  max {late[-1]:7.2f}  ({len(late)})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--idle", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--play", type=float, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        rooms, tick_ms = chosen.serve.split(",")
        asyncio.run(serve(int(rooms), int(tick_ms)))
    elif chosen.idle:
        idle()
    elif chosen.play:
        asyncio.run(play(chosen.play))
    else:
        for name, (rooms, tick_ms) in SCENARIOS.items():
            for run in range(chosen.runs):
                lateness, busy = measure(rooms, tick_ms, chosen.seconds)
                print(f"{name}, run {run + 1}: the server takes {busy:.0%} of a core")
                for what, late in lateness.items():
                    print(f"  {what:5}  {shown(late)}", flush=True)


if __name__ == "__main__":
    main()
