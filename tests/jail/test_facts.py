"""Facts about processes and pipes that were measured once, each a trap somebody fell into: none of them catches us."""

from __future__ import annotations

import shlex
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from botyard.games import load
from botyard.jail.inbox import UNREAD_LIMIT
from botyard.jail.launch import Launch
from botyard.jail.limits import Level
from botyard.jail.program import Program
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.clock import Clock
from tests.conftest import need
from tests.hostile.aftermath import nothing_left
from tests.hostile.test_hostile import SETTINGS, need_level, play_once_before
from tests.links.matches import play_match, rival_of
from tests.links.yard import LateClock, children, is_alive
from tests.waiting import finished, soon, until

LEVELS = [Level.CAGED, Level.OPEN]


def with_program(folder: Path, level: Level, code: str, use: Callable[[Program], Awaitable[None]]) -> None:
    """Starts a program, does something with it, and looks what is left."""
    need_level(level)
    (folder / "bot.py").write_text(f"import os, signal, sys, time\n{code}")
    folder.chmod(0o755)  # the bot is somebody else

    async def main() -> None:
        shows = {folder: folder} if level is Level.CAGED else {}
        program = await Program.start(
            Launch((sys.executable, "bot.py"), folder, level, shows=shows, callers=True), piped=True
        )
        assert not isinstance(program, Fault), program
        try:
            await use(program)
        finally:
            await program.stop()

    with nothing_left():
        finished(main())


async def line_of(program: Program) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        chunk = await soon(program.inbox.receive())
        assert chunk, program.ending()
        line += chunk
    return line


def start(folder: Path, *words: str) -> Fault:
    async def main() -> Fault:
        launch = Launch((sys.executable, *words), folder, Level.CAGED, shows={folder: folder}, callers=True)
        fault = await Program.start(launch, piped=True)
        assert isinstance(fault, Fault)
        return fault

    with nothing_left():
        return finished(main())


def test_a_cage_that_cannot_be_started_is_no_fault_of_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # somebody has taken bubblewrap away
    fault = start(tmp_path, "bot.py")
    assert (fault.verdict, fault.reason) == (
        Verdict.HOUSE,
        "the caged cell cannot be started: No such file or directory",
    )


def test_a_command_longer_than_the_system_takes_is_the_bots_own_fault(tmp_path: Path) -> None:
    need("bwrap")
    fault = start(tmp_path, "x" * 200_000)
    assert fault.verdict is Verdict.UNBUILT
    assert fault.reason.endswith("cannot be started: Argument list too long")


@pytest.mark.parametrize("level", LEVELS)
def test_a_grandchild_in_its_own_session_survives_the_killing_of_a_group_but_not_ours(
    tmp_path: Path, level: Level
) -> None:
    runaway = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("away", flush=True)
        time.sleep(600)
    os._exit(0)
