"""`botyard room` runs a live room on this machine, to which bots connect as they please."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botyard.cli.console import note, out, print_json, print_table, say
from botyard.cli.options import Assignments, Game, Json, Preset, Quiet, SettingsFile, complete_bot, read_settings
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.match.lobby import Lobby
    from botyard.match.room import Room
    from botyard.match.room_field import Member

PORT = 8080
PATIENCE_MS = 10 * 60 * 1000  # how long a seat is kept for a player whose bot has gone
ANYWHERE = ("0.0.0.0", "::")


@dataclass(frozen=True)
class Invited:
    """A player who was named on the command line."""

    room: Room
    member: Member


def room(
    game: Game,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            metavar="house:NAME",
            help="House bots that play in every room; repeat the option, or separate them by commas.",
            autocompletion=complete_bot,
        ),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="NAME[:CODE]",
            help="A player to register now; repeat it. With a code of your own (digits) the address is the same every "
            "time. Others register on the page.",
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Where to listen; 0.0.0.0 lets others in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0: any free one.")] = PORT,
    tick_ms: Annotated[int | None, typer.Option(min=1, help="Time between two boards; 1000 by default.")] = None,
    rooms: Annotated[int, typer.Option(min=1, max=1000, help="Number of rooms, each with its own fields.")] = 1,
    preset: Preset = None,
    assignments: Assignments = None,
    file: SettingsFile = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run a live room: bots connect, play, leave and come back; the clock waits for nobody.

    Example: botyard room GAME --bots house:BOT --bots house:BOT --player me

    Every player gets an address. Give it to a bot written for the original server: it plays unchanged. Open it in a
    browser to watch. Ctrl-C ends the room and shows the points.
    """
    values = read_settings(assignments or [], file)
    lobby = open_lobby(game, preset, values, rooms, tick_ms)
    seat_house_bots(lobby, bots or [])
    invited = [invite(lobby, player) for player in players or []]
    if not players and not as_json:
        invited = [invite(lobby, "player1")]
    asyncio.run(run(lobby, invited, host, port, quiet, as_json))
    if not quiet and not as_json:
        show_points(lobby)


def open_lobby(game: str, preset: str | None, values: dict[str, Any], count: int, tick_ms: int | None = None) -> Lobby:
    from botyard.games import load
    from botyard.match.lobby import Lobby
    from botyard.match.room import Room

    book = load(game)
    settings = book.settings.read(values, preset)
    lobby = Lobby()
    for number in range(1, count + 1):
        lobby.open(Room(game if number == 1 else f"{game}-{number}", book, settings, PATIENCE_MS, tick_ms))
    return lobby


def seat_house_bots(lobby: Lobby, specs: list[str]) -> None:
    """Seats the same house bots in every room."""
    from botyard.links.bot_spec import house_name
    from botyard.match.clock import LoopClock
    from botyard.match.in_process import HousePlayer

    wanted = [spec for given in specs for spec in given.split(",")]
    for each in lobby.rooms.values():
        for at, spec in enumerate(wanted):
            name = house_name(spec)
            if name is None:
                raise YardError(
                    f"{spec!r} cannot be seated by the room",
                    hint="use house:NAME; start other bots yourself with their address",
                )
            each.book.bot_number(name)
            again = wanted[:at].count(spec)
            bot = HousePlayer(each.book, each.settings, name, LoopClock())
            lobby.register(each, f"{name} {again + 1}" if again else name, bot=bot)


def invite(lobby: Lobby, spec: str) -> Invited:
    """Registers a player in the first room. A player with a code of its own has its name as user id, if possible."""
    name, _, code = spec.partition(":")
    user = name if code and re.fullmatch(r"\w+", name, re.ASCII) else ""
    first = next(iter(lobby.rooms.values()))
    return Invited(first, lobby.register(first, name, user, code))


async def run(lobby: Lobby, invited: list[Invited], host: str, port: int, quiet: bool, as_json: bool) -> None:
    from botyard.links.codenjoy.app import room_server
    from botyard.links.web.garbage import collect_rarely
    from botyard.links.web.server import listen, raise_file_limit, serving

    raise_file_limit()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    door = listen(host, port)
    shown = socket.gethostname() if host in ANYWHERE else host
    async with serving(room_server(lobby), door):
        collect_rarely()
        async with lobby.running():
            announce(lobby, invited, shown, door.getsockname()[1], quiet, as_json)
            await ended.wait()


def announce(lobby: Lobby, invited: list[Invited], host: str, port: int, quiet: bool, as_json: bool) -> None:
    from botyard.links.codenjoy.addresses import CONTEXT, board_address

    name = f"[{host}]" if ":" in host else host
    register = f"http://{name}:{port}{CONTEXT}/register"
    addresses = {one.member.name: board_address(host, port, one.member.user, one.member.code) for one in invited}
    if as_json:
        print_json({"rooms": list(lobby.rooms), "register": register, "players": addresses})
    else:
        for player, address in addresses.items():
            say("{player}: {address}", player=player, address=address)
    out.file.flush()  # a program that reads the addresses from a pipe waits for them
    if not quiet and not as_json:
        note("others register at {register}; Ctrl-C ends the room", register=register)


def show_points(lobby: Lobby) -> None:
    from botyard.links.codenjoy.rest import leaders

    for each in lobby.rooms.values():
        rows = [[place, row["name"], row["score"]] for place, row in enumerate(leaders(each.members), 1)]
        if rows:
            print_table([">place", "name", ">points"], rows, each.name)
