"""Bots that come as archives: what is taken out of them, and that nobody can do harm with one."""

from __future__ import annotations

import contextlib
import io
import os
import secrets
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from botyard.jail import packed_bots
from botyard.jail.manifest import manifest_of
from botyard.jail.packed_bots import is_packed, packed_name, unpack, unpacked
from botyard.kernel.errors import UnfitBot, YardError

MAIN = b"print('up')\n"


def zipped(path: Path, *members: tuple[str, bytes], mode: int = 0o100644) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            row = zipfile.ZipInfo(name)
            row.external_attr = mode << 16
            row.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(row, content)
    return path


def tarred(path: Path, *members: tuple[str, bytes], kind: bytes = tarfile.REGTYPE, target: str = "") -> Path:
    mode = "w:gz" if path.name.endswith("gz") else "w"
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, content in members:
            row = tarfile.TarInfo(name)
            row.size, row.type, row.linkname, row.mode = len(content), kind, target, 0o755
            archive.addfile(row, io.BytesIO(content))
    return path


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("name", "pack"), [("bot.zip", zipped), ("bot.tar", tarred), ("bot.tar.gz", tarred), ("bot.TGZ", tarred)]
)
def test_an_archive_is_unpacked(tmp_path: Path, name: str, pack: Callable[..., Path]) -> None:
    archive = pack(tmp_path / name.lower(), ("main.py", MAIN), ("lib/more.py", b"1"))
    unpack(archive, tmp_path / "out")
    assert files_in(tmp_path / "out") == {"main.py": MAIN, "lib/more.py": b"1"}


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_folder_around_everything_is_taken_off_and_litter_left_out(tmp_path: Path, pack: Callable[..., Path]) -> None:
    suffix = ".zip" if pack is zipped else ".tar.gz"
    litter = [("__MACOSX/bot/._main.py", b"x"), ("bot/.DS_Store", b"x")]
    archive = pack(tmp_path / f"a{suffix}", ("bot/main.py", MAIN), ("bot/lib/a.py", b"1"), *litter)
    unpack(archive, tmp_path / "out")
    assert files_in(tmp_path / "out") == {"main.py": MAIN, "lib/a.py": b"1"}


def test_what_may_be_executed_stays_so_and_nothing_else_is_kept_of_a_mode(tmp_path: Path) -> None:
    unpack(zipped(tmp_path / "a.zip", ("run.sh", b"#!/bin/sh\n"), mode=0o106777), tmp_path / "out")
    unpack(zipped(tmp_path / "b.zip", ("run.sh", b"#!/bin/sh\n"), mode=0), tmp_path / "plain")  # packed on Windows
    assert (tmp_path / "out" / "run.sh").stat().st_mode & 0o7777 == 0o755
    assert (tmp_path / "plain" / "run.sh").stat().st_mode & 0o7777 == 0o644


def test_a_packed_bot_has_a_manifest_and_the_name_of_its_archive(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "Käfer (9b).zip", ("bot/main.py", MAIN))
    manifest = manifest_of(archive)
    assert (manifest.name, manifest.language) == ("Käfer (9b)", "python")
    assert manifest.folder == unpacked(archive)
    assert manifest_of(archive).folder == manifest.folder  # unpacked once


def test_what_is_no_bot_is_told_by_the_name_of_the_archive(tmp_path: Path) -> None:
    with pytest.raises(UnfitBot, match=r"notes\.zip: no program found"):
        manifest_of(zipped(tmp_path / "notes.zip", ("notes.txt", b"hello")))


PATHS = ["../out.py", "a/../../out.py", "/etc/passwd", "C:/windows.py", "..\\out.py", "a/" * 40 + "x.py", "x" * 2000]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:12])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_path_that_leads_elsewhere_is_refused(tmp_path: Path, pack: Callable[..., Path], path: str) -> None:
    suffix = ".zip" if pack is zipped else ".tar"
    archive = pack(tmp_path / f"a{suffix}", ("main.py", MAIN), (path, b"x"))
    with pytest.raises(UnfitBot, match="paths must be relative"):
        unpack(archive, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE])
def test_links_and_devices_in_a_tar_archive_are_refused(tmp_path: Path, kind: bytes) -> None:
    archive = tarred(tmp_path / "a.tar", ("main.py", b""), kind=kind, target="/etc/passwd")
    with pytest.raises(UnfitBot, match="is a link or a device"):
        unpack(archive, tmp_path / "out")


