"""The command `botyard`: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from botyard import cli
from botyard.cli.app import COMMANDS
from botyard.games import GAMES
from tests.conftest import recorded_file
from tests.links.yard import IDLE, PREAMBLE, children, tiny_bot
from tests.waiting import PATIENCE_S, ending, wait_until

ROOT = Path(__file__).parents[2]


class Done(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*words: str | Path) -> Done:
        monkeypatch.setattr(sys, "argv", ["botyard", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        captured = capsys.readouterr()
        return Done(int(ended.value.code or 0), captured.out, captured.err)

    return call


QUICK = ("--set", "max_turns=20", "--set", "reply_timeout_ms=60000", "--seed", "7")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_table_answers_to_its_name(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert done.status == 0
    assert command in next(line for line in done.out.splitlines() if "Usage:" in line).split()
    assert command in run("--help").out


def test_help_teaches(run: Run) -> None:
    done = run("--help")
    assert done.status == 0
    for command in (
        "games",
        "play",
        "room",
        "league",
        "show",
        "report",
        "verify",
        "export",
        "settings",
        "conform",
        "golden",
        "warm",
        "bench",
        "doctor",
    ):
        assert command in done.out
    assert "house:NAME" in run("play", "--help").out
    assert run("--version").out.startswith("botyard ")


def test_games_are_listed(run: Run) -> None:
    listed = run("games").out
    assert "Hive Arena" in listed
    assert "process-per-move" in listed
    assert max(map(len, listed.splitlines())) <= 100  # the terminal of these tests
    assert [row["name"] for row in run("games", "--json").json] == list(GAMES)


def test_settings_are_listed(run: Run) -> None:
    shown = run("settings", "hive").out
    assert "flowers_max" in shown
    assert "(program: 39)" in " ".join(shown.split())
    rows = {row["key"]: row for row in run("settings", "hive", "--json").json}
    assert rows["reply_timeout_ms"]["group"] == "clock"


def test_a_game_is_played_kept_shown_checked_and_exported(run: Run, tmp_path: Path) -> None:
    done = run("play", "hive", "house:forager", "house:wanderer", *QUICK)
    assert done.status == 0
    assert "after 20 ticks" in done.out
    path = Path("replays/hive-7.replay")
    assert f"replay: {path}" in done.out
    assert path.is_file()
    assert Path(f"{path}.turns").is_file()
    assert "tick 20 of 20" in run("show", path).out
    early = run("show", path, "--tick", "3").out
    assert "tick 3 of 20" in early
    assert "turn 3" in early
    assert run("show", path, "--play").out.count("turn 20") == 1
    assert run("verify", path).status == 0
    assert run("verify", path, "--json").json[0]["true"] is True
    assert run("export", path, "--to", "game.log").status == 0
    log = Path("game.log").read_text()
    assert log.startswith("# Player 0: ")
    assert log.count("\n") == 25
    assert log.splitlines()[-1] == '# Botyard: {"profile": "document", "seed": "7", "max_turns": 20}'


def test_json_says_everything_about_a_game(run: Run) -> None:
    result = run("play", "hive", "house:forager", "house:wanderer", *QUICK, "--json").json
    assert result["seed"] == "7"
    assert result["settings"]["max_turns"] == 20
    assert result["ticks"] == 20
    assert result["outcome"]["draw"] in (True, False)
    assert result["missed"] == []
    assert Path(result["replay"]).is_file()


def test_a_series_of_house_bots_has_totals(run: Run) -> None:
    done = run("play", "hive", "house:forager", "house:wanderer", "--games", "30", "--seed", "1")
    assert "30 games" in done.out
    assert not Path("replays").exists()
    result = run("play", "hive", "house:forager", "house:wanderer", "--games", "30", "--seed", "1", "--json").json
    assert result["games"] == 30
    assert result["totals"][0]["wins"] >= 28
    assert [row["seed"] for row in result["results"]] == [str(seed) for seed in range(1, 31)]


def test_the_ladder_ranks_the_house_bots(run: Run) -> None:
    result = run("league", "hive", "--games", "20", "--json").json
    assert result["ranking"][-1] == "wanderer"
    assert result["points"]["forager"]["wanderer"] > 0.9
    assert result["points"]["forager"]["wanderer"] + result["points"]["wanderer"]["forager"] == pytest.approx(1)
    assert "points out of 100" in " ".join(run("league", "hive", "--games", "4").out.split())


def test_a_series_with_replays_goes_through_the_loop(run: Run) -> None:
    words = ("play", "hive", "house:forager", "house:wanderer", *QUICK, "--games", "3", "--replay", "kept", "--json")
    result = run(*words).json
    assert len(list(Path("kept").glob("*.replay"))) == 3
    alone = run("play", "hive", "house:forager", "house:wanderer", *QUICK, "--games", "3", "--json").json
    assert [row["scores"] for row in result["results"]] == [row["scores"] for row in alone["results"]]


def test_a_lost_turn_is_explained(run: Run) -> None:
    Path("bad.py").write_text("def bot(view):\n    return 'fly \\x1b[31m'\n")
    done = run(
        "play", "hive", "py:bad.py", "house:wanderer", *QUICK, "--set", "random_seats=false", "--replay", "x.replay"
    )
    assert done.status == 0
    assert "seat 0 (bad) in tick 0: GARBLED" in done.err
    assert "\x1b[31m" not in done.err
    assert "GARBLED" in run("show", "x.replay").out


def test_watching_without_a_screen_prints_the_end(run: Run) -> None:
    done = run("play", "hive", "house:forager", "house:wanderer", *QUICK, "--watch")
    assert "turn 20, last point in turn 14" in done.out
    assert "replay: " in done.out


def test_settings_come_from_files_and_words(run: Run) -> None:
    Path("small.toml").write_text('rows = 9\nseed = 12\nprofile = "program"\n')
    result = run(
        "play", "hive", "house:wanderer", "house:wanderer", "--settings", "small.toml", "--set", "max_turns=5", "--json"
    ).json
    assert result["settings"]["rows"] == 9
    assert result["settings"]["rng"] == "glibc_rand_r"
    assert (result["seed"], result["ticks"]) == ("12", 5)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("play", "hiv", "house:forager", "house:forager"), "unknown game 'hiv'"),
        (("play", "hive", "house:forager"), "1 bot for 2 seats"),
        (("play", "hive", "house:forager", "house:foragr"), "did you mean 'forager'?"),
        (("play", "hive", "house:forager", "house:forager", "--set", "rows"), "write --set KEY=VALUE"),
        (("play", "hive", "house:forager", "house:forager", "--set", "rowz=3"), "did you mean 'rows'?"),
        (("play", "hive", "house:forager", "house:forager", "--set", "rows=x"), "a whole number"),
        (("play", "hive", "house:forager", "house:forager", "--preset", "both"), "unknown preset 'both'"),
        (("play", "hive", "house:forager", "house:forager", "--seed", "-1"), "setting seed = -1"),
        (("play", "hive", "house:forager", "house:forager", "--settings", "none.toml"), "cannot read none.toml"),
        (("play", "hive", "house:forager", "house:forager", "--watch", "--games", "2"), "--watch shows one game"),
        (("play", "hive", "dir:.", "house:forager"), "no program found"),
        (("show", "nothing.replay"), "cannot read nothing.replay"),
        (("export", "nothing.replay", "--to", "x"), "cannot read nothing.replay"),
        (("conform", "nothing"), "cannot read nothing"),
        (("settings", "chess"), "unknown game 'chess'"),
        (("golden", "chess"), "unknown game 'chess'"),
        (("bench", "chess"), "unknown game 'chess'"),
        (("warm", "chess"), "unknown game 'chess'"),
        (("bench", "hive", "--yardstick", "none.py"), "no yardstick none.py"),
    ],
)
def test_mistakes_are_errors_with_a_hint_and_status_2(run: Run, words: tuple[str, ...], complaint: str) -> None:
    done = run(*words)
    assert done.status == 2
    assert complaint in " ".join(done.err.split())
    assert "Traceback" not in done.err


def test_wrong_words_are_usage_errors(run: Run) -> None:
    assert run("play").status == 2
    assert run("dance").status == 2
    assert run("play", "hive", "a", "b", "--games", "0").status == 2


def test_a_settings_file_that_is_no_toml_is_told(run: Run) -> None:
    Path("bad.toml").write_text("rows 9")
    done = run("play", "hive", "house:forager", "house:forager", "--settings", "bad.toml")
    assert (done.status, "is not valid TOML" in done.err) == (2, True)


def test_a_tick_past_the_end_and_an_unknown_format_are_told(run: Run) -> None:
    run("play", "hive", "house:wanderer", "house:wanderer", *QUICK, "--quiet")
    assert "the game has 20 ticks" in run("show", "replays/hive-7.replay", "--tick", "99").err
    unknown = run("export", "replays/hive-7.replay", "--to", "x.bmp").err
    assert "unknown export format of hive '.bmp'" in unknown


def test_a_replay_that_is_not_true_fails(run: Run) -> None:
    run("play", "hive", "house:wanderer", "house:wanderer", *QUICK)
    good = Path("replays/hive-7.replay")
    Path("cut.replay").write_bytes(good.read_bytes()[:-9])
    done = run("verify", good, "cut.replay")
    assert done.status == 1
    assert "REFUSED" in done.out
    assert "is cut off" in " ".join(done.out.split())


def recorded_lines() -> list[str]:
    return gzip.decompress(recorded_file("hive").read_bytes()).decode().splitlines()


def test_a_recording_is_replayed(run: Run) -> None:
    two = sorted(recorded_lines(), key=len)[:2]
    Path("two.jsonl.gz").write_bytes(gzip.compress("\n".join(two).encode()))
    steps = sum(len(json.loads(line)["steps"]) for line in two)
    done = run("conform", "two.jsonl.gz", "--json")
    assert done.status == 0
    assert (done.json[0]["games"], done.json[0]["steps"], done.json[0]["equal"]) == (2, steps, steps)


def test_a_recording_that_differs_is_drawn_side_by_side(run: Run) -> None:
    record = json.loads(min(recorded_lines(), key=len))
    del record["steps"][3:]
    record["steps"][2]["state"]["cells"][0] = "6" * 30
    Path("whatever").write_text(json.dumps(record))
    done = run("conform", "whatever")
    assert done.status == 1
    assert "DIFFERS" in done.out
    assert "step 2, cells" in done.out
    assert "6" * 30 in done.out
    assert "←" in done.out
    Path("other").write_text("hello")
    assert "is not a recording of any known game" in " ".join(run("conform", "other").err.split())


def test_a_name_that_is_no_text_can_be_printed(run: Run, tmp_path: Path) -> None:
    odd = PREAMBLE.replace('say("tiny\\n")', 'link.sendall(b"caf\\xe9\\n")')
    done = run("play", "hive", tiny_bot(tmp_path, IDLE, odd), "house:wanderer", *QUICK, "--json")
    assert "caf\udce9" in done.json["names"]
    head = b"# Player 0: caf\xe9[/]\n# Player 1: b\n# Player 0 timeout/bad command\n"
    Path("raw.log").write_bytes(head + b"# Winner: player 0 (caf\xe9[/])\n")
    done = run("conform", "raw.log")
    assert done.status == 1
    assert "# Winner: player 0 (caf·[/])" in done.out


def test_the_golden_playthrough_is_written_printed_and_checked(run: Run) -> None:
    assert run("golden", "hive").out.startswith("name hive")
    Path("tests/golden").mkdir(parents=True)
    assert run("golden", "hive", "--check").status == 1
    assert run("golden", "hive").status == 0
    assert run("golden", "hive", "--check").status == 0
    assert Path("tests/golden/hive.txt").read_text() == (ROOT / "tests" / "golden" / "hive.txt").read_text()


def test_warming_and_the_doctor(run: Run) -> None:
    assert run("warm", "hive").status == 0
    assert run("warm", "--quiet", "hive").err == ""
    assert run("warm", "--quiet", "hive", "hackman").err == ""
    assert "ready: hive, hackman" in run("warm", "hive", "hackman", "hive").err
    found = {row["what"]: row["found"] for row in run("doctor", "--json").json}
    assert found["Numba"]
    assert "cores" in found
    assert "pip install 'botyard[cuda]'" in " ".join(run("doctor").out.split())


def test_help_comes_without_the_compiler() -> None:
    script = """if True:
        import sys
        from botyard.cli import main
        sys.argv = ["botyard", "--help"]
        try:
            main()
        except SystemExit:
            assert not {"numba", "numpy"} & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE_S)


