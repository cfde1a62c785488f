"""The loops run a game's rules: for one game, for many games, and for games among house bots.

This file is a template. `rulebook.py` loads it once for every game under the game's own name, after binding `rules` and
`bots` to that game's modules: Numba keeps functions on disk if their callees are globals of their module, but neither
closures nor functions that take others as arguments (decision 016). Every loop over a batch works on the games `start`
… `stop` - 1 of its arrays, so that each core can have its share.
"""

from __future__ import annotations

from typing import Any

from botyard.kernel.ahead import fetch_ahead
from botyard.kernel.arrays import BatchArrays
from botyard.kernel.chance import COUNTER, LOW32, mixed, start_chance
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.loop_modes import NEXT_STEP, SAME_STEP
from botyard.kernel.records import Record
from botyard.kernel.rule import rule
from botyard.kernel.script import FORFEIT, JOIN, LEAVE

rules: Any  # bound by the loader
bots: Any

set_up = rules.set_up
step = rules.step
asked = rules.asked
look = rules.look
board_shape = rules.board_shape
paint = rules.paint
allowed = rules.allowed
stray = rules.stray
score = rules.score
place = rules.place
entrant = rules.entrant
forfeit = rules.forfeit
decide = bots.decide


@rule
def seed_at(seeds: Record, i: int) -> int:
    return (seeds[i, 1] << 32) | seeds[i, 0]


@rule
def next_seed(seeds: Record, i: int) -> None:
    """Adds the number of games to a game's seed, so that no two games of a batch ever have the same one."""
    low = seeds[i, 0] + seeds.shape[0]
    seeds[i, 0] = low & LOW32
    seeds[i, 1] = (seeds[i, 1] + (low >> 32)) & LOW32


if hasattr(rules, "clear"):  # the state is large and mostly empty
    clear = rules.clear

    @rule
    def begin_game(arrays: BatchArrays, i: int) -> None:
        clear(arrays.arenas[0], arrays.states[i])
        set_up(arrays.arenas[0], arrays.states[i], seed_at(arrays.seeds, i))
else:

    @rule
    def begin_game(arrays: BatchArrays, i: int) -> None:
        arrays.states[i] = arrays.blank[0]
        set_up(arrays.arenas[0], arrays.states[i], seed_at(arrays.seeds, i))


@rule
def show_seat(arena: Record, state: Record, seat: int, view: Record) -> None:
    """Fills all of a view, first the numbers, then the board cell by cell. On a GPU each cell has its own thread."""
    look(arena, state, seat, view)
    rows, cols = board_shape(arena, view)
    for row in range(rows):
        for col in range(cols):
            paint(arena, state, seat, view, row, col)


@rule
def show_game(arrays: BatchArrays, i: int) -> None:
    """Fills the view of every seat that is asked; the others keep what they were shown last."""
    arena, state = arrays.arenas[0], arrays.states[i]
    seats = asked(arena, state)
    seat = 0
    while seats >> seat:
        if (seats >> seat) & 1:
            show_seat(arena, state, seat, arrays.views[i, seat])
        seat += 1


@rule
def tell_game(arrays: BatchArrays, i: int) -> None:
    score(arrays.arenas[0], arrays.states[i], arrays.scores[i])
    arrays.over[i] = arrays.states[i].over


@rule
def settle_game(arrays: BatchArrays, i: int, mode: int) -> None:
    """Plays a step of one game of a batch, up to its scores and, if it ended, the next game; views are filled later."""
    states = arrays.states
    if mode == NEXT_STEP and states[i].over:
        next_seed(arrays.seeds, i)
        begin_game(arrays, i)
    else:
        step(arrays.arenas[0], states[i], arrays.orders[i])
    tell_game(arrays, i)
    if mode == SAME_STEP and states[i].over:
        arrays.finals[i] = states[i]
        next_seed(arrays.seeds, i)
        begin_game(arrays, i)


@rule
def stray_orders(arrays: BatchArrays, i: int, salt: int) -> int:
    """Draws a random order for every seat that is asked, and returns how many seats that are."""
    arena, state = arrays.arenas[0], arrays.states[i]
    seats = asked(arena, state)
    seat = 0
    taken = 0
    while seats >> seat:
        if (seats >> seat) & 1:
            arrays.orders[i, seat] = stray(arena, state, seat, mixed(i, seat, salt))
            taken += 1
        seat += 1
    return taken


# Batches


