"""What links and cages cost: our own time per bot and tick, and the time to start a program.

    python bench/links.py [--rounds N] [--starts N]

Own time is the processor time of this process alone while two trivial programs play Hack-man over pipes, divided by
bots and ticks: views, texts, clocks, verdicts, replay and rules included. Starting is from the call until the program
has written its first byte (over TCP: until its connection is there), the median of many, uncaged and caged in turns.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from botyard.games import load
from botyard.games.game import Game
from botyard.jail.launch import Launch
from botyard.jail.limits import Level
from botyard.jail.program import Program
from botyard.links.bot_spec import Seating, read_bot_spec
from botyard.match.clock import LoopClock
from botyard.match.loop import play_game

BOT = """
import sys
for line in sys.stdin:
    if line.startswith("action"):
        print("pass", flush=True)
"""

SPEAKER = ("/bin/sh", "-c", "echo here; read line")
CALLER = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2]))).recv(1)"


async def own_time(rounds: int) -> tuple[float, float]:
    """Milliseconds of our processor time, and of the clock, per bot and tick."""
    book = load("hackman")
    settings = book.settings.read({"max_rounds": rounds})
    with tempfile.TemporaryDirectory(prefix="bench") as folder:
        file = Path(folder) / "bot.py"
        file.write_text(BOT)
        Path(folder).chmod(0o755)
        seating = Seating(book, settings, LoopClock())
        specs = [read_bot_spec(f"cmd:python3 {file}", book) for _ in range(2)]
        await play_game(Game(book, settings, 1), [spec.seat_player(seating, at) for at, spec in enumerate(specs)])
        players = [spec.seat_player(seating, at) for at, spec in enumerate(specs)]
        game = Game(book, settings, 2)
        began, own = time.perf_counter(), time.process_time()
        played = await play_game(game, players)
        own, wall = time.process_time() - own, time.perf_counter() - began
    ticks = len(played.replay.ticks)
    return own * 1000 / ticks / 2, wall * 1000 / ticks / 2


def bare_start() -> float:
    """Without anything of ours: what starting this program costs in any case."""
    began = time.perf_counter()
    with subprocess.Popen(SPEAKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        took = time.perf_counter() - began
        process.kill()
    return took


async def start(level: Level) -> float:
    began = time.perf_counter()
    program = await Program.start(Launch(SPEAKER, Path("/tmp"), level), piped=True)
    assert isinstance(program, Program), program
    await program.inbox.receive()
    took = time.perf_counter() - began
    await program.stop()
    return took


def bare_call() -> float:
    """A program that connects to us, uncaged."""
    interpreter = shutil.which("python3") or "python3"
    with socket.create_server(("127.0.0.1", 0)) as door:
        began = time.perf_counter()
        port = str(door.getsockname()[1])
        with subprocess.Popen([interpreter_path(interpreter), "-I", "-S", "-c", CALLER, "127.0.0.1", port]) as process:
            guest, _ = door.accept()
            took = time.perf_counter() - began
            guest.close()
            process.wait()
    return took


def interpreter_path(found: str) -> str:
    from botyard.jail.toolchains import tool_at

    tool = tool_at(Path(found))
    return str(tool.outside if tool else found)


async def caged_call() -> float:
    began = time.perf_counter()
    command = ("python3", "-I", "-S", "-c", CALLER, "127.0.0.1", "8000")
    program = await Program.start(Launch(command, Path("/tmp"), Level.CAGED, port=8000))
    assert isinstance(program, Program), program
    assert program.cell.door is not None
    program.cell.door.setblocking(False)
    guest, _ = await asyncio.get_running_loop().sock_accept(program.cell.door)
    took = time.perf_counter() - began
    guest.close()
    await program.stop()
    return took


async def compare_starts(times: int) -> dict[str, float]:
    figures: dict[str, list[float]] = {"bare": [], "open": [], "caged": [], "bare over TCP": [], "caged over TCP": []}
    for _ in range(times):
        figures["bare"].append(bare_start())
        figures["open"].append(await start(Level.OPEN))
        figures["caged"].append(await start(Level.CAGED))
        figures["bare over TCP"].append(bare_call())
        figures["caged over TCP"].append(await caged_call())
    return {name: statistics.median(values) * 1000 for name, values in figures.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--starts", type=int, default=50)
    given = parser.parse_args()
    own, wall = asyncio.run(own_time(given.rounds))
    print(
        f"process link, Hack-man: {own:.3f} ms of our own time per bot and tick (bar 0.25), {wall:.3f} ms on the clock"
    )
    starts = asyncio.run(compare_starts(given.starts))
    for name, value in starts.items():
        print(f"start {name:15} {value:6.1f} ms")
    print(f"a cage costs {starts['caged'] - starts['bare']:.1f} ms (bar 15), "
          f"over TCP {starts['caged over TCP'] - starts['bare over TCP']:.1f} ms (bar 20)")  # fmt: skip
    print(f"load of the machine while measuring: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