def test_a_link_in_a_zip_archive_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnfitBot, match="is a link or a device"):
        unpack(zipped(tmp_path / "a.zip", ("main.py", b"/etc/passwd"), mode=0o120777), tmp_path / "out")


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_small_archive_that_unpacks_to_a_lot_is_refused_before_anything_is_written(
    tmp_path: Path, pack: Callable[..., Path]
) -> None:
    archive = pack(tmp_path / ("a.zip" if pack is zipped else "a.tar.gz"), ("main.py", MAIN), ("data", bytes(20 << 20)))
    assert archive.stat().st_size < 50_000
    with pytest.raises(UnfitBot, match="unpacks to more than"):
        unpack(archive, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_more_files_than_a_bot_has_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[..., Path]
) -> None:
    monkeypatch.setattr(packed_bots, "FILES_MAX", 10)
    for count in (11, 30):
        many = [(f"{number}.py", b"") for number in range(count)]
        with pytest.raises(UnfitBot, match=r"holds more than \d+ files"):
            unpack(pack(tmp_path / f"{count}{'.zip' if pack is zipped else '.tar'}", *many), tmp_path / "out")


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnfitBot, match="two files with the same name"):
        unpack(tarred(tmp_path / "a.tar", ("main.py", MAIN), ("main.py", b"x")), tmp_path / "out")
    with pytest.raises(UnfitBot, match="two files with the same name"):
        unpack(tarred(tmp_path / "b.tar", ("main.py", MAIN), ("main.py/x", b"x")), tmp_path / "other")


def test_damaged_archives_are_told_as_such(tmp_path: Path) -> None:
    whole = {
        "a.zip": zipped(tmp_path / "a.zip", ("main.py", MAIN * 500)).read_bytes(),
        "a.tar.gz": tarred(tmp_path / "a.tar.gz", ("main.py", MAIN * 500)).read_bytes(),
    }
    for name, content in whole.items():
        for bent in (
            b"",
            content[: len(content) // 2],
            content[:-9],
            b"\0" * 600,
            b"PK\x03\x04" + content[40:],
            content[::-1],
        ):
            (tmp_path / name).write_bytes(bent)
            with pytest.raises(UnfitBot):
                unpack(tmp_path / name, tmp_path / f"out-{name}-{len(bent)}")


def test_an_archive_whose_directory_lies_about_a_size_is_refused(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", ("main.py", MAIN))
    content = bytearray(archive.read_bytes())
    at = content.index(b"PK\x01\x02") + 24
    content[at : at + 4] = (5).to_bytes(4, "little")
    archive.write_bytes(content)
    with pytest.raises(UnfitBot, match="cannot be unpacked"):
        unpack(archive, tmp_path / "out")


def test_a_description_as_long_as_a_book_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "a.tar"
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as content:
        row = tarfile.TarInfo("main.py")
        row.pax_headers = {"comment": "x" * 100_000}
        content.addfile(row)
    with pytest.raises(UnfitBot, match="a description in the archive is far too long"):
        unpack(archive, tmp_path / "out")


def test_an_archive_that_is_too_large_is_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_bots, "ARCHIVE_MAX", 100)
    with pytest.raises(UnfitBot, match="is larger than"):
        unpacked(zipped(tmp_path / "a.zip", ("main.py", MAIN * 9)))


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnfitBot, match="cannot be unpacked"):
        unpack(zipped(tmp_path / "a.zip", ("x" * 300 + ".py", MAIN)), tmp_path / "out")


def test_an_empty_archive_holds_no_bot(tmp_path: Path) -> None:
    with pytest.raises(UnfitBot, match="holds no files"):
        unpack(zipped(tmp_path / "a.zip"), tmp_path / "out")


def test_only_files_with_the_ending_of_an_archive_are_archives(tmp_path: Path) -> None:
    (tmp_path / "folder.zip").mkdir()
    (tmp_path / "bot.jar").write_bytes(zipped(tmp_path / "x.zip", ("a", b"")).read_bytes())
    assert not is_packed(tmp_path / "folder.zip")
    assert not is_packed(tmp_path / "bot.jar")
    assert [packed_name(Path(name)) for name in ("a.tar.gz", "b.c.zip", "d.TGZ", "e.py")] == ["a", "b.c", "d", "e"]
    with pytest.raises(YardError, match="no file or folder"):
        manifest_of(tmp_path / "gone.zip")


def headed(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0) -> bytes:
    row = tarfile.TarInfo(name)
    row.type, row.size = kind, size
    return row.tobuf(tarfile.USTAR_FORMAT)


def block(content: bytes) -> bytes:
    return content + bytes(-len(content) % 512)


FIRST = headed("main.py", size=len(MAIN)) + block(MAIN)


