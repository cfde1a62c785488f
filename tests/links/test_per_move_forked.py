"""Bots of a process per move that are run from a warm interpreter, and those that cannot be."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tracemalloc
from pathlib import Path

import pytest

from botyard.jail import fork_server
from botyard.jail.launch import Launch
from botyard.jail.limits import Level
from botyard.jail.script import Script
from botyard.jail.toolchains import INTERPRETER
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.cage_policy import CagePolicy, CommandBot
from botyard.links.per_move import ForkingStarter, MoveStarter, starter_of
from tests.conftest import need
from tests.links.duel import FIRST, NOP, WALKER, answers, bot, duel, silent_at_first, verdicts, words
from tests.links.yard import children
from tests.waiting import finished, soon, until

pytestmark = pytest.mark.usefixtures("nothing_is_left")


def warm_runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes the files that are run from a warm interpreter."""
    files: list[str] = []
    start = fork_server.ForkServer.start.__func__  # type: ignore[attr-defined]

    async def noted(cls: type[fork_server.ForkServer], launch: Launch, script: Script) -> fork_server.ForkServer:
        files.append(Path(script.file).name)
        return await start(cls, launch, script)  # type: ignore[no-any-return]

    monkeypatch.setattr(fork_server.ForkServer, "start", classmethod(noted))
    return files


def test_a_folder_with_a_python_bot_is_warm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = warm_runs(monkeypatch)
    (tmp_path / "main.py").write_text("import plan\nprint(plan.MOVE)\n")
    (tmp_path / "plan.py").write_text("MOVE = 'E'\n")
    assert answers(duel(f"dir:{tmp_path}", NOP, rounds=2)) == ["E\n"] * 2
    assert files == ["main.py"]


def test_a_timed_out_move_takes_its_interpreter_along_and_the_next_has_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = warm_runs(monkeypatch)
    spec = bot(tmp_path, silent_at_first("time.sleep(600)"))
    played = duel(spec, WALKER, rounds=3, move_timeout_ms=4000)
    assert verdicts(played) == [Verdict.SILENT, Verdict.OK, Verdict.OK]
    assert files == ["mybot.py"] * 2


async def one_move(starter: MoveStarter) -> bytes:
    move = await starter.begin(FIRST.encode())
    assert not isinstance(move, Fault)
    output = b""
    while chunk := await soon(move.receive()):
        output += chunk
    assert await move.judge() is None
    await starter.end()
    return output


def test_an_interpreter_that_dies_between_two_moves_is_replaced(tmp_path: Path) -> None:
    async def main() -> None:
        (tmp_path / "mybot.py").write_text("print('S')")
        command = CommandBot([str(INTERPRETER), str(tmp_path / "mybot.py")], CagePolicy(Level.OPEN))
        starter = starter_of(command.launch, pytest.fail)
        try:
            assert await one_move(starter) == b"S\n"
            for pid in children():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            assert isinstance(starter, ForkingStarter)
            assert starter._fork_server
            interpreter = starter._fork_server
            await until(lambda: not interpreter.ready)  # it is noticed
            assert await one_move(starter) == b"S\n"
        finally:
            await starter.stop()

    finished(main())


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_bot_that_is_stopped_in_the_middle_of_its_moves_keeps_none_of_our_files_open(tmp_path: Path) -> None:
    stops = 10

    async def main() -> None:
        (tmp_path / "mybot.py").write_text("import time\ntime.sleep(600)")
        command = CommandBot([str(INTERPRETER), str(tmp_path / "mybot.py")], CagePolicy(Level.OPEN))
        starter = starter_of(command.launch, pytest.fail)
        before = open_files()
        for _ in range(stops):
            assert not isinstance(await starter.begin(b"arena"), Fault)
            await starter.stop()
        await until(lambda: open_files() < before + stops)

    finished(main())


@pytest.mark.parametrize("level", [Level.CAGED, Level.LIMITED, Level.OPEN])
def test_every_level_is_warm(tmp_path: Path, level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    files = warm_runs(monkeypatch)
    tmp_path.chmod(0o755)
    for parent in list(tmp_path.parents)[:-2]:
        parent.chmod(parent.stat().st_mode | 0o055)
    played = duel(bot(tmp_path, "print('W')", python=need("/usr/bin/python3")), NOP, rounds=2, level=level)
    assert answers(played) == ["W\n"] * 2
    assert files == ["mybot.py"]
    assert played.seats[0].level == level


def test_a_bot_that_brings_a_module_of_the_standard_librarys_name_is_started_afresh(tmp_path: Path) -> None:
    (tmp_path / "colorsys.py").write_text("def choice(moves): return 'E'\n")
    told: list[str] = []
    played = duel(bot(tmp_path, "import colorsys\nprint(colorsys.choice('N'))"), NOP, rounds=2, notice=told.append)
    assert answers(played) == ["E\n"] * 2
    [text] = told
    assert "every move starts a new interpreter" in text
    assert "named like the standard module colorsys" in text


def test_without_namespaces_every_move_is_started_afresh_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fork_server, "DIVIDING", ())  # as on a machine that refuses further namespaces
    told: list[str] = []
    played = duel(bot(tmp_path, "print('E')"), NOP, rounds=2, notice=told.append)
    assert answers(played) == ["E\n"] * 2
    assert len(told) == 1
    assert "Operation not permitted" in told[0]


def test_the_runners_memory_stays_flat(tmp_path: Path) -> None:
    spec = bot(tmp_path, "import sys\nsys.stderr.write('x' * 20000)\nprint('NO' + ' ' * 30000)")
    duel(spec, NOP, rounds=5)
    peaks = []
    for rounds in (120, 240):  # what is kept of a bot's words is full after about 100
        tracemalloc.start()
        duel(spec, NOP, rounds=rounds)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 120 * 5000  # the bot wrote 120 * 50,000 bytes more


def test_programs_walk_like_the_house_bots_that_do_what_they_do(tmp_path: Path) -> None:
    source = """
        import sys
        lines = sys.argv[1].split("\\n")
        at = {sign: (line.index(sign), y) for y, line in enumerate(lines[:10]) for sign in "XY" if sign in line}
        dx, dy = at["X"][0] - at["Y"][0], at["X"][1] - at["Y"][1]
        near = max(abs(dx), abs(dy)) <= 1
        print("P" if near else ("N" if dy < 0 else "S" if dy > 0 else "") + ("W" if dx < 0 else "E" if dx > 0 else ""))
    """
    ours = duel("house:hugger", NOP, rounds=40).replay
    theirs = duel(bot(tmp_path, source), NOP, rounds=40).replay
    assert theirs.ticks == ours.ticks
    assert len(ours.ticks) > 10


def test_the_interpreter_that_runs_the_tests_is_no_part_of_a_bots_world(tmp_path: Path) -> None:
    spec = bot(tmp_path, "import sys\nprint(sorted(sys.modules), file=sys.stderr)\nprint('NO')")
    [said] = words(duel(spec, NOP, rounds=1))
    assert "botyard" not in said
    assert "numpy" in sys.modules
    assert "numpy" not in said
