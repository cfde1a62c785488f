"""Machines on which something is missing: folders that cannot be written, a full disk, no shared memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import need
from tests.waiting import RUN_S

BOTYARD = str(Path(sys.executable).parent / "botyard")
IDLER = "def decide(view):\n    return 'guard N'\n"
QUICK = ["--set", "max_turns=6", "--set", "reply_timeout_ms=60000", "--seed", "5"]
LEAGUE = """
game = "hive"
seed = 1
[settings]
max_turns = 6
[time]
reply_timeout_ms = 60000
[bots]
forager = "house:forager"
idler = "py:bots/idler.py"
[format]
kind = "round_robin"
[run]
executor = "local"
workers = 1
"""
READ_ONLY = 'mount --bind "{0}" "{0}" && mount -o remount,bind,ro "{0}"'
FULL = 'mount -t tmpfs -o size=8k tmpfs "{0}" && dd if=/dev/zero of="{0}/fill" 2>/dev/null;'
NO_SHARED_MEMORY = """
mkdir "{0}/dev" && mount -t tmpfs tmpfs "{0}/dev"
for name in null zero full random urandom tty; do touch "{0}/dev/$name"; mount --bind /dev/$name "{0}/dev/$name"; done
mkdir "{0}/dev/pts"; ln -s /proc/self/fd "{0}/dev/fd"; mount --move "{0}/dev" /dev; test ! -e /dev/shm
"""


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    need("bwrap")
    if os.geteuid() != 0:
        pytest.skip("only root can mount")
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "idler.py").write_text(IDLER)
    (tmp_path / "league.toml").write_text(LEAGUE)
    return tmp_path


def botyard(here: Path, changed: str, *words: str) -> subprocess.CompletedProcess[str]:
    """The command on a machine that was changed for it alone."""
    script = f'{changed.format(here)}\ncd "{here}" && exec "$@"'
    environment = {**os.environ, "BOTYARD_RULES": "interpreted"}
    command = ["unshare", "--mount", "sh", "-c", script, "sh", BOTYARD, *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=RUN_S)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def test_a_game_is_told_though_its_replay_cannot_be_written(yard: Path) -> None:
    done = botyard(yard, READ_ONLY, "play", "hive", "house:forager", "py:bots/idler.py", *QUICK)
    assert done.returncode == 2
    assert "after 6 ticks" in done.stdout
    assert "replay:" not in done.stdout
    assert "cannot write replays/hive-5.replay" in done.stderr
    assert "Read-only file system" in done.stderr


def test_on_a_full_disk_all_games_of_a_series_are_told(yard: Path) -> None:
    (yard / "full").mkdir()
    words = ["play", "hive", "house:forager", "house:raider", *QUICK, "--games", "2", "--replay", "full", "--json"]
    done = botyard(yard, FULL.replace("{0}", "{0}/full"), *words)
    assert done.returncode == 2
    assert json.loads(done.stdout)["games"] == 2
    assert "No space left on device" in done.stderr


def test_a_contest_is_not_begun_where_it_cannot_be_recorded(yard: Path) -> None:
    done = botyard(yard, READ_ONLY, "contest", "run", "league.toml")
    assert done.returncode == 2
    assert "league.store" in done.stderr
    assert [path.name for path in yard.iterdir() if "store" in path.name] == []


def test_without_a_place_to_hold_users_it_is_said_what_to_do(yard: Path) -> None:
    Path("/run/botyard/uids").mkdir(parents=True, exist_ok=True)
    read_only = READ_ONLY.replace("{0}", "/run/botyard")
    done = botyard(yard, read_only, "play", "hive", "house:forager", "py:bots/idler.py", *QUICK)
    assert done.returncode == 1
    assert "no user can be reserved for a bot in /run/botyard/uids: Read-only file system" in done.stderr
    assert "--open" in done.stderr


def test_without_shared_memory_games_and_contests_are_played(yard: Path) -> None:
    done = botyard(yard, NO_SHARED_MEMORY, "contest", "run", "league.toml", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["finished"]
    assert json.loads(done.stdout)["games"]["void"] == 0