@pytest.mark.parametrize("kind", [b"x", b"g", b"X", b"L", b"K"])
def test_a_long_description_is_refused_wherever_the_library_would_find_it(tmp_path: Path, kind: bytes) -> None:
    hides = headed("folder/", tarfile.DIRTYPE, size=1 << 30)  # the library does not step over what a folder is to hold
    (tmp_path / "a.tar").write_bytes(FIRST + hides + headed("x", kind, 1 << 20) + bytes(1 << 20) + headed("y"))
    with pytest.raises(UnfitBot, match="a description in the archive is far too long"):
        unpack(tmp_path / "a.tar", tmp_path / "out")


def test_a_description_that_takes_the_library_long_is_refused(tmp_path: Path) -> None:
    said = b"60014 comment=" + b"1" * 60000
    (tmp_path / "a.tar").write_bytes(FIRST + headed("x", b"x", len(said)) + block(said) + headed("y") + bytes(1024))
    with pytest.raises(UnfitBot, match="a description in the archive is far too long"):
        unpack(tmp_path / "a.tar", tmp_path / "out")


def test_folders_are_counted_that_hide_behind_the_size_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_bots, "FILES_MAX", 10)
    folders = [headed(f"{number}/", tarfile.DIRTYPE) for number in range(30)]
    hides = headed("folder/", tarfile.DIRTYPE, size=1 << 30)
    (tmp_path / "a.tar").write_bytes(FIRST + hides + b"".join(folders) + bytes(1024))
    with pytest.raises(UnfitBot, match="more than 20 files and folders"):
        unpack(tmp_path / "a.tar", tmp_path / "out")


def test_files_of_negative_size_and_with_holes_are_refused(tmp_path: Path) -> None:
    said = b"13 size=-512\n"
    (tmp_path / "a.tar").write_bytes(FIRST + headed("x", b"x", len(said)) + block(said) + headed("y") + bytes(1024))
    (tmp_path / "b.tar").write_bytes(FIRST + headed("y", tarfile.GNUTYPE_SPARSE) + bytes(1024))
    with pytest.raises(UnfitBot, match="negative size"):
        unpack(tmp_path / "a.tar", tmp_path / "out")
    with pytest.raises(UnfitBot, match="a file with holes"):
        unpack(tmp_path / "b.tar", tmp_path / "out")


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_compression_that_the_library_unpacks_at_once_is_refused(tmp_path: Path, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
        archive.writestr("main.py", MAIN)
    with pytest.raises(UnfitBot, match=r"'main\.py' in an archive is compressed in a rare way"):
        unpack(tmp_path / "a.zip", tmp_path / "out")


def test_folders_around_everything_are_taken_off_however_many(tmp_path: Path) -> None:
    unpack(zipped(tmp_path / "a.zip", ("a/b/c/main.py", MAIN), ("a/b/lib/x.py", b"1")), tmp_path / "out")
    assert files_in(tmp_path / "out") == {"c/main.py": MAIN, "lib/x.py": b"1"}
    unpack(zipped(tmp_path / "b.zip", ("a/b/main.py", MAIN)), tmp_path / "other")
    assert files_in(tmp_path / "other") == {"main.py": MAIN}


def test_an_archive_that_changes_while_it_is_read_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = secrets.token_bytes(8)  # no earlier test has unpacked it
    archive = zipped(tmp_path / "a.zip", ("main.py", fresh))
    before = archive.read_bytes()

    def written_meanwhile(archive: Path, target: Path) -> None:
        unpack(zipped(archive, ("main.py", MAIN)), target)

    with monkeypatch.context() as patch:
        patch.setattr(packed_bots, "unpack", written_meanwhile)
        with pytest.raises(UnfitBot, match="changed while it was read"):
            unpacked(archive)
    archive.write_bytes(before)
    assert (unpacked(archive) / "main.py").read_bytes() == fresh


def test_an_archive_that_may_not_be_read_is_its_authors_affair() -> None:
    with tempfile.TemporaryDirectory() as place, contextlib.ExitStack() as later:
        Path(place).chmod(0o755)
        archive = zipped(Path(place) / "a.zip", ("main.py", MAIN))
        archive.chmod(0)
        if os.geteuid() == 0:  # who may read everything
            later.callback(os.seteuid, 0)
            os.seteuid(65534)
        with pytest.raises(UnfitBot, match=r"cannot read a\.zip"):
            manifest_of(archive)


@pytest.mark.parametrize("name", ["bot.rar", "bot.7z", "bot.tar.xz", "Bot.TAR.BZ2"])
def test_other_archives_are_known_as_such_and_how_to_pack_them_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"Rar!")
    assert packed_name(tmp_path / name).lower() == "bot"
    with pytest.raises(UnfitBot, match="a kind of archive that is not read here") as refused:
        unpacked(tmp_path / name)
    assert refused.value.hint == "pack it as zip or tar.gz"