def test_completion_knows_games_and_bots(run: Run) -> None:
    environment = {
        **os.environ,
        "_BOTYARD_COMPLETE": "complete_bash",
        "COMP_WORDS": "botyard play hive house:f",
        "COMP_CWORD": "3",
    }
    botyard = Path(sys.executable).parent / "botyard"
    done = subprocess.run([botyard], env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert "house:forager" in done.stdout


def test_interrupting_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        f"import time\ndef bot(view):\n    open({str(tmp_path / 'asked')!r}, 'w').close()\n    time.sleep(600)\n"
    )
    command = [str(Path(sys.executable).parent / "botyard"), "play", "hive", "py:slow.py", "py:slow.py", "--open"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with ending(subprocess.Popen(command, cwd=tmp_path, text=True, **pipes)) as playing:  # type: ignore[call-overload]
        wait_until(lambda: (tmp_path / "asked").exists() or playing.poll() is not None)
        assert playing.poll() is None, playing.communicate(timeout=PATIENCE_S)
        assert len(children(playing.pid)) >= 2
        playing.send_signal(signal.SIGINT)
        _, errors = playing.communicate(timeout=PATIENCE_S)
    assert playing.returncode == 130
    assert "Traceback" not in errors
    assert children(playing.pid) == []


def test_how_a_folder_is_run_is_told_but_not_to_those_who_want_it_quiet(run: Run) -> None:
    Path("asp").mkdir()
    Path("asp", "main.py").write_text("print('pass')\n")
    words = ("play", "hackman", "dir:asp", "house:wanderer", "--set", "max_rounds=1")
    assert "asp: running python3 main.py (found by " in run(*words).err
    assert "running" not in run(*words, "--quiet").err
