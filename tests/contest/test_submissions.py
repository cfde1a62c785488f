"""What people hand in: keys and names that tell all apart, and nothing that is dropped in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from botyard.contest.new_file import fitting_format, new_contest, submission_lines
from botyard.contest.plan import ContestBot
from botyard.contest.reading import ContestReader, read_plan
from botyard.contest.submissions import Submission, is_text, key_of, name_of, read_submissions, told_apart
from botyard.games import load
from botyard.kernel.bounded import toml_of
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


def test_names_that_are_long_and_equal_stay_short_enough_for_the_file(tmp_path: Path) -> None:
    paths = [tmp_path / folder / f"{'x' * 80}.py" for folder in "abc"]
    for path in paths:
        path.parent.mkdir()
        path.write_text("print('up')\n")
    book = load("hackman")
    found = read_submissions(paths)
    assert [one.name for one in found] == ["x" * 60, "x" * 56 + " (2)", "x" * 56 + " (3)"]
    lines = submission_lines(book, found, tmp_path)
    (tmp_path / "league.toml").write_text(new_contest(book, "round_robin", lines))
    assert len(read_plan(tmp_path / "league.toml").bots) == 3


def test_a_link_is_no_submission_wherever_it_leads(tmp_path: Path) -> None:
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "main.py").write_text("print('up')\n")
    (tmp_path / "subs").mkdir()
    for name, target in (("folder", "../secrets"), ("loop", "loop"), ("gone.zip", "nowhere")):
        (tmp_path / "subs" / name).symlink_to(target)
    found = read_submissions((tmp_path / "subs").iterdir())
    assert [(one.taken, one.trouble.partition(",")[0]) for one in found] == 3 * [(False, "it is a link")]
    lines = submission_lines(load("hackman"), found, tmp_path)
    assert sum("is not taken: it is a link" in line for line in lines) == 3


MEANT = "0123456789.\"'\\#=[]{}\n\r-_ "  # signs that mean something in the file
SIGNS = st.characters(exclude_characters="/\0", exclude_categories=()) | st.sampled_from(MEANT)
NAMES = st.text(SIGNS, min_size=1, max_size=80).filter(lambda name: name not in (".", ".."))


@example([(f"{'1' * 60}.py", True), (f"{'1' * 60}.zip", True), (".".join("x" * 30), True)], "x")
@given(st.lists(st.tuples(NAMES, st.booleans()), min_size=1, max_size=4, unique=True), NAMES)
def test_no_name_and_no_reason_breaks_out_of_the_line_it_is_written_in(
    things: list[tuple[str, bool]], reason: str
) -> None:
    """Whatever people call their files, and whatever is said of them, the file reads back as it was meant."""
    paths = [Path("/class/subs") / name for name, _ in things]
    given = [
        Submission(path, key_of(name_of(path)), name_of(path), trouble=reason, taken=taken and is_text(str(path)))
        for path, (_, taken) in zip(paths, things, strict=True)
    ]
    found = told_apart(given, {}, {})
    text = new_contest(load("hackman"), "round_robin", submission_lines(load("hackman"), found, Path("/class")))
    bots = toml_of(text.encode(), "league.toml")["bots"]
    taken = [ContestReader.bot(key, bots.pop(key)) for key in (one.key for one in found if one.taken)]
    assert taken == [ContestBot(f"dir:subs/{one.path.name}", one.name) for one in found if one.taken]
    assert len({bot.name.casefold() for bot in taken}) == len(taken)
    assert all(bot["guest"] for bot in bots.values())  # nothing is left but the house bots
