"""`botyard contest` and `botyard compare`: what they print, what they refuse, and how they stop."""

from __future__ import annotations

import json
import re
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from botyard.contest.messages import Sign
from botyard.contest.opening import open_store
from botyard.contest.plan import Plan
from botyard.contest.reading import read_plan
from botyard.contest.roots import derive_seed
from botyard.contest.store_file import StoreFile
from botyard.games import OWN_GAMES
from tests.cli import test_commands
from tests.cli.test_commands import Run
from tests.contest.chaos import living_in
from tests.contest.yard import QUICK, bot_file, games_of, write
from tests.waiting import PATIENCE_S, RUN_S, ending, wait_until

ROOT = Path(__file__).parents[2]

run = test_commands.run  # the fixture


def test_help_teaches(run: Run) -> None:
    done = run("contest", "--help")
    for command in ("new", "check", "run", "watch", "status", "report", "replay"):
        assert command in done.out
    assert "kill -9" in run("contest", "run", "--help").out
    assert "swapped seats" in run("compare", "--help").out


def test_help_lists_the_commands_in_the_order_in_which_they_are_needed(run: Run) -> None:
    listed = re.findall(r"^│ (\w+) ", run("contest", "--help").out, re.M)
    assert listed == ["new", "check", "run", "watch", "status", "report", "replay"]


def test_from_nothing_to_a_champion(run: Run, tmp_path: Path) -> None:
    assert "next: botyard contest check" in run("contest", "new", "battlebots", "cup.toml").out
    checked = run("contest", "check", "cup.toml")
    assert checked.status == 0
    assert "50 games" in checked.out
    assert "no mistakes" in checked.out
    done = run("contest", "run", "cup.toml", "--quiet")
    assert done.status == 0
    assert "champion: duellist" in done.out
    assert "report: cup-report/report.html" in done.out
    assert (tmp_path / "cup-report" / "report.html").is_file()
    assert "finished" in run("contest", "status", "cup.toml").out
    assert "battlebots.txt" in run("contest", "report", "cup.toml").out
    shown = run("contest", "replay", "cup.toml", "3", "--show")
    assert "nop vs duellist, game 1" in shown.out
    assert (tmp_path / "cup-3.replay").is_file()
    assert run("verify", "cup-3.replay").status == 0


def test_json_of_a_run_holds_standings_without_time(run: Run, tmp_path: Path) -> None:
    write(tmp_path)
    first = run("contest", "run", "league.toml", "--json").json
    again = run("contest", "run", "league.toml", "--json", "--anew").json
    assert first["standings"] == again["standings"]
    assert first["games"] == {"asked": 12, "recorded": 12, "void": 0, "house_faults": 0, "fault_reason": ""}
    assert run("contest", "report", "league.toml", "--json").json["cross"] == first["cross"]
    status = run("contest", "status", "league.toml", "--json").json
    assert status["state"] == "finished"
    assert status["standings"] == first["standings"]
    check = run("contest", "check", "league.toml", "--json", "--no-sample").json
    assert check["games"] == {"least": 12, "most": 12}
    assert check["seconds"] is None


def test_several_contests_are_run_one_after_another(run: Run, tmp_path: Path) -> None:
    write(tmp_path, QUICK.replace("A quick league", "The first"), "one.toml")
    write(tmp_path, QUICK.replace("A quick league", "The second"), "two.toml")
    done = run("contest", "run", "one.toml", "two.toml", "--quiet", "--no-report")
    assert done.out.index("The first") < done.out.index("The second")
    assert not (tmp_path / "one-report").exists()
    assert len(run("contest", "run", "one.toml", "two.toml", "--resume", "--json").json) == 2


def test_a_check_estimates_games_and_time(run: Run, tmp_path: Path) -> None:
    write(tmp_path)
    values = run("contest", "check", "league.toml", "--json").json
    assert values["games"]["least"] == 12
    assert len(values["seconds"]) == 2


def test_a_report_goes_where_it_is_wanted(run: Run, tmp_path: Path) -> None:
    write(tmp_path)
    run("contest", "run", "league.toml", "--quiet", "--no-report")
    run("contest", "report", "league.toml", "--to", "elsewhere")
    assert json.loads((tmp_path / "elsewhere" / "report.json").read_text())["finished"] is True


