"""Games of others: found where they are installed, and no harm to the rest where they are broken."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import botyard
from botyard.games import GAMES, OWN_GAMES, load, load_all
from botyard.games.others import offered_games
from botyard.kernel.errors import UnknownName, YardError
from tests.conftest import SIXTH_GAME
from tests.waiting import PATIENCE_S

Install = Callable[..., Path]

FACTS = """
from botyard.kernel.facts import Facts

FACTS = Facts(
    name="NAME", title="T", summary="S.", seats_min=2, seats_max=2, usual_seats=2, simultaneous=True, link="process",
    rules_version=1, orders=("a",),
)
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a package and what its installation leaves where Python looks."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def put(entry: str, package: str = "", distribution: str = "some-game", **parts: str) -> Path:
        told = tmp_path / f"{distribution.replace('-', '_')}-1.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1\n")
        (told / "entry_points.txt").write_text(f"[botyard.games]\n{entry}\n")
        if package:
            (tmp_path / package).mkdir()
            (tmp_path / package / "__init__.py").touch()
            for part, text in parts.items():
                (tmp_path / package / f"{part}.py").write_text(text)
        offered_games.cache_clear()
        return tmp_path

    yield put
    monkeypatch.undo()
    offered_games.cache_clear()


def test_a_game_in_a_package_of_its_own_is_played_like_our_own() -> None:
    assert list(GAMES) == [*OWN_GAMES, "tictactoe"]
    assert len(GAMES) == len(OWN_GAMES) + 1
    game = botyard.new("tictactoe", seed=1)
    for order in ("a3", "b3", "a2", "b2", "a1"):
        game.step(order)
    assert game.outcome is not None
    assert game.outcome.winner == 0


def test_what_lies_in_the_tests_is_what_an_installation_would_leave() -> None:
    project = tomllib.loads((SIXTH_GAME / "pyproject.toml").read_text())["project"]
    [told] = (SIXTH_GAME / "src").glob("*.dist-info")
    assert told.name == f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    points = project["entry-points"]["botyard.games"]
    lines = [f"{name} = {package}" for name, package in points.items()]
    assert (told / "entry_points.txt").read_text().splitlines() == ["[botyard.games]", *lines]


def test_our_own_games_are_played_without_a_look_at_what_is_installed() -> None:
    source = "import sys, botyard; botyard.new('hive', seed=1); sys.exit('importlib.metadata' in sys.modules)"
    program = f"import os; os.environ['BOTYARD_RULES'] = 'interpreted'; {source}"
    words = [sys.executable, "-S", "-c", path_to_here() + program]
    assert subprocess.run(words, check=False, timeout=PATIENCE_S).returncode == 0


def path_to_here() -> str:
    """Without `site`, whose start-up files may import anything."""
    return f"import sys; sys.path[:] = {sys.path!r}; "


def test_a_package_that_cannot_be_imported_takes_no_other_game_down(install: Install) -> None:
    install("broken = some_broken", "some_broken", facts="import nothing_of_this_name")
    with pytest.raises(YardError, match=r"some_broken has no usable part 'facts': .*nothing_of_this_name"):
        load("broken")
    books, troubles = load_all()
    assert [book.facts.name for book in books] == [*OWN_GAMES, "tictactoe"]
    assert [error.message for error in troubles] == ["the game in some_broken has no usable part 'facts'"]


def test_a_package_without_all_parts_is_told_apart_before_it_is_listed(install: Install) -> None:
    install("bare = some_bare", "some_bare", facts=FACTS.replace("NAME", "bare"))
    assert load("bare").facts.title == "T"
    _, [trouble] = load_all()
    assert "some_bare has no usable part 'settings'" in trouble.message


def test_a_package_that_is_not_there_is_named(install: Install) -> None:
    install("gone = some_gone")
    with pytest.raises(YardError, match="some_gone has no usable part 'facts'"):
        load("gone")


def test_a_game_must_have_the_name_it_is_offered_by(install: Install) -> None:
    install("here = some_here", "some_here", facts=FACTS.replace("NAME", "there"))
    with pytest.raises(YardError, match="'here' of some_here calls itself 'there'"):
        load("here")


def test_a_wrong_environment_is_not_blamed_on_a_game(install: Install) -> None:
    source = 'from botyard.kernel.errors import YardError\nraise YardError("BOTYARD_RULES")'
    install("odd = some_odd", "some_odd", facts=source)
    with pytest.raises(YardError, match=r"^BOTYARD_RULES$"):
        load("odd")


def test_a_name_of_ours_stays_ours(install: Install) -> None:
    install("hive = some_hive")
    assert load("hive").package == "botyard.games.hive"
    assert list(GAMES).count("hive") == 1
    _, [trouble] = load_all()
    assert "'hive' of some_hive (installed by some-game) is left out" in str(trouble)


def test_two_games_of_one_name_are_both_named(install: Install) -> None:
    install("twin = some_twin")
    install("twin = other_twin", distribution="other-game")
    assert "twin" not in GAMES
    with pytest.raises(YardError, match=r"two games have the name 'twin': .*other-game.*: uninstall one") as refused:
        load("twin")
    assert "some_twin (installed by some-game)" in str(refused.value)


def test_one_game_that_is_installed_twice_is_one(install: Install) -> None:
    install("twin = some_twin")
    install("twin = some_twin", distribution="other-game")
    assert GAMES["twin"] == "some_twin"


@pytest.mark.parametrize(
    ("entry", "remedy"),
    [
        ("My-Game = some_game", "lower-case letters"),
        ("mine = some_game:GAME", "must name a package"),
        ("mine = some-game", "must name a package"),
    ],
)
def test_an_offer_that_cannot_be_right_is_refused_with_a_remedy(install: Install, entry: str, remedy: str) -> None:
    install(entry)
    name = entry.partition(" ")[0]
    assert name not in GAMES
    with pytest.raises(YardError, match=remedy):
        load(name)


def test_an_unknown_name_is_compared_with_games_of_others_too() -> None:
    with pytest.raises(UnknownName, match="did you mean 'tictactoe'"):
        load("tictacto")
