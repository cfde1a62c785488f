"""A start that fails half way leaves nothing: no descriptor, no control group, no held user, no file."""

from __future__ import annotations

import errno
import os
import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from botyard.jail import bot_cache
from botyard.jail.fork_server import ForkServer, NoForkServer
from botyard.jail.launch import Launch
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.jail.program import Program
from botyard.jail.script import Script
from botyard.jail.uids import can_change_user
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.blame import is_ours
from tests.hostile.aftermath import nothing_left
from tests.waiting import finished

MOST = 60  # descriptors one start takes
Patch = pytest.MonkeyPatch


@pytest.fixture(params=[Level.CAGED, Level.LIMITED, Level.OPEN])
def launch(request: pytest.FixtureRequest, tmp_path: Path) -> Launch:
    """Of a `dir:` bot whose user has no copy yet."""
    if trouble := obstacle(request.param):
        pytest.skip(trouble)
    (kept := tmp_path / "bot").mkdir()
    (kept / "file").touch()
    place = Path("/bot") if request.param is Level.CAGED else kept
    return Launch(("true",), place, request.param, shows={place: kept}, copy=kept)


async def started_and_stopped(launch: Launch) -> Fault | None:
    program = await Program.start(launch, piped=True)
    if isinstance(program, Fault):
        return program
    await program.stop()
    return None


def let_fail(patch: Patch, at: int) -> None:
    """Of all descriptors that are asked for or sent, one is refused."""
    asked = iter(range(10**6))

    def counted(make: Callable[..., Any], refused: Callable[..., Any]) -> Callable[..., Any]:
        def make_or_refuse(*given: Any, **named: Any) -> Any:
            return (refused if next(asked) == at else make)(*given, **named)

        return make_or_refuse

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    def lose(*given: Any) -> tuple[Any, ...]:
        told, descriptors, *rest = receive(*given)
        for descriptor in descriptors:
            os.close(descriptor)
        return told, [], *rest

    for name in ("pipe", "dup", "memfd_create"):
        patch.setattr(os, name, counted(getattr(os, name), refuse))
    receive = socket.recv_fds
    patch.setattr(socket, "recv_fds", counted(receive, lose))


def trouble_of(launch: Launch, patch: Patch, at: int) -> BaseException | Fault | None:
    let_fail(patch, at)
    try:
        return finished(started_and_stopped(launch))
    except (OSError, ValueError, RuntimeError) as error:
        return error


def test_whichever_descriptor_cannot_be_had_it_is_ours_and_nothing_is_left(launch: Launch, monkeypatch: Patch) -> None:
    finished(started_and_stopped(launch))  # what is looked up once has been
    with nothing_left():
        for at in range(MOST):
            with monkeypatch.context() as patch:
                trouble = trouble_of(launch, patch, at)
            if isinstance(trouble, Fault):
                assert trouble.verdict is Verdict.HOUSE, trouble
            else:
                assert trouble is None or is_ours(trouble), trouble


def test_a_disk_that_is_full_while_a_copy_is_made_leaves_nothing(launch: Launch, monkeypatch: Patch) -> None:
    if launch.level is Level.OPEN or not can_change_user():
        pytest.skip("no copy is made")

    def no_room(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(bot_cache, "copy_bot", no_room)
    with nothing_left(), pytest.raises(OSError, match="No space left"):
        finished(started_and_stopped(launch))
    assert launch.copy is not None
    assert [path.name for path in launch.copy.parent.iterdir()] == ["bot"]


def test_copies_are_made_and_given_away_while_other_games_go_on(launch: Launch, monkeypatch: Patch) -> None:
    if launch.level is Level.OPEN or not can_change_user():
        pytest.skip("no copy is made")
    copying: list[threading.Thread] = []
    walk = bot_cache.all_in

    def noted(folder: Path) -> Any:
        copying.append(threading.current_thread())
        return walk(folder)

    monkeypatch.setattr(bot_cache, "all_in", noted)
    assert finished(started_and_stopped(replace(launch, owns=launch.copy))) is None
    assert len(copying) == 2
    assert threading.main_thread() not in copying


def test_a_copy_that_somebody_else_made_meanwhile_is_taken(tmp_path: Path) -> None:
    (copy := tmp_path / "bot").mkdir()
    (own := tmp_path / "for-7").mkdir()
    (own / "file").touch()
    bot_cache.make_copy(copy, own, lambda folder: None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bot", "for-7"]


def test_a_fork_server_that_is_not_there_leaves_nothing(launch: Launch) -> None:
    async def start() -> None:
        with pytest.raises(NoForkServer, match="no program"):
            await ForkServer.start(launch, Script("python-that-is-nowhere", (), "bot.py"))

    with nothing_left():
        finished(start())