# Mistakes


def test_mistakes_in_the_file_are_all_told(run: Run, tmp_path: Path) -> None:
    write(tmp_path, QUICK.replace("house:raider", "house:raidr").replace("bouts = 2", "bout = 2"))
    for command in ("check", "run", "watch"):
        done = run("contest", command, "league.toml")
        assert done.status == 2
        assert "has 2 mistakes" in done.err
        assert "did you mean 'raider'" in done.err
        assert "did you mean 'bouts'" in done.err
    assert not (tmp_path / "league.store").exists()


def test_before_a_contest_has_begun_there_is_nothing_to_tell(run: Run, tmp_path: Path) -> None:
    write(tmp_path)
    for command in (["status"], ["report"], ["replay", "1"]):
        done = run("contest", command[0], "league.toml", *command[1:])
        assert done.status == 2
        assert "has not begun" in done.err


def test_a_contest_edited_after_it_began_is_refused_with_what_changed(run: Run, tmp_path: Path) -> None:
    write(tmp_path)
    run("contest", "run", "league.toml", "--quiet")
    write(tmp_path, QUICK.replace("seed = 7", "seed = 8"))
    done = run("contest", "run", "league.toml", "--resume")
    assert done.status == 2
    assert "seed: '7' → '8'" in done.err
    assert "--anew" in done.err
    assert run("contest", "run", "league.toml", "--anew", "--quiet").status == 0


def test_what_was_played_is_shown_with_a_warning_if_the_file_was_edited(run: Run, tmp_path: Path) -> None:
    write(tmp_path)
    run("contest", "run", "league.toml", "--quiet")
    write(tmp_path, QUICK.replace("bouts = 2", "bouts = 1"))
    for command in ("status", "report"):
        done = run("contest", command, "league.toml")
        assert done.status == 0
        assert "shown is what was played" in done.err
        assert "format.bouts: 2 → 1" in done.err
    assert run("contest", "replay", "league.toml", "12").status == 0


def test_a_store_that_is_damaged_or_of_another_version_is_refused(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path)
    run("contest", "run", "league.toml", "--quiet")
    store = read_plan(path).store_path
    with sqlite3.connect(store) as plain:
        plain.execute("update about set value = '99' where key = 'version'")
    assert "store of version 99" in run("contest", "run", "league.toml", "--resume").err
    store.write_bytes(b"not a store at all" * 100)
    done = run("contest", "run", "league.toml", "--resume")
    assert done.status == 2
    assert "damaged" in done.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("new", "hiev"), "did you mean 'hive'"),
        (("new", "hive", "--format", "swis"), "did you mean 'swiss'"),
        (("new", "hive", "league.toml"), "--force"),
        (("check", "gone.toml"), "No such file"),
        (("run", "league.toml", "--resume", "--anew"), "exclude each other"),
        (("replay", "league.toml", "77"), "no game 77"),
    ],
)
def test_mistakes_on_the_command_line_are_explained(
    run: Run, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    write(tmp_path)
    run("contest", "run", "league.toml", "--quiet", "--no-report")
    done = run("contest", *words)
    assert done.status == 2
    assert told in done.err
    assert "Traceback" not in done.err


def test_ray_that_is_not_installed_is_named(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, QUICK.replace('"inline"', '"ray"'))
    monkeypatch.setitem(sys.modules, "ray", None)
    done = run("contest", "run", "league.toml", "--quiet")
    assert done.status == 2
    assert "botyard[ray]" in done.err


# Compare


def test_compare_tells_who_is_better(run: Run, tmp_path: Path) -> None:
    done = run("compare", "hive", "house:forager", "house:wanderer", "--seed", "3", "--executor", "inline", "--json")
    assert done.status == 0
    assert done.json["finding"] == "better"
    assert done.json["taken"] == [21, 0]
    assert list(tmp_path.iterdir()) == []


def test_compare_of_a_bot_with_itself_finds_nothing(run: Run) -> None:
    words = ("compare", "hive", "house:forager", "house:forager", "--set", "max_turns=20", "--pairs", "32")
    done = run(*words, "--executor", "inline", "-q")
    assert "undecided" in done.out
    assert "forager-2" in done.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("hive", "house:forager", "house:raidr"), "did you mean 'raider'"),
        (("hive", "house:forager", "house:raider", "--executor", "locl"), "did you mean 'local'"),
        (("hive", "house:forager", "house:raider", "--set", "max_turn=3"), "did you mean 'max_turns'"),
    ],
)
def test_mistakes_of_compare_are_explained(run: Run, words: tuple[str, ...], told: str) -> None:
    done = run("compare", *words)
    assert done.status == 2
    assert told in done.err


