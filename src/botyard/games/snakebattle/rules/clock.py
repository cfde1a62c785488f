"""The round clock (specification 4.1)."""

from __future__ import annotations

from botyard.games.snakebattle.layout import COUNTDOWN, MATCH, ROUND, ROUND_START, TIME_OVER, WIN
from botyard.games.snakebattle.rules.events import elapsed, live, live_count, match_over, tell
from botyard.games.snakebattle.rules.field import seat_snake
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

IDLE = -1


@rule
def run_clock(arena: Record, state: Record) -> bool:
    """Runs the clock (step 4 of a tick); tells whether the snakes move in this tick."""
    if not arena.rounds_enabled:
        return True
    count_down(state)
    if state.countdown >= 0:
        call_out(arena, state)
        return False
    if state.round_left == 0:
        end_of_time(arena, state)
        return False
    survivors = live_count(state)
    if survivors == 0 or state.winner_left == 0:
        if survivors == 1:
            reset_live(arena, state)
        end_round(arena, state)
        return False
    if arena.rounds_time_before_start != 0 and state.winner_left == IDLE and survivors == 1:
        state.winner_left = arena.rounds_time_for_winner
    return True


@rule
def count_down(state: Record) -> None:
    if state.countdown >= 0:
        state.countdown -= 1
    if state.round_left >= 0:
        state.round_left -= 1
    if state.winner_left >= 0:
        state.winner_left -= 1


@rule
def call_out(arena: Record, state: Record) -> None:
    """Tells everybody the number of the countdown; at zero a round starts, and every snake wakes."""
    if state.countdown == 0:
        state.round_number += 1
        state.round_left = arena.rounds_time
        state.round_length = arena.rounds_time
    for at in range(state.players):
        seat = state.roster[at]
        if state.countdown > 0:
            tell(arena, state, seat, COUNTDOWN, state.countdown)
        else:
            tell(arena, state, seat, ROUND_START, 0)
            tell(arena, state, seat, ROUND, state.round_number)
            if state.snakes[seat].length > 0:
                state.snakes[seat].awake = 1


@rule
def end_of_time(arena: Record, state: Record) -> None:
    """Lets the longest live snakes win, if the round was long enough; then all live snakes start anew."""
    longest = 0
    for at in range(state.players):
        snake = state.snakes[state.roster[at]]
        if live(snake):
            longest = max(longest, snake.length)
    won = elapsed(state) > arena.rounds_min_ticks_for_win
    for at in range(state.players):
        seat = state.roster[at]
        snake = state.snakes[seat]
        if live(snake):
            if won and snake.length == longest:
                tell(arena, state, seat, WIN, 0)
            else:
                tell(arena, state, seat, TIME_OVER, 0)
    reset_live(arena, state)
    end_round(arena, state)


@rule
def end_round(arena: Record, state: Record) -> None:
    state.countdown = arena.rounds_time_before_start
    if arena.drive == MATCH and match_over(arena, state):
        state.over = 1


@rule
def reset_live(arena: Record, state: Record) -> None:
    """Gives every live snake a new start, at the end of the player list; once the match is over, it must leave."""
    at = 0
    while at < state.players:
        seat = state.roster[at]
        snake = state.snakes[seat]
        if live(snake) and not match_over(arena, state):
            seat_snake(arena, state, seat)
        else:
            if live(snake):
                snake.alive = 0  # no DIE event, and no death that counts for the reward (clarification 7)
                snake.leaving = 1
            at += 1
