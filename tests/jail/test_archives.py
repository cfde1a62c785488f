"""Archives of what was built: a stranger wrote them."""

from __future__ import annotations

import errno
import io
import tarfile
from pathlib import Path

import pytest

from botyard.jail import archives
from botyard.jail.archives import unpack
from botyard.kernel.errors import YardError


def header(name: bytes, size: bytes = b"00000000004", kind: bytes = b"0", mode: bytes = b"0000644") -> bytes:
    """One header, as it stands in an archive; nothing in it need be right."""
    head = bytearray(512)
    head[0 : len(name)], head[100:107], head[156:157] = name, mode, kind
    head[124 : 124 + len(size)] = size
    return bytes(head)


def member(name: bytes, **head: bytes) -> bytes:
    return header(name, **head) + b"evil".ljust(512, b"\0")


END = bytes(1024)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_an_archive_of_gnu_tar_is_taken_out(tmp_path: Path) -> None:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as writing:
        for name in ("./agent", "./d/e/f", "./" + "x" * 150):
            made = tarfile.TarInfo(name)
            made.size, made.mode = 4, 0o4755 if "agent" in name else 0o600
            writing.addfile(made, io.BytesIO(b"text"))
    raw.seek(0)
    unpack(raw, tmp_path / "in")
    assert files(tmp_path / "in") == ["agent", "d/e/f", "x" * 150]
    modes = [(tmp_path / "in" / name).stat().st_mode & 0o7777 for name in ("agent", "d/e/f", "d", "d/e", "")]
    assert modes == [0o755, 0o600, 0o755, 0o755, 0o755]


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        (member(b"a\0b"), "with a zero byte in its name"),
        (header(b"L", size=b"00000000003", kind=b"L") + b"a\0b".ljust(512, b"\0") + member(b"x"), "a zero byte"),
        (member(b""), "which names no file"),
        (member(b"."), "which names no file"),
        (member(b"./"), "which names no file"),
        (member(b"a") + member(b"a"), "'a' was built, twice"),
        (member(b"a") + member(b"./a"), "'./a' was built, twice"),
        (member(b"a") + member(b"a/b"), "not a valid file name: File exists"),
        (member(b"a/b") + member(b"a"), "not a valid file name: File exists"),
        (header(b"L", size=b"00000000400", kind=b"L") + b"x" * 256 + bytes(256) + member(b"y"), "File name too long"),
        (header(b"L", size=b"00000010001", kind=b"L"), "the build made a file name of 4097 bytes"),
        (member(b"a", size=b"-0000000004"), "arrived damaged"),
        (member(b"a", size=b"\x80" + b"\xff" * 11), "arrived damaged"),
        (member(b"a", size=b"77777777777"), "256 MiB were built"),
        (member(b"a", size=b"77777777777", kind=b"2"), "256 MiB were built"),
        (member(b"a", mode=b"rwxr-xr"), "arrived damaged"),
        (member(b"a", size=b"00000010000"), "arrived incomplete"),
        (member(b"d/" * 33 + b"a"), "more than 32 levels deep"),
        (member(b"a"), "arrived incomplete"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(tmp_path: Path, raw: bytes, complaint: str) -> None:
    end = b"" if raw == member(b"a") else END
    with pytest.raises(YardError, match=complaint):
        unpack(io.BytesIO(raw + end), tmp_path / "in")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_files_and_folders_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "FILES_MAX", 3)
    with pytest.raises(YardError, match="more than 3 files"):
        unpack(io.BytesIO(b"".join(member(b"%d" % at) for at in range(4)) + END), tmp_path / "a")
    with pytest.raises(YardError, match="more than 3 folders were built"):
        unpack(io.BytesIO(member(b"1/2/3/4/5") + END), tmp_path / "b")


def test_as_much_as_a_bot_may_have_is_taken_out_to_the_last_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "FILES_MAX", 3)
    monkeypatch.setattr(archives, "BYTES_MAX", 12)
    unpack(io.BytesIO(member(b"a") + member(b"1/b") + member(b"1/2/3/c") + END), tmp_path / "in")
    assert files(tmp_path / "in") == ["1/2/3/c", "1/b", "a"]
    monkeypatch.setattr(archives, "BYTES_MAX", 11)
    with pytest.raises(YardError, match="MiB were built, with 'c'"):
        unpack(io.BytesIO(member(b"a") + member(b"b") + member(b"c") + END), tmp_path / "one byte more")


def test_a_disk_that_is_full_is_nobodys_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archives, "private", full)
    with pytest.raises(OSError, match="No space left"):
        unpack(io.BytesIO(member(b"a") + END), tmp_path / "in")
