"""What a lookout sees of a contest and its bots, and when it says so."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from botyard.contest.lookout import LOOK_S, REST_S, Lookout, below, look_at
from tests.contest.test_amendments import FORAGER, with_bots
from tests.contest.test_bot_patterns import ALL, hand_in
from tests.contest.yard import bot_file, write

Edit = Callable[[], object]


class Waits:
    """Lets one edit happen during each wait, and then nothing more; remembers how long the waits were."""

    def __init__(self, *edits: Edit) -> None:
        self._edits: Iterator[Edit] = iter(edits)
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> None:
        assert len(self.seconds) < 100, "nothing more happens, and it still waits"
        self.seconds.append(seconds)
        next(self._edits, lambda: None)()


def contest_with(folder: Path) -> Path:
    hand_in(folder, "anna/main.py")
    lines = (f'ben = "py:{bot_file(folder, "ben")}"', f'cleo = "cmd:python3 {bot_file(folder, "cleo")}"', ALL)
    return write(folder, with_bots(FORAGER, *lines))


def nothing() -> None:
    """What happens during a wait in which nothing happens."""


EDITS: dict[str, Callable[[Path], object]] = {
    "the contest file": lambda folder: (folder / "league.toml").write_text("title = 3"),
    "a file of a folder": lambda folder: (folder / "subs/anna/main.py").write_text("mended = True"),
    "a new file in it": lambda folder: (folder / "subs/anna/more.py").write_text("x = 1"),
    "a newcomer": lambda folder: hand_in(folder, "dora.py"),
    "one that goes": lambda folder: (folder / "subs/anna/main.py").unlink(),
    "what a function may import": lambda folder: (folder / "bots/ben/more.py").write_text("x = 1"),
    "a program of a command line": lambda folder: (folder / "bots/cleo/cleo.py").write_text("x = 1"),
    "the same content written again": lambda folder: os.utime(folder / "subs/anna/main.py", ns=(1, 1)),
}


@pytest.mark.parametrize("what", EDITS)
def test_a_change_is_seen(tmp_path: Path, what: str) -> None:
    contest = contest_with(tmp_path)
    waits = Waits(nothing, nothing, lambda: EDITS[what](tmp_path))
    Lookout(contest, waits).await_change(look_at(contest))
    assert waits.seconds == [LOOK_S] * 3


def test_what_is_no_part_of_a_bot_is_not_looked_at(tmp_path: Path) -> None:
    contest = contest_with(tmp_path)
    before = look_at(contest)
    (tmp_path / "league.store").write_text("games")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "bots/other").mkdir()
    assert look_at(contest) == before


def test_a_file_that_is_being_written_is_waited_for(tmp_path: Path) -> None:
    contest, told = contest_with(tmp_path), list[str]()
    upload = tmp_path / "subs" / "dora.zip"
    waits = Waits(*(lambda size=size: upload.write_bytes(b"x" * size) for size in (10, 20, 30)))
    seen = Lookout(contest, waits).at_rest(told.append)
    assert seen[str(upload)][0] == 30
    assert waits.seconds == [REST_S] * 4
    assert told == [str(upload)]


@pytest.mark.parametrize("text", ["[bots", "bots = 3", '[bots]\none = 3\ntwo = { bot = 3 }\nthree = "cmd:\'"\n'])
def test_a_contest_file_that_cannot_be_read_is_still_looked_at(tmp_path: Path, text: str) -> None:
    contest = write(tmp_path, text)
    waits = Waits(lambda: write(tmp_path))
    Lookout(contest, waits).await_change(look_at(contest))
    assert waits.seconds == [LOOK_S]


def test_a_contest_file_that_is_gone_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    contest = write(tmp_path)
    seen = look_at(contest)
    contest.unlink()
    gone = look_at(contest)
    assert gone == {}
    Lookout(contest, Waits(lambda: write(tmp_path))).await_change(gone)
    assert look_at(contest).keys() == seen.keys()


def test_whoever_writes_all_the_time_is_not_waited_for_longer_than_a_minute(tmp_path: Path) -> None:
    contest, told = contest_with(tmp_path), list[str]()
    noise = (tmp_path / "subs/anna/main.py").write_text
    waits = Waits(*(lambda size=size: noise("#" * size) for size in range(99)))
    Lookout(contest, waits).at_rest(told.append)
    assert waits.seconds == [REST_S] * 60
    assert told == [str(tmp_path / "subs/anna/main.py")]


def test_a_folder_is_looked_through_as_far_as_a_bot_may_reach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(9):
        (tmp_path / str(number)).touch()
    assert len(list(below(tmp_path))) == 1 + 9
    monkeypatch.setattr("botyard.contest.lookout.ENTRIES_MAX", 4)
    assert len(list(below(tmp_path))) == 1 + 4
