"""Who plays: a BOT of the command line as something that can fill a seat.

house:NAME            a bot of ours
py:FILE[:FUNCTION]    a Python function, in an interpreter of its own
cmd:COMMAND LINE      a program, started the game's native way
dir:BOT               a file, folder or archive with a bot in any language: built, then started the game's native way
dir:ROOT//BOT         the same for a folder that reaches into what lies around it, as in ../src
json:COMMAND LINE     a program that speaks Botyard's own protocol on its standard input and output (docs/protocol.md)
listen[:[HOST:]PORT]  a bot that connects by itself
json:listen[:[HOST:]PORT]  one that speaks Botyard's own protocol, over a WebSocket
human[:NAME]          a person at the screen, where there is one
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from botyard.jail.launch import Launch
from botyard.jail.manifest import Manifest, manifest_of
from botyard.jail.printed import Overhear, nobody_listens
from botyard.kernel.errors import OurFault, UnfitBot, UnknownName, YardError, quoted
from botyard.kernel.plain import clean
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.session import MoveSession
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.cage_policy import HERE, Bot, CagePolicy, CommandBot, FolderBot, FunctionBot
from botyard.links.human import HumanPlayer, HumanSeat
from botyard.links.json_protocol import JsonSession
from botyard.links.per_move import PerMovePlayer, starter_of
from botyard.links.process import ProcessLink
from botyard.links.python import COMMAND, PythonPlayer
from botyard.links.tcp import LOOPBACK, StartedTcpLink, TcpEntrance, TcpLink
from botyard.links.visitors import Visitor
from botyard.match.blame import is_ours, mishandled
from botyard.match.checkup import Protocol
from botyard.match.clock import Clock
from botyard.match.in_process import HousePlayer
from botyard.match.link import Link
from botyard.match.player import Player
from botyard.match.wire_player import WirePlayer

if TYPE_CHECKING:
    from botyard.links.websocket.entrance import WebSocketPort

KINDS = ("house", "py", "cmd", "dir", "json", "listen")
HUMAN = "human"  # no kind of bot: a person plays only where somebody asks them
NAME_LETTERS = 40  # of a person's name


@dataclass(frozen=True, slots=True)
class Seating:
    """What all entries of a game share: its rules, the clock, and the ports they listen on."""

    book: Rulebook
    settings: Settings
    clock: Clock
    notice: Callable[[str], None] = lambda text: None
    game_number: int = 1  # of the match, counted from 1
    tcp_entrances: dict[tuple[str, int], TcpEntrance] = field(default_factory=dict)
    websocket_ports: dict[tuple[str, int], WebSocketPort] = field(default_factory=dict)
    visitors: list[Visitor] = field(default_factory=list)  # bots that connect by themselves
    announce: Callable[[str], None] | None = None  # hears where they are waited for; `notice` does otherwise
    patience: str = ""  # how long they are waited for, in words
    people: dict[int, HumanSeat] = field(default_factory=dict)  # by entrant; whoever seats them asks them
    waits_for_people: bool = False  # whether a person has all the time there is

    def invite(self, entrant: int, link: TcpLink, address: str) -> str:
        """One more bot that connects by itself: says where it is waited for, and what it is called meanwhile."""
        name = f"bot {entrant + 1}"
        self.visitors.append(Visitor(name, link))
        patience = f" {self.patience}" if self.patience else ""
        (self.announce or self.notice)(f"{name}: waiting{patience} {address}")
        return name

    def tcp_entrance(self, host: str, port: int) -> TcpEntrance:
        """Bots that name the same port come through the same door."""
        if port == 0:
            return TcpEntrance.at(host)
        if (host, port) not in self.tcp_entrances:
            self.tcp_entrances[host, port] = TcpEntrance.at(host, port)
        return self.tcp_entrances[host, port]

    def websocket_port(self, host: str, port: int) -> WebSocketPort:
        """The same for bots that come over WebSockets."""
        from botyard.links.websocket.entrance import WebSocketPort

        if port == 0:
            return WebSocketPort.at(host)
        if (host, port) not in self.websocket_ports:
            self.websocket_ports[host, port] = WebSocketPort.at(host, port)
        return self.websocket_ports[host, port]


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot as it was named. `house` is its name if it is one of ours."""

    label: str
    seat_player: Callable[[Seating, int], Player]
    house: str | None = None
    bot: Bot | None = None  # to be built before the first game
    comes_by_itself: bool = False
    is_person: bool = False
    language: str = ""  # empty if it is not known
    protocol: Protocol = "native"

    async def build(self, overhear: Overhear = nobody_listens) -> Fault | None:
        """Why it cannot play, if it cannot. What fails because of the bot is the bot's; what is ours is raised."""
        try:
            fault = await self.bot.build(overhear) if self.bot else None
        except Exception as error:
            if is_ours(error):
                raise OurFault(str(error)) from error
            return mishandled(error, "its files", Verdict.UNBUILT)
        if fault is not None and fault.verdict is Verdict.HOUSE:
            raise OurFault(fault.reason)
        return fault


