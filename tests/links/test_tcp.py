"""TCP bots, started by us or by themselves: whatever they do, the rival plays on and nothing is left running."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from botyard.games import load
from botyard.games.hive.settings import HiveSettings
from botyard.games.hive.wire import HiveSession
from botyard.games.starters import starter_for
from botyard.jail.building import built_folder
from botyard.jail.limits import Level
from botyard.jail.manifest import manifest_of
from botyard.jail.program import Program
from botyard.jail.uids import can_change_user
from botyard.kernel.errors import UnknownName, YardError
from botyard.kernel.verdict import Verdict
from botyard.links.bot_spec import read_bot_spec
from botyard.links.cage_policy import CagePolicy, FolderBot
from botyard.links.tcp import Connection, TcpEntrance, TcpLink
from botyard.match.clock import LoopClock
from botyard.match.loop import Played
from botyard.match.wire_player import WirePlayer
from tests.conftest import need
from tests.links.yard import (
    BRISK_MS,
    IDLE,
    PATIENT_MS,
    PREAMBLE,
    LateClock,
    free_port,
    play,
    play_as_visitor,
    play_here,
    tiny_bot,
)
from tests.waiting import PATIENCE_S, finished, joined, soon, until

pytestmark = pytest.mark.usefixtures("nothing_is_left")


def lost_by(played: Played, verdict: Verdict) -> str:
    assert played.outcome is not None
    assert played.winner == 1
    [miss] = played.replay.missed
    assert (miss.seat, miss.verdict) == (0, verdict), miss
    rival = [turn for turn in played.turns if turn.seat == 1]
    assert all(turn.verdict is Verdict.OK for turn in rival)
    return miss.reason


def test_a_program_is_started_and_played_with(tmp_path: Path) -> None:
    played = play(tiny_bot(tmp_path, IDLE), tiny_bot(tmp_path, IDLE))
    assert played.names == ("tiny", "tiny")
    assert played.outcome is not None
    assert played.outcome.draw
    assert [turn.verdict for turn in played.turns] == [Verdict.OK] * 20


RIVAL = "house:wanderer"


@pytest.mark.parametrize(
    ("behaviour", "verdict", "reason"),
    [
        ("time.sleep(60)", Verdict.SILENT, f"no answer within {BRISK_MS} ms"),
        ("next(turns()); time.sleep(1.5); say('3,0\\n'); time.sleep(60)", Verdict.LATE, f"the limit is {BRISK_MS} ms"),
        ("next(turns()); say('hello\\n'); time.sleep(60)", Verdict.GARBLED, "not action,direction: 'hello"),
        ("next(turns()); say('9,9\\n'); time.sleep(60)", Verdict.INVALID, "no action 9"),
        ("flood = b'x' * 100_000_000; next(turns()); link.sendall(flood)", Verdict.GARBLED, "200 bytes without a line"),
        ("next(turns()); sys.exit(0)", Verdict.GONE, "closed its connection"),
        ("next(turns()); sys.exit(3)", Verdict.CRASHED, "exit status 3"),
        ("next(turns()); os.abort()", Verdict.CRASHED, "SIGABRT"),
        ("next(turns()); link.shutdown(2); time.sleep(60)", Verdict.GONE, "closed its connection"),
        ("next(turns()); 1 / 0", Verdict.CRASHED, "exit status 1"),
    ],
)
def test_a_misbehaving_program_loses_for_the_true_reason(
    tmp_path: Path, behaviour: str, verdict: Verdict, reason: str
) -> None:
    timed: dict[str, Any] = {"reply_timeout_ms": BRISK_MS} if verdict in (Verdict.SILENT, Verdict.LATE) else {}
    clock = LateClock() if verdict is Verdict.LATE else None
    assert reason in lost_by(play(tiny_bot(tmp_path, behaviour), RIVAL, clock=clock, **timed), verdict)


def test_half_an_answer_is_quoted(tmp_path: Path) -> None:
    half = tiny_bot(tmp_path, "next(turns()); say('3,'); time.sleep(60)")
    assert "it sent '3,'" in lost_by(play(half, RIVAL, reply_timeout_ms=3000), Verdict.SILENT)


def test_a_crash_that_is_noticed_late_is_still_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own loop stood still: when it looks, the time to wait for an end is over, and so is the program."""
    plain, held_up = Program.ended, list[int]()

    async def ended(program: Program) -> int:
        status = await plain(program)
        if status == 3 and not held_up:
            held_up.append(status)
            raise TimeoutError
        return status

    monkeypatch.setattr(Program, "ended", ended)
    reason = lost_by(play(tiny_bot(tmp_path, "next(turns()); sys.exit(3)"), RIVAL), Verdict.CRASHED)
    assert "exit status 3" in reason
    assert held_up


