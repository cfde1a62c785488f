"""`botyard contest run` after bots were added, mended or taken out: what it tells, asks and refuses."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from botyard.contest.reading import read_plan
from botyard.contest.store_file import StoreFile
from tests.cli import test_commands
from tests.cli.test_commands import Run
from tests.conftest import need
from tests.contest.test_amendments import FORAGER, RAIDER, WANDERER, with_bots
from tests.contest.test_bot_patterns import hand_in
from tests.contest.yard import QUICK, games_of, write
from tests.waiting import PATIENCE_S, ending, in_time, wait_until

run = test_commands.run  # the fixture

PLAY = ("contest", "run", "league.toml", "--quiet", "--no-report")


def count(path: Path) -> int:
    return len(games_of(read_plan(path)))


def test_a_contest_goes_on_by_itself(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path)
    first, again = run(*PLAY), run(*PLAY)
    assert (first.status, again.status) == (0, 0)
    assert first.out == again.out
    assert run(*PLAY, "--resume").out == first.out
    assert count(path) == 12


def test_a_late_comer_is_told_of_and_needs_no_consent(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, with_bots(FORAGER, WANDERER))
    run(*PLAY)
    write(tmp_path)
    done = run(*PLAY)
    assert done.status == 0
    assert done.err.splitlines()[:3] == [
        "league.toml: new: raider", "  4 games stay", "  8 games are played: raider is new",
    ]  # fmt: skip
    assert count(path) == 12


def test_without_a_terminal_no_game_is_dropped_unless_told(run: Run, tmp_path: Path) -> None:
    write(tmp_path)
    run(*PLAY)
    path = write(tmp_path, with_bots(FORAGER, WANDERER))
    for json in ((), ("--json",)):
        refused = run(*PLAY, *json)
        assert refused.status == 2
        assert refused.out == ""
        assert "league.toml: gone: raider" in refused.err
        assert "8 games are dropped: raider has left" in refused.err
        assert "--yes" in refused.err
        assert count(path) == 12
    agreed = run(*PLAY, "--yes", "--json")
    assert agreed.status == 0
    assert agreed.json["games"]["recorded"] == count(path) == 4


def test_of_several_contests_nothing_is_played_before_all_is_agreed(run: Run, tmp_path: Path) -> None:
    two = write(tmp_path, QUICK, "two.toml")
    run("contest", "run", "two.toml", "--quiet", "--no-report")
    one = write(tmp_path, QUICK, "one.toml")
    write(tmp_path, with_bots(FORAGER, WANDERER), "two.toml")
    done = run("contest", "run", "one.toml", "two.toml", "--quiet", "--no-report")
    assert done.status == 2
    assert not read_plan(one).store_path.exists()
    both = run("contest", "run", "one.toml", "two.toml", "--yes", "--json", "--no-report").json
    assert [values["games"]["recorded"] for values in both] == [count(one), count(two)] == [12, 4]


def test_of_several_contests_nothing_is_played_if_one_must_not_begin(run: Run, tmp_path: Path) -> None:
    hand_in(tmp_path, "anna.xyz", "no program")
    one = write(tmp_path, QUICK, "one.toml")
    write(tmp_path, 'on_unbuilt = "stop"\n' + with_bots(FORAGER, 'anna = "dir:subs/anna.xyz"'), "two.toml")
    done = run("contest", "run", "one.toml", "two.toml", "--quiet")
    assert done.status == 2
    assert "nothing is played: 1 of 2 bots cannot play" in done.err
    assert "anna: " in done.err
    assert not read_plan(one).store_path.exists()


def test_bots_that_cannot_be_built_are_named_before_the_first_game(run: Run, tmp_path: Path) -> None:
    hand_in(tmp_path, "anna.xyz", "no program")
    write(tmp_path, with_bots(FORAGER, 'anna = { bot = "dir:subs/anna.xyz", name = "Anna (9b)" }'))
    done = run(*PLAY)
    assert done.status == 0
    assert "Anna (9b) forfeits its games: " in done.err
    assert "botyard contest check league.toml" in done.err


def test_bots_are_named_in_the_order_of_the_file_with_the_line_of_the_compiler_that_says_most(
    run: Run, tmp_path: Path
) -> None:
    need("gcc")
    hand_in(tmp_path, "ben.c", "int main(void) { return nothing; }")
    hand_in(tmp_path, "anna.zip", "no archive")
    write(tmp_path, with_bots(FORAGER, 'ben = "dir:subs/ben.c"', 'anna = "dir:subs/anna.zip"'))
    first, second, third = run(*PLAY).err.splitlines()
    assert "ben forfeits its games: ben.c:1:25: error: " in first
    assert second.startswith("anna forfeits its games: anna.zip cannot be unpacked")
    assert "says more" in third


def test_a_seed_that_was_shown_is_no_secret_when_bots_change(run: Run, tmp_path: Path) -> None:
    drawn = QUICK.replace("seed = 7\n", "")
    write(tmp_path, with_bots(FORAGER, RAIDER, text=drawn))
    run("contest", "run", "league.toml", "--no-report")
    assert "seed" not in run("contest", "run", "league.toml", "--no-report").err  # nothing is played
    write(tmp_path, with_bots(FORAGER, RAIDER, WANDERER, text=drawn))
    late = run("contest", "run", "league.toml", "--no-report").err
    assert "secret" not in late
    assert "the games to come can be foreseen; --anew draws another" in late
    assert "the seed is secret until the end" in run("contest", "run", "league.toml", "--no-report", "--anew").err


def test_the_status_says_how_many_games_there_are_and_how_the_bots_differ(run: Run, tmp_path: Path) -> None:
    write(tmp_path, with_bots(FORAGER, RAIDER))
    run(*PLAY)
    done = run("contest", "status", "league.toml")
    assert done.out.splitlines()[0] == "finished; 4 games"
    assert done.err == ""
    write(tmp_path, with_bots(FORAGER, WANDERER))
    told = [line.strip() for line in run("contest", "status", "league.toml").err.splitlines()]
    assert told[1:] == ["new: wanderer", "gone: raider"]


def test_the_hash_of_a_drawn_seed_is_shown_at_the_start_and_the_seed_at_the_end(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, QUICK.replace("seed = 7\n", ""))
    done = run("contest", "run", "league.toml", "--no-report")
    promised = next(line for line in done.err.splitlines() if "its hash is" in line).rpartition(" ")[2]
    told = next(line for line in done.out.splitlines() if line.startswith("seed: ")).rpartition(" ")[2]
    assert sha256(bytes.fromhex(told)).hexdigest() == promised
    with StoreFile.open(read_plan(path).store_path) as store:
        assert store.root.hex() == told
    named = write(tmp_path, QUICK, "named.toml")
    done = run("contest", "run", named, "--no-report")
    assert "hash" not in done.err
    assert "seed: " not in done.out


@pytest.mark.parametrize(("answer", "status", "games"), [("n", 2, 12), ("y", 0, 4)])
def test_in_a_terminal_it_asks_before_games_are_dropped(
    run: Run, tmp_path: Path, answer: str, status: int, games: int
) -> None:
    write(tmp_path)
    run(*PLAY)
    path = write(tmp_path, with_bots(FORAGER, WANDERER))
    command = [sys.executable, "-c", "from botyard.cli import main; main()", *PLAY]
    ours, theirs = pty.openpty()
    said = tmp_path / "said"
    try:
        with said.open("wb") as told:
            process = subprocess.Popen(command, cwd=tmp_path, stdin=theirs, stdout=told, stderr=told)
        with ending(process):
            wait_until(lambda: "go on so?" in said.read_text() or process.poll() is not None, said.read_text)
            in_time(lambda: os.write(ours, f"{answer}\n".encode()))
            process.wait(PATIENCE_S)
    finally:
        os.close(ours)
        os.close(theirs)
    assert process.returncode == status, said.read_text()
    assert "8 games are dropped: raider has left" in said.read_text()
    assert count(path) == games


def test_anew_asks_nothing_and_plays_everything(run: Run, tmp_path: Path) -> None:
    write(tmp_path)
    run(*PLAY)
    path = write(tmp_path, with_bots(RAIDER, WANDERER))
    done = run(*PLAY, "--anew")
    assert done.status == 0
    assert "stay" not in done.err
    assert count(path) == 4
