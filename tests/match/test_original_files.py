"""The original's files of games: what its host left of a match, from the games as they were played."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.games import load
from botyard.kernel.errors import BadRecord, UnknownName, YardError
from botyard.match.loop import Played
from botyard.match.original_files import MOST_CHARACTERS, OriginalFiles, check_size, follow, open_writer

MAZE: Any = {"max_rounds": 3, "debug": True}
PIT: Any = {"snakes": 2, "width": 12, "height": 12}


def maze() -> Played:
    return botyard.play("hackman", ["house:wanderer", "house:collector"], seed=3, **MAZE)


def pit(seed: int) -> Played:
    return botyard.play("snakepit", ["house:beeline", "house:beeline"], seed=seed, **PIT)


def files_of(game: str, games: int = 1, **settings: Any) -> OriginalFiles:
    return OriginalFiles(load(game), load(game).settings.read(settings), games)


def test_a_format_the_game_does_not_have_is_named_with_those_it_has() -> None:
    with pytest.raises(UnknownName, match=r"unknown export format of hackman '\.txt'.*\.result"):
        open_writer(load("hackman"), ".txt", ["a", "b"])


def test_a_writer_follows_every_tick_and_hears_what_was_said() -> None:
    played = maze()
    talk = follow(open_writer(load("hackman"), ".talk", played.names), played.replay, played.log).decode()
    assert talk.count("ask action move") == 2 * 3


def test_files_of_one_game_are_written_and_what_was_printed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = files_of("hackman", result_file="out/result.json", **MAZE)
    assert files.wanted
    assert files.write() == ([], "")  # nothing was played
    assert not list(tmp_path.iterdir())
    files.add(maze())
    paths, printed = files.write()
    assert paths == [Path("out/result.json"), Path("game-resultfile.json")]
    assert json.loads(json.loads(paths[0].read_text())["details"])["score"] == 3
    assert "Engine out" in printed


def test_a_file_that_tells_of_one_game_is_not_for_several() -> None:
    files_of("hackman", 1, result_file="result.json")
    with pytest.raises(YardError, match=r"result\.json can hold one game, not 2"):
        files_of("hackman", 2, result_file="result.json")
    assert not files_of("hackman", 2).wanted


def test_one_file_tells_of_all_games_of_a_series_but_not_of_void_ones(tmp_path: Path) -> None:
    path = tmp_path / "results.txt"
    files = files_of("snakepit", 3, results_file=str(path), **PIT)
    first, void, last = pit(5), replace(pit(6), outcome=None), pit(7)
    for played in (first, void, last):
        files.add(played)
    assert files.write() == ([path], "")
    assert path.read_text().count(" Round: ") == 2
    again = files_of("snakepit", 2, results_file=str(path), **PIT)
    for played in (first, last):
        again.add_end(played.replay.verify(), played.names)
    content = path.read_text()
    again.write()
    assert path.read_text() == content


def test_a_file_may_be_added_to(tmp_path: Path) -> None:
    path = tmp_path / "results.txt"
    path.write_text("before\n")
    files = files_of("snakepit", results_file=str(path), preserve_mode="a", **PIT)
    files.add(pit(5))
    files.write()
    assert path.read_text().startswith("before\n==Match Settings==")


def test_a_replay_with_more_boards_than_any_match_is_refused() -> None:
    replay = pit(5).replay
    board = len(str(replay.new_game()))
    ticks = MOST_CHARACTERS // board
    replay.ticks = [[]] * ticks
    check_size(replay, {})
    replay.ticks = [[]] * (ticks + 1)
    with pytest.raises(BadRecord, match=rf"the boards of {ticks + 1} ticks take 256 MiB"):
        check_size(replay, {})
