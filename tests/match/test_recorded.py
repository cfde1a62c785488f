"""A recorded game played again: the same bytes as long as everybody answers as recorded, else it says where not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from botyard.games import GAMES, load
from botyard.games.game import Game
from botyard.games.view import View
from botyard.kernel.errors import YardError
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.match.loop import Played, play_game
from botyard.match.player import Answer, Player
from botyard.match.recorded import (
    check_recorded,
    first_difference,
    recorded_seats,
    told_as_recorded,
    view_before,
    while_recorded,
)
from botyard.match.replay import Replay
from tests.links.matches import rival_of, short_match
from tests.waiting import finished

SEED = 6
Answering = Callable[[int, View], int | Fault]


class Scripted(Player):
    """A bot that answers by the number of the question, counted from 0; or never comes."""

    def __init__(self, name: str, answering: Answering, absence: Fault | None = None) -> None:
        self.name, self._answering, self._absence, self._asked = name, answering, absence, 0

    async def start(self) -> Fault | None:
        return self._absence

    async def ask(self, view: View) -> Answer:
        self._asked += 1
        return Answer(self._answering(self._asked - 1, view))


def new_game(game: str) -> Game:
    book = load(game)
    settings = book.settings.read(short_match(game)).seated(book.facts.usual_seats)
    return Game(book, settings, SEED)


def house(game: Game) -> Player:
    name = rival_of(game.book.facts.name).removeprefix("house:")
    return HousePlayer(game.book, game.settings, name, LoopClock())


def recorded(game: Game, players: Mapping[int, Player]) -> Replay:
    """A game between some players by seat, and house bots, as it comes back from a file."""
    seated = [players.get(seat) or house(game) for seat in range(game.seats)]
    by_entrant = sorted(range(game.seats), key=game.entrant)
    played = finished(play_game(game, [seated[seat] for seat in by_entrant]))
    return Replay.from_bytes(played.replay.to_bytes())


def played_like(replay: Replay, own: Mapping[int, Player], more: Mapping[str, object] | None = None) -> Played:
    check_recorded(replay)
    game = replay.new_game(more)
    others = recorded_seats(replay, own)
    players = [own.get(seat) or others[seat] for seat in map(replay.entrants.index, range(game.seats))]
    return finished(play_game(game, players, enough=while_recorded(game, others)))


def check_equal(replay: Replay, own: Mapping[int, Player]) -> None:
    played = played_like(replay, own)
    assert first_difference(replay, played.replay, own) is None
    told_as_recorded(replay, played.replay)
    assert played.replay.to_bytes() == replay.to_bytes()


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_that_answers_as_it_did_leaves_the_same_bytes(game: str) -> None:
    replay = recorded(new_game(game), {})
    for seat in range(min(2, len(replay.names))):
        check_equal(replay, {seat: house(replay.new_game(short_match(game)))})


def losing(*questions: int) -> Answering:
    """Orders the first thing there is, and loses some turns."""
    verdicts = [Verdict.LATE, Verdict.GARBLED, Verdict.SILENT]

    def answer(number: int, _: View) -> int | Fault:
        return Fault(verdicts[number % 3], f"after {number} ms") if number in questions else 0

    return answer


@pytest.mark.parametrize("game", GAMES)
def test_lost_turns_come_again_in_every_seat(game: str) -> None:
    replay = recorded(new_game(game), {0: Scripted("slow", losing(1, 3))})
    assert len(replay.missed) in (1, 2)
    check_equal(replay, {0: Scripted("other name", losing(1, 3))})
    if len(replay.names) > 1:
        check_equal(replay, {1: house(replay.new_game(short_match(game)))})


def test_why_a_turn_was_lost_may_be_told_in_other_words() -> None:
    game = new_game(min(GAMES))
    replay = recorded(game, {0: Scripted("slow", lambda number, _: Fault(Verdict.LATE, "411 ms") if not number else 0)})
    check_equal(replay, {0: Scripted("slow", lambda number, _: Fault(Verdict.LATE, "398 ms") if not number else 0)})


@pytest.mark.parametrize("game", GAMES)
def test_who_never_came_does_not_come_again(game: str) -> None:
    absent = Fault(Verdict.SILENT, "it said nothing")
    replay = recorded(new_game(game), {0: Scripted("away", losing(), absent)})
    if replay.outcome is None and not replay.culprits:
        with pytest.raises(YardError, match="void"):
            check_recorded(replay)
        return
    if len(replay.names) > 1:
        check_equal(replay, {1: house(replay.new_game(short_match(game)))})
    check_equal(replay, {0: Scripted("away", losing(), absent)})
    played = played_like(replay, {0: Scripted("here", losing())})
    difference = first_difference(replay, played.replay, [0])
    assert difference is not None
    assert difference.tick == -1
    assert difference.recorded is not None
    assert difference.recorded.lost is not None


@pytest.mark.parametrize("game", GAMES)
def test_the_first_other_answer_is_told_with_what_was_seen(game: str) -> None:
    def otherwise(number: int, _: View) -> int:
        return 1 if number == 1 else 0

    replay = recorded(new_game(game), {0: Scripted("a", losing())})
    played = played_like(replay, {0: Scripted("b", otherwise)})
    difference = first_difference(replay, played.replay, [0])
    assert difference is not None
    assert difference.seat == 0
    assert difference.recorded is not None
    assert difference.given is not None
    assert (difference.recorded.order, difference.given.order) == (0, 1)
    seen = view_before(replay, difference.tick, 0)
    again = view_before(played.replay, difference.tick, 0)
    assert seen is not None
    assert again is not None
    assert str(seen) == str(again), "up to there both games are the same"


def test_a_turn_that_was_lost_and_is_not_any_more_is_another_answer() -> None:
    replay = recorded(new_game(min(GAMES)), {0: Scripted("slow", losing(1))})
    played = played_like(replay, {0: Scripted("fast", losing())})
    difference = first_difference(replay, played.replay, [0])
    assert difference is not None
    assert difference.recorded is not None
    assert difference.recorded.lost is not None
    assert difference.given is not None
    assert difference.given.order == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_an_answer_ended_ends_again(game: str) -> None:
    def ending(number: int, _: View) -> int | Fault:
        return Fault(Verdict.GARBLED, "it hangs", ends=True) if number == 1 else 0

    replay = recorded(new_game(game), {0: Scripted("hanging", ending)})
    assert replay.culprits == (0,)
    check_equal(replay, {0: Scripted("hanging", ending)})
    if len(replay.names) > 1:
        check_equal(replay, {1: house(replay.new_game(short_match(game)))})


def test_where_the_others_have_no_orders_left_the_game_is_broken_off() -> None:
    game = min(GAMES)

    def ending(number: int, _: View) -> int | Fault:
        return Fault(Verdict.GARBLED, "it hangs", ends=True) if number == 1 else 0

    replay = recorded(new_game(game), {0: Scripted("hanging", ending)})
    played = played_like(replay, {0: Scripted("mended", losing())})
    assert played.outcome is None
    assert not played.trouble
    assert len(played.replay.ticks) <= len(replay.ticks) + 1


def test_a_void_game_is_not_played_again() -> None:
    replay = recorded(new_game(min(GAMES)), {})
    replay.outcome = None
    with pytest.raises(YardError, match="void or broken off"):
        check_recorded(replay)
