"""Bots of a match over WebSockets, started by us or by themselves: whatever they do, the rival plays on."""

from __future__ import annotations

import asyncio
import re
import shlex
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from botyard.games import load
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.jail.uids import can_change_user
from botyard.kernel.verdict import Verdict
from botyard.links import tcp
from botyard.links.cage_policy import CagePolicy
from botyard.links.web import frames
from botyard.links.websocket import entrance
from botyard.links.websocket.entrance import (
    MOST_CONNECTIONS,
    MOST_SOCKETS,
    Invitation,
    WebSocketConnection,
    WebSocketPort,
)
from botyard.links.websocket.player_socket import PlayerSocket
from botyard.match.loop import Played
from tests.conftest import need
from tests.links.hall import SMALL_MAP
from tests.links.matches import play_match
from tests.links.yard import BRISK_MS, PATIENT_MS, free_port
from tests.waiting import finished, joined, soon

RIVAL = "house:original"
TICKS = 6

PREAMBLE = """
import os, sys, time
from websockets.sync.client import connect
from websockets.exceptions import ConnectionClosed
address = sys.argv[-1].replace("http", "ws", 1).replace("board/player/", "ws?user=").replace("?code=", "&code=")
def join(): return connect(address, compression=None, proxy=None)
link = join()
def send_at_once(*answers):
    for answer in answers: link.protocol.send_text(answer.encode())
    link.socket.sendall(b"".join(link.protocol.data_to_send()))
def boards(link):
    try:
        while True: yield link.recv()
    except ConnectionClosed as closed:
        print("closed", closed.rcvd and closed.rcvd.code, flush=True)
"""


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def tiny_bot(folder: Path, body: str) -> str:
    path = folder / f"bot{abs(hash(body)) % 10**8}.py"
    path.write_text(PREAMBLE + dedent(body))
    return f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def play(
    *bots: str, notice: Callable[[str], None] = lambda text: None, level: Level | None = None, **settings: Any
) -> Played:
    """A match on a small field without rounds, the first bot in seat 0."""
    chosen = {"level_map": SMALL_MAP, "rounds_enabled": False, "max_ticks": TICKS, "tick_ms": PATIENT_MS, **settings}
    ready = load("snakebattle").settings.read(chosen).seated(len(bots))
    return finished(play_match("snakebattle", bots, ready, policy=CagePolicy(level), notice=notice))


def answers(played: Played, seat: int = 0) -> list[tuple[Verdict, str]]:
    return [(turn.verdict, turn.reason) for turn in played.turns if turn.seat == seat]


OBEDIENT = "for board in boards(link): link.send('DOWN')"


@pytest.mark.parametrize("level", [Level.CAGED, Level.OPEN])
def test_a_program_is_given_its_address_and_plays(tmp_path: Path, level: Level) -> None:
    if trouble := obstacle(level):
        pytest.skip(trouble)
    played = play(tiny_bot(tmp_path, OBEDIENT), RIVAL, level=level)
    assert played.outcome is not None
    assert answers(played) == [(Verdict.OK, "")] * TICKS
    first = next(turn for turn in played.turns if turn.seat == 0)
    assert first.sent.encode("latin-1").decode().startswith("board=☼☼☼☼☼☼☼")
    assert first.received == "DOWN"
    assert [tick[0][0] for tick in played.replay.ticks] == [4] * TICKS  # down


def test_the_bot_of_the_documentation_plays(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "rooms.md").read_text()
    bot = tmp_path / "mybot.py"
    bot.write_text(page.partition("```python\n")[2].partition("```")[0])
    played = play(f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(bot))}", RIVAL)
    assert answers(played) == [(Verdict.OK, "")] * TICKS


