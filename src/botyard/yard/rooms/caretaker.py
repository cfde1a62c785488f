"""The caretaker keeps the rooms of a yard: it opens those that the tables name, lets them tick, and writes down what
happened in them.

Rows say what should be, and the caretaker makes it so: `follow` reads the rows of a room and opens, changes, resets or
closes it. Whoever changes rows calls it; it also reads the events, so that nothing stays undone if a call was lost or
somebody was banned. After a crash everything is there again but the round that was being played.

Points and rounds are written in batches, in a thread, outside the ticks. If the database is away or the disk is full,
rooms go on ticking: points wait, and of rounds the oldest are given up.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from dataclasses import dataclass

import sqlalchemy as sa

from botyard.kernel.errors import OurFault, YardError
from botyard.match.lobby import Lobby
from botyard.match.room import Room
from botyard.match.room_field import Member
from botyard.yard.data.events import events_after
from botyard.yard.data.tables import COUNTER
from botyard.yard.rooms.chronicles import EndedField, keep_chronicle
from botyard.yard.rooms.live_room import LiveRoom, made_room, prepared
from botyard.yard.rooms.members import MemberRow, members_of, seat_house_bots, server_key
from botyard.yard.rooms.points import day_of, write_points
from botyard.yard.rooms.rooms import RoomRow, all_rooms, room_numbered
from botyard.yard.site import Yard
from botyard.yard.web.workshop import Workshop

WRITE_EVERY_S = 5.0
MOST_WAITING = 200  # chronicles that could not be written yet
FOLLOWED = (
    "room.opened", "room.settings", "room.changed", "room.reset", "room.closed", "member.joined", "member.code",
    "member.left", "member.removed",
)  # fmt: skip
GOING = "person.banned", "person.deleted"  # who leaves all rooms
TROUBLE = YardError, OurFault, OSError, sa.exc.SQLAlchemyError

log = logging.getLogger("botyard.yard.rooms")


@dataclass(frozen=True, slots=True)
class RoomTold:
    """All that the tables say of one room."""

    row: RoomRow
    members: list[MemberRow]
    key: bytes


def read_room(connection: sa.Connection, room: int, now_ms: int) -> RoomTold:
    """Returns what the tables say of a room; its house bots become members first."""
    row = room_numbered(connection, room)
    if row.is_open:
        seat_house_bots(connection, row, now_ms)
    return RoomTold(row, members_of(connection, room), server_key(connection))


class Caretaker:
    """The rooms of one yard, in one event loop."""

    def __init__(self, yard: Yard, workshop: Workshop | None = None) -> None:
        self.yard, self.workshop, self.lobby = yard, workshop or Workshop(), Lobby()
        self.troubles: dict[int, str] = {}  # by room: why it does not tick
        self._rooms: dict[int, LiveRoom] = {}
        self._ended: deque[EndedField] = deque(maxlen=MOST_WAITING)
        self._following = asyncio.Lock()
        self._seen = -1  # the last event

    # Looking

    def live(self, room: int) -> LiveRoom | None:
        return self._rooms.get(room)

    def named(self, slug: str) -> Room | None:
        return self.lobby.rooms.get(slug)

    def member(self, user: str) -> Member | None:
        found = self.lobby.find(user)
        return found[1] if found else None

    # Making rooms what their rows say

    async def follow(self, room: int) -> None:
        """Makes a room what its rows say."""
        async with self._following:
            told = await self.yard.change(read_room, room, self.yard.clock())
            try:
                await self._follow(told)
            except YardError as error:
                self.troubles[room] = str(error)
                log.warning("room %s cannot be opened: %s", told.row.slug, error)
            else:
                self.troubles.pop(room, None)

    async def _follow(self, told: RoomTold) -> None:
        live, row = self._rooms.get(told.row.id), told.row
        if not row.is_open:
            if live is not None:
                live.close()
                self._ended.extend(live.ended_fields())
                del self._rooms[row.id]
            return
        if live is None:
            live = self._rooms[row.id] = LiveRoom(self.lobby, row, await self.workshop.make(made_room, row))
        elif live.row.settings != row.settings:
            live.room.adopt(await self.workshop.make(prepared, live.room, row))
        if live.row.generation != row.generation:
            live.reset()
        live.row = row
        live.take_members(told.members, told.key)

    async def follow_all(self) -> None:
        """Makes every room what its rows say."""
        self._seen = await self.yard.ask(last_event)
        for row in await self.yard.ask(all_rooms):
            if row.is_open or row.id in self._rooms:
                await self.follow(row.id)

    async def _hear_events(self) -> None:
        """Follows what was changed by others, or by somebody whose call did not come through."""
        kinds = (*FOLLOWED, *GOING)
        events = await self.yard.ask(events_after, self._seen, admin=True, kinds=kinds)
        if any(event.kind in GOING for event in events):
            await self.follow_all()
        slugs = {event.subject.removeprefix("room/") for event in events if event.kind in FOLLOWED}
        for row in await self.yard.ask(all_rooms) if slugs else ():
            if row.slug in slugs:
                await self.follow(row.id)
        self._seen = max([self._seen, *(event.number for event in events)])

    # Ticking and writing

    async def run(self) -> None:
        """Lets all rooms tick, until this is cancelled; then writes what is left to write."""
        async with self.lobby.running():
            try:
                await self._go_on()
            finally:
                for live in self._rooms.values():
                    live.room.close("the server ends; come back soon")
                with contextlib.suppress(*TROUBLE):
                    await asyncio.shield(self.write())

    async def _go_on(self) -> None:
        opened = False
        while True:
            try:
                if opened:
                    await self._hear_events()
                else:
                    await self.follow_all()
                    opened = True
                await self.write()
            except TROUBLE as error:
                log.warning("rooms go on, but cannot be looked up or written down now: %s", error)
            await asyncio.sleep(WRITE_EVERY_S)

    async def write(self) -> None:
        """Writes down points, and the rounds that have ended."""
        gains = [gain for live in self._rooms.values() for gain in live.gains()]
        if gains:
            await self.yard.change(write_points, gains, day_of(self.yard.clock()))
            for live in self._rooms.values():
                live.wrote(gains)
        for live in self._rooms.values():
            self._ended.extend(live.ended_fields())
        while self._ended:
            await self._keep(self._ended[0])
            self._ended.popleft()

    async def _keep(self, ended: EndedField) -> None:
        content = await self.workshop.make(ended.chronicle.replay.to_bytes)
        await self.workshop.make(self.yard.blobs.lay_down, content)
        await self.yard.change(keep_chronicle, self.yard.blobs, ended, content, self.yard.config.rounds_kept)


def last_event(connection: sa.Connection) -> int:
    """Returns the number of the last event."""
    found = connection.execute(sa.select(COUNTER.c.value).where(COUNTER.c.name == "event")).scalar_one_or_none()
    return int(found or 0)
