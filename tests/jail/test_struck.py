"""Cells that somebody outside ends: our fault, and never the bot's. Who ends its own cell has crashed."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from botyard.jail import bot_cache, building
from botyard.jail.building import built_folder
from botyard.jail.fork_server import ForkServer
from botyard.jail.launch import Launch
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.jail.manifest import manifest_of
from botyard.jail.program import Program
from botyard.jail.script import script_of
from botyard.jail.spawner import spawner
from botyard.jail.trial import try_cage
from botyard.kernel.verdict import Fault, Verdict
from tests.conftest import need
from tests.jail.moves import PYTHON
from tests.links.yard import children, is_alive
from tests.waiting import finished, soon, until

PLAYS = "echo here; read line; sleep 600 & setsid sleep 600"


@pytest.fixture(autouse=True)
def cages() -> None:
    need("bwrap")
    if trouble := obstacle(Level.CAGED):
        pytest.skip(trouble)


def launch(script: str, level: Level = Level.CAGED) -> Launch:
    return Launch(("/bin/sh", "-c", script), Path("/tmp"), level, callers=True)


async def started(launch: Launch) -> Program:
    program = await Program.start(launch, piped=True)
    assert isinstance(program, Program), program
    return program


def first_inside(program: Program) -> int:
    """The first process of the namespaces: bubblewrap's own child."""
    told = Path(f"/proc/{program._process.pid}/task/{program._process.pid}/children").read_text()
    return int(told.split()[0])


STRUCK: dict[str, tuple[Level, Callable[[Program], int]]] = {
    "bubblewrap": (Level.CAGED, lambda program: program._process.pid),
    "the first process inside": (Level.CAGED, first_inside),
    "the spawner": (Level.CAGED, lambda program: spawner().pid),
    "a supervisor": (Level.LIMITED, lambda program: program._process.pid),
    "the spawner of a supervisor": (Level.LIMITED, lambda program: spawner().pid),
    "the spawner of a trusted bot": (Level.OPEN, lambda program: spawner().pid),
}


@pytest.mark.parametrize("who", STRUCK)
def test_a_cell_that_is_ended_from_outside_is_our_fault_and_leaves_nobody(who: str) -> None:
    level, victim = STRUCK[who]
    if os.geteuid() != 0 and who in ("the first process inside", "a supervisor", "the spawner of a supervisor"):
        pytest.skip("only where a bot is a user of its own it is certain that it was not the bot")

    async def strike() -> Fault:
        program = await started(launch(PLAYS, level))
        assert await program.inbox.receive() == b"here\n"
        family = [program._process.pid, *children(program._process.pid)]
        os.kill(victim(program), signal.SIGKILL)
        await program.ended()
        fault = program.judge()
        await program.stop()
        await until(lambda: not any(is_alive(pid) for pid in family))
        return fault

    fault = finished(strike())
    assert fault.verdict is Verdict.HOUSE
    assert "ended from outside (killed by SIGKILL)" in fault.reason


