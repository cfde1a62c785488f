"""The files of the original BattleBots: what its control program prints, and recordings of its rule code.

The output (specification 8) has, per match, a line with the names and one with the numbers of its bouts, and at the end
a table of matches and bouts won. A switch in the program adds every round as bot 1 sees it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from botyard.games.battlebots.facts import DIRECTIONS, FACTS
from botyard.games.battlebots.layout import BOTS, BULLETS, LIVE, MISSILES, SPENT, validate
from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.games.battlebots.wire import arena_text, open_session, trimmed
from botyard.kernel.bounded import json_of
from botyard.kernel.contract import Exporter, MatchFile
from botyard.kernel.errors import BadRecord
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.recording import Believed, Conformance, Difference, first_record
from botyard.kernel.rule import opened
from botyard.kernel.settings import split_seed
from botyard.kernel.verdict import Fault

EXPORTS = {
    ".txt": "what the original prints for a contest of this one bout",
    ".display": "the same with every round drawn, as with the program's display switch",
}

PLAYABLE = (".txt", ".display")  # output of contests among the sample bots

PAIR_LINE = re.compile(r".+ vs .+")
RESULTS = "\nResults:\nBot\tMatches\tBouts\n"
SAMPLES = {"huggy": "hugger", "hugger": "hugger", "nop": "nop"}
"""The bots behind the recorded outputs (10.8), and those of our own that play as they do, by our names."""
MOST_NAMES = 16  # a contest of more bots is not played again, because all of them meet each other


# Writing the output


class Bout(NamedTuple):
    """One bout of a match, as the output shows it."""

    winner: int | None  # 0, 1 or None for a draw, in the order in which the match names the bots
    rounds: str = ""  # the text of all rounds, if the display is switched on


class Match(NamedTuple):
    """All bouts of one pair of bots, given by their places in the list of names."""

    pair: tuple[int, int]
    bouts: Sequence[Bout]

    def wins(self, side: int) -> int:
        return sum(bout.winner == side for bout in self.bouts)

    @property
    def winner(self) -> int | None:
        """The side that won more bouts; None if they are even (4)."""
        ahead = self.wins(0) - self.wins(1)
        return None if ahead == 0 else int(ahead < 0)


def contest_text(names: Sequence[str], matches: Iterable[Match]) -> str:
    """Writes the whole output of a contest, with its matches in the order they were played."""
    played = list(matches)
    return "".join(match_text(names, match) for match in played) + results_text(names, played)


def match_text(names: Sequence[str], match: Match) -> str:
    numbered = "".join(f"{number} {bout.rounds}" for number, bout in enumerate(match.bouts))
    return f"{names[match.pair[0]]} vs {names[match.pair[1]]}\n{numbered}\n"


def results_text(names: Sequence[str], matches: Sequence[Match]) -> str:
    """Writes the table at the end, in order of registration. Drawn bouts and matches count for nobody."""
    won, bouts = [0] * len(names), [0] * len(names)
    for match in matches:
        for side, bot in enumerate(match.pair):
            won[bot] += match.winner == side
            bouts[bot] += match.wins(side)
    return RESULTS + "".join(f"{name}\t{won[bot]}\t{bouts[bot]}\n" for bot, name in enumerate(names))


def round_text(game: Any) -> str:
    """Writes a round as the display shows it, after both bots have answered and before anything happens."""
    paralysed = "The bots are paralyzed.\n" if game.state.paralysed else ""
    return f"Round: {game.state.rounds}\n{arena_text(game.view(0))}\n{paralysed}"


class OutputWriter(Exporter):
    """Follows a bout and writes what the original would print of a contest with this bout alone."""

    def __init__(self, names: Sequence[str], display: bool) -> None:
        self._names, self._display = names, display
        self.rounds = ""  # the text of the rounds so far

    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        if self._display:
            self.rounds += round_text(game)

    def end(self, game: Any) -> bytes:
        """Writes the output; a bout that is not over has no result yet."""
        winner = game.outcome.winner if game.over else None
        match = Match((0, 1), [Bout(winner, self.rounds)])
        text = contest_text(self._names, [match]) if game.over else match_text(self._names, match)
        return text.encode("utf-8", "surrogateescape")


def exporter(suffix: str, names: Sequence[str]) -> OutputWriter:
    return OutputWriter(names, suffix == ".display")


def match_files(settings: BattlebotsSettings) -> list[MatchFile]:
    """Returns no files: the original wrote none of a match by itself."""
    return []


# Reading output: the sample bots play the contest again


def check_output(text: str, result: Conformance, new_game: Any) -> None:
    """Plays the contest again and compares every line, under the preset asked for or the first that fits."""
    names = [line.split("\t")[0] for line in text.partition(RESULTS)[2].split("\n") if line]
    bots = [SAMPLES.get(name.rstrip("0123456789")) for name in names]
    if not BOTS <= len(names) <= MOST_NAMES or None in bots:
        raise BadRecord(
            "only contests among the sample bots can be played again from their output",
            hint=f"the table of results must name {', '.join(SAMPLES)}, numbered if there are several; for other bots "
            "`botyard verify REPLAY` plays a game again",
        )
    presets = [result.preset] if result.preset else ["program", "document"]
    tried = [output_again(text, names, [str(bot) for bot in bots], preset, new_game) for preset in presets]
    fitting = (at for at, ours in enumerate(tried) if ours == text)
    chosen = next(fitting, 0)
    result.under = f"preset {presets[chosen]}"
    ours, theirs = tried[chosen].split("\n"), text.split("\n")
    for at in range(max(len(ours), len(theirs))):
        left, right = (lines[at] if at < len(lines) else "(no line)" for lines in (theirs, ours))
        result.count(None if left == right else Difference("output", at + 1, "line", left, right))
    result.games += len(list(combinations(names, 2))) * bouts_in(text)


def output_again(text: str, names: Sequence[str], bots: Sequence[str], preset: str, new_game: Any) -> str:
    """Writes what the original would have printed of a contest among these bots, with as many bouts as `text` has."""
    settings, display = BattlebotsSettings.read(preset=preset), " Round: 0\n" in text
    matches = []
    for pair in combinations(range(len(names)), 2):
        one = play_again(new_game(settings, 0), [bots[bot] for bot in pair], display)
        bouts = min(bouts_in(text), len(text) // (len(one.rounds) + 1) + 1)  # the text has no room for more
        matches.append(Match(pair, [one] * bouts))  # the game has no chance, so all bouts are the same
    return contest_text(names, matches)


def bouts_in(text: str) -> int:
    """Counts the bouts of the first match; they are numbered from 0."""
    body = text.partition("\n")[2]
    if not body.startswith("0 Round: 0\n"):
        return len(body.partition("\n")[0].split()) or 1
    first = re.split(PAIR_LINE, body, maxsplit=1)[0]
    return len(re.findall(r"^\d+ Round: 0$", first, re.MULTILINE))


def play_again(game: Any, bots: Sequence[str], display: bool) -> Bout:
    """Plays a bout between house bots."""
    game.book.prepare(game.settings, "bots")
    writer = OutputWriter(bots, display)
    memories = [np.zeros(1, game.book.layouts(game.settings).memory) for _ in bots]
    arenas, _ = game.arrays
    while not game.over:
        orders = {}
        for seat, bot in enumerate(bots):
            number, view = game.book.bot_number(bot), game.view(seat).array
            orders[seat] = game.book.loops.decide_at(number, opened(arenas), opened(view), opened(memories[seat]))
        writer.before(game, orders)
        game.step_orders(orders)
    return Bout(game.outcome.winner, writer.rounds)


# Recordings of the rule code


def recognise(text: str) -> bool:
    """Tells by its content whether a recording is of this game."""
    if not text.startswith("{"):
        first, _, rest = text.partition("\n")
        return PAIR_LINE.fullmatch(first) is not None and rest.startswith("0 ")
    record = first_record(text)
    return record.get("game") == FACTS.name and "steps" in record


def check(text: str, result: Conformance, seed: int | None, new_game: Any) -> None:
    """Plays a recording on our rules; `new_game(settings, seed)` makes a game."""
    if not text.startswith("{"):
        with Believed("not the output of a contest of BattleBots"):
            check_output(text, result, new_game)
        return
    # Answers may hold U+0085 or U+2028, where splitlines would cut.
    for number, line in enumerate(text.rstrip("\n").split("\n"), 1):
        with Believed(f"line {number} is not a recorded bout"):
            check_recording(json_of(line, f"line {number}"), result, new_game)


def check_recording(record: dict[str, Any], result: Conformance, new_game: Any) -> None:
    _, values = split_seed(record["settings"])
    settings = BattlebotsSettings.read({"profile": "program", **values})
    game = new_game(settings, 0)
    name = record["id"]
    result.games += 1
    first = compare_states(game, record["initial"])
    if first:
        result.first = result.first or Difference(name, -1, *first)
        load_recorded(game, record["initial"])
    sessions = [open_session(settings, seat) for seat in range(BOTS)]
    for at, step in enumerate(record["steps"]):
        found = play_recorded(game, step, sessions)
        result.count(Difference(name, at, *found) if found else None)
        if found:
            load_recorded(game, step["state"])
    last = compare_end(game, record)
    if last:
        result.first = result.first or Difference(name, len(record["steps"]), *last)


def play_recorded(game: Any, step: dict[str, Any], sessions: Sequence[Any]) -> tuple[str, str, str] | None:
    """Plays one recorded round; returns (what, recorded, ours) for the first difference."""
    if game.over:
        return "end", "another round", "over"
    orders = {}
    for seat, session in enumerate(sessions):
        sent = session.ask(game.view(seat)).decode()
        if sent != step["sent"][seat]:
            return f"text for bot {seat + 1}", step["sent"][seat], sent
        raw = step["raw"][seat].encode("utf-8", "replace")
        if trimmed(raw) != step["actions"][seat]:
            return f"answer of bot {seat + 1}", step["actions"][seat], trimmed(raw)
        order = session.receive(raw) or session.ended()
        orders[seat] = NO_ORDER if isinstance(order, Fault) else order
    game.step_orders(orders)
    return compare_states(game, step["state"])


def compare_states(game: Any, recorded: dict[str, Any]) -> tuple[str, str, str] | None:
    ours = recorded_form(game)
    for key, theirs in recorded.items():
        if ours.get(key) != theirs:
            return key, json.dumps(theirs), json.dumps(ours.get(key))
    return None


def compare_end(game: Any, record: dict[str, Any]) -> tuple[str, str, str] | None:
    winner = None if record["winner"] < 0 else record["winner"]
    told = {"over": True, "rounds": record["rounds"], "winner": winner}
    ours = {"over": game.over, "rounds": int(game.state.rounds), "winner": game.outcome and game.outcome.winner}
    return None if told == ours else ("end", json.dumps(told), json.dumps(ours))


def recorded_form(game: Any) -> dict[str, Any]:
    """Returns a state in the form that recordings have."""
    state = game.state
    return {
        "bots": [{"x": int(x), "y": int(y), "hp": int(hp)} for (x, y), hp in zip(state.bots, state.hp, strict=True)],
        "bullets": recorded_shots(state, BULLETS),
        "missiles": recorded_shots(state, MISSILES),
        "landmines": [
            {"x": int(x), "y": int(y), "dead": bool(state.mine_at[y, x] == SPENT)}
            for x, y in state.mines[: int(state.mine_count)]
        ],
        "paralyzed": int(state.paralysed),
    }


def recorded_shots(state: Any, kind: int) -> list[dict[str, Any]]:
    shots = state.shots[kind, : int(state.shot_count[kind])]
    return [{"x": int(x), "y": int(y), "dir": DIRECTIONS[direction]} for x, y, direction, _ in shots]


def load_recorded(game: Any, recorded: dict[str, Any]) -> None:
    """Continues from a recorded state, so that one difference does not hide the next."""
    state = game.state
    state.bots[:] = [(bot["x"], bot["y"]) for bot in recorded["bots"]]
    state.hp[:] = [bot["hp"] for bot in recorded["bots"]]
    state.paralysed = recorded["paralyzed"]
    state.shots[:], state.mines[:], state.mine_at[:] = 0, 0, 0
    for kind, key in ((BULLETS, "bullets"), (MISSILES, "missiles")):
        state.shot_count[kind] = len(recorded[key])
        for at, shot in enumerate(recorded[key]):
            state.shots[kind, at, :3] = shot["x"], shot["y"], DIRECTIONS.index(shot["dir"])
    state.mine_count = len(recorded["landmines"])
    state.spent_count = sum(mine["dead"] for mine in recorded["landmines"])
    for at, mine in enumerate(recorded["landmines"]):
        state.mines[at] = mine["x"], mine["y"]
        state.mine_at[mine["y"], mine["x"]] = SPENT if mine["dead"] else LIVE
    state.over = bool((state.hp < 1).any()) or state.rounds >= game.settings.rounds_per_bout
    validate(game.arena, state)
