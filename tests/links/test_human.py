"""People at the board: what they offer, when, and what becomes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.errors import YardError
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.verdict import Verdict
from botyard.links.bot_spec import Seating, read_bot_spec, read_player_spec
from botyard.links.human import HumanSeat, Question
from botyard.match.clock import LoopClock
from botyard.match.loop import Played, play_game
from tests.links.matches import rival_of, short_match
from tests.match.stage import without_waiting
from tests.waiting import finished, soon

GAMES = ("hive", "hackman", "battlebots", "snakebattle", "snakepit")


async def played_by(
    game: str, act: Callable[[HumanSeat], Coroutine[Any, Any, None]], patient: bool = False, **changes: object
) -> Played:
    """A short match of a person, who acts as told, against a simple house bot."""
    book = load(game)
    settings = book.settings.read(short_match(game, **changes)).seated(2)
    seating = Seating(book, settings, LoopClock(), waits_for_people=patient)
    specs = [read_player_spec("human:Ada", book), read_bot_spec(rival_of(game), book)]
    players = [spec.seat_player(seating, at) for at, spec in enumerate(specs)]
    person = asyncio.create_task(act(seating.people[0]))
    played = await play_game(Game(book, settings, 4), players)
    await soon(person)
    return played


def orders_of(played: Played, entrant: int = 0) -> list[int | None]:
    """The orders that the turn log has of a bot."""
    seat = played.entrants.index(entrant)
    return [turn.order for turn in played.turns if turn.seat == seat]


@pytest.mark.parametrize("game", GAMES)
def test_orders_of_a_person_are_recorded_as_they_were_given(game: str) -> None:
    given: list[int] = []

    async def act(seat: HumanSeat) -> None:
        seat.sit_down()
        while question := await seat.asked():
            order = question.number % len(seat.orders)
            given.append(order)
            seat.offer(order)
            while seat.question is question:
                await seat.news()

    played = without_waiting(played_by(game, act, patient=True))
    assert given
    assert orders_of(played) == given
    assert played.names[played.entrants.index(0)] == "Ada"
    assert played.outcome is not None
    played.replay.verify()


def test_a_person_who_gives_no_order_in_time_gets_the_verdict_of_a_silent_bot() -> None:
    async def act(seat: HumanSeat) -> None:
        seat.sit_down()

    played = without_waiting(played_by("hive", act, reply_timeout_ms=300))
    seat = played.entrants.index(0)
    (turn, *_) = [turn for turn in played.turns if turn.seat == seat]
    assert (turn.verdict, turn.reason, turn.limit_ms) == (Verdict.SILENT, "no order within 300 ms", 300)
    assert [NO_ORDER] in [entry for tick in played.replay.ticks for entry in tick]


def test_a_clock_that_waits_has_no_limit() -> None:
    async def act(seat: HumanSeat) -> None:
        seat.sit_down()
        while (question := await seat.asked()) is not None:
            assert (question.limit_s, question.until) == (None, None)
            await asyncio.sleep(5)
            seat.offer(0)
            while seat.question is question:
                await seat.news()

    played = without_waiting(played_by("battlebots", act, patient=True, move_timeout_ms=100))
    assert {turn.verdict for turn in played.turns} == {Verdict.OK}
    assert {turn.limit_ms for turn in played.turns if turn.seat == played.entrants.index(0)} == {0}


def test_the_match_begins_when_the_person_is_there() -> None:
    began: list[Question | None] = []

    async def act(seat: HumanSeat) -> None:
        await asyncio.sleep(60)
        began.append(seat.question)
        seat.sit_down()
        while question := await seat.asked():
            seat.offer(0)
            while seat.question is question:
                await seat.news()

    played = without_waiting(played_by("battlebots", act))
    assert began == [None]
    assert {turn.verdict for turn in played.turns} == {Verdict.OK}


def test_an_order_offered_between_two_questions_answers_the_next_and_the_last_one_counts() -> None:
    async def main() -> None:
        seat = HumanSeat("Ada", ("up", "down", "left"))
        seat.offer(0)
        seat.offer(2)
        shown = [seat.planned]
        assert await soon(seat.take()) == 2
        assert [*shown, seat.planned] == [2, None]
        seat.offer(1)
        seat.withdraw()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await seat.take()

    without_waiting(main())


def test_only_orders_of_the_game_can_be_offered() -> None:
    async def main() -> None:
        seat = HumanSeat("Ada", ("up", "down"))
        for order in (-1, 2, 1 << 40):
            with pytest.raises(ValueError, match="there is no order"):
                seat.offer(order)
        seat.close()
        seat.offer(1)
        assert seat.planned is None
        assert await seat.asked() is None

    without_waiting(main())


def test_a_person_cannot_be_named_where_nobody_would_ask_them() -> None:
    with pytest.raises(YardError, match="is a person"):
        read_bot_spec("human", load("hive"))


def test_names_of_people_are_short_and_harmless() -> None:
    assert read_player_spec("human", load("hive")).label == "human"
    assert "\x1b" not in read_player_spec("human:\x1b[2JAda", load("hive")).label
    with pytest.raises(YardError, match="too long"):
        read_player_spec(f"human:{'a' * 41}", load("hive"))


def test_a_change_counts_from_the_moment_somebody_asks_for_news() -> None:
    async def ask_first() -> None:
        seat = HumanSeat("Ada", ("up",))
        coming = asyncio.ensure_future(seat.news())
        seat.sit_down()  # before the task that waits has begun
        await soon(coming)

    finished(ask_first())
