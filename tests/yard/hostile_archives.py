"""Archives that mean harm, or look as if they did: what each is handed in as, and the words that refuse it."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from typing import Final

from botyard.jail.packed_bots import ZIP_ROW
from tests.yard.handing_in import tarred, zipped

MAIN: Final = b"print('up')\n"
FAR = 1 << 62
AGAIN = "cannot be unpacked"


def tar_of(name: str, content: bytes = MAIN, kind: bytes = tarfile.REGTYPE, target: str = "") -> bytes:
    row = tarfile.TarInfo(name)
    row.type, row.linkname = kind, target
    return tarred((row, content if kind == tarfile.REGTYPE else b""))


def bomb() -> bytes:
    """Forty files of ten megabytes that pack to almost nothing, in an archive of half a megabyte."""
    target, zeros = io.BytesIO(), bytes(10 << 20)
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    stream = packer.compress(zeros) + packer.flush()
    with zipfile.ZipFile(target, "w") as archive:
        for number in range(40):
            row = zipfile.ZipInfo(f"main{number}.py")
            archive.writestr(row, stream)
            row.compress_type, row.file_size, row.CRC = zipfile.ZIP_DEFLATED, len(zeros), zlib.crc32(zeros)
    return target.getvalue()


def million() -> bytes:
    """A million empty files, as a tar archive of half a gigabyte: the same megabyte of them again and again."""
    block = b"".join(tarfile.TarInfo(f"{number}.py").tobuf() for number in range(2048))
    return gzip.compress(block, mtime=0) * 489


def lying_zip() -> bytes:
    """The directory says that the file has ten bytes; it has five thousand."""
    packed = zipped({"main.py": b"x" * 5000})
    return packed.replace((5000).to_bytes(4, "little"), (10).to_bytes(4, "little"))


def lying_zip64() -> bytes:
    """A row that says in its extra field, made for files of more than 4 GB, that the file is four exabytes long."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("main.py", MAIN)
        archive.infolist()[0].extra = struct.pack("<HHQ", 1, 8, FAR)
    packed = bytearray(target.getvalue())
    row = packed.find(ZIP_ROW)
    packed[row + 24 : row + 28] = b"\xff" * 4  # the size: see the extra field
    return bytes(packed)


def far_directory() -> bytes:
    """The end of the archive says that its directory lies exabytes away, and has as many rows."""
    packed = zipped({"main.py": MAIN})
    at = packed.rfind(b"PK\x05\x06")
    end = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, FAR, FAR, FAR, FAR)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, at, 1)
    return packed[:at] + end + locator + b"PK\x05\x06" + bytes(4) + b"\xff" * 12 + bytes(2)


