"""Rooms without a network: who sits where, and whose points are whose."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.errors import YardError
from botyard.kernel.facts import NO_ORDER
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.match.room import MOST_LISTENERS, Room
from botyard.match.room_field import Member
from tests.links.hall import make_room

FREE: Any = {"rounds_enabled": False}


def newcomer(room: Room, name: str) -> Member:
    member = room.add(name, name, "7")
    room.seat(member)
    return member


def house_bot(room: Room, name: str, bot: str) -> Member:
    return room.add(name, name, "7", HousePlayer(room.book, room.settings, bot, LoopClock()))


def seated(member: Member) -> bool:
    return member.field is not None


# Fields


def test_players_fill_a_field_before_another_is_opened() -> None:
    room = make_room()
    members = [newcomer(room, name) for name in "abcde"]
    assert [len(each.members) for each in room.fields] == [2, 2, 1]
    assert members[0].field is members[1].field
    room.seat(members[0])  # who sits stays
    assert [len(each.members) for each in room.fields] == [2, 2, 1]


def test_the_seat_of_somebody_who_leaves_is_free_again() -> None:
    room = make_room(**FREE)
    first, second = newcomer(room, "a"), newcomer(room, "b")
    assert first.field is not None
    first.field.release(first)
    third = newcomer(room, "c")
    assert third.field is second.field
    assert third.seat == 0


def test_in_the_programs_way_a_seat_is_never_free_again() -> None:
    room = make_room(seats_reopen=False, **FREE)
    first, second = newcomer(room, "a"), newcomer(room, "b")
    assert first.field is not None
    first.field.release(first)
    assert newcomer(room, "c").field is not second.field


def test_an_empty_field_is_given_up() -> None:
    room = make_room(**FREE)
    member = newcomer(room, "a")
    assert member.field is not None
    member.field.release(member)
    room.tick()
    assert room.fields == []


def test_who_takes_a_seat_sees_the_board_at_once() -> None:
    member = newcomer(make_room(**FREE), "a")
    assert member.field is not None
    assert member.board == member.session.ask(member.field.game.view(member.seat)).decode()


def test_how_a_field_stands_is_found_once_a_tick() -> None:
    room = make_room(**FREE)
    newcomer(room, "a")
    [field] = room.fields
    first = field.headline
    assert first == "tick 0"
    assert field.headline is first
    room.tick()
    assert field.headline == "tick 1"


def test_a_player_leaves_in_the_middle_of_a_round_and_the_last_one_wins() -> None:
    room = make_room(rounds_time_before_start=1, rounds_min_ticks_for_win=1)
    ann, bob = newcomer(room, "ann"), newcomer(room, "bob")
    for _ in range(2):
        room.tick()
    assert ann.field is not None
    ann.field.release(ann)
    room.tick()
    assert bob.points == 50


def test_after_the_last_round_players_change_the_field_and_keep_their_points() -> None:
    """A death takes points that were earned on another field, and no more than there are."""
    room = make_room(rounds_time_before_start=1, rounds_min_ticks_for_win=1, rounds_per_match=1, rounds_time=20)
    ann, bob = newcomer(room, "ann"), newcomer(room, "bob")
    old = bob.field
    room.tick()  # START
    room.receive(ann, "UP")
    room.tick()  # it walks into the wall, and the other wins
    assert (ann.points, bob.points) == (0, 50)
    assert "☻" in ann.board
    room.tick()
    assert ann.field is not old  # whoever dies in the last round goes on at once
    assert bob.field is old
    for _ in range(3):
        room.tick()
    assert bob.field is ann.field is not old
    assert len(room.fields) == 1
    assert bob.points == 50
    for _ in range(20):
        if bob.points == 50:
            room.receive(bob, "ACT(0)")
            room.tick()
    assert bob.points == 40


def test_nobody_joins_a_match_in_its_last_round() -> None:
    room = make_room(
        rounds_time_before_start=1, rounds_per_match=1, rounds_players_per_room=3, rounds_min_ticks_for_win=1
    )
    ann, _ = newcomer(room, "ann"), newcomer(room, "bob")
    room.tick()
    assert newcomer(room, "cid").field is not ann.field


def test_a_field_that_fails_is_void_and_costs_nobody_a_point(caplog: pytest.LogCaptureFixture) -> None:
    room = make_room(**FREE)
    ann, bob = newcomer(room, "ann"), newcomer(room, "bob")
    ann.points = 30
    broken = ann.field
    assert broken is not None
    broken.game.state.fault = 1
    with caplog.at_level(logging.ERROR, "botyard.room"):
        room.tick()
    assert str(broken.game.seed) in caplog.text  # what is needed to look into it
    assert ann.field is bob.field is not broken
    assert ann.points == 30


def test_a_tick_of_many_fields_comes_in_portions_with_all_orders_taken_at_its_beginning() -> None:
    room = make_room(**FREE)
    first, _, third = (newcomer(room, name) for name in "abc")
    portions = room.tick_in_portions()
    next(portions)
    room.receive(third, "DOWN")  # its field has stepped already
    assert [*portions] == [None]
    assert "►" in first.board
    assert "►" in third.board
    room.tick()
    assert "▼" in third.board


# Answers


def test_all_answers_since_the_last_tick_are_merged_in_their_order() -> None:
    room = make_room(**FREE)
    ann = newcomer(room, "ann")
    for answer in ("LEFT,ACT", "hello", "DOWN"):
        room.receive(ann, answer)
    assert room.book.facts.orders[ann.order] == "down drop"
    room.tick()
    assert ann.order == NO_ORDER


class BoardListener:
    """A listener that only remembers."""

    def __init__(self) -> None:
        self.boards: list[str] = []
        self.dismissed = False

    def show(self, board: str) -> None:
        self.boards.append(board)

    def dismiss(self, reason: str) -> None:
        self.dismissed = True


def test_so_many_listen_for_a_member_and_one_more_sends_the_first_away() -> None:
    room = make_room(**FREE)
    ann = room.add("ann", "ann", "7")
    listeners = [BoardListener() for _ in range(MOST_LISTENERS + 1)]
    for listener in listeners:
        room.attach(ann, listener)
    assert [listener.dismissed for listener in listeners] == [True] + [False] * MOST_LISTENERS
    room.tick()
    assert [len(listener.boards) for listener in listeners] == [0] + [1] * MOST_LISTENERS
    for listener in listeners:
        room.detach(ann, listener)
    assert ann.listeners == []


def test_a_house_bot_sits_in_and_moves_by_itself() -> None:
    room = make_room(**FREE)
    bot = house_bot(room, "greedy", "greedy")
    for _ in range(20):
        room.tick()
    assert bot.field is not None
    assert bot.silent_ticks == 0


def test_a_silent_member_loses_its_seat_after_a_while_and_may_return() -> None:
    room = make_room(patience_ms=5000, tick_ms=1000, **FREE)
    ann, bot = newcomer(room, "ann"), house_bot(room, "greedy", "greedy")
    for _ in range(5):
        room.tick()
    assert seated(ann)
    room.tick()
    assert not seated(ann)
    assert seated(bot)
    room.seat(ann)
    assert ann.field is bot.field


def test_games_without_rooms_say_so() -> None:
    with pytest.raises(YardError, match="hive cannot be played in a room"):
        Room("hive", load("hive"), load("hive").settings())


# What goes wrong about one player


class FailingListener:
    """Somebody who listens, or fails to."""

    def __init__(self, broken: bool = False) -> None:
        self.boards: list[str] = []
        self.dismissed = ""
        self._broken = broken

    def show(self, board: str) -> None:
        if self._broken:
            raise KeyError("a socket in a state nobody thought of")
        self.boards.append(board)

    def dismiss(self, reason: str) -> None:
        self.dismissed = reason


class Raising:
    """A session that raises on everything."""

    def receive(self, chunk: bytes) -> int:
        raise RecursionError("too deep")


def test_a_player_whose_handling_fails_keeps_no_board_from_the_others(caplog: pytest.LogCaptureFixture) -> None:
    room = make_room(**FREE)
    first, second, third = (newcomer(room, name) for name in "abc")
    bad, good, other = FailingListener(broken=True), FailingListener(), FailingListener()
    for member, listener in ((first, bad), (second, good), (third, other)):
        room.attach(member, listener)
    for _ in range(3):
        room.tick()
    assert (len(good.boards), len(other.boards)) == (3, 3)
    assert bad.dismissed
    assert len(caplog.records) == 1  # told once, with its traceback, and not in every tick
    assert seated(first)
    again = FailingListener()
    room.attach(first, again)
    room.tick()
    assert len(again.boards) == 1


def test_an_answer_that_our_handling_fails_with_reaches_nobody_else(caplog: pytest.LogCaptureFixture) -> None:
    room = make_room(**FREE)
    member = newcomer(room, "a")
    listener = FailingListener()
    room.attach(member, listener)
    member.session = Raising()  # type: ignore[assignment]
    room.receive(member, "RIGHT")
    assert listener.dismissed
    assert "RecursionError" in caplog.text
    room.tick()


def test_a_field_whose_rules_fail_is_void_and_the_other_fields_tick_on(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = make_room(**FREE)
    members = [newcomer(room, name) for name in "abcd"]
    spoilt, whole = room.fields

    step_orders = Game.step_orders

    def broken(game: Game, orders: Any) -> None:
        if game is spoilt.game:
            raise IndexError("a bug of ours")
        step_orders(game, orders)

    monkeypatch.setattr(Game, "step_orders", broken)
    room.tick()
    assert spoilt not in room.fields
    assert all(seated(member) for member in members)
    assert int(whole.game.state.tick) == 1
    assert "a bug of ours" in caplog.text