time.sleep(600)
"""

    async def use(program: Program) -> None:
        assert await line_of(program) == b"away\n"

    with_program(tmp_path, level, runaway, use)


@pytest.mark.parametrize("level", LEVELS)
def test_the_end_of_a_program_is_noticed_though_its_grandchild_holds_the_pipe(tmp_path: Path, level: Level) -> None:
    async def use(program: Program) -> None:
        began = time.monotonic()
        assert await line_of(program) == b"last words\n"
        assert await program.inbox.receive() == b""
        assert await program.ended() == 3
        assert time.monotonic() - began < 30  # the grandchild sleeps for ten minutes

    code = "if os.fork() == 0: time.sleep(600)\nprint('last words', flush=True); os._exit(3)"
    with_program(tmp_path, level, code, use)


@pytest.mark.parametrize("level", LEVELS)
def test_a_program_that_never_reads_does_not_stop_us(tmp_path: Path, level: Level) -> None:
    async def use(program: Program) -> None:
        for _ in range(1000):
            program.send(b"x" * 65536)  # a pipe takes exactly one of these
        assert await line_of(program) == b"ready\n"
        for _ in range(1000):
            program.send(b"x" * 65536)

    with_program(tmp_path, level, "print('ready', flush=True); time.sleep(600)", use)


@pytest.mark.parametrize("level", LEVELS)
def test_a_program_that_closes_its_input_cannot_be_asked_any_more(tmp_path: Path, level: Level) -> None:
    async def use(program: Program) -> None:
        assert await line_of(program) == b"closing\n"
        await until(lambda: program.deaf)
        assert await soon(program.inbox.receive()) == b""
        assert program.running

    with_program(tmp_path, level, "print('closing', flush=True); os.close(0); time.sleep(600)", use)


@pytest.mark.parametrize("level", LEVELS)
def test_a_program_does_not_stop_itself_by_printing_what_nobody_wants(tmp_path: Path, level: Level) -> None:
    async def use(program: Program) -> None:
        assert await line_of(program) == b"done\n"
        assert "bytes dropped" in program.said()

    with_program(tmp_path, level, "os.write(2, b'x' * 1_000_000); print('done', flush=True); time.sleep(600)", use)


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_program_wrote_before_its_end_is_heard_to_the_last_byte(tmp_path: Path, level: Level) -> None:
    """Reading pauses while a program is ahead of us; what then lies in the pipe when it ends is not lost."""

    async def use(program: Program) -> None:
        await program.ended()
        heard = b""
        while chunk := await program.inbox.receive():
            heard += chunk
        assert len(heard) == 3 * UNREAD_LIMIT
        assert program.said() == "bye"

    # The pipe is widened so that all of it fits, however little of it we read.
    widened = "import fcntl; fcntl.fcntl(1, 1031, 1 << 20)"
    code = f"{widened}\nos.write(1, b'x' * {3 * UNREAD_LIMIT}); os.write(2, b'bye')"
    with_program(tmp_path, level, code, use)


def test_killing_bubblewrap_kills_all_inside(tmp_path: Path) -> None:
    async def use(program: Program) -> None:
        assert await line_of(program) == b"away\n"
        [outer] = [pid for pid in children() if "bwrap" in Path(f"/proc/{pid}/cmdline").read_text()[:40]][:1]
        inside = children(outer)
        assert len(inside) >= 3
        signal.pidfd_send_signal(program._pidfd, signal.SIGKILL)
        await program.ended()
        await program.cell.leave()
        assert not [pid for pid in inside if is_alive(pid)]

    with_program(
        tmp_path, Level.CAGED, "if os.fork() == 0: os.setsid(); print('away', flush=True)\ntime.sleep(600)", use
    )


def hackman(folder: Path, body: str, clock: Clock | None = None, **settings: int) -> list[tuple[Verdict, str]]:
    """The turns of a bot of Hack-man: verdict and order; it is asked by lines that hold `action`."""
    need("bwrap")
    play_once_before("hackman")
    code = f"import sys, time\nasked = (line for line in sys.stdin if 'action' in line)\n{body}"
    (folder / "bot.py").write_text(code)
    book = load("hackman")
    chosen = book.settings.read({**SETTINGS["hackman"], "max_timeouts": 3, **settings})
    bot = f"cmd:{shlex.quote(sys.executable)} -B {shlex.quote(str(folder / 'bot.py'))}"
    with nothing_left():
        played = finished(play_match("hackman", [bot, rival_of("hackman")], chosen, clock=clock))
    orders = book.facts.orders
    own = [turn for turn in played.turns if turn.seat == 0]
    return [(turn.verdict, "" if turn.order is None else orders[turn.order]) for turn in own]


def test_a_line_too_long_is_one_bad_answer_and_the_next_line_answers_its_own_question(tmp_path: Path) -> None:
    turns = hackman(
        tmp_path,
        """
for at, _ in enumerate(asked):
    print("x" * 50_000 if at == 1 else ("pass", "up")[at % 2], flush=True)
""",
    )
    assert turns[1] == (Verdict.GARBLED, "")
    assert [order for _, order in turns] == ["pass", "", "pass", "up", "pass", "up", "pass", "up"]


def test_a_late_answer_is_never_the_next_ones(tmp_path: Path) -> None:
    """Waiting for a line with a time-out gives every question the answer to the one before."""
    turns = hackman(
        tmp_path,
        """
for at, _ in enumerate(asked):
    if at == 1:
        time.sleep(4)
    print("up" if at == 1 else "pass", flush=True)
""",
        LateClock(),
        timebank_ms=3000,
        time_per_move_ms=3000,
    )
    assert turns[1] == (Verdict.LATE, "")
    assert {*turns[:1], *turns[2:]} == {(Verdict.OK, "pass")}


def test_a_flood_without_a_line_end_fills_no_memory(tmp_path: Path) -> None:
    turns = hackman(tmp_path, "next(asked)\nwhile True: sys.stdout.write('x' * 1_000_000)")
    assert {verdict for verdict, _ in turns} == {Verdict.FLOODED}
