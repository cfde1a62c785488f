"""How a game of Hack-man lies in memory.

Cells are numbers (`map/plan.py`). Lists of cells are kept row by row, with a count; slots past the count are zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.games.hackman.map.paths import fill_ground, filled, ground_layout, space_layout, table, table_size
from botyard.games.hackman.map.plan import NO_WAY, NOWHERE, PLAYERS, SNIPPET, WEAPON, MapPlan
from botyard.games.hackman.settings import HackmanSettings
from botyard.kernel.chance import CHANCE, COUNTER, KINDS, TAPE_LAYOUT
from botyard.kernel.errors import BadRecord
from botyard.kernel.records import Layout, Layouts, record_of

PASS = 4  # the order after the four directions

# The sizes every game is compiled for; larger ones are compiled on demand.
CELLS, BUGS, ROUNDS, ANSWERS, SPAWNS = 280, 32, 256, 1 << 17, 4
MOST_BUGS = 2048  # while there are this many bugs, no further one appears

WORD_BITS = 32  # cells per word of a set of cells


def seats(settings: HackmanSettings) -> int:
    return PLAYERS


def layouts(settings: HackmanSettings) -> Layouts:
    """Returns the record types these settings need: the precompiled sizes wherever they are large enough."""
    plan = settings.plan
    answers = table_size(plan)
    cells = grown(plan.size, CELLS)
    return capacity(
        cells,
        min(grown(bugs_possible(settings), BUGS, 8), MOST_BUGS),
        grown(settings.max_rounds + 1, ROUNDS),
        grown(answers, ANSWERS) if answers else 1,
        grown(len(plan.spawns), SPAWNS),
        1 if answers or not plan.decisions else cells,
    )


def grown(needed: int, size: int, factor: int = 2) -> int:
    """Returns the first of size, size × factor, … that is large enough."""
    while size < needed:
        size *= factor
    return size


def bugs_possible(settings: HackmanSettings) -> int:
    """Returns a limit that no game exceeds: players collect at most what lies there, and one snippet each per round."""
    content = settings.plan.content
    fed = settings.max_rounds // settings.snippet_spawn_rate * settings.snippet_spawn_count
    lying = settings.map_snippet_count + content.count(SNIPPET) + fed
    most = PLAYERS * settings.max_rounds
    # Each weapon can knock out new snippets, and some of these bring new weapons.
    loss, armed = settings.weapon_snippet_loss, settings.map_weapon_count + content.count(WEAPON)
    left = settings.weapon_spawn_rate - loss * settings.weapon_spawn_count
    if left > 0:
        most = min(most, (lying + loss * armed) * settings.weapon_spawn_rate // left)
    batches = max(0, most - settings.enemy_spawn_delay) // settings.enemy_spawn_rate
    return settings.initial_enemy_count + batches * settings.enemy_spawn_count


@cache
def capacity(cells: int, bugs: int, rounds: int, answers: int, spawns: int, searched: int) -> Layouts:
    words = -(-cells // WORD_BITS)
    return Layouts(
        arena=arena_layout(cells, rounds, answers, spawns, words),
        state=state_layout(cells, bugs, words, searched),
        view=view_layout(cells, bugs),
        memory=memory_layout(cells, bugs),
    )


def arena_layout(cells: int, rounds: int, answers: int, spawns: int, words: int) -> Layout:
    return filled(
        [
            ("tape", TAPE_LAYOUT),  # recorded draws, for chance of kind TAPE
            ("ground", ground_layout(cells)),  # the map as the search for paths sees it
            (
                "chase",
                "i8",
                (2, rounds),
            ),  # by kind of bug (1: of the set-up) and round: a bug chases if the draw is at most this
            ("width", "i4"),
            ("height", "i4"),
            ("cells", "i4"),
            ("max_rounds", "i4"),
            ("player_snippets", "i4"),
            ("map_snippets", "i4"),
            ("map_weapons", "i4"),
            ("initial_bugs", "i4"),
            ("snippet_batch", "i4"),
            ("bug_delay", "i4"),
            ("bug_rate", "i4"),
            ("bug_batch", "i4"),
            ("bug_loss", "i4"),
            ("weapon_delay", "i4"),
            ("weapon_rate", "i4"),
            ("weapon_batch", "i4"),
            ("weapon_loss", "i4"),
            ("paralysis", "i4"),
            ("chase_min_path", "i4"),
            ("room_count", "i4"),  # cells players may walk on
            ("spawn_count", "i4"),
            ("words", "i4"),  # words used in `rooms`
            ("rooms", "u4", (words,)),  # the cells players may walk on, one bit each
            ("answers", "u2", (answers,)),  # answers of the search: a row of cells per decision, see map/paths.py
            ("decisions", "u2", (4 * cells,)),  # by 4 * cell + heading: the row of `answers`, where a bug has a choice
            ("walk", "u2", (4 * cells,)),  # by 4 * cell + direction: where a player gets; the cell itself if blocked
            ("spawns", "u2", (spawns,)),
            ("starts", "u2", (PLAYERS,)),
            ("lying", "u1", (cells,)),  # what lies there from the start: 1 a snippet, 2 a weapon
            ("options", "u1", (cells,)),  # the directions a bug may choose among, one bit each
            ("way_out", "u1", (cells,)),  # the direction a bug must take, or NO_WAY
            ("feeding", "u1", (rounds,)),  # by round, whether snippets are placed
            ("tabled", "u1"),  # paths are looked up in `answers`; otherwise they are searched
            ("swap_first", "u1"),
            ("clamp", "u1"),
            ("spawn_after_end", "u1"),
            ("chance_kind", "u1"),  # COUNTER; TAPE when a recorded set-up is played
        ]
    )


def state_layout(cells: int, bugs: int, words: int, searched: int) -> Layout:
    return filled(
        [
            ("space", space_layout(searched)),  # notes of the search; used if paths are not tabled
            ("chance", CHANCE),
            ("rounds", "i4"),  # rounds played
            ("collected", "i4"),  # snippets picked up by both players; it never goes down
            ("next_bug", "i4"),  # the id of the next bug
            ("bug_count", "i4"),  # counts are signed: a range over an unsigned one would turn what it meets into floats
            ("snippet_count", "i4"),
            ("weapon_count", "i4"),
            ("scores", "i4", (PLAYERS,)),  # snippets each player has
            ("paralysis", "i4", (PLAYERS,)),  # rounds to stand still
            ("bug_ids", "i4", (bugs,)),  # in rising order
            ("marks", "u4", (words,)),  # a set of cells while something is placed; empty in between
            ("cells", "u2", (PLAYERS,)),  # cells of the players
            ("before", "u2", (PLAYERS,)),  # where they were at the start of the round; 0 in between
            ("bugs", "u2", (bugs,)),  # their cells
            ("bugs_before", "u2", (bugs,)),  # at the start of the round; 0 in between
            ("snippets", "u2", (cells,)),
            ("weapons", "u2", (cells,)),
            ("headings", "u1", (bugs,)),  # direction of each bug's last step
            ("squashed", "u1", (bugs,)),  # bugs about to be taken off the board; 0 between rounds
            ("armed", "u1", (PLAYERS,)),
            ("out", "u1", (PLAYERS,)),  # could not pay, and has lost
            ("absent", "u1", (PLAYERS,)),  # forfeited or never came: stands still to the end
            ("over", "u1"),
            ("winner", "i1"),  # -1: none, or a draw
            ("fault", "u1"),  # the number of bugs must fit into the record
        ]
    )


def view_layout(cells: int, bugs: int) -> Layout:
    return filled(
        [
            ("round_number", "i4"),  # the round that now begins, from 1
            ("bug_count", "i4"),
            ("snippet_count", "i4"),
            ("weapon_count", "i4"),
            ("scores", "i4", (PLAYERS,)),  # snippets each player has
            ("cells", "u2", (PLAYERS,)),  # where the players are: y * width + x
            ("width", "u2"),
            ("height", "u2"),
            ("bugs", "u2", (bugs,)),  # their cells, row by row
            ("snippets", "u2", (cells,)),  # row by row
            ("weapons", "u2", (cells,)),  # row by row
            ("armed", "u1", (PLAYERS,)),
            ("paralysed", "u1", (PLAYERS,)),  # will not move in this round
            ("player", "u1"),  # whose view it is
        ]
    )


def memory_layout(cells: int, bugs: int) -> Layout:
    """Returns the record of what the house bots of one seat remember, and of their working memory."""
    return filled(
        [
            ("chance", CHANCE),
            ("last_count", "i4"),
            ("row", "i4"),  # where the player of a learner is (senses.py)
            ("col", "i4"),
            ("own", "u2", (cells,)),  # 1 + steps from the bot, by cell; 0 where it should not go
            ("foe", "u2", (cells,)),  # 1 + steps from the opponent
            ("peril", "u2", (cells,)),  # 1 + steps from the nearest bug
            ("queue", "u2", (cells,)),
            ("last_bugs", "u2", (bugs,)),  # where bugs were a round ago
            ("came", "u1", (bugs,)),  # by bug of the view: the direction in which it was a round ago; NO_WAY if unknown
            ("wary", "u1"),  # the bot also keeps away from an armed opponent
            ("board", "u1", (cells,)),  # what learners sense of each cell (senses.py)
        ]
    )


def make_arena(settings: HackmanSettings) -> NDArray[Any]:
    """Returns the settings as the rules read them: an array of one record."""
    return built_arena(settings).copy()


@lru_cache(maxsize=16)
def built_arena(settings: HackmanSettings) -> NDArray[Any]:
    arenas = np.zeros(1, layouts(settings).arena)
    arena, plan = record_of(arenas), settings.plan
    arena.width, arena.height, arena.cells = plan.width, plan.height, plan.size
    arena.max_rounds, arena.chance_kind = settings.max_rounds, COUNTER
    arena.player_snippets, arena.map_snippets = settings.player_snippet_count, settings.map_snippet_count
    arena.map_weapons, arena.initial_bugs = settings.map_weapon_count, settings.initial_enemy_count
    arena.snippet_batch = settings.snippet_spawn_count
    arena.bug_delay, arena.bug_rate = settings.enemy_spawn_delay, settings.enemy_spawn_rate
    arena.bug_batch, arena.bug_loss = settings.enemy_spawn_count, settings.enemy_snippet_loss
    arena.weapon_delay, arena.weapon_rate = settings.weapon_spawn_delay, settings.weapon_spawn_rate
    arena.weapon_batch, arena.weapon_loss = settings.weapon_spawn_count, settings.weapon_snippet_loss
    arena.paralysis, arena.chase_min_path = settings.weapon_paralysis_duration, settings.chase_min_path
    arena.swap_first = settings.collision_order == "swap_first"
    arena.clamp, arena.spawn_after_end = settings.clamp_snippets, settings.spawn_after_end
    for rounds in range(1, settings.max_rounds + 1):
        arena.feeding[rounds] = rounds % settings.snippet_spawn_rate == 0
        for kind in range(2):
            arena.chase[kind, rounds] = threshold(settings.chase_chance(rounds, kind == 1))
    lay_map(arena, plan)
    return arenas


def threshold(chance: float) -> int:
    """Turns u <= chance, for u a multiple of 2**-53, into a comparison of integers."""
    return int(chance * (1 << 53))


def lay_map(arena: Any, plan: MapPlan) -> None:
    fill_ground(plan, arena.ground)
    rooms = set(plan.rooms)
    arena.words, arena.room_count = -(-plan.size // WORD_BITS), len(rooms)
    arena.spawn_count, arena.spawns[: len(plan.spawns)] = len(plan.spawns), plan.spawns
    arena.starts[:] = plan.starts
    for cell in range(plan.size):
        arena.lying[cell] = (SNIPPET, WEAPON).index(plan.content[cell]) + 1 if plan.content[cell] in "CW" else 0
        arena.options[cell], arena.way_out[cell] = plan.options[cell], plan.way_out[cell]
        if cell in rooms:
            arena.rooms[cell // WORD_BITS] |= np.uint32(1 << cell % WORD_BITS)
        for direction in range(4):
            target = plan.neighbours[cell][direction]
            arena.walk[4 * cell + direction] = target if target in rooms else cell
    size = table_size(plan)
    arena.tabled = size > 0 or not plan.decisions
    if size:
        arena.answers[:size] = table(plan)
        rows = {decision: row for row, decision in enumerate(plan.decisions)}
        for (cell, heading), behind in plan.choices.items():
            arena.decisions[4 * cell + heading] = rows[cell, behind]


def validate(arena: Any, state: Any) -> None:
    """Refuses a state that no game can be in, because the rules trust every index they read."""
    for what, holds in truths(arena, state):
        if not holds:
            raise BadRecord("not a state of hackman under these settings", hint=what)


def truths(arena: Any, state: Any) -> Iterator[tuple[str, bool]]:
    yield "spare bytes must be zero", not state.spare.any() and not state.chance.spare.any()
    yield "the kind of chance must be known", state.chance.kind < len(KINDS)
    notes = (state.before, state.bugs_before, state.squashed, state.marks)
    yield "notes of a step must be zero between steps", not any(note.any() for note in notes)
    yield "notes of a search must be zero between steps", not any(state.space.tobytes())
    yield "the round must be from 0 to max_rounds", 0 <= state.rounds <= arena.max_rounds
    yield "counters must not be negative", min(state.collected, state.next_bug, *state.paralysis) >= 0
    yield "flags must be 0 or 1", max(state.over, state.fault, *state.armed, *state.out, *state.absent) <= 1
    yield (
        "only a player who is out may have a negative number of snippets",
        all(amount >= 0 or gone for amount, gone in zip(state.scores, state.out, strict=True)),
    )
    yield "a game with a player who is out must be over", bool(state.over) or not state.out.any()
    yield "a game after its last round must be over", bool(state.over) or state.rounds < arena.max_rounds
    yield "the winner must be a player or -1, before the end -1", -1 <= state.winner < (PLAYERS if state.over else 0)
    yield "players must stand on cells that are open to them", all(is_room(arena, int(cell)) for cell in state.cells)
    yield from bug_truths(arena, state)
    for name, items, count in (
        ("snippets", state.snippets, int(state.snippet_count)),
        ("weapons", state.weapons, int(state.weapon_count)),
    ):
        yield f"the number of {name} must be from 0 to {len(items)}", 0 <= count <= len(items)
        yield f"{name} must be listed row by row, one to a cell", bool((np.diff(items[:count].astype(int)) > 0).all())
        yield f"{name} must lie on open cells", all(is_floor(arena, int(cell)) for cell in items[:count])
        yield f"unused slots of {name} must be zero", not items[count:].any()
    shared = np.intersect1d(state.snippets[: state.snippet_count], state.weapons[: state.weapon_count])
    yield "a cell must not hold two items", not shared.size


def bug_truths(arena: Any, state: Any) -> Iterator[tuple[str, bool]]:
    count = int(state.bug_count)
    yield "the number of bugs must fit into the record", 0 <= count <= len(state.bugs)
    ids = state.bug_ids[:count].astype(int)
    yield (
        "ids of bugs must rise, from 0 to below the next id",
        bool((np.diff(ids) > 0).all() and (ids >= 0).all() and (ids < state.next_bug).all()),
    )
    yield "bugs must stand on open cells", all(is_floor(arena, int(cell)) for cell in state.bugs[:count])
    yield "a heading must be one of four directions", bool((state.headings[:count] < NO_WAY).all())
    unused = (state.bugs, state.bug_ids, state.headings)
    yield "unused slots of bugs must be zero", not any(slots[count:].any() for slots in unused)


def is_room(arena: Any, cell: int) -> bool:
    return cell < arena.cells and bool(int(arena.rooms[cell // WORD_BITS]) >> cell % WORD_BITS & 1)


def is_floor(arena: Any, cell: int) -> bool:
    """Tells whether a cell is no wall; cells closed to players count too."""
    if cell >= arena.cells:
        return False
    reachable = any(arena.ground.neighbours[4 * cell + direction] != NOWHERE for direction in range(4))
    return reachable or is_room(arena, cell) or cell in arena.spawns[: arena.spawn_count]
