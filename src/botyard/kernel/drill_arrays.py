"""The arrays of a drill are one object, like those of a batch (`arrays.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from botyard.kernel.arrays import FLAG, ORDER, SCORE, WORD
from botyard.kernel.records import Record, record_of
from botyard.kernel.senses import CODE, NUMBER

if TYPE_CHECKING:
    from botyard.kernel.rulebook import Rulebook
    from botyard.kernel.settings import Settings


class DrillArrays(NamedTuple):
    """Games in which learners and house bots play: element i of each array belongs to game i, except in arrays of one
    element. Learners are the first entrants of a game; `L` is their number."""

    arenas: Record  # one element, which all games share
    states: Record
    views: Record  # by seat
    memories: Record  # by seat
    blank: Record  # one element, a zeroed state
    blank_memory: Record  # one element
    seeds: Record  # two words each
    orders: Record  # by seat: what the rules are given
    given: Record  # (n, L): what learners order
    bots: Record  # by entrant: the number of a house bot, or LEARNER
    chosen: Record  # the games that begin anew at a reset
    codes: Record  # (n, L, rows, cols)
    numbers: Record  # (n, L, numbers)
    mask: Record  # (n, L, orders): those not certain to be in vain; all 0 for a learner that is not asked
    turn: Record  # (n, L): who is asked
    seat_of: Record  # (n, L): the seat of a learner that is asked
    rewards: Record  # (n, L)
    ended: Record  # RUNNING, TERMINATED or TRUNCATED
    places: Record  # (n, L): 1 for the best of a game that was terminated, else 0; also told of house bots there
    final_codes: Record  # what was sensed last in the game that ended
    final_numbers: Record
    worths: Record  # (n, L): what the position was worth when rewards were last told
    ticks: Record  # of each game
    spots: Record  # by seat, scratch


CALLERS = ("codes", "numbers", "mask", "turn", "rewards", "ended", "places", "final_codes", "final_numbers")
"""The arrays that a caller may supply."""


def make_drill_arrays(
    book: Rulebook, senses: Any, settings: Settings, n: int, learners: int, zeros: Callable[[Any, Any], Any] = np.zeros
) -> DrillArrays:
    """Returns zeroed arrays for `n` games in memory from `zeros`; the arena is filled and in the host's memory."""
    kinds, seats = book.layouts(settings), book.layout.seats(settings)
    arenas = book.layout.make_arena(settings)
    cells, count = senses.sense_shape(record_of(arenas)), max(1, len(senses.NUMBERS))
    return DrillArrays(
        arenas=arenas,
        states=zeros(n, kinds.state),
        views=zeros((n, seats), kinds.view),
        memories=zeros((n, seats), kinds.memory),
        blank=zeros(1, kinds.state),
        blank_memory=zeros(1, kinds.memory),
        seeds=zeros((n, 2), WORD),
        orders=zeros((n, seats), ORDER),
        given=zeros((n, learners), ORDER),
        bots=zeros((n, seats), ORDER),
        chosen=zeros(n, FLAG),
        codes=zeros((n, learners, *cells), CODE),
        numbers=zeros((n, learners, count), NUMBER),
        mask=zeros((n, learners, len(book.facts.orders)), FLAG),
        turn=zeros((n, learners), FLAG),
        seat_of=zeros((n, learners), FLAG),
        rewards=zeros((n, learners), SCORE),
        ended=zeros(n, FLAG),
        places=zeros((n, learners), SCORE),
        final_codes=zeros((n, learners, *cells), CODE),
        final_numbers=zeros((n, learners, count), NUMBER),
        worths=zeros((n, learners), SCORE),
        ticks=zeros(n, np.int32),
        spots=zeros((n, seats), SCORE),
    )
