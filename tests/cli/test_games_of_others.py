"""A game of others on the command line: used like our own, and told apart where it is broken."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from botyard.cli.app import make_app
from botyard.cli.options import complete_bot, complete_game
from botyard.games.others import offered_games
from tests.cli.test_commands import Run, run

__all__ = ["run"]


@pytest.fixture
def broken_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package is installed whose game cannot be imported."""
    site = tmp_path / "site"
    told = site / "some_game-1.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: some-game\nVersion: 1\n")
    (told / "entry_points.txt").write_text("[botyard.games]\nbroken = some_broken\n")
    (site / "some_broken").mkdir()
    (site / "some_broken" / "__init__.py").write_text("import nothing_of_this_name\n")
    monkeypatch.syspath_prepend(str(site))
    offered_games.cache_clear()


@pytest.fixture(autouse=True)
def look_anew() -> None:
    offered_games.cache_clear()


@pytest.mark.usefixtures("broken_game")
def test_a_broken_game_is_named_and_the_others_are_listed(run: Run) -> None:
    done = run("games", "--json")
    assert done.status == 0
    assert [row["name"] for row in done.json][-1] == "tictactoe"
    assert "some_broken has no usable part 'facts'" in done.err
    assert "nothing_of_this_name" in done.err
    assert run("init", "--list").status == 0
    assert run("play", "hive", "house:forager", "house:raider", "--set", "max_turns=4").status == 0


@pytest.mark.usefixtures("broken_game")
def test_whoever_names_a_broken_game_is_told_how_to_see_where(run: Run) -> None:
    done = run("settings", "broken")
    assert done.status == 2
    assert 'python -c "import some_broken.facts" shows where' in " ".join(done.err.split())


def test_its_name_and_its_bots_are_completed() -> None:
    assert complete_game("ti") == ["tictactoe"]
    assert complete_bot(context_of("tictactoe"), "house:") == ["house:blocker"]


@pytest.mark.usefixtures("broken_game")
def test_to_complete_a_bot_of_a_broken_game_is_no_failure() -> None:
    assert complete_bot(context_of("broken"), "house:") == ["house:"]


def context_of(game: str) -> typer.Context:
    """A command line on which a game stands already."""
    context = typer.Context(typer.main.get_command(make_app("play")))
    context.params = {"game": game}
    return context


def test_it_is_played_shown_verified_and_explained(run: Run) -> None:
    assert run("play", "tictactoe", "house:blocker", "house:blocker", "--seed", "3", "--replay", "x.replay").status == 0
    assert "plays X" in run("show", "x.replay").out
    assert run("verify", "x.replay").status == 0
    assert run("report", "x.replay").status == 0
    assert "misere" in run("settings", "tictactoe").out
    assert run("golden", "tictactoe").out.startswith("name tictactoe\n")
    assert run("conform", "x.replay").status == 2


def test_its_starter_is_written_checked_and_plays(run: Run) -> None:
    assert run("init", "tictactoe", "mine").status == 0
    done = run("check", "mine")
    assert done.status == 0, done
    assert "nothing is wrong with mine" in done.out
    assert run("play", "tictactoe", "dir:mine", "house:blocker", "--json").json["missed"] == []


def test_many_games_and_a_contest_of_processes(run: Run, tmp_path: Path) -> None:
    many = run("play", "tictactoe", "house:blocker", "house:blocker", "--games", "50", "--seed", "1")
    assert many.status == 0, many
    assert run("contest", "new", "tictactoe", "league.toml").status == 0
    path = tmp_path / "league.toml"
    path.write_text(path.read_text().replace("# workers = 0", "workers = 2"))
    done = run("contest", "run", "league.toml", "--quiet")
    assert done.status == 0, done
    assert "blocker-2" in run("contest", "report", "league.toml").out + run("contest", "status", "league.toml").out
