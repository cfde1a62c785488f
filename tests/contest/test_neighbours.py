"""A bot of a contest sees its own folder: one that holds the contest, its store or another bot is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from botyard.contest import neighbours
from botyard.contest.reading import BadPlan, read_plan
from tests.contest.yard import IDLER, QUICK, bot_file, plan_of, write


def mistakes(folder: Path, text: str) -> list[str]:
    with pytest.raises(BadPlan) as refused:
        read_plan(write(folder, text))
    return [str(mistake) for mistake in refused.value.mistakes]


@pytest.mark.parametrize(
    "words", ["py:mine.py", "cmd:python3 mine.py", "json:python3 mine.py", "dir:.", "dir:../contest"]
)
def test_a_bot_beside_the_contest_file_is_told_where_to_go(tmp_path: Path, words: str) -> None:
    folder = tmp_path / "contest"
    folder.mkdir()
    (folder / "mine.py").write_text(IDLER)
    [told] = mistakes(folder, QUICK.replace("house:raider", words))
    assert told.startswith("bots.raider: its folder")
    assert "holds the contest file league.toml and its store" in told
    assert "bots/raider" in told


def test_a_link_to_the_contests_folder_is_that_folder(tmp_path: Path) -> None:
    folder = tmp_path / "contest"
    folder.mkdir()
    (folder / "mine.py").write_text(IDLER)
    (tmp_path / "elsewhere").symlink_to(folder)
    [told] = mistakes(folder, QUICK.replace("house:raider", "py:../elsewhere/mine.py"))
    assert "holds the contest file" in told


def test_bots_in_one_folder_would_read_each_other(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    for name in ("ann", "ben"):
        (tmp_path / "bots" / f"{name}.py").write_text(IDLER)
    text = QUICK.replace("house:raider", "py:bots/ann.py").replace("house:wanderer", "cmd:python3 bots/ben.py")
    told = mistakes(tmp_path, text)
    assert ["holds the bot wanderer" in told[0], "holds the bot raider" in told[1]] == [True, True]
    assert "bots/raider/ann.py" in told[0]


def test_a_folder_around_another_bot_is_refused(tmp_path: Path) -> None:
    bot_file(tmp_path, "ann")
    (tmp_path / "bots" / "main.py").write_text(IDLER)
    text = QUICK.replace("house:raider", "dir:bots").replace("house:wanderer", "py:bots/ann/ann.py")
    [told] = mistakes(tmp_path, text)
    assert told.startswith("bots.raider: its folder")
    assert "holds the bot wanderer" in told


def test_the_same_bot_may_play_twice_and_files_may_lie_side_by_side(tmp_path: Path) -> None:
    bot = bot_file(tmp_path, "ann")
    twice = QUICK.replace("house:raider", f"py:{bot}").replace("house:wanderer", f"cmd:python3 {bot}")
    assert len(plan_of(tmp_path, twice).bots) == 3
    for name in ("ann", "ben"):
        (tmp_path / f"{name}.py").write_text(IDLER)
    alone = QUICK.replace("house:raider", "dir:ann.py").replace("house:wanderer", "dir:ben.py")
    assert len(plan_of(tmp_path, alone).bots) == 3  # of a bot that is one file nothing else is shown


def test_a_toolchain_that_holds_a_bot_or_the_contest_is_refused(tmp_path: Path) -> None:
    bot = bot_file(tmp_path, "ann")
    (tmp_path / "bots" / "tool").write_text("#!/bin/sh\n")
    (tmp_path / "bots" / "tool").chmod(0o755)
    text = QUICK.replace("house:raider", f"py:{bot}").replace("[run]", '[toolchains]\nmine = "bots"\n[run]')
    [told] = mistakes(tmp_path, text)
    assert told.startswith("toolchains.mine: ")
    assert "holds the bot raider" in told


def test_what_lies_in_the_system_is_seen_by_every_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "SYSTEM", (str(tmp_path),))
    bot = bot_file(tmp_path, "ann")
    told = mistakes(tmp_path, QUICK.replace("house:raider", f"py:{bot}"))
    assert [line.partition(" lies in ")[0] for line in told] == [
        "contest: the contest file league.toml",
        "contest: its store",
        "contest: the bot raider",
    ]


def test_in_the_open_nothing_is_hidden_and_nothing_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(IDLER)
    text = QUICK.replace("house:raider", "py:mine.py").replace("[run]", '[cage]\nlevel = "open"\n[run]')
    assert plan_of(tmp_path, text).cage.level == "open"


def test_a_contest_names_toolchains_from_where_it_lies(tmp_path: Path) -> None:
    zig = tmp_path / "zig" / "bin" / "zig"
    zig.parent.mkdir(parents=True)
    zig.write_text("#!/bin/sh\n")
    zig.chmod(0o755)
    plan = plan_of(tmp_path, QUICK.replace("[run]", '[toolchains]\nzig = "zig"\n[run]'))
    [toolchain] = plan.brief.cage.policy.toolchains
    assert str(toolchain.places["zig"]) == "/toolchains/zig/bin/zig"
    assert plan.identity != plan_of(tmp_path).identity
    for value in ("7", '"nowhere"', f'"{os.sep}"', '"/etc"'):
        [told] = mistakes(tmp_path, QUICK.replace("[run]", f"[toolchains]\nzig = {value}\n[run]"))
        assert told.startswith("toolchains.zig: ")
