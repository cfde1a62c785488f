"""Reports: what they hold, that they do not depend on time, and the files of the originals to the letter."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from botyard.contest.markdown import code, words
from botyard.contest.notable_games import NotableGames
from botyard.contest.pair_games import LISTED, listed_of_pair
from botyard.contest.plan import Plan
from botyard.contest.reading import read_plan
from botyard.contest.report import report_folder, write_report
from botyard.contest.runner import News, replay_course
from botyard.contest.sheets import FORMULA, NUMBER, csv_text
from botyard.contest.store_file import StoreFile
from botyard.contest.summary import summarize
from botyard.contest.summary_json import standings_values
from botyard.rank.ratings import rate
from botyard.rank.results import parse
from botyard.rank.strengths import Strength, strengths
from tests.conftest import outside_recordings
from tests.contest.yard import PATIENT, QUICK, bot_file, games_of, plan_of, run_contest, write
from tests.waiting import finished

TOURNAMENT = """
game = "battlebots"
preset = "program"
seed = 1
[bots]
hugger = "house:hugger"
nop = "house:nop"
[format]
kind = "round_robin"
[run]
executor = "inline"
"""

PIT = """
game = "snakepit"
seed = 4
[settings]
width = 12
height = 12
tick_timeout = 60
[bots]
beeline = "house:beeline"
careful = "house:careful"
aggressor = "house:aggressor"
[format]
kind = "king_of_the_hill"
solo_games = 2
best_of = 3
[run]
executor = "inline"
"""


def test_a_report_holds_everything_in_files(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        paths = finished(write_report(plan, store, report_folder(plan)))
    assert {path.name for path in paths} == {
        "report.html", "report.json", "report.md", "standings.csv", "cross.csv", "games.csv", "lost.csv", "pairs.csv",
    }  # fmt: skip
    assert all(path.is_file() for path in paths)
    games = list(csv.DictReader(io.StringIO((report_folder(plan) / "games.csv").read_text())))
    assert [game["result"] for game in games] == [result for *_, result in games_of(plan)]
    values = json.loads((report_folder(plan) / "report.json").read_text())
    page = (report_folder(plan) / "report.md").read_text()
    assert values["standings"]["verdict"] in page
    for row in values["standings"]["rows"]:
        assert f"### {row['bot']}" in page
    first = next(csv.DictReader(io.StringIO((report_folder(plan) / "standings.csv").read_text())))
    assert first["bot"] == values["standings"]["rows"][0]["bot"]


def test_ratings_in_a_report_are_those_of_the_log(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    run_contest(plan)
    log = [parse(result) for *_, result in games_of(plan)]
    with StoreFile.open(plan.store_path) as store:
        summary = summarize(plan, store)
    assert summary.ratings == rate(plan.keys, log)
    for bot, own in strengths(plan.keys, log).items():
        assert summary.strengths[bot].elo == pytest.approx(own.elo, abs=0.06)


def test_the_cross_table_adds_up(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        cross = summarize(plan, store).cross
    for one in plan.keys:
        for other in set(plan.keys) - {one}:
            met, mirrored = cross[one][other], cross[other][one]
            assert met.games == 4
            assert (met.wins, met.draws, met.losses) == (mirrored.losses, mirrored.draws, mirrored.wins)


def test_two_runs_have_the_same_standings_to_the_byte(tmp_path: Path) -> None:
    texts = []
    for name in ("one.toml", "two.toml"):
        plan = read_plan(write(tmp_path, QUICK, name))
        run_contest(plan)
        with StoreFile.open(plan.store_path) as store:
            texts.append(json.dumps(standings_values(summarize(plan, store).standings)))
    assert texts[0] == texts[1]


class Cut(Exception):
    """The power fails."""


def test_an_unfinished_contest_has_a_report_too(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)

    def cut(news: News) -> None:
        if news.done:
            raise Cut

    with pytest.raises(Cut):
        run_contest(plan, watch=cut)
    with StoreFile.open(plan.store_path) as store:
        course, over = replay_course(plan, store)
        finished(write_report(plan, store, report_folder(plan)))
    assert not over
    assert sum(tally.games for tally in course.sums.tallies.values()) > 0
    assert "not over" in (report_folder(plan) / "report.md").read_text()


def test_each_bots_best_and_worst_games_are_named(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, QUICK.replace("bouts = 2", "bouts = 40"))
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        summary = summarize(plan, store)
        results = {row.number: row.result for row in store.rows()}
    elo = {bot: own.elo for bot, own in summary.strengths.items()}
    for bot in plan.keys:
        beaten = {rival for rival, met in summary.cross[bot].items() if met.wins}
        for game in summary.bots[bot].notable:
            result = results[game.number]
            assert result is not None
            assert result.winner == game.ahead
            if game.kind == "best":
                assert (game.ahead, elo[game.behind]) == (bot, max(elo[rival] for rival in beaten))
            else:
                assert (game.kind, game.behind) == ("worst", bot)
        assert ("best" in [game.kind for game in summary.bots[bot].notable]) == bool(beaten)


def test_the_games_of_a_pair_are_those_they_played(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        finished(write_report(plan, store, report_folder(plan)))
    lines = csv.DictReader(io.StringIO((report_folder(plan) / "pairs.csv").read_text()))
    told = {(int(line["game"]), frozenset((line["bot"], line["rival"])), line["ending"], line["bot"]) for line in lines}
    games = [(number, bots, parse(result)) for number, bots, _, result in games_of(plan)]
    for _, _, ending, bot in told:
        assert ending in ("won", "drawn", "lost")
        assert bot in plan.keys
    for number, bots, result in games:
        [(ending, bot)] = [row[2:] for row in told if row[:2] == (number, frozenset(bots))]
        assert ending == ("drawn" if result.winner is None else "won" if result.winner == bot else "lost")


def of_lines(text: str) -> NotableGames:
    """What is notable among games, each with its result and its ticks."""
    notable = NotableGames("ABC")
    for number, line in enumerate(text.split("\n"), 1):
        result, _, ticks = line.strip().partition(" ")
        notable.add(number, parse(result), parse(result).duels(), int(ticks or 0))
    return notable


def strength_of(**elo: float) -> dict[str, Strength]:
    return {bot: Strength(value, value - 100, value + 100) for bot, value in elo.items()}


def test_close_surprising_and_long_games_are_worth_watching() -> None:
    notable = of_lines("A:9>B:1 10\nB:5>C:4 90\nC:8>A:7 20\nA:3>C:1 10\nA:1>B!:0 500")
    games = notable.of_contest(strength_of(A=200, B=0, C=-200))
    found = {kind: [game.number for game in games if game.kind == kind] for kind in ("closest", "upset", "longest")}
    assert found["closest"] == [3, 2, 4]  # of equals the one with more points; who forfeits does not play
    assert found["upset"] == [3]
    assert found["longest"] == [2, 3, 1]
    [upset] = [game for game in games if game.kind == "upset"]
    assert upset.why({"C": "Käfer"}) == "Käfer beat A, which is 400 Elo points stronger"


def test_games_that_are_all_alike_are_neither_close_nor_long() -> None:
    assert of_lines("A:1>B:0 5\nB:1>C:0 5\nA:1>C:0 5").of_contest(strength_of(A=9, B=0, C=-9)) == ()


def test_of_many_games_of_a_pair_the_first_are_listed(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, QUICK.replace("bouts = 2", "bouts = 30"))
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        summary = summarize(plan, store)
        finished(write_report(plan, store, report_folder(plan)))
    [first, *_] = summary.pairs
    assert len(first.numbers) == 60
    assert [game.number for game in summary.listed_of(first)] == first.numbers.tolist()[:LISTED]
    for name in ("report.html", "report.md"):
        assert (report_folder(plan) / name).read_text().count("10 more") == 3
    assert listed_of_pair(3) == LISTED
    assert listed_of_pair(300) == 1


def test_lost_turns_are_told_with_reason_and_remedy_in_every_file(tmp_path: Path) -> None:
    file = bot_file(tmp_path, "idler", "def decide(view):\n    return 'debug x=3'\n")
    bot = f'{{ bot = "py:{file}", name = "Käfer (9b)", guest = true }}'
    plan = plan_of(tmp_path, "guests_leave = 0\n" + QUICK.replace('"house:wanderer"', bot) + PATIENT)
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        summary = summarize(plan, store)
        finished(write_report(plan, store, report_folder(plan)))
    lost = summary.bots["wanderer"].lost["GARBLED"]
    assert lost.count == summary.bots["wanderer"].verdicts["GARBLED"] == 8
    assert "debug x=3" in lost.reason
    values = json.loads((report_folder(plan) / "report.json").read_text())
    assert values["bots"]["wanderer"]["lost"]["GARBLED"]["remedy"] == lost.remedy
    [row] = csv.DictReader(io.StringIO((report_folder(plan) / "lost.csv").read_text()))
    assert (row["bot"], row["name"], row["verdict"], row["turns"]) == ("wanderer", "Käfer (9b)", "GARBLED", "8")
    page = (report_folder(plan) / "report.md").read_text()
    assert f"GARBLED 8: {lost.reason} (game {lost.game}, in tick {lost.tick}); remedy: {lost.remedy}." in page
    assert f"botyard contest replay league.toml {lost.game} --show" in page
    assert "| guest | [Käfer (9b)](#bot-wanderer) |" in page
    assert next(row for row in values["standings"]["rows"] if row["bot"] == "wanderer")["place"] is None


# Strangers' words in files


@pytest.mark.parametrize(
    "word",
    [
        "=1+1", "+1+cmd|' /C calc'!A0", "-2+3+A1", "@SUM(1)", "\t=1", "\r=1", "\n=1", " =1", '"=1"', "'=1", "＝1+1",
        "＋1", "－1+1", "＠x", "\u200b=1", "\ufeff=1", "|x", "%x", "-", "--1", "-1-1", "+1e5+x", "-1,5",
    ],
)  # fmt: skip
def test_no_cell_of_a_table_is_a_formula(word: str) -> None:
    text = csv_text(["bot", word], [[word, -5], ["anna", -2.5]])
    heads, first, second = csv.reader(io.StringIO(text, newline=""))
    assert heads == ["bot", f"'{word}"]
    assert first == [f"'{word}", "-5"]
    assert second == ["anna", "-2.5"]


@pytest.mark.parametrize(
    "word", ["anna", "a-b", "Ä.b+c", "3-1-0", "-5", "+5", "-2.5", 'a"b', "a,b", "a\nb", "a\r\nb", "a;b"]
)
def test_other_cells_come_back_as_they_were(word: str) -> None:
    assert list(csv.reader(io.StringIO(csv_text(["bot"], [[word]]), newline=""))) == [["bot"], [word]]


def test_bots_with_names_like_formulas_have_tables(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, QUICK.replace("forager =", '"-2+3" =').replace("raider =", '"+1" ='))
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        finished(write_report(plan, store, report_folder(plan)))
    for name in ("standings.csv", "cross.csv", "games.csv"):
        rows = list(csv.reader(io.StringIO((report_folder(plan) / name).read_text(), newline="")))
        assert len({len(row) for row in rows}) == 1
        assert not any(
            FORMULA.match(cell) and not NUMBER.fullmatch(cell) and cell[0] != "'" for row in rows for cell in row
        )
    assert "'-2+3" in (report_folder(plan) / "standings.csv").read_text()


def test_markdown_shows_words_as_text(tmp_path: Path) -> None:
    title = "<script>x</script> [a](javascript:b) `c` *d* _e_ |f"
    plan = plan_of(tmp_path, QUICK.replace('"A quick league"', f'"{title}"').replace("forager =", "_anna_ ="))
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        finished(write_report(plan, store, report_folder(plan)))
    page = (report_folder(plan) / "report.md").read_text()
    head = r"# \<script\>x\</script\> \[a\](javascript:b) \`c\` \*d\* \_e\_ \|f"
    assert page.startswith(head)
    assert r"### \_anna\_" in page
    assert words("https://x.y, WWW.x.y: 3.5 /a//b") == r"https\://x.y, WWW\.x.y: 3.5 /a//b"  # no link by itself
    assert code("a`b") == "``a`b``"
    assert code("`a\n") == "`` `a· ``"


# The files of the originals


def test_the_battlebots_tournament_prints_what_the_original_printed(tmp_path: Path) -> None:
    recorded = (outside_recordings("battlebots") / "battlebots_stdout_huggy_vs_nop.txt").read_text()
    plan = plan_of(tmp_path, TOURNAMENT)
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        finished(write_report(plan, store, report_folder(plan)))
    assert (report_folder(plan) / "battlebots.txt").read_text() == recorded.replace("huggy", "hugger")


def test_the_battlebots_tournament_of_nop_and_hugger(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, TOURNAMENT)
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        finished(write_report(plan, store, report_folder(plan)))
    lines = ["hugger vs nop", "0 1 2 3 4 ", "", "Results:", "Bot\tMatches\tBouts", "hugger\t0\t0", "nop\t1\t5", ""]
    assert (report_folder(plan) / "battlebots.txt").read_text() == "\n".join(lines)


def test_only_a_round_robin_is_the_originals_tournament(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, TOURNAMENT.replace('"round_robin"', '"fixed"'))
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        assert "battlebots.txt" not in {path.name for path in finished(write_report(plan, store, report_folder(plan)))}


def test_snakepit_writes_its_results_files_in_their_layout(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, PIT)
    course, _ = run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        finished(write_report(plan, store, report_folder(plan)))
    sums = {row.bot: row.columns["hill score"] for row in course.standings().rows}
    lines = (report_folder(plan) / "bs_results.txt").read_text().split("\n")
    assert lines[:4] == ["==Match Settings==", " Best Of 3", " Seed 4", "==Snake Scores=="]
    ranked = sorted(plan.keys, key=lambda bot: -int(sums[bot]))
    for at, (bot, line) in enumerate(zip(ranked, lines[4:7], strict=True), 1):
        assert line == f"#{at}: {bot} [{plan.keys.index(bot) + 1}] Score: {sums[bot]}"
    assert lines[7] == "==By Round=="
    assert lines[8].startswith(" Round: 1 ")
    assert lines[-1] == ""
    solo = (report_folder(plan) / "bs_results_solo_careful.txt").read_text()
    careful = next(row for row in course.standings().rows if row.bot == "careful")
    assert f"#1: careful [1] Score: {careful.columns['solo score']}\n" in solo
    assert solo.count(" Round: ") == 2


@pytest.mark.parametrize(
    ("kind", "shown"), [('"best_of"\ngames = 3', 3), ('"first_to"\nwins = 2', 3), ('"fixed"\ngames = 2', 2)]
)
def test_matches_of_snakepit_have_results_files_too(tmp_path: Path, kind: str, shown: int) -> None:
    shape = f'[format]\nkind = {kind}\nbonus = 2500\n[run]\nexecutor = "inline"\n'
    plan = plan_of(tmp_path, PIT.partition("[format]")[0] + shape)
    course, _ = run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        finished(write_report(plan, store, report_folder(plan)))
    text = (report_folder(plan) / "bs_results.txt").read_text()
    assert f" Best Of {shown}\n" in text
    for row in course.standings().rows:
        assert f"Score: {row.columns['score']}\n" in text


def with_settings(line: str) -> str:
    return PIT.replace("[bots]", f"{line}\n[bots]")


def originals_of(plan: Plan) -> dict[str, str]:
    run_contest(plan)
    with StoreFile.open(plan.store_path) as store:
        paths = finished(write_report(plan, store, report_folder(plan)))
    return {path.name: path.read_text() for path in paths if "results" in path.name}


def test_results_files_are_named_and_joined_as_the_settings_say(tmp_path: Path) -> None:
    apart = originals_of(plan_of(tmp_path, with_settings('results_file = "elsewhere/my_results.log"')))
    names = ["my_results.log", *(f"my_results_solo_{bot}.log" for bot in ("beeline", "careful", "aggressor"))]
    assert sorted(apart) == sorted(names)
    (tmp_path / "league.store").unlink()
    joined = originals_of(plan_of(tmp_path, with_settings('preserve_mode = "a"')))
    assert list(joined) == ["bs_results.txt"]
    matches = joined["bs_results.txt"].split("==Match Settings==\n")[1:]
    assert sorted(matches) == sorted(text.removeprefix("==Match Settings==\n") for text in apart.values())
    (tmp_path / "league.store").unlink()
    assert originals_of(plan_of(tmp_path, with_settings("preserve_results = false"))) == {}
