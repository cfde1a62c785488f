"""A line of `[bots]` that stands for whatever is handed in: who takes part, and under which key."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.contest.new_file import submission_lines
from botyard.contest.plan import Plan
from botyard.contest.submissions import read_submissions
from botyard.games import load
from botyard.kernel.errors import YardError
from tests.contest.test_amendments import FORAGER, Told, with_bots
from tests.contest.yard import PATIENT, QUICK, games_of, plan_of, run_contest, write

ALL = 'newcomers = "dir:subs/*"'
PROGRAM = "#!/usr/bin/env python3\nraise SystemExit\n"


def hand_in(folder: Path, name: str, source: str = PROGRAM) -> Path:
    path = folder / "subs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    return path


def taking_part(folder: Path, *lines: str) -> dict[str, tuple[str, str]]:
    """The bots of a contest with these lines: key, specification and name."""
    bots = plan_of(folder, with_bots(FORAGER, *lines)).bots
    return {key: (bot.spec, bot.name) for key, bot in bots.items() if key != "forager"}


def test_a_pattern_stands_for_files_and_folders_in_the_order_of_names(tmp_path: Path) -> None:
    hand_in(tmp_path, "Zoë B.py")
    hand_in(tmp_path, "anna/main.py")
    hand_in(tmp_path, "README.md")
    hand_in(tmp_path, ".hidden.py")
    assert taking_part(tmp_path, ALL) == {
        "anna": ("dir:subs/anna", "anna"),
        "zoe-b": ("dir:subs/Zoë B.py", "Zoë B"),
    }


def test_what_another_line_names_is_not_taken_twice(tmp_path: Path) -> None:
    for name in ("anna.py", "ben/main.py", "cleo/bot.py", "dora.py"):
        hand_in(tmp_path, name)
    lines = ('first = "dir:subs/anna.py"', 'second = "cmd:python3 subs/ben/main.py"', 'third = "py:subs/cleo/bot.py"')
    assert list(taking_part(tmp_path, *lines, ALL)) == ["first", "second", "third", "dora"]
    assert list(taking_part(tmp_path, ALL, *lines)) == ["dora", "first", "second", "third"]


def test_two_patterns_share_what_both_mean(tmp_path: Path) -> None:
    hand_in(tmp_path, "anna.py")
    hand_in(tmp_path, "ben.sh")
    assert list(taking_part(tmp_path, 'python = "dir:subs/*.py"', ALL)) == ["anna", "ben"]


def test_the_key_and_the_name_of_another_line_are_not_given_again(tmp_path: Path) -> None:
    hand_in(tmp_path, "anna.py")
    assert taking_part(tmp_path, ALL, 'Anna = { bot = "house:raider", name = "Anna" }') == {
        "anna-2": ("dir:subs/anna.py", "anna (2)"),
        "Anna": ("house:raider", "Anna"),
    }


def test_bots_of_a_pattern_may_be_guests(tmp_path: Path) -> None:
    hand_in(tmp_path, "anna.py")
    plan = plan_of(tmp_path, with_bots(FORAGER, 'samples = { bot = "dir:subs/*", guest = true }'))
    assert plan.guests == {"anna"}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('newcomers = "dir:gone/*"', "there is no folder 'gone'"),
        ('newcomers = "dir:*"', "into a folder of their own"),
        ('newcomers = "dir:./*"', "into a folder of their own"),
        ('newcomers = "dir:subs//*"', "names a root"),
    ],
)
def test_a_pattern_that_cannot_be_meant_so_is_a_mistake(tmp_path: Path, line: str, told: str) -> None:
    hand_in(tmp_path, "anna.py")
    with pytest.raises(YardError, match=r"bots\.newcomers") as caught:
        taking_part(tmp_path, line)
    assert told in str(caught.value)


def test_an_empty_folder_is_no_mistake_while_others_play(tmp_path: Path) -> None:
    (tmp_path / "subs").mkdir()
    assert list(plan_of(tmp_path, with_bots(FORAGER, 'raider = "house:raider"', ALL)).bots) == ["forager", "raider"]


def forfeiting(folder: Path) -> Plan:
    """A contest in which the bots of the folder take part; they cannot be built, so their games are over at once."""
    return plan_of(folder, with_bots(FORAGER, ALL, text=(QUICK + PATIENT).replace("bouts = 2", "bouts = 1")))


def test_a_newcomer_never_changes_the_key_of_a_bot_that_has_played(tmp_path: Path) -> None:
    """Both names make the key `kaefer`, and the newcomer's comes first in the order of names."""
    hand_in(tmp_path, "Käfer.xyz", "no program")
    plan = forfeiting(tmp_path)
    run_contest(plan)
    assert [key for key in plan.bots if key != "forager"] == ["kaefer"]
    hand_in(tmp_path, "Kaefer.xyz", "no program either")
    plan, told = forfeiting(tmp_path), Told()
    assert {key: bot.spec for key, bot in plan.bots.items() if key != "forager"} == {
        "kaefer-2": "dir:subs/Kaefer.xyz",
        "kaefer": "dir:subs/Käfer.xyz",
    }
    run_contest(plan, agree=told)
    assert told.lines == ["2 games stay", "4 games are played: kaefer-2 is new"]
    assert len(games_of(plan)) == 6
    assert forfeiting(tmp_path).identity == plan.identity


