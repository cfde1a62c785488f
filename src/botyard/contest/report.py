"""This module writes the report of a contest: a page, Markdown, JSON for programs, and CSV for spreadsheets."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from itertools import zip_longest
from pathlib import Path

from botyard.contest.find_replay import replay_of
from botyard.contest.markdown import markdown
from botyard.contest.original_files import original_files
from botyard.contest.page import build_page
from botyard.contest.page.games import WatchedGame
from botyard.contest.plan import Plan
from botyard.contest.report_sheets import cross_csv, games_csv, lost_csv, pairs_csv, standings_csv
from botyard.contest.store import PlayedGames
from botyard.contest.summary import summarize
from botyard.contest.summary_json import summary_values
from botyard.contest.summary_records import ContestSummary
from botyard.kernel.errors import YardError
from botyard.kernel.plain import json_text
from botyard.match.filming import film_of
from botyard.match.storage import write_atomically

MOST_WATCHED = 12  # games that can be watched on the page
FILM_BYTES = 128 << 10  # of one game, compressed; a film of 500 ticks has 40 kB at most
FILMS_BYTES = 512 << 10  # of all of them, so that a report can still be sent by mail


ReportText = Callable[[Plan, PlayedGames, ContestSummary], str]

REPORT_FILES: Mapping[str, ReportText] = {
    "report.json": lambda plan, games, summary: json_text(summary_values(summary)) + "\n",
    "report.md": lambda plan, games, summary: markdown(summary),
    "standings.csv": lambda plan, games, summary: standings_csv(summary),
    "cross.csv": lambda plan, games, summary: cross_csv(summary),
    "lost.csv": lambda plan, games, summary: lost_csv(summary),
    "pairs.csv": lambda plan, games, summary: pairs_csv(summary),
    "games.csv": lambda plan, games, summary: games_csv(games.lines()),
}
"""How the files of a report are written, by name; the page and the files of originals come beside them."""


def report_folder(plan: Plan) -> Path:
    return plan.path.with_name(f"{plan.path.stem}-report")


async def write_report(plan: Plan, store: PlayedGames, folder: Path) -> list[Path]:
    """Writes all files of a report and returns their paths."""
    summary = summarize(plan, store)
    files = {name: text_of(plan, store, summary) for name, text_of in REPORT_FILES.items()}
    files["report.html"] = await report_page(plan, store, summary)
    files.update(original_files(plan, store))
    paths = []
    for name, text in files.items():
        write_atomically(folder / name, text.encode())
        paths.append(folder / name)
    return paths


async def report_page(plan: Plan, store: PlayedGames, summary: ContestSummary) -> str:
    """Returns the report as a page, on which some games can be watched."""
    return build_page(summary, await watchable(plan, store, summary))


async def watchable(plan: Plan, store: PlayedGames, summary: ContestSummary) -> list[WatchedGame]:
    """Returns the games to watch on the page: first those of the contest, then the bots' best and worst by rank."""
    shown, room = [], FILMS_BYTES
    for number in worth_watching(summary)[:MOST_WATCHED]:
        row = store.row(number)
        with contextlib.suppress(YardError):  # no replay was kept
            replay = await replay_of(plan, store, row)
            replay.names = tuple(map(summary.name, replay.names))
            told = summary.told(row.result) if row.result else ""
            film = film_of(replay).to_bytes()
            if len(film) <= min(FILM_BYTES, room):
                shown.append(WatchedGame(number, told, film))
                room -= len(film)
    return shown


def worth_watching(summary: ContestSummary) -> list[int]:
    """Returns the numbers of notable games: of the contest's, the first of each kind first."""
    kinds = {game.kind: [one.number for one in summary.notable if one.kind == game.kind] for game in summary.notable}
    numbers = [number for row in zip_longest(*kinds.values()) for number in row if number is not None]
    for kind in ("best", "worst"):
        numbers += [game.number for bot in summary.ranked for game in summary.bots[bot].notable if game.kind == kind]
    return list(dict.fromkeys(numbers))
