"""A game is one folder: nothing else in `src/` knows its name or the keys of its settings.

Pages, examples, benches and tests may name games. Here everything is read that lies in `src/botyard`, comments and
pages included, for the games of the registry; a game may of course name itself in its own folder.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from botyard.games import GAMES, OWN_GAMES, load
from botyard.kernel.session import Session
from botyard.rank.formats import FORMATS

SOURCE = Path(__file__).parents[1] / "src" / "botyard"
REGISTRY = SOURCE / "games" / "__init__.py"  # has a line for each game of ours
READ = {".py", ".js", ".css", ".html", ".md", ".toml"}
ASKED = ("getattr", "hasattr", "replace")
NEW_GAME = SOURCE / "cli" / "new_game"  # what `botyard init-game` writes: a game, too
WORDS_OF_THE_HOUSE = {*(row.name for kind in FORMATS.values() for row in fields(kind)), *vars(Session)}
"""Options of formats and members of sessions: games may call settings of their own the same."""


def files_outside(*folders: Path) -> Iterator[Path]:
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix in READ and path != REGISTRY and not any(map(path.is_relative_to, folders)):
            yield path


def mentions(text: str, words: list[str]) -> Iterator[tuple[int, str]]:
    """Where words stand in a text, by line."""
    wanted = re.compile(rf"\b({'|'.join(map(re.escape, words))})\b", re.IGNORECASE)
    for number, line in enumerate(text.splitlines(), 1):
        yield from ((number, found[0]) for found in wanted.finditer(line))


def keys_named(text: str, keys: set[str]) -> Iterator[tuple[int, str]]:
    """Where a Python source asks for keys: in strings, and as `settings.KEY`.

    Keys of one word, such as `rows`, are ordinary words as well: they count where settings are asked for them.
    """
    long_keys = {key for key in keys if "_" in key}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from ((node.lineno, word) for word in re.findall(r"\w+", node.value) if word in long_keys)
        elif isinstance(node, ast.Attribute) and node.attr in keys and is_settings(node.value):
            yield node.lineno, node.attr
        elif isinstance(node, ast.Call):
            yield from ((node.lineno, key) for key in asked_for(node) if key in keys)


def is_settings(node: ast.expr) -> bool:
    """Whether an expression is some game's settings, by what it is called."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name.strip("_").endswith("settings")


def asked_for(call: ast.Call) -> Iterator[str]:
    """The keys by which a call asks for settings: getattr(settings, "KEY"), settings.of_group("…").get("KEY"),
    replace(settings, KEY=…)."""
    words = [word.value for word in call.args if isinstance(word, ast.Constant) and isinstance(word.value, str)]
    if isinstance(call.func, ast.Name) and call.func.id in ASKED and call.args and is_settings(call.args[0]):
        yield from words
        yield from (word.arg for word in call.keywords if word.arg)
    elif isinstance(call.func, ast.Attribute) and call.func.attr == "get" and "of_group" in ast.unparse(call.func):
        yield from words


@pytest.mark.parametrize("game", OWN_GAMES)
def test_nothing_outside_its_folder_names_a_game(game: str) -> None:
    book = load(game)
    words = [game, book.facts.title]
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {word}"
        for path in files_outside(book.folder)
        for line, word in mentions(path.read_text(), words)
    ]
    assert not found, "\n".join(found)


def test_nothing_outside_its_folder_knows_a_setting_of_a_game(game: str) -> None:
    book = load(game)
    keys = {row.name for row in fields(book.settings)} - WORDS_OF_THE_HOUSE
    games = [load(name).folder for name in GAMES]
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {key}"
        for path in files_outside(*games, NEW_GAME)
        if path.suffix == ".py"
        for line, key in keys_named(path.read_text(), keys)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        'settings.of_group("match").get("port", 0)',
        'hasattr(settings, "rows")',
        "x = game.settings.rows",
        'values["tick_ms"] = 5',
        'hint = "leave tick_ms out"',
        "replace(self._settings, rows=3)",
    ],
)
def test_a_key_is_found_however_it_is_asked_for(line: str) -> None:
    assert len({number for number, _ in keys_named(line, {"port", "rows", "tick_ms"})}) == 1


@pytest.mark.parametrize("line", ['store["rows"]', "standings.rows", "room.tick_ms", "connect(port=3)", "rows = 3"])
def test_ordinary_words_are_no_keys(line: str) -> None:
    assert not list(keys_named(line, {"port", "rows", "tick_ms"}))


def test_a_name_is_found_as_a_word() -> None:
    text = "an archive\n# as in Hive\nplay hive\nbeehive\nhive-7"
    assert [line for line, _ in mentions(text, ["hive", "Hive Arena"])] == [2, 3, 5]
