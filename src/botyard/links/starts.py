"""A bot that cannot start plays no game: what the first turns of a match tell of it, and a start that is only tried."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from botyard.games.game import Game
from botyard.jail.program import CANNOT_EXECUTE
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.bot_spec import BotSpec, Seating
from botyard.match.in_process import HousePlayer
from botyard.match.loop import Enough, play_game
from botyard.match.turns import START_TICK, Turn

FIRST_TURNS = 100  # more than all seats of any game have in their first tick


def failed_start(turns: Iterable[Turn], seats: Collection[int]) -> Turn | None:
    """Returns the turn that shows that the bot of one of these seats cannot start; None if all have started.

    A program behind pipes is started without an answer: that it cannot be executed shows with its first question.
    """
    asked = set[int]()
    for turn in islice(turns, FIRST_TURNS):
        first = turn.seat not in asked
        asked.add(turn.seat)
        if turn.seat not in seats or turn.verdict is Verdict.HOUSE:
            continue
        if turn.tick == START_TICK or (first and CANNOT_EXECUTE in turn.reason):
            return turn
    return None


def started_seats(game: Game, bots: Sequence[BotSpec]) -> set[int]:
    """Returns the seats of bots that we start; whoever connects by itself has been waited for."""
    return {seat for seat in range(game.seats) if not bots[game.entrant(seat)].comes_by_itself}


def unless_all_start(game: Game, bots: Sequence[BotSpec]) -> Enough:
    """Returns what breaks a game off as soon as one of its bots has failed to start."""
    seats = started_seats(game, bots)

    def enough(turns: Sequence[Turn]) -> bool:
        return failed_start(turns, seats) is not None

    return enough


async def try_start(spec: BotSpec, seating: Seating) -> Fault | None:
    """Plays with a bot up to its first turn; returns why it cannot start. A fault of ours is no verdict on it."""
    book = seating.book
    game = Game(book, seating.settings, seed=0)
    rival = next(iter(book.bots.HOUSE_BOTS))
    rivals = [HousePlayer(book, seating.settings, rival, seating.clock) for _ in range(1, game.seats)]
    own = {seat for seat in range(game.seats) if game.entrant(seat) == 0}

    def asked(turns: Sequence[Turn]) -> bool:
        return any(turn.seat in own for turn in turns)

    played = await play_game(game, [spec.seat_player(seating, 0), *rivals], enough=asked)
    failed = failed_start(played.turns, own)
    return None if failed is None else Fault(failed.verdict, failed.reason)
