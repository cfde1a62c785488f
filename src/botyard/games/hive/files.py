"""The files of the original Hive Arena: its game log, and recordings of its rule code.

A log (specification 8) has two lines with the names, then a line per turn with the state before the command, then the
final state unless somebody forfeited, then the result.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from botyard.games.hive.facts import DIRECTIONS, FACTS
from botyard.games.hive.layout import CARRIER, FLOWER, PLAYERS, validate
from botyard.games.hive.settings import HiveSettings
from botyard.games.hive.wire import open_session
from botyard.kernel.bounded import json_of
from botyard.kernel.chance import TAPE
from botyard.kernel.contract import Exporter, MatchFile
from botyard.kernel.errors import BadRecord, YardError
from botyard.kernel.recording import Believed, Conformance, Difference, first_record
from botyard.kernel.settings import split_seed

EXPORTS = {".log": "the original server's game log"}
PLAYABLE = (".log",)

NAME_LINE = re.compile(r"# Player (\d): (.*)")
FORFEIT_LINE = re.compile(r"# Player (\d) timeout/bad command")
REMARK = "# Botyard: "  # settings and seed follow, at the end of a log that the original program cannot have written


# Writing logs


def board_text(game: Any) -> str:
    arena, state = game.arena, game.state
    margin = int(arena.margin)
    board = state.cells[margin : margin + int(arena.rows), margin : margin + int(arena.cols)]
    return "".join(map(str, board.ravel()))


def log_line(game: Any, order: int | None) -> str:
    """Writes the line of the state before an order, or of the final state."""
    state = game.state
    player, bee = int(state.turn) % PLAYERS, int(state.bee)
    action, direction = (-1, -1) if order is None else divmod(order, len(DIRECTIONS))
    head = f"{state.turn},{player},{bee},{state.scores[0]},{state.scores[1]}"
    return f"{head},{board_text(game)},{action},{direction}"


def log_end(game: Any, names: Sequence[str]) -> list[str]:
    state = game.state
    lines = []
    if state.forfeited >= 0:
        lines.append(f"# Player {state.forfeited} timeout/bad command")
    else:
        lines.append(log_line(game, None))
    winner = int(state.winner)
    lines.append("# Draw" if winner < 0 else f"# Winner: player {winner} ({names[winner]})")
    return lines


def remark(game: Any) -> list[str]:
    """Writes settings and seed, which a replay of the log needs, as a message that the original's viewer accepts.

    A log of the preset `program` has no such line: its seed is found by search, and every line is as the original
    writes it.
    """
    ours, values = game.settings.of_group("rules"), {}
    for profile in ("program", "document"):
        usual = HiveSettings.read({}, profile).of_group("rules")
        values = {key: value for key, value in ours.items() if value != usual[key] and key != "random_seats"}
        if not values:
            break
    if profile == "program":
        return []
    return [REMARK + json.dumps({"profile": profile, "seed": str(game.seed), **values})]


def read_remark(line: str) -> dict[str, Any]:
    """Reads the settings and the seed of a log; returns nothing if the log has no readable remark."""
    try:
        values = json_of(line.removeprefix(REMARK), "the remark") if line.startswith(REMARK) else None
    except BadRecord:
        values = None
    if not isinstance(values, dict) or not all(isinstance(value, str | int) for value in values.values()):
        return {}
    return values


class LogWriter(Exporter):
    """Follows a game and writes the original's log of it; `remarks` adds the settings and the seed."""

    def __init__(self, names: Sequence[str], *, remarks: bool = False) -> None:
        self._names, self._remarks = names, remarks
        self._lines = [f"# Player {player}: {name}" for player, name in enumerate(names)]

    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        """Writes the line of the tick that is about to be played; an order that forfeits has no line."""
        order = orders[game.asked[0]]
        if 0 <= order < len(FACTS.orders):
            self._lines.append(log_line(game, order))

    def end(self, game: Any) -> bytes:
        lines = [*self._lines, *(log_end(game, self._names) if game.over else [])]
        lines += remark(game) if self._remarks else []
        return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def exporter(suffix: str, names: Sequence[str]) -> LogWriter:
    return LogWriter(names, remarks=True)


def match_files(settings: HiveSettings) -> list[MatchFile]:
    """Returns no files: the original wrote none of a match by itself."""
    return []


# Reading logs


@dataclass(frozen=True, slots=True)
class Log:
    """The parts of a log. `orders` are its commands as our order numbers."""

    names: tuple[str, ...]
    lines: tuple[str, ...]
    orders: tuple[int, ...]
    first_board: str | None  # None if the first answer forfeited, so that no turn has a line
    forfeited: int | None
    values: dict[str, Any]  # settings and seed, if the log names them


