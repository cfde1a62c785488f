"""Whose fault it is: a bot can bring no game to nothing, and what the machine refuses us is nobody's."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import Any

import pytest

import botyard
from botyard.games.game import Game
from botyard.jail.spawner import NoSpawner
from botyard.kernel.errors import YardError
from botyard.kernel.outcome import Outcome
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.blame import commonest
from botyard.match.clock import LoopClock
from botyard.match.in_process import FunctionPlayer, HousePlayer
from botyard.match.loop import Played, award, play_game
from botyard.match.player import Answer, Player
from botyard.match.series import SeriesGame
from botyard.match.wire_player import WirePlayer
from tests.match.stage import Event, ScriptedLink, idle, without_waiting

ABOUT_ONE_BOT = [
    ValueError("odd"), KeyError("odd"), RecursionError("odd"), UnicodeEncodeError("utf-8", "\ud800", 0, 1, "odd"),
    YardError("odd", hint="its file"), AssertionError("odd"), OSError(errno.ENAMETOOLONG, "odd"), RuntimeError("odd"),
    ZeroDivisionError("odd"), BrokenPipeError(errno.EPIPE, "odd"),
    YardError("an odd key, can't start new thread", hint="the words of a manifest"),
]  # fmt: skip
OURS = [
    MemoryError("no memory"), OSError(errno.EMFILE, "files"), OSError(errno.ENFILE, "files"),
    OSError(errno.ENOSPC, "disk"), OSError(errno.ENOMEM, "memory"), BlockingIOError(errno.EAGAIN, "fork"),
    NoSpawner("gone"), RuntimeError("can't start new thread"),
]  # fmt: skip


def named(error: Exception) -> str:
    return f"{type(error).__name__} {error}"


class Failing(Player):
    """A player with which our own handling fails at one moment, and which plays well otherwise."""

    name = "failing"

    def __init__(self, moment: str, error: Exception) -> None:
        self._moment, self._error = moment, error
        self.asked = 0

    def _at(self, moment: str) -> None:
        if self._moment == moment:
            raise self._error

    async def start(self) -> Fault | None:
        self._at("start")
        return None

    async def tell(self, view: Any) -> None:
        self._at("tell")

    async def ask(self, view: Any) -> Answer:
        self.asked += 1
        self._at("ask")
        return Answer(4)

    async def finish(self, outcome: Outcome | None) -> None:
        self._at("finish")

    async def stop(self) -> None:
        self._at("stop")

    @property
    def peak_mb(self) -> float:
        self._at("peak")
        return 1.0


def against(failing: Failing) -> Played:
    """A game of Hack-man, in which it sits second and is told before it is asked."""

    async def main() -> Played:
        game = botyard.new("hackman", seed=4, max_rounds=3, preset="program")
        rival = FunctionPlayer(lambda view: "pass", game.book.facts, 0, LoopClock())
        return await play_game(game, [rival, failing])

    return without_waiting(main())


@pytest.mark.parametrize("moment", ["start", "tell", "ask"])
@pytest.mark.parametrize("error", ABOUT_ONE_BOT, ids=named)
def test_an_exception_about_one_bot_is_its_verdict_and_the_game_goes_on(moment: str, error: Exception) -> None:
    failing = Failing(moment, error)
    played = against(failing)
    assert played.outcome is not None, played.trouble
    missed = played.replay.missed
    assert {(miss.seat, miss.verdict) for miss in missed} == {(1, Verdict.CRASHED)}
    assert "odd" in missed[0].reason
    assert "our own handling" in missed[0].reason or isinstance(error, YardError)
    assert failing.asked <= 1  # who knows what state it is in
    told = [turn.said for turn in played.turns if turn.seat == 1 and turn.said]
    assert len(told) == 1
    assert "Traceback" in told[0]  # for us


@pytest.mark.parametrize("moment", ["finish", "stop", "peak"])
@pytest.mark.parametrize("error", [ABOUT_ONE_BOT[0], OURS[0]], ids=named)
def test_what_fails_after_the_end_changes_nothing_of_it(moment: str, error: Exception) -> None:
    played = against(Failing(moment, error))
    assert played.outcome is not None
    assert not played.replay.missed


@pytest.mark.parametrize("moment", ["start", "tell", "ask"])
@pytest.mark.parametrize("error", OURS, ids=named)
def test_what_the_machine_refuses_us_voids_the_game_and_costs_nobody(moment: str, error: Exception) -> None:
    played = against(Failing(moment, error))
    assert played.outcome is None
    assert not played.culprits
    assert {miss.verdict for miss in played.replay.missed} == {Verdict.HOUSE}
    assert str(error) in played.trouble


def test_a_failure_of_the_engine_is_ours_whoever_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(game: Game, seat: int | None = None) -> Any:
        raise KeyError("a bug of ours")

    monkeypatch.setattr(Game, "view", broken)
    played = against(Failing("never", ValueError()))
    assert played.outcome is None
    assert {miss.verdict for miss in played.replay.missed} == {Verdict.HOUSE}


def test_a_house_bot_that_fails_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(player: HousePlayer, view: Any) -> Answer:
        raise ValueError("a bug of ours")

    monkeypatch.setattr(HousePlayer, "ask", broken)
    played = botyard.play("hackman", ["house:wanderer", "house:wanderer"], seed=4, max_rounds=3)
    assert played.outcome is None
    assert not played.culprits
    assert {miss.verdict for miss in played.replay.missed} == {Verdict.HOUSE}


def test_a_function_that_wants_to_leave_has_crashed() -> None:
    def leaves(view: Any) -> str:
        raise SystemExit(3)

    played = botyard.play("hive", [leaves, idle], seed=4, max_turns=4, random_seats=False)
    assert [(miss.seat, miss.verdict) for miss in played.replay.missed] == [(0, Verdict.CRASHED)]
    played = botyard.play("hive", [lambda view: "9" * 5000, idle], seed=4, max_turns=4, random_seats=False)
    assert [(miss.seat, miss.verdict) for miss in played.replay.missed] == [(0, Verdict.GARBLED)]


# Games that bots end without a result


def hackman(*bots: Sequence[Sequence[Event]], **settings: Any) -> Played:
    """A game of Hack-man between scripted bots; each of the lists answers one question."""

    async def main() -> Played:
        clock = LoopClock()
        game = botyard.new("hackman", seed=4, max_rounds=5, engine_timeout_ms=700, **settings)
        players = [
            WirePlayer(f"bot{at}", game.book.wire.open_session(game.settings, at), ScriptedLink(*acts), clock)
            for at, acts in enumerate(in_step(bots, told_before=game.settings.habits.asks_in_turn))
        ]
        return await play_game(game, players)

    return without_waiting(main())


def in_step(bots: Sequence[Sequence[Sequence[Event]]], told_before: bool) -> list[list[Sequence[Event]]]:
    """Acts as a link plays them: one when it is opened, and one for whatever a bot is sent, questions or not."""
    first, second = bots
    silences: list[Sequence[Event]] = [[]] if told_before else []
    return [[[], *first], [[], *(one for act in second for one in (*silences, act))]]


BLANK: Any = [[b"up\n"], [b" \n"]]
PLAYS: Any = [[b"up\n"]] * 5


@pytest.mark.parametrize("settings", [{"preset": "program"}, {"blank_answer": "abort"}], ids=["in turn", "at once"])
@pytest.mark.parametrize(
    ("bots", "culprits"), [((BLANK, PLAYS), (0,)), ((PLAYS, BLANK), (1,)), ((BLANK, BLANK), (0, 1))]
)
def test_who_hangs_the_original_is_known_and_a_contest_counts_it_as_a_forfeit(
    settings: dict[str, str], bots: Any, culprits: tuple[int, ...]
) -> None:
    played = hackman(*bots, **settings)
    assert played.outcome is None
    assert played.culprits == culprits
    assert "hangs the original engine" in played.trouble
    assert {(miss.seat, miss.verdict) for miss in played.replay.missed} == {
        (seat, Verdict.GARBLED) for seat in culprits
    }
    assert played.awarded is not None
    assert played.awarded.winner == (None if len(culprits) == 2 else 1 - culprits[0])
    assert SeriesGame.of(played).void  # `play` has no result to show, as the original has none
    assert played.replay.verify()


def test_a_forfeit_takes_the_points_of_those_who_forfeit_alone() -> None:
    assert award((3, 7, 5), [1]) == Outcome(((0, 2), (1,)), (3, 0, 5))
    assert award((3, 7, 5), [2, 0]) == Outcome(((1,), (0, 2)), (0, 7, 0))
    assert award((3, 7), [0, 1]) == Outcome(((0, 1),), (0, 0))
    assert award((3,), [0]) == Outcome(((0,),), (0,))


class Absent(Failing):
    async def start(self) -> Fault | None:
        return Fault(Verdict.SILENT, "no connection")


@pytest.mark.parametrize("failure", ["abort", "straight"])
def test_a_snake_that_does_not_come_forfeits_where_there_is_no_game_without_it(failure: str) -> None:
    async def main() -> Played:
        game = botyard.new("snakepit", seed=4, snakes=3, on_connect_failure=failure, tick_timeout=20)
        rivals = [FunctionPlayer(lambda view: "u", game.book.facts, 0, LoopClock()) for _ in range(2)]
        return await play_game(game, [rivals[0], Absent("never", ValueError()), rivals[1]])

    played = without_waiting(main())
    assert (played.outcome is None) == (failure == "abort")
    if failure == "abort":
        assert played.culprits == (1,)
        assert played.awarded == Outcome(((0, 2), (1,)), (0, 0, 0))
        assert "no connection" in played.trouble


def test_a_position_that_a_seat_made_our_rules_fail_with_is_its_forfeit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "fault", property(lambda game: game.state.turn == 2))
    monkeypatch.setattr(Game, "culprits", property(lambda game: (1,)))
    played = botyard.play("hive", [idle, idle], seed=4, max_turns=4, random_seats=False)
    assert played.outcome is None
    assert played.culprits == (1,)
    assert [(miss.seat, miss.verdict) for miss in played.replay.missed] == [(1, Verdict.INVALID)]


# What is told of our own faults


def test_the_commonest_reason_is_told_with_its_count_and_its_remedy() -> None:
    assert commonest([]) == ""
    traceback = "Traceback (most recent call last):\n  File \"x\"\nOSError: [Errno 24] Too many open files: '/tmp/{}'"
    told = commonest([traceback.format(7), "MemoryError", traceback.format(13)])
    assert told.startswith("OSError: [Errno 24] Too many open files: '/tmp/7' (2 of 3 times)")
    assert told.endswith("ulimit -n 4096")
    assert commonest([""]) == "the reason is unknown"
