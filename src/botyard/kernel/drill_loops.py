"""The loop of a drill: learners and house bots play in one compiled call, up to the next choice of a learner.

A template like `loops.py`: the loader binds `loops`, the game's own, and `senses`. All of it is one entry with one
call of the house bots, because they take the compiler longer than everything else. What needs few arrays is given
those alone: each part that takes all of them costs the compiler some 30 ms.
"""

from __future__ import annotations

from typing import Any

from botyard.kernel.ahead import fetch_ahead
from botyard.kernel.drill_arrays import DrillArrays
from botyard.kernel.loop_modes import (
    FROM_NEXT_SEED,
    LEARNER,
    OFF,
    PUT,
    RESET,
    RUNNING,
    SAME_STEP,
    TERMINATED,
    TRUNCATED,
)
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

loops: Any  # bound by the loader
senses: Any

asked = loops.asked
allowed = loops.allowed
begin_game = loops.begin_game
decide = loops.decide
entrant = loops.entrant
next_seed = loops.next_seed
place = loops.place
score = loops.score
seed_at = loops.seed_at
show_seat = loops.show_seat
step = loops.step
wake = loops.wake
sense = senses.sense
numbers = senses.numbers

if hasattr(senses, "note"):
    note = senses.note
else:

    @rule
    def note(arena: Record, view: Record, memory: Record) -> None:
        """Remembers nothing: a view has everything."""


@rule
def lane_of(arrays: DrillArrays, i: int, seat: int) -> int:
    """Returns which learner has a seat, LEARNER (none) if a house bot has it."""
    who = entrant(arrays.arenas[0], arrays.states[i], seat)
    if who < arrays.turn.shape[1] and arrays.bots[i, who] == LEARNER:
        return who
    return LEARNER


if hasattr(senses, "worth"):
    worth = senses.worth

    @rule
    def worth_at(arrays: DrillArrays, i: int, seat: int) -> int:
        """Returns what the position is worth to a seat."""
        return worth(arrays.arenas[0], arrays.states[i], seat)
else:

    @rule
    def worth_at(arrays: DrillArrays, i: int, seat: int) -> int:
        """Returns what the position is worth to a seat: its score."""
        score(arrays.arenas[0], arrays.states[i], arrays.spots[i])
        return arrays.spots[i, seat]


if hasattr(senses, "gain"):
    gain = senses.gain

    @rule
    def count_gains(arrays: DrillArrays, i: int) -> None:
        """Counts what the last tick brought each learner beside the worth: as if the position had been worth less."""
        for seat in range(arrays.spots.shape[1]):
            lane = lane_of(arrays, i, seat)
            if lane != LEARNER:
                arrays.worths[i, lane] -= gain(arrays.arenas[0], arrays.states[i], seat)
else:

    @rule
    def count_gains(arrays: DrillArrays, i: int) -> None:
        """Counts nothing: the worth of a position says it all."""


@rule
def running(state: Record) -> bool:
    return not state.over and state.fault == 0 and state.chance.fault == 0


# A game begins


@rule
def open_game(arrays: DrillArrays, i: int, beginning: int) -> None:
    """Sets up a game with its seed or its next one, unless it is put into a position, and wakes its house bots."""
    if beginning == FROM_NEXT_SEED:
        next_seed(arrays.seeds, i)
    if beginning != PUT:
        begin_game(arrays, i)
    for seat in range(arrays.memories.shape[1]):
        arrays.memories[i, seat] = arrays.blank_memory[0]
        wake(arrays.memories[i, seat], seed_at(arrays.seeds, i), seat)
    arrays.ticks[i] = 0
    for seat in range(arrays.spots.shape[1]):
        lane = lane_of(arrays, i, seat)
        if lane != LEARNER:
            arrays.worths[i, lane] = worth_at(arrays, i, seat)