def test_where_a_bot_is_no_user_of_its_own_it_may_have_ended_its_cell_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or whoever loses would kill the first process inside, and have the game played again."""
    monkeypatch.setattr("botyard.jail.cage.can_change_user", lambda: False)

    async def strike() -> Fault:
        program = await started(launch(PLAYS))
        assert await program.inbox.receive() == b"here\n"
        os.kill(first_inside(program), signal.SIGKILL)
        await program.ended()
        fault = program.judge()
        await program.stop()
        return fault

    assert finished(strike()).verdict is Verdict.CRASHED


ENDS_ITSELF = [
    "kill -9 $$",
    "kill -9 1; kill -9 -1; exit 3",
    "for name in TERM INT QUIT SEGV ABRT STOP KILL; do kill -$name 1; done; kill -9 $$",
    "prlimit --pid 1 --cpu=1:1; prlimit --pid 1 --nproc=0; echo 1000 > /proc/1/oom_score_adj; kill -9 $$",
    "sleep 600 & setsid sleep 600 & kill -9 $$",
    "exit 137",
]


def test_a_bot_cannot_end_its_cell_so_that_it_looks_like_us() -> None:
    async def end(script: str) -> str:
        program = await started(launch(script))
        await program.ended()
        fault = program.judge()
        await program.stop()
        return str(fault.verdict)

    async def all_of_them() -> list[str]:
        return await asyncio.gather(*(end(script) for script in ENDS_ITSELF * 2))

    assert finished(all_of_them()) == ["CRASHED"] * 2 * len(ENDS_ITSELF)


def test_a_build_that_is_ended_from_outside_is_no_fault_of_the_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("make")
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "Makefile").write_text("agent:\n\tsleep 600\n")
    monkeypatch.setattr(bot_cache, "usable_home", lambda: tmp_path)
    monkeypatch.setattr(building, "Program", Struck)
    fault = finished(built_folder(manifest_of(tmp_path / "bot"), Level.CAGED))
    assert isinstance(fault, Fault)
    assert fault.verdict is Verdict.HOUSE
    assert [path.name for path in (tmp_path / "bots").iterdir()] == []


def test_a_trial_that_is_ended_from_outside_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    Struck.spared = 0
    monkeypatch.setattr("botyard.jail.trial.Program", Struck)
    assert finished(try_cage(launch("true"))) is None
    assert Struck.spared == 2  # an empty cage, and the bot's own once more


def test_where_no_cage_can_be_made_at_all_no_bot_is_to_blame(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(launch: Launch) -> Fault | None:
        return Fault(Verdict.HOUSE, "no namespaces")

    monkeypatch.setattr("botyard.jail.trial.trouble_of", refused)
    assert finished(try_cage(launch("true"))) == Fault(Verdict.HOUSE, "no namespaces")


def test_words_that_no_program_can_be_given_are_the_fault_of_who_brings_them() -> None:
    fault = finished(try_cage(launch("true " + "x" * 200_000)))
    assert fault is not None
    assert fault.verdict is Verdict.UNBUILT
    assert fault.reason.startswith("it cannot be caged: ")


class Struck:
    """Starts programs, of which somebody ends the first: one that would go on, and so cannot have ended by itself."""

    spared = 0
    struck = False

    @classmethod
    async def start(cls, launch: Launch, **options: Any) -> Program | Fault:
        program = await Program.start(launch if cls.struck else replace(launch, command=("sleep", "600")), **options)
        assert isinstance(program, Program)
        if cls.struck:
            cls.spared += 1
        else:
            os.kill(program._process.pid, signal.SIGKILL)
            cls.struck = True
        return program

    @classmethod
    def forget(cls) -> None:
        cls.spared, cls.struck = 0, False


@pytest.fixture(autouse=True)
def nobody_was_struck() -> None:
    Struck.forget()


def test_a_fork_server_that_is_killed_from_outside_is_our_fault(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import time\nprint('begun', flush=True)\ntime.sleep(600)\n")
    tmp_path.chmod(0o755)
    own = Launch((PYTHON, "bot.py"), tmp_path, Level.CAGED, shows={tmp_path: tmp_path}, callers=True)

    async def strike() -> Fault | None:
        script = script_of(own)
        assert script is not None
        fork_server = await ForkServer.start(own, script)
        try:
            move = fork_server.begin(b"arena")
            assert await move.receive() == b"begun\n"
            inside = first_inside(fork_server.program)
            [interpreter] = Path(f"/proc/{inside}/task/{inside}/children").read_text().split()
            os.kill(int(interpreter), signal.SIGKILL)
            while await soon(move.receive()):
                pass
            fault = await move.judge()
            move.close()
            return fault
        finally:
            await fork_server.stop()

    fault = finished(strike())
    assert fault is not None
    assert fault.verdict is Verdict.HOUSE, fault
    assert children() == []