def house_name(spec: str) -> str | None:
    """The name of the house bot that a BOT means, if it means one."""
    kind, _, name = spec.partition(":")
    return name if kind == "house" else None


def read_bot_spec(spec: str, book: Rulebook, policy: CagePolicy | None = None, folder: Path = HERE) -> BotSpec:
    """A BOT as named on the command line, its paths starting at a folder; every mistake that can be seen now is an
    error now."""
    kind, _, rest = spec.partition(":")
    if kind == HUMAN:
        raise YardError(f"{quoted(spec)} is a person, whom nobody could ask here", hint="people play in `botyard play`")
    if kind not in KINDS:
        raise UnknownName("kind of bot", kind, [f"{known}:…" for known in KINDS])
    if kind != "listen" and not rest:
        raise YardError(f"{spec!r} names no bot", hint=f"write {kind}:{WANTED[kind]}")
    try:
        return READERS[kind](rest, book, policy or CagePolicy(), folder)
    except (OSError, ValueError) as error:  # a name too long, a zero byte, a folder nobody may enter
        if isinstance(error, YardError) or is_ours(error):
            raise
        raise YardError(f"{quoted(spec)} cannot be read", hint=str(error)) from None


def read_player_spec(spec: str, book: Rulebook, policy: CagePolicy | None = None) -> BotSpec:
    """The same for a match at somebody's screen, where `human` is a person."""
    kind, _, rest = spec.partition(":")
    return read_person(rest, book) if kind == HUMAN else read_bot_spec(spec, book, policy)


def read_person(name: str, book: Rulebook) -> BotSpec:
    shown = clean(name).strip()
    if len(shown) > NAME_LETTERS:
        raise YardError(
            f"the name {quoted(name)} is too long", hint=f"a person's name has {NAME_LETTERS} letters or less"
        )

    def seat_player(seating: Seating, entrant: int) -> Player:
        seat = seating.people[entrant] = HumanSeat(shown or HUMAN, book.facts.orders)
        return HumanPlayer(
            seat, seating.book, seating.settings, entrant, seating.clock, patient=seating.waits_for_people
        )

    return BotSpec(shown or HUMAN, seat_player, is_person=True)


def read_house(name: str, book: Rulebook, policy: CagePolicy, folder: Path) -> BotSpec:
    book.bot_number(name)
    return BotSpec(
        name, lambda seating, entrant: HousePlayer(seating.book, seating.settings, name, seating.clock), house=name
    )


def read_python(rest: str, book: Rulebook, policy: CagePolicy, folder: Path) -> BotSpec:
    path, _, function = rest.rpartition(":") if ":" in rest and not (folder / rest).exists() else (rest, "", "")
    file = folder / path
    if not file.is_file():
        raise YardError(f"there is no file {path!r}", hint="write py:FILE or py:FILE:FUNCTION")
    bot = FunctionBot(file, COMMAND, policy)

    def seat_player(seating: Seating, entrant: int) -> Player:
        return PythonPlayer(bot, function, seating.book, seating.settings, entrant, seating.clock)

    return BotSpec(file.stem, seat_player, bot=bot, protocol="function")


