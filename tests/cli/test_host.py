"""What the originals' hosts did around a match, and `botyard play` does where the settings ask for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from botyard.cli.host import PACE, is_failure, memory_warnings, pace_of
from botyard.games import load
from botyard.kernel.verdict import Verdict
from botyard.match.loop import Played
from botyard.match.replay import Replay
from botyard.match.turns import SeatRecord, Turn
from tests.cli.test_commands import Run, run

__all__ = ["run"]  # a fixture

MAZE = ("play", "hackman", "house:wanderer", "house:collector", "--seed", "3", "--set", "max_rounds=9")
PIT = ("play", "snakepit", "house:beeline", "house:beeline", "--seed", "5", "--set", "width=14", "--set", "height=14")


def played(*turns: Turn, peak_mb: float | None = None) -> Played:
    made = Played(None, ("a", "b"), (0, 1), Replay("hackman", 1, {}, 0, ("a", "b"), (0, 1)), list(turns))
    made.seats = (SeatRecord("a"), SeatRecord("b", peak_mb=peak_mb))
    return made


def turn(verdict: Verdict, limit_ms: int = 100) -> Turn:
    return Turn(4, 0, verdict, "", 1.0, limit_ms, "", "", "", "", 0, 0)


def test_a_game_may_have_its_own_pace_for_watchers() -> None:
    assert [pace_of(load(game).settings(), None) for game in ("hive", "snakepit")] == [PACE, 15]
    assert pace_of(load("snakepit").settings.read({"update_freq": 0}), None) == 0
    assert pace_of(load("snakepit").settings(), 7) == 7


def test_a_bot_that_used_much_memory_is_named() -> None:
    maze = load("hackman").settings.read({"memory_warning_kb": 50})
    warning = "seat 1 (b) used 51 kB of memory, more than the 50 kB after which a warning is due"
    assert memory_warnings(maze, played(peak_mb=51 / 1024)) == [warning]
    assert memory_warnings(maze, played(peak_mb=50 / 1024)) == []
    assert memory_warnings(load("hive").settings(), played(peak_mb=9999)) == []


@pytest.mark.parametrize(
    ("turns", "failed"),
    [
        ([turn(Verdict.OK), turn(Verdict.SILENT), turn(Verdict.GARBLED)], False),
        ([turn(Verdict.OK), turn(Verdict.CRASHED)], True),
        ([turn(Verdict.MEMORY)], True),
        ([turn(Verdict.SILENT, limit_ms=0)], True),  # stopped: nobody waits for it
    ],
)
def test_a_bot_that_fails_can_be_the_failure_of_the_match(turns: list[Turn], failed: bool) -> None:
    propagating = load("hackman").settings.read({"propagate_bot_exit_code": True})
    assert is_failure(propagating, played(*turns)) == failed
    assert not is_failure(load("hackman").settings(), played(*turns))


def test_hackman_leaves_its_result_and_its_replay(run: Run) -> None:
    done = run(*MAZE, "--set", "result_file=out/result.json", "--set", "debug=true")
    assert done.status == 0
    assert "wrote: out/result.json\nwrote: game-resultfile.json" in done.out
    result = json.loads(Path("out/result.json").read_text())
    assert json.loads(result["details"])["score"] == 9
    assert json.loads(result["game"]) == json.loads(Path("game-resultfile.json").read_text())
    assert "Engine out: 'bot 0 ask action move'\n" in done.err
    quiet = run(*MAZE, "--set", "debug=true", "--set", "suppress_engine_io=true", "--json")
    assert quiet.json["warnings"] == []
    assert "Engine" not in quiet.err


def test_a_file_of_one_game_is_not_written_over_by_the_next(run: Run) -> None:
    done = run(*MAZE, "--games", "2", "--set", "result_file=result.json")
    assert done.status == 2
    assert "result.json can hold one game, not 2" in done.err
    assert not Path("result.json").exists()


def test_a_crash_can_be_told_by_the_exit_status(run: Run, tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text("def bot(view):\n    raise RuntimeError\n")
    words = ("play", "hackman", "py:dies.py", "house:wanderer", "--set", "max_rounds=3", "--quiet")
    assert run(*words).status == 0
    assert run(*words, "--set", "propagate_bot_exit_code=true").status == 1


def results() -> list[str]:
    return Path("bs_results.txt").read_text().splitlines()


def test_snakepit_leaves_its_results_file(run: Run) -> None:
    assert "wrote: bs_results.txt" in run(*PIT).out
    assert results()[:3] == ["==Match Settings==", " Best Of 30", " Seed 5"]
    whole = run(*PIT, "--games", "3", "--set", "best_of=3", "--json").json
    compiled = results()
    assert [line.split()[1] for line in compiled if line.startswith(" Round: ")] == ["1", "2", "3"]
    won = [row["winner"] for row in whole["results"] if row["winner"] is not None]
    assert sum(" Winner: " in line for line in compiled) == len(won)
    run(*PIT, "--games", "3", "--set", "best_of=3", "--replay", "kept")
    assert results() == compiled
    run(*PIT, "--set", "preserve_mode=a")
    assert results()[: len(compiled)] == compiled
    assert results().count("==Match Settings==") == 2


def test_nothing_is_left_where_nothing_is_wanted(run: Run) -> None:
    done = run(*PIT, "--set", "preserve_results=false")
    assert "wrote" not in done.out
    assert not Path("bs_results.txt").exists()


def seeds(done: Any) -> list[str]:
    return [row["seed"] for row in done.json["results"]]


def test_draws_can_go_on_from_game_to_game(run: Run) -> None:
    own = run(*PIT, "--games", "3", "--json")
    assert seeds(own) == ["5", "6", "7"]
    going_on = (*PIT, "--games", "3", "--set", "rng_per_game=false", "--json")
    compiled, through_loop = run(*going_on), run(*going_on, "--replay", "kept")
    assert compiled.json["results"] == through_loop.json["results"]
    assert seeds(compiled)[0] == "5"
    assert len(set(seeds(compiled)) | {"6", "7"}) == 5


def test_an_export_tells_what_was_said_and_takes_other_settings(run: Run, tmp_path: Path) -> None:
    (tmp_path / "says.py").write_text("def bot(view):\n    print('thinking')\n    return 'pass'\n")
    run("play", "hackman", "py:says.py", "house:wanderer", "--set", "max_rounds=2", "--replay", "g.replay")
    assert run("export", "g.replay", "--to", "a.result").status == 0
    assert "thinking" in json.loads(Path("a.result").read_text())["players"][0]["errors"]
    Path("g.replay.turns").unlink()
    run("export", "g.replay", "--to", "b.result")
    assert json.loads(Path("b.result").read_text())["players"][0]["errors"] == ""
    refused = run("export", "g.replay", "--to", "c.result", "--set", "max_rounds=3")
    assert refused.status == 2
    assert "max_rounds" in refused.err
    run(*PIT, "--replay", "p.replay")
    assert run("export", "p.replay", "--to", "w.svg", "--set", "pixel_size=3").status == 0
    assert 'width="42" height="42"' in Path("w.svg").read_text()
    assert "export format of snakepit" in run("export", "p.replay", "--to", "w.bmp").err


def test_a_results_file_that_cannot_be_written_is_told(run: Run) -> None:
    Path("folder").mkdir()
    done = run(*PIT, "--set", "preserve_mode=a", "--set", "results_file=folder")
    assert done.status == 2
    assert "cannot write folder" in done.err


def test_watching_without_a_limit_does_not_wait(run: Run) -> None:
    assert run(*PIT, "--watch", "--pace", "0").status == 0
    assert run("show", "replays/snakepit-5.replay", "--play", "--pace", "0").status == 0
