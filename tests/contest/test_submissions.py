"""What people hand in: keys and names that tell all apart, and nothing that is dropped in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.contest.new_file import fitting_format, new_contest, submission_lines
from botyard.contest.reading import read_plan
from botyard.contest.submissions import key_of, read_submissions
from botyard.games import load
from tests.contest.school import hand_in


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("anna", "anna"),
        ("Käfer (9b)", "kaefer-9b"),
        ("Jürgen Groß", "juergen-gross"),
        ("Zoë", "zoe"),
        ("Øresund Ægir", "oeresund-aegir"),
        ("François  l'Éclair!!", "francois-l-eclair"),
        ("名無し", "bot"),
        ("../../etc", "etc"),
        ("=1+1", "1-1"),
        ("x" * 99, "x" * 20),
        ("a-name-of-twenty-one-letters", "a-name-of-twenty-one"),
    ],
)
def test_a_key_is_made_of_plain_letters(name: str, key: str) -> None:
    assert key_of(name) == key


def test_submissions_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    for place in ("9a/Bot", "9b/Bot", "9c/bot"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "main.py").write_text("print('up')\n")
    found = read_submissions(tmp_path / place for place in ("9a/Bot", "9b/Bot", "9c/bot"))
    assert [(one.key, one.name) for one in found] == [("bot", "Bot"), ("bot-2", "Bot (2)"), ("bot-3", "bot (3)")]


def test_what_cannot_be_read_is_listed_and_not_dropped(tmp_path: Path) -> None:
    hand_in(tmp_path / "subs")
    (tmp_path / "subs" / ".DS_Store").write_text("x")
    (tmp_path / "subs" / "empty").mkdir()
    found = {one.path.name: one for one in read_submissions([*(tmp_path / "subs").iterdir(), tmp_path / "gone"])}
    assert len(found) == 28
    assert {name for name, one in found.items() if not one.taken} == {".DS_Store", "Liste.csv", "gone"}
    assert {name for name, one in found.items() if one.taken and one.trouble} == {"Quirin.zip", "empty"}
    assert "cannot be unpacked" in found["Quirin.zip"].trouble
    assert "no program found" in found["empty"].trouble
    languages = {one.language for one in found.values() if one.language}
    assert languages == {"python", "javascript", "java", "c", "c++", "go", "rust", "lua"}


def test_a_contest_file_is_made_of_what_was_handed_in(tmp_path: Path) -> None:
    hand_in(tmp_path / "subs")
    strange = tmp_path / "subs" / 'say "hi" \\ now.py'
    strange.write_text("print('up')\n")
    book = load("hackman")
    submissions = read_submissions((tmp_path / "subs").iterdir())
    text = new_contest(book, fitting_format(book, 25), submission_lines(book, submissions, tmp_path))
    (tmp_path / "league.toml").write_text(text)
    plan = read_plan(tmp_path / "league.toml")
    assert plan.names == {one.key: one.name for one in submissions if one.taken}
    assert plan.specs["kaefer-9b"] == "dir:subs/Käfer (9b)"
    assert plan.names["say-hi-now"] == 'say "hi" \\ now'
    assert plan.root is None
    assert "Liste.csv" in text  # in a comment that says why it is not taken
    assert not plan.guests  # the house bots have left: enough players are there


def test_one_bot_alone_plays_with_the_house_bots(tmp_path: Path) -> None:
    (tmp_path / "anna.py").write_text("print('up')\n")
    book = load("hackman")
    lines = submission_lines(book, read_submissions([tmp_path / "anna.py"]), tmp_path)
    (tmp_path / "league.toml").write_text(new_contest(book, "round_robin", lines))
    plan = read_plan(tmp_path / "league.toml")
    assert plan.keys == ["anna", *book.bots.HOUSE_BOTS]
    assert plan.guests == set(book.bots.HOUSE_BOTS)
