"""Who plays: a BOT of the command line as something that can fill a seat.

house:NAME            a bot of ours
py:FILE[:FUNCTION]    a Python function, in an interpreter of its own
cmd:COMMAND LINE      a program, started the game's native way
dir:FOLDER            a folder that is built with make and started the game's native way
listen[:[HOST:]PORT]  a bot that connects by itself
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from botyard.kernel.errors import UnknownName, YardError
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.program import Program
from botyard.links.python import PythonPlayer
from botyard.links.tcp import LOOPBACK, Doorway, TcpLink
from botyard.match.clock import Clock
from botyard.match.direct import HousePlayer
from botyard.match.player import Player
from botyard.match.wired import WiredPlayer

KINDS = ("house", "py", "cmd", "dir", "listen")
BUILD_S = 300.0
BUILD_WORDS = 2000  # characters of a failed build that are passed on


@dataclass(frozen=True, slots=True)
class Table:
    """What all entries of a game share: its rules, the clock, and the ports they listen on."""

    book: Rulebook
    settings: Settings
    clock: Clock
    notice: Callable[[str], None] = lambda text: None
    doorways: dict[tuple[str, int], Doorway] = field(default_factory=dict)

    @property
    def move_ms(self) -> int:
        return self.book.wire.open_session(self.settings, 0).move_ms

    def doorway(self, host: str, port: int) -> Doorway:
        """Bots that name the same port come through the same door."""
        if port == 0:
            return Doorway(host)
        if (host, port) not in self.doorways:
            self.doorways[host, port] = Doorway(host, port)
        return self.doorways[host, port]


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot as it was named. `house` is its name if it is one of ours."""

    label: str
    seat_player: Callable[[Table, int], Player]
    house: str | None = None
    folder: Path | None = None  # to be built before the first game

    async def build(self) -> Fault | None:
        return await build_folder(self.folder) if self.folder else None


def read_entry(spec: str, book: Rulebook) -> Entry:
    """A BOT as named on the command line; every mistake that can be seen now is an error now."""
    kind, _, rest = spec.partition(":")
    if kind not in KINDS:
        raise UnknownName("kind of bot", kind, [f"{known}:…" for known in KINDS])
    if kind != "listen" and not rest:
        raise YardError(f"{spec!r} names no bot", hint=f"write {kind}:{WANTED[kind]}")
    return READERS[kind](rest, book)


def read_house(name: str, book: Rulebook) -> Entry:
    book.bot_number(name)
    return Entry(name, lambda table, entrant: HousePlayer(table.book, table.settings, name, table.clock), house=name)


def read_python(rest: str, book: Rulebook) -> Entry:
    path, _, function = rest.rpartition(":") if ":" in rest and not Path(rest).exists() else (rest, "", "")
    file = Path(path)
    if not file.is_file():
        raise YardError(f"no file {path!r}", hint="py:FILE or py:FILE:FUNCTION")
    return Entry(
        file.stem,
        lambda table, entrant: PythonPlayer(file, function, table.book, table.settings, table.move_ms, table.clock),
    )


def read_command(line: str, book: Rulebook) -> Entry:
    try:
        command = shlex.split(line)
    except ValueError as error:
        raise YardError(f"the command line {line!r} cannot be read", hint=str(error)) from None
    return native(book, Path(command[0]).name, command, Path.cwd())


def read_folder(path: str, book: Rulebook) -> Entry:
    folder = Path(path).resolve()
    if not folder.is_dir():
        raise YardError(f"no folder {path!r}", hint="dir:FOLDER, with a Makefile that builds ./agent")
    return native(book, folder.name, ["./agent"], folder, builds=True)


def read_listen(rest: str, book: Rulebook) -> Entry:
    host, _, port_text = rest.rpartition(":")
    if port_text and not port_text.isdigit():
        raise YardError(f"no port {port_text!r}", hint="listen, listen:PORT or listen:HOST:PORT")
    need_tcp(book)

    def seat_player(table: Table, entrant: int) -> Player:
        port = int(port_text) if port_text else int(table.settings.of_group("match").get("port", 0))
        doorway = table.doorway(host or LOOPBACK, port)
        table.notice(f"bot {entrant + 1}: waiting for a connection to {doorway.host} port {doorway.port}")
        return wired(table, entrant, f"bot {entrant + 1}", TcpLink(doorway))

    return Entry("listen", seat_player)


def native(book: Rulebook, name: str, command: Sequence[str], folder: Path, builds: bool = False) -> Entry:
    """A program that is started as the original contest starts it, in its folder, and then connects to us."""
    need_tcp(book)

    def seat_player(table: Table, entrant: int) -> Player:
        doorway = table.doorway(LOOPBACK, 0)
        whole = [*command, *table.book.wire.arguments(doorway.host, doorway.port, entrant)]
        return wired(table, entrant, name, TcpLink(doorway, whole, folder))

    return Entry(name, seat_player, folder=folder if builds else None)


def need_tcp(book: Rulebook) -> None:
    if book.facts.link != "tcp":
        raise YardError(f"programs cannot play {book.facts.name} yet", hint="use house: or py: bots")


def wired(table: Table, entrant: int, name: str, link: TcpLink) -> Player:
    return WiredPlayer(name, table.book.wire.open_session(table.settings, entrant), link, table.clock)


async def build_folder(folder: Path) -> Fault | None:
    """Runs make where there is a makefile; afterwards an executable `agent` must be there."""
    if any((folder / name).exists() for name in ("Makefile", "makefile", "GNUmakefile")):
        started = await Program.start(["make"], folder)
        if isinstance(started, Fault):
            return started
        try:
            async with asyncio.timeout(BUILD_S):
                failed = await started.ended()
        except TimeoutError:
            return Fault(Verdict.UNBUILT, f"make took longer than {BUILD_S:g} s")
        finally:
            await started.stop()
        if failed:
            return Fault(Verdict.UNBUILT, f"make failed ({started.ending()}):\n{started.said()[-BUILD_WORDS:]}")
    if not (folder / "agent").is_file():
        return Fault(Verdict.UNBUILT, f"no executable `agent` in {folder} after make")
    return None


WANTED = {"house": "NAME", "py": "FILE", "cmd": "'COMMAND LINE'", "dir": "FOLDER"}
READERS: dict[str, Callable[[str, Rulebook], Entry]] = {
    "house": read_house,
    "py": read_python,
    "cmd": read_command,
    "dir": read_folder,
    "listen": read_listen,
}