def overlapping() -> bytes:
    """Two rows of the directory lead to the same bytes."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("main.py", MAIN)
        archive.writestr("more.py", MAIN)
        archive.infolist()[1].header_offset = 0
    return target.getvalue()


def encrypted() -> bytes:
    packed = bytearray(zipped({"main.py": MAIN}))
    packed[6] |= 1
    packed[packed.find(ZIP_ROW) + 8] |= 1
    return bytes(packed)


def nameless() -> bytes:
    packed = zipped({"X": MAIN})
    at = packed.find(ZIP_ROW)
    return packed[: at + 28] + bytes(2) + packed[at + 30 : at + 46] + packed[at + 47 :]


def sparse(pax: bool) -> bytes:
    """A file of 4 GB that is one hole, in half a kilobyte."""
    row = tarfile.TarInfo("main.py")
    if not pax:
        row.type = tarfile.GNUTYPE_SPARSE
        header = bytearray(row.tobuf(tarfile.GNU_FORMAT))
        header[483:495] = b"%011o\0" % (4 << 30)
        header[148:156] = b" " * 8
        header[148:156] = b"%06o\0 " % sum(header)
        return bytes(header) + bytes(1024)
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as archive:
        row.pax_headers = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.size": str(4 << 30)}
        row.pax_headers |= {"GNU.sparse.numblocks": "1", "GNU.sparse.map": f"{4 << 30},0", "GNU.sparse.name": "main.py"}
        archive.addfile(row)
    return target.getvalue()


def two_rows(one: str, other: str, other_kind: bytes = tarfile.REGTYPE) -> bytes:
    first, second = tarfile.TarInfo(one), tarfile.TarInfo(other)
    second.type = other_kind
    return tarred((first, MAIN), (second, b""))


def zip_with_twins() -> bytes:
    packed = zipped({"main.py": MAIN, "mainX.y": b"x"})
    return packed.replace(b"mainX.y", b"main.py")


HOSTILE: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "a bomb": ("a.zip", bomb, "unpacks to more than"),
    "a million members": ("a.tar.gz", million, "unpacks to more than 256 MiB"),
    "a million rows": ("a.zip", lambda: b"PK\x03\x04" + ZIP_ROW * 1_000_000, "more than 20000 files"),
    "a path upwards": ("a.tar", lambda: tar_of("../main.py"), r"without \.\."),
    "a path upwards in a zip": ("a.zip", lambda: zipped({"lib/../../main.py": MAIN}), r"without \.\."),
    "a path from the root": ("a.tar", lambda: tar_of("/etc/main.py"), "must be relative"),
    "a path of another system": ("a.zip", lambda: zipped({"C:\\main.py": MAIN}), "must be relative"),
    "a link": ("a.tar", lambda: tar_of("main.py", kind=tarfile.SYMTYPE, target="/etc/passwd"), "link or a device"),
    "a hard link": ("a.tar", lambda: tar_of("main.py", kind=tarfile.LNKTYPE, target="/etc/passwd"), "link or a device"),
    "a device": ("a.tar", lambda: tar_of("main.py", kind=tarfile.CHRTYPE), "link or a device"),
    "a pipe": ("a.tar", lambda: tar_of("main.py", kind=tarfile.FIFOTYPE), "link or a device"),
    "a direction mark": ("a.zip", lambda: zipped({"main.py": MAIN, "nice\u202eyp.exe": b"x"}), "can be seen"),
    "half an archive": ("a.tar.gz", lambda: gzip.compress(tar_of("main.py"))[:60], AGAIN),
    "half a zip": ("a.zip", lambda: zipped({"main.py": MAIN})[:60], AGAIN),
    "a tar that ends in a file": ("a.tar", lambda: tar_of("main.py", MAIN * 100)[:700], AGAIN),
    "a length that lies": ("a.zip", lying_zip, AGAIN),
    "a length of exabytes": ("a.zip", lying_zip64, "unpacks to more than"),
    "a directory exabytes away": ("a.zip", far_directory, AGAIN),
    "members that overlap": ("a.zip", overlapping, AGAIN),
    "an encrypted file": ("a.zip", encrypted, "without a password"),
    "a file without a name": ("a.zip", nameless, AGAIN),
    "a file of 4 GB with holes": ("a.tar", lambda: sparse(pax=False), "holes"),
    "the same in another way": ("a.tar", lambda: sparse(pax=True), "link or a device"),
    "a name of 4000 bytes": ("a.zip", lambda: zipped({f"{'a' * 4000}.py": MAIN}), "must be relative"),
    "a name of 300 bytes": ("a.tar", lambda: tar_of(f"{'a' * 300}.py"), AGAIN),
    "a hundred folders deep": ("a.zip", lambda: zipped({f"{'a/' * 100}main.py": MAIN}), "must be relative"),
    "names that differ in case": ("a.zip", lambda: zipped({"main.py": MAIN, "Main.py": b"x"}), "differ in case alone"),
    "one name twice": ("a.tar", lambda: two_rows("main.py", "main.py"), "two files with the same name"),
    "one name twice in a zip": ("a.zip", zip_with_twins, "two files with the same name"),
    "a file where a folder is": ("a.tar", lambda: two_rows("lib/main.py", "lib"), "two files with the same name"),
    "a folder where a file is": ("a.tar", lambda: two_rows("main.py", "main.py/x"), "two files with the same name"),
    "garbage behind it": ("a.tar.gz", lambda: gzip.compress(tar_of("main.py")) + b"garbage", AGAIN),
    "no archive at all": ("a.zip", lambda: b"hello", "not a zip file"),
    "a rare kind of archive": ("a.rar", lambda: b"Rar!", "not read here"),
    "nothing": ("a.zip", lambda: zipped({}), "holds no files"),
}  # fmt: skip
LARGE = "a bomb", "a million members", "a million rows"


def two_in_one() -> bytes:
    """A tar archive, behind which a zip archive of another bot lies: each library finds its own."""
    return tar_of("main.py", b"print('tar')\n") + zipped({"main.py": b"print('zip')\n"})
