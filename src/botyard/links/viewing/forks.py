"""What if: a game is played on from any of its ticks, by hand or by house bots, as a match of its own.

The film of such a match begins with the game as it was. Everything of it may be seen: whoever asks has seen it already.
The clock waits for people.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from botyard.jail.threads import in_thread
from botyard.kernel.bounded import json_of
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.games.game import Game
    from botyard.links.bot_spec import Seating
    from botyard.links.viewing.shelf import Shelf
    from botyard.links.viewing.sockets import Audience, Screens
    from botyard.links.viewing.stage import Stage
    from botyard.match.player import Player
    from botyard.match.replay import Replay

MOST_FORKS = 16  # that are played at a time
HAND = "human"


class BadWish(YardError):
    """A wish to play on that cannot be granted."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A match that leaves a game at some tick, ready to be played."""

    game: Game
    players: list[Player]
    stage: Stage
    so_far: list[list[Any]]


class Forks:
    """All matches that were forked off games of a shelf. Inside its context they are played; afterwards none is."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._tasks: set[asyncio.Task[None]] = set()
        self.audiences: dict[int, Audience] = {}
        self.people: dict[int, dict[int, Screens]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def offers(self, number: int) -> dict[str, Any]:
        """Who could play a game on: the names of its seats, and the bots."""
        replay = await self._shelf.replay(number)
        return {"names": list(replay.names), "bots": [HAND, *house_bots(replay)]}

    async def fork(self, number: int, wish: bytes) -> int:
        """Grants a wish, `{"tick": number, "seats": [bot, …]}`; returns the number of the match on the shelf."""
        if len(self._tasks) >= MOST_FORKS:
            raise BadWish(f"{MOST_FORKS} games are being played on already", hint="finish some of them")
        replay = await self._shelf.replay(number)
        from botyard.links.viewing.sockets import Audience, Screens  # only now: the rules are loaded

        tick, bots = read_wish(wish, replay)
        branch = await in_thread(branch_of, replay, tick, bots)
        made = self._shelf.add(branch.stage, f"{self._shelf.title(number)}, played on from tick {tick}")
        self.audiences[made] = Audience(branch.stage)
        self.people[made] = {seat: Screens(person, patient=True) for seat, person in branch.stage.people.items()}
        task = asyncio.create_task(play_on(branch))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return made


def house_bots(replay: Replay) -> list[str]:
    from botyard.games import load

    return [f"house:{name}" for name in load(replay.game).bots.HOUSE_BOTS]


def read_wish(wish: bytes, replay: Replay) -> tuple[int, list[str]]:
    said = json_of(wish, "a wish")
    tick, bots = (said.get("tick"), said.get("seats")) if isinstance(said, dict) else (None, None)
    if type(tick) is not int or not 0 <= tick < len(replay.ticks):
        raise BadWish("there is no such tick to play on from", hint=f"the game has ticks from 0 to {len(replay.ticks)}")
    known = [HAND, *house_bots(replay)]
    if not isinstance(bots, list) or len(bots) != len(replay.names) or not all(bot in known for bot in bots):
        raise BadWish("each seat needs somebody to play it on", hint=f"choose from {', '.join(known)}")
    return tick, bots


def branch_of(replay: Replay, tick: int, bots: list[str]) -> Branch:
    """Plays a game again up to a tick, filming it, and seats those who play it on."""
    from botyard.links.bot_spec import Seating
    from botyard.links.viewing.stage import Stage
    from botyard.match.clock import LoopClock

    positions = iter(replay.play())
    game, _ = next(positions)
    seating = Seating(game.book, game.settings, LoopClock(), waits_for_people=True)
    players = seated(game, bots, seating)
    people = {seat: seating.people[game.entrant(seat)] for seat in range(game.seats) if bots[seat] == HAND}
    stage = Stage(game, players, people, game.settings.habits.ticks_per_s, known=True)
    for _ in range(tick):
        game, _ = next(positions)
        stage.add(game)
    if game.over:
        raise BadWish("the game is over at that tick", hint="choose an earlier one")
    return Branch(game.copy(), players, stage, [list(entries) for entries in replay.ticks[:tick]])


def seated(game: Game, bots: list[str], seating: Seating) -> list[Player]:
    """The players in the order in which the game knows them."""
    from botyard.links.bot_spec import read_player_spec

    by_entrant = sorted(range(game.seats), key=game.entrant)
    return [read_player_spec(bots[seat], game.book).seat_player(seating, game.entrant(seat)) for seat in by_entrant]


async def play_on(branch: Branch) -> None:
    from botyard.match.loop import play_game

    with contextlib.suppress(asyncio.CancelledError):
        played = await play_game(branch.game, branch.players, branch.stage.watch, so_far=branch.so_far)
        branch.stage.finish(played)
