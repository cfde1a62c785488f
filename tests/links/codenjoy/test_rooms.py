"""Rooms over real sockets, as the original's clients use them (specification 6)."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from botyard.games import load
from botyard.kernel.chance import TAPE
from botyard.kernel.facts import NO_ORDER
from botyard.links.codenjoy.addresses import CONTEXT
from botyard.links.websocket.player_socket import PlayerSocket
from botyard.match.room import MOST_LISTENERS, Room
from tests.conftest import outside_recordings
from tests.links.hall import answered, hall, hear, make_room, say
from tests.waiting import finished, until

ROUND: Any = {"rounds_time_before_start": 2, "rounds_min_ticks_for_win": 2}

# Worked example 9.4 of the specification, as player A gets it; what A and B answer to each board.
TRANSCRIPT = [
    ("~&    ", "☼☼    ", "*ø    ", "☼☼    ", "", ""),
    ("╘►    ", "☼☼    ", "×>    ", "☼☼    ", "", ""),
    ("☼╘►   ", "☼☼    ", "☼×>   ", "☼☼    ", "UP", ""),
    ("☼#╙   ", "☼☼    ", "☼#×>  ", "☼☼    ", "", "DOWN"),
    ("~&    ", "☼☼    ", "☼# æ  ", "☼☼ ˅  ", "", ""),
    ("~&    ", "☼☼    ", "*ø    ", "☼☼    ", "", ""),
    ("~&    ", "☼☼    ", "*ø    ", "☼☼    ", "", ""),
    ("╘►    ", "☼☼    ", "×>    ", "☼☼    ", "", ""),
]


def frame_of(rows: tuple[str, ...], top: str) -> str:
    return "board=" + "".join([top, *(f"{row}☼" for row in rows), "☼☼    ☼", "☼☼☼☼☼☼☼"])


def test_a_round_goes_over_the_wire_as_the_specification_draws_it() -> None:
    async def main() -> None:
        async with hall(make_room(**ROUND)) as here:
            ann, bob = here.register("ann", "bob")
            async with here.socket("ann") as first, here.socket("bob") as second:
                for number, (*rows, to_say, other_says) in enumerate(TRANSCRIPT, 1):
                    [got, _] = await here.tick(first, second)
                    top = "☼☼☻☼☼☼☼" if number == 4 else "☼☼☼☼☼☼☼"
                    assert got == frame_of(tuple(rows), top), f"after tick {number}"
                    if to_say:
                        await say(first, ann, to_say)
                    if other_says:
                        await say(second, bob, other_says)
            assert (ann.points, bob.points) == (0, 50)

    finished(main())


def recorded_conversation() -> str:
    return (outside_recordings("snakebattle") / "conversation.txt").read_text()


def test_the_boards_of_the_recorded_conversation_go_out_byte_for_byte() -> None:
    """The reference game with all its dice, in a room; player 1 answers as in the recording, late for board 4."""
    folder = outside_recordings("snakebattle")
    part = recorded_conversation().partition("Part 2.")[0]
    expected = {int(n): text for text, n in re.findall(r">> text '(board=.*)'   \(tick (\d+),", part)}
    assert list(expected) == [1, 2, 3, 4, 7, 8, 9, 10]
    lines = gzip.decompress((folder / "smoke_full.jsonl.gz").read_bytes()).decode().splitlines()
    head, *ticks = (json.loads(line) for line in lines[:11])
    book = load("snakebattle")
    settings = book.settings.read({**head["settings"], "rounds_players_per_room": 5}, "program")
    room = Room("snakebattle", book, settings)
    room.blank.arena.chance_kind = TAPE

    async def main() -> None:
        async with hall(room) as here:
            room.blank.feed(list(zip(head["faces"], head["dice"], strict=True)))
            members = here.register("p1", "p2", "p3", "p4", "p5")
            async with here.socket("p1") as socket:
                for member in members[1:]:
                    room.seat(member)
                game = room.fields[0].game
                for record in ticks:
                    number = record["tick"]
                    for member, answer in zip(members, record["answers"], strict=True):
                        room.receive(member, answer)
                    game.feed(list(zip(record["faces"], record["dice"], strict=True)))
                    room.tick()
                    assert game.draws_fit
                    if number + 1 in expected:
                        assert await hear(socket) == expected[number + 1]
                        if number + 1 != 4:
                            await socket.send("")  # an answer that orders nothing
                            await until(lambda: answered(members[0]))
                    elif number + 1 == 6:  # nothing came for boards 5 and 6; only now is board 4 answered
                        await socket.send("")
                        await until(lambda: answered(members[0]))

    finished(main())


def handshakes(text: str) -> list[tuple[str, int]]:
    """The requests of the recording as bytes on the wire, with the status of the answer."""
    found = []
    for lines, status in re.findall(r"((?:^ *[\d.]+ <<.*\n)+) *[\d.]+ >> HTTP (\d+)", text, re.MULTILINE):
        first, *headers = [line.partition("<<")[2].strip() for line in lines.splitlines() if "<< text" not in line]
        request = [f"{first.removeprefix('HTTP ')} HTTP/1.1", *headers, "", ""]
        found.append(("\r\n".join(request), int(status)))
    return found


def test_the_handshakes_of_the_original_clients_are_answered_as_recorded() -> None:
    wanted = handshakes(recorded_conversation())
    assert [status for _, status in wanted] == [101, 401, 101, 401, 401]

    async def main() -> None:
        async with hall() as here:
            here.lobby.register(here.room, "recorded", "dn3oc6l0g4mrnjx4tfh1", "531459153668826800")
            for request, status in wanted:
                reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
                writer.write(request.encode())
                answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                assert answer.startswith(f"http/1.1 {status} ")
                assert "sec-websocket-extensions" not in answer  # nothing is compressed, whatever was offered
                writer.close()

    finished(main())


@pytest.mark.parametrize(
    ("user", "code"), [("ann", "8"), ("ann", ""), ("nobody", "7"), ("", ""), ("bob", "7"), ("ann", "é")]
)
def test_a_wrong_code_is_refused_with_401(user: str, code: str) -> None:
    async def main() -> None:
        async with hall() as here:
            here.register("ann")
            here.lobby.register(here.room, "bob", "bob", "9")
            with pytest.raises(InvalidStatus) as refused:
                async with here.socket(user, code):
                    pass
            assert refused.value.response.status_code == 401
            assert here.room.fields == []  # nobody was seated for it

    finished(main())


def test_nothing_is_sent_before_a_tick_and_frames_before_the_first_board_are_dropped() -> None:
    async def main() -> None:
        async with hall(make_room(rounds_enabled=False)) as here:
            [ann] = here.register("ann")
            async with here.socket("ann") as socket:
                await socket.send("ACT(0)")
                await socket.send("UP")
                [listener] = ann.listeners
                assert isinstance(listener, PlayerSocket)
                await until(lambda: listener._unasked == 2)  # both have been read
                assert ann.order == NO_ORDER
                [first] = await here.tick(socket)
                assert first == ann.board  # the first it ever got
                assert "╘►" in first

    finished(main())


def test_the_first_frame_after_a_board_is_the_answer_and_the_rest_is_dropped() -> None:
    async def main() -> None:
        async with hall(make_room(rounds_enabled=False)) as here:
            [ann] = here.register("ann")
            async with here.socket("ann") as socket:
                await here.tick(socket)
                await socket.send("DOWN")
                await socket.send("UP")
                await socket.send("ACT(0)")
                [listener] = ann.listeners
                assert isinstance(listener, PlayerSocket)
                await until(lambda: listener._unasked == 2)  # those after the first have been read
                [second] = await here.tick(socket)
                assert "▼" in second

    finished(main())


def test_all_sockets_of_a_player_get_every_board_and_all_may_answer() -> None:
    async def main() -> None:
        async with hall(make_room(rounds_enabled=False)) as here:
            [ann] = here.register("ann")
            async with here.socket("ann") as one, here.socket("ann") as other:
                first, second = await here.tick(one, other)
                assert first == second
                await say(one, ann, "UP")
                await say(other, ann, "DOWN,ACT")  # carried out in the order they came: the last direction counts
                assert ann.order == load("snakebattle").facts.order_named("down drop")
                first, second = await here.tick(one, other)
                assert first == second
                assert "▼" in first

    finished(main())


def test_a_player_whose_socket_closes_stays_and_may_come_back() -> None:
    async def main() -> None:
        async with hall(make_room(rounds_enabled=False)) as here:
            [ann] = here.register("ann")
            async with here.socket("ann") as socket:
                [before] = await here.tick(socket)
            await until(lambda: not ann.listeners)
            here.room.tick()  # its snake goes straight on
            field = ann.field
            async with here.socket("ann") as socket:
                assert ann.field is field
                [after] = await here.tick(socket)
            assert before.index("►") + 2 == after.index("►")

    finished(main())


def test_a_ninth_socket_of_a_player_sends_the_oldest_away() -> None:
    async def main() -> None:
        async with hall() as here:
            [ann] = here.register("ann")
            async with here.socket("ann") as oldest:
                address = f"ws://127.0.0.1:{here.port}{CONTEXT}/ws?user=ann&code=7"
                others = [await connect(address, compression=None, proxy=None) for _ in range(MOST_LISTENERS)]
                with pytest.raises(ConnectionClosed) as closed:
                    await hear(oldest)
                assert closed.value.rcvd is not None
                assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1013, "too many sockets for this player")
                assert len(ann.listeners) == MOST_LISTENERS
                await here.tick(*others)
                await asyncio.gather(*(socket.close() for socket in others))

    finished(main())


def test_with_wait_for_answer_a_slow_bot_misses_boards_but_gets_no_stale_one() -> None:
    async def main() -> None:
        async with hall(make_room(rounds_enabled=False, wait_for_answer=True)) as here:
            [ann] = here.register("ann")
            async with here.socket("ann") as socket:
                [first] = await here.tick(socket)
                here.room.tick()
                await say(socket, ann, "DOWN")
                [third] = await here.tick(socket)  # and not the second
                assert first.index("►") + 1 + 7 == third.index("▼")

    finished(main())


def test_who_comes_during_a_round_sleeps_until_the_next() -> None:
    async def main() -> None:
        async with hall(make_room(rounds_players_per_room=3, level_map=THREE_STARTS, **ROUND)) as here:
            here.register("ann", "bob", "cid")
            async with here.socket("ann") as one, here.socket("bob") as two:
                for _ in range(3):
                    await here.tick(one, two)
                async with here.socket("cid") as late:
                    [asleep, seen] = await here.tick(late, one)
                    assert "&" in asleep
                    assert "ø" in seen

    finished(main())


THREE_STARTS = "☼☼☼☼☼☼☼\n☼#    ☼\n☼☼    ☼\n☼#    ☼\n☼☼    ☼\n☼#    ☼\n☼☼☼☼☼☼☼"


def test_a_third_player_gets_a_second_field_when_the_first_is_full() -> None:
    async def main() -> None:
        async with hall() as here:
            ann, bob, cid = here.register("ann", "bob", "cid")
            async with here.socket("ann") as one, here.socket("bob") as two, here.socket("cid") as three:
                assert ann.field is bob.field is not cid.field
                assert len(here.room.fields) == 2
                boards = await here.tick(one, two, three)
                assert "ø" in boards[0]
                assert "ø" not in boards[2]

    finished(main())


def test_boards_go_to_a_lone_player_but_the_clock_waits_for_a_second() -> None:
    async def main() -> None:
        async with hall(make_room(**ROUND)) as here:
            here.register("ann", "bob")
            async with here.socket("ann") as one:
                for _ in range(5):
                    [alone] = await here.tick(one)
                    assert "~&" in alone
                async with here.socket("bob"):
                    await here.tick(one)
                    [started] = await here.tick(one)
                    assert "╘►" in started

    finished(main())


@pytest.mark.parametrize("bad", ["hello", "", "x" * 999, "ACT( 0)", "<script>", "\u202e"])
def test_a_bad_answer_has_no_effect_and_closes_nothing(bad: str) -> None:
    async def main() -> None:
        async with hall(make_room(rounds_enabled=False)) as here:
            [ann] = here.register("ann")
            async with here.socket("ann") as socket:
                [before] = await here.tick(socket)
                await socket.send(bad)
                await until(lambda: answered(ann))
                [after] = await here.tick(socket)
                assert before.index("►") + 1 == after.index("►")

    finished(main())


def test_a_binary_frame_is_no_answer() -> None:
    async def main() -> None:
        async with hall(make_room(rounds_enabled=False)) as here:
            [ann] = here.register("ann")
            async with here.socket("ann") as socket:
                await here.tick(socket)
                await socket.send(b"UP")
                await say(socket, ann, "DOWN")

    finished(main())


def test_a_board_is_drawn_once_for_all_who_look() -> None:
    """The text of a board is made when first wanted, and shared."""

    async def main() -> None:
        async with hall() as here:
            [ann] = here.register("ann")
            async with here.socket("ann") as one, here.socket("ann") as two:
                await here.tick(one, two)
                assert ann.board is ann.board

    finished(main())
