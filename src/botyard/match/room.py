"""A room: fields driven by the clock, on which players come and go.

A match asks and waits; a room does neither. It ticks when it is told to, with whatever orders have come by then, and
shows every player the new board. Members hold their place while nobody speaks for them: their pieces go on as the
rules say. Nothing here does I/O or waits, so nobody can delay a tick by being slow. Nor can anybody stop one: what
fails while one member is dealt with is logged, and that member is left to itself; a field whose rules fail is void.

What a crash of this process leaves: nothing. Rooms live in memory, and their points with them.
"""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Iterable, Iterator

from botyard.games.game import Game
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.session import EMPTY_MESSAGE
from botyard.kernel.settings import Settings, fresh_seed
from botyard.match.chronicle import Chronicle, WallTime, wall_ms
from botyard.match.in_process import HousePlayer
from botyard.match.room_field import BoardListener, Member, RoomField

logger = logging.getLogger("botyard.room")

MOST_LISTENERS = 8  # of one member: bots, reconnects that overlap, a forgotten one
MOST_CHRONICLES = 64  # of fields that have ended, until somebody takes them


class Room:
    """Fields under one name and one clock; a further one is opened whenever all others are full."""

    def __init__(
        self,
        name: str,
        book: Rulebook,
        settings: Settings,
        patience_ms: int = 0,
        tick_ms: int | None = None,
        clock: WallTime = wall_ms,
    ) -> None:
        self.name, self.book, self.part = name, book, book.room
        self.fields: list[RoomField] = []
        self.members: list[Member] = []  # in the order in which they registered
        self.chronicles: deque[Chronicle] = deque(maxlen=MOST_CHRONICLES)
        self._clock, self._opened = clock, 0
        self.blank = self.prepared(settings, tick_ms)
        self.tick_ms = self._wanted_tick_ms = move_ms(self.blank)
        self._patience_ms = patience_ms  # after which a silent member loses its seat; 0: never

    # What is played

    @property
    def settings(self) -> Settings:
        """Those of every field that is opened now. Fields that were opened before play their round by their own."""
        return self.blank.settings

    def prepared(self, settings: Settings, tick_ms: int | None = None) -> Game:
        """Returns what every field by these settings is a copy of: the arena is made once, and compiled rules are
        loaded before anybody waits."""
        blank = Game(self.book, self.part.room_settings(settings, tick_ms), 0)
        rehearsal = RoomField(blank.copy(), self.part)
        if rehearsal.admit(probe := Member("", "", "", self.book.wire.open_session(blank.settings, 0))):
            rehearsal.tick()
            rehearsal.release(probe)
        return blank

    def adopt(self, blank: Game) -> None:
        """Plays by other settings from the next round on: each field begins anew as soon as no round is under way."""
        self.blank, self._wanted_tick_ms = blank, move_ms(blank)

    @property
    def settled(self) -> bool:
        """Whether every field plays by the settings of the room."""
        return all(each.game.settings is self.settings for each in self.fields)

    def reset(self) -> None:
        """Takes everybody's points; whoever had a seat begins anew."""
        seated = [member for each in self.fields for member in self._ended(each)]
        self.fields.clear()
        for member in self.members:
            member.points = member.gained = 0
        self._seat_all(seated)

    def close(self, reason: str) -> None:
        """Ends every field, and sends all listeners away."""
        for each in self.fields:
            self._ended(each)
        self.fields.clear()
        for member in self.members:
            dismiss_all(member, reason)

    def _ended(self, field: RoomField) -> list[Member]:
        """Ends a field, and gives who sat there."""
        self._write_no_further(field)
        return field.end()

    def _write_no_further(self, field: RoomField) -> None:
        """Ends a chronicle, and keeps it for whoever takes it."""
        if field.chronicle.end(field.game):
            self.chronicles.append(field.chronicle)

    def _begins_anew(self, field: RoomField) -> bool:
        """Whether a field is to be given up now for another one: because of other settings, or to be written down."""
        if field.game.settings is not self.settings:
            return not field.round_running
        chronicle = field.chronicle
        if chronicle.overfull or (chronicle.full and field.round_running is None):
            self._write_no_further(field)
        return chronicle.full and field.round_running is False

    # Members

    def add(self, user: str, name: str, code: str, bot: HousePlayer | None = None) -> Member:
        """A new member; a house bot takes its seat at once, everybody else when somebody first speaks for them."""
        session = self.book.wire.open_session(self.settings, len(self.members))
        member = Member(user, name, code, session, bot, settings=self.settings)
        self.members.append(member)
        if bot is not None:
            self.seat(member)
        return member

    def seat(self, member: Member) -> None:
        """On the first field that has room, else on a new one."""
        if member.field is not None:
            return
        if member.settings is not self.settings:
            self._fit(member)
        if any(taken.admit(member) for taken in self.fields if taken.game.settings is self.settings):
            return
        fresh = self.blank.copy()
        fresh.seed = fresh_seed()
        fresh.begin()
        self._opened += 1
        self.fields.append(RoomField(fresh, self.part, self._clock, self._opened))
        assert self.fields[-1].admit(member), "a new field has room for one"

    def _fit(self, member: Member) -> None:
        """Gives a member what it needs to play by the settings of the room."""
        member.settings = self.settings
        member.session = self.book.wire.open_session(self.settings, self.members.index(member))
        if member.bot is not None:
            member.bot = member.bot.playing_by(self.book, self.settings)

    def remove(self, member: Member, reason: str) -> None:
        """A member goes for good; what that costs is up to the rules."""
        if member.field is not None:
            member.field.release(member)
        self.members.remove(member)
        dismiss_all(member, reason)

    def dismiss(self, member: Member, reason: str) -> None:
        """Sends away all who listen for a member, who may come again."""
        dismiss_all(member, reason)

    def attach(self, member: Member, listener: BoardListener) -> None:
        """Adds a listener to a member and seats the member. One listener too many sends the oldest away."""
        member.silent_ticks = 0
        member.listeners.append(listener)
        if len(member.listeners) > MOST_LISTENERS:
            member.listeners.pop(0).dismiss("too many sockets for this player")
        self.seat(member)

    def detach(self, member: Member, listener: BoardListener) -> None:
        if listener in member.listeners:
            member.listeners.remove(listener)

    def receive(self, member: Member, text: str) -> None:
        """An answer in the game's own words. One that is wrong has no effect (specification 6.4)."""
        with self._sparing(member):
            order = member.session.receive(text.encode("utf-8", "replace") or EMPTY_MESSAGE)
            if isinstance(order, int):
                member.silent_ticks = 0
                member.order = order if member.order == NO_ORDER else self.part.merged(member.order, order)

    @contextlib.contextmanager
    def _sparing(self, member: Member) -> Iterator[None]:
        """Keeps a failure in our handling of one member from the others. That member loses its listeners and its bot,
        and may connect again."""
        try:
            yield
        except Exception:
            logger.exception("our handling of %s in room %s failed", member.name, self.name)
            member.bot = None
            dismiss_all(member, "our own handling of this player failed")

    def tick(self) -> None:
        """One tick, all at once."""
        for _ in self.tick_in_portions():
            pass

    def tick_in_portions(self) -> Iterator[None]:
        """All fields step, those who have finished a match change the field, and everybody sees a new board.

        Making boards is most of the work: between two fields others may have their turn, so that a large room does not
        hold up its neighbours.
        """
        self._send_the_silent_away()
        finished = [member for each in self.fields for member in each.tick()]
        for each in self.fields:
            if not each.members or self._begins_anew(each):
                finished += self._ended(each)
        self.fields = [each for each in self.fields if each.members]
        self._seat_all(finished)
        if self.tick_ms != self._wanted_tick_ms and self.settled:
            self.tick_ms = self._wanted_tick_ms
        for each in list(self.fields):
            for member in list(each.members.values()):
                with self._sparing(member):
                    member.show()
            yield

    def _seat_all(self, members: Iterable[Member]) -> None:
        for member in members:
            with self._sparing(member):
                self.seat(member)

    def _send_the_silent_away(self) -> None:
        """A seat is not held for ever: a member without bot and listener gives it up after a while, but may return."""
        for member in self.members:
            if member.field is None or member.bot is not None or member.listeners:
                continue
            member.silent_ticks += 1
            if 0 < self._patience_ms // self.tick_ms < member.silent_ticks:
                with self._sparing(member):
                    member.field.release(member)


def dismiss_all(member: Member, reason: str) -> None:
    """Sends away all who listen for a member."""
    listeners = list(member.listeners)
    member.listeners.clear()
    for listener in listeners:
        with contextlib.suppress(Exception):
            listener.dismiss(reason)


def move_ms(game: Game) -> int:
    """Returns the time from board to board, which a bot has for its answer."""
    return game.book.wire.open_session(game.settings, 0).move_ms
