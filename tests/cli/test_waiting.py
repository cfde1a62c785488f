"""`listen`: who is waited for, for how long, and what is left if nobody comes."""

from __future__ import annotations

import os
import pty
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.sync.client import connect

from botyard.cli.waiting import patience_of, still, waiting_time
from botyard.games import load
from botyard.links.tcp import TcpLink
from botyard.links.visitors import Visitor
from tests.cli.test_commands import Run, run
from tests.links.test_visitors import CLOSED, socket_of
from tests.links.yard import free_port, play_as_visitor
from tests.waiting import PATIENCE_S, ending, in_time, joined, wait_until

__all__ = ["run"]

COMMAND = [sys.executable, "-c", "from botyard.cli import main; main()", "play"]


@pytest.mark.parametrize(
    ("game", "bot", "rival", "where"),
    [
        ("hive", "listen:0", "house:forager", "for a connection to 127.0.0.1 port "),
        ("snakepit", "listen", "house:careful", "for a connection to 127.0.0.1 port "),
        ("snakebattle", "listen", "house:greedy", "at http://127.0.0.1:"),
        ("battlebots", "json:listen", "house:nop", "at ws://127.0.0.1:"),
    ],
)
@pytest.mark.parametrize("quiet", [(), ("--quiet",), ("--json",)], ids=["", "quiet", "json"])
def test_if_nobody_comes_nothing_was_played(
    run: Run, monkeypatch: pytest.MonkeyPatch, game: str, bot: str, rival: str, where: str, quiet: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    done = run("play", game, bot, rival, "--wait", "0.1", *quiet)
    assert done.status == 1
    assert done.out == ""
    address, sentence = (line for line in done.err.splitlines() if not line.startswith("Compiling"))
    assert address.startswith(f"bot 1: waiting 0.1 s {where}")
    assert sentence == "bot 1 did not connect within 0.1 s; nothing was played"
    assert list(Path.cwd().iterdir()) == []


def test_a_series_to_which_nobody_comes_was_not_played(run: Run) -> None:
    done = run("play", "snakepit", "listen", "json:listen", "house:careful", "--games", "3", "--wait", "0.1")
    assert done.status == 1
    assert "bot 1 and bot 2 did not connect within 0.1 s; nothing was played" in done.err
    assert list(Path.cwd().iterdir()) == []


def test_a_series_that_its_bot_leaves_keeps_the_games_that_were_played(run: Run) -> None:
    port = free_port()
    bot = threading.Thread(target=play_one_game, args=(port,), daemon=True)
    bot.start()
    words = ("play", "hive", f"listen:{port}", "house:wanderer", "--games", "3", "--wait", "2", "--set", "max_turns=4")
    done = run(*words)
    joined(bot)
    assert done.status == 1
    assert "bot 1 did not connect within 2 s; 1 of 3 games were played" in done.err
    assert "Hive Arena: 1 games" in done.out


def play_one_game(port: int) -> None:
    links: list[socket.socket] = []

    def connected() -> bool:
        with suppress(ConnectionRefusedError):
            links.append(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S))
        return bool(links)

    wait_until(connected)
    play_as_visitor(links[0])


def test_a_check_of_nobody_fails(run: Run) -> None:
    done = run("check", "listen:0", "--game", "hive", "--wait", "0.1")
    assert (done.status, done.out) == (1, "")
    assert "bot 1 did not connect within 0.1 s; nothing was checked" in done.err


def test_nobody_is_waited_for_where_all_are_here(run: Run) -> None:
    done = run("play", "hive", "house:forager", "house:forager", "--wait", "3")
    assert done.status == 2
    assert "no bot connects by itself" in done.err


@pytest.mark.parametrize("preset", ["document", "program"])
def test_a_preset_does_not_shorten_the_wait_but_somebody_who_says_so_does(preset: str) -> None:
    for game, key, given, seconds in (("snakepit", "server_timeout", "5", 5), ("hive", "connect_timeout_ms", 700, 0.7)):
        book = load(game)
        usual, chosen = book.settings.read({}, preset), book.settings.read({key: given}, preset)
        assert waiting_time(book, usual, {"growth": 1}, None) is None
        assert waiting_time(book, chosen, {key: given}, None) == seconds
        assert waiting_time(book, chosen, {key: given}, 9) == 9
    book = load("snakebattle")
    assert waiting_time(book, book.settings.read({}, preset), {}, None) is None
    assert patience_of(None) == "for as long as it takes"
    assert patience_of(30.0) == "30 s"


def test_a_line_counts_down() -> None:
    visitors = [Visitor("bot 1", TcpLink(CLOSED)), Visitor("bot 2", TcpLink(CLOSED))]
    visitors[0].here = True
    assert still(visitors, 12.4, None) == "waiting for bot 2: 12 s so far; Ctrl-C gives up"
    assert still(visitors, 12.4, 30) == "waiting for bot 2: 18 s left; Ctrl-C gives up"
    assert still(visitors, 31, 30) == "waiting for bot 2: 0 s left; Ctrl-C gives up"


def test_ctrl_c_ends_the_waiting_with_a_word(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}
    command = [*COMMAND, "snakepit", "listen", "house:careful"]
    with ending(
        subprocess.Popen(command, stderr=theirs, stdout=subprocess.PIPE, cwd=tmp_path, env=environment)
    ) as playing:
        os.close(theirs)
        said = b""
        while b"so far" not in said:  # the line is on the screen
            chunk = read_on(ours)
            assert chunk, said
            said += chunk
        playing.send_signal(signal.SIGINT)
        while chunk := read_on(ours):
            said += chunk
        out, _ = playing.communicate(timeout=PATIENCE_S)
    os.close(ours)
    assert (playing.returncode, out) == (130, b"")
    assert b"bot 1: waiting for as long as it takes for a connection to 127.0.0.1 port " in said
    assert b"waiting for bot 1: 0 s so far; Ctrl-C gives up" in said
    assert b"stopped while waiting for bot 1: nothing was played" in said
    assert b"Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def read_on(terminal: int) -> bytes:
    try:
        return in_time(lambda: os.read(terminal, 4096))
    except OSError:  # the other end is closed
        return b""


def test_a_bot_that_connects_by_itself_plays_and_even_a_quiet_command_says_where(tmp_path: Path) -> None:
    words = ["snakebattle", "listen", "house:greedy", "--set", "max_ticks=3", "--quiet", "--seed", "5"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with ending(subprocess.Popen([*COMMAND, *words], **pipes, cwd=tmp_path, text=True)) as playing:  # type: ignore[call-overload]
        assert playing.stderr is not None
        lines = iter(playing.stderr)
        line = in_time(lambda: next(line for line in lines if line.startswith("bot 1: ")))
        bot = threading.Thread(target=answer_to_the_end, args=(socket_of(line.split()[-1]),), daemon=True)
        bot.start()
        out, rest = playing.communicate(timeout=PATIENCE_S)
        joined(bot)
    assert playing.returncode == 0
    assert "after 3 ticks" in out
    assert rest == ""


def answer_to_the_end(address: str) -> None:
    with connect(address, compression=None, proxy=None) as link:
        for _ in link:
            link.send("UP")
