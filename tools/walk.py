"""Prints the modules and functions of ours that four ways pass, in their order: `tools/walk.py [WAY …] [--json]`.

The ways are a tick of a game over TCP, a step of a batch, a game of a contest and a frame of a room. Each is really
gone, in a process of its own that is watched by `sys.setprofile`; where a way begins and ends is read off what the
process does outside of our code (it reads a socket, it commits to a database), so that no name of ours has to be known
here. A compiled function is one call (Numba tells the profiler of it); BOTYARD_RULES=interpreted shows what is inside.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "botyard"
LIMIT_S = 240.0
MARKS = {"recv": "read", "recv_into": "read", "commit": "commit"}  # what a process asks of the world, by our words
SUSPENDING = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

TCP_BOT = """
import socket, sys
link = socket.create_connection((sys.argv[1], int(sys.argv[2])))
link.sendall(b"walker\\n")
for line in link.makefile("rb"):
    if line == b"gameover\\n": break
    link.sendall(b"3,0\\n")
"""
FRAMES = 20
ROOM_BOT = f"""
import sys
from websockets.sync.client import connect
address = sys.argv[1].replace("http", "ws", 1).replace("board/player/", "ws?user=").replace("?code=", "&code=")
with connect(address, proxy=None) as link:
    for _ in range({FRAMES}):
        link.recv()
        link.send("UP")