@rule
def zero(told: Record, i: int) -> None:
    """Sets what learners are told of a game to 0."""
    for lane in range(told.shape[1]):
        told[i, lane] = 0


# A tick


@rule
def show_lane(arrays: DrillArrays, i: int, seat: int, lane: int, skip: int) -> int:
    """Shows a learner what it may do; returns whether it has a choice. Its only order, if it has none, is taken."""
    note(arrays.arenas[0], arrays.views[i, seat], arrays.memories[i, seat])
    allowed(arrays.arenas[0], arrays.states[i], seat, arrays.mask[i, lane])
    arrays.turn[i, lane], arrays.seat_of[i, lane] = 1, seat
    if not skip:
        return 1
    ways = 0
    for order in range(arrays.mask.shape[2]):
        if arrays.mask[i, lane, order]:
            ways += 1
            arrays.orders[i, seat] = order
    return ways > 1


@rule
def show_all(arrays: DrillArrays, i: int, skip: int) -> int:
    """Fills the views of all who are asked; returns how many learners have a choice."""
    zero(arrays.turn, i)
    seats = asked(arrays.arenas[0], arrays.states[i])
    choices = 0
    seat = 0
    while seats >> seat:
        if (seats >> seat) & 1:
            show_seat(arrays.arenas[0], arrays.states[i], seat, arrays.views[i, seat])
            lane = lane_of(arrays, i, seat)
            if lane != LEARNER:
                choices += show_lane(arrays, i, seat, lane, skip)
        seat += 1
    return choices


@rule
def order_all(arrays: DrillArrays, i: int, taken: bool) -> None:
    """Has every seat that is asked give its order; learners have given theirs, or only had one (`show_lane`)."""
    seats = asked(arrays.arenas[0], arrays.states[i])
    seat = 0
    while seats >> seat:
        if (seats >> seat) & 1:
            lane = lane_of(arrays, i, seat)
            if lane == LEARNER:
                bot = arrays.bots[i, entrant(arrays.arenas[0], arrays.states[i], seat)]
                view, memory = arrays.views[i, seat], arrays.memories[i, seat]
                arrays.orders[i, seat] = decide(bot, arrays.arenas[0], view, memory)
            elif taken:
                arrays.orders[i, seat] = arrays.given[i, lane]
        seat += 1


@rule
def count_asked(turn: Record, i: int) -> int:
    """Returns how many learners were asked last."""
    count = 0
    for lane in range(turn.shape[1]):
        count += turn[i, lane]
    return count


@rule
def play_on(arrays: DrillArrays, i: int, shown: bool, most: int, skip: int) -> None:
    """Plays until a learner has a choice, the game is over or a step has no more ticks. If the position has been shown
    already it begins with the orders for it, which learners have given if they were asked."""
    taken = shown and (most == 0 or count_asked(arrays.turn, i) > 0)  # without a limit a step ends with someone asked
    played = 0
    while running(arrays.states[i]):
        if not shown:
            if show_all(arrays, i, skip) > 0:
                return
            if played == most and most > 0:
                break
        order_all(arrays, i, taken)
        step(arrays.arenas[0], arrays.states[i], arrays.orders[i])
        arrays.ticks[i] += 1
        played += 1
        count_gains(arrays, i)
        shown = taken = False
    zero(arrays.turn, i)


# What learners are told


@rule
def settle(arrays: DrillArrays, i: int, horizon: int) -> None:
    """Tells rewards, and whether the game has ended."""
    arena, state, spots = arrays.arenas[0], arrays.states[i], arrays.spots[i]
    for seat in range(spots.shape[0]):
        lane = lane_of(arrays, i, seat)
        if lane != LEARNER:
            now = worth_at(arrays, i, seat)
            arrays.rewards[i, lane] = now - arrays.worths[i, lane]
            arrays.worths[i, lane] = now
    zero(arrays.places, i)
    arrays.ended[i] = RUNNING
    if state.over:
        arrays.ended[i] = TERMINATED
        place(arena, state, spots)
        for seat in range(spots.shape[0]):
            who = entrant(arena, state, seat)
            if who < arrays.places.shape[1]:
                arrays.places[i, who] = 1
                for other in range(spots.shape[0]):
                    arrays.places[i, who] += spots[other] < spots[seat]
    elif not running(state) or (horizon > 0 and arrays.ticks[i] >= horizon):
        arrays.ended[i] = TRUNCATED


