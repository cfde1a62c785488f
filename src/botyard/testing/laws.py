"""Laws are what every game keeps. Each is a function of a rule book that raises an AssertionError if it is broken.

    @pytest.mark.parametrize("law", LAWS, ids=named)
    def test_the_game_keeps_a_law(law: Law) -> None:
        law(load("tictactoe"))

They look at a game from outside, as players, organisers and the rest of Botyard do, and know no game by name.
"""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from botyard.games.game import Game
from botyard.games.golden import playthrough
from botyard.games.picture import scene_of
from botyard.games.view import View
from botyard.kernel.contract import OPTIONAL_PARTS, PARTS
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.session import Session
from botyard.kernel.settings import Settings, describe
from botyard.kernel.verdict import Fault
from botyard.links.json_protocol import JsonSession
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.match.loop import play_game
from botyard.match.replay import Replay
from botyard.match.series import SeriesGame, play_house, seeds_from
from botyard.render.terminal import paint
from botyard.testing.picture_laws import PICTURE_LAWS
from botyard.testing.random_games import SEED, STRANGE_ORDERS, TICKS, Law, random_game, sample_settings

__all__ = ["LAWS", "LAWS_OF_ONE_FOLDER", "Law", "check_golden", "exported", "named", "strange_names"]

LONGEST = 5000  # ticks of a random game that is followed to its end


def named(law: Law) -> str:
    """Returns the name of a law, for the test that runs it."""
    return law.__name__


def exported(part: type) -> set[str]:
    """Returns the names that a protocol of the contract asks for."""
    return {name for name in {**vars(part), **part.__annotations__} if not name.startswith("_")}


# What a game declares


def every_part_exports_what_the_house_uses(book: Rulebook) -> None:
    optional = {name: part for name, part in OPTIONAL_PARTS.items() if book.has_part(name)}
    for name, part in {**PARTS, **optional}.items():
        missing = exported(part) - set(vars(book.part(name)))
        assert not missing, f"{book.package}.{name} lacks {', '.join(sorted(missing))}"


def facts_and_settings_are_filled_in(book: Rulebook) -> None:
    facts = book.facts
    assert facts.rules_version >= 1
    assert facts.orders, "a game has orders"
    assert len(set(facts.orders)) == len(facts.orders), "two orders have one name"
    assert 1 <= facts.seats_min <= facts.usual_seats <= facts.seats_max
    assert facts.summary.endswith("."), "the summary is a sentence"
    assert "document" in book.settings.PRESETS
    assert ("program" in book.settings.PRESETS) == book.has_part("files"), "both stand for an original"
    assert all(book.settings.read(preset=preset) for preset in book.settings.PRESETS)
    assert all(row.meaning for row in describe(book.settings)), "every setting has a meaning"
    assert book.bots.HOUSE_BOTS, "a game has a house bot, to play against"
    assert all(sentence.endswith(".") for sentence in book.bots.HOUSE_BOTS.values())


def the_page_tells_of_every_bot_and_every_field_of_a_view(book: Rulebook) -> None:
    page = (book.folder / "README.md").read_text()
    view = Game(book, sample_settings(book), SEED).view(0)
    for word in (book.facts.title, *book.bots.HOUSE_BOTS, *(row.name for row in fields(book.settings)), *view.fields):
        assert word in page, f"{book.folder / 'README.md'} does not mention {word}"


# How a game goes


def a_drawing_holds_everything_but_chance(book: Rulebook) -> None:
    for game in random_game(book):
        drawn = Game.drawn(book.facts.name, str(game), game.settings)
        assert str(drawn) == str(game)
        drawn.state.chance = game.state.chance
        assert drawn.state == game.state, f"a drawing does not tell all of a state:\n{game}"


def bytes_make_the_same_game(book: Rulebook) -> None:
    for game in random_game(book):
        assert Game.from_bytes(game.bytes()) == game
        assert game.copy() == game


