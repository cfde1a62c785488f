"""A room: fields driven by the clock, on which players come and go.

A match asks and waits; a room does neither. It ticks when it is told to, with whatever orders have come by then, and
shows every player the new board. Members hold their place while nobody speaks for them: their pieces go on as the
rules say. Nothing here does I/O or waits, so nobody can delay a tick by being slow. Nor can anybody stop one: what
fails while one member is dealt with is logged, and that member is left to itself; a field whose rules fail is void.

What a crash of this process leaves: nothing. Rooms live in memory, and their points with them.
"""

from __future__ import annotations

import contextlib
import dataclasses
import logging
from collections.abc import Iterator
from typing import Protocol

from botyard.games.game import Game
from botyard.games.picture import words_of
from botyard.games.view import View
from botyard.kernel.contract import RoomPart
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.session import EMPTY_MESSAGE, Session
from botyard.kernel.settings import Settings, fresh_seed
from botyard.match.in_process import HousePlayer
from botyard.match.live_film import LiveFilm

logger = logging.getLogger("botyard.room")


class BoardListener(Protocol):
    """Somewhere a member's boards go. It takes them at once or not at all."""

    def show(self, board: str) -> None: ...

    def dismiss(self, reason: str) -> None: ...


LONGEST_FILM = 2000  # ticks that a field's film keeps for those who watch it
MOST_LISTENERS = 8  # of one member: bots, reconnects that overlap, a forgotten one


@dataclasses.dataclass(eq=False, slots=True, repr=False)  # a code is no matter for logs
class Member:
    """Somebody who is registered in a room, with or without a seat at the moment."""

    user: str
    name: str
    code: str
    session: Session
    bot: HousePlayer | None = None
    points: int = 0
    gained: int = 0  # in the last tick
    field: RoomField | None = None
    seat: int = -1
    order: int = NO_ORDER  # all orders since the last tick, merged
    listeners: list[BoardListener] = dataclasses.field(default_factory=list)
    silent_ticks: int = 0  # since somebody last spoke or listened for it
    _view: View | None = None
    _board: str | None = None

    def see(self, view: View) -> None:
        self._view, self._board = view, None

    @property
    def board(self) -> str:
        """The last board as it goes over the wire; written when first wanted, once for all who want it."""
        if self._board is None:
            if self._view is None:
                return ""
            self._board = self.session.ask(self._view).decode()
        return self._board

    def show(self) -> None:
        """Shows the board to all who listen for this member; a house bot decides at once."""
        if self.bot is not None and self._view is not None:
            self.order = self.bot.decide(self._view)
        for listener in self.listeners:
            listener.show(self.board)


class RoomField:
    """One field and who sits on it."""

    def __init__(self, game: Game, part: RoomPart) -> None:
        self.game = game
        self.members: dict[int, Member] = {}
        self._part = part
        self._failed = False  # void: nobody is seated here any more
        self._headline: str | None = None
        self.watchers = 0
        self._film: LiveFilm | None = None  # while somebody watches

    @property
    def headline(self) -> str:
        """How the game stands, in a few words; found once a tick, however many look at it."""
        if self._headline is None:
            self._headline = words_of(self.game).headline
        return self._headline

    @property
    def film(self) -> LiveFilm:
        """What is to be seen here, for whoever asks; it is filmed from now on, as long as it has watchers."""
        if self._film is None:
            self._film = LiveFilm(self.game, self._names)
        return self._film

    @property
    def _names(self) -> list[str]:
        return [self.members[seat].name if seat in self.members else "" for seat in range(self.game.seats)]

    def _shoot(self) -> None:
        """Adds the new position to the film. A film nobody watches ends, and so does a long one: another begins."""
        film = self._film
        if film is None:
            return
        if not self.watchers or film.ticks > LONGEST_FILM:
            film.end(None)
            self._film = None
            return
        film.rename(self._names)
        film.add(self.game)

    def admit(self, member: Member) -> bool:
        """Seats a member, if this field still takes players and has a seat for them."""
        if self._failed or self.game.fault or not self._part.takes_players(self.game):
            return False
        seat = next((seat for seat in range(self.game.seats) if seat not in self.members), None)
        if seat is None:
            return False
        self.game.change("join", seat)
        if seat not in self.game.asked:  # the rules have the last word
            return False
        self._part.bring_points(self.game, seat, member.points)
        self.members[seat] = member
        member.field, member.seat, member.order = self, seat, NO_ORDER
        member.see(self.game.view(seat))
        if member.bot is not None:
            member.bot.wake(self.game.seed, seat)
        return True

    def release(self, member: Member) -> None:
        """A member goes; what that costs is up to the rules."""
        self.game.change("leave", member.seat)
        self._forget(member, self.game.scores)

    def tick(self) -> list[Member]:
        """One step of the rules with the orders of by now. Gives the members whose match here is over."""
        try:
            return self._step()
        except Exception:
            logger.exception("the rules of %s failed", self.game.book.facts.name)
            return self._void()

    def _step(self) -> list[Member]:
        orders = {seat: member.order for seat, member in self.members.items()}
        self._headline = None
        self.game.step_orders(orders)
        if self.game.fault:
            return self._void()
        scores, asked = self.game.scores, set(self.game.asked)
        left = [member for seat, member in self.members.items() if seat not in asked]
        for seat, member in self.members.items():
            member.gained = scores[seat] - member.points
            member.points, member.order = scores[seat], NO_ORDER
            if seat in asked:
                member.see(self.game.view(seat))
        for member in left:
            self._forget(member, scores)
        self._shoot()
        return left

    def _forget(self, member: Member, scores: tuple[int, ...]) -> None:
        member.points = scores[member.seat]
        del self.members[member.seat]
        member.field, member.seat = None, -1

    def _void(self) -> list[Member]:
        """Our own failure ends this field and costs nobody a point: all go to another one."""
        self._failed = True
        logger.error("a field of %s with seed %d is void: our rules failed", self.game.book.facts.name, self.game.seed)
        left = list(self.members.values())
        for member in left:
            member.field, member.seat, member.order = None, -1, NO_ORDER
        self.members.clear()
        return left


