"""The cache under clocks that jump, and beside other users of the machine."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from botyard.jail import bot_cache, uids
from botyard.jail.bot_cache import COPY, KEPT_S, SWEPT_S, cached_copy, give, new_entry, sweep
from botyard.jail.launch import Launch
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.jail.uids import HeldUid
from botyard.kernel.errors import OurFault
from tests.conftest import need
from tests.jail.output import output_of
from tests.waiting import PATIENCE_S, finished

YEAR_S = 365 * 24 * 3600
DEAD = f"{bot_cache.USED}{2**22 + 1}-1"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(bot_cache, "usable_home", lambda: tmp_path)
    return tmp_path / "bots"


def fill(key: str) -> Path:
    with new_entry(Level.CAGED, key) as making:
        making.mkdir()
    copy = cached_copy(Level.CAGED, key)
    assert copy is not None
    return copy


def let_the_clock_jump(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + seconds)


def test_a_jump_of_a_year_takes_nothing_from_who_uses_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used, passing, forgotten = fill("used"), fill(".passing"), fill("forgotten").parent
    for mark in forgotten.glob(f"{bot_cache.USED}*"):
        mark.rename(forgotten / DEAD)  # whoever used it has ended
    with new_entry(Level.CAGED, "new") as making:
        let_the_clock_jump(monkeypatch, YEAR_S)
        sweep(folder)
        assert making.parent.is_dir()
        making.mkdir()
    assert used.is_dir()
    assert passing.is_dir()
    assert not forgotten.exists()
    assert cached_copy(Level.CAGED, "new") is not None


def test_a_process_sweeps_when_it_comes_and_then_at_times(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def leave_something() -> Path:
        left = folder / "left"
        left.mkdir()
        os.utime(left, (time.time() - KEPT_S - 60,) * 2)
        return left

    fill("first")
    left = leave_something()
    fill("second")
    assert left.is_dir()
    now = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: now() + SWEPT_S + 1)
    fill("third")
    assert not left.exists()


def test_what_was_kept_in_the_future_does_not_stay_for_ever(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry, half = fill("entry").parent, folder / ".making-half"
    half.mkdir()
    (entry / next(entry.glob(f"{bot_cache.USED}*")).name).rename(entry / DEAD)
    for path in (entry, half):
        os.utime(path, (time.time() + YEAR_S,) * 2)
    sweep(folder)  # the clock was set back: from now on they age like all others
    assert entry.is_dir()
    let_the_clock_jump(monkeypatch, KEPT_S + 60)
    sweep(folder)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("mark", [DEAD, f"{bot_cache.USED}{os.getpid()}-1"], ids=["its number is free", "or another's"])
def test_marks_of_processes_that_have_ended_go(folder: Path, mark: str) -> None:
    copy = fill("entry")
    (copy.parent / mark).touch()
    cached_copy(Level.CAGED, "entry")
    assert sorted(path.name for path in copy.parent.iterdir())[0] == COPY
    assert not (copy.parent / mark).exists()


def test_nothing_lies_beside_a_copy_but_marks_of_who_uses_it(folder: Path) -> None:
    with new_entry(Level.CAGED, "entry") as making:
        making.mkdir()
        making.with_name("source").mkdir()  # what it was built from may be shut to others
    assert sorted(path.name.partition("-")[0] for path in (folder / "entry").iterdir()) == [COPY, "used"]


def test_a_link_in_place_of_the_cache_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (mine := tmp_path / "mine").mkdir()
    (mine / "old").mkdir()
    os.utime(mine / "old", (1, 1))
    folder.symlink_to(mine)
    with pytest.raises(OurFault, match="does not belong to this user"):
        cached_copy(Level.CAGED, "key")
    assert (mine / "old").is_dir()


def test_a_cache_of_somebody_else_is_not_used(folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    with pytest.raises(OurFault, match="does not belong to this user"):
        cached_copy(Level.CAGED, "key")


def test_who_is_given_a_copy_is_given_nothing_a_link_in_it_leads_to(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    (tmp_path / "ours").touch()
    (copy := tmp_path / "copy").mkdir()
    (copy / "link").symlink_to(tmp_path / "ours")
    give(copy, 65534)
    assert (copy.stat().st_uid, (copy / "link").lstat().st_uid) == (65534, 65534)
    assert (tmp_path / "ours").stat().st_uid == 0


def test_a_cache_where_a_group_may_write_is_not_used(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o770)
    with pytest.raises(OurFault, match="others can write"):
        cached_copy(Level.CAGED, "key")


def test_no_ordinary_user_can_take_the_place_of_the_limited_cache() -> None:
    """In a folder where everybody may write, somebody could be there first, and keep root from holding bots."""
    for parent in (Path("/var/cache"), bot_cache.LIMITED_FOLDER.parent, uids.FOLDER.parent.parent):
        if parent.exists():
            about = parent.stat()
            assert about.st_uid == 0
            assert not about.st_mode & stat.S_IWOTH


@pytest.mark.parametrize("how", ["a link", "somebody else's", "open to all", "a file"])
def test_users_for_bots_are_held_only_in_a_folder_of_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    place = tmp_path / "uids"
    if how == "a link":
        (tmp_path / "elsewhere").mkdir()
        place.symlink_to(tmp_path / "elsewhere")
    elif how == "a file":
        place.touch()
    else:
        place.mkdir()
        place.chmod(0o777 if how == "open to all" else 0o755)
        if how == "somebody else's":
            if os.geteuid() != 0:
                pytest.skip("only root can give a folder away")
            os.chown(place, 65534, 65534)
    monkeypatch.setattr(uids, "FOLDER", place)
    with pytest.raises(OurFault, match=r"does not belong to this user|no user can be reserved"):
        HeldUid()


@pytest.mark.parametrize("what", ["a link", "a pipe", "a folder"])
def test_a_trap_in_place_of_a_lock_is_an_error_and_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(uids, "FOLDER", tmp_path)
    monkeypatch.setattr(uids, "candidates", lambda: iter([7]))
    if what == "a pipe":
        os.mkfifo(tmp_path / "7")
    elif what == "a link":
        (tmp_path / "7").symlink_to(tmp_path / "elsewhere")
    else:
        (tmp_path / "7").mkdir()
    if what == "a pipe":
        held = HeldUid()  # a lock can be had on it as well
        held.let_go()
    else:
        with pytest.raises(OurFault, match="no user can be reserved"):
            HeldUid()
    assert not (tmp_path / "elsewhere").exists()


def test_root_of_a_namespace_without_other_users_starts_programs_as_itself() -> None:
    code = "from botyard.jail.uids import can_change_user; print(can_change_user())"
    told = subprocess.run(
        ["unshare", "-r", sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    if told.returncode:
        pytest.skip(f"no user namespace can be had here: {told.stderr}")
    assert told.stdout == "False\n"


def test_a_cage_that_is_left_gives_its_user_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("bwrap")
    if trouble := obstacle(Level.CAGED):
        pytest.skip(trouble)
    monkeypatch.setattr(uids, "FOLDER", tmp_path)
    monkeypatch.setattr(uids, "candidates", lambda: iter([uids.FIRST]))
    for _ in range(2):
        assert finished(output_of(Launch(("echo", "here"), Path("/tmp"), Level.CAGED))) == "here\n"
