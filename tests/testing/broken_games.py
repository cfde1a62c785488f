"""Games that break one law each, made of the game to begin with; prints as JSON which of these laws notice it.

    BOTYARD_RULES=interpreted python -m tests.testing.broken_games FOLDER

Rules are interpreted, so that nothing has to be compiled for a game that is played once.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple

from botyard.cli.init_game import write_game
from botyard.games import load
from botyard.kernel.rulebook import Rulebook
from botyard.testing.laws import LAWS, LAWS_OF_ONE_FOLDER, Law

SOUND = "nothing is broken"


class Break(NamedTuple):
    """A change to one part of a game, and the law that must notice it."""

    part: str
    old: str
    new: str
    law: str


BREAKS = {
    "a drawing forgets who gave up": Break(
        "scene.py", 'words += ", over" if state.over else ""', "", "a_drawing_holds_everything_but_chance"
    ),
    "a view tells of chance": Break(
        "rules.py", "view.tick = state.tick", "view.tick = state.chance.word[0] & 7", "no_view_tells_of_chance"
    ),
    "a finished game goes on": Break(
        "rules.py", "    if state.over:\n        return\n    for player", "    for player",
        "a_finished_game_does_not_change",
    ),
    "an order beyond the last is carried out": Break(
        "rules.py", "    if order < UP or order > LEFT:\n        return False\n", "    state.scores[0] = order + 1\n",
        "every_integer_is_an_order",
    ),
    "nobody is asked": Break(
        "rules.py", "return 0 if state.over else (1 << PLAYERS) - 1", "return 0", "who_is_asked_has_an_order_to_give"
    ),
    "a setting does nothing": Break(
        "layout.py", "settings.coins, settings.sight, settings.ticks", "settings.coins, 3, settings.ticks",
        "every_setting_does_something",
    ),
    "an answer makes the session raise": Break(
        "wire.py", "    def question(", "    def order(self, line: str) -> int:\n        return int(line)\n\n"
        "    def question(", "a_session_offers_what_the_match_uses_and_never_raises",
    ),
    "the page leaves a setting out": Break(
        "README.md", "sight", "…", "the_page_tells_of_every_bot_and_every_field_of_a_view"
    ),
    "two orders have one name": Break(
        "facts.py", '"down", "left"', '"down", "down"', "facts_and_settings_are_filled_in"
    ),
    "a part lacks a function": Break(
        "scene.py", "def draw_view", "def draw_it", "every_part_exports_what_the_house_uses"
    ),
    "a seat has no line in the scene": Break(
        "scene.py", 'else "" for player in range(PLAYERS)', 'else "" for player in range(1)', "every_state_can_be_shown"
    ),
    "a piece has a tile that does not exist": Break(
        "scene.py", "piece.tile = WALKER + player", "piece.tile = WALKER + 9",
        "every_picture_fits_the_board_and_the_palette",
    ),
    "a picture tells of chance": Break(
        "scene.py", "grid[row, col] = state.cells[row, col]", "grid[row, col] = state.chance.word[0] & 2",
        "a_picture_shows_the_position_and_nothing_else",
    ),
    "a seat sees what was there before where it sees nothing": Break(
        "scene.py", "            grid[row, col] = view.cells[row, col]",
        "            if view.cells[row, col] < 5:\n                grid[row, col] = view.cells[row, col]",
        "a_seat_is_shown_its_view_and_nothing_else",
    ),
    "words have points of one seat only": Break(
        "scene.py", "tuple(state.scores.tolist())", "tuple(state.scores.tolist()[:1])",
        "words_have_a_line_per_seat_and_the_same_numbers_throughout",
    ),
    "a key gives an order that does not exist": Break(
        "scene.py", '("stay",)', '("wait",)', "keys_give_every_order_and_no_other"
    ),
    "a glyph is too wide": Break("scene.py", 'Tile("*", ', 'Tile("***", ', "every_tile_can_be_shown_anywhere"),
    "two pieces have one id": Break("scene.py", "piece.id = player", "piece.id = 0", "a_film_shows_every_position"),
    "a state that comes about is refused": Break(
        "layout.py", "state.tick >= 0", "0 <= state.tick < 9", "bytes_make_the_same_game"
    ),
    "a house bot remembers more than its memory": Break(
        "bots.py", "@rule\ndef decide(", "CALLS = []\n\n\ndef decide(bot, arena, view, memory):\n"
        "    CALLS.append(bot)\n    return len(CALLS) // 3 % ORDERS\n\n\ndef unused(",
        "house_bots_finish_the_same_games_compiled_and_in_a_match",
    ),
}  # fmt: skip


def install(folder: Path, number: int, change: Break) -> str:
    """Puts a copy of the game to begin with, with one change, where Botyard finds it under the name that is given."""
    name = f"broken{number}"
    write_game(name, folder / name)
    source = folder / name / "src"
    path = source / f"botyard_{name}" / change.part
    text = path.read_text()
    assert change.old in text, f"{change.part} has changed: {change.old}"
    path.write_text(text.replace(change.old, change.new))
    told = source / f"botyard_{name}-1.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: botyard-{name}\nVersion: 1\n")
    (told / "entry_points.txt").write_text(f"[botyard.games]\n{name} = botyard_{name}\n")
    sys.path.insert(0, str(source))
    return name


def notices(law: Law, book: Rulebook) -> bool:
    try:
        law(book)
    except Exception:
        return True
    return False


if __name__ == "__main__":
    changes = {SOUND: Break("rules.py", "", "", ""), **BREAKS}  # the sound one is held to every law
    names = {what: install(Path(sys.argv[1]), at, change) for at, (what, change) in enumerate(changes.items())}
    found = {
        what: [
            law.__name__
            for law in (*LAWS, *LAWS_OF_ONE_FOLDER)
            if changes[what].law in ("", law.__name__) and notices(law, load(name))
        ]
        for what, name in names.items()
    }
    print(json.dumps(found))  # noqa: T201