@rule
def begin(arrays: BatchArrays, chosen: Record, renewed: int, start: int, stop: int) -> None:
    """Starts the marked games, with their next seeds if `renewed`; the other games are left alone."""
    for i in range(start, stop):
        if chosen[i]:
            if renewed:
                next_seed(arrays.seeds, i)
            begin_game(arrays, i)
            tell_game(arrays, i)
            show_game(arrays, i)


@rule
def advance(arrays: BatchArrays, mode: int, start: int, stop: int) -> None:
    for i in range(start, stop):
        if i + 1 < stop:
            fetch_ahead(arrays.states, i + 1)
        settle_game(arrays, i, mode)
        show_game(arrays, i)


@rule
def race(arrays: BatchArrays, ticks: int, salt: int, start: int, stop: int) -> None:
    """Plays at random for benchmarks: `ticks` steps with a view for every asked seat; finished games begin anew."""
    states, orders, steps = arrays.states, arrays.orders, arrays.steps
    for i in range(start, stop):
        for tick in range(ticks):
            if states[i].over:
                next_seed(arrays.seeds, i)
                begin_game(arrays, i)
            show_game(arrays, i)
            steps[i] += stray_orders(arrays, i, salt + tick)
            step(arrays.arenas[0], states[i], orders[i])


@rule
def wander(arrays: BatchArrays, salt: int, start: int, stop: int) -> None:
    """Draws random orders for all games, without playing a step."""
    steps = arrays.steps
    for i in range(start, stop):
        steps[i] += stray_orders(arrays, i, salt)


# What a batch is asked about its games


@rule
def survey_asked(arrays: BatchArrays, flags: Record, start: int, stop: int) -> None:
    for i in range(start, stop):
        seats = asked(arrays.arenas[0], arrays.states[i])
        for seat in range(flags.shape[1]):
            flags[i, seat] = (seats >> seat) & 1


@rule
def survey_masks(arrays: BatchArrays, masks: Record, start: int, stop: int) -> None:
    """Marks the orders that can do something for each seat that is asked, and none for the others."""
    for i in range(start, stop):
        seats = asked(arrays.arenas[0], arrays.states[i])
        for seat in range(masks.shape[1]):
            for order in range(masks.shape[2]):
                masks[i, seat, order] = 0
            if (seats >> seat) & 1:
                allowed(arrays.arenas[0], arrays.states[i], seat, masks[i, seat])


@rule
def survey_places(arrays: BatchArrays, raw: Record, places: Record, mode: int, start: int, stop: int) -> None:
    """Ranks the seats of the games that `over` and `scores` tell of: in the mode SAME_STEP the next may have begun."""
    for i in range(start, stop):
        if mode == SAME_STEP and arrays.over[i]:
            rank_seats(arrays.arenas[0], arrays.finals[i], raw[i], places[i])
        else:
            rank_seats(arrays.arenas[0], arrays.states[i], raw[i], places[i])


@rule
def rank_seats(arena: Record, state: Record, raw: Record, places: Record) -> None:
    """Writes the place of each seat, 1 for the best; seats that tie share the better one. All are 0 in a game that goes
    on. `raw` takes the places as the rules tell them, which may have gaps."""
    if state.over:
        place(arena, state, raw)
    for seat in range(len(places)):
        places[seat] = 1 if state.over else 0
        for other in range(len(places)):
            if state.over and raw[other] < raw[seat]:
                places[seat] += 1


# House bots


@rule
def wake(memory: Record, seed: int, seat: int) -> None:
    """Gives a house bot its own chance, made from seed and seat so that the bot cannot find out the seed."""
    low = mixed(seed & LOW32, (seed >> 32) & LOW32, 2 * seat + 1)
    high = mixed((seed >> 32) & LOW32, seed & LOW32, 2 * seat + 2)
    start_chance(memory.chance, COUNTER, (high << 32) | low)


@rule
def play_game(arrays: BatchArrays, i: int, memories: Record, entrants: Record, blank_memory: Record) -> None:
    """Plays a whole game among house bots; `entrants` holds the bots' numbers in the order they came."""
    arena, states, orders = arrays.arenas[0], arrays.states, arrays.orders
    begin_game(arrays, i)
    for seat in range(orders.shape[1]):
        memories[i, seat] = blank_memory[0]
        wake(memories[i, seat], seed_at(arrays.seeds, i), seat)
    while not states[i].over and not states[i].fault:
        show_game(arrays, i)
        seats = asked(arena, states[i])
        seat = 0
        while seats >> seat:
            if (seats >> seat) & 1:
                bot = entrants[entrant(arena, states[i], seat)]
                orders[i, seat] = decide(bot, arena, arrays.views[i, seat], memories[i, seat])
            seat += 1
        step(arena, states[i], orders[i])


