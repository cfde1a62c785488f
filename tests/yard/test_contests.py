"""Contests of a yard: announced, entered, played, amended, released; with the tables of the command line."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from botyard.contest.messages import CageOptions
from botyard.contest.roots import root_hash
from botyard.rank.ladder import TaskClass
from botyard.yard.bots.unpacking import UnpackedSubmission
from botyard.yard.bots.versions import activate
from botyard.yard.caller import Caller
from botyard.yard.contests.contests import Contest, release_games
from botyard.yard.contests.entrants import enter_contest, entrants_of, leave_contest
from botyard.yard.contests.files import BadContestFile, read_site_file
from botyard.yard.contests.starting_files import formats_here, starting_file
from botyard.yard.contests.submissions import enter_submissions
from botyard.yard.contests.views import games_for, matches_in, rounds_in
from botyard.yard.data.database import inserted_id
from botyard.yard.data.tables import BOT, CLOSED, PAIR, TASK, UNBUILT, VERSION
from botyard.yard.keeping.findings import Findings
from botyard.yard.keeping.verify_contests import verify_contests
from botyard.yard.ladders.match_lists import match_for
from botyard.yard.refusals import InTheWay, NotAllowed, NotThere
from botyard.yard.site import Yard
from botyard.yard.work.matches import MatchPlayer
from botyard.yard.work.orders import match_work
from tests.waiting import finished
from tests.yard.conftest import Hands
from tests.yard.hall import EXAMPLES, Hall, files_of_the_command, open_yard
from tests.yard.handing_in import unpacked
from tests.yard.league import SHORT, League, ended

SMALL = "battlebots"  # its house bots play fifty short games
SETTINGS = "\n".join(f"{name} = {value}" for name, value in SHORT.items() if not name.endswith("timeout_ms"))
FILE = f"""
title = "Spring"
game = "hive"
guests_leave = 0

[bots]
raider = "house:raider"

[format]
kind = "round_robin"
bouts = 1
swap = "same_seed"

