"""Bots' folders and what their builds leave, bent in every way: taken or refused, and never anything else."""

from __future__ import annotations

import io
import os
import random
import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path

from botyard.jail.archives import unpack
from botyard.jail.bot_files import fingerprint
from botyard.jail.manifest import manifest_of
from tests.fuzz.harness import bent, fuzz

MARK = b"\n--- "

FOLDERS = (
    b'\n--- botyard.toml\nname = "Old Asp"\nauthor = "Cleo"\nlanguage = "rust"\ngame = "snakepit"\n'
    b'build = ["make tables", ["cargo", "build"]]\nrun = "./target/release/asp --eager"\nprotocol = "json"\n',
    b'\n--- botyard.toml\nlanguage = "js"\n--- main.py\n--- main.js\n',
    b'\n--- Cargo.toml\n[package]\nname = "asp"\ndefault-run = "asp"\n[[bin]]\nname = "bite"\n--- src/main.rs\n',
    b'\n--- package.json\n{"type": "module", "main": "src/play.js", "scripts": {}}\n--- src/play.js\n'
    b"--- webpack.config.js\n",
    b"\n--- src/bot/Bot.java\npackage bot;\npublic class Bot { public static void main(String[] a) {} }\n",
    b"\n--- bot.c\nint main(void) {}\n--- map.c\n--- Makefile\nagent: bot.c\n\tcc -o agent bot.c\n",
    b"\n--- go.mod\nmodule a\n--- a.go\npackage main\n--- bot.sh\n#!/bin/bash\n--- agent\n",
)


def draw(folder: Path, raw: bytes) -> None:
    """The folder that is drawn; what is no name for a file is left out."""
    for part in raw.split(MARK)[1:]:
        name, _, content = part.partition(b"\n")
        steps = [step for step in name[:200].split(b"/") if step not in (b"", b".", b"..") and b"\0" not in step]
        path = folder / Path(*map(os.fsdecode, steps or [b"x"]))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError:
            continue


def test_no_folder_is_too_odd_to_be_refused(in_memory: Path) -> None:
    folder = in_memory / "bot"

    def read(raw: bytes) -> None:
        draw(folder, raw)
        try:
            folder.mkdir(exist_ok=True)
            fingerprint(folder)
            manifest = manifest_of(folder)
            for command in (*manifest.build, manifest.run):
                assert is_inside(command[0]), command
            assert manifest.found_by
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    assert fuzz("manifest", FOLDERS, read) >= 1000


def is_inside(program: str) -> bool:
    return "/" not in program or (program.startswith("./") and ".." not in program.split("/"))


# Archives


def archive(*members: tuple[str, bytes, bytes]) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT, bufsize=512) as writing:
        for name, kind, content in members:
            member = tarfile.TarInfo(name)
            member.type, member.size = kind, len(content) if kind == tarfile.REGTYPE else 0
            writing.addfile(member, io.BytesIO(content))
    return raw.getvalue().rstrip(b"\0") + bytes(1024)


ARCHIVES = (
    archive(
        ("./", tarfile.DIRTYPE, b""), ("./agent", tarfile.REGTYPE, b"x" * 700), ("./d/deep", tarfile.REGTYPE, b"y")
    ),
    archive(("./d/" + "x" * 150, tarfile.REGTYPE, b"z"), ("./link", tarfile.SYMTYPE, b"")),
)
FIELDS = ((0, 100), (100, 8), (124, 12), (156, 1), (345, 155))  # name, mode, size, kind, prefix of a header
ODD_FIELDS = (
    b"",
    b".",
    b"..",
    b"/",
    b"a\0b",
    b"./agent",
    b"./agent/x",
    b"-1",
    b"7" * 11,
    b"\x80" + b"\xff" * 11,
    b"0",
    b"5",
)


def bend_archive(chance: random.Random, samples: Sequence[bytes]) -> bytes:
    """A field of a header, or any bytes."""
    if chance.randrange(3) == 0:
        return bent(chance, samples)
    raw = bytearray(chance.choice(samples))
    for _ in range(chance.choice((1, 2, 3))):
        at, size = chance.choice(FIELDS)
        block = 512 * chance.randrange(len(raw) // 512)
        raw[block + at : block + at + size] = chance.choice(ODD_FIELDS)[:size].ljust(size, b"\0")
    return bytes(raw)


def test_no_archive_is_too_odd_to_be_refused(in_memory: Path) -> None:
    target = in_memory / "inside" / "built"

    def read(raw: bytes) -> None:
        try:
            unpack(io.BytesIO(raw), target)
        finally:
            shutil.rmtree(target, ignore_errors=True)
            assert [path.name for path in in_memory.rglob("*")] == ["inside"]

    assert fuzz("archive", ARCHIVES, read, bend=bend_archive) >= 1000
