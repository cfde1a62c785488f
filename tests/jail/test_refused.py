"""What the machine refuses while a bot is looked at, copied, built or started is ours, and no fault of the bot."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from botyard.games import load
from botyard.jail import bot_cache, bot_copies, building, installations, uids
from botyard.jail.bot_copies import public_files
from botyard.jail.bot_files import fingerprint, read_text
from botyard.jail.launch import Launch
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.jail.location import locate
from botyard.jail.manifest import manifest_of
from botyard.kernel.errors import MACHINE, OurFault, YardError
from botyard.links.bot_spec import read_bot_spec
from botyard.links.cage_policy import CagePolicy
from botyard.match.blame import is_ours
from tests.waiting import finished

NUMBERS = sorted(MACHINE - {errno.EAGAIN})
Patch = pytest.MonkeyPatch


def refusing(number: int) -> Callable[..., Any]:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return refuse


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: Patch) -> Path:
    monkeypatch.setattr(bot_cache, "usable_home", lambda: tmp_path / "home")
    (folder := tmp_path / "bot").mkdir()
    (folder / "main.py").write_text("#!/usr/bin/env python3\n")
    (folder / "main.py").chmod(0o755)
    return folder


PLACES: dict[str, tuple[Any, str, Callable[[Path], object]]] = {
    "a file is opened": (os, "open", fingerprint),
    "a file is read": (os, "read", lambda bot: read_text(bot, "main.py")),
    "a folder is listed": (os, "scandir", fingerprint),
    "a file is looked at": (os, "stat", fingerprint),
    "a manifest is looked for": (os, "open", manifest_of),
    "it is looked for what others may read": (os, "scandir", lambda bot: public_files(bot, [])),
    "a first line is read": (Path, "open", lambda bot: locate(Launch(("./main.py",), bot, Level.OPEN))),
    "a program is asked what it is": (subprocess, "run", lambda bot: installations.ask("python3")),
    "the cache is swept": (bot_cache, "sweep", lambda bot: bot_cache.cached_copy(Level.CAGED, "key")),
    "a home is looked for": (bot_cache, "usable_home", lambda bot: bot_cache.cached_copy(Level.CAGED, "key")),
    "a copy is begun": (tempfile, "mkdtemp", lambda bot: building.copied_folder(bot, None, Level.CAGED)),
    "a user is looked for": (uids, "check_own", lambda bot: uids.HeldUid()),
    "a user is held": (fcntl, "flock", lambda bot: uids.HeldUid()),
}


@pytest.mark.parametrize("number", NUMBERS, ids=errno.errorcode.get)
@pytest.mark.parametrize("place", PLACES)
def test_it_is_ours_when(bot: Path, tmp_path: Path, monkeypatch: Patch, place: str, number: int) -> None:
    owner, name, what = PLACES[place]
    monkeypatch.setattr(uids, "FOLDER", tmp_path / "uids")
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, refusing(number))
        with pytest.raises(Exception, match=os.strerror(number)) as caught:
            what(bot)
    assert is_ours(caught.value), caught.value


@pytest.mark.parametrize("number", [errno.EACCES, errno.ELOOP, errno.ENAMETOOLONG, errno.EAGAIN])
def test_a_file_that_cannot_be_read_is_its_owners_mistake(bot: Path, monkeypatch: Patch, number: int) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "read", refusing(number))
        with pytest.raises(YardError, match=os.strerror(number)):
            fingerprint(bot)


def test_a_cache_where_nobody_may_write_is_no_fault_of_the_bot(bot: Path, monkeypatch: Patch) -> None:
    if trouble := obstacle(Level.CAGED):
        pytest.skip(trouble)
    entry = read_bot_spec(f"dir:{bot}", load("hackman"), CagePolicy(Level.CAGED))
    monkeypatch.setattr(bot_cache, "sweep", refusing(errno.EACCES))
    with pytest.raises(OurFault, match="BOTYARD_CACHE"):
        finished(entry.build())


@pytest.mark.parametrize("level", [Level.CAGED, Level.OPEN])
def test_a_disk_that_is_full_when_a_build_is_taken_over_is_no_fault_of_the_bot(
    bot: Path, monkeypatch: Patch, level: Level
) -> None:
    if trouble := obstacle(level):
        pytest.skip(trouble)
    (bot / "botyard.toml").write_text('build = "true"\nrun = "./main.py"\n')
    entry = read_bot_spec(f"dir:{bot}", load("hackman"), CagePolicy(level))
    monkeypatch.setattr(building, "unpack", refusing(errno.ENOSPC))
    copy_bot = bot_copies.copy_bot

    def copy_into_work(bot: Path, target: Path) -> None:
        copy_bot(bot, target) if target.name != "built" else refusing(errno.ENOSPC)()

    monkeypatch.setattr(building, "copy_bot", copy_into_work)
    with pytest.raises(OurFault, match="No space left"):
        finished(entry.build())
