"""Rooms of a yard: rows say what should be, the caretaker makes it so, and what happened is written down."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import sqlalchemy as sa

from botyard.kernel.errors import YardError
from botyard.match.replay import Replay, final_hash
from botyard.match.room_field import Member
from botyard.yard.data.database import DatabaseAway
from botyard.yard.data.room_tables import ACCOUNTS, CHRONICLE, MEMBER, MEMBER_DAY, STINT
from botyard.yard.data.times import DAY
from botyard.yard.keeping.verify import verify
from botyard.yard.people.accounts import ban, delete
from botyard.yard.refusals import InTheWay, NotAllowed, Refusal
from botyard.yard.rooms.caretaker import Caretaker
from botyard.yard.rooms.chronicles import boards_before, chronicles_of, stints_before
from botyard.yard.rooms.members import (
    MOST_MEMBERS,
    code_of,
    join_room,
    leave_room,
    members_of,
    own_code,
    register_member,
    renew_code,
    server_key,
)
from botyard.yard.rooms.points import day_of, days_of, leaders_of
from botyard.yard.rooms.rooms import (
    RoomPlan,
    change_settings,
    close_room,
    create_room,
    open_again,
    reset_room,
    room_games,
    room_named,
)
from botyard.yard.site import Yard
from tests.links.hall import SMALL_MAP
from tests.waiting import finished
from tests.yard.conftest import Hands
from tests.yard.living import LivingYard

BOOK = room_games()[0]
GAME, BOT = BOOK.facts.name, next(iter(BOOK.bots.HOUSE_BOTS))
SHORT: dict[str, Any] = {
    "level_map": SMALL_MAP, "rounds_players_per_room": 2, "rounds_time": 8, "rounds_time_before_start": 2,
    "rounds_per_match": 1, "rounds_min_ticks_for_win": 1,
}  # fmt: skip


def changed(yard: Yard, act: Callable[..., Any], *args: Any, **named: Any) -> Any:
    with yard.database.writing() as connection:
        return act(connection, *args, **named)


def asked(yard: Yard, question: Callable[..., Any], *args: Any, **named: Any) -> Any:
    with yard.database.reading() as connection:
        return question(connection, *args, **named)


def open_room(yard: Yard, slug: str = "den", **more: Any) -> int:
    plan = RoomPlan(slug, GAME, settings=SHORT, **more)
    number: int = changed(yard, create_room, plan, yard.clock(), by=None)
    return number


async def kept(yard: Yard, room: int) -> Caretaker:
    caretaker = Caretaker(yard)
    await caretaker.follow(room)
    return caretaker


def in_room(yard: Yard, room: int, act: Callable[[Caretaker], Awaitable[None]]) -> None:
    """Does something with a caretaker, as after a start of the server."""

    async def run() -> None:
        await act(await kept(yard, room))

    finished(run())


def ticked(caretaker: Caretaker, times: int, slug: str = "den") -> None:
    for _ in range(times):
        caretaker.lobby.rooms[slug].tick()


def all_settled(caretaker: Caretaker) -> bool:
    return all(room.settled for room in caretaker.lobby.rooms.values())


def member_in(caretaker: Caretaker, user: str) -> Member:
    member = caretaker.member(user)
    assert member is not None
    return member


# Addresses


def test_after_a_restart_everybody_has_the_same_address_and_points(yard: Yard) -> None:
    room = open_room(yard, house=[BOT])
    person = LivingYard(yard).person("Ada")
    ada = changed(yard, join_room, "den", person, "Ada", yard.clock())
    bob = changed(yard, register_member, "den", "Bob", yard.clock())
    code = changed(yard, own_code, "den", person)[2]
    seen: list[list[tuple[str, str, int]]] = []

    async def play(caretaker: Caretaker) -> None:
        member_in(caretaker, bob.user).points = 70
        ticked(caretaker, 3)
        await caretaker.write()
        there = caretaker.lobby.rooms["den"].members
        seen.append([(member.user, member.code, member.points) for member in there])
        assert caretaker.lobby.admit(ada.user, code)

    in_room(yard, room, play)

    async def look(caretaker: Caretaker) -> None:
        there = caretaker.lobby.rooms["den"].members
        seen.append([(member.user, member.code, member.points) for member in there])

    in_room(yard, room, look)
    assert seen[0] == seen[1]
    assert {points for _, _, points in seen[1]} >= {70}
    assert code.isdigit()
    assert len(code) == 19


def test_a_code_stands_nowhere_and_a_renewed_one_is_worthless(yard: Yard) -> None:
    room, person = open_room(yard), LivingYard(yard).person("Ada")
    member = changed(yard, join_room, "den", person, "Ada", yard.clock())
    old = changed(yard, own_code, "den", person)[2]
    rows = asked(yard, lambda connection: [tuple(row) for row in connection.execute(sa.select(MEMBER))])
    assert old not in str(rows)

    async def renew(caretaker: Caretaker) -> None:
        changed(yard, renew_code, "den", person, yard.clock())
        await caretaker.follow(room)
        new = changed(yard, own_code, "den", person)[2]
        assert new != old
        assert caretaker.lobby.admit(member.user, old) is None
        assert caretaker.lobby.admit(member.user, new) is not None

    in_room(yard, room, renew)
    assert code_of(changed(yard, server_key), member.user, 1) != code_of(b"another", member.user, 1)


# Who comes and goes


def test_names_are_given_once_and_those_of_accounts_to_their_owners(yard: Yard) -> None:
    open_room(yard)
    ada = LivingYard(yard).person("Ada")
    with pytest.raises(InTheWay, match="has an account"):
        changed(yard, register_member, "den", "ada", yard.clock())
    changed(yard, join_room, "den", ada, "Ada", yard.clock())
    with pytest.raises(InTheWay, match="already"):
        changed(yard, join_room, "den", ada, "Another", yard.clock())
    changed(yard, register_member, "den", "Bob", yard.clock())
    with pytest.raises(InTheWay, match="registered"):
        changed(yard, register_member, "den", "BOB", yard.clock())
    with pytest.raises(Refusal):
        changed(yard, register_member, "den", "<b>", yard.clock())
    assert len(asked(yard, members_of, 1)) == 2 < MOST_MEMBERS


def test_a_room_for_accounts_takes_nobody_by_a_name_alone(yard: Yard) -> None:
    open_room(yard, door=ACCOUNTS)
    with pytest.raises(NotAllowed, match="account"):
        changed(yard, register_member, "den", "Bob", yard.clock())


def test_who_is_banned_or_deleted_leaves_the_room_at_the_next_look(yard: Yard) -> None:
    room, living = open_room(yard), LivingYard(yard)
    admin = living.person("Root", "admin")
    people = [living.person(name) for name in ("Ada", "Eve", "Liv")]
    members = [changed(yard, join_room, "den", person, f"n{person}", yard.clock()) for person in people]

    async def go(caretaker: Caretaker) -> None:
        await caretaker.follow_all()
        changed(yard, ban, people[0], "noise", yard.clock(), by=admin)
        changed(yard, delete, people[1], yard.clock(), by=admin)
        changed(yard, leave_room, "den", people[2], yard.clock())
        await caretaker._hear_events()
        assert [caretaker.member(member.user) for member in members] == [None, None, None]

    in_room(yard, room, go)
    assert asked(yard, members_of, room) == []
    gone = asked(yard, lambda connection: connection.execute(sa.select(MEMBER.c.name, MEMBER.c.person)).all())
    assert ("deleted", None) in [tuple(row) for row in gone]
    assert changed(yard, join_room, "den", people[2], f"n{people[2]}", yard.clock()).user != members[2].user


# What admins do


def test_settings_hold_from_the_next_round_and_stand_in_its_replay(yard: Yard) -> None:
    room, admin = open_room(yard, house=[BOT, BOT]), LivingYard(yard).person("Root", "admin")

    async def change(caretaker: Caretaker) -> None:
        ticked(caretaker, 4)
        changed(yard, change_settings, "den", {"apple_score": "9"}, yard.clock(), by=admin)
        await caretaker.follow(room)
        live = caretaker.lobby.rooms["den"]
        assert not all_settled(caretaker), "a round is under way"
        assert live.fields[0].game.settings.of_group("rules")["apple_score"] == 1
        ticked(caretaker, 30)
        assert all_settled(caretaker)
        await caretaker.write()

    in_room(yard, room, change)
    last, *_, first = asked(yard, chronicles_of, room)
    assert (first.settings["apple_score"], last.settings["apple_score"]) == (1, 9)
    with yard.database.reading() as connection:
        replay = Replay.from_bytes(yard.blobs.read(connection, last.replay))
    assert replay.settings["apple_score"] == 9
    assert final_hash(replay.retold()) == replay.final
    assert verify(yard).troubles == []


@pytest.mark.parametrize("values", [{"tick_ms": 1}, {"apple_score": "many"}, {"no_such": 1}, {"level_map": "☼"}])
def test_settings_that_do_not_fit_change_nothing(yard: Yard, values: dict[str, Any]) -> None:
    open_room(yard)
    admin = LivingYard(yard).person("Root", "admin")
    before = asked(yard, room_named, "den")
    with pytest.raises(YardError):
        changed(yard, change_settings, "den", values, yard.clock(), by=admin)
    assert asked(yard, room_named, "den") == before


def test_a_reset_takes_all_points_even_those_that_were_not_written_yet(yard: Yard) -> None:
    room, admin = open_room(yard), LivingYard(yard).person("Root", "admin")
    bob = changed(yard, register_member, "den", "Bob", yard.clock())

    async def reset(caretaker: Caretaker) -> None:
        member_in(caretaker, bob.user).points = 40
        await caretaker.write()
        member_in(caretaker, bob.user).points = 90
        changed(yard, reset_room, "den", yard.clock(), by=admin)
        await caretaker.write()  # the room does not know yet
        assert [leader.points for leader in asked(yard, leaders_of, room)] == [0]
        await caretaker.follow(room)
        assert member_in(caretaker, bob.user).points == 0
        member_in(caretaker, bob.user).points = 5
        await caretaker.write()

    in_room(yard, room, reset)
    assert [leader.points for leader in asked(yard, leaders_of, room)] == [5]
    assert verify(yard).troubles == []


def test_a_closed_room_lets_nobody_in_until_it_is_opened_again(yard: Yard) -> None:
    room, admin = open_room(yard, house=[BOT]), LivingYard(yard).person("Root", "admin")
    bob = changed(yard, register_member, "den", "Bob", yard.clock())

    async def close(caretaker: Caretaker) -> None:
        ticked(caretaker, 2)
        changed(yard, close_room, "den", yard.clock(), by=admin)
        await caretaker.follow(room)
        assert caretaker.member(bob.user) is None
        assert "den" not in caretaker.lobby.rooms
        with pytest.raises(InTheWay, match="closed"):
            changed(yard, register_member, "den", "Eve", yard.clock())
        changed(yard, open_again, "den", yard.clock(), by=admin)
        await caretaker.follow(room)
        assert caretaker.member(bob.user) is not None
        await caretaker.write()

    in_room(yard, room, close)
    assert len(asked(yard, chronicles_of, room)) == 1, "what was played until it closed"


# Leaders and rounds


def test_leaders_of_a_day_are_those_who_won_points_on_it(yard: Yard, hands: Hands) -> None:
    room = open_room(yard)
    users = [changed(yard, register_member, "den", name, yard.clock()).user for name in ("Bob", "Eve")]
    today = day_of(yard.clock())

    async def play(caretaker: Caretaker) -> None:
        bob, eve = (member_in(caretaker, user) for user in users)
        bob.points, eve.points = 30, 10
        await caretaker.write()
        hands.pass_ms(DAY)
        eve.points += 50
        bob.points -= 4
        await caretaker.write()

    in_room(yard, room, play)

    def table(day: int | None) -> list[tuple[str, int]]:
        return [(leader.name, leader.points) for leader in asked(yard, leaders_of, room, day)]

    assert table(None) == [("Eve", 60), ("Bob", 26)]
    assert table(today) == [("Bob", 30), ("Eve", 10)]
    assert table(today + 1) == [("Eve", 50), ("Bob", -4)]
    assert asked(yard, days_of, room) == [today + 1, today]
    assert verify(yard).troubles == []


def test_only_so_many_rounds_are_kept_and_boards_come_from_them(yard: Yard, hands: Hands) -> None:
    room = open_room(yard, house=[BOT, BOT])
    object.__setattr__(yard.config, "rounds_kept", 2)
    user = ""

    async def play(caretaker: Caretaker) -> None:
        nonlocal user
        live = caretaker.lobby.rooms["den"]
        user = live.members[0].user
        for _ in range(60):
            live.tick()
        await caretaker.write()

    in_room(yard, room, play)
    assert len(asked(yard, chronicles_of, room)) == 2
    stints = asked(yard, lambda connection: connection.execute(sa.select(STINT.c.chronicle)).scalars().all())
    assert len(set(stints)) == 2
    boards = asked(yard, boards_before, yard.blobs, user, 1 << 50)
    stints_kept = [played.stint for played in asked(yard, stints_before, user, 1 << 50)]
    entries = sum(stint.end - stint.begin for stint in stints_kept)
    assert entries - 2 * len(stints_kept) <= len(boards) < entries  # to come and to be set down are no turns
    assert {len(board.board) for board in boards} == {len("board=") + 49}
    assert verify(yard).troubles == []


def test_verify_finds_points_and_rounds_that_were_altered(yard: Yard) -> None:
    room = open_room(yard, house=[BOT, BOT])

    async def play(caretaker: Caretaker) -> None:
        ticked(caretaker, 30)
        caretaker.lobby.rooms["den"].members[0].points += 7
        await caretaker.write()

    in_room(yard, room, play)
    with yard.database.writing() as connection:
        connection.execute(sa.update(MEMBER_DAY).values(points=MEMBER_DAY.c.points + 1))
        connection.execute(sa.update(CHRONICLE).values(ticks=CHRONICLE.c.ticks + 1))
    assert {trouble.check for trouble in verify(yard).troubles} == {"rooms", "rounds"}


def test_rooms_go_on_while_nothing_can_be_written_and_write_it_later(
    one_yard: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    yard = one_yard
    room = open_room(yard, house=[BOT, BOT])

    def away(*_: Any, **__: Any) -> None:
        raise DatabaseAway("the database does not answer", hint="try again")

    async def play(caretaker: Caretaker) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(Yard, "change", away)
            for _ in range(30):
                ticked(caretaker, 1)
            member = caretaker.lobby.rooms["den"].members[0]
            member.points += 9
            with pytest.raises(DatabaseAway):
                await caretaker.write()
        await caretaker.write()
        assert asked(yard, leaders_of, room)[0].points >= 9
        assert asked(yard, chronicles_of, room)

    in_room(yard, room, play)
    assert verify(yard).troubles == []