@rule
def play(
    arrays: BatchArrays, memories: Record, entrants: Record, blank_memory: Record, start: int, stop: int
) -> None:  # fmt: skip
    for i in range(start, stop):
        play_game(arrays, i, memories, entrants, blank_memory)


# One game, at index 0 of its arrays


@rule
def set_up_at(arenas: Record, states: Record, seed: int) -> None:
    set_up(arenas[0], states[0], seed)


@rule
def step_at(arenas: Record, states: Record, orders: Record) -> None:
    step(arenas[0], states[0], orders[0])


@rule
def asked_at(arenas: Record, states: Record) -> int:
    return asked(arenas[0], states[0])


@rule
def look_at(arenas: Record, states: Record, seat: int, views: Record) -> None:
    """Fills the view of a seat; one that is not asked is told nothing."""
    if (asked(arenas[0], states[0]) >> seat) & 1:
        show_seat(arenas[0], states[0], seat, views[0])


@rule
def allowed_at(arenas: Record, states: Record, seat: int, mask: Record) -> None:
    allowed(arenas[0], states[0], seat, mask)


@rule
def score_at(arenas: Record, states: Record, out: Record) -> None:
    score(arenas[0], states[0], out)


@rule
def place_at(arenas: Record, states: Record, out: Record) -> None:
    place(arenas[0], states[0], out)


@rule
def entrant_at(arenas: Record, states: Record, seat: int) -> int:
    return entrant(arenas[0], states[0], seat)


@rule
def wake_at(memories: Record, seed: int, seat: int) -> None:
    wake(memories[0], seed, seat)


@rule
def decide_at(bot: int, arenas: Record, views: Record, memories: Record) -> int:
    return decide(bot, arenas[0], views[0], memories[0])


@rule
def forfeit_at(arenas: Record, states: Record, seat: int) -> None:
    forfeit(arenas[0], states[0], seat)


if hasattr(rules, "join"):  # players come and go
    join = rules.join
    leave = rules.leave

    @rule
    def join_at(arenas: Record, states: Record, seat: int) -> None:
        join(arenas[0], states[0], seat)

    @rule
    def leave_at(arenas: Record, states: Record, seat: int) -> None:
        leave(arenas[0], states[0], seat)

    @rule
    def change(arena: Record, state: Record, head: int, seat: int) -> bool:
        """Does to a seat what the head of an entry says; returns whether that is possible in this game."""
        if head == FORFEIT:
            forfeit(arena, state, seat)
        elif head == JOIN:
            join(arena, state, seat)
        elif head == LEAVE:
            leave(arena, state, seat)
        return LEAVE <= head <= FORFEIT
else:

    @rule
    def change(arena: Record, state: Record, head: int, seat: int) -> bool:
        """Does to a seat what the head of an entry says; returns whether that is possible in this game."""
        if head == FORFEIT:
            forfeit(arena, state, seat)
        return head == FORFEIT


# One game, played again


@rule
def give_recorded(arena: Record, state: Record, script: Record, at: int, orders: Record) -> bool:
    """Gives the seats that are asked the orders of the entry at `at`; returns whether it has one for each of them."""
    seats = asked(arena, state)
    taken = 0
    for seat in range(orders.shape[0]):
        orders[seat] = NO_ORDER
        if (seats >> seat) & 1:
            taken += 1
            if taken <= script[at]:
                orders[seat] = script[at + taken]
    return taken == script[at]


@rule
def retell_entry(arena: Record, state: Record, orders: Record, script: Record, at: int) -> bool:
    """Plays the entry at `at`. Returns False, and leaves the game alone, if it is impossible: the game is over, other
    seats are asked than have orders, or there is no such seat or change."""
    head = script[at]
    if head < 0:
        seat = script[at + 1]
        return 0 <= seat < orders.shape[0] and change(arena, state, head, seat)
    if state.over or not give_recorded(arena, state, script, at, orders):
        return False
    step(arena, state, orders)
    return True


@rule
def retell_at(arenas: Record, states: Record, orders: Record, script: Record) -> int:
    """Plays the entries of a script (`script.py`) up to the first that is impossible; returns how many it played."""
    told = 0
    at = 0
    while at < script.shape[0]:
        after = at + 1 + (script[at] if script[at] >= 0 else 1)
        if after > script.shape[0] or not retell_entry(arenas[0], states[0], orders[0], script, at):
            break
        told += 1
        at = after
    return told
