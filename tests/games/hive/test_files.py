"""The original's files: recordings played on our rules, logs written and read."""

from __future__ import annotations

import contextlib
import gzip
import json
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.games import load
from botyard.games.game import Game
from botyard.games.hive import files
from botyard.games.hive.files import names_in
from botyard.games.hive.settings import HiveSettings
from botyard.kernel.errors import BadRecord, YardError
from botyard.kernel.recording import Conformance, read_text
from botyard.kernel.rule import INTERPRETED
from tests.conftest import outside_recordings, recorded_file

NEW_GAME = partial(Game, load("hive"))


def conform(text: str, seed: int | None = None) -> Conformance:
    result = Conformance("hive", "text")
    assert files.recognise(text)
    files.check(text, result, seed, NEW_GAME)
    return result


@cache
def recorded_text() -> str:
    return read_text(recorded_file("hive"))


def recorded_game() -> dict[str, Any]:
    """The shortest recorded game."""
    record: dict[str, Any] = json.loads(min(recorded_text().splitlines(), key=len))
    return record


@pytest.mark.skipif(INTERPRETED, reason="a minute without a compiler; the games' beginnings are played in any case")
def test_every_recorded_turn_comes_out_the_same() -> None:
    result = conform(recorded_text())
    assert result.first is None
    assert (result.games, result.steps, result.equal) == (15, 37_588, 37_588)
    assert result.holds


def test_the_beginnings_of_the_recorded_games_come_out_the_same() -> None:
    games = [json.loads(line) for line in recorded_text().splitlines()]
    for game in games:
        del game["steps"][100:]
    result = conform("\n".join(map(json.dumps, games)))
    assert result.holds, result.first
    assert (result.games, result.steps) == (15, sum(len(game["steps"]) for game in games))


@pytest.mark.parametrize(("name", "lines"), [("original_game.log.gz", 2744), ("hive_forfeit.log", 15)])
def test_the_original_servers_log_comes_out_line_by_line(name: str, lines: int) -> None:
    seed = 1647338450 if name.startswith("original") else None
    result = conform(read_text(outside_recordings("hive") / name), seed)
    assert result.first is None
    assert (result.steps, result.equal) == (lines, lines)


@pytest.mark.parametrize(
    ("what", "spoil"),
    [
        ("view sent", lambda step: step.update(sent=step["sent"] + "9")),
        ("success", lambda step: step.update(success=not step["success"])),
        ("draws", lambda step: step.update(draws=[[2, 0], *step["draws"]])),
        ("player", lambda step: step.update(player=1 - step["player"])),
        ("scores", lambda step: step["state"].update(scores=[9, 9])),
        ("cells", lambda step: step["state"]["cells"].__setitem__(0, "6" * 30)),
        ("winner", lambda step: step["state"].update(winner=1)),
    ],
)
def test_a_recording_that_differs_is_noticed_and_checked_on(what: str, spoil: Any) -> None:
    record = recorded_game()
    del record["steps"][12:]
    untouched = json.dumps(record)
    assert conform(untouched).holds
    spoil(record["steps"][5])
    result = conform(json.dumps(record))
    assert not result.holds
    assert result.first is not None
    assert (result.first.step, result.first.what) == (5, what)
    assert result.steps == 12


def test_a_recording_with_another_generator_is_played_by_its_draws() -> None:
    record = recorded_game()
    del record["steps"][12:]
    record["settings"]["rng"] = "default"
    assert conform(json.dumps(record)).holds
    record["settings"]["rng"] = "glibc_rand_r"
    record["settings"]["seed"] += 1
    assert not conform(json.dumps(record)).holds
    del record["settings"]["seed"]
    assert conform(json.dumps(record)).holds


def test_a_set_up_that_differs_is_noticed() -> None:
    record = recorded_game()
    del record["steps"][2:]
    record["setup_draws"][0][0] += 1
    result = conform(json.dumps(record))
    assert result.first is not None
    assert result.first.step == -1


