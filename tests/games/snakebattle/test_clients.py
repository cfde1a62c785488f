"""The client libraries of the starters: they read a board as we drew it, and find the shortest ways on it.

For each language a probe in `clients/` prints what the library makes of all boards, in one process. Its solver is the
one that the starter's README shows.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from botyard.games.game import Game
from botyard.games.snakebattle.facts import DIRECTIONS
from botyard.games.snakebattle.layout import body_cells, point_of
from botyard.games.snakebattle.map.alphabet import NAMES, SYMBOLS
from botyard.games.snakebattle.wire import board_line
from botyard.games.starters import starter_for, write_starter
from botyard.links.play import play
from tests.conftest import need
from tests.games.snakebattle.table import BOOK, rows_of
from tests.waiting import PATIENCE_S

PROBES = Path(__file__).parent / "clients"
LANGUAGES = ["python", "javascript", "java"]

DRAWN = {
    "everything": """
        ☼☼☼☼☼☼☼☼☼☼☼
        ☼#  ®    ●☼
        ☼☼  ╔═╗   ☼
        ☼#  ║ ▼●  ☼
        ☼☼╘═╝  ┌─♣☼
        *ø     └─ö☼
        ☼☼ ○ © $  ☼
        ☼#      æ ☼
        ☼☼      ˅ ☼
        ☼☼ ☺─ö    ☼
        ☼☼☼☼☼☼☼☼☼☼☼
    """,
    "a wall in the way": """
        ☼☼☼☼☼☼☼☼☼
        ☼       ☼
        ☼   ☼   ☼
        ☼   ☼   ☼
        ☼╘═►☼ ○ ☼
        ☼   ☼   ☼
        ☼☼☼☼☼   ☼
        ☼       ☼
        ☼☼☼☼☼☼☼☼☼
    """,
    "walled in": """
        ☼☼☼☼☼☼☼☼☼
        ☼  ☼    ☼
        ☼╘►☼  ○ ☼
        ☼  ☼    ☼
        ☼☼☼☼    ☼
        ☼       ☼
        ☼       ☼
        ☼       ☼
        ☼☼☼☼☼☼☼☼☼
    """,
    "stones in the way": """
        ☼☼☼☼☼☼☼☼☼
        ☼   ●   ☼
        ☼   ●   ☼
        ☼   ●   ☼
        ☼╘═►● $ ☼
        ☼   ●   ☼
        ☼       ☼
        ☼       ☼
        ☼☼☼☼☼☼☼☼☼
    """,
    "food behind": """
        ☼☼☼☼☼☼☼
        ☼     ☼
        ☼○╘►  ☼
        ☼☼☼☼☼☼☼
        ☼     ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """,
    "flying over another": """
        ☼☼☼☼☼☼☼
        ☼  ˄  ☼
        ☼╘═♠○ ☼
        ☼  │  ☼
        ☼  ¤  ☼
        ☼     ☼
        ☼☼☼☼☼☼☼
    """,
    "asleep": """
        ☼☼☼☼☼
        ~& ○☼
        ☼☼  ☼
        *ø  ☼
        ☼☼☼☼☼
    """,
    "dead": """
        ☼☼☼☼☼
        ☼╘☻○☼
        ☼   ☼
        ☼<ö ☼
        ☼☼☼☼☼
    """,
}  # fmt: skip

Facts = dict[str, list[list[str]]]


@dataclass(frozen=True)
class Told:
    """What a client said: about itself, and about each board."""

    library: set[str]
    about_itself: Facts
    drawn: dict[str, Facts]
    played: list[Facts]


Ask = Callable[[str], Told]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """What the client in a language said, asked once."""
    return cache(lambda language: ask_client(language, tmp_path_factory.mktemp(language)))


def ask_client(language: str, folder: Path) -> Told:
    write_starter(starter_for("snakebattle", language), folder)
    probe, solver, commands = {
        "python": ("probe.py", "solver.py", [[sys.executable, "-X", "utf8", "probe.py"]]),
        "javascript": ("probe.js", "solver.js", [["node", "probe.js"]]),
        "java": ("Probe.java", "Solver.java", [["javac", *JAVAC, "Probe.java"], ["java", *JAVA, "Probe"]]),
    }[language]
    shutil.copy(PROBES / probe, folder)
    (folder / solver).write_text(shown_solver(folder))
    boards = ["".join(rows_of(drawing)) for drawing in DRAWN.values()] + [
        board_line(game.view(seat)) for game, seat in played()
    ]
    for command in commands:
        ran = subprocess.run(
            [need(command[0]), *command[1:]], input="".join(f"{line}\n" for line in boards), cwd=folder,
            check=False, capture_output=True, encoding="utf-8", timeout=PATIENCE_S,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
    itself, *rest = map(facts_of, ran.stdout.strip("\n").split("\n\n"))
    library = {name for names in itself.pop("library") for name in names}
    return Told(library, itself, dict(zip(DRAWN, rest, strict=False)), rest[len(DRAWN) :])


JAVA = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", "build"]
JAVAC = [*(f"-J{option}" for option in JAVA[:2]), "-encoding", "UTF-8", "-Xlint:all", "-Werror", "-d", "build"]


def shown_solver(folder: Path) -> str:
    [block] = re.findall(r"```\w+\n(.*?)```", (folder / "README.md").read_text(), re.DOTALL)
    return str(block)


def facts_of(text: str) -> Facts:
    facts: Facts = {}
    for line in text.splitlines():
        key, *words = line.split(" ")
        facts.setdefault(key, []).append(words)
    return facts


@cache
def played() -> list[tuple[Game, int]]:
    """A game among house bots before each of its ticks, with each seat."""
    match = play("snakebattle", ["house:fighter", "house:greedy", "house:original"], seed=1, **BOOK.samples.golden)
    games = [game.copy() for game, _ in match.replay.play() if not game.over]
    return [(game, seat) for game in games for seat in range(game.seats)]


each_language = pytest.mark.parametrize("language", LANGUAGES)


@each_language
def test_every_sign_has_its_name(ask: Ask, language: str) -> None:
    [elements] = ask(language).about_itself["elements"]
    assert sorted(elements) == sorted(f"{name}={ord(sign)}" for name, sign in zip(NAMES, SYMBOLS, strict=True))


@each_language
def test_boards_of_a_game_are_read_as_they_were_drawn(ask: Ask, language: str) -> None:
    for (game, seat), facts in zip(played(), ask(language).played, strict=True):
        side = int(game.arena.side)
        names = [NAMES[code] for code in game.view(seat).board[:side, :side].ravel()]
        assert facts["size"] == [[str(side)]]
        assert facts["rows"] == [[str(side)] * side]
        assert facts["names"] == [names]
        for kind, wanted in KINDS.items():
            assert facts[kind] == [[f"{at % side},{side - 1 - at // side}" for at in where(names, wanted)]]


KINDS = {
    "walls": ["WALL"],
    "stones": ["STONE"],
    "apples": ["APPLE"],
    "gold": ["GOLD"],
    "fury-pills": ["FURY_PILL"],
    "flying-pills": ["FLYING_PILL"],
    "food": ["APPLE", "GOLD", "FURY_PILL", "FLYING_PILL"],
    "free": ["NONE", "APPLE", "GOLD", "FURY_PILL", "FLYING_PILL"],
    "barriers": ["WALL", "START_FLOOR", "ENEMY_HEAD_SLEEP", "ENEMY_TAIL_INACTIVE", "TAIL_INACTIVE"],
}


def where(names: list[str], wanted: list[str]) -> list[int]:
    return [at for at, name in enumerate(names) if name in wanted]


@each_language
def test_snakes_are_seen_as_they_lie(ask: Ask, language: str) -> None:
    seen = 0
    for (game, seat), facts in zip(played(), ask(language).played, strict=True):
        bodies = [body_cells(game.arena, snake) for snake in game.state.snakes[:3]]
        if len({cell for body in bodies for cell in body}) == sum(map(len, bodies)):  # none lies over another
            lines = [snake_line(game, one) for one in range(3)]
            mine, foes = lines.pop(seat), [line for line in lines if line and "asleep" not in line]
            assert facts.get("mine", []) == [mine] * bool(mine)
            assert sorted(facts.get("foe", [])) == sorted(foes)
            seen += 1
    assert seen > 90


def snake_line(game: Game, seat: int) -> list[str]:
    """A snake as the probes write it, from the state of the game; nothing if it is dead."""
    snake = game.state.snakes[seat]
    states = {"flying": snake["flying"], "furious": snake["fury"] and not snake["flying"], "asleep": not snake["awake"]}
    points = [point_of(game.arena, cell) for cell in body_cells(game.arena, snake)]
    line = [DIRECTIONS[snake["direction"]].upper(), *(state for state, so in states.items() if so)]
    return [*line, *(f"{x},{y}" for x, y in points)] if snake["alive"] else []


@each_language
def test_a_drawn_board_is_seen_as_a_person_sees_it(ask: Ask, language: str) -> None:
    facts = ask(language).drawn["everything"]
    assert facts["mine"] == [["DOWN", "6,7", "6,8", "5,8", "4,8", "4,7", "4,6", "3,6", "2,6"]]
    assert facts["foe"] == [
        ["RIGHT", "furious", "9,6", "8,6", "7,6", "7,5", "8,5", "9,5"],
        ["DOWN", "8,2", "8,3"],
    ]  # neither who sleeps nor who is dead
    assert facts["foe-heads"] == [["9,6", "8,2"]]
    assert facts["beside"] == [["NONE", "STONE", "BODY_LEFT_DOWN", "NONE"]]
    assert facts["near"][0][4:] == ["BODY_HORIZONTAL", "NONE", "NONE", "ENEMY_BODY_RIGHT_DOWN"]
    assert facts["barriers-near"] == [["0"]]
    assert facts["asked"] == [["yes", "yes", "yes"]]
    assert facts["over"] == [["no"]]


@each_language
def test_a_head_over_another_snake_takes_no_cell_of_it(ask: Ask, language: str) -> None:
    facts = ask(language).drawn["flying over another"]
    assert facts["mine"] == [["RIGHT", "flying", "3,4", "2,4", "1,4"]]
    assert facts["foe"] == [["UP", "3,5"]]  # the rest of it is hidden behind us, or beyond


@each_language
def test_who_sleeps_is_there_and_who_is_dead_is_not(ask: Ask, language: str) -> None:
    drawn = ask(language).drawn
    assert drawn["asleep"]["mine"] == [["RIGHT", "asleep", "1,3", "0,3"]]
    assert "foe" not in drawn["asleep"]
    assert drawn["dead"]["over"] == [["yes"]]
    assert "mine" not in drawn["dead"]
    assert drawn["dead"]["answers"] == [["STOP", "STOP"]]


@each_language
def test_the_shortest_way_goes_around_a_wall(ask: Ask, language: str) -> None:
    facts = ask(language).drawn["a wall in the way"]
    [way] = facts["way"]
    assert sorted(way) == ["DOWN"] * 3 + ["RIGHT"] * 3 + ["UP"] * 3
    assert way[:3] == ["UP"] * 3
    assert facts["way-cost"] == [["9", "6,4"]]


@each_language
def test_where_there_is_no_way_none_is_told(ask: Ask, language: str) -> None:
    facts = ask(language).drawn["walled in"]
    assert facts["way"] == [[]]
    assert facts["way-cost"] == [[]]
    assert facts["way-room"] == [["5"]]  # its head and four free cells


@each_language
def test_costs_say_which_way_is_shortest(ask: Ask, language: str) -> None:
    facts = ask(language).drawn["stones in the way"]
    assert facts["way-cost"] == [["7", "6,4"]]  # around the stones
    assert facts["stony"] == [["RIGHT"] * 3]
    assert facts["stony-cost"] == [["5", "6,4"]]  # a stone costs three
    assert facts["wary-cost"] == [["19", "6,4"]]  # one cell beside a stone costs nine, ten at a distance one each


@each_language
def test_no_way_begins_backwards(ask: Ask, language: str) -> None:
    facts = ask(language).drawn["food behind"]
    assert facts["backwards"] == [["UP", "LEFT", "LEFT", "DOWN"]]  # and not over the tail, which is open here
    assert facts["backwards-room"] == [["10"]]


@each_language
def test_directions_turn(ask: Ask, language: str) -> None:
    assert ask(language).about_itself["directions"] == [
        [
            "LEFT/RIGHT/UP/DOWN/LEFT,ACT",
            "RIGHT/LEFT/DOWN/UP/RIGHT,ACT",
            "UP/DOWN/RIGHT/LEFT/UP,ACT",
            "DOWN/UP/LEFT/RIGHT/DOWN,ACT",
            "ACT/ACT/ACT/ACT/ACT,ACT",
            "STOP/STOP/STOP/STOP/STOP,ACT",
        ]
    ]


@each_language
def test_the_readme_lists_the_whole_library_and_nothing_else(ask: Ask, language: str) -> None:
    readme = (starter_for("snakebattle", language).folder / "README.md").read_text()
    listed = re.findall(r"^\| `(\w+)\.(\w+)", readme.partition("## The library")[2], re.MULTILINE)
    assert sorted(f"{owner[0].upper()}{owner[1:]}.{name}" for owner, name in listed) == sorted(ask(language).library)
    assert all(f"| `{name}` |" in readme for name in NAMES if not name.startswith("ENEMY_"))


@each_language
def test_the_solver_of_the_readme_goes_for_the_nearest_apple(ask: Ask, language: str) -> None:
    drawn = ask(language).drawn
    assert drawn["a wall in the way"]["answers"][0][1] == "UP"
    assert drawn["walled in"]["answers"][0][1] == "STOP"


def test_the_three_clients_say_and_play_the_same(ask: Ask) -> None:
    first, *others = map(ask, LANGUAGES)
    for other in others:
        assert (other.drawn, other.played) == (first.drawn, first.played)
