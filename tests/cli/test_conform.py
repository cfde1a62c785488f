"""Play, export, conform: of every game, and every format."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from botyard.games import GAMES, load
from tests.cli.test_commands import QUICK, Run, run

__all__ = ["run"]

EXPORTS = [
    (game, suffix, preset)
    for game in GAMES
    for suffix, preset in itertools.product(load(game).files.EXPORTS, ("document", "program"))
]


@pytest.mark.parametrize(("game", "suffix", "preset"), EXPORTS)
def test_what_we_export_can_be_played_again_or_we_say_what_can(run: Run, game: str, suffix: str, preset: str) -> None:
    samples = load(game).samples
    bots = [f"house:{bot}" for bot in samples.exported_bots]
    settings = [word for key, value in samples.exported.items() for word in ("--set", f"{key}={value}")]
    assert run("play", game, *bots, *settings, "--seed", "3", "--preset", preset, "--replay", "x.replay").status == 0
    assert run("export", "x.replay", "--to", f"game{suffix}").status == 0
    done = run("conform", f"game{suffix}")
    if suffix in load(game).files.PLAYABLE:
        assert done.status == 0, done
        assert f"game{suffix}: compared under " in done.out
    else:
        assert done.status == 2
        assert f"game{suffix} is not a recording of any known game" in done.err
        assert "hive .log, battlebots .txt, battlebots .display, snakebattle .jsonl" in done.err
        assert "`botyard verify REPLAY`" in done.err


def test_a_log_of_the_default_preset_says_how_it_was_played(run: Run) -> None:
    run("play", "hive", "house:forager", "house:raider", "--seed", "3", "--set", "max_turns=9", "--set", "rows=11",
        "--replay", "x.replay")  # fmt: skip
    run("export", "x.replay", "--to", "game.log")
    log = Path("game.log").read_text().splitlines()
    assert log[-1] == '# Botyard: {"profile": "document", "seed": "3", "rows": 11, "max_turns": 9}'
    done = run("conform", "game.log")
    assert "game.log: compared under preset document, seed 3, as the log says" in done.out.splitlines()
    assert run("conform", "game.log", "--preset", "document").status == 0
    refused = run("conform", "game.log", "--preset", "program")
    assert refused.status == 2
    log[-1] = log[-1].replace("max_turns", "max_turn")
    Path("bent.log").write_text("\n".join(log) + "\n")
    assert "did you mean 'max_turns'?" in run("conform", "bent.log").err


def test_a_log_that_does_not_say_it_is_tried_under_both_presets(run: Run) -> None:
    run("play", "hive", "house:forager", "house:raider", "--seed", "3", "--replay", "x.replay")
    run("export", "x.replay", "--to", "said.log")
    *lines, said = Path("said.log").read_text().splitlines()
    Path("game.log").write_text("\n".join(lines) + "\n")
    assert said.startswith("# Botyard: ")
    done = run("conform", "game.log", "--seed", "3")
    assert done.status == 0
    assert "compared under preset document, seed 3" in done.out
    lost = run("conform", "game.log", "--preset", "document")
    assert lost.status == 2
    assert "--preset document --seed SEED" in lost.err


def test_a_log_of_the_original_has_nothing_of_ours_in_it(run: Run) -> None:
    run("play", "hive", "house:forager", "house:raider", "--seed", "3", "--preset", "program", "--replay", "x.replay")
    run("export", "x.replay", "--to", "game.log")
    assert "Botyard" not in Path("game.log").read_text()
    assert "compared under preset program, seed 3, found by search" in run("conform", "game.log").out


def test_a_preset_is_for_files_that_do_not_name_their_settings(run: Run) -> None:
    run("play", "snakebattle", "house:greedy", "house:original", "--set", "max_ticks=9", "--replay", "x.replay")
    run("export", "x.replay", "--to", "game.jsonl")
    done = run("conform", "game.jsonl", "--preset", "document")
    assert (done.status, "game.jsonl names its settings" in done.err) == (2, True)


def test_a_contest_that_differs_says_which_preset_was_tried(run: Run) -> None:
    Path("won.txt").write_text("nop vs nop1\n0 \n\nResults:\nBot\tMatches\tBouts\nnop\t1\t1\nnop1\t0\t0\n")
    done = run("conform", "won.txt", "--preset", "document")
    assert done.status == 1
    assert "won.txt: compared under preset document" in done.out
    assert "only preset document was tried" in done.out


LONG = "a-folder-with-a-long-name-" * 5


def test_no_line_with_a_name_in_it_is_ever_broken(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    folder = Path(LONG)
    replay, log, told = folder / "game.replay", folder / "game.log", folder / "told.txt"
    Path(f"{LONG}.py").write_text("def bot(view):\n    return 'x' * 90\n")
    done = run("play", "hive", f"py:{LONG}.py", "house:wanderer", *QUICK, "--replay", replay, "--report", told)
    assert [f"replay: {replay}", f"report: {told}"] == done.out.splitlines()[1:]
    assert f"wanderer 0, {LONG} 0" in done.out or f"{LONG} 0, wanderer 0" in done.out
    assert any(f"({LONG}) in tick" in line and "x" * 60 in line for line in done.err.splitlines())
    assert run("export", replay, "--to", log).out.splitlines() == [f"wrote {log}: the original server's game log"]
    assert any(str(log) in line for line in run("conform", log).out.splitlines())
    assert any(f"true  {replay}  " in line for line in run("verify", replay).out.splitlines())
    assert str(replay) in run("verify", replay, "missing").out
    series = run("play", "hive", f"py:{LONG}.py", "house:wanderer", *QUICK, "--games", "2")
    assert any(line.startswith(LONG) and "GARBLED 2" in line for line in series.out.splitlines())
