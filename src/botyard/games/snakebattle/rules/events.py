"""Events, points (specification 4.4) and deaths (3.9) of players."""

from __future__ import annotations

from botyard.games.snakebattle.layout import ATE_APPLE, ATE_GOLD, ATE_STONE, DEATH, EAT, WIN
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

MOST_SCORE = 2_000_000_000


@rule
def forget_log(state: Record) -> None:
    for at in range(state.log_length):
        state.log[at].amount = 0
        state.log[at].seat = 0
        state.log[at].kind = 0
    state.log_length = 0


@rule
def tell(arena: Record, state: Record, seat: int, kind: int, amount: int) -> None:
    """Logs an event for a player and counts its points.

    The log has room for a tick of P players: up to P suicides, then either two messages each or, in each of two fights,
    two meals for every head, P more deaths, P objects eaten and a win.
    """
    snake = state.snakes[seat]
    snake.score = min(max(snake.score + points(arena, snake, kind, amount), 0), MOST_SCORE)
    if state.log_length >= len(state.log):
        state.fault = 1
        return
    row = state.log[state.log_length]
    row.amount = amount
    row.seat = seat
    row.kind = kind
    state.log_length += 1


@rule
def points(arena: Record, snake: Record, kind: int, amount: int) -> int:
    if kind == WIN:
        return arena.win_score
    if kind == ATE_APPLE:
        return arena.apple_score
    if kind == ATE_GOLD:
        return arena.gold_score
    if kind == ATE_STONE:
        if snake.fury > 0 and not arena.fury_stone_penalty:
            return max(arena.stone_score, 0)  # stones do not harm a furious snake (D4)
        return arena.stone_score
    if kind == EAT:
        return amount * arena.eat_score
    if kind == DEATH:
        return arena.die_penalty
    return 0


@rule
def die(arena: Record, state: Record, seat: int) -> None:
    """Kills a snake; its body stays for the board of this tick."""
    snake = state.snakes[seat]
    if not snake.alive:
        return
    snake.alive = 0
    snake.died = 1
    snake.leaving = match_over(arena, state)
    tell(arena, state, seat, DEATH, 0)


@rule
def match_over(arena: Record, state: Record) -> bool:
    return state.round_number >= arena.rounds_per_match


@rule
def live(snake: Record) -> bool:
    """Tells whether a snake is alive and awake: only such snakes move, fight and eat."""
    return snake.alive != 0 and snake.awake != 0


@rule
def live_count(state: Record) -> int:
    count = 0
    for at in range(state.players):
        if live(state.snakes[state.roster[at]]):
            count += 1
    return count


@rule
def elapsed(state: Record) -> int:
    """Counts the ticks of this round; while the clock is idle, one more than the last round had (clarification 7)."""
    return state.round_length - state.round_left


@rule
def reward(arena: Record, state: Record) -> None:
    """Lets the last live snake win, if the round is old enough (4.2)."""
    if live_count(state) != 1 or elapsed(state) < arena.rounds_min_ticks_for_win:
        return
    for at in range(state.players):
        seat = state.roster[at]
        if live(state.snakes[seat]):
            tell(arena, state, seat, WIN, 0)
