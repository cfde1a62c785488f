"""`botyard room`: what it says, who plays in it, and how it ends."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from websockets.sync.client import connect

from tests.waiting import PATIENCE_S, ending, in_time

COMMAND = [sys.executable, "-c", "from botyard.cli import main; main()", "room"]


@contextlib.contextmanager
def room(*words: str, files: int | None = None) -> Iterator[subprocess.Popen[str]]:
    """A room; its process may have so many open files."""
    command = [*COMMAND, "snakebattle", "--port", "0", "--tick-ms", "50", *words]
    if files is not None:
        command = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command]
    with ending(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)) as running:
        yield running


def line_of(running: subprocess.Popen[str]) -> str:
    """The next line it prints."""
    assert running.stdout is not None
    return in_time(running.stdout.readline)


def end(running: subprocess.Popen[str], how: signal.Signals = signal.SIGINT) -> tuple[str, str]:
    """What it says at its end, which is an orderly one."""
    running.send_signal(how)
    said = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 0, said
    assert "Traceback" not in said[1]
    return said


def socket_of(page: str) -> str:
    return page.replace("http", "ws", 1).replace("board/player/", "ws?user=").replace("?code=", "&code=")


def test_a_room_says_where_to_play_and_shows_the_points_in_the_end() -> None:
    bots = ("--bots", "house:greedy,house:greedy", "--bots", "house:original")
    asleep = ("--set", "rounds_time_before_start=30000")  # for half an hour, whenever we get to look
    with room(*bots, "--player", "me:42", *asleep) as running:
        name, _, page = line_of(running).strip().partition(": ")
        assert name == "me"
        assert page.endswith("/codenjoy-contest/board/player/me?code=42")
        with connect(socket_of(page), compression=None, proxy=None) as link:
            for _ in range(3):
                board = str(link.recv(timeout=PATIENCE_S))
                assert len(board) == 906
                link.send("UP")
            assert board.count("ø") + board.count("*") == 6  # three house bots, asleep
        with urlopen(page, timeout=PATIENCE_S) as answer:
            assert answer.status == 200
        out, err = end(running)
    assert [line.split()[1] for line in out.splitlines()[2:]].count("greedy") == 2
    assert "me" in out
    assert "/codenjoy-contest/register; Ctrl-C ends the room" in err


def test_without_a_name_one_player_is_ready() -> None:
    with room("--quiet") as running:
        assert line_of(running).startswith("player1: http://127.0.0.1:")
        assert end(running, signal.SIGTERM) == ("", "")


def test_a_program_reads_the_addresses_as_json_and_ends_it_with_clients_connected() -> None:
    with room("--json", "--player", "ann", "--player", "bob", "--rooms", "3") as running:
        said: Any = json.loads("".join(iter(lambda: line_of(running), "}\n")) + "}")
        assert said["rooms"] == ["snakebattle", "snakebattle-2", "snakebattle-3"]
        assert list(said["players"]) == ["ann", "bob"]
        with connect(socket_of(said["players"]["ann"]), compression=None, proxy=None) as link:
            link.recv(timeout=PATIENCE_S)
            end(running)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["hive"], "hive cannot be played in a room"),
        (["snakebattle", "--bots", "cmd:x"], "'cmd:x' cannot be seated by the room"),
        (["snakebattle", "--bots", "house:none"], "unknown house bot of snakebattle"),
        (["snakebattle", "--player", "a:b"], "the code 'b' cannot be used"),
        (["snakebattle", "--player", "a", "--player", "a"], "'a' is registered"),
        (["snakebattle", "--set", "height=3"], "height"),
        (["snakebattle", "--host", "192.0.2.1"], "cannot listen on 192.0.2.1:8080"),
    ],
)
def test_mistakes_are_explained_without_a_traceback(words: list[str], reason: str) -> None:
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2
    assert reason in done.stderr
    assert "hint:" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_crowd_at_the_door_takes_no_file_from_the_room_and_fills_no_log() -> None:
    with room("--player", "me:42", files=300) as running, contextlib.ExitStack() as crowd:
        page = line_of(running).strip().partition(": ")[2]
        address = urlsplit(page)
        with connect(socket_of(page), compression=None, proxy=None) as link:
            for _ in range(600):
                with contextlib.suppress(OSError):  # who finds no room to wait goes
                    there = (str(address.hostname), address.port or 0)
                    crowd.enter_context(socket.create_connection(there, timeout=0.02))
            for _ in range(3):
                assert str(link.recv(timeout=PATIENCE_S)).startswith("board=")  # who is inside plays on
                link.send("UP")
        crowd.close()
        with urlopen(page, timeout=PATIENCE_S) as answer:
            assert answer.status == 200
        assert len(end(running)[1].splitlines()) == 1