def test_a_match_in_rounds_ends_with_a_normal_close(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (tcp.__name__, entrance.__name__):
        monkeypatch.setattr(f"{place}.LEAVE_S", PATIENT_MS / 1000)  # until it has gone by itself
    monkeypatch.setattr(frames, "LINGER_S", PATIENT_MS / 1000)
    said = tmp_path / "said"
    bot = tiny_bot(tmp_path, f"sys.stdout = open({str(said)!r}, 'w')\n{OBEDIENT}")
    settings: Any = {"rounds_enabled": True, "rounds_time": 5, "rounds_time_before_start": 2, "rounds_per_match": 1}
    played = play(bot, RIVAL, max_ticks=0, level=Level.OPEN, **settings)
    assert played.outcome is not None
    assert said.read_text() == "closed 1000\n"


def test_an_empty_frame_is_an_answer(tmp_path: Path) -> None:
    played = play(tiny_bot(tmp_path, "for board in boards(link): link.send('')"), RIVAL)
    assert answers(played) == [(Verdict.OK, "")] * TICKS


def test_the_first_frame_counts_and_the_rest_is_dropped(tmp_path: Path) -> None:
    eager = "for board in boards(link): send_at_once('DOWN', 'UP')"
    slow = "for board in boards(link): time.sleep(0.3); link.send('UP')"
    played = play(tiny_bot(tmp_path, eager), tiny_bot(tmp_path, slow), max_ticks=3)
    assert answers(played) == [(Verdict.OK, "")] * 3
    assert [tick[0][0] for tick in played.replay.ticks] == [4] * 3
    assert [turn.early for turn in played.turns if turn.seat == 0] == ["", "UP", "UP"]  # and its author is told


@pytest.mark.parametrize(
    ("behaviour", "verdict", "reason"),
    [
        ("time.sleep(60)", Verdict.SILENT, f"no answer within {BRISK_MS} ms"),
        ("next(boards(link)); link.send('x' * 1001); time.sleep(60)", Verdict.GARBLED, "more than 1000 characters"),
        ("next(boards(link)); sys.exit(3)", Verdict.CRASHED, "exit status 3"),
        ("next(boards(link)); link.close(); time.sleep(60)", Verdict.GONE, "closed its connection"),
        ("next(boards(link)); link.send('x' * 1_000_000); time.sleep(60)", Verdict.GONE, "closed its connection"),
        ("next(boards(link)); link.socket.close(); time.sleep(60)", Verdict.GONE, "closed its connection"),
    ],
)
def test_a_misbehaving_bot_gets_the_true_verdict(tmp_path: Path, behaviour: str, verdict: Verdict, reason: str) -> None:
    limit_ms = BRISK_MS if verdict is Verdict.SILENT else PATIENT_MS
    played = play(tiny_bot(tmp_path, behaviour), RIVAL, tick_ms=limit_ms, max_ticks=1)
    assert played.outcome is not None
    assert answers(played)[0][0] is verdict
    assert reason in answers(played)[0][1]
    assert {turn.verdict for turn in played.turns if turn.seat == 1} == {Verdict.OK}


def test_a_program_that_ends_before_it_connects_forfeits() -> None:
    played = play(f"cmd:{shlex.quote(sys.executable)} -c pass", RIVAL)
    [miss] = played.replay.missed
    assert (miss.seat, miss.verdict) == (0, Verdict.CRASHED)
    assert "exit status 0, before it connected" in miss.reason


def test_a_bot_that_comes_back_plays_on(tmp_path: Path) -> None:
    back = str(tmp_path / "back")
    returning = f"""
        next(boards(link)); link.close()
        link = join()
        open({back!r}, 'w').close()
        for board in boards(link): link.send('DOWN')
    """
    waiting = f"""
        for number, board in enumerate(boards(link)):
            while number == 1 and not os.path.exists({back!r}): time.sleep(0.01)
            link.send('UP')
    """
    played = play(tiny_bot(tmp_path, returning), tiny_bot(tmp_path, waiting), level=Level.OPEN)
    verdicts = [verdict for verdict, _ in answers(played)]
    assert verdicts[0] is Verdict.GONE
    assert verdicts[2:] == [Verdict.OK] * (TICKS - 2)


def test_a_bot_may_answer_on_any_of_its_sockets(tmp_path: Path) -> None:
    twofold = """
        other, first = join(), True
        for board in boards(link):
            (link if first else other).send('DOWN')
            first = False
    """
    played = play(tiny_bot(tmp_path, twofold), RIVAL)
    assert answers(played) == [(Verdict.OK, "")] * TICKS


def listening(text: str) -> str:
    found = re.fullmatch(r"bot \d: waiting at (http://\S+/codenjoy-contest/board/player/player\d\?code=\d{19})", text)
    assert found, text
    return found[1].replace("http", "ws", 1).replace("board/player/", "ws?user=").replace("?code=", "&code=")


def play_by_itself(address: str, answer: str) -> None:
    with connect(address, compression=None, proxy=None) as link:
        for _ in link:
            link.send(answer)


def test_bots_connect_by_themselves_each_with_its_own_address() -> None:
    bots: list[threading.Thread] = []
    addresses: list[str] = []

    def notice(text: str) -> None:
        addresses.append(listening(text))
        if len(addresses) == 2:
            for address, answer in zip(addresses, ("DOWN", "UP"), strict=True):
                bots.append(threading.Thread(target=play_by_itself, args=(address, answer), daemon=True))
                bots[-1].start()

    played = play("listen", "listen", notice=notice)
    joined(*bots)
    assert [tick[0] for tick in played.replay.ticks] == [[4, 3]] * TICKS
    assert addresses[0].split("code=")[1] != addresses[1].split("code=")[1]


def test_a_bot_cannot_speak_for_another() -> None:
    refused: list[int] = []
    addresses: list[str] = []

    def play_after_trying(own: str, other: str) -> None:
        mixed = other.partition("code=")[0] + "code=" + own.partition("code=")[2]
        try:
            connect(mixed, compression=None, proxy=None)
        except InvalidStatus as refusal:
            refused.append(refusal.response.status_code)
        play_by_itself(own, "DOWN")

    bots: list[threading.Thread] = []

    def notice(text: str) -> None:
        addresses.append(listening(text))
        if len(addresses) == 2:
            first, second = addresses
            for own, other in ((first, second), (second, first)):
                bots.append(threading.Thread(target=play_after_trying, args=(own, other), daemon=True))
                bots[-1].start()

    port = free_port()
    played = play(f"listen:{port}", f"listen:{port}", notice=notice)
    joined(*bots)
    assert refused == [401, 401]
    assert not played.replay.missed


def test_a_conversation_hoards_neither_frames_nor_sockets() -> None:
    async def never() -> Any: ...
    async def nothing(message: Any) -> None: ...

    async def main() -> None:
        connection = WebSocketConnection()
        sockets = [PlayerSocket(connection, never, nothing) for _ in range(MOST_SOCKETS + 1)]
        for socket in sockets:
            connection.attach(socket)
        for _ in range(1000):
            connection.take("x" * 1000)
        assert connection.flooded
        assert len(connection.unread()) < 70_000
        for socket in sockets:
            connection.detach(socket)
        assert connection.closed

    finished(main())


HOARDER = """
import socket
from urllib.parse import urlsplit
here = urlsplit(address)
def is_open(call):
    try: return call.send(b"G") and call.recv(1) == b"?"
    except TimeoutError: return True
    except OSError: return False
calls = []
for _ in range(100):
    try: calls.append(socket.create_connection((here.hostname, here.port), timeout=0.2))
    except TimeoutError: break
print(sum(map(is_open, calls)), file=open(sys.argv[1], "w"), flush=True)
for board in boards(link): link.send('DOWN')
"""


def test_a_bot_holds_only_so_many_of_our_files(tmp_path: Path) -> None:
    """Two that held a thousand each took them from every other seat, and the game was void."""
    counted = tmp_path / "counted"
    played = play(f"{tiny_bot(tmp_path, HOARDER)} {counted}", RIVAL, level=Level.OPEN)
    assert played.outcome is not None
    assert answers(played)[-1] == (Verdict.OK, "")
    assert int(counted.read_text()) < MOST_CONNECTIONS


def test_where_bots_share_our_network_a_code_that_was_read_elsewhere_opens_no_seat() -> None:
    """It stands in the command line of the bot, which everybody on the machine can read."""
    if not can_change_user():
        pytest.skip("only root can be somebody else")
    need("/usr/bin/python3")

    async def status_for(user: int, only: int) -> bytes:
        port = WebSocketPort.at("127.0.0.1")
        entrance = port.entrance(Invitation(lambda host, port: [f"http://{host}:{port}/player0"]))
        entrance.only = only
        await port.open()
        command = ("/usr/bin/python3", "-c", CALLER, str(port.port))
        caller = await asyncio.create_subprocess_exec(*command, user=user, group=user, stdout=asyncio.subprocess.PIPE)
        heard, _ = await soon(caller.communicate())
        await entrance.leave()
        return heard.strip()

    assert finished(status_for(65533, only=65534)) == b""
    assert finished(status_for(65534, only=65534)) == b"HTTP/1.1 200"


CALLER = """
import socket, sys
call = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
try:
    call.sendall(b"GET / HTTP/1.1\\r\\nHost: here\\r\\n\\r\\n")
    print(call.recv(12).decode())
except ConnectionError:
    pass
"""