def read_command(line: str, book: Rulebook, policy: CagePolicy, folder: Path) -> BotSpec:
    bot = CommandBot(split_command(line), policy, folder)
    return native_bot(book, bot.name, bot, policy)


def read_json(line: str, book: Rulebook, policy: CagePolicy, folder: Path) -> BotSpec:
    word, _, place = line.partition(":")
    if word == "listen":
        host, port = read_place(place)
        return BotSpec(
            "listen",
            lambda seating, entrant: json_visitor(seating, entrant, host or LOOPBACK, port or 0),
            comes_by_itself=True,
            protocol="json",
        )
    bot = CommandBot(split_command(line), policy, folder)
    return json_bot(bot.name, bot, policy)


def split_command(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise YardError(f"the command line {line!r} cannot be read", hint=str(error)) from None


def read_folder(path: str, book: Rulebook, policy: CagePolicy, folder: Path) -> BotSpec:
    """A bot, or ROOT//BOT where the bot reaches into what lies around it: then all of the root is its own."""
    root, _, inside = path.partition("//")
    around = folder / root if inside else None
    manifest = manifest_of(within_root(folder, root, inside) if inside else folder / path, around)
    return folder_spec(manifest, book, policy, path)


def folder_spec(manifest: Manifest, book: Rulebook, policy: CagePolicy, path: str) -> BotSpec:
    """A bot whose manifest is read; an error names it by its path."""
    if manifest.game and manifest.game != book.facts.name:
        raise UnfitBot(
            f"{path} says it plays {manifest.game}, not {book.facts.name}",
            hint="change the line game = … in its botyard.toml",
        )
    bot, name = FolderBot(manifest, policy), manifest.name
    spec = json_bot(name, bot, policy) if manifest.protocol == "json" else native_bot(book, name, bot, policy)
    return replace(spec, language=manifest.language)


def within_root(folder: Path, root: str, inside: str) -> Path:
    bot = folder / root / inside
    if not root or not bot.resolve().is_relative_to((folder / root).resolve()):
        raise YardError(
            f"there is no bot {inside!r} in {root!r}", hint="write dir:ROOT//BOT, where BOT is a folder in ROOT"
        )
    return bot


def read_listen(rest: str, book: Rulebook, policy: CagePolicy, folder: Path) -> BotSpec:
    named, given = read_place(rest)
    need_connection(book)

    def seat_player(seating: Seating, entrant: int) -> Player:
        habits = seating.settings.habits
        host, port = named or habits.host, habits.port if given is None else given
        if book.facts.link == "websocket":
            return websocket_visitor(seating, entrant, host, port)
        entrance = seating.tcp_entrance(host, port)
        link = TcpLink(entrance)
        name = seating.invite(entrant, link, f"for a connection to {entrance.host} port {entrance.port}")
        return wire_player(seating, entrant, name, link)

    return BotSpec("listen", seat_player, comes_by_itself=True)


def read_place(text: str) -> tuple[str, int | None]:
    """Where to listen: host and port, as far as they are named."""
    host, _, port_text = text.rpartition(":")
    if port_text and not (port_text.isascii() and port_text.isdigit() and int(port_text) < 1 << 16):
        raise YardError(f"{port_text!r} is not a port", hint="write listen, listen:PORT or listen:HOST:PORT")
    return host, int(port_text) if port_text else None


def native_bot(book: Rulebook, name: str, bot: Bot, policy: CagePolicy) -> BotSpec:
    """A program that is started and spoken to as the original contest does."""
    if book.facts.link == "process-per-move":
        return BotSpec(name, lambda seating, entrant: per_move(seating, entrant, name, bot), bot=bot)
    if book.facts.link not in LINKS:
        raise YardError(f"programs cannot play {book.facts.name} yet", hint="use house: or py: bots")
    link = LINKS[book.facts.link]

    def seat_player(seating: Seating, entrant: int) -> Player:
        return wire_player(seating, entrant, name, link(seating, entrant, bot), policy.freeze)

    return BotSpec(name, seat_player, bot=bot)


def json_bot(name: str, bot: Bot, policy: CagePolicy) -> BotSpec:
    """A program that speaks Botyard's own protocol, whatever the game."""

    def seat_player(seating: Seating, entrant: int) -> Player:
        session = JsonSession(seating.book, seating.settings, entrant)
        return WirePlayer(name, session, ProcessLink(bot.launch()), seating.clock, policy.freeze)

    return BotSpec(name, seat_player, bot=bot, protocol="json")


def per_move(seating: Seating, entrant: int, name: str, bot: Bot) -> Player:
    session = seating.book.wire.open_session(seating.settings, entrant)
    assert isinstance(session, MoveSession), "every game of this link has such sessions"
    return PerMovePlayer(name, session, starter_of(bot.launch, seating.notice), seating.clock)


def over_tcp(seating: Seating, entrant: int, bot: Bot) -> Link:
    def launch(host: str, port: int) -> Launch:
        return bot.launch(*seating.book.wire.arguments(host, port, entrant), port=port)

    return StartedTcpLink(launch)


def over_pipes(seating: Seating, entrant: int, bot: Bot) -> Link:
    return ProcessLink(bot.launch())


def over_websocket(seating: Seating, entrant: int, bot: Bot) -> Link:
    from botyard.links.websocket.entrance import Invitation, WebSocketPort

    invitation = Invitation(lambda host, port: seating.book.wire.arguments(host, port, entrant))

    def launch(host: str, port: int) -> Launch:
        return bot.launch(*invitation.words(host, port), port=port)

    return StartedTcpLink(launch, lambda listening: WebSocketPort(listening).entrance(invitation))


def websocket_visitor(seating: Seating, entrant: int, host: str, port: int) -> Player:
    """A bot that opens its WebSocket by itself, at an address its author is told."""
    name, link = invited(
        seating, entrant, host, port, lambda host, port: seating.book.wire.arguments(host, port, entrant)
    )
    return wire_player(seating, entrant, name, link)


def json_visitor(seating: Seating, entrant: int, host: str, port: int) -> Player:
    """The same in Botyard's own protocol, whatever the game."""
    name, link = invited(seating, entrant, host, port, lambda host, port: [f"ws://{host}:{port}/yard/bot{entrant + 1}"])
    session = JsonSession(seating.book, seating.settings, entrant, framed=True)
    return WirePlayer(name, session, link, seating.clock)


def invited(
    seating: Seating, entrant: int, host: str, port: int, arguments: Callable[[str, int], list[str]]
) -> tuple[str, TcpLink]:
    """What a bot is called that is to open a WebSocket by itself, and the link to it."""
    from botyard.links.websocket.entrance import Invitation

    invitation = Invitation(arguments)
    entrance = seating.websocket_port(host, port).entrance(invitation)
    link = TcpLink(entrance)
    return seating.invite(entrant, link, f"at {invitation.words(entrance.host, entrance.port)[-1]}"), link


LINKS: dict[str, Callable[[Seating, int, Bot], Link]] = {
    "tcp": over_tcp,
    "process": over_pipes,
    "websocket": over_websocket,
}


def need_connection(book: Rulebook) -> None:
    if book.facts.link not in ("tcp", "websocket"):
        raise YardError(
            f"bots of {book.facts.name} cannot connect by themselves", hint="use house:, py:, cmd: or dir: bots"
        )


def wire_player(seating: Seating, entrant: int, name: str, link: Link, freeze: bool = False) -> Player:
    session = seating.book.wire.open_session(seating.settings, entrant)
    session.game_number = seating.game_number
    return WirePlayer(name, session, link, seating.clock, freeze)


WANTED = {"house": "NAME", "py": "FILE", "cmd": "'COMMAND LINE'", "dir": "BOT", "json": "'COMMAND LINE'"}
READERS: dict[str, Callable[[str, Rulebook, CagePolicy, Path], BotSpec]] = {
    "house": read_house,
    "py": read_python,
    "cmd": read_command,
    "dir": read_folder,
    "json": read_json,
    "listen": read_listen,
}