@rule
def tell_cell(arrays: DrillArrays, i: int, lane: int, row: int, col: int) -> None:
    seat = arrays.seat_of[i, lane]
    view, memory = arrays.views[i, seat], arrays.memories[i, seat]
    arrays.codes[i, lane, row, col] = sense(arrays.arenas[0], view, memory, row, col)


@rule
def tell_cells(arrays: DrillArrays, i: int) -> None:
    """Fills the cells that the learners sense who are asked; the others keep what they sensed last."""
    for lane in range(arrays.turn.shape[1]):
        if arrays.turn[i, lane]:
            for row in range(arrays.codes.shape[2]):
                for col in range(arrays.codes.shape[3]):
                    tell_cell(arrays, i, lane, row, col)


@rule
def tell_numbers(arrays: DrillArrays, i: int) -> None:
    """Fills the numbers that the learners sense who are asked. The others may order nothing."""
    for lane in range(arrays.turn.shape[1]):
        if arrays.turn[i, lane]:
            seat = arrays.seat_of[i, lane]
            numbers(arrays.arenas[0], arrays.views[i, seat], arrays.memories[i, seat], arrays.numbers[i, lane])
        else:
            for order in range(arrays.mask.shape[2]):
                arrays.mask[i, lane, order] = 0


@rule
def keep_final(arrays: DrillArrays, i: int) -> None:
    """Keeps what was sensed last in a game that has ended."""
    for lane in range(arrays.turn.shape[1]):
        for row in range(arrays.codes.shape[2]):
            for col in range(arrays.codes.shape[3]):
                arrays.final_codes[i, lane, row, col] = arrays.codes[i, lane, row, col]
        for number in range(arrays.numbers.shape[2]):
            arrays.final_numbers[i, lane, number] = arrays.numbers[i, lane, number]


@rule
def drill_game(arrays: DrillArrays, i: int, mode: int, horizon: int, most: int, skip: int) -> None:
    """One call for one game: it begins, or it is played up to the next choice of a learner and, if it ended, the next
    game of its place begins as the mode says. The cells that are sensed then are left to the caller."""
    begun = mode == SAME_STEP or (mode != RESET and arrays.ended[i] == RUNNING)
    if not begun:
        zero(arrays.rewards, i)
        if mode == OFF:
            return
        zero(arrays.places, i)
        arrays.ended[i] = RUNNING
    beginning = arrays.chosen[i] if mode == RESET else FROM_NEXT_SEED
    while True:
        if not begun:
            open_game(arrays, i, beginning)
        play_on(arrays, i, begun, most, skip)
        if begun:
            settle(arrays, i, horizon)
        tell_numbers(arrays, i)
        if not begun or arrays.ended[i] == RUNNING:
            return
        tell_cells(arrays, i)
        keep_final(arrays, i)
        if mode != SAME_STEP:
            return
        begun = False  # the next game, which the same loop opens: the compiler takes long for each place that does


@rule
def drill(arrays: DrillArrays, mode: int, horizon: int, most: int, skip: int, start: int, stop: int) -> None:
    """Goes on with all games, or begins the chosen ones anew."""
    for i in range(start, stop):
        if i + 1 < stop:
            fetch_ahead(arrays.states, i + 1)
            fetch_ahead(arrays.memories, i + 1)
        if mode != RESET or arrays.chosen[i]:
            drill_game(arrays, i, mode, horizon, most, skip)
            tell_cells(arrays, i)