def test_a_traceback_is_kept_for_its_author(tmp_path: Path) -> None:
    played = play(tiny_bot(tmp_path, "next(turns()); print('thinking', flush=True); 1 / 0"), RIVAL)
    said = "".join(turn.said for turn in played.turns if turn.seat == 0)
    assert "thinking" in said
    assert "ZeroDivisionError" in said


def test_a_program_that_is_connected_cannot_connect_again(tmp_path: Path) -> None:
    greedy = """
        for _ in turns():
            try: socket.create_connection((sys.argv[1], int(sys.argv[2])), 5)
            except ConnectionRefusedError: print("refused", flush=True)
            say("3,0\\n")
    """
    played = play(tiny_bot(tmp_path, greedy), RIVAL, max_turns=1)
    assert "refused" in "".join(turn.said for turn in played.turns)


def test_answers_may_come_in_pieces_and_early_ones_are_dropped(tmp_path: Path) -> None:
    torn = "for _ in turns():\n    for sign in '3,0\\n': say(sign); time.sleep(0.002)"
    hasty = PREAMBLE.replace('say("tiny\\n")', 'say("tiny\\n" + "0,1\\n" * 50)')  # before anybody can have asked
    played = play(tiny_bot(tmp_path, torn), tiny_bot(tmp_path, IDLE, hasty))
    assert {turn.verdict for turn in played.turns} == {Verdict.OK}
    assert all(order == [[24]] for order in played.replay.ticks)


def test_endless_lines_are_a_flood_and_cost_the_rival_nothing(tmp_path: Path) -> None:
    flood = "next(turns())\nwhile True: say('3,0\\n' * 1000)"
    calm = "for _ in turns(): time.sleep(0.05); say('3,0\\n')"
    played = play(tiny_bot(tmp_path, flood), tiny_bot(tmp_path, calm), max_turns=1000)
    reason = lost_by(played, Verdict.FLOODED)
    assert "far more than was asked for" in reason


def test_a_program_that_never_comes_forfeits() -> None:
    played = play(f"cmd:{sys.executable} -c pass", RIVAL)
    assert "ended: exit status 0, before it connected" in lost_by(played, Verdict.CRASHED)


def test_a_program_that_does_not_connect_in_time_is_silent() -> None:
    played = play(f"cmd:{sys.executable} -c 'import time; time.sleep(60)'", RIVAL, connect_timeout_ms=300)
    assert "no connection to port" in lost_by(played, Verdict.SILENT)


def test_a_program_that_says_no_name_forfeits(tmp_path: Path) -> None:
    nameless = PREAMBLE.replace('say("tiny\\n")', "")
    bot = tiny_bot(tmp_path, "time.sleep(60)", nameless)
    assert lost_by(play(bot, RIVAL, name_timeout_ms=200), Verdict.SILENT) == "no name line within 200 ms"


def test_everything_a_program_started_is_ended(tmp_path: Path) -> None:
    """A grandchild in a session of its own, ignoring signals, with the output held open."""
    spawn = """
        import signal
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if os.fork() == 0:
                time.sleep(600)
            time.sleep(600)
        for _ in turns(): say('3,0\\n')
    """
    played = play(tiny_bot(tmp_path, spawn), RIVAL)
    assert not played.replay.missed