"""
GAMES = 6
CONTEST = f"""
title = "A few games"
game = "hive"
seed = 7
[settings]
max_turns = 4
[bots]
forager = "house:forager"
idler = "py:bots/idler/idler.py"
[format]
kind = "round_robin"
bouts = {GAMES}
swap = "none"
[run]
executor = "inline"
"""
IDLER = "def decide(view):\n    return 'guard N'\n"


# Watching a process


@dataclass
class Watch:
    """Notes what a process does: calls of ours, their ends, and what it asks of the world outside."""

    events: list[tuple[str, str, str]] = field(default_factory=list)  # kind, module, function
    _began: dict[CodeType, int] = field(default_factory=dict)
    _modules: dict[CodeType, str | None] = field(default_factory=dict)  # far more calls than functions are seen

    def start(self) -> None:
        threading.setprofile(self._seen)
        sys.setprofile(self._seen)

    def _seen(self, frame: FrameType, event: str, what: Any) -> None:
        if event == "c_call":
            mark = MARKS.get(what.__name__)
            if mark and frame.f_code.co_name != "_read_from_self":  # an event loop wakes itself up
                self.events.append((mark, "", ""))
        elif event == "call":
            again = frame.f_code.co_flags & SUSPENDING and frame.f_lasti > self._began.setdefault(
                frame.f_code, frame.f_lasti
            )
            self._note("resume" if again else "call", frame.f_code)
        elif event == "return":
            self._note("return", frame.f_code)

    def _note(self, kind: str, code: CodeType) -> None:
        if code not in self._modules:
            self._modules[code] = module_of(code)
        if module := self._modules[code]:
            self.events.append((kind, module, code.co_qualname))


def module_of(code: CodeType) -> str | None:
    """The file of ours that a function stands in, if it has a name and is ours."""
    file = Path(code.co_filename)
    ours = file.is_relative_to(PACKAGE) and not code.co_name.startswith("<")
    return str(file.relative_to(PACKAGE)) if ours else None


def record(kind: str, result: Path, words: list[str]) -> None:
    """The watched process: runs a command, or steps a batch, and writes what was seen."""
    watch = Watch()
    try:
        if kind == "batch":
            step_a_batch(watch)
        else:
            from botyard.cli import main

            sys.argv = ["botyard", *words]
            watch.start()
            main()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        result.write_text(json.dumps(watch.events))


def step_a_batch(watch: Watch) -> None:
    import numpy as np

    import botyard

    games: Any = botyard.Batch("hive", None, 64)
    orders = np.zeros((64, games.seats), np.int32)
    games.step(orders)
    watch.start()
    games.step(orders)


# The ways


def warm() -> None:
    """Has the rules compiled, where they are not yet: while it is watched, the compiler takes minutes."""
    command = [sys.executable, "-c", "from botyard.cli import main; main()", "warm", "hive", "snakebattle", "--quiet"]
    subprocess.run(command, check=True, timeout=LIMIT_S)


def watched(folder: Path, kind: str, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--record", kind, str(folder / "events.json"), *words]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)


def events_of(process: subprocess.Popen[str], folder: Path) -> list[list[str]]:
    process.communicate(timeout=LIMIT_S)
    events: list[list[str]] = json.loads((folder / "events.json").read_text())
    return events


def tcp_tick(folder: Path) -> list[list[str]]:
    """From the moment that a bot's answer can be read until the other's can: one tick of Hive Arena."""
    (folder / "bot.py").write_text(TCP_BOT)
    bot = f"cmd:{sys.executable} bot.py"
    patient = ("--set", "reply_timeout_ms=60000", "--set", "name_timeout_ms=60000", "--set", "max_turns=40")
    game = watched(folder, "command", "play", "hive", bot, bot, "--open", "--quiet", "--seed", "7", *patient)
    return usual(events_of(game, folder), "read")


def batch_step(folder: Path) -> list[list[str]]:
    """One call of `Batch.step`, after a first one."""
    return events_of(watched(folder, "batch"), folder)


def contest_game(folder: Path) -> list[list[str]]:
    """From the beginning of a game, between a house bot and a file, until it is recorded and the next one begins."""
    (folder / "bots" / "idler").mkdir(parents=True)
    (folder / "bots" / "idler" / "idler.py").write_text(IDLER)
    (folder / "contest.toml").write_text(CONTEST)
    words = ("contest", "run", "contest.toml", "--quiet", "--no-report")
    return period(events_of(watched(folder, "command", *words), folder), "commit")


def room_frame(folder: Path) -> list[list[str]]:
    """From an answer that can be read, over the tick it counts in and the board that goes out, to the next answer."""
    (folder / "bot.py").write_text(ROOM_BOT)
    words = ("room", "snakebattle", "--bots", "house:greedy", "--player", "me:7", "--port", "0", "--tick-ms", "150")
    room = watched(folder, "command", *words)
    assert room.stdout is not None
    address = next(word for line in room.stdout if line.startswith("me: ") for word in line.split() if "://" in word)
    subprocess.run([sys.executable, "bot.py", address], cwd=folder, check=True, timeout=LIMIT_S)
    room.send_signal(signal.SIGINT)
    return usual(events_of(room, folder), "read")


WAYS: dict[str, Callable[[Path], list[list[str]]]] = {
    "a TCP tick": tcp_tick,
    "a batch step": batch_step,
    "a contest game": contest_game,
    "a room's frame": room_frame,
}


def usual(events: list[list[str]], mark: str) -> list[list[str]]:
    """What lies between two marks of a kind, as it does most often: now and then a clock of ours beats in between."""
    return most_alike(stretches(events, mark))


def period(events: list[list[str]], mark: str) -> list[list[str]]:
    """From the beginning of a long stretch between two marks to the beginning of the next long one, as most often."""
    parts = stretches(events, mark)
    usual_length = sorted(map(len, parts))[-GAMES // 2]  # the first game's is far longer where rules are still compiled
    periods = list[list[list[str]]]()
    for part in parts:
        if 2 * len(part) > usual_length:
            periods.append([])
        if periods:
            periods[-1] += part
    assert len(periods) > 2, f"too few times {mark} was seen"
    return most_alike(periods[1:-1])  # the first one prepares more, and the last one clears up


def stretches(events: list[list[str]], mark: str) -> list[list[list[str]]]:
    marks = [at for at, (kind, *_) in enumerate(events) if kind == mark]
    assert len(marks) > 1, f"too few times {mark} was seen"
    return [events[first:last] for first, last in pairwise(marks)]


def most_alike(parts: list[list[list[str]]]) -> list[list[str]]:
    """One of those parts that pass the modules most parts pass; of several such lists of modules, the shortest."""
    ways = [frozenset(way_of(part).modules) for part in parts]
    alike = Counter(modules for modules in ways if modules)
    chosen = max(alike, key=lambda modules: (alike[modules], -len(modules)))
    return parts[ways.index(chosen)]


# What was seen


@dataclass
class Way:
    """A way as it was gone."""

    calls: Counter[tuple[str, str]]  # module and function, in the order of the first visit; 0 if it only went on
    folders: list[str]  # of who called and who was called, none twice in a row

    @property
    def modules(self) -> list[str]:
        return list(dict.fromkeys(module for module, _ in self.calls))

    def functions(self, module: str) -> dict[str, int]:
        return {name: count for (where, name), count in self.calls.items() if where == module}

    @property
    def first_visits(self) -> list[str]:
        """The folders in the order in which their modules were met first."""
        return squeezed(map(folder_of, self.modules))


def way_of(events: list[list[str]]) -> Way:
    """Coroutines that are gone on with only to go on with another are not on the way."""
    calls, stack, folders = Counter[tuple[str, str]](), list[tuple[str, str]](), list[str]()
    for (kind, module, function), (then, *_) in pairwise([*events, ["", "", ""]]):
        if kind == "return":
            del stack[-1:]
        elif kind in ("call", "resume"):
            if kind == "call":
                for caller in stack[-1:]:
                    calls[caller] += 0
                    folders.append(folder_of(caller[0]))
            stack.append((module, function))
            if kind == "call" or then != "resume":
                calls[module, function] += kind == "call"
                folders.append(folder_of(module))
    return Way(calls, squeezed(folders))


def folder_of(module: str) -> str:
    return module.partition("/")[0]


def squeezed(names: Any) -> list[str]:
    found: list[str] = []
    for name in names:
        if not found or found[-1] != name:
            found.append(name)
    return found


def house() -> list[str]:
    """The folders from top to bottom, as the map in ARCHITECTURE.md has them."""
    return re.findall(r"^ {6}(\w+)/ ", (ROOT / "ARCHITECTURE.md").read_text(), re.M)


def descents(folders: list[str]) -> int:
    """How often a way goes from a folder to one that stands above it, on which it is built, having come the other way
    before."""
    order = house()
    places = [order.index(name) for name in folders if name in order]
    towards = [after < before for before, after in pairwise(places) if after != before]
    return sum(1 for at, down in enumerate(towards) if down and (at == 0 or not towards[at - 1]))


def figures(way: Way) -> dict[str, Any]:
    return {
        "modules": len(way.modules),
        "functions": len(way.calls),
        "calls": way.calls.total(),
        "descents": descents(way.folders),
        "descents_of_first_visits": descents(way.first_visits),
        "folders": way.first_visits,
        "way": [
            {
                "module": module,
                "functions": {name: count for (where, name), count in way.calls.items() if where == module},
            }
            for module in way.modules
        ],
    }


def lines(name: str, found: dict[str, Any]) -> Iterator[str]:
    counts = f"{found['modules']} modules, {found['functions']} functions, {found['calls']} calls"
    yield f"{name}: {counts}; goes down {found['descents']} times ({found['descents_of_first_visits']} by first visits)"
    yield f"  {' → '.join(found['folders'])}"
    for step in found["way"]:
        yield f"  {step['module']}"
        for function, count in step["functions"].items():
            yield f"    {function}" + (f" × {count}" if count > 1 else "" if count else " (goes on)")


def main() -> None:
    if sys.argv[1:2] == ["--record"]:
        record(sys.argv[2], Path(sys.argv[3]), sys.argv[4:])
        return
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("ways", nargs="*", help=f"some of: {', '.join(WAYS)}; all by default", metavar="WAY")
    words.add_argument("--json", action="store_true", help="for programs")
    chosen = words.parse_args()
    warm()
    walked = {}
    for name in chosen.ways or WAYS:
        with tempfile.TemporaryDirectory(prefix="walk-") as folder:
            os.chmod(folder, 0o755)  # noqa: PTH101 - for bots of another user
            walked[name] = figures(way_of(WAYS[name](Path(folder))))
    if chosen.json:
        print(json.dumps(walked, indent=1))
        return
    for name, found in walked.items():
        print("\n".join(lines(name, found)))


if __name__ == "__main__":
    main()
