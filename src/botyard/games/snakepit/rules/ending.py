"""How a game ends, and what it is worth (3.1, 3.6, 4)."""

from __future__ import annotations

from botyard.games.snakepit.layout import NOBODY
from botyard.games.snakepit.rules.body import is_living
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def judge(arena: Record, state: Record) -> None:
    """Tests after a tick whether the game ends, first by deaths, then by hunger (3.1, steps 5 and 6)."""
    living = state.living
    if living == 0 or (living & (living - 1) == 0 and arena.snakes > 1):
        state.over = 1
        if arena.snakes > 1:
            name_last_man(arena, state)
    else:
        starve(arena, state)


@rule
def starve(arena: Record, state: Record) -> None:
    if not state.eaten:
        state.hunger += 1
    elif arena.tick_timeout_resets:
        state.hunger = 0
    if state.hunger >= arena.tick_timeout:
        state.over = 1
        state.starved = 1
        state.wash = not (arena.snakes == 1 and arena.starved_scores)


@rule
def name_last_man(arena: Record, state: Record) -> None:
    """Decides who takes the bonus; if nobody does, the game is a wash (4.2)."""
    fallen = 0  # how many died in the final tick
    for seat in range(arena.snakes):
        fallen += state.died[seat] == state.tick
    if state.living and (arena.survivor_takes_bonus or fallen < 2):
        state.last_man = survivor(arena, state)
    elif state.living or arena.pellets_decide:
        state.last_man = fattest_fallen(arena, state)
    state.wash = state.last_man == NOBODY


@rule
def survivor(arena: Record, state: Record) -> int:
    seat = 0
    while not is_living(state, seat):
        seat += 1
    return seat


@rule
def fattest_fallen(arena: Record, state: Record) -> int:
    """Returns the snake that ate most of those that died in the final tick; NOBODY on a tie."""
    best = NOBODY
    most = -1
    for seat in range(arena.snakes):
        if state.died[seat] == state.tick:
            if state.snakes[seat].pellets > most:
                best = seat
                most = state.snakes[seat].pellets
            elif state.snakes[seat].pellets == most:
                best = NOBODY
    return best


# Points and places (4.3)


@rule
def points(arena: Record, state: Record, seat: int) -> int:
    if state.wash:
        return 0
    ticks = state.tick if state.died[seat] == 0 else state.died[seat]
    bonus = arena.last_man_standing if state.last_man == seat else 0
    return bonus + arena.pellet_points * state.snakes[seat].pellets + arena.tick_points * ticks


@rule
def score(arena: Record, state: Record, out: Record) -> None:
    for seat in range(arena.snakes):
        out[seat] = points(arena, state, seat)


@rule
def winner(arena: Record, state: Record) -> int:
    """Returns the seat that wins a game that is no wash: by points, then by the lower id."""
    if arena.last_man_wins and state.last_man != NOBODY:
        return state.last_man
    best = 0
    for seat in range(1, arena.snakes):
        if points(arena, state, seat) > points(arena, state, best):
            best = seat
    return best


@rule
def place(arena: Record, state: Record, out: Record) -> None:
    """Places the seats, 0 is best: the winner alone, the others by points; in a wash all share a place."""
    for seat in range(arena.snakes):
        out[seat] = 0 if state.wash else place_of(arena, state, seat)


@rule
def place_of(arena: Record, state: Record, seat: int) -> int:
    """Returns the place of a seat in a game that is no wash."""
    first = winner(arena, state)
    if seat == first:
        return 0
    better = 1
    for other in range(arena.snakes):
        if other != first and points(arena, state, other) > points(arena, state, seat):
            better += 1
    return better
