"""What a bot consists of, and its fingerprint; some folders mean harm."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from botyard.jail import bot_copies, bot_files
from botyard.jail.bot_copies import copy_bot, public_files
from botyard.jail.bot_files import files_of, fingerprint, read_text
from botyard.kernel.errors import YardError
from tests.jail.drawing import drawn

BOT = "--- main.py\nprint('up')\n--- maps/one.txt\n...\n"


def paths(bot: Path) -> list[str]:
    return [str(file.path) for file in files_of(bot)]


def test_equal_bots_have_equal_fingerprints_wherever_they_lie(tmp_path: Path) -> None:
    assert fingerprint(drawn(tmp_path / "a", BOT)) == fingerprint(drawn(tmp_path / "b", BOT))


@pytest.mark.parametrize(
    "change",
    [
        "--- main.py\nprint('down')\n",
        "--- maps/one.txt\n....\n",
        "--- new.txt\n",
        "--- main.py*\nprint('up')\n",
    ],
)
def test_every_change_changes_the_fingerprint(tmp_path: Path, change: str) -> None:
    before = fingerprint(drawn(tmp_path / "a", BOT))
    assert fingerprint(drawn(tmp_path / "a", change)) != before


def test_a_renamed_file_and_a_moved_boundary_change_the_fingerprint(tmp_path: Path) -> None:
    one = fingerprint(drawn(tmp_path / "a", "--- ab\nc"))
    assert (
        len({one, fingerprint(drawn(tmp_path / "b", "--- a\nbc")), fingerprint(drawn(tmp_path / "c", "--- abc\n"))})
        == 3
    )


def test_a_single_file_is_known_by_itself_alone(tmp_path: Path) -> None:
    drawn(tmp_path, BOT)
    before = fingerprint(tmp_path / "main.py")
    drawn(tmp_path, "--- other.py\n")
    assert fingerprint(tmp_path / "main.py") == before
    assert paths(tmp_path / "main.py") == ["main.py"]


def test_caches_and_histories_are_no_part_of_a_bot(tmp_path: Path) -> None:
    folder = drawn(tmp_path, BOT + "--- .git/HEAD\nx\n--- __pycache__/main.pyc\nx\n--- .venv/bin/python\nx\n")
    assert paths(folder) == ["main.py", "maps/one.txt"]


def test_links_pipes_and_devices_are_passed_over(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "bot", BOT + "--- passwd -> /etc/passwd\n--- everything -> /\n--- self -> .\n")
    os.mkfifo(folder / "pipe")
    assert paths(folder) == ["main.py", "maps/one.txt"]
    assert fingerprint(folder) == fingerprint(drawn(tmp_path / "plain", BOT))


def test_a_link_is_never_read_not_even_as_a_step_of_the_way(tmp_path: Path) -> None:
    drawn(tmp_path, "--- secret/key\nhush\n--- bot/way -> ../secret\n--- bot/key -> ../secret/key\n")
    for inside in ("key", "way/key", "../secret/key/x"):
        with pytest.raises(YardError, match="cannot read"):
            read_text(tmp_path / "bot", inside)


def test_a_copy_has_the_modes_of_what_it_is_a_copy_of(tmp_path: Path) -> None:
    """And no bit more: what is set for whoever runs it, or for files yet to be made, is nothing of ours."""
    bot = drawn(tmp_path / "bot", BOT)
    modes = {"main.py": 0o4750, "maps": 0o2710, "maps/one.txt": 0o600}
    for name, mode in modes.items():
        (bot / name).chmod(mode)
    copy_bot(bot, tmp_path / "copy")
    assert {name: (tmp_path / "copy" / name).stat().st_mode & 0o7777 for name in modes} == {
        name: mode & 0o777 for name, mode in modes.items()
    }


def test_a_folder_too_large_to_be_a_bot_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = drawn(tmp_path, BOT)
    with monkeypatch.context() as limits:
        limits.setattr(bot_files, "FILES_MAX", 1)
        with pytest.raises(YardError, match="has more than 1 files"):
            files_of(folder)
    with (folder / "sparse").open("wb") as file:
        file.truncate(bot_files.BYTES_MAX)  # huge, and nothing on the disk
    with pytest.raises(YardError, match="is larger than 256 MiB"):
        fingerprint(folder)


def test_a_folder_too_deep_to_be_a_bot_is_refused(tmp_path: Path) -> None:
    drawn(tmp_path, f"--- {'d/' * (bot_files.DEPTH_MAX + 1)}main.py\n")
    with pytest.raises(YardError, match="more than 32 levels deep"):
        files_of(tmp_path)


def test_folders_and_links_without_end_are_counted_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = drawn(tmp_path, BOT)
    monkeypatch.setattr(bot_files, "ENTRIES_MAX", 9)
    for number in range(4):
        (folder / f"{number}").mkdir()
        (folder / f"{number}" / "link").symlink_to("nowhere")
    with pytest.raises(YardError, match="more than 9 files, folders and links"):
        files_of(folder)


def test_a_file_that_becomes_a_folder_meanwhile_cannot_be_read(tmp_path: Path) -> None:
    folder = drawn(tmp_path, BOT)
    for odd in ("maps", ".", "", "a\0b", "x" * 300):
        with pytest.raises(YardError, match="cannot read"):
            read_text(folder, odd)


def test_a_name_that_is_no_text_is_a_name(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.py")).write_text("")
    assert len(fingerprint(tmp_path)) == 64


def test_what_others_may_not_read_is_a_secret_until_it_is_named(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "bot", "--- main.py\n--- key\n--- open/map\n--- closed/map\n--- closed/below/map\n")
    assert public_files(folder, ()) is None  # nothing is hidden
    (folder / "closed").chmod(0o700)
    (folder / "key").chmod(0o640)
    public = public_files(folder, [folder / "closed" / "below" / "map"])
    assert public is not None
    assert sorted(map(str, public)) == ["closed/below/map", "main.py", "open/map"]


def test_a_folder_with_more_files_than_anybody_looks_through_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = drawn(tmp_path, "--- deep/a\n--- deep/b\n--- deep/c\n")
    monkeypatch.setattr(bot_copies, "LOOKED_AT", 4)
    assert public_files(folder, ()) is None
    monkeypatch.setattr(bot_copies, "LOOKED_AT", 3)
    with pytest.raises(YardError, match="more than 3 files"):
        public_files(folder, ())
