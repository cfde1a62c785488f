"""Uploads are unpacked in a cage: what comes out of them, and that nobody can do harm with one."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest

from botyard.jail.canonical import Source, bot_in, kept_source
from botyard.kernel.errors import YardError
from botyard.yard.bots import unpacker
from botyard.yard.bots.places import UnpackingPlaces
from botyard.yard.bots.unpacking import unpack_upload
from botyard.yard.refusals import Refusal, TooMuch, status_of
from tests.waiting import finished
from tests.yard.handing_in import spooled, tarred, zipped
from tests.yard.hostile_archives import HOSTILE, LARGE, MAIN, two_in_one

MEMORY = 96 << 20  # of this process, for all that is thrown at it; an upload has 8 MiB at most


def taken_here(tmp_path: Path, files: dict[str, bytes]) -> bytes:
    """What `unpacker` writes about an upload, without its cage: the same code, in a moment."""
    out = io.BytesIO()
    (tmp_path / "work").mkdir()
    with spooled(tmp_path, files) as spool, open(spool.fileno(), "rb", closefd=False) as file:
        unpacker.take_in(file, spool.parts, tmp_path / "work", out)
    return out.getvalue()


def test_a_file_an_archive_and_a_folder_are_the_same_bot_and_become_a_folder_again(tmp_path: Path) -> None:
    async def all_three() -> set[str]:
        bot = {"main.py": MAIN, "lib/more.py": b"1", "lib/make.sh": b"#!/bin/sh\n"}
        ways = [
            {"bot.zip": zipped({f"Käfer/{name}": content for name, content in bot.items()})},
            {f"bot/{name}": content for name, content in bot.items()} | {"bot/.git/config": b"x"},
        ]
        trees = set()
        for files in ways:
            with spooled(tmp_path, files) as spool:
                found = await unpack_upload(spool)
            trees.add(found.tree)
            assert (found.files, found.manifest["run"]) == (3, ["python3", "main.py"])
        kept = kept_source(Source.of(found.source))
        assert {str(path.relative_to(kept)) for path in kept.rglob("*") if path.is_file()} == set(bot)
        assert (kept / "lib/make.sh").stat().st_mode & 0o111, "a script can be executed, whoever packed it where"
        assert not (kept / "main.py").stat().st_mode & 0o111
        return trees

    assert len(finished(all_three())) == 1


def test_a_single_file_may_have_any_name(tmp_path: Path) -> None:
    head, _, source = taken_here(tmp_path, {"My bot 7.py": MAIN}).partition(b"\n")
    assert b'"file": "My bot 7.py"' in head
    assert kept_source(Source.of(source)).name == "My bot 7.py"
    assert bot_in(kept_source(Source.of(source)).parent) == kept_source(Source.of(source))


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"Beetle.tar.gz": tarred((tarfile.TarInfo("x/main.py"), MAIN), packed=True)}, "Beetle"),
        ({"Beetle.py": MAIN}, "Beetle"),
        ({"Beetle/main.py": MAIN, "Beetle/lib/a.py": b""}, "Beetle"),
        ({"main.py": MAIN, "a.py": b""}, "bot"),
        ({"a/main.py": MAIN, "a/botyard.toml": b'name = "Beetle"'}, "Beetle"),
    ],
)
def test_a_bot_is_called_as_it_says_or_like_what_it_came_in(tmp_path: Path, files: dict[str, bytes], name: str) -> None:
    head, _, _ = taken_here(tmp_path, files).partition(b"\n")
    assert json.loads(head)["manifest"]["name"] == name


def with_nul() -> bytes:
    return zipped({"mainXpy": MAIN}).replace(b"mainXpy", b"main\0py")


FOLDERS = {
    "a direction mark": ({"main.py": MAIN, "a\u2066b.py": b""}, "letters that can be seen"),
    "a zero byte": ({"main.py": MAIN, "a\0b.py": b""}, "must be relative"),
    "a path upwards": ({"main.py": MAIN, "../b.py": b""}, r"without \.\."),
    "one name twice": ({"main.py": MAIN, "./main.py": b""}, "two files with the same name"),
    "two names in one": ({"main.py": MAIN, "MAIN.py": b""}, "differ in case alone"),
    "no program": ({"notes.txt": b"later", "more.txt": b"x"}, "the folder"),
}


@pytest.mark.parametrize("what", FOLDERS)
def test_a_hostile_folder_is_refused_with_a_sentence(tmp_path: Path, what: str) -> None:
    check_refused(tmp_path, *FOLDERS[what])


@pytest.mark.parametrize("what", [what for what in HOSTILE if what not in LARGE])
def test_a_hostile_archive_is_refused_with_a_sentence(tmp_path: Path, what: str) -> None:
    name, made, words = HOSTILE[what]
    check_refused(tmp_path, {name: made()}, words)


def check_refused(tmp_path: Path, files: dict[str, bytes], words: str) -> None:
    with pytest.raises(YardError, match=words) as refused:
        taken_here(tmp_path, files)
    assert refused.value.hint
    assert str(tmp_path) not in str(refused.value), "nobody is told where things lie on the server"


def test_a_zero_byte_ends_no_name(tmp_path: Path) -> None:
    """The library cuts such a name; what is left of it names nothing that could run."""
    with pytest.raises(YardError):
        taken_here(tmp_path, {"a.zip": with_nul()})


def test_of_two_archives_in_one_file_its_name_decides(tmp_path: Path) -> None:
    for name, content in (("a.tar", b"print('tar')\n"), ("a.zip", b"print('zip')\n")):
        (tmp_path / name).mkdir()
        _, _, source = taken_here(tmp_path / name, {name: two_in_one()}).partition(b"\n")
        assert kept_source(Source.of(source)).read_bytes() == content


def test_what_would_fill_memory_is_refused_and_the_server_takes_none_for_it(tmp_path: Path) -> None:
    thrown = [(name, made(), words) for name, made, words in map(HOSTILE.__getitem__, LARGE)]

    async def throw_all() -> None:
        for name, content, words in thrown:
            assert len(content) <= 8 << 20, "more is not even read"
            with spooled(tmp_path, {name: content}) as spool, pytest.raises(Refusal, match=words) as refused:
                await unpack_upload(spool)
            assert 400 <= status_of(refused.value) < 500

    before = most_memory(reset=True)
    finished(throw_all())
    assert most_memory() - before < MEMORY


def most_memory(reset: bool = False) -> int:
    """The most memory that this process has held at once, since it was last reset."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))


def test_a_second_upload_of_a_person_is_refused_and_nobody_waits_for_ever() -> None:
    async def crowd() -> None:
        places = UnpackingPlaces(at_a_time=2, wait_s=0.01)
        async with places.place(1), places.place(2):
            with pytest.raises(TooMuch, match="another upload of yours"):
                await enter(places, 1)
            with pytest.raises(TooMuch, match="many uploads"):
                await enter(places, 3)
        for person in (1, 2, 3):
            await enter(places, person)

    async def enter(places: UnpackingPlaces, person: int) -> None:
        async with places.place(person):
            pass

    finished(crowd())