def test_a_new_contest_file_offers_to_take_in_whatever_else_comes(tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    subs = [hand_in(tmp_path / "class", name) for name in ("anna.py", "ben.py")]
    lines = submission_lines(load("hive"), read_submissions(subs), tmp_path)
    offered = next(line for line in lines if line.startswith("# newcomers"))
    assert offered.startswith('# newcomers = "dir:class/subs/*" ')
    hand_in(tmp_path / "class", "cleo.py")
    bots = "\n".join(lines).replace("# newcomers", "newcomers")
    plan = plan_of(tmp_path, with_bots(bots))
    assert list(plan.bots) == ["anna", "ben", "cleo"]  # and the house bots have left as guests


@pytest.mark.parametrize("names", [("anna.py", "other/ben.py"), ("../anna.py", "../ben.py")])
def test_it_offers_nothing_if_the_submissions_lie_here_and_there(tmp_path: Path, names: tuple[str, ...]) -> None:
    (tmp_path / "subs").mkdir()
    found = read_submissions([hand_in(tmp_path, name) for name in names])
    assert not [line for line in submission_lines(load("hive"), found, tmp_path) if "newcomers" in line]


def test_a_damaged_store_does_not_keep_a_contest_file_from_being_read(tmp_path: Path) -> None:
    hand_in(tmp_path, "anna.py")
    write(tmp_path, "no store at all", "league.store")
    assert list(taking_part(tmp_path, ALL)) == ["anna"]


def test_a_key_stays_with_its_bot_even_if_a_line_before_it_would_make_the_same(tmp_path: Path) -> None:
    hand_in(tmp_path, "anna.xyz", "no program")
    run_contest(forfeiting(tmp_path))
    (tmp_path / "late").mkdir()
    (tmp_path / "late" / "anna.xyz").write_text("no program either")
    assert taking_part(tmp_path, 'late = "dir:late/*"', ALL) == {
        "anna-2": ("dir:late/anna.xyz", "anna"),
        "anna": ("dir:subs/anna.xyz", "anna (2)"),
    }
    assert list(taking_part(tmp_path, 'anna = "house:raider"', ALL)) == ["anna", "anna-2"]


def test_whoever_hands_in_another_file_instead_keeps_the_key(tmp_path: Path) -> None:
    hand_in(tmp_path, "anna.xyz", "no program")
    run_contest(forfeiting(tmp_path))
    (tmp_path / "subs" / "anna.xyz").unlink()
    hand_in(tmp_path, "anna/main.py")
    assert taking_part(tmp_path, ALL) == {"anna": ("dir:subs/anna", "anna")}
