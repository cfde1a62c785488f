"""The rules of Hack-man. Section numbers are those of the specification."""

from __future__ import annotations

from botyard.games.hackman.layout import PASS
from botyard.games.hackman.map.plan import PLAYERS
from botyard.games.hackman.rules.bugs import roam, spawn_bugs
from botyard.games.hackman.rules.items import drop, find, place_snippets, place_weapons
from botyard.kernel.chance import draw, start_chance
from botyard.kernel.duel import leader, place_winner
from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def set_up(arena: Record, state: Record, seed: int) -> None:
    """Sets up the start of a game (2.3, 2.4). The caller passes a zeroed state."""
    start_chance(state.chance, arena.chance_kind, seed)
    state.winner = -1
    for player in range(PLAYERS):
        state.cells[player] = arena.starts[player]
        state.scores[player] = arena.player_snippets
    lay_items(arena, state)
    place_snippets(arena, state, arena.map_snippets)
    place_weapons(arena, state, arena.map_weapons)
    spawn_bugs(arena, state, arena.initial_bugs)


@rule
def step(arena: Record, state: Record, orders: Record) -> None:
    """Plays one round (3.1)."""
    if state.over:
        return
    state.rounds += 1
    collected = state.collected
    walk(arena, state, orders)
    roam(arena, state)  # bugs know where the players have just gone
    pick_up(arena, state)
    collide(arena, state)
    judge(arena, state)
    spawn(arena, state, collected)


@rule
def lay_items(arena: Record, state: Record) -> None:
    """Lays down what the map holds from the start (5.1, field_layout)."""
    for cell in range(arena.cells):
        if arena.lying[cell] == 1:
            state.snippets[state.snippet_count] = cell
            state.snippet_count += 1
        elif arena.lying[cell] == 2:
            state.weapons[state.weapon_count] = cell
            state.weapon_count += 1


# Players' moves (3.2)


@rule
def walk(arena: Record, state: Record, orders: Record) -> None:
    for player in range(PLAYERS):
        state.before[player] = state.cells[player]
        if state.paralysis[player] > 0:
            state.paralysis[player] -= 1
        elif not state.absent[player] and 0 <= orders[player] < PASS:
            state.cells[player] = arena.walk[4 * state.cells[player] + orders[player]]


# Pick-ups (3.4)


@rule
def pick_up(arena: Record, state: Record) -> None:
    for player in range(PLAYERS):
        if player == 1 and state.cells[1] == state.cells[0]:
            break
        at = find(state.snippets, state.snippet_count, state.cells[player])
        if at >= 0:
            taker = contest(arena, state, player)
            state.scores[taker] += 1
            state.collected += 1
            state.snippet_count -= 1
            drop(state.snippets, state.snippet_count, at)
    for player in range(PLAYERS):
        if player == 1 and state.cells[1] == state.cells[0]:
            break
        at = find(state.weapons, state.weapon_count, state.cells[player])
        if at >= 0:
            taker = contest(arena, state, player)
            state.armed[taker] = 1  # a second weapon is lost
            state.weapon_count -= 1
            drop(state.weapons, state.weapon_count, at)


@rule
def contest(arena: Record, state: Record, player: int) -> int:
    """Decides who gets what lies on this player's cell; a draw is made even if only one player is there (3.10)."""
    if state.cells[0] == state.cells[1]:
        return draw(arena, state, 2)
    draw(arena, state, 1)
    return player


# Collisions (3.5, 3.6)


@rule
def collide(arena: Record, state: Record) -> None:
    if arena.swap_first:
        meet_bugs(arena, state, True)
        meet_opponent(arena, state, True)
        meet_bugs(arena, state, False)
        meet_opponent(arena, state, False)
    else:
        meet_bugs(arena, state, True)
        meet_bugs(arena, state, False)
        meet_opponent(arena, state, True)
        meet_opponent(arena, state, False)
    for player in range(PLAYERS):
        state.before[player] = 0
    for bug in range(state.bug_count):
        state.bugs_before[bug] = 0


@rule
def meet_bugs(arena: Record, state: Record, swapping: bool) -> None:
    """Lets players meet bugs. A bug is removed only after both players were tested, because it can hit both."""
    met = False
    for player in range(PLAYERS):
        for bug in range(state.bug_count):
            if touches_bug(state, player, bug, swapping):
                met = True
                state.squashed[bug] = 1
                if state.armed[player]:
                    state.armed[player] = 0
                else:
                    lose(arena, state, player, arena.bug_loss)
    if met:
        take_off_squashed(state)


@rule
def touches_bug(state: Record, player: int, bug: int, swapping: bool) -> bool:
    if swapping:
        return state.cells[player] == state.bugs_before[bug] and state.bugs[bug] == state.before[player]
    return state.cells[player] == state.bugs[bug]


@rule
def take_off_squashed(state: Record) -> None:
    kept = 0
    for bug in range(state.bug_count):
        if state.squashed[bug]:
            state.squashed[bug] = 0
            continue
        state.bugs[kept] = state.bugs[bug]
        state.bugs_before[kept] = state.bugs_before[bug]
        state.headings[kept] = state.headings[bug]
        state.bug_ids[kept] = state.bug_ids[bug]
        kept += 1
    for bug in range(kept, state.bug_count):
        state.bugs[bug] = 0
        state.bugs_before[bug] = 0
        state.headings[bug] = 0
        state.bug_ids[bug] = 0
    state.bug_count = kept


@rule
def meet_opponent(arena: Record, state: Record, swapping: bool) -> None:
    if swapping:
        met = state.cells[0] == state.before[1] and state.cells[1] == state.before[0]
    else:
        met = state.cells[0] == state.cells[1]
    if met:
        for player in range(PLAYERS):
            if state.armed[player]:
                hit(arena, state, player, 1 - player)