@pytest.mark.parametrize("text", ["", "hello", "{broken", '{"game": "chess", "steps": []}', "[1]", '{"game": "hive"}'])
def test_other_texts_are_not_recognised(text: str) -> None:
    assert not files.recognise(text)


def test_a_recording_that_is_cut_off_is_refused() -> None:
    record = recorded_game()
    del record["initial"]
    with pytest.raises(BadRecord, match="line 1 is not a recorded game"):
        conform(json.dumps(record))
    with pytest.raises(BadRecord, match="line 2 is not a recorded game"):
        conform(json.dumps(recorded_game()) + "\n{broken")


def written_log(game: Game, names: tuple[str, str], orders: list[int]) -> str:
    writer = files.exporter(".log", names)
    for order in orders:
        writer.before(game, {game.asked[0]: order})
        game.step_orders({game.asked[0]: order})
    return writer.end(game).decode()


def test_a_log_is_written_as_the_server_writes_it_and_read_back() -> None:
    game = botyard.new("hive", seed=1003, preset="program", random_seats=False)
    text = written_log(game, ("alpha", "beta"), [2, 6, 9, 21, 30, 6, 32])
    lines = text.splitlines()
    assert lines[:2] == ["# Player 0: alpha", "# Player 1: beta"]
    assert lines[2].startswith("0,0,0,0,0,")
    assert lines[2].endswith(",0,2")
    assert lines[-2:] == ["# Player 0 timeout/bad command", "# Winner: player 1 (beta)"]
    assert len(lines) == 2 + 6 + 2  # the bad turn has no line
    log = files.read_log(text)
    assert log.names == ("alpha", "beta")
    assert log.orders == (2, 6, 9, 21, 30, 6)
    assert log.forfeited == 0
    result = conform(text)
    assert result.holds
    assert result.under == "preset program, seed 1003, found by search"


def test_a_log_of_a_bad_first_answer_has_no_turn_and_is_read_back_8() -> None:
    game = botyard.new("hive", seed=1003, preset="program", random_seats=False)
    text = written_log(game, ("alpha", "beta"), [32])
    head = "# Player 0: alpha\n# Player 1: beta\n"
    assert text == f"{head}# Player 0 timeout/bad command\n# Winner: player 1 (beta)\n"
    result = conform(text)
    assert (result.steps, result.equal, result.holds) == (4, 4, True)
    assert not conform(text.replace("player 1 (beta)", "player 0 (alpha)")).holds


def test_names_are_raw_bytes_in_a_log_and_survive_reading_it_8(tmp_path: Path) -> None:
    path, names = tmp_path / "game.log", (b"caf\xe9, \r", b"")
    game = botyard.new("hive", seed=1003, preset="program", random_seats=False)
    writer = files.exporter(".log", [name.decode("utf-8", "surrogateescape") for name in names])
    for order in (2, 6, 32):
        writer.before(game, {game.asked[0]: order})
        game.step_orders({game.asked[0]: order})
    path.write_bytes(writer.end(game))
    assert path.read_bytes().startswith(b"# Player 0: caf\xe9, \r\n# Player 1: \n0,0,0,")
    assert path.read_bytes().endswith(b"\n# Player 0 timeout/bad command\n# Winner: player 1 ()\n")
    assert conform(read_text(path)).holds


def test_a_log_of_a_draw_ends_with_the_final_state() -> None:
    game = botyard.new("hive", seed=5, max_turns=4)
    *lines, remark = written_log(game, ("a", "b"), [24, 24, 24, 24]).splitlines()
    assert len(lines) == 4 + 4
    assert lines[-2].startswith("4,0,2,0,0,")
    assert lines[-2].endswith(",-1,-1")
    assert lines[-1] == "# Draw"
    assert remark == '# Botyard: {"profile": "document", "seed": "5", "max_turns": 4}'  # a message to the viewer


