"""Recordings of the original's rule code: whole games, examples, and the path finder's answers.

A recorded draw is `[n, v]` for a whole number v below n, or `[0, u]` for a real number u.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from botyard.games.hackman.facts import DIRECTIONS
from botyard.games.hackman.files.generator import SeedGenerator
from botyard.games.hackman.map.plan import OPEN, PLAYERS
from botyard.games.hackman.rules import batches
from botyard.games.hackman.rules.bugs import HIGH_BITS, LOW_BITS
from botyard.games.hackman.settings import HackmanSettings
from botyard.games.hackman.wire import field_text, read_move, updates
from botyard.kernel.bounded import json_of
from botyard.kernel.chance import TAPE
from botyard.kernel.errors import BadRecord, quoted
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.recording import Conformance, Difference

Found: TypeAlias = tuple[str, str, str] | None
"""What differs, recorded, ours."""

PATHS_HEADER = "bug_x,bug_y,direction,player_x,player_y,path_length,first_step"


def is_game(record: Any) -> bool:
    named = isinstance(record, dict) and {"settings", "initial", "rounds", "winner"} <= record.keys()
    return named and "game" not in record and isinstance(record["rounds"], list)


def is_example(records: Any) -> bool:
    first = records[0] if isinstance(records, list) and records else None
    return isinstance(first, dict) and {"before", "rounds"} <= first.keys()


# Games and examples


def check_games(text: str, result: Conformance, new_game: Any) -> None:
    for number, line in enumerate(text.splitlines()):
        record = json_of(line, f"line {number + 1}")
        if not is_game(record):
            raise BadRecord(
                f"line {number + 1} is not a recorded game", hint="it must have settings, initial, rounds and winner"
            )
        check_game(record, str(number), result, new_game)


def check_game(record: dict[str, Any], name: str, result: Conformance, new_game: Any) -> None:
    settings, seed = recorded_settings(record["settings"])
    game = new_game(settings, 0)
    result.games += 1
    found = check_set_up(game, seed, record["initial"]) if seed else None
    if found:
        result.first = result.first or Difference(name, 0, *found)
    load_recorded(game, record["initial"])
    for at, played in enumerate(record["rounds"], 1):
        found = play_recorded(game, played)
        result.count(Difference(name, at, *found) if found else None)
        if found:
            load_recorded(game, played["state"])
    ended = compare_end(game, True, record["winner"])
    if ended:
        result.first = result.first or Difference(name, len(record["rounds"]), *ended)


def check_examples(text: str, result: Conformance, new_game: Any) -> None:
    for record in json_of(text, "the file"):
        game = new_game(HackmanSettings.read({}, "program"), 0)
        load_recorded(game, record["before"])
        result.games += 1
        for at, played in enumerate(record["rounds"], 1):
            sent = [*updates(game.settings.plan, game.view(0)), "action move"]
            found = compare_lines(played["sent_to_bot0"], sent) or play_recorded(game, played)
            found = found or compare_end(game, played["ended"], played["winner"])
            result.count(Difference(record["name"], at, *found) if found else None)
            if found:
                load_recorded(game, played["state"])


def recorded_settings(values: dict[str, Any]) -> tuple[HackmanSettings, str]:
    """Reads the settings of a recording; the original takes any text as its seed."""
    rest = dict(values)
    seed = str(rest.pop("seed", ""))
    return HackmanSettings.read(rest, "program"), seed


def check_set_up(game: Any, seed: str, initial: dict[str, Any]) -> Found:
    """Sets the game up with the draws that the original makes from its seed, as they are not recorded."""
    settings, plan, generator = game.settings, game.settings.plan, SeedGenerator(seed)
    taken = {*plan.starts, *(cell for cell in plan.rooms if plan.content[cell] != OPEN)}
    empty = len(plan.rooms) - len(taken)
    wanted = settings.map_snippet_count + settings.map_weapon_count
    bounds = [empty - placed for placed in range(min(wanted, empty))]
    bounds += [len(plan.spawns), len(DIRECTIONS)] * settings.initial_enemy_count
    draws = [(bound, generator.below(bound)) for bound in bounds]
    game.arena.chance_kind = TAPE
    game.feed(draws)
    game.begin()
    return compare_draws(game, draws) or compare_states(game, initial)


def play_recorded(game: Any, played: dict[str, Any]) -> Found:
    """Plays one recorded round; returns the first difference."""
    orders = {player: order_of(played["moves"][player]) for player in range(PLAYERS)}
    game.feed(tape_of(played["draws"]))
    game.step_orders(orders)
    return compare_draws(game, played["draws"]) or compare_states(game, played["state"])


def order_of(move: str) -> int:
    """Reads a raw answer as the engine does (10.1)."""
    order = read_move(move.encode())
    return order if isinstance(order, int) else NO_ORDER


def tape_of(draws: Sequence[Sequence[Any]]) -> list[tuple[int, int]]:
    """Converts recorded draws to ours: a real number is two draws that make up its 53 bits."""
    tape = []
    for bound, value in draws:
        if bound == 0:
            if type(value) is not float or not 0 <= value < 1:
                raise BadRecord(
                    f"a recorded draw is {quoted(value)}",
                    hint="it must be a number from 0 to below 1, with a decimal point",
                )
            bits = int(value * (1 << (HIGH_BITS + LOW_BITS)))
            tape += [(1 << HIGH_BITS, bits >> LOW_BITS), (1 << LOW_BITS, bits & ((1 << LOW_BITS) - 1))]
        else:
            tape.append((bound, value))
    return tape


def compare_draws(game: Any, draws: Sequence[Any]) -> Found:
    chance = game.state.chance
    return None if game.draws_fit else ("draws", str(draws), f"{chance.counter} made, fault {chance.fault}")


def compare_lines(recorded: list[str], ours: list[str]) -> Found:
    return None if recorded == ours else ("lines sent", "\n".join(recorded), "\n".join(ours))


def compare_end(game: Any, ended: bool, winner: int | None) -> Found:
    state = game.state
    ours = (bool(state.over), None if state.winner < 0 else int(state.winner))
    return None if ours == (ended, winner) else ("ended, winner", str((ended, winner)), str(ours))


def compare_states(game: Any, recorded: dict[str, Any]) -> Found:
    ours = recorded_form(game)
    for key, theirs in recorded.items():
        if ours.get(key) != theirs:
            return key, text_of(theirs, game), text_of(ours.get(key), game)
    return None


def text_of(value: Any, game: Any) -> str:
    """Writes a field with one row to a line, and anything else as JSON."""
    if isinstance(value, str):
        cells, width = value.split(","), int(game.arena.width)
        return "\n".join(",".join(cells[at : at + width]) for at in range(0, len(cells), width))
    return json.dumps(value)


def recorded_form(game: Any) -> dict[str, Any]:
    """Returns a state in the form that recordings have."""
    state, width = game.state, int(game.arena.width)

    def point(cell: Any) -> dict[str, int]:
        return {"x": int(cell) % width, "y": int(cell) // width}

    return {
        "round": int(state.rounds),
        "players": [
            {
                **point(state.cells[player]),
                "snippets": int(state.scores[player]),
                "has_weapon": bool(state.armed[player]),
                "paralysis": int(state.paralysis[player]),
                "alive": not state.out[player],
            }
            for player in range(PLAYERS)
        ],
        "bugs": [
            {
                "id": int(state.bug_ids[bug]),
                **point(state.bugs[bug]),
                "direction": DIRECTIONS[state.headings[bug]],
            }
            for bug in range(state.bug_count)
        ],
        "snippets": [list(point(cell).values()) for cell in state.snippets[: state.snippet_count]],
        "weapons": [list(point(cell).values()) for cell in state.weapons[: state.weapon_count]],
        "collected_total": int(state.collected),
        "field": field_text(game.settings.plan, state),
    }


def load_recorded(game: Any, recorded: dict[str, Any]) -> None:
    """Continues from a recorded state."""
    states = np.zeros(1, game.arrays[1].dtype)
    state, arena, width = states.view(np.recarray)[0], game.arena, int(game.arena.width)
    state.rounds, state.collected, state.winner = recorded["round"], recorded["collected_total"], -1
    for player, shown in enumerate(recorded["players"]):
        state.cells[player] = shown["y"] * width + shown["x"]
        state.scores[player], state.armed[player] = shown["snippets"], shown["has_weapon"]
        state.paralysis[player], state.out[player] = shown["paralysis"], not shown["alive"]
    state.bug_count = len(recorded["bugs"])
    for bug, shown in enumerate(recorded["bugs"]):
        state.bugs[bug], state.bug_ids[bug] = shown["y"] * width + shown["x"], shown["id"]
        state.headings[bug] = DIRECTIONS.index(shown["direction"])
    for items, points in ((state.snippets, recorded["snippets"]), (state.weapons, recorded["weapons"])):
        items[: len(points)] = [y * width + x for x, y in points]
    state.snippet_count, state.weapon_count = len(recorded["snippets"]), len(recorded["weapons"])
    spawned = batches(int(state.collected), int(arena.bug_delay), int(arena.bug_rate)) * int(arena.bug_batch)
    state.next_bug = max(arena.initial_bugs + spawned, *(1 + shown["id"] for shown in recorded["bugs"]), 0)
    state.over = bool(state.out.any() or state.rounds >= arena.max_rounds)
    game.load_state(states.tobytes())


# The path finder


def check_paths(text: str, result: Conformance, new_game: Any) -> None:
    """Compares every decision a bug can face on the default map with the table that the rules read."""
    arena = new_game(HackmanSettings(), 0).arena
    result.games += 1
    for row in csv.DictReader(text.splitlines()):
        bug, player = (int(row["bug_x"]), int(row["bug_y"])), (int(row["player_x"]), int(row["player_y"]))
        recorded = (row["path_length"], row["first_step"])
        ours = path_found(arena, bug, player, DIRECTIONS.index(row["direction"]))
        name = f"bug {bug} going {row['direction']}, player {player}"
        fits = recorded == ours
        result.count(None if fits else Difference(name, result.steps, "path", ", ".join(recorded), ", ".join(ours)))


def path_found(arena: Any, bug: tuple[int, int], player: tuple[int, int], heading: int) -> tuple[str, str]:
    """Returns length and first step as the recording writes them."""
    width = int(arena.width)
    row = int(arena.decisions[4 * (bug[1] * width + bug[0]) + heading])
    answer = int(arena.answers[row * int(arena.cells) + player[1] * width + player[0]])
    return str(answer >> 2) if answer else "", DIRECTIONS[answer & 3] if answer and bug != player else ""
