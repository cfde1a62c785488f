"""`botyard contest watch`: what it plays, what it says, and how it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from botyard.contest.reading import read_plan
from tests.cli import test_commands
from tests.cli.test_commands import Run
from tests.contest.test_amendments import FORAGER, RAIDER, WANDERER, with_bots
from tests.contest.test_bot_patterns import ALL, hand_in
from tests.contest.yard import QUICK, games_of, report_folder, write
from tests.waiting import PATIENCE_S, ending, wait_until

run = test_commands.run  # the fixture

WATCHED = QUICK.replace("seed = 7", 'seed = 7\nrerun = "on_change"')


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are at rest at once."""
    monkeypatch.setattr("botyard.contest.lookout.REST_S", 0.0)


def test_a_contest_that_is_not_to_be_watched_says_what_to_write(run: Run, tmp_path: Path) -> None:
    write(tmp_path)
    done = run("contest", "watch", "league.toml", "--once")
    assert done.status == 2
    assert 'rerun = "on_change"' in done.err
    assert not (tmp_path / "league.store").exists()


def test_one_round_plays_what_is_due_and_ends(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, with_bots(FORAGER, RAIDER, text=WATCHED))
    first = run("contest", "watch", "league.toml", "--once", "--quiet")
    assert first.status == 0
    assert "forager and raider lead" in first.out  # there is no champion as long as more may come
    assert len(games_of(read_plan(path))) == 4
    assert (report_folder(read_plan(path)) / "report.html").is_file()
    again = run("contest", "watch", "league.toml", "--once", "--quiet")
    assert again.status == 0
    assert "nothing is due" in again.out
    write(tmp_path, with_bots(FORAGER, RAIDER, WANDERER, text=WATCHED))
    more = run("contest", "watch", "league.toml", "--once", "--quiet")
    assert "league.toml: new: wanderer" in more.err
    assert "4 games stay" in more.err
    assert "8 games are played: wanderer is new" in more.err
    assert len(games_of(read_plan(path))) == 12


def test_games_are_dropped_without_a_question_because_the_file_says_so(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, WATCHED)
    run("contest", "watch", "league.toml", "--once", "--quiet")
    write(tmp_path, with_bots(FORAGER, RAIDER, text=WATCHED))
    done = run("contest", "watch", "league.toml", "--once", "--quiet")
    assert done.status == 0
    assert "8 games are dropped: wanderer has left" in done.err
    assert len(games_of(read_plan(path))) == 4


def test_a_drawn_seed_stays_secret_while_further_games_may_follow_from_it(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, WATCHED.replace("seed = 7\n", ""))
    done = run("contest", "watch", "league.toml", "--once")
    assert "the seed is secret until the end; its hash is " in done.err
    assert "seed: " not in done.out
    written = run("contest", "report", "league.toml", "--json").json
    assert written["root"] == ""
    assert written["root_hash"] in done.err
    assert (report_folder(read_plan(path)) / "report.html").is_file()


def test_a_mistake_in_the_file_ends_the_first_round(run: Run, tmp_path: Path) -> None:
    write(tmp_path, WATCHED.replace("house:raider", "house:raidr"))
    done = run("contest", "watch", "league.toml")
    assert done.status == 2
    assert "did you mean 'raider'" in done.err


def test_watching_goes_on_through_newcomers_and_mistakes_until_ctrl_c(tmp_path: Path) -> None:
    """The newcomer is no program, so its games are over at once."""
    (tmp_path / "subs").mkdir()
    text = with_bots(FORAGER, RAIDER, ALL, text=WATCHED)
    path = write(tmp_path, text)
    out, err = tmp_path / "out", tmp_path / "err"
    command = [
        sys.executable, "-c",
        "import botyard.contest.lookout as l; l.LOOK_S = l.REST_S = 0.05\n"
        "from botyard.cli import main; main()", "contest", "watch", "league.toml",
    ]  # fmt: skip

    def exchange(text: str) -> None:
        """Writes the contest file anew, in one moment."""
        write(tmp_path, text, "next.toml").replace(path)

    def says(words: str, times: int = 1) -> None:
        wait_until(
            lambda: (out.read_text() + err.read_text()).count(words) >= times or process.poll() is not None,
            lambda: out.read_text() + err.read_text(),
        )
        assert process.poll() is None, err.read_text()

    with out.open("wb") as to, err.open("wb") as errors:
        process = subprocess.Popen(command, cwd=tmp_path, stdout=to, stderr=errors)
    with ending(process):
        says("waiting for changes of league.toml")
        hand_in(tmp_path, "Anna Maria.xyz", "no program")
        says("waiting for changes of league.toml", 2)
        exchange("[bots")
        says("waiting until that is mended")
        exchange("[bots")  # the same mistake again is not told again
        exchange(text)
        says("waiting for changes of league.toml", 3)
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_S)
    assert process.returncode == 0, err.read_text()
    assert "stopped watching; every game is kept" in out.read_text()
    assert "Anna Maria forfeits its games" in err.read_text()
    assert err.read_text().count("nothing was played") == 1
    assert "Traceback" not in err.read_text()
    assert {bot for _, bots, _, _ in games_of(read_plan(path)) for bot in bots} == {"forager", "raider", "anna-maria"}