@rule
def hit(arena: Record, state: Record, player: int, victim: int) -> None:
    state.armed[player] = 0
    state.paralysis[victim] += arena.paralysis
    lose(arena, state, victim, arena.weapon_loss)
    place_snippets(arena, state, arena.weapon_loss)  # always this many, even if the victim had fewer


@rule
def lose(arena: Record, state: Record, player: int, amount: int) -> None:
    """Takes snippets from a player. One who cannot pay is out; the score then shown is a setting (7.2, 10.7)."""
    if state.scores[player] < amount:
        state.out[player] = 1
    state.scores[player] -= amount
    if arena.clamp and state.scores[player] < 0:
        state.scores[player] = 0


# The end (4)


@rule
def judge(arena: Record, state: Record) -> None:
    if state.out[0] or state.out[1]:
        state.over = 1
        if not state.out[0]:
            state.winner = 0
        elif not state.out[1]:
            state.winner = 1
    elif state.rounds >= arena.max_rounds:
        state.over = 1
        state.winner = leader(state.scores)


# Spawning (3.7)


@rule
def spawn(arena: Record, state: Record, collected: int) -> None:
    """Places bugs, then snippets, then weapons; `collected` is the total up to the last round."""
    if state.over and not arena.spawn_after_end:
        return
    grown = state.collected > collected
    if grown:
        fresh = batches(state.collected, arena.bug_delay, arena.bug_rate)
        fresh -= batches(collected, arena.bug_delay, arena.bug_rate)
        spawn_bugs(arena, state, fresh * arena.bug_batch)
    if arena.feeding[state.rounds]:
        place_snippets(arena, state, arena.snippet_batch)
    if grown:
        fresh = batches(state.collected, arena.weapon_delay, arena.weapon_rate)
        fresh -= batches(collected, arena.weapon_delay, arena.weapon_rate)
        place_weapons(arena, state, fresh * arena.weapon_batch)


@rule
def batches(total: int, delay: int, rate: int) -> int:
    """Returns how many batches are due by this total; none before the delay is over."""
    return (total - delay) // rate if total > delay else 0


@rule
def forfeit(arena: Record, state: Record, seat: int) -> None:
    """Makes the player stand still to the end, which does not lose the game by itself (4)."""
    if not state.over:
        state.absent[seat] = 1


# Reports on a game


@rule
def asked(arena: Record, state: Record) -> int:
    """Returns the seats that are asked now, one bit each; paralysed players are asked too (6.5)."""
    if state.over:
        return 0
    return (1 - state.absent[0]) | (1 - state.absent[1]) << 1


@rule
def board_shape(arena: Record, view: Record) -> tuple[int, int]:
    """Returns an empty shape: a view has no board, because walls never change."""
    return 0, 0


@rule
def paint(arena: Record, state: Record, seat: int, view: Record, row: int, col: int) -> None:
    return


@rule
def look(arena: Record, state: Record, seat: int, view: Record) -> None:
    """Fills in what both seats are told (6.3). Of bugs it has only the cells, and not in the order of their ids."""
    view.round_number = state.rounds + 1
    view.player = seat
    view.width = arena.width
    view.height = arena.height
    for player in range(PLAYERS):
        view.cells[player] = state.cells[player]
        view.scores[player] = state.scores[player]
        view.armed[player] = state.armed[player]
        view.paralysed[player] = 1 if state.paralysis[player] > 0 else 0
    for at in range(state.snippet_count, view.snippet_count):
        view.snippets[at] = 0
    for at in range(state.snippet_count):
        view.snippets[at] = state.snippets[at]
    view.snippet_count = state.snippet_count
    for at in range(state.weapon_count, view.weapon_count):
        view.weapons[at] = 0
    for at in range(state.weapon_count):
        view.weapons[at] = state.weapons[at]
    view.weapon_count = state.weapon_count
    show_bugs(state, view)


@rule
def show_bugs(state: Record, view: Record) -> None:
    for at in range(state.bug_count, view.bug_count):
        view.bugs[at] = 0
    for bug in range(state.bug_count):
        at = bug
        while at > 0 and view.bugs[at - 1] > state.bugs[bug]:
            view.bugs[at] = view.bugs[at - 1]
            at -= 1
        view.bugs[at] = state.bugs[bug]
    view.bug_count = state.bug_count


@rule
def allowed(arena: Record, state: Record, seat: int, mask: Record) -> None:
    """Marks the open directions and standing still; for a paralysed player it marks everything."""
    cell = state.cells[seat]
    for direction in range(4):
        mask[direction] = state.paralysis[seat] > 0 or arena.walk[4 * cell + direction] != cell
    mask[PASS] = 1


@rule
def stray(arena: Record, state: Record, seat: int, dice: int) -> int:
    """Chooses a step for random play from 32 random bits, onto a cell without a bug if there is one."""
    cell = state.cells[seat]
    chosen = PASS
    for turn in range(4):
        direction = ((dice >> 8) + turn) & 3
        target = arena.walk[4 * cell + direction]
        if target != cell:
            chosen = direction
            if find(state.bugs, state.bug_count, target) < 0:
                break
    return chosen


@rule
def score(arena: Record, state: Record, out: Record) -> None:
    out[0] = state.scores[0]
    out[1] = state.scores[1]


@rule
def place(arena: Record, state: Record, out: Record) -> None:
    place_winner(state.winner, out)


@rule
def entrant(arena: Record, state: Record, seat: int) -> int:
    """Tells which bot plays this seat: the first bot is player 0 (8.3)."""
    return seat