def a_finished_game_does_not_change(book: Rulebook) -> None:
    game = finished_game(book)
    before = game.bytes()
    for order in (0, *STRANGE_ORDERS):
        game.step_orders(dict.fromkeys(range(game.seats), order))
        game.change("forfeit", 0)
        assert game.bytes() == before, f"order {order} changes a game that is over"
    assert game.asked == ()
    assert game.outcome is not None


def finished_game(book: Rulebook) -> Game:
    """Returns a game of random orders at its end."""
    *_, game = random_game(book, LONGEST)
    assert game.over, f"a random game is not over after {LONGEST} ticks; `golden` in its samples may make it shorter"
    return game


def every_integer_is_an_order(book: Rulebook) -> None:
    for order in STRANGE_ORDERS:
        game = Game(book, sample_settings(book), SEED)
        for _ in range(TICKS):
            game.step_orders(dict.fromkeys(range(game.seats), order))
            assert not game.fault, f"order {order} makes the rules fail"


def who_is_asked_has_an_order_to_give(book: Rulebook) -> None:
    for game in random_game(book):
        assert bool(game.asked) == (not game.over), "somebody is asked as long as the game goes on"
        assert all(game.orders(seat) for seat in game.asked)
        assert sorted(game.entrant(seat) for seat in range(game.seats)) == list(range(game.seats))


def no_view_tells_of_chance(book: Rulebook) -> None:
    """The record of chance decides what will happen, so a bot that saw it would know the future."""
    for game in random_game(book):
        other = game.copy()
        other.state.chance.word[:] ^= 0x5A5A5A5A
        for seat in game.asked:
            assert game.view(seat).array.tobytes() == other.view(seat).array.tobytes(), "a view depends on chance"


def every_state_can_be_shown(book: Rulebook) -> None:
    for game in random_game(book):
        scene = scene_of(game)
        assert scene.headline
        assert len(scene.seats) == game.seats, "a scene has a line per seat"
        assert paint(scene, [f"bot {seat}" for seat in range(game.seats)])
        assert all(str(game.view(seat)) for seat in game.asked)


# Bots, matches, replays


def house_bots_finish_the_same_games_compiled_and_in_a_match(book: Rulebook) -> None:
    house = list(book.bots.HOUSE_BOTS)
    bots = [house[at % len(house)] for at in range(min(book.facts.seats_max, 3))]
    settings = book.settings().seated(len(bots))
    for quick in play_house(book, settings, bots, seeds_from(2**64 - 3, 6)):
        players = [HousePlayer(book, settings, bot, LoopClock()) for bot in bots]
        played = asyncio.run(play_game(Game(book, settings, quick.seed), players))
        slow = SeriesGame.of(played)
        assert not slow.void, slow.trouble
        assert (quick.winner, quick.scores) == (slow.winner, slow.scores)
        again = Replay.from_bytes(played.replay.to_bytes())
        assert again.verify().over, "a replay does not play its game again"


# What bots are told


def a_session_offers_what_the_match_uses_and_never_raises(book: Rulebook) -> None:
    dice, game = random.Random(SEED), Game(book, sample_settings(book), SEED)
    view = game.view(game.asked[0])
    for number in range(40):
        session = book.wire.open_session(game.settings, number % game.seats)
        assert isinstance(session, Session), "a session of another class than kernel.session's has no defaults"
        strange = strange_names(session)
        assert not strange, f"nobody asks a session for {', '.join(strange)}: misspelt, or to begin with an underscore"
        chunks = [bytes(dice.choices(range(256), k=dice.randrange(300))) for _ in range(4)]
        session.opening(view)
        session.unasked(chunks[0])
        session.ask(view)
        for chunk in chunks:
            answer = session.receive(chunk)
            assert answer is None or isinstance(answer, (int, Fault)), f"{chunk!r} is answered with {answer!r}"
        session.closing(None)


