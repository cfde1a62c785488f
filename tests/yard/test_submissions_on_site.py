"""A folder of submissions on the site: unpacked in a cage, built, checked, and played as the command line does."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from botyard.yard.bots import unpacker
from botyard.yard.bots.unpacking import unpack_submissions
from botyard.yard.contests.submissions import accept_submissions
from botyard.yard.refusals import Refusal
from tests.waiting import finished
from tests.yard.hall import Hall, files_of_the_command, open_yard
from tests.yard.handing_in import spooled, zipped
from tests.yard.players import files_of_speaker

FILE = """
title = "Class 9b"
game = "hive"
seed = 7
guests_leave = 0

[bots]
raider = "house:raider"
anna = "dir:subs/anna"
ben = { bot = "dir:subs/ben", name = "Ben" }

[format]
kind = "round_robin"
bouts = 1
swap = "same_seed"

[settings]
max_turns = 12
"""
BROKEN = {"main.c": b"int main(void) { return nothing; }\n"}


def steady(name: str) -> dict[str, bytes]:
    """A bot that always gives the same order, so that its games are always the same."""
    files = files_of_speaker(name)
    return {**files, "main.py": files["main.py"].replace(b"random.choice(", b"max(")}


def folder_of(subs: dict[str, dict[str, bytes]]) -> dict[str, bytes]:
    return {f"subs/{who}/{name}": content for who, files in subs.items() for name, content in files.items()}


def test_whatever_lies_in_a_folder_is_a_bot_of_somebody_or_refused_by_itself(tmp_path: Path) -> None:
    inner = zipped({"main.py": b"print(1)\n"})
    files = {"subs/anna/main.py": b"print(2)\n", "subs/Ben Q.zip": inner, "subs/cleo.py": b"print(3)\n"}
    files |= {"subs/notes.txt": b"9b", "subs/broken.zip": b"PK\x03\x04nothing", "subs/.DS_Store": b"x"}
    out = io.BytesIO()
    (tmp_path / "work").mkdir()
    with spooled(tmp_path, {"subs.zip": zipped(files)}) as spool, open(spool.fileno(), "rb", closefd=False) as file:
        unpacker.take_in_many(file, spool.parts, tmp_path / "work", out)
    told, rest = [], out.getvalue()
    while rest:
        line, _, rest = rest.partition(b"\n")
        told.append(json.loads(line))
        rest = rest[told[-1]["packed"] :]
    assert [(one["name"], "refused" in one) for one in told] == [
        ("anna", False), ("Ben Q", False), ("broken", True), ("cleo", False), ("notes", True),
    ]  # fmt: skip


def test_a_folder_is_unpacked_in_a_cage_and_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    async def unpack() -> list[str]:
        with spooled(tmp_path, {"subs.zip": zipped(folder_of({"anna": steady("anna"), "ben": BROKEN}))}) as spool:
            found = await unpack_submissions(spool)
        with spooled(tmp_path, {"subs.zip": b"PK\x03\x04nothing"}) as spool, pytest.raises(Refusal, match="unpacked"):
            await unpack_submissions(spool)
        return [one.name for one in found if one.upload is not None and one.upload.source]

    assert finished(unpack()) == ["anna", "ben"]


@pytest.mark.long
def test_a_folder_of_submissions_gives_the_table_of_the_command_line(database_address: str, tmp_path: Path) -> None:
    subs = {"anna": steady("anna"), "ben": BROKEN}
    yard = open_yard(database_address, tmp_path)
    hall = Hall(yard)
    contest = hall.announce(FILE, slug="class")

    async def hand_in() -> list[str]:
        with spooled(tmp_path, {"subs.zip": zipped(folder_of(subs))}) as spool:
            taken = await accept_submissions(yard, hall.organiser, contest.slug, spool, accounts=False)
        return [one.key for one in taken]

    assert finished(hand_in()) == ["anna", "ben"]
    over = hall.play(contest)
    assert over.state == "over", over.why
    for path, content in folder_of(subs).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    (tmp_path / "class.toml").write_text(FILE)
    expected = finished(files_of_the_command(tmp_path / "class.toml"))
    for file in ("standings.csv", "cross.csv", "pairs.csv", "games.csv"):
        assert hall.report(over, file) == expected[file]
    assert "ben" in hall.report(over, "lost.csv")
    yard.close()
