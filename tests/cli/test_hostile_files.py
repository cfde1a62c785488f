"""Files from strangers on the command line: an error with a hint, never a traceback, and nothing a terminal obeys."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.match.replay import Replay, canonical, checksum
from botyard.match.turns import sidecar_path, write_turns
from tests.cli.test_commands import Done, Run, run

__all__ = ["run"]

COMMANDS = (("show",), ("show", "--play", "--pace", "0"), ("report",), ("verify",), ("export", "--to", "x.log"))
ESCAPE = "\x1b[2J\x1b]0;evil\x07"


@pytest.fixture(scope="module")
def replay() -> Replay:
    return botyard.play("hive", ["house:forager", "house:raider"], seed=3, max_turns=10).replay


def written(path: Path, replay: Replay, **change: Any) -> Path:
    """The replay with a part exchanged, and a checksum that is right."""
    body = {**json.loads(gzip.decompress(replay.to_bytes())), **change}
    del body["checksum"]
    body["checksum"] = checksum(body)
    path.write_bytes(gzip.compress(canonical(body)))
    return path


def refused(done: Done) -> bool:
    """With a sentence: exit status 2, or 1 where a command goes on with the next file."""
    told = done.err if done.status == 2 else done.out
    return done.status in (1, 2) and "Traceback" not in done.err + done.out and bool(told.strip())


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    "change",
    [
        {"game": 5},
        {"names": ["a"]},
        {"missed": [[10**9, 0, "LATE", ""]]},
        {"outcome": {"groups": [[0]], "scores": []}},
        {"final": 5},
        {"settings": {"rows": []}},
        {"settings": {ESCAPE: 1}},
        {"ticks": [[[2**31]]]},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_replay_that_makes_no_sense_is_an_error(
    run: Run, tmp_path: Path, replay: Replay, command: tuple[str, ...], change: dict[str, Any]
) -> None:
    name, *options = command
    done = run(name, written(tmp_path / "odd.replay", replay, **change), *options)
    if name == "report" and "settings" in change:
        return  # it plays nothing again, and shows no settings
    assert refused(done), done
    assert "\x1b]" not in done.err + done.out


@pytest.mark.parametrize("content", [b"[" * 100_000, b'{"a": 1}' * 9, b"\0" * 40_000_000], ids=["deep", "odd", "bomb"])
def test_a_file_that_is_no_replay_is_an_error(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.replay"
    path.write_bytes(gzip.compress(content))
    for name, *options in COMMANDS:
        assert refused(run(name, path, *options))
    assert refused(run("conform", path))


def test_the_names_and_reasons_of_a_replay_are_shown_without_what_a_terminal_obeys(
    run: Run, tmp_path: Path, replay: Replay
) -> None:
    path = written(tmp_path / "loud.replay", replay, names=[ESCAPE, "\udcff\u202e"], missed=[[1, 0, "LATE", ESCAPE]])
    for command in (("show",), ("report",), ("report", "--json"), ("verify",)):
        done = run(command[0], path, *command[1:])
        assert done.status == 0, done
        assert ESCAPE not in done.out
        assert "\u202e" not in done.out


@pytest.mark.parametrize("to", ["x.jsonl", "x.txt"])
def test_a_small_replay_is_no_export_of_gigabytes(run: Run, tmp_path: Path, to: str) -> None:
    """A line of the countdown has as many dots as there are ticks left, twice: here two million for every seat."""
    bots = ["house:greedy", "house:original"]
    settings: Any = {"rounds_time_before_start": 1_000_000, "max_ticks": 100}
    played = botyard.play("snakebattle", bots, seed=3, **settings).replay
    path = tmp_path / "dots.replay"
    played.write(path)
    assert path.stat().st_size < 2000
    done = run("export", path, "--to", tmp_path / to)
    assert refused(done)
    assert "million characters" in done.err


def test_a_replay_with_more_boards_than_memory_holds_is_not_exported(run: Run, tmp_path: Path, replay: Replay) -> None:
    path = written(tmp_path / "long.replay", replay, ticks=[*replay.ticks, *([[]] * 990_000)])
    assert path.stat().st_size < 10_000
    done = run("export", path, "--to", tmp_path / "x.log")
    assert refused(done)
    assert "no match is that long" in done.err


def test_turns_of_seats_that_are_not_there_are_an_error_for_export_too(run: Run, tmp_path: Path) -> None:
    played = botyard.play("hackman", ["house:hunter", "house:wanderer"], seed=3, max_rounds=5)
    path = tmp_path / "game.replay"
    played.replay.write(path)
    write_turns(path, played.log)
    lines = gzip.decompress(sidecar_path(path).read_bytes()).decode().splitlines()
    odd = json.dumps({**json.loads(lines[1]), "seat": 7})
    sidecar_path(path).write_bytes(gzip.compress("\n".join([lines[0], odd]).encode()))
    for to in ("x.result", "x.talk"):
        done = run("export", path, "--to", to)
        assert (done.status, "belongs to another game" in done.err) == (2, True)


def test_a_settings_file_from_a_stranger_is_bounded(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    for content in (
        b"a." * 20_000 + b"a = 1",
        b"a = " + b"[" * 20_000,
        b"max_turns = " + b"9" * 5000,
        b"\xff",
        b"profile = []",
    ):
        path.write_bytes(content)
        done = run("play", "hive", "house:forager", "house:raider", "--settings", path)
        assert (done.status, "Traceback" in done.err) == (2, False), done
    done = run("play", "hive", "house:forager", "house:raider", "--settings", "/dev/zero")
    assert "larger than 256 KiB" in done.err


def test_an_error_says_nothing_a_terminal_obeys(run: Run, tmp_path: Path) -> None:
    done = run("play", "hive", "house:forager", f"house:{ESCAPE}")
    assert done.status == 2
    assert ESCAPE not in done.err
    path = tmp_path / "bot"
    path.mkdir()
    (path / "botyard.toml").write_text(f'run = ["/bin/sh", "{"x" * 9000}"]')
    done = run("play", "hive", "house:forager", f"dir:{path}")
    assert (done.status, "a file inside the bot" in done.err, len(done.err) < 2000) == (2, True, True)
