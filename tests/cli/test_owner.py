"""Whom a site is served by that root starts: children of ours try it, because there is no way back to root."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from botyard.cli import owner
from botyard.cli.owner import become_owner, leave_root, site_user
from botyard.jail.warden import bots_have_users
from botyard.kernel.errors import YardError
from tests.waiting import in_time

NOBODY = 65534


@pytest.fixture
def above(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that every user can reach, unlike those of pytest; so can they the interpreter, for these tests."""
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    monkeypatch.setattr(sys, "executable", "/bin/sh")
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def in_child(doing: Callable[[], Any]) -> Any:
    """What something comes to that a child of ours does, or the words in which it is refused."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            told: Any = doing()
        except YardError as error:
            told = str(error)
        except BaseException as error:
            told = repr(error)
        os.write(writing, pickle.dumps(told))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = in_time(pipe.read)
    in_time(lambda: os.waitpid(child, 0))
    return pickle.loads(told)


def served_by(folder: Path) -> Any:
    def serve() -> Any:
        leave_root(folder)
        return *os.getresuid(), bots_have_users(), os.environ["HOME"], os.access(folder, os.W_OK)

    return in_child(serve)


def test_a_folder_of_root_or_a_new_one_is_given_to_the_sites_user(above: Path) -> None:
    new, old = above / "new", above / "old"
    user = site_user(new)
    assert user.number > 0
    (old / "blobs").mkdir(parents=True)
    (old / "yard.db").write_text("a site that root has served")
    (old / "blobs" / "link").symlink_to("/etc/passwd")
    for folder in (new, old):
        assert served_by(folder)[:4] == (*[user.number] * 3, True)
        assert {path.lstat().st_uid for path in (folder, *folder.rglob("*"))} == {user.number}
    assert Path("/etc/passwd").stat().st_uid == 0, "no link is followed"


def test_a_folder_of_somebody_is_served_by_its_owner_who_keeps_a_cache_in_it(above: Path) -> None:
    (folder := above / "yard").mkdir()
    os.chown(folder, NOBODY, NOBODY)
    assert served_by(folder) == (NOBODY, NOBODY, NOBODY, True, str(folder), True)
    assert in_child(lambda: (become_owner(folder), os.getuid(), bots_have_users())) == (True, NOBODY, False)


def test_what_speaks_against_it_is_told_before_anything_is_changed(
    above: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (above / "something").touch()
    assert "holds other things than a site" in served_by(above)
    assert above.stat().st_uid == 0
    (shared := above / "shared").mkdir()
    shared.chmod(0o777)
    assert "others than root can write" in served_by(shared)
    (folder := above / "yard").mkdir()
    os.chown(folder, NOBODY, NOBODY)
    monkeypatch.setattr(owner, "run_by_root", lambda: {folder})
    assert "can change" in served_by(folder)
    monkeypatch.setattr(sys, "executable", str(tmp_path))
    assert "cannot run this Botyard" in served_by(folder)


def test_root_serves_its_own_folder_where_no_other_user_could_and_says_why(
    above: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    folder, why, user = in_child(lambda: (*leave_root(tmp_path / "yard"), os.getuid()))
    assert (folder, user) == (tmp_path / "yard", 0)
    assert "cannot reach" in why
    monkeypatch.setattr(sys, "executable", str(tmp_path))
    assert "cannot run this Botyard" in in_child(lambda: leave_root(above / "yard").kept)


def test_root_serves_its_own_folder_if_it_says_so(above: Path) -> None:
    assert in_child(lambda: (leave_root(above, stays=True).folder, os.getuid())) == (above, 0)
    (folder := above / "yard").mkdir()
    os.chown(folder, NOBODY, NOBODY)
    assert "belongs to" in in_child(lambda: leave_root(folder, stays=True))
