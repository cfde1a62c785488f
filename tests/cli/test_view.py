"""`botyard view`: what it accepts, what it says, and how it ends."""

from __future__ import annotations

import contextlib
import gzip
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from botyard.games import load
from botyard.links.play import play
from botyard.match.filming import film_of
from botyard.match.original_files import follow, open_writer
from botyard.match.replay import Replay
from botyard.render.film import Film
from botyard.render.frames import frames
from tests.cli.test_commands import Run, run
from tests.waiting import PATIENCE_S, ending, in_time

__all__ = ["run"]  # the fixture

COMMAND = [sys.executable, "-c", "from botyard.cli import main; main()"]
RECORDINGS = Path(__file__).parents[1] / "conformance"


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replays") / "one.replay"
    play("hive", ["house:forager", "house:wanderer"], seed=3, max_turns=120).replay.write(path)
    return path


@contextlib.contextmanager
def viewing(*words: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and the address that it prints."""
    command = [*COMMAND, "view", *map(str, words), "--no-browser"]
    with ending(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)) as running:
        assert running.stdout is not None
        address = in_time(running.stdout.readline).strip().rpartition(" ")[2]
        assert address.startswith("http://127.0.0.1:"), running.communicate(timeout=PATIENCE_S)
        yield running, address
        running.send_signal(signal.SIGINT)
        said = running.communicate(timeout=PATIENCE_S)
        assert (running.returncode, said[0]) == (0, "")
        assert "Traceback" not in said[1]


def fetched(address: str) -> Any:
    with urlopen(address, timeout=PATIENCE_S) as answer:
        return json.load(answer)


def test_a_replay_is_shown_and_ctrl_c_ends_it(replay: Path) -> None:
    with viewing(replay) as (running, address):
        assert fetched(f"{address}film/0") == json.loads(film_of(Replay.read(replay)).to_json())
        assert fetched(f"{address}turns/0")["about"]  # there is no log beside it, and that is said
        running.send_signal(signal.SIGTERM)  # ends it as well


def test_a_folder_is_a_list_to_choose_from(replay: Path, tmp_path: Path) -> None:
    for name in ("first.replay", "second.replay"):
        (tmp_path / name).write_bytes(replay.read_bytes())
    (tmp_path / "broken.replay").write_bytes(b"\x1f\x8b no replay")
    with viewing(tmp_path) as (_, address):
        with urlopen(address, timeout=PATIENCE_S) as answer:
            page = answer.read().decode()
        assert [name in page for name in ("first.replay", "second.replay", "broken.replay")] == [True] * 3
        assert "Hive Arena" in page
        assert fetched(f"{address}film/1")["head"]["game"] == "hive"
        with pytest.raises(HTTPError, match="422"):
            fetched(f"{address}film/0")


def test_a_log_of_the_original_server_plays_with_its_names(replay: Path, tmp_path: Path) -> None:
    record = Replay.read(replay)
    log = tmp_path / "game.log"
    log.write_bytes(follow(open_writer(load("hive"), ".log", record.names), record, None, {}))
    with viewing(log) as (_, address):
        film = fetched(f"{address}film/0")
        assert film["head"]["names"] == ["forager", "wanderer"]
        shown, stored = frames(Film(**film)), frames(film_of(record))
        assert [frame.picture for frame in shown] == [frame.picture for frame in stored]
        assert fetched(f"{address}film/0?seat=1")["head"]["seat"] == 1


@pytest.mark.parametrize("game", ["hive", "battlebots"])
def test_recordings_of_the_original_rules_play(game: str, tmp_path: Path) -> None:
    recording = tmp_path / "one.jsonl"
    with gzip.open(RECORDINGS / game / "dev.jsonl.gz", "rt") as all_games:
        recording.write_text(next(all_games))
    with viewing(recording) as (_, address):
        film = fetched(f"{address}film/0")
        assert film["head"]["game"] == game
        assert film["head"]["last"] > 0
        assert len(list(frames(Film(**film)))) == film["head"]["last"] + 1


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nothing.replay", "name a replay"),
        ("empty", "there is no replay in"),
        ("text.txt", "not a recording of any known game"),
        ("bad.replay", "is not a Botyard replay"),
    ],
)
def test_what_cannot_be_shown_is_an_error_with_a_remedy(run: Run, tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / "text.txt").write_text("hello")
    (tmp_path / "bad.replay").write_text("hello")
    (tmp_path / "empty").mkdir()
    done = run("view", tmp_path / name, "--no-browser")
    assert done.status == 2
    assert sentence in " ".join(done.err.split())