def read_log(text: str) -> Log:
    lines = text.split("\n")
    values = read_remark(lines[-2]) if len(lines) > 1 else {}
    if values:
        del lines[-2]
    names = [found[2] for line in lines[:PLAYERS] if (found := NAME_LINE.fullmatch(line))]
    turns = [line.split(",") for line in lines if line and not line.startswith("# ")]
    forfeits = [int(found[1]) for line in lines if (found := FORFEIT_LINE.fullmatch(line))]
    if len(names) != PLAYERS or not (turns or forfeits) or any(len(fields) != 8 for fields in turns):
        raise BadRecord("not a log of Hive Arena", hint="it must have two `# Player` lines, then lines of eight fields")
    try:
        commands = [(int(fields[6]), int(fields[7])) for fields in turns]
    except ValueError as error:
        raise BadRecord("a command in the log is not a pair of numbers", hint=str(error)) from None
    orders = tuple(len(DIRECTIONS) * action + direction for action, direction in commands if action >= 0)
    first_board = turns[0][5] if turns else None
    return Log(tuple(names), tuple(lines), orders, first_board, forfeits[0] if forfeits else None, values)


def check_log(text: str, result: Conformance, seed: int | None, new_game: Any) -> None:
    """Plays a log's commands again, under the settings it names or those of a preset, and compares every line."""
    log = read_log(text)
    game, writer = game_of(log, result, seed, new_game), LogWriter(log.names)
    for order in log.orders:
        if game.over:
            break  # the remaining lines have no counterpart
        orders = {game.asked[0]: order}
        writer.before(game, orders)
        game.step_orders(orders)
    if log.forfeited is not None:
        game.change("forfeit", log.forfeited)
    ours = writer.end(game).decode("utf-8", "surrogateescape").split("\n")
    for at in range(max(len(ours), len(log.lines)) - 1):
        theirs, mine = (lines[at] if at < len(lines) else "(no line)" for lines in (log.lines, ours))
        result.count(None if mine == theirs else Difference("log", at + 1, "line", theirs, mine))
    result.games += 1


def game_of(log: Log, result: Conformance, seed: int | None, new_game: Any) -> Any:
    """Makes the game that a log was written of, as far as the log tells; `result` notes what was chosen."""
    profile = log.values.get("profile", "document")
    if log.values and seed is None and result.preset in (None, profile):
        named, values = split_seed(log.values)
        result.under = f"preset {profile}, seed {named}, as the log says"
        return new_game(HiveSettings.read({"random_seats": False, **values}), named or 0)
    if seed is None:
        preset = result.preset or "program"
        settings = HiveSettings.read({"random_seats": False}, preset)
        seed = seed_of(log, settings, preset)
        result.under = f"preset {preset}" + ("" if log.first_board is None else f", seed {seed}, found by search")
        return new_game(settings, seed)
    presets = [result.preset] if result.preset else ["program", "document"]
    games = [new_game(HiveSettings.read({"random_seats": False}, preset), seed) for preset in presets]
    fitting = (at for at, game in enumerate(games) if board_text(game) == log.first_board)
    chosen = next(fitting, 0)
    result.under = f"preset {presets[chosen]}, seed {seed}"
    return games[chosen]


def seed_of(log: Log, settings: HiveSettings, preset: str) -> int:
    """Finds the seed that makes the first board of a log."""
    from botyard.games.hive.map.seeds import find_seed

    if log.first_board is None:
        return 0  # there is no board to compare, so any seed will do
    if len(log.first_board) != settings.rows * settings.cols:
        raise BadRecord("the log has another board size", hint="logs must have the original's board of 25 × 30")
    if log.first_board.strip("012345678"):
        raise BadRecord(
            "the log has a board with other characters than 0 to 8", hint="is it a log of the original server?"
        )
    possible = settings.flowers_min <= log.first_board.count(str(FLOWER)) <= settings.flowers_max
    searchable = settings.rng == "glibc_rand_r"
    found = find_seed(settings, log.first_board) if searchable and possible else None
    if found is None:
        why = "gives the first board of this log" if searchable else "can be searched for"
        unnamed = (
            "if Botyard played this game under preset document, name its seed: --preset document "
            "--seed SEED; `botyard export` writes both into the log"
        )
        named = f"the log says it was played under preset {log.values.get('profile')}: leave --preset out"
        raise YardError(f"under preset {preset} no seed {why}", hint=named if log.values else unnamed)
    return found


# Recordings of the rule code


def recognise(text: str) -> bool:
    """Tells by its content whether a recording is of this game."""
    record = first_record(text)
    return text.startswith("# Player 0: ") or (record.get("game") == FACTS.name and "steps" in record)