def test_secrets_of_our_environment_reach_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOTYARD_SECRET", "hush")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hush")
    played = play(tiny_bot(tmp_path, "print(dict(os.environ), flush=True)\n" + IDLE), RIVAL)
    said = "".join(turn.said for turn in played.turns)
    assert "PATH" in said
    assert "hush" not in said


def test_much_output_is_kept_at_both_ends(tmp_path: Path) -> None:
    loud = "print('first'); print('x' * 1_000_000); print('last', flush=True); time.sleep(0.2)\n" + IDLE
    said = "".join(turn.said for turn in play(tiny_bot(tmp_path, loud), RIVAL).turns if turn.seat == 0)
    assert said.startswith("first")
    assert "last" in said
    assert "bytes dropped" in said
    assert len(said) < 20_000


def connect_by_itself(port: int, name: str, inside: threading.Event) -> None:
    """A bot that is not ours: connects, plays, leaves."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as link:
        inside.set()
        play_as_visitor(link, name)


def test_bots_may_connect_by_themselves_through_one_port() -> None:
    port, bots = free_port(), list[threading.Thread]()

    async def main() -> Played:
        both_wait = asyncio.Event()

        def notice(text: str) -> None:
            found = re.fullmatch(rf"bot (\d): waiting for a connection to 127.0.0.1 port {port}", text)
            assert found
            if found[1] == "2":
                both_wait.set()

        game = asyncio.create_task(play_here(f"listen:{port}", f"listen:{port}", notice=notice))
        await soon(both_wait.wait())
        for name in ("first", "second"):  # the one has come in before the other knocks
            inside = threading.Event()
            bots.append(threading.Thread(target=connect_by_itself, args=(port, name, inside), daemon=True))
            bots[-1].start()
            assert await asyncio.to_thread(inside.wait, PATIENCE_S)
        return await game

    played = finished(main())
    joined(*bots)
    assert played.names == ("first", "second")
    assert not played.replay.missed


def test_a_bot_is_heard_out_before_the_time_of_the_next_begins_6() -> None:
    async def main() -> None:
        entrance, settings = TcpEntrance.at(), HiveSettings(name_timeout_ms=PATIENT_MS)
        players = [WirePlayer("", HiveSession(settings), TcpLink(entrance), LoopClock()) for _ in range(2)]
        starts = [asyncio.create_task(player.start()) for player in players]
        _, first = await asyncio.open_connection("127.0.0.1", entrance.port)
        _, second = await asyncio.open_connection("127.0.0.1", entrance.port)
        second.write(b"second\n")
        assert not (await asyncio.wait(starts, timeout=0.3))[0]
        first.write(b"first\n")
        assert await asyncio.gather(*starts) == [None, None]
        assert [player.name for player in players] == ["first", "second"]
        for writer in (first, second):
            writer.close()
        for player in players:
            await player.stop()

    finished(main())


def test_a_third_bot_is_not_served_and_the_port_closes_behind_the_last() -> None:
    async def main() -> None:
        entrance = TcpEntrance.at()
        entrance.expect()
        port = entrance.port
        accepting = asyncio.create_task(entrance.accept())
        first = await asyncio.open_connection("127.0.0.1", port)
        connection = await soon(accepting)
        await entrance.leave()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)
        first[1].close()
        await connection.close()

    finished(main())


def test_where_bots_share_our_network_only_the_bot_itself_gets_its_seat() -> None:
    if not can_change_user():
        pytest.skip("only root can be somebody else")
    call = "import socket, sys; print(socket.create_connection(('127.0.0.1', int(sys.argv[1]))).recv(9), flush=True)"

    async def seated() -> list[bytes]:
        entrance = TcpEntrance.at()
        entrance.expect()
        entrance.only = 65534

        async def caller(user: int) -> asyncio.subprocess.Process:
            command = ("/usr/bin/python3", "-c", call, str(entrance.port))
            return await asyncio.create_subprocess_exec(*command, user=user, group=user, stdout=asyncio.subprocess.PIPE)

        thief = await caller(65533)
        accepting = asyncio.create_task(entrance.accept())
        heard = [(await soon(thief.communicate()))[0]]
        owner = await caller(65534)
        connection = await soon(accepting)
        connection.send(b"welcome")
        heard.append((await soon(owner.communicate()))[0])
        await connection.close()
        await entrance.leave()
        return heard

    need("/usr/bin/python3")
    assert finished(seated()) == [b"b''\n", b"b'welcome'\n"]


def test_a_port_in_use_is_explained() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(YardError, match=r"cannot listen on 127\.0\.0\.1"),
    ):
        TcpEntrance.at("127.0.0.1", taken.getsockname()[1])


def test_nobody_is_waited_for_longer_than_the_connection_time() -> None:
    played = play("listen:0", RIVAL, connect_timeout_ms=100)
    assert "no connection to port" in lost_by(played, Verdict.SILENT)


def test_the_bot_in_c_is_built_started_and_plays_a_full_game() -> None:
    need("cc")
    played = play(f"dir:{starter_for('hive', 'c').folder}", RIVAL, max_turns=0)
    assert played.names[0] == "carrier"
    assert not played.replay.missed
    assert played.winner == 0


def test_the_bot_in_c_connects_by_itself(tmp_path: Path) -> None:
    need("cc")
    started: list[asyncio.Task[asyncio.subprocess.Process]] = []

    async def main() -> tuple[Played, int]:
        built = await built_folder(manifest_of(starter_for("hive", "c").folder), Level.CAGED)
        assert isinstance(built, Path)

        def notice(text: str) -> None:
            agent, port = str(built / "agent"), text.rsplit(maxsplit=1)[-1]
            started.append(asyncio.create_task(asyncio.create_subprocess_exec(agent, "127.0.0.1", port)))

        played = await play_here("listen:0", RIVAL, notice=notice, max_turns=0, preset="program")
        return played, await soon((await started[0]).wait())

    played, status = finished(main())
    assert played.names[0] == "carrier"
    assert not played.replay.missed
    assert played.replay.settings["rng"] == "glibc_rand_r"
    assert status == 0  # it read `gameover` and left by itself


def test_a_folder_that_cannot_be_built_is_unbuilt(tmp_path: Path) -> None:
    need("make")
    (tmp_path / "Makefile").write_text("agent:\n\techo the compiler complains; false\n")
    fault = finished(FolderBot(manifest_of(tmp_path), CagePolicy()).build())
    assert fault is not None
    assert fault.verdict is Verdict.UNBUILT
    assert "the compiler complains" in fault.reason
    (tmp_path / "Makefile").write_text("agent:\n\ttrue\n")
    fault = finished(FolderBot(manifest_of(tmp_path), CagePolicy()).build())
    assert fault is not None
    assert "there is no program './agent'" in fault.reason


def test_a_bot_that_is_named_wrongly_is_explained() -> None:
    book = load("hive")
    for spec, complaint in {
        "hosue:x": "unknown kind of bot 'hosue': did you mean 'house:…'",
        "house:nobody": "unknown house bot of hive 'nobody'",
        "house:": "names no bot: write house:NAME",
        "py:nothing.py": "no file 'nothing.py'",
        "cmd:'unclosed": "cannot be read",
        "dir:/nowhere": "no file or folder '/nowhere'",
        "listen:port": "'port' is not a port",
    }.items():
        with pytest.raises((YardError, UnknownName), match=re.escape(complaint)):
            read_bot_spec(spec, book)


class WatchedConnection(Connection):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport


def test_a_connection_that_runs_ahead_is_held_up_and_one_that_does_not_read_is_left_behind() -> None:
    async def flooded() -> None:
        connection = WatchedConnection()
        server = await asyncio.get_running_loop().create_server(lambda: connection, "127.0.0.1", 0)
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(bytes(2**20))
        await until(lambda: connection.flooded)
        assert not connection.transport.is_reading()
        while not connection.transport.is_reading():
            await soon(connection.receive())
        for _ in range(100):
            connection.send(bytes(2**16))  # which nobody reads
        assert connection.transport.get_write_buffer_size()
        await soon(connection.close())
        writer.close()
        server.close()

    finished(flooded())
