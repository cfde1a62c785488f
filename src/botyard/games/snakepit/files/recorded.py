"""Recorded games of the original controller, played on our rules.

A recording was made with the program's loop in ascending order, so it must agree tick by tick with
`sequential_by_id`; every tick that does not depend on the order must agree with `simultaneous` too (3.4, 10.9).
Random draws come from a tape: the set-up draws the recorded heads, a new pellet its recorded cell, and nothing else is
drawn.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from botyard.games.snakepit.facts import DIRECTIONS
from botyard.games.snakepit.layout import EMPTY, NOBODY, NOWHERE, PELLET, STAY
from botyard.games.snakepit.layout.bodies import alive, mark, on_board, read_body, write_body
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.chance import TAPE
from botyard.kernel.errors import BadRecord
from botyard.kernel.recording import Conformance, Difference
from botyard.kernel.records import record_of

FOREIGN = ("policies", "seed")  # settings of the script that made the recordings, not of the game

Found: TypeAlias = tuple[str, Any, Any] | None
"""What differs, as recorded and as ours; None: nothing does."""


def check_recording(record: dict[str, Any], name: str, result: Conformance, new_game: Any) -> None:
    """Compares start and ticks, then points and result. A tick must be equal under both resolutions."""
    settings = read_settings(record)
    in_turn, at_once = new_game(settings, 0), new_game(replace(settings, tick_resolution="simultaneous"), 0)
    first = begin(in_turn, record)
    take_over(at_once, in_turn.arrays[1])
    result.games += 1
    note(result, name, 0, first)
    before = in_turn.copy()
    for at, tick in enumerate(record["ticks"], 1):
        before = in_turn.copy()
        found = play(in_turn, tick)
        if not tick.get("ambiguous"):
            found = found or marked("simultaneous", play(at_once, tick))
        if found:
            load(in_turn, tick["state"])
        if found or tick.get("ambiguous"):
            take_over(at_once, in_turn.arrays[1])
        result.count(difference(name, at, found))
    note(result, name, len(record["ticks"]), compare_end(record, in_turn, before, new_game))


def difference(name: str, at: int, found: Found) -> Difference | None:
    return None if found is None else Difference(name, at, found[0], str(found[1]), str(found[2]))


def note(result: Conformance, name: str, at: int, found: Found) -> None:
    """Notes a difference outside the ticks."""
    result.first = result.first or difference(name, at, found)


def marked(word: str, found: Found) -> Found:
    return found and (f"{found[0]}, {word}", *found[1:])


def read_settings(record: dict[str, Any]) -> SnakepitSettings:
    values = {key: value for key, value in record["settings"].items() if key not in FOREIGN}
    return SnakepitSettings.read({"snakes": len(record["initial"]["snakes"]), **values}, "program")


def take_over(game: Any, states: Any) -> None:
    """Copies a state in unchecked: what a recording claims is compared, not refused."""
    game.arrays[1][:] = states


# One game


def place_draws(game: Any, cell: Any) -> list[tuple[int, int]]:
    """Returns the two draws that give a cell."""
    return [(int(game.arena.width), cell[0] - 1), (int(game.arena.height), cell[1] - 1)]


def begin(game: Any, record: dict[str, Any]) -> Found:
    """Sets the game up with the recorded draws; afterwards the game is in the recorded state, even if ours differed."""
    initial, settings = record["initial"], game.settings
    centre = (settings.width // 2, settings.height // 2)
    if not settings.rand_start_pellet and (settings.width % 2 or settings.height % 2):
        load(game, initial)  # here the program puts the pellet between two cells, and we do not (2.3)
        return None
    drawn = settings.rand_start_pellet or not on_board(game.arena, centre)
    draws = place_draws(game, initial["pellet"]) if drawn else []
    for snake in initial["snakes"]:
        draws += place_draws(game, snake["body"][0])
    game.arena.chance_kind = TAPE
    game.feed(draws)
    game.begin()
    found = compare(game, initial) or compare_draws(game, len(draws))
    if found:
        load(game, initial)
    return found


def play(game: Any, tick: dict[str, Any]) -> Found:
    """Plays one recorded tick; returns the first difference after it."""
    recorded, silent = tick["state"], tick.get("timeouts", ())
    orders = {int(id_) - 1: order_of(letter) for id_, letter in tick["moves"].items() if int(id_) not in silent}
    asked = tuple(sorted(int(id_) - 1 for id_ in tick["moves"]))
    if game.asked != asked:
        return "snakes asked", [seat + 1 for seat in asked], [seat + 1 for seat in game.asked]
    game.feed(place_draws(game, recorded["pellet"]))
    game.step_orders(orders)
    if (found := compare(game, recorded)) is not None:
        return found
    for id_, letter in tick["moves"].items():
        facing = int(game.state.snakes[int(id_) - 1]["facing"])
        if facing != order_of(letter):
            return f"direction of snake {id_}", letter, facing
    return compare_draws(game, 2 * int(game.state.eaten))


def compare_draws(game: Any, expected: int) -> Found:
    chance = game.state.chance
    fits = chance.counter == expected and not chance.fault
    return None if fits else ("draws", expected, f"{chance.counter}, fault {chance.fault}")


def order_of(letter: str) -> int:
    """Reads a recorded answer; any byte that is no direction is a step on the spot."""
    return DIRECTIONS.index(letter) if len(letter) == 1 and letter in DIRECTIONS else STAY


# States


def compare(game: Any, recorded: dict[str, Any]) -> Found:
    ours, theirs = recorded_form(game), {"pellet_lost": False, "ghosts": [], **recorded}
    for key in ("tick", "pellet", "pellet_lost"):
        if ours[key] != theirs[key]:
            return key, theirs[key], ours[key]
    ghosts = sorted(cell for cell in theirs["ghosts"] if cell != theirs["pellet"] or theirs["pellet_lost"])
    if ours["ghosts"] != ghosts:
        return "ghosts", ghosts, ours["ghosts"]
    for mine, other in zip(ours["snakes"], theirs["snakes"], strict=True):
        for key, value in mine.items():
            if value != other[key] and not (key == "dir" and value == order_of(other[key])):
                return f"{key} of snake {mine['id']}", other[key], value
    return None


def recorded_form(game: Any) -> dict[str, Any]:
    """Returns a state in the form that recordings have, except for the letter of a direction that leads nowhere."""
    arena, state = game.arena, game.state
    bodies = [read_body(state, seat, int(arena.slots)) for seat in range(game.seats)]
    pellet = [int(state.pellet_x), int(state.pellet_y)]
    here = [cell for body in bodies for cell in body if on_board(arena, cell)]
    ghosts = {(x, y) for x, y in here if state.cells[y - 1, x - 1] == EMPTY}
    return {
        "tick": int(state.tick),
        "pellet": pellet,
        "pellet_lost": bool(pellet[0] and state.cells[pellet[1] - 1, pellet[0] - 1] != PELLET),
        "ghosts": [list(cell) for cell in sorted(ghosts)],
        "snakes": [
            {
                "id": seat + 1,
                "alive": alive(state, seat),
                "body": [list(cell) for cell in bodies[seat]],
                "growing": int(state.snakes[seat]["growing"]),
                "pellets": int(state.snakes[seat]["pellets"]),
                "dir": letter_of(int(state.snakes[seat]["facing"])),
            }
            for seat in range(game.seats)
        ],
    }


def letter_of(facing: int) -> Any:
    return DIRECTIONS[facing] if facing < STAY else STAY


def load(game: Any, recorded: dict[str, Any]) -> None:
    """Continues from a recorded state, so that one difference does not hide the next.

    Recordings have neither hunger nor the ticks of deaths, so these keep our values.
    """
    arena, old, states = game.arena, game.state, np.zeros(1, game.arrays[1].dtype)
    state = record_of(states)
    state.tick, state.hunger, state.last_man = recorded["tick"], old.hunger, NOBODY
    state.over, state.wash, state.starved = old.over, old.wash, old.starved
    for seat, snake in enumerate(recorded["snakes"]):
        ours = state.snakes[seat]
        ours["growing"], ours["pellets"], ours["facing"] = snake["growing"], snake["pellets"], order_of(snake["dir"])
        ours["length"] = old.snakes[seat]["length"]
        if snake["alive"]:
            state.living |= 1 << seat
            ours["left_x"] = ours["left_y"] = NOWHERE
        else:
            state.died[seat] = old.died[seat] or recorded["tick"]
        if snake["body"]:
            cells = [(x, y) for x, y in snake["body"]]
            write_body(state, seat, int(arena.slots), cells)
            mark(arena, state, cells)
    for x, y in recorded.get("ghosts", ()):
        state.cells[y - 1, x - 1] = EMPTY
    state.pellet_x, state.pellet_y = recorded["pellet"]
    if not recorded.get("pellet_lost"):
        state.cells[state.pellet_y - 1, state.pellet_x - 1] = PELLET
    check_reach(arena, state)
    take_over(game, states)


def check_reach(arena: Any, state: Any) -> None:
    """Refuses only what would lead the rules off the board; everything else that a recording claims is compared."""
    pellet = (int(state.pellet_x), int(state.pellet_y))
    if pellet != (0, 0) and not on_board(arena, pellet):
        raise BadRecord(
            f"a recorded pellet lies at {pellet}, off the board",
            hint=f"the board is {arena.real_width} × {arena.real_height}",
        )
    for snake in state.snakes[: int(arena.snakes)]:
        head = (int(snake["head_x"]), int(snake["head_y"]))
        if (head != (0, 0) and not on_board(arena, head)) or not 0 <= snake["length"] <= arena.slots:
            raise BadRecord(
                f"a recorded snake has {snake['length']} cells and its head at {head}", hint="it must fit the board"
            )


# The end


def compare_end(record: dict[str, Any], game: Any, before: Any, new_game: Any) -> Found:
    """Compares points and result, as the program and as the document count them."""
    document = new_game(replace(game.settings, survivor_takes_bonus=True), 0)
    take_over(document, before.arrays[1])
    if record["ticks"]:
        play(document, record["ticks"][-1])
    for key, judged in (("scores", game), ("scores_document", document)):
        if record[key] != points_of(judged):
            return key, record[key], points_of(judged)
    ours = result_form(game, document)
    for key, theirs in record["result"].items():
        if ours.get(key) != theirs:
            return f"result: {key}", theirs, ours.get(key)
    return None


def points_of(game: Any) -> dict[str, int] | None:
    """Returns the points by id; None for a wash."""
    return None if game.state.wash else {str(seat + 1): points for seat, points in enumerate(game.scores)}


def result_form(game: Any, document: Any) -> dict[str, Any]:
    state, last_man = game.state, int(document.state.last_man)
    deaths = {str(seat + 1): int(state.died[seat]) for seat in range(game.seats) if state.died[seat]}
    winners = game.outcome.groups[0] if game.over and not state.wash else ()
    return {
        "end": end_of(game),
        "ticks": int(state.tick),
        "wash": bool(state.wash),
        "winner": winners[0] + 1 if winners else None,
        "last_man": None if last_man == NOBODY else last_man + 1,
        "deaths": deaths,
        "pellets_consumed": int(state.snakes["pellets"].sum()),
    }


def end_of(game: Any) -> str:
    if not game.over:
        return "none"
    if game.state.starved:
        return "tick_timeout"
    return "last_man" if game.state.living else "all_dead"
