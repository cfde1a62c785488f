"""Every hostile bot of the catalogue, on every link it can attack: it loses for the true reason and hurts nobody."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from botyard.games import load
from botyard.jail.cgroups import cgroups_hold
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.kernel.verdict import Verdict
from botyard.links.cage_policy import CagePolicy
from botyard.match.clock import LoopClock
from botyard.match.loop import Played
from botyard.match.report import TurnFilter, TurnReport
from botyard.match.report_text import report_lines
from tests.conftest import need
from tests.hostile.aftermath import nothing_left
from tests.hostile.catalogue import CATALOGUE, ROWS, Hostile, cases
from tests.links.matches import play_match, rival_of, short_match
from tests.links.yard import LateClock
from tests.waiting import finished

# Short games, in which no stall of this machine makes a bot late.
SETTINGS = {
    "hackman": short_match("hackman", max_rounds=8, max_timeouts=0),
    "hive": short_match("hive", max_turns=20, random_seats=False),
    "snakepit": short_match("snakepit", width=40, height=40, tick_timeout=8, on_connect_failure="straight"),
}

# Where silence is what is tested, it is not drawn out.
BRISK: dict[str, dict[str, Any]] = {
    "hackman": {"timebank_ms": 1000, "time_per_move_ms": 1000, "settle_ms": 100},
    "hive": {"reply_timeout_ms": 1000},
    "snakepit": {"client_timeout": 1},
}


def play(hostile: Hostile, link: str, level: str, folder: Path) -> Played:
    game = game_of(link)
    timed = {"SILENT", "LATE"} & set(hostile.verdicts)
    chosen = {**SETTINGS[game], **(BRISK[game] if timed else {}), **hostile.settings}
    policy = CagePolicy(Level(level), hostile.allowed, hostile.freeze)
    (folder / "neighbour").mkdir(exist_ok=True)
    python = need("/usr/bin/python3") if level == Level.LIMITED else sys.executable
    bot = hostile.bot(folder, link, python)
    bots = [bot, bot if hostile.twins else rival_of(game)]
    settings, clock = load(game).settings.read(chosen).seated(2), LateClock() if "LATE" in timed else LoopClock()
    unbuilt = Verdict.UNBUILT if "UNBUILT" in hostile.verdicts else None
    return finished(play_match(game, bots, settings, policy=policy, clock=clock, without=unbuilt))


def game_of(link: str) -> str:
    """The game that a link is attacked in."""
    return "hackman" if link == "json" else link


@pytest.mark.parametrize(
    ("hostile", "link", "level"), [pytest.param(*case, id=f"{case[0].name}-{case[1]}-{case[2]}") for case in cases()]
)
def test_a_hostile_bot_hurts_only_itself(
    hostile: Hostile, link: str, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_level(level)
    monkeypatch.setenv("BOTYARD_SECRET", "hush")
    expected = hostile.against(link)
    need_groups(expected)
    play_once_before(link)
    with home_for(level, tmp_path) as home:
        for _ in range(2 if hostile.twins else 1):
            with nothing_left():
                played = play(expected, link, level, home)
            check(played, expected)


@contextmanager
def home_for(level: str, folder: Path) -> Iterator[Path]:
    """A folder that the bot's user can reach: outside a cage nothing makes one for it."""
    if level != Level.LIMITED:
        yield folder
        return
    with TemporaryDirectory(dir="/var/tmp") as open_folder:
        Path(open_folder).chmod(0o755)
        yield Path(open_folder)


def check(played: Played, expected: Hostile) -> None:
    assert played.outcome is not None, played.trouble
    seat = played.entrants.index(0)
    own = [turn for turn in played.turns if turn.seat == seat]
    rivals = [turn for turn in played.turns if turn.seat != seat]
    lost = [turn for turn in own if turn.verdict is not Verdict.OK]
    told = "\n".join(f"{turn.tick}: {turn.verdict} {turn.reason}\n{turn.said[-400:]}" for turn in (lost or own)[:1])
    assert [str(verdict) for verdict, _ in groupby(turn.verdict for turn in own)] == expected.verdicts, told
    assert {turn.verdict for turn in rivals} <= {Verdict.OK}
    assert expected.reason in (lost[0].reason if lost else ""), told
    assert any(turn.early for turn in own) or not expected.early
    page = report_of(played)
    assert expected.said in page
    assert not lost or lost[0].reason.splitlines()[0][:40] in page
    assert not set(page) & set(map(chr, [*range(10), *range(11, 32), 127, 0x202E])), "the report can be printed"


def report_of(played: Played) -> str:
    report = TurnReport(TurnFilter())
    report.add("the game", played.replay, played.log)
    return "\n".join(line.text for line in report_lines(report, full=True))


@cache
def play_once_before(link: str) -> None:
    """Rules are loaded and compiled before anything is counted."""
    game = game_of(link)
    finished(play_match(game, [rival_of(game)] * 2, load(game).settings.read(SETTINGS[game]).seated(2)))


def need_level(level: str) -> None:
    need("bwrap")
    if trouble := obstacle(Level(level)):
        pytest.skip(f"{level}: {trouble}")


def need_groups(expected: Hostile) -> None:
    """Where no control group counts, the limits hold just as well, but a bot that is told so says it in its own way."""
    for verdict, controller in (("MEMORY", "memory"), ("FORBIDDEN", "pids")):
        if verdict in expected.verdicts and not cgroups_hold(controller):
            pytest.skip(f"no control group counts {controller} here, which the verdict {verdict} rests on")


def test_every_row_of_the_catalogue_has_its_bot() -> None:
    assert {hostile.row for hostile in CATALOGUE} == set(ROWS)