def names_in(text: str) -> tuple[str, ...]:
    """Returns the names of the players in a log; a recording of the rule code has none."""
    found = (NAME_LINE.fullmatch(line) for line in text.split("\n", PLAYERS)[:PLAYERS])
    return tuple(match[2] for match in found if match)


def check(text: str, result: Conformance, seed: int | None, new_game: Any) -> None:
    """Plays a recording on our rules; `new_game(settings, seed)` makes a game."""
    if text.startswith("# "):
        with Believed("not a log of Hive Arena"):
            check_log(text, result, seed, new_game)
        return
    for number, line in enumerate(text.splitlines(), 1):
        with Believed(f"line {number} is not a recorded game"):
            check_recording(json_of(line, f"line {number}"), result, new_game)


def check_recording(record: dict[str, Any], result: Conformance, new_game: Any) -> None:
    seed, values = split_seed(record["settings"])
    settings = HiveSettings.read({**values, "random_seats": False}, values.get("profile", "program"))
    name = record["id"]
    game = new_game(settings, seed or 0)
    # The set-up follows from the seed only with the original's generator; of others, the recording has only the draws.
    reproducible = seed is not None and settings.rng == "glibc_rand_r"
    first = compare_states(game, record["initial"]) if reproducible else None
    game.arena.chance_kind = TAPE
    game.feed(record["setup_draws"])
    game.begin()
    first = first or compare_states(game, record["initial"]) or compare_draws(game, record["setup_draws"])
    load_recorded(game, record["initial"])
    result.games += 1
    if first:
        result.first = result.first or Difference(name, -1, *first)
    session = open_session(settings, 0)
    for at, step in enumerate(record["steps"]):
        found = play_recorded(game, step, session)
        result.count(Difference(name, at, *found) if found else None)
        if found:
            load_recorded(game, step["state"])


def play_recorded(game: Any, step: dict[str, Any], session: Any) -> tuple[str, str, str] | None:
    """Plays one recorded turn; returns (what, recorded, ours) for the first difference."""
    player = game.asked[0] if game.asked else -1
    if player != step["player"]:
        return "player", str(step["player"]), str(player)
    sent = session.ask(game.view(player)).decode().rstrip("\n")
    if sent != step["sent"]:
        return "view sent", step["sent"], sent
    action, direction = step["actions"]
    game.feed(step["draws"])
    game.step_orders({player: len(DIRECTIONS) * action + direction})
    if bool(game.state.changed) != step["success"]:
        return "success", str(step["success"]), str(bool(game.state.changed))
    return compare_draws(game, step["draws"]) or compare_states(game, step["state"])


def compare_draws(game: Any, draws: Sequence[Sequence[int]]) -> tuple[str, str, str] | None:
    chance = game.state.chance
    return None if game.draws_fit else ("draws", str(draws), f"{chance.counter} made, fault {chance.fault}")


def compare_states(game: Any, recorded: dict[str, Any]) -> tuple[str, str, str] | None:
    ours = recorded_form(game)
    for key, theirs in recorded.items():
        if ours.get(key) != theirs:
            return key, text_of(theirs), text_of(ours.get(key))
    return None


def text_of(value: Any) -> str:
    """Writes a board with one row to a line, and anything else as it is."""
    is_board = isinstance(value, list) and value and isinstance(value[0], str)
    return "\n".join(value) if is_board else json.dumps(value)


def recorded_form(game: Any) -> dict[str, Any]:
    """Returns a state in the form that recordings have."""
    state, margin, cols, count = game.state, int(game.arena.margin), int(game.arena.cols), int(game.arena.bees)
    text = board_text(game)
    return {
        "turn": int(state.turn),
        "cells": [text[at : at + cols] for at in range(0, len(text), cols)],
        "bees": (state.bees[:, :count].astype(int) - margin).tolist(),
        "scores": state.scores.tolist(),
        "last_point_turn": int(state.last_point_turn),
        "game_over": bool(state.over),
        "winner": int(state.winner),
    }


def load_recorded(game: Any, recorded: dict[str, Any]) -> None:
    """Continues from a recorded state, so that one difference does not hide the next."""
    state, margin, count = game.state, int(game.arena.margin), int(game.arena.bees)
    cells = np.array([[int(code) for code in row] for row in recorded["cells"]])
    state.cells[margin : margin + cells.shape[0], margin : margin + cells.shape[1]] = cells
    state.bees[:, :count] = np.array(recorded["bees"]) + margin
    state.scores[:] = recorded["scores"]
    state.turn, state.last_point_turn = recorded["turn"], recorded["last_point_turn"]
    state.bee = state.turn // PLAYERS % count
    state.over, state.winner = recorded["game_over"], recorded["winner"]
    state.flowers = int(np.isin(cells, (FLOWER, CARRIER, CARRIER + 1)).sum())
    state.chance.fault = 0
    validate(game.arena, state)
