"""One field of a room, and who sits on it.

What fails while one member is dealt with is kept from the others by the room; a field whose own rules fail is void.
"""

from __future__ import annotations

import dataclasses
import logging
from typing import Any, Protocol, runtime_checkable

from botyard.games.game import Game
from botyard.games.picture import words_of
from botyard.games.view import View
from botyard.kernel.contract import RoomPart
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.session import Session
from botyard.kernel.settings import Settings
from botyard.match.chronicle import Chronicle, WallTime, wall_ms
from botyard.match.in_process import HousePlayer
from botyard.match.live_film import LiveFilm

logger = logging.getLogger("botyard.room")


@runtime_checkable
class RoundKeeper(Protocol):
    """The part `wire.room` of a game that is played in rounds: it tells when nobody would lose by a new field."""

    def round_running(self, game: Any) -> bool | None:
        """Whether a round is under way; None if there are none by these settings."""


class BoardListener(Protocol):
    """Somewhere a member's boards go. It takes them at once or not at all."""

    def show(self, board: str) -> None: ...

    def dismiss(self, reason: str) -> None: ...


LONGEST_FILM = 2000  # ticks that a field's film keeps for those who watch it


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
    settings: Settings | None = None  # that session and bot are made for
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

    def __init__(self, game: Game, part: RoomPart, clock: WallTime = wall_ms, number: int = 0) -> None:
        self.game, self.number = game, number
        self.chronicle = Chronicle(game, clock)
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
            self.chronicle.refuse(seat)
            return False
        self._part.bring_points(self.game, seat, member.points)
        self.chronicle.join(member.user, member.name, seat, member.points)
        self.members[seat] = member
        member.field, member.seat, member.order = self, seat, NO_ORDER
        member.see(self.game.view(seat))
        if member.bot is not None:
            member.bot.wake(self.game.seed, seat)
        return True

    def release(self, member: Member) -> None:
        """A member goes; what that costs is up to the rules."""
        self.game.change("leave", member.seat)
        self.chronicle.leave(member.seat)
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
        self.chronicle.add_orders({seat: orders.get(seat, NO_ORDER) for seat in self.game.asked})
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
            self.chronicle.rise(member.seat)
            self._forget(member, scores)
        self._shoot()
        return left

    @property
    def round_running(self) -> bool | None:
        """Whether a round is under way; None where the game has no rounds, or does not tell."""
        return self._part.round_running(self.game) if isinstance(self._part, RoundKeeper) else None

    def end(self) -> list[Member]:
        """Everybody rises with the points that they have; gives who sat here."""
        left = list(self.members.values())
        for member in left:
            member.field, member.seat, member.order = None, -1, NO_ORDER
        self.members.clear()
        if self._film is not None:
            self._film.end(None)
            self._film = None
        return left

    def _forget(self, member: Member, scores: tuple[int, ...]) -> None:
        member.points = scores[member.seat]
        del self.members[member.seat]
        member.field, member.seat = None, -1

    def _void(self) -> list[Member]:
        """Our own failure ends this field and costs nobody a point: all go to another one."""
        self._failed = self.chronicle.over = True  # what led here is in the log; nobody wants to watch it
        logger.error("a field of %s with seed %d is void: our rules failed", self.game.book.facts.name, self.game.seed)
        return self.end()
