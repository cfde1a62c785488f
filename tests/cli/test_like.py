"""`botyard play --like`: what it says of a recorded game that is played again, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.games import GAMES, load
from tests.cli import test_commands
from tests.cli.test_commands import Run
from tests.links.matches import rival_of, short_match

run = test_commands.run  # the fixture

GAME = next(game for game in GAMES if len(load(game).bots.HOUSE_BOTS) > 2 and load(game).facts.seats_max == 2)
OWN, OTHER, THIRD = list(load(GAME).bots.HOUSE_BOTS)[:3]
RULES = load(GAME).settings.read({}).of_group("rules")


@pytest.fixture
def recorded(run: Run) -> str:
    short = [word for key, value in short_match(GAME).items() for word in ("--set", f"{key}={value}")]
    assert run("play", GAME, f"house:{OWN}", f"house:{OTHER}", "--seed", "3", *short, "-q").status == 0
    return f"replays/{GAME}-3.replay"


def test_the_same_bot_leaves_the_same_bytes_and_status_0(run: Run, recorded: str, tmp_path: Path) -> None:
    done = run("play", "--like", recorded, "--me", f"house:{OWN}")
    assert done.status == 0
    assert f"the same: seat 0 ({OWN}) answered as recorded in all" in done.out
    written = tmp_path / f"replays/like-{GAME}-3.replay"
    assert written.read_bytes() == (tmp_path / recorded).read_bytes()
    assert run("report", written).status == 0


def test_another_bot_is_told_from_the_recorded_one_with_status_1(run: Run, recorded: str) -> None:
    done = run("play", "--like", recorded, "--me", f"house:{THIRD}", "--seat", "0")
    assert done.status == 1
    assert f"seat 0 ({THIRD})" in done.out
    for words in ("otherwise in tick", "recorded: ", "now: ", "it was shown:"):
        assert words in done.out
    told = run("play", "--like", recorded, "--me", f"house:{THIRD}", "--seat", "0", "--json").json
    assert not told["byte_equal"]
    difference = told["difference"]
    assert difference["recorded"] != difference["given"]
    assert f"in tick {difference['tick']}:" in done.out
    assert difference["view"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--me", f"house:{THIRD}"], "add --seat NUMBER; there are 0"),
        (["--me", f"house:{OWN}", "--seat", "7"], "the recorded game has the seats"),
        (["--seat", "0"], "name it: --me"),
        (["--me", f"house:{OWN}", "--seed", "4"], "--seed is given with --like"),
        (["--me", f"house:{OWN}", "--games", "2"], "--games is given with --like"),
        (["--me", f"house:{OWN}", "--set", f"{next(iter(RULES))}=1"], "rules come from the recorded game"),
        (["--me", "json:listen"], "connects by itself"),
        (["--me", f"house:{OWN}", "--replay", f"replays/{GAME}-3.replay"], "is the recorded game itself"),
    ],
)
def test_what_does_not_go_with_a_recorded_game_is_refused(run: Run, recorded: str, words: list[str], told: str) -> None:
    done = run("play", "--like", recorded, *words)
    assert done.status == 2
    assert told in done.err


def test_without_a_recorded_game_bots_have_to_be_named(run: Run) -> None:
    assert "nobody is named who plays" in run("play").err
    assert "without --like" in run("play", GAME, rival_of(GAME), rival_of(GAME), "--me", "house:x").err