@pytest.mark.parametrize(
    "remark",
    [
        "{", "[]", "5", '{"profile": []}', '{"seed": {}}', '{"seed": 1e400}', "[" * 90_000,
        '{"profile": "both"}', '{"rows": -1}', '{"rows": "x"}', '{"bees": 3}', '{"seed": "-1"}',
        '{"seed": "' + "9" * 5000 + '"}',
    ],
    ids=range(13),
)  # fmt: skip
def test_a_remark_that_makes_no_sense_is_refused_or_passed_over(remark: str) -> None:
    log = "# Player 0: a\n# Player 1: b\n# Player 0 timeout/bad command\n# Winner: player 1 (b)\n"
    assert conform(log).holds
    text = f"{log}# Botyard: {remark}\n"
    with contextlib.suppress(YardError):
        assert not conform(text).holds


def test_a_log_of_a_game_that_goes_on_has_no_end() -> None:
    assert written_log(botyard.new("hive", seed=5), ("a", "b"), [0]).count("\n") == 3 + 1  # names, turn, remark


def test_an_altered_log_differs() -> None:
    game = botyard.new("hive", seed=1003, preset="program", random_seats=False)
    text = written_log(game, ("alpha", "beta"), [2, 6, 9, 21, 32])
    result = conform(text.replace("\n1,1,0,0,0,", "\n1,1,0,0,5,"))
    assert not result.holds
    assert result.first is not None


def test_more_commands_than_a_game_has_turns_are_a_difference() -> None:
    game = botyard.new("hive", seed=1003, preset="program", random_seats=False)
    writer = files.LogWriter(("alpha", "beta"))
    while not game.over:
        writer.before(game, {game.asked[0]: 24})
        game.step_orders({game.asked[0]: 24})
    lines = writer.end(game).decode().split("\n")
    assert conform("\n".join(lines), 1003).holds
    lines.insert(-3, lines[-4])
    assert not conform("\n".join(lines), 1003).holds


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("# Player 0: a\nhello", "not a log of Hive Arena"),
        ("# Player 0: a\n# Player 1: b\n", "not a log of Hive Arena"),
        ("# Player 0: a\n# Player 1: b\n0,0,0,0,0,0,x,1\n", "not a pair of numbers"),
        ("# Player 0: a\n# Player 1: b\n0,0,0,0,0,000,0,1\n", "another board size"),
    ],
)
def test_a_broken_log_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadRecord, match=complaint):
        conform(text)


def test_a_board_that_no_seed_makes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from botyard.games.hive.map import seeds

    monkeypatch.setattr(seeds, "SPANS", ((0, 200),))
    board = files.board_text(botyard.new("hive", seed=1003, preset="program"))
    text = f"# Player 0: a\n# Player 1: b\n0,0,0,0,0,{board},0,1\n"
    with pytest.raises(YardError, match="no seed gives"):
        conform(text)


def test_the_search_finds_the_seed_of_a_board() -> None:
    from botyard.games.hive.map.seeds import find_seed

    settings = HiveSettings.read(preset="program")
    for seed in (0, 77, 60_000):
        board = files.board_text(botyard.new("hive", seed=seed, preset="program"))
        assert find_seed(settings, board) == seed


def test_recordings_may_be_compressed_or_not_and_damage_is_told(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("hello")
    assert read_text(path) == "hello"
    path.write_bytes(gzip.compress(b"hello"))
    assert read_text(path) == "hello"
    for damaged in (gzip.compress(b"hello")[:-4], b"\x1f\x8bnonsense"):
        path.write_bytes(damaged)
        with pytest.raises(BadRecord, match=r"is damaged|is cut off"):
            read_text(path)
    with pytest.raises(YardError, match="cannot read"):
        read_text(tmp_path / "missing")


def test_a_log_says_who_played() -> None:
    assert names_in("# Player 0: ann\n# Player 1: bob\n{}") == ("ann", "bob")
    assert names_in('{"game": "hive"}') == ()
