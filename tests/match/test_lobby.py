"""Lobbies without a network: who is registered, and when rooms tick."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from botyard.kernel.errors import UnknownName, YardError
from botyard.match import lobby as lobbies
from botyard.match.lobby import Full, Lobby, Metronome, NameTaken, fresh_code, next_beat
from botyard.match.room import Room
from tests.links.hall import make_room
from tests.match.stage import without_waiting
from tests.match.test_room import FREE, newcomer
from tests.waiting import finished, until


def test_a_name_is_registered_once_in_a_room() -> None:
    lobby = Lobby()
    room, other = lobby.open(make_room()), lobby.open(make_room("other"))
    lobby.register(room, "ann")
    with pytest.raises(NameTaken):
        lobby.register(room, " ann ")
    assert lobby.register(other, "ann").name == "ann"
    with pytest.raises(YardError, match="a room 'other' already"):
        lobby.open(make_room("other"))
    with pytest.raises(UnknownName):
        lobby.room("cellar")


@pytest.mark.parametrize(
    ("name", "user", "code"),
    [("", "", ""), ("x" * 51, "", ""), ("\x1b[31m", "", ""), ("a", "a-b", "7"), ("a", "é", "7"), ("a", "a", "7x")],
)
def test_what_no_client_could_read_is_refused(name: str, user: str, code: str) -> None:
    lobby = Lobby()
    with pytest.raises(YardError):
        lobby.register(lobby.open(make_room()), name, user, code)


def test_only_so_many_players_can_register(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobbies, "MOST_MEMBERS", 2)
    lobby = Lobby()
    room = lobby.open(make_room())
    lobby.register(room, "a", "a")
    with pytest.raises(NameTaken):
        lobby.register(room, "b", "a")
    lobby.register(room, "b")
    with pytest.raises(Full):
        lobby.register(room, "c")


def test_codes_that_are_made_up_have_nineteen_digits() -> None:
    """A hundred are enough: from a wider range at least every tenth would be longer."""
    assert {len(fresh_code()) for _ in range(100)} == {19}


def test_rooms_tick_apart_from_each_other() -> None:
    lobby = Lobby()
    room = make_room()
    for number in range(60):
        twin = object.__new__(Room)
        twin.__dict__.update(room.__dict__, name=str(number))
        lobby.open(twin)
    phases = sorted(metronome.phase for metronome in lobby.metronomes.values())
    gaps = [after - before for before, after in zip(phases, [*phases[1:], phases[0] + 1], strict=True)]
    assert min(gaps) > 0.4 / 60
    assert max(gaps) < 3 / 60


def test_a_running_lobby_ticks_its_rooms_also_those_opened_later() -> None:
    async def main() -> tuple[int, int]:
        lobby = Lobby()
        early = lobby.open(make_room("early", tick_ms=5, **FREE))
        newcomer(early, "a")
        async with lobby.running():
            late = lobby.open(make_room("late", tick_ms=5, **FREE))
            newcomer(late, "b")
            await until(lambda: min(early.fields[0].game.state.tick, late.fields[0].game.state.tick) >= 3)
        ticks = int(early.fields[0].game.state.tick), int(late.fields[0].game.state.tick)
        await asyncio.sleep(1)  # which this loop jumps over
        assert ticks == (early.fields[0].game.state.tick, late.fields[0].game.state.tick)  # it has stopped
        return ticks

    assert min(without_waiting(main())) >= 3


class TimedRoom:
    """A room that notes when it ticks."""

    name, tick_ms = "timed", 500

    def __init__(self) -> None:
        self.beats: list[float] = []

    def tick_in_portions(self) -> Iterator[None]:
        self.beats.append(asyncio.get_running_loop().time())
        return iter(())


def test_a_room_ticks_in_its_own_time() -> None:
    async def main() -> list[float]:
        room: Any = TimedRoom()
        metronome = Metronome(room, 0.0)
        metronome.start(asyncio.get_running_loop().time())
        await asyncio.sleep(5.25)
        metronome.stop()
        return list(room.beats)

    assert without_waiting(main()) == pytest.approx([0.5 * beat for beat in range(1, 11)], abs=0.001)


class BrokenRoom:
    """A room whose ticks fail."""

    name, tick_ms, beats = "broken", 5, 0

    def tick_in_portions(self) -> Iterator[None]:
        self.beats += 1
        yield
        raise RuntimeError("our own fault")


def test_a_tick_that_fails_is_reported_and_the_next_one_comes(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        room: Any = BrokenRoom()
        metronome = Metronome(room, 0.0)
        metronome.start(asyncio.get_running_loop().time())
        await until(lambda: room.beats >= 3)
        metronome.stop()

    finished(main())
    assert "room broken failed in a tick" in caplog.text


@pytest.mark.parametrize(
    ("now", "due"), [(10.0, 12.0), (11.5, 12.0), (12.5, 14.0), (17.0, 18.0), (18.0, 20.0)], ids=str
)
def test_the_next_beat_is_when_it_always_was_and_missed_ones_are_left_out(now: float, due: float) -> None:
    assert next_beat(10.0, now, 2.0) == due