# Stopping


def recorded(plan: Plan) -> int:
    if not plan.store_path.exists():
        return 0
    with StoreFile.open(plan.store_path) as store:
        return store.counts().recorded


def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    slow = bot_file(tmp_path, "slow", "import time\n\ndef decide(view):\n    time.sleep(0.02)\n    return 'guard N'\n")
    text = QUICK.replace("house:raider", f"py:{slow}").replace('"inline"', '"local"').replace("bouts = 2", "bouts = 20")
    plan = read_plan(write(tmp_path, text))
    command = [sys.executable, "-c", "from botyard.cli import main; main()", "contest", "run", "league.toml"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with ending(subprocess.Popen(command, cwd=tmp_path, **pipes)) as process:  # type: ignore[call-overload]
        wait_until(lambda: recorded(plan) or process.poll() is not None)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    told = said.decode()
    assert re.search(r"stopped; \d+ games are recorded", told)
    assert "go on with: botyard contest run league.toml\n" in told
    assert "Traceback" not in told
    wait_until(lambda: not living_in(tmp_path), lambda: living_in(tmp_path))
    with StoreFile.open(plan.store_path) as store:
        assert store.holder == ""
        assert 0 < store.counts().recorded < 120


# The examples


def test_every_game_of_ours_has_a_ready_contest() -> None:
    ready = {read_plan(path).game: read_plan(path) for path in (ROOT / "examples" / "contests").glob("*.toml")}
    assert set(ready) == set(OWN_GAMES)
    assert ready["battlebots"].format.NAME == "round_robin"
    assert ready["snakepit"].format.NAME == "king_of_the_hill"
    assert ready["snakebattle"].format.NAME == "points_table"
    for plan in ready.values():
        assert all(spec.startswith("house:") for spec in plan.specs.values())


def test_a_ready_contest_gives_the_same_games_wherever_it_lies(run: Run, tmp_path: Path) -> None:
    text = (ROOT / "examples" / "contests" / "battlebots.toml").read_text() + '\n[run]\nexecutor = "inline"\n'
    one, two = write(tmp_path, text, "one.toml"), write(tmp_path, text, "two.toml")
    for path in (one, two):
        assert run("contest", "run", path, "--quiet", "--no-report").status == 0
    assert games_of(read_plan(one)) == games_of(read_plan(two))


# Faults of ours


def limited(files: int) -> Callable[[], None]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    return limit


def botyard_with(files: int, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command itself, with so many files it may have open."""
    command = [sys.executable, "-c", "from botyard.cli import main; main()", *words]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, preexec_fn=limited(files), check=False, timeout=RUN_S
    )


@pytest.mark.parametrize("files", [64, 16], ids=["too few for programs", "too few for workers"])
def test_a_contest_that_our_own_faults_empty_says_why_and_what_to_do(tmp_path: Path, files: int) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "bot.sh").write_text("exit 0")
    text = QUICK.split("[bots]")[0] + (
        '[bots]\none = "cmd:sh one/bot.sh"\nother = "house:raider"\n[format]\nkind = "round_robin"\nbouts = 1\n'
        '[run]\nexecutor = "local"\nworkers = 1\nattempts = 1\n'
    )
    write(tmp_path, text)
    done = botyard_with(files, tmp_path, "contest", "run", "league.toml", "--no-report")
    assert done.returncode == 1, done.stderr
    assert "open files" in done.stderr
    assert "ulimit -n" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_game_that_our_own_fault_voids_says_why_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "bot.sh").write_text("exit 0")
    for words in (
        ["play", "hive", "cmd:sh bot.sh", "house:raider"],
        ["compare", "hive", "cmd:sh bot.sh", "house:raider"],
    ):
        more = ["--pairs", "1", "--executor", "inline"] if words[0] == "compare" else []
        done = botyard_with(64, tmp_path, *words, *more)
        assert done.returncode == 1, done.stderr
        assert "ulimit -n" in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


# Turns, and games that go on


def test_the_turns_that_were_kept_come_with_the_replay(run: Run, tmp_path: Path) -> None:
    clumsy = bot_file(tmp_path, "clumsy", "def decide(view):\n    return 'fly'\n")
    plan = read_plan(write(tmp_path, QUICK.replace("house:raider", f"py:{clumsy}").replace("bouts = 2", "bouts = 1")))
    assert run("contest", "run", "league.toml", "--quiet", "--no-report").status == 0
    told = run("contest", "replay", "league.toml", "1")
    assert "raider: GARBLED 1, first in tick" in told.out
    assert "remedy: return the name of an order" in told.out
    assert "its turns: botyard report league-1.replay" in told.out
    reported = run("report", "league-1.replay").out
    assert "GARBLED" in reported
    assert "raider" in reported  # as it is called in the contest
    with sqlite3.connect(plan.store_path) as plain:
        plain.execute("delete from turn_logs")
    told = run("contest", "replay", "league.toml", "1")
    assert "raider: GARBLED 1, first in tick" in told.out
    assert "the turns themselves were not kept: newer ones needed the room" in told.out


def test_status_tells_what_was_last_heard_of_games_that_go_on(run: Run, tmp_path: Path) -> None:
    plan = read_plan(write(tmp_path))
    with open_store(plan, anew=False) as store:
        store.hold()
        wave = plan.open_course().wave()
        store.ask(1, wave, [derive_seed(store.root, pairing.chance) for pairing in wave])
        store.lease([1, 2], "worker 1")
        store.note_progress(Sign(1, 340, {"forager": "guard N", "raider": "LATE"}))
        told = run("contest", "status", "league.toml").out
    assert "worker 1: game 1 after 340 ticks (forager: guard N, raider: LATE)" in told
    assert "game 2" not in told


def test_a_polite_kill_stops_a_contest_of_house_bots_in_one_process(tmp_path: Path) -> None:
    """They never wait for anything; it is between two shares that they can be stopped."""
    plan = read_plan(write(tmp_path, QUICK.replace("bouts = 2", "bouts = 5000")))
    command = [sys.executable, "-c", "from botyard.cli import main; main()", "contest", "run", "league.toml"]
    with ending(subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE)) as process:
        wait_until(lambda: recorded(plan) > 0 or process.poll() is not None)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert re.search(r"stopped; \d+ games are recorded", said.decode())
    with StoreFile.open(plan.store_path) as store:
        assert store.holder == ""


def test_bouts_depend_on_the_bots_that_compete_and_on_nothing_else_that_was_handed_in(run: Run, tmp_path: Path) -> None:
    for name in ("anna.py", "ben.py", "list.txt", "notes.txt"):
        (tmp_path / name).write_text("print('up')\n")
    done = run("contest", "new", "hackman", "cup.toml", "--bots", "anna.py", "ben.py", "list.txt", "notes.txt")
    assert [line.split()[:3] for line in done.out.splitlines() if "no program" in line] == [
        ["not", "taken", "list.txt"], ["not", "taken", "notes.txt"],
    ]  # fmt: skip
    assert "\nbouts = 20 " in (tmp_path / "cup.toml").read_text()


def test_if_nothing_that_was_handed_in_is_a_bot_each_thing_has_its_reason(run: Run, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("anna")
    done = run("contest", "new", "hackman", "cup.toml", "--bots", "list.txt", "nobody")
    assert done.status == 2
    assert "none of 2 submissions is a bot" in done.err
    assert "list.txt: it is no program" in done.err
    assert "nobody: there is no file or folder 'nobody'" in done.err
    assert not (tmp_path / "cup.toml").exists()
