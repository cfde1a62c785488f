"""What is written down of a room field leads to where the field was, whoever came and went."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from botyard.games import GAMES, load
from botyard.kernel.errors import BadRecord
from botyard.match import chronicle as chronicles
from botyard.match import room as rooms
from botyard.match.chronicle import Chronicle, Timetable, WallTime, boards_of, settings_beside, wall_ms
from botyard.match.clock import LoopClock
from botyard.match.in_process import HousePlayer
from botyard.match.replay import Replay, final_hash
from botyard.match.room import Room
from botyard.match.room_field import Member, RoomField
from tests.links.hall import SMALL_MAP

SHORT: Any = {"rounds_time": 12, "rounds_time_before_start": 2, "rounds_min_ticks_for_win": 1, "rounds_per_match": 2}
FREE: Any = {"rounds_enabled": False}


@pytest.fixture(autouse=True)
def same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same games every time."""
    seeds = count(5)
    monkeypatch.setattr(rooms, "fresh_seed", lambda: next(seeds))


def make_room(clock: WallTime = wall_ms, **settings: Any) -> Room:
    """A small room whose chance is that of real ones."""
    book = load(next(name for name in GAMES if load(name).has_rooms))
    chosen = {"level_map": SMALL_MAP, "rounds_players_per_room": 2, **settings}
    return Room("r", book, book.settings.read(chosen), clock=clock)


def newcomer(room: Room, name: str, points: int = 0) -> Member:
    member = room.add(name, name, "7")
    member.points = points
    room.seat(member)
    return member


def hunter(room: Room, name: str) -> Member:
    bot = next(iter(room.book.bots.HOUSE_BOTS))
    return room.add(name, name, "7", HousePlayer(room.book, room.settings, bot, LoopClock()))


def other(room: Room, **values: Any) -> None:
    """Gives a room other settings."""
    room.adopt(room.prepared(room.book.settings.read(vars(room.settings) | values)))


def is_settled(room: Room) -> bool:
    return room.settled


def ticked(room: Room, times: int) -> None:
    for _ in range(times):
        room.tick()


def field_of(member: Member) -> RoomField:
    assert member.field is not None
    return member.field


def only_chronicle(room: Room) -> Chronicle:
    [found] = room.chronicles
    return found


def test_a_chronicle_leads_to_the_field_whoever_came_and_went() -> None:
    room = make_room(**SHORT)
    first, second = hunter(room, "a"), hunter(room, "b")
    second.points = 70  # it comes too late to be brought along
    ticked(room, 9)
    field = field_of(first)
    field.release(first)
    ticked(room, 1)
    third = newcomer(room, "c", points=40)
    assert third.field is field
    ticked(room, 2)
    final = final_hash(field.game)
    room.close("over")
    told = only_chronicle(room)
    replay = Replay.from_bytes(told.replay.to_bytes())
    assert final_hash(replay.retold()) == replay.final == final
    assert sum(isinstance(entries[0], list) for entries in replay.ticks) == told.beats == 12
    assert [(stint.user, stint.seat) for stint in told.stints] == [("a", 0), ("b", 1), ("c", 0)]
    assert replay.names[:2] == ("a", "b"), "who sat longest"
    assert {"join": 0, "points": 40} in [entries[0] for entries in replay.ticks]


def test_what_was_logged_is_what_was_sent() -> None:
    times = count(1_000, 10)
    room = make_room(lambda: next(times), **SHORT)
    member, sent = hunter(room, "a"), []
    hunter(room, "b")
    for _ in range(10):
        room.tick()
        sent.append((member.board, member.points))
    running = field_of(member).chronicle.copy()
    timetable = Timetable(running.begun_ms, running.ended_ms, running.beats)
    logged = boards_of(running.replay, running.stints[0], timetable, settings_beside(room.settings), 1 << 50, 100)
    assert [(one.board, one.score) for one in logged] == sent
    assert [one.at_ms for one in logged] == sorted({one.at_ms for one in logged})
    some = boards_of(running.replay, running.stints[0], timetable, settings_beside(room.settings), logged[6].at_ms, 3)
    assert some == logged[4:7]


def test_other_settings_hold_from_the_next_round_and_points_stay() -> None:
    room = make_room(**SHORT)
    members = [hunter(room, name) for name in "ab"]
    ticked(room, 5)
    before = field_of(members[0])
    assert before.round_running
    other(room, apple_score=9, tick_ms=50)
    room.tick()
    assert field_of(members[0]) is before
    assert not is_settled(room)
    points = []
    while field_of(members[0]) is before:
        room.tick()
        points = [member.points for member in members]
    assert is_settled(room)
    assert room.tick_ms == 50
    assert [member.points for member in members] == points
    assert {field_of(member) for member in members} == set(room.fields)
    assert before.chronicle in room.chronicles
    assert before.chronicle.replay.settings["apple_score"] != 9
    assert field_of(members[0]).chronicle.replay.settings["apple_score"] == 9
    ticked(room, 5)
    assert final_hash(field_of(members[0]).chronicle.copy().replay.retold()) == final_hash(room.fields[0].game)


def test_without_rounds_other_settings_hold_from_the_next_tick() -> None:
    room = make_room(**FREE)
    member = newcomer(room, "a")
    room.tick()
    other(room, gold_score=3)
    room.tick()
    assert field_of(member).game.settings.of_group("rules")["gold_score"] == 3


def test_a_reset_takes_all_points_and_a_member_that_is_removed_is_gone() -> None:
    room = make_room(**SHORT)
    member, other = newcomer(room, "a", 30), newcomer(room, "b", 5)
    room.tick()
    room.reset()
    assert [one.points for one in room.members] == [0, 0]
    assert member.field is other.field is not None
    room.remove(other, "enough")
    assert room.members == [member]
    room.tick()
    assert len(field_of(member).members) == 1


def test_a_field_that_waits_for_long_begins_anew_and_one_without_rounds_is_written_down_no_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chronicles, "LONGEST", 6)
    waiting, free = make_room(**SHORT), make_room(**FREE)
    alone, roaming = newcomer(waiting, "a"), newcomer(free, "a")
    first, second = field_of(alone), field_of(roaming)
    ticked(waiting, 8)
    ticked(free, 8)
    assert field_of(alone) is not first
    assert field_of(roaming) is second
    assert len(only_chronicle(free).replay.ticks) == len(only_chronicle(waiting).replay.ticks) == 6


@pytest.mark.parametrize("entry", [{"join": 0, "points": "9"}, {"leave": 0, "points": 9}, {"join": 99, "points": 9}])
def test_points_that_nobody_can_bring_are_refused(entry: dict[str, Any]) -> None:
    room = make_room(**FREE)
    newcomer(room, "a")
    room.tick()
    room.close("over")
    replay = only_chronicle(room).replay
    replay.ticks.append([entry])
    with pytest.raises(BadRecord, match="entry"):
        Replay.from_bytes(replay.to_bytes())
