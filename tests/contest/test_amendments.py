"""Bots that come, go and change after a contest has begun: what stays, what is played anew, and what the table says."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from botyard.contest.amendment import Amendment, BotChanges, amendment_of
from botyard.contest.opening import open_played, pending_amendment
from botyard.contest.plan import Plan
from botyard.contest.rows import GameRow
from botyard.contest.runner import News
from botyard.contest.schema import ASKED, DONE, VOID
from botyard.contest.store_file import StoreFile
from botyard.kernel.errors import YardError
from botyard.rank.formats import Pairing
from tests.contest.yard import PATIENT, QUICK, bot_file, games_of, plan_of, run_contest, table_of

ANNA = "def decide(view):\n    return 'guard N'\n"
MENDED = "def decide(view):\n    return 'guard S'\n"


class Told:
    """Agrees to every amendment, and remembers it."""

    def __init__(self, answer: bool = True) -> None:
        self.amendments: list[Amendment] = []
        self._answer = answer

    def __call__(self, amendment: Amendment) -> bool:
        self.amendments.append(amendment)
        return self._answer

    @property
    def lines(self) -> list[str]:
        return [line for amendment in self.amendments for line in amendment.lines]


def with_bots(*lines: str, text: str = QUICK) -> str:
    head, _, rest = text.partition("[bots]")
    return f"{head}[bots]\n{chr(10).join(lines)}\n\n[format]{rest.partition('[format]')[2]}"


FORAGER, RAIDER, WANDERER = (f'{bot} = "house:{bot}"' for bot in ("forager", "raider", "wanderer"))


def results_of(plan: Plan) -> dict[tuple[str, ...], list[str]]:
    """The results by bots, in the order of their games."""
    found: dict[tuple[str, ...], list[str]] = {}
    for _, bots, _, result in games_of(plan):
        found.setdefault(tuple(bots), []).append(str(result))
    return found


def as_from_the_start(folder: Path, text: str) -> Plan:
    """The same contest, played at once."""
    (folder / "fresh").mkdir()
    for bots in folder.glob("bots"):
        (folder / "fresh" / "bots").symlink_to(bots)
    plan = plan_of(folder / "fresh", text)
    run_contest(plan)
    return plan


def test_a_late_comer_costs_only_its_own_games(tmp_path: Path) -> None:
    run_contest(plan_of(tmp_path, with_bots(FORAGER, WANDERER)))
    late, told = with_bots(FORAGER, RAIDER, WANDERER), Told()
    plan = plan_of(tmp_path, late)
    _, news = run_contest(plan, agree=told)
    assert told.lines == ["4 games stay", "8 games are played: raider is new"]
    assert (news.before, news.done) == (4, 12)
    assert games_of(plan) == games_of(as_from_the_start(tmp_path, late))


def test_a_withdrawn_bot_takes_its_games_along(tmp_path: Path) -> None:
    run_contest(plan_of(tmp_path))
    without, told = with_bots(FORAGER, WANDERER), Told()
    plan = plan_of(tmp_path, without)
    _, news = run_contest(plan, agree=told)
    assert told.lines == ["4 games stay", "8 games are dropped: raider has left"]
    assert (news.before, news.done) == (4, 4)
    assert games_of(plan) == games_of(as_from_the_start(tmp_path, without))


def test_a_mended_bot_plays_its_games_anew(tmp_path: Path) -> None:
    text = with_bots(FORAGER, WANDERER, f'anna = "py:{bot_file(tmp_path, "anna", ANNA)}"', text=QUICK + PATIENT)
    run_contest(plan_of(tmp_path, text))
    bot_file(tmp_path, "anna", MENDED)
    told = Told()
    plan = plan_of(tmp_path, text)
    run_contest(plan, agree=told)
    assert told.lines == [
        "4 games stay", "8 games are dropped: anna has changed", "8 games are played: anna has changed",
    ]  # fmt: skip
    assert [row["games"] for row in table_of(plan)] == [8, 8, 8]
    assert games_of(plan) == games_of(as_from_the_start(tmp_path, text))


def test_nothing_is_lost_if_nobody_agrees(tmp_path: Path) -> None:
    whole = plan_of(tmp_path)
    run_contest(whole)
    before = games_of(whole)
    with pytest.raises(YardError, match="--yes"):
        run_contest(plan_of(tmp_path, with_bots(FORAGER, WANDERER)), agree=Told(answer=False))
    assert games_of(whole) == before


def test_games_of_a_contest_that_was_cut_short_stay_too(tmp_path: Path) -> None:
    """A power cut, and a late-comer after it."""

    def cut(news: News) -> None:
        if news.done >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_contest(plan_of(tmp_path, with_bots(FORAGER, WANDERER)), watch=cut)
    plan = plan_of(tmp_path)
    with StoreFile.open(plan.store_path) as store:
        played = store.counts().recorded
    told = Told()
    _, news = run_contest(plan, agree=told)
    assert played >= 2
    assert news.before == played
    assert told.lines[0] == f"{played} games stay"
    assert games_of(plan) == games_of(as_from_the_start(tmp_path, QUICK))


def test_a_changed_readme_changes_nothing(tmp_path: Path) -> None:
    home = tmp_path / "bots" / "anna"
    bot_file(tmp_path, "anna", ANNA)
    (home / "botyard.toml").write_text('game = "hive"\nrun = ["python3", "anna.py"]\n')
    text = with_bots(FORAGER, 'anna = "dir:bots/anna"')
    before = plan_of(tmp_path, text).identity
    for name in ("README.md", "readme.txt", "LICENSE", "notes.pdf"):
        (home / name).write_text("changed")
    assert plan_of(tmp_path, text).identity == before
    (home / "data.txt").write_text("weights")
    assert plan_of(tmp_path, text).identity != before


@pytest.mark.parametrize("kind", ["knockout", "points_table"])
def test_formats_that_seat_everybody_take_no_change_but_anew(tmp_path: Path, kind: str) -> None:
    form = f'[format]\nkind = "{kind}"\n[run]\nexecutor = "inline"\n'
    whole, without = (
        with_bots(*bots).partition("[format]")[0] + form for bots in ((FORAGER, RAIDER, WANDERER), (FORAGER, RAIDER))
    )
    if kind == "points_table":
        whole, without = (text.replace("[run]", "seats = 2\n[run]") for text in (whole, without))
    run_contest(plan_of(tmp_path, whole))
    with pytest.raises(YardError, match=rf"a {kind} takes no change after its first game: gone: wanderer.*--anew"):
        run_contest(plan_of(tmp_path, without))
    rerun = without.replace("seed = 7", 'seed = 7\nrerun = "on_change"')
    plan, told = plan_of(tmp_path, rerun), Told()
    run_contest(plan, agree=told)
    assert told.lines[0] == "0 games stay"
    assert games_of(plan) == games_of(as_from_the_start(tmp_path, rerun))


SWISS = '[format]\nkind = "swiss"\nrounds = 3\nbouts = 1\n[run]\nexecutor = "inline"\n'


def test_in_a_swiss_contest_a_late_comer_joins_with_the_next_round(tmp_path: Path) -> None:
    four = [f'{name} = "house:forager"' for name in "abcd"]
    first, more = (with_bots(*bots).partition("[format]")[0] + SWISS for bots in (four, ['e = "house:raider"', *four]))

    def cut(news: News) -> None:
        if news.done >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_contest(plan_of(tmp_path, first), watch=cut)
    plan, told = plan_of(tmp_path, more), Told()
    before = games_of(plan)
    run_contest(plan, agree=told)
    games = games_of(plan)
    assert [game for game in games if "e" not in game[1]][: len(before)] == before
    assert games[:2] == before[:2]
    assert "e" not in {bot for game in games[:2] for bot in game[1]}
    assert len(games) == 6
    with open_played(plan.path) as contest:
        table = {row["bot"]: row for row in table_of(contest.plan)}
    assert table.keys() == set("abcde")
    assert sum(row["byes"] for row in table.values()) == 2  # one in each of the rounds with five bots


def test_a_bot_that_leaves_a_swiss_contest_keeps_its_games_and_its_place_in_the_table(tmp_path: Path) -> None:
    four = [f'{name} = "house:forager"' for name in "abcd"]
    whole, without = (with_bots(*bots).partition("[format]")[0] + SWISS for bots in (four, four[:3]))

    def cut(news: News) -> None:
        if news.done >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_contest(plan_of(tmp_path, whole), watch=cut)
    plan = plan_of(tmp_path, without)
    run_contest(plan)
    with open_played(plan.path) as played:
        assert played.differs == ()
        rounds = [row.pairing for row in played.store.rows()]
    assert "d" in {bot for pairing in rounds[:2] for bot in pairing.bots}
    assert "d" not in {bot for pairing in rounds[2:] for bot in pairing.bots}
    assert {row["bot"] for row in table_of(played.plan)} == set("abcd")


def test_who_leaves_a_swiss_contest_in_the_middle_of_a_round_forfeits_what_is_left_of_it(tmp_path: Path) -> None:
    four = [f'{name} = "house:forager"' for name in "abcd"]
    texts = (with_bots(*bots).partition("[format]")[0] + SWISS for bots in (four, four[1:3]))
    played, now = (plan_of(tmp_path, text) for text in texts)
    rows = [row_of(1, "ab", DONE), row_of(2, "cd", ASKED), row_of(3, "bc", VOID)]
    amendment = amendment_of(played, played.identity, now, rows)
    assert amendment is not None
    assert amendment.forfeits == (2,)  # of a and d, who have left; a's game was played
    assert amendment.kept == {1: 1, 2: 2, 3: 3}


def row_of(number: int, bots: str, state: str) -> GameRow:
    pairing = Pairing(tuple(bots), f"round 1 {bots}", 1, bots)
    return GameRow(number, pairing, 7, state, 0, None, 0, None, None, None, None, None, None)


def test_a_bot_whose_files_cannot_be_listed_keeps_nobody_from_playing(tmp_path: Path) -> None:
    deep = tmp_path / "bots" / "deep"
    (deep / "/".join("d" * 40)).mkdir(parents=True)
    plan = plan_of(tmp_path, with_bots(FORAGER, WANDERER, 'deep = "dir:bots/deep"'))
    run_contest(plan)
    told = Told()
    run_contest(plan_of(tmp_path, plan.path.read_text()), agree=told)
    assert not told.amendments
    assert {result for bots, results in results_of(plan).items() if "deep" in bots for result in results} == {
        f"{rival}:0>deep!:0" for rival in ("forager", "wanderer")
    }


def test_an_archive_that_is_packed_anew_with_another_readme_is_the_same_bot(tmp_path: Path) -> None:
    def pack(readme: str, decision: str = "guard N") -> None:
        source = f"def decide(view):\n    return '{decision}'\n"
        with zipfile.ZipFile(tmp_path / "subs" / "anna.zip", "w") as archive:
            archive.writestr("main.py", source)
            archive.writestr("README.md", readme)

    (tmp_path / "subs").mkdir()
    pack("first")
    text = with_bots(FORAGER, 'anna = "dir:subs/anna.zip"')
    before = plan_of(tmp_path, text).identity
    pack("second")
    assert plan_of(tmp_path, text).identity == before
    pack("second", "guard S")
    assert plan_of(tmp_path, text).identity != before


def test_names_titles_and_guests_are_shown_as_the_file_says_now(tmp_path: Path) -> None:
    run_contest(plan_of(tmp_path))
    told, renamed = Told(), 'raider = { bot = "house:raider", name = "Räuber", guest = true }'
    text = "guests_leave = 0\n" + with_bots(FORAGER, renamed, WANDERER).replace("A quick league", "Autumn")
    before = games_of(plan_of(tmp_path, text))
    run_contest(plan_of(tmp_path, text), agree=told)
    with open_played(tmp_path / "league.toml") as played:
        assert (played.plan.title, played.plan.names["raider"]) == ("Autumn", "Räuber")
        assert played.plan.guests == {"raider"}
    assert not told.amendments
    assert games_of(played.plan) == before


class PowerCut(BaseException):
    """Ends everything at once, as far as the database can tell."""


def test_an_amendment_happens_wholly_or_not_at_all_wherever_it_is_cut(tmp_path: Path) -> None:
    first = plan_of(tmp_path)
    run_contest(first)
    text = with_bots(FORAGER, 'new = "house:raider"', 'other = "house:forager"', WANDERER)
    before, plan = games_of(first), plan_of(tmp_path, text)
    amendment = pending_amendment(plan)
    assert amendment is not None
    for last in range(1, 100):
        with StoreFile.open(plan.store_path) as store:
            store.hold()
            statements = iter(range(last))

            def cut(*_: object, statements: Iterator[int] = statements) -> None:
                if next(statements, None) is None:
                    raise PowerCut

            sa.event.listen(store._engine, "before_cursor_execute", cut)
            try:
                store.amend(amendment, {})
                break
            except PowerCut:
                pass
            finally:
                sa.event.remove(store._engine, "before_cursor_execute", cut)
        with StoreFile.open(plan.store_path) as store:
            assert store.identity.bots == first.identity.bots
        assert games_of(first) == before
    assert 10 < last < 99


def test_a_single_game_is_told_as_one(tmp_path: Path) -> None:
    plan, changes = plan_of(tmp_path, QUICK), BotChanges((), (), ())
    amendment = Amendment(plan, plan.identity, changes, {1: 1}, {"anna has left": 1}, {"ben is new": 1}, (2,))
    assert list(amendment.lines) == [
        "1 game stays",
        "1 game is dropped: anna has left",
        "1 game is played: ben is new",
        "1 game is forfeited by those who left",
    ]