class Room:
    """Fields under one name and one clock; a further one is opened whenever all others are full."""

    def __init__(
        self, name: str, book: Rulebook, settings: Settings, patience_ms: int = 0, tick_ms: int | None = None
    ) -> None:
        self.name, self.book, self.part = name, book, book.room
        self.settings: Settings = self.part.room_settings(settings, tick_ms)
        self.fields: list[RoomField] = []
        self.members: list[Member] = []  # in the order in which they registered
        self._patience_ticks = patience_ms // self.tick_ms  # after which a silent member loses its seat; 0: never
        # Every field is a copy of this one: the arena is made once, and compiled rules are loaded before anybody waits.
        self.blank = Game(book, self.settings, 0)
        rehearsal = RoomField(self.blank.copy(), self.part)
        if rehearsal.admit(probe := Member("", "", "", book.wire.open_session(self.settings, 0))):
            rehearsal.tick()
            rehearsal.release(probe)

    @property
    def tick_ms(self) -> int:
        """From board to board: the time a bot has for its answer."""
        return self.book.wire.open_session(self.settings, 0).move_ms

    def add(self, user: str, name: str, code: str, bot: HousePlayer | None = None) -> Member:
        """A new member; a house bot takes its seat at once, everybody else when somebody first speaks for them."""
        session = self.book.wire.open_session(self.settings, len(self.members))
        member = Member(user, name, code, session, bot)
        self.members.append(member)
        if bot is not None:
            self.seat(member)
        return member

    def seat(self, member: Member) -> None:
        """On the first field that has room, else on a new one."""
        if member.field is not None or any(taken.admit(member) for taken in self.fields):
            return
        fresh = self.blank.copy()
        fresh.seed = fresh_seed()
        fresh.begin()
        self.fields.append(RoomField(fresh, self.part))
        assert self.fields[-1].admit(member), "a new field has room for one"

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
            member.bot, listeners = None, list(member.listeners)
            member.listeners.clear()
            for listener in listeners:
                with contextlib.suppress(Exception):
                    listener.dismiss("our own handling of this player failed")

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
        for member in finished:
            with self._sparing(member):
                self.seat(member)
        self.fields = [each for each in self.fields if each.members]
        for each in list(self.fields):
            for member in list(each.members.values()):
                with self._sparing(member):
                    member.show()
            yield

    def _send_the_silent_away(self) -> None:
        """A seat is not held for ever: a member without bot and listener gives it up after a while, but may return."""
        for member in self.members:
            if member.field is None or member.bot is not None or member.listeners:
                continue
            member.silent_ticks += 1
            if 0 < self._patience_ticks < member.silent_ticks:
                with self._sparing(member):
                    member.field.release(member)
