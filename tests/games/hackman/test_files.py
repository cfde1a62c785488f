"""Recordings of the original, which must come out equal, and the generator they were drawn with."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.games.hackman import files
from botyard.games.hackman.files.generator import SeedGenerator
from botyard.kernel.errors import BadRecord
from botyard.kernel.recording import Conformance, read_text
from botyard.kernel.rule import INTERPRETED
from tests.conftest import recorded_file, recordings

HERE = recordings("hackman")


def checked(text: str) -> Conformance:
    assert files.recognise(text)
    result = Conformance("hackman", "recording")
    files.check(text, result, None, partial(Game, load("hackman")))
    return result


# Recordings


@pytest.mark.parametrize(
    ("name", "games", "steps"), [("dev.jsonl.gz", 49, 6389), ("examples.json", 9, 11), ("bug_paths.csv.gz", 1, 11544)]
)
def test_the_original_recordings_come_out_equal(name: str, games: int, steps: int) -> None:
    text = read_text(HERE / name)
    if INTERPRETED and name == "dev.jsonl.gz":  # half a minute without a compiler: every fourth game has to do
        lines = sorted(text.splitlines(), key=len)[::4]
        text, games, steps = "\n".join(lines), len(lines), sum(len(json.loads(line)["rounds"]) for line in lines)
    result = checked(text)
    assert result.first is None
    assert result.holds
    assert (result.games, result.steps, result.equal) == (games, steps, steps)


def a_game() -> dict[str, Any]:
    """The shortest recorded game: round by round 14 of them, many weapons."""
    lines = read_text(recorded_file("hackman")).splitlines()
    record: dict[str, Any] = min((json.loads(line) for line in lines), key=lambda game: len(game["rounds"]))
    return record


def first_difference(record: dict[str, Any], equal: int) -> tuple[str, str, str]:
    result = checked(json.dumps(record))
    assert not result.holds
    assert result.equal == equal
    assert result.steps == len(record["rounds"])
    assert result.first is not None
    return result.first.what, result.first.recorded, result.first.ours


def test_a_changed_state_is_found_and_the_rest_still_compared() -> None:
    record = a_game()
    record["rounds"][3]["state"]["collected_total"] += 1
    what, recorded, ours = first_difference(record, len(record["rounds"]) - 2)
    assert what == "collected_total"
    assert int(recorded) == int(ours) + 1


def test_a_changed_field_is_shown_row_by_row() -> None:
    record = a_game()
    record["rounds"][3]["state"]["field"] = "E" + record["rounds"][3]["state"]["field"][1:]
    what, recorded, ours = first_difference(record, len(record["rounds"]) - 1)
    assert what == "field"
    assert len(recorded.splitlines()) == len(ours.splitlines()) == 14


def test_a_draw_too_many_is_found() -> None:
    record = a_game()
    record["rounds"][0]["draws"].append([3, 1])
    assert first_difference(record, len(record["rounds"]) - 1)[0] == "draws"


def test_a_draw_with_another_bound_is_found() -> None:
    record = a_game()
    at = next(at for at, played in enumerate(record["rounds"]) if played["draws"])
    record["rounds"][at]["draws"][0][0] += 1
    assert first_difference(record, len(record["rounds"]) - 1)[0] == "draws"


def test_another_winner_is_found() -> None:
    record = a_game()
    record["winner"] = 1 if record["winner"] != 1 else 0
    assert first_difference(record, len(record["rounds"]))[0] == "ended, winner"


def test_a_set_up_that_does_not_follow_from_the_seed_is_found() -> None:
    record = a_game()
    record["settings"]["seed"] = "another"
    assert first_difference(record, len(record["rounds"]))[0] == "weapons"


def test_a_game_without_a_seed_takes_its_start_as_given() -> None:
    record = a_game()
    del record["settings"]["seed"]
    assert checked(json.dumps(record)).holds


def test_other_lines_sent_are_found_in_an_example() -> None:
    examples = json.loads(read_text(HERE / "examples.json"))
    examples[0]["rounds"][0]["sent_to_bot0"][0] = "update game round 31"
    result = checked(json.dumps(examples))
    assert result.first is not None
    assert result.first.what == "lines sent"
    assert (result.steps, result.equal) == (11, 10)


def test_another_path_is_found() -> None:
    lines = read_text(HERE / "bug_paths.csv.gz").splitlines()[:4]
    lines[2] = lines[2].replace("left", "right")
    result = checked("\n".join(lines))
    assert (result.steps, result.equal) == (3, 2)
    assert result.first is not None
    assert (result.first.recorded, result.first.ours) == ("5, right", "5, left")


@pytest.mark.parametrize(
    "text",
    ["", "hello", "{", '{"game": "hive"}', "[", "[]", "[1]", '[{"a": 1}]', "# Player 0: x", "bug_x,bug_y", '["ab"]'],
)
def test_other_texts_are_not_ours(text: str) -> None:
    assert not files.recognise(text)


def test_a_damaged_recording_is_refused() -> None:
    record = a_game()
    whole = json.dumps(record)
    del record["rounds"][0]["moves"]
    with pytest.raises(BadRecord, match="after 0 steps"):
        checked(json.dumps(record))
    with pytest.raises(BadRecord, match="line 2"):
        checked(whole + "\n{}")


# The original's generator


def test_the_generator_repeats_the_draws_of_a_whole_game() -> None:
    record = json.loads(read_text(recorded_file("hackman")).splitlines()[2])
    generator = SeedGenerator(record["settings"]["seed"])
    generator.below(154)
    generator.below(153)
    for played in record["rounds"]:
        for bound, value in played["draws"]:
            assert value == (generator.below(bound) if bound else generator.real() / (1 << 53))


def test_the_generator_never_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    class Digest:
        def __init__(self, data: bytes) -> None:
            pass

        def digest(self) -> bytes:
            return b"\xff" + bytes(19)  # -1, which the first carry makes up for

    generator = SeedGenerator("any")
    generator._state = bytearray(20)
    monkeypatch.setattr("botyard.games.hackman.files.generator.hashlib.sha1", Digest)
    generator._block()
    assert bytes(generator._state) == b"\x01" + bytes(19)


def test_a_draw_that_would_favour_small_numbers_is_made_again() -> None:
    generator = SeedGenerator("any")
    raws = iter([(1 << 31) - 1, 5])
    generator._bits = lambda count: next(raws)  # type: ignore[method-assign]
    assert generator.below(3) == 2
