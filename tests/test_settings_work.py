"""Every setting of every game does something: with another value something else comes out, somewhere one can see it.

Nothing here looks at the source. What a user could observe of a game under some settings is collected, from its records
to the files it leaves; for each setting two values must differ in it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import Field, fields
from functools import cache
from typing import Any

import pytest

from botyard.cli.host import is_failure, memory_warnings, pace_of
from botyard.games import GAMES, load
from botyard.games.game import Game
from botyard.jail.limits import Level
from botyard.kernel.errors import YardError
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.samples import BotEvent
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Verdict
from botyard.links.bot_spec import Seating, read_bot_spec
from botyard.links.cage_policy import CagePolicy
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.match.loop import Played, play_game
from botyard.match.original_files import follow, open_writer
from botyard.match.replay import Replay
from botyard.match.series import following_seed
from botyard.match.turns import SeatRecord, Turn
from botyard.match.wire_player import WirePlayer
from botyard.rank.formats import FORMATS
from tests.match.stage import ScriptedLink, without_waiting
from tests.waiting import finished

SEED = 7  # under which the last of three snakes that go straight on has not the lowest number
TICKS = 250


def other_value(game: str, row: Field[Any]) -> Any:
    """A value that is not the default."""
    limits, usual = row.metadata, row.default
    if limits["choices"]:
        return next(choice for choice in limits["choices"] if choice != usual)
    if isinstance(usual, bool):
        return not usual
    if isinstance(usual, int):
        return usual + 1
    return load(game).samples.other_texts[row.name]


# What one can see of a game


def records(book: Rulebook, settings: Settings) -> Any:
    """The layout of its records, and the arena."""
    kinds = book.layouts(settings)
    return repr(kinds), book.layout.make_arena(settings).tobytes()


def the_host(book: Rulebook, settings: Settings) -> Any:
    """What is done around a game."""
    played = Played(None, ("a", "b"), (0, 1), Replay(book.facts.name, 1, {}, 0, ("a", "b"), (0, 1)))
    played.seats = (SeatRecord("a", peak_mb=200_001 / 1024), SeatRecord("b"))
    played.turns = [Turn(3, 0, Verdict.CRASHED, "", 1.0, 10, "", "", "", "", 0, 0)]
    formats = [book.contest.format_defaults(kind, settings) for kind in FORMATS]
    return (
        pace_of(settings, None), memory_warnings(settings, played), is_failure(settings, played), formats,
        settings.habits, settings.with_fixed_seats() == settings, book.files.match_files(settings),
    )  # fmt: skip


def the_talk(book: Rulebook, settings: Settings) -> Any:
    """What is said to a bot that answers in many ways, and what becomes of its answers."""
    if book.facts.link == "process-per-move":
        return [told_by_process(book, settings, answer) for answer in book.samples.answers]

    async def main() -> list[Any]:
        link = ScriptedLink([*book.samples.introduction], *map(list, book.samples.answers))
        session: Any = book.wire.open_session(settings, 0)
        session.game_number = 2
        player = WirePlayer("bot", session, link, LoopClock())
        said: list[Any] = [await player.start(), link.limit]
        clock = LoopClock()
        for _ in book.samples.answers or ((),):  # a bot that says nothing shows some settings, too
            began = clock.now()
            answer = await player.ask(view_of(book.facts.name))
            took = round(clock.now() - began, 3)
            said.append((answer.result, answer.sent, answer.limit_ms, answer.early, answer.hang_ms, took))
        await player.finish(None)
        await player.stop()
        return [*said, link.sent, getattr(session, "waits", None)]

    return without_waiting(main())


def told_by_process(book: Rulebook, settings: Settings, answer: Sequence[BotEvent]) -> Any:
    """What becomes of one answer of a program that is started for every move."""
    session: Any = book.wire.open_session(settings, 0)
    session.ask(view_of(book.facts.name))
    received = [session.receive(part) for part in answer if isinstance(part, bytes)]
    return session.move_ms, received, session.ended()


@cache
def view_of(game: str) -> Any:
    return Game(load(game), load(game).settings(), 5).view(0)


def the_door(book: Rulebook, settings: Settings) -> Any:
    """Where a bot that connects by itself is waited for."""
    heard: list[tuple[str, int]] = []

    class Watched(Seating):
        def tcp_entrance(self, host: str, port: int) -> Any:
            heard.append((host, port))
            raise YardError("enough")

        websocket_port = tcp_entrance

    assert {"tcp_entrance", "websocket_port"} <= set(vars(Seating)), "else real ports would be opened"
    with contextlib.suppress(YardError):
        read_bot_spec("listen", book).seat_player(Watched(book, settings, LoopClock()), 0)
    return heard


def a_failing_program(book: Rulebook, settings: Settings) -> Any:
    """What becomes of a match whose bot is `false`."""
    if book.facts.link != "process-per-move":
        return None

    async def main() -> tuple[int, ...]:
        entry, table = read_bot_spec("cmd:false", book, CagePolicy(Level.OPEN)), Seating(book, settings, LoopClock())
        players = [
            entry.seat_player(table, 0),
            HousePlayer(book, settings, next(iter(book.bots.HOUSE_BOTS)), table.clock),
        ]
        played = await play_game(Game(book, settings, SEED), players, enough=bool)
        return played.culprits

    return finished(main())


def the_files(book: Rulebook, settings: Settings) -> Any:
    """Everything that can be exported of a game in which nobody ever answers, and the seed of the next one."""
    game = Game(book, settings, SEED)
    replay = Replay.begin(game, tuple("abcdefghijklmno"[: game.seats]))
    while not game.over and len(replay.ticks) < TICKS:
        orders = dict.fromkeys(game.asked, NO_ORDER)
        replay.add_orders(orders)
        game.step_orders(orders)
    more = {row.name: getattr(settings, row.name) for row in fields(settings)}
    texts = [follow(open_writer(book, suffix, replay.names), replay, None, more) for suffix in book.files.EXPORTS]
    return texts, following_seed(game)


LOOKS = (records, the_host, the_talk, the_door, a_failing_program, the_files)


def seen(look: Callable[[Rulebook, Settings], Any], book: Rulebook, values: dict[str, Any]) -> Any:
    """What one sees, or why it is refused."""
    try:
        return look(book, book.settings.read(values))
    except YardError as error:
        return str(error)


PAIRS = [(game, row) for game in GAMES for row in fields(load(game).settings)]


@pytest.mark.parametrize(("game", "row"), PAIRS, ids=[f"{game}-{row.name}" for game, row in PAIRS])
def test_another_value_makes_a_difference(game: str, row: Field[Any]) -> None:
    book = load(game)
    company = book.samples.company.get(row.name, {})
    one = {**company, row.name: company.get(row.name, row.default)}
    other = {**company, row.name: other_value(game, row)}
    for look in LOOKS:
        if seen(look, book, one) != seen(look, book, other):
            return
    pytest.fail(f"{game} is the same with {row.name} = {other[row.name]!r}")


def test_the_same_values_make_none(game: str) -> None:
    for look in LOOKS:
        assert seen(look, load(game), {}) == seen(look, load(game), {})
