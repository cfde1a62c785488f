"""The rules of Snake Battle. Section numbers are those of the specification."""

from __future__ import annotations

from botyard.games.snakebattle.layout import MATCH, ROOM
from botyard.games.snakebattle.map.alphabet import APPLE
from botyard.games.snakebattle.rules.clock import run_clock
from botyard.games.snakebattle.rules.events import forget_log, live, reward
from botyard.games.snakebattle.rules.field import spawn
from botyard.games.snakebattle.rules.fight import fight
from botyard.games.snakebattle.rules.moves import eat, move, obey
from botyard.games.snakebattle.rules.picture import lay_snakes, lift_snakes, show_ground
from botyard.games.snakebattle.rules.players import clear_the_dead, enter, forfeit, join, leave, replace_the_dead
from botyard.games.snakebattle.rules.sight import allowed, asked, board_shape, look, paint, stray
from botyard.kernel.chance import start_chance
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

__all__ = [
    "allowed", "asked", "board_shape", "entrant", "forfeit", "join", "leave", "look", "paint", "place", "score",
    "set_up", "step", "stray", "tick_field",
]  # fmt: skip


@rule
def set_up(arena: Record, state: Record, seed: int) -> None:
    """Sets up a field (2): a match begins with every seat taken, a room with none. The caller passes a zeroed state."""
    start_chance(state.chance, arena.chance_kind, seed)
    lay_map(arena, state)
    state.countdown = arena.rounds_time_before_start
    state.round_left = -1
    state.winner_left = -1
    if arena.drive == MATCH:
        for seat in range(arena.rounds_players_per_room):
            enter(arena, state, seat)
    lay_snakes(arena, state)


@rule
def step(arena: Record, state: Record, orders: Record) -> None:
    """Plays one tick (3.4)."""
    if state.over:
        return
    forget_log(state)
    state.tick += 1
    lift_snakes(arena, state)
    carry_out_orders(arena, state, orders)
    replace_the_dead(arena, state)
    if running(arena, state):
        tick_field(arena, state)
    watch_the_time(arena, state)
    lay_snakes(arena, state)


@rule
def tick_field(arena: Record, state: Record) -> None:
    """Plays steps 3 to 10 of a tick, which belong to the field."""
    clear_the_dead(arena, state)
    if run_clock(arena, state):
        move_all(arena, state)
        fight(arena, state)
        eat_all(arena, state)
        fight(arena, state)  # a tail may just have grown back under another's head
        spawn(arena, state)
        if anybody_died(state) and arena.rounds_enabled:
            reward(arena, state)
            spawn(arena, state)


@rule
def lay_map(arena: Record, state: Record) -> None:
    for cell in range(len(state.ground)):
        kind = arena.ground[cell]
        state.ground[cell] = kind
        show_ground(state, cell)
        if kind >= APPLE:
            state.counts[kind] += 1


@rule
def carry_out_orders(arena: Record, state: Record, orders: Record) -> None:
    """Carries out the orders (step 1), in the order in which the players registered."""
    for at in range(state.players):
        seat = state.register[at]
        obey(arena, state, seat, orders[seat])


@rule
def running(arena: Record, state: Record) -> bool:
    """Tells whether the field ticks: a room waits for players, but not during a round (D8, clarification 10)."""
    if arena.drive != ROOM or not arena.rounds_enabled:
        return True
    if arena.wait_full_room:
        return state.filled != 0
    return state.players >= 2 or state.countdown <= 0


@rule
def move_all(arena: Record, state: Record) -> None:
    for at in range(state.players):
        seat = state.roster[at]
        if live(state.snakes[seat]):
            move(arena, state, seat)


@rule
def eat_all(arena: Record, state: Record) -> None:
    for at in range(state.players):
        seat = state.roster[at]
        if live(state.snakes[seat]):
            eat(arena, state, seat)


@rule
def anybody_died(state: Record) -> bool:
    """Tells whether anybody died since the last call; players who have a new snake do not count (clarification 1)."""
    found = False
    for at in range(state.players):
        snake = state.snakes[state.roster[at]]
        found = found or snake.died != 0
        snake.died = 0
    return found


@rule
def watch_the_time(arena: Record, state: Record) -> None:
    """Ends a match that has no rounds when its time is over."""
    if arena.drive == MATCH and 0 < arena.last_tick <= state.tick:
        state.over = 1


# Reports on a game


@rule
def score(arena: Record, state: Record, out: Record) -> None:
    for seat in range(len(out)):
        out[seat] = state.snakes[seat].score


@rule
def place(arena: Record, state: Record, out: Record) -> None:
    """Places the seats by points; those that forfeited come after all others."""
    for seat in range(len(out)):
        better = 0
        for other in range(len(out)):
            if ahead(state.snakes[other], state.snakes[seat]):
                better += 1
        out[seat] = better


@rule
def ahead(snake: Record, other: Record) -> bool:
    if snake.forfeited != other.forfeited:
        return snake.forfeited < other.forfeited
    return snake.score > other.score


@rule
def entrant(arena: Record, state: Record, seat: int) -> int:
    return seat
