"""Several rooms in one place: who is registered where, and when each room ticks."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import secrets
import string
from collections import deque
from collections.abc import AsyncIterator, Iterator

from botyard.kernel.errors import UnknownName, YardError
from botyard.match.in_process import HousePlayer
from botyard.match.room import Room
from botyard.match.room_field import Member

logger = logging.getLogger("botyard.room")

USER_SIGNS = string.ascii_lowercase + string.digits  # some clients take no others
USER_LENGTH = 20
LONGEST_USER = 100
LONGEST_CODE = 50
LONGEST_NAME = 50
MOST_MEMBERS = 10_000  # of all rooms: registering is open to anybody, memory is not
GOLDEN_RATIO = 0.618033988749895
LATENESS_KEPT = 1000


class NameTaken(YardError):
    """Somebody is registered under this name already."""


class Full(YardError):
    """There are as many players as the server takes."""


class Metronome:
    """Ticks one room at its own moment of the period, for ever.

    A beat that comes late is not made up for by hurrying: the next one is due when it always was, and beats that were
    missed altogether are left out. A failure of a room's tick is ours: it is reported, and neither the other rooms nor
    the next tick of this one suffer from it.
    """

    def __init__(self, room: Room, phase: float) -> None:
        self.room, self.phase = room, phase
        self.lateness: deque[float] = deque(maxlen=LATENESS_KEPT)  # seconds, of the last beats
        self.due = 0.0
        self._portions: Iterator[None] = iter(())
        self._timer: asyncio.Handle | None = None

    @property
    def period_s(self) -> float:
        return self.room.tick_ms / 1000

    def start(self, origin: float) -> None:
        """Sets the first beat after now; `origin` is the moment all rooms count their phases from."""
        loop = asyncio.get_running_loop()
        self.due = next_beat(origin + (self.phase - 1) * self.period_s, loop.time(), self.period_s)
        self._timer = loop.call_at(self.due, self._beat)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _beat(self) -> None:
        self.lateness.append(asyncio.get_running_loop().time() - self.due)
        self._portions = self.room.tick_in_portions()
        self._go_on()

    def _go_on(self) -> None:
        """The next portion of a tick; after the last one, the next beat."""
        loop = asyncio.get_running_loop()
        try:
            next(self._portions)
        except StopIteration:
            pass
        except Exception:
            logger.exception("room %s failed in a tick", self.room.name)
        else:
            self._timer = loop.call_soon(self._go_on)
            return
        self.due = next_beat(self.due, loop.time(), self.period_s)
        self._timer = loop.call_at(self.due, self._beat)


def next_beat(due: float, now: float, period_s: float) -> float:
    """The first beat after now; `due` was one of them."""
    return due + ((now - due) // period_s + 1) * period_s


class Lobby:
    """All rooms and all members. `running` lets the rooms tick."""

    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}
        self.metronomes: dict[str, Metronome] = {}
        self._members: dict[str, tuple[Room, Member]] = {}
        self._origin: float | None = None

    # Rooms

    def open(self, room: Room) -> Room:
        """Adds a room. Its moment of the period is a golden-ratio step from the last one's: any number lies apart."""
        if room.name in self.rooms:
            raise YardError(f"there is a room {room.name!r} already", hint="give it another name")
        self.rooms[room.name] = room
        self.metronomes[room.name] = Metronome(room, len(self.metronomes) * GOLDEN_RATIO % 1)
        if self._origin is not None:
            self.metronomes[room.name].start(self._origin)
        return room

    def close(self, room: Room, reason: str) -> None:
        """Takes a room away, and its members with it."""
        self.metronomes.pop(room.name).stop()
        del self.rooms[room.name]
        room.close(reason)
        for member in room.members:
            del self._members[member.user]

    def room(self, name: str) -> Room:
        if name not in self.rooms:
            raise UnknownName("room", name, list(self.rooms))
        return self.rooms[name]

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While inside, every room ticks."""
        self._origin = asyncio.get_running_loop().time()
        for metronome in self.metronomes.values():
            metronome.start(self._origin)
        try:
            yield
        finally:
            self._origin = None
            for metronome in self.metronomes.values():
                metronome.stop()

    # Members

    def register(self, room: Room, name: str, user: str = "", code: str = "", bot: HousePlayer | None = None) -> Member:
        """A new member of a room; without user and code, with ones nobody can guess."""
        name = name.strip()
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise YardError(
                f"the name {name[:LONGEST_NAME]!r} cannot be used", hint=f"use 1 to {LONGEST_NAME} printable characters"
            )
        if any(member.name == name for member in room.members):
            hint = "keep playing at the address you were given, or choose another name"
            raise NameTaken(f"{name!r} is registered in {room.name!r} already", hint=hint)
        if len(self._members) >= MOST_MEMBERS:
            raise Full(
                f"{MOST_MEMBERS} players are registered already",
                hint="nobody else can register until this server is restarted",
            )
        user, code = user or fresh_user(), code or fresh_code()
        check_user(user, code)
        if user in self._members:
            raise NameTaken(f"there is a user {user!r} already", hint="choose another name")
        member = room.add(user, name, code, bot)
        self._members[user] = (room, member)
        return member

    def remove(self, user: str, reason: str) -> None:
        """A member goes for good."""
        room, member = self._members.pop(user)
        room.remove(member, reason)

    def find(self, user: str) -> tuple[Room, Member] | None:
        return self._members.get(user)

    def admit(self, user: str, code: str) -> tuple[Room, Member] | None:
        """The member with this code, which is all that a client has to show."""
        found = self._members.get(user)
        expected = found[1].code if found else fresh_code()
        if hmac.compare_digest(expected.encode(), code.encode("utf-8", "replace")) and found:
            return found
        return None


def fresh_user() -> str:
    return "".join(secrets.choice(USER_SIGNS) for _ in range(USER_LENGTH))


def fresh_code() -> str:
    """Digits only, nineteen of them."""
    return str(10**18 + secrets.randbelow(9 * 10**18))


def check_user(user: str, code: str) -> None:
    """Only what every client can read in an address (specification 6.1)."""
    if not (user.isascii() and user.replace("_", "a").isalnum() and len(user) <= LONGEST_USER):
        raise YardError(
            f"the user id {user!r} cannot be used", hint=f"use at most {LONGEST_USER} letters, digits and underscores"
        )
    if not (code.isascii() and code.isdigit() and len(code) <= LONGEST_CODE):
        raise YardError(f"the code {code!r} cannot be used", hint=f"use at most {LONGEST_CODE} digits and nothing else")