def strange_names(session: Session) -> list[str]:
    """Returns the public names of a session that no session of the kernel has, most likely misspelt ones."""
    kinds = type(session).__mro__
    known = {
        name
        for kind in kinds
        if kind.__module__.startswith("botyard.kernel.")
        for name in (*vars(kind), *vars(kind).get("__annotations__", ()))
    }
    own = {*vars(session), *(name for kind in kinds for name in vars(kind))}
    return sorted(name for name in own - known if not name.startswith("_"))


def the_protocol_of_the_house_tells_the_whole_view(book: Rulebook) -> None:
    settings = sample_settings(book)
    session = JsonSession(book, settings, 0)
    hello = json.loads(session.greet())
    assert (hello["game"], hello["orders"]) == (book.facts.name, list(book.facts.orders))
    assert session.introduce(b'{"type":"ready","version":1,"name":"law"}\n') == "law"
    game = Game(book, settings, SEED)
    told = json.loads(session.ask(game.view(game.asked[0])))
    assert set(told["view"]), "a view tells something"
    assert session.receive(b'{"turn":1,"order":0}\n') == 0


def every_setting_does_something(book: Rulebook) -> None:
    usual = book.settings()
    view = Game(book, usual, SEED).view(0)
    for row in fields(book.settings):
        changed = book.settings.read({row.name: other_value(row)})
        differs = records(book, usual) != records(book, changed) or talk(book, usual, view) != talk(book, changed, view)
        assert differs, f"{row.name} = {other_value(row)!r} makes no difference"


def other_value(row: Field[Any]) -> Any:
    """Returns a value of a setting that is not its default."""
    choices, usual = row.metadata["choices"], row.default
    if choices:
        return next(choice for choice in choices if choice != usual)
    if isinstance(usual, bool):
        return not usual
    if isinstance(usual, int):
        return usual + 1 if usual < row.metadata["at_most"] else usual - 1
    return f"{usual} "


def records(book: Rulebook, settings: Settings) -> Any:
    """Returns how a game lies in memory, and its arena, to see whether settings change them."""
    return repr(book.layouts(settings)), book.layout.make_arena(settings).tobytes()


def talk(book: Rulebook, settings: Settings, view: View) -> Any:
    """Returns what a bot is told and the time it has, to see whether settings change them."""
    session: Any = book.wire.open_session(settings, 0)
    times = (session.move_ms, session.settle_ms, session.connect_ms, session.start_ms)
    return times, session.opening(view), session.ask(view)


LAWS: tuple[Law, ...] = (
    every_part_exports_what_the_house_uses,
    facts_and_settings_are_filled_in,
    a_drawing_holds_everything_but_chance,
    bytes_make_the_same_game,
    a_finished_game_does_not_change,
    every_integer_is_an_order,
    who_is_asked_has_an_order_to_give,
    no_view_tells_of_chance,
    every_state_can_be_shown,
    *PICTURE_LAWS,
    house_bots_finish_the_same_games_compiled_and_in_a_match,
    a_session_offers_what_the_match_uses_and_never_raises,
    the_protocol_of_the_house_tells_the_whole_view,
)
"""What holds for every game."""

LAWS_OF_ONE_FOLDER: tuple[Law, ...] = (
    the_page_tells_of_every_bot_and_every_field_of_a_view,
    every_setting_does_something,
)
"""What also holds for a game whose page and settings are all its own: without an original that has more to say."""


def check_golden(book: Rulebook, path: Path) -> None:
    """Fails unless the golden playthrough of a game is the same as the stored one."""
    ours, stored = playthrough(book).splitlines(), path.read_text().splitlines()
    remedy = f"if the rules changed on purpose: botyard golden {book.facts.name} --to {path}"
    for number, (mine, theirs) in enumerate(zip(ours, stored, strict=False), 1):
        assert mine == theirs, f"line {number} of {path}: {remedy}"
    assert len(ours) == len(stored), f"{path} is {len(stored)} lines long instead of {len(ours)}: {remedy}"