[settings]
{SETTINGS}
"""
WATCHED = 'rerun = "on_change"\n' + FILE


def enter(hall: Hall, contest: Contest, bot: int, version: int | None = None) -> str:
    """Enters a bot of its owner with its newest version."""
    with hall.yard.database.writing() as connection:
        owner = connection.execute(sa.select(BOT.c.owner).where(BOT.c.id == bot)).scalar_one()
        newest = sa.select(sa.func.max(VERSION.c.id)).where(VERSION.c.bot == bot)
        chosen = version or connection.execute(newest).scalar_one()
        return enter_contest(connection, contest.slug, owner, bot, chosen, hall.yard.clock())


def play_all(hall: Hall, league: League) -> None:
    """Has every game that waits end: whoever sits first wins."""
    while waiting := [row for row in league.rows(TASK) if row.state == "waiting" and row.urgency == TaskClass.CONTEST]:
        league.record(league.lease(waiting[0].match), ended("p1:3>p2:1"))
        hall.tend()


def verified_contests(yard: Yard) -> list[str]:
    found = Findings()
    with yard.database.reading() as connection:
        verify_contests(connection, found)
    return [str(trouble) for trouble in found.troubles]


# The same table as on the command line


def check_equal_reports(name: str, address: str, folder: Path) -> None:
    yard = open_yard(address, folder)
    hall = Hall(yard)
    text = (EXAMPLES / f"{name}.toml").read_text()
    contest = hall.play(hall.announce(text, slug=name, predictable=True))
    assert contest.state == "over", contest.why
    shutil.copyfile(EXAMPLES / f"{name}.toml", folder / f"{name}.toml")
    expected = finished(files_of_the_command(folder / f"{name}.toml"))
    assert {file: hall.report(contest, file) for file in expected} == expected
    assert verified_contests(yard) == []
    yard.close()


def test_a_contest_of_the_examples_ends_in_the_files_of_the_command_line(tmp_path: Path) -> None:
    check_equal_reports(SMALL, f"sqlite:///{tmp_path / 'yard.db'}", tmp_path)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.toml")))
def test_every_contest_of_the_examples_ends_in_the_files_of_the_command_line(
    name: str, database_address: str, tmp_path: Path
) -> None:
    check_equal_reports(name, database_address, tmp_path)


# The file


def test_every_mistake_in_a_file_is_listed_with_its_line() -> None:
    lines = ['title = "x"', 'game = "hive"', "seed = -1", "", "[bots]", 'a = "py:/etc/passwd"', 'b = "house:nobody"']
    lines += ["", "[format]", 'kind = "swis"', "", "[toolchains]", "zig = '/opt/zig'"]
    with pytest.raises(BadContestFile) as caught:
        read_site_file("\n".join(lines))
    assert [(mistake.line, mistake.where) for mistake in caught.value.mistakes] == [
        (13, "toolchains.zig"), (3, "seed"), (6, "bots.a"), (7, "bots.b"), (9, "format"),
    ]  # fmt: skip
    with pytest.raises(BadContestFile, match="line 2"):
        read_site_file('title = "x"\ngame = \n')


def test_a_predictable_generator_has_to_be_wanted_and_a_guessable_seed_is_warned_of() -> None:
    text = FILE + "\n[time]\n"
    program = text.replace('game = "hive"', 'game = "hive"\npreset = "program"\nseed = 7')
    with pytest.raises(BadContestFile, match="32 bits"):
        read_site_file(program)
    file = read_site_file(program, predictable=True)
    assert file.predictable
    assert "can be guessed" in file.warnings[0]
    assert not read_site_file(text).warnings


@pytest.mark.parametrize("kind", formats_here())
def test_the_form_offers_a_file_without_a_mistake_for_every_format(kind: str) -> None:
    assert kind == read_site_file(starting_file("hive", kind), predictable=True).plan.format.NAME


# Entering, and who rules


def test_people_enter_with_what_is_fit_change_it_and_leave_until_the_deadline(
    hall: Hall, league: League, hands: Hands
) -> None:
    contest = hall.announce(FILE, deadline_ms=hands.now_ms + 1000)
    ant, bee = league.rivals("Ant", "Bee")
    assert (enter(hall, contest, ant), enter(hall, contest, bee)) == ("ant", "bee")
    owner = league.row(BOT, ant).owner
    with pytest.raises(InTheWay, match="1 bot of a person"):
        enter(hall, contest, second_bot(league, owner))
    second = league.version(ant)
    with hall.yard.database.writing() as connection:
        activate(connection, second, hands.now_ms)
        assert [one.version for one in entrants_of(connection, contest.id) if one.key == "ant"] == [second]
        leave_contest(connection, contest.slug, "bee", hands.now_ms, person=league.row(BOT, bee).owner, rules=False)
    hands.pass_ms(1000)
    with pytest.raises(InTheWay, match="takes no entries any more"):
        enter(hall, contest, bee)
    hall.tend()
    assert hall.contest(contest.slug).state == "running"
    assert [set(json.loads(game.bots)) for game in hall.games(contest)] == [{"ant", "raider"}] * 2


def second_bot(league: League, owner: int) -> int:
    """Another bot of a person, which is on no ladder."""
    row = {"owner": owner, "game": "hive", "name": "Moth", "name_key": "moth", "made_ms": 1}
    with league.yard.database.writing() as connection:
        bot = inserted_id(connection, BOT, **row)
    league.version(bot)
    return bot


def test_an_organiser_rules_over_their_own_contests_alone(hall: Hall) -> None:
    contest = hall.announce(FILE)
    other = Caller(hall.person("Otto", "organiser"), "Otto", "organiser")
    own, player = replace(other, person=hall.organiser), replace(other, person=hall.organiser, role="player")
    assert contest.need_ruled_by(own) == hall.organiser
    for stranger in (other, player):
        with pytest.raises(NotAllowed):
            contest.need_ruled_by(stranger)
    assert contest.ruled_by(Caller(1, "Ada", "admin"))


def test_a_contest_says_why_it_cannot_begin(hall: Hall) -> None:
    contest = hall.announce(FILE)
    hall.do("begin", contest)
    hall.tend()
    assert "1 bots in a round_robin" in hall.contest(contest.slug).why
    assert hall.contest(contest.slug).state == "open"


# Running


def test_a_contest_is_paused_resumed_and_ends_with_its_root_shown(hall: Hall, league: League) -> None:
    contest = hall.announce(FILE)
    for bot in league.rivals("Ant", "Bee"):
        enter(hall, contest, bot)
    hall.do("begin", contest)
    hall.tend()
    assert len(hall.games(contest)) == 6
    assert {row.urgency for row in league.rows(TASK)} == {TaskClass.CONTEST}
    first = hall.games(contest)[0].match
    lease = league.lease(first)
    hall.do("pause", contest)
    assert len(hall.games(contest)) == 2, "a pair that has begun stays"
    league.record(lease, ended("p1:3>p2:1"))
    hall.tend()
    assert len(hall.games(contest)) == 2, "nothing is asked while it is paused"
    assert hall.contest(contest.slug).root == ""
    hall.do("resume", contest)
    hall.tend()
    play_all(hall, league)
    over = hall.contest(contest.slug)
    assert (over.state, len(hall.games(contest))) == ("over", 6)
    assert over.root_hash == root_hash(bytes.fromhex(hall.root(contest)))
    assert over.root == hall.root(contest)
    assert verified_contests(hall.yard) == []
    hall.do("again", contest)
    assert hall.contest(contest.slug).root_hash != over.root_hash, "a new contest draws a new root"
    hall.do("cancel", contest)
    assert hall.contest(contest.slug).state == "cancelled"


def test_a_game_that_stays_void_takes_no_other_with_it(hall: Hall, league: League) -> None:
    contest = hall.announce(FILE)
    enter(hall, contest, league.rivals("Ant")[0])
    hall.do("begin", contest)
    hall.tend()
    first, second = (game.match for game in hall.games(contest))
    for _ in range(5):
        league.fail(league.lease(first))
    assert league.match(first).state == "void"
    league.record(league.lease(second), ended("p1:3>p2:1"))
    hall.tend()
    assert hall.contest(contest.slug).state == "over"
    assert {row.state for row in league.rows(PAIR)} == {CLOSED}
    assert "?" in hall.report(contest, "games.csv")


def test_a_watched_contest_plays_anew_what_a_changed_bot_makes_due_and_keeps_the_rest(
    hall: Hall, league: League
) -> None:
    contest = hall.announce(WATCHED)
    ant, bee = league.rivals("Ant", "Bee")
    enter(hall, contest, ant)
    hall.do("begin", contest)
    hall.tend()
    play_all(hall, league)
    assert hall.contest(contest.slug).state == "running"
    assert "brings new ones" in hall.contest(contest.slug).why
    enter(hall, contest, bee)
    hall.tend()
    play_all(hall, league)
    before = {(game.name, game.game): game.match for game in hall.games(contest)}
    assert len(before) == 6
    with pytest.raises(NotAllowed, match="not shown yet"), hall.yard.database.reading() as connection:
        match_for(connection, hall.games(contest)[0].match, Caller()).need_replay()
    enter(hall, contest, ant, league.version(ant))
    hall.tend()
    begun = league.lease(hall.games(contest)[-1].match or 0)
    enter(hall, contest, ant, league.version(ant))
    hall.tend()
    assert "finished first" in hall.contest(contest.slug).why
    assert [row.state for row in league.rows(PAIR) if row.state in ("asked", "begun")] == ["begun"], "no other begins"
    league.record(begun, ended("p1:3>p2:1"))
    hall.tend()
    play_all(hall, league)
    after = {(game.name, game.game): game.match for game in hall.games(contest)}
    kept = {name for name, match in after.items() if before.get(name) == match}
    assert after.keys() == before.keys()
    assert {name for name, _ in kept} == {game.name for game in hall.games(contest) if "ant" not in game.bots}
    hall.do("finish", contest)
    hall.tend()
    assert hall.contest(contest.slug).state == "over"
    assert verified_contests(hall.yard) == []


# What may be seen


def test_games_are_released_in_stages(hall: Hall, league: League) -> None:
    contest = hall.announce(FILE, release="nothing")
    ant, bee = league.rivals("Ant", "Bee")
    for bot in (ant, bee):
        enter(hall, contest, bot)
    hall.do("begin", contest)
    hall.tend()
    play_all(hall, league)
    owner = Caller(league.row(BOT, ant).owner, "owner of Ant")
    organiser = Caller(hall.organiser, "Olga", "organiser")

    def seen(caller: Caller) -> tuple[int, int]:
        """How many games a list names, and how many can be looked at."""
        found, shown = hall.contest(contest.slug), 0
        with hall.yard.database.reading() as connection:
            for game in hall.games(contest):
                try:
                    match_for(connection, game.match, caller)
                    shown += 1
                except NotThere:
                    pass
            return len(games_for(connection, found, caller)), shown

    told = {}
    for stage in ("nothing", "own", "all"):
        with hall.yard.database.writing() as connection:
            release_games(connection, contest.id, stage, hall.organiser, hall.yard.clock())
        told[stage] = [seen(Caller()), seen(owner), seen(organiser)]
    assert told == {
        "nothing": [(0, 0), (0, 0), (6, 6)],
        "own": [(0, 0), (4, 4), (6, 6)],
        "all": [(6, 6), (6, 6), (6, 6)],
    }


def test_rounds_of_a_format_are_shown_as_such(hall: Hall, league: League) -> None:
    knockout = FILE.replace('kind = "round_robin"\nbouts = 1\nswap = "same_seed"', 'kind = "knockout"')
    contest = hall.announce(knockout)
    for bot in league.rivals("Ant", "Bee", "Cicada"):
        enter(hall, contest, bot)
    hall.do("begin", contest)
    hall.tend()
    play_all(hall, league)
    with hall.yard.database.reading() as connection:
        rounds = rounds_in(matches_in(games_for(connection, hall.contest(contest.slug), Caller())))
    assert list(rounds) == ["Round 1", "Final"]
    assert rounds["Final"][0].over
    assert "brings" not in hall.contest(contest.slug).why


# Submissions


def test_a_folder_of_submissions_is_entered_for_people_with_and_without_accounts(hall: Hall, league: League) -> None:
    anna = hall.person("Anna")
    line = 'kaefer = { bot = "dir:subs/Käfer", name = "K" }'
    place = FILE.replace('raider = "house:raider"', f'raider = "house:raider"\n{line}')
    contest = hall.announce(place)
    with hall.yard.database.writing() as connection:
        found = [submission("Anna"), submission("Käfer"), submission("Zoë"), refused("notes.txt")]
        taken = enter_submissions(
            connection, hall.yard.blobs, hall.organiser, contest.slug, found, True, hall.yard.clock()
        )
        entrants = {one.key: one for one in entrants_of(connection, contest.id)}
    assert [one.key for one in taken] == ["anna", "kaefer", "zoe", ""]
    assert [bool(one.refused) for one in taken] == [False, False, False, True]
    assert list(entrants) == ["raider", "kaefer", "anna", "zoe"], "the order of the file first"
    assert (entrants["anna"].person, entrants["zoe"].person) == (anna, None)
    assert {row.owner for row in league.rows(BOT)} == {anna, None}
    hall.do("begin", contest)
    hall.tend()
    assert "still being built and checked" in hall.contest(contest.slug).why
    with hall.yard.database.writing() as connection:
        connection.execute(sa.update(VERSION).values(state="fit"))
        connection.execute(sa.update(VERSION).where(VERSION.c.id == entrants["zoe"].version).values(state=UNBUILT))
    hall.tend()
    assert hall.contest(contest.slug).state == "running"
    players = [players_of(league, game.match) for game in hall.games(contest)]
    assert any(player.unbuilt for table in players for player in table), "what cannot be built forfeits"


def players_of(league: League, match: int) -> tuple[MatchPlayer, ...]:
    with league.yard.database.reading() as connection:
        return match_work(connection, league.yard.blobs, CageOptions(), match).players


def submission(name: str) -> UnpackedSubmission:
    return UnpackedSubmission(name, unpacked({"main.py": name.encode()}, name=name))


def refused(name: str) -> UnpackedSubmission:
    return UnpackedSubmission(name, None, f"{name} is no program (it is left out)")
