"""This module writes the report of a contest: a page, Markdown, JSON for programs, and CSV for spreadsheets."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from botyard.contest.find_replay import replay_of
from botyard.contest.original_files import original_files
from botyard.contest.page import WatchedGame, build_page
from botyard.contest.page.frames import packed
from botyard.contest.plan import Plan
from botyard.contest.sheets import csv_text
from botyard.contest.store import Store
from botyard.contest.summary import ContestSummary, summarize
from botyard.contest.summary_json import summary_values
from botyard.kernel.errors import YardError
from botyard.kernel.plain import clean, json_text
from botyard.match.storage import write_atomically
from botyard.rank.standings import Standings

MARKS = re.compile(r"[\\`*_\[\]<>#|~&]")  # characters that mean something in Markdown or HTML
MOST_WATCHED = 6  # games that can be watched on the page


def report_folder(plan: Plan) -> Path:
    return plan.path.with_name(f"{plan.path.stem}-report")


async def write_report(plan: Plan, store: Store, folder: Path) -> list[Path]:
    """Writes all files of a report and returns their paths."""
    summary = summarize(plan, store)
    files = {
        "report.json": json_text(summary_values(summary)) + "\n",
        "report.md": markdown(summary),
        "standings.csv": standings_csv(summary),
        "cross.csv": cross_csv(summary),
    }
    files["report.html"] = build_page(summary, await watchable(plan, store, summary))
    files.update(original_files(plan, store))
    paths = []
    for name, text in files.items():
        write_atomically(folder / name, text.encode())
        paths.append(folder / name)
    paths.append(write_games(store, folder / "games.csv"))
    return paths


async def watchable(plan: Plan, store: Store, summary: ContestSummary) -> list[WatchedGame]:
    """Returns the games to watch on the page: the best one of each bot in order of rank, then the worst ones."""
    bots = [summary.bots[bot] for bot in summary.ranked]
    firsts = [number for bot in bots for number in bot.best_games[:1]]
    firsts += [number for bot in bots for number in bot.worst_games[:1]]
    shown = []
    for number in list(dict.fromkeys(firsts))[:MOST_WATCHED]:
        row = store.row(number)
        with contextlib.suppress(YardError):  # no replay was kept
            replay = await replay_of(plan, store, row)
            shown.append(WatchedGame(number, str(row.result), packed(replay)))
    return shown


def write_games(store: Store, path: Path) -> Path:
    """Writes every game on a line of its own."""
    heads = ["game", "match", "number", "bots", "seed", "result", "ticks", "house_faults"]
    write_atomically(path, csv_text(heads, store.lines()).encode())
    return path


def standings_csv(summary: ContestSummary) -> str:
    heads = ["place", "bot", *summary.standings.heads, "elo", "elo_low", "elo_high", "mu", "sigma"]
    lines = []
    for row in summary.standings.rows:
        strength, rating = summary.strengths[row.bot], summary.ratings[row.bot]
        more = [strength.elo, strength.low, strength.high, round(rating.mu, 3), round(rating.sigma, 3)]
        lines.append([row.place, row.bot, *row.columns.values(), *more])
    return csv_text(heads, lines)


def cross_csv(summary: ContestSummary) -> str:
    """Returns a table of the wins-draws-losses of the row's bot against the column's."""
    bots = summary.ranked
    return csv_text(["bot", *bots], [[one, *(cell(summary, one, other) for other in bots)] for one in bots])


def cell(summary: ContestSummary, one: str, other: str) -> str:
    return str(summary.cross[one].get(other, ""))


# Markdown


def markdown(summary: ContestSummary) -> str:
    standings, games = summary.standings, summary.games
    state = "" if summary.finished else " The contest is not over: this is its present state."
    parts = [
        f"# {words(summary.title)}",
        f"{summary.game.title}, {summary.format.kind}: {summary.format.summary}. "
        f"{games.recorded} games, {summary.origin}, {games.void} void, "
        f"{games.house_faults} faults of Botyard (played again, never counted).{state}",
        "## Standings",
        words(standings.verdict),
        standings_table(standings),
        f"Places by {', then '.join(standings.criteria)}; equals share a place.",
        "## Strength",
        "Elo points by maximum likelihood with 95 % confidence; mu and sigma as the ratings ran.",
        strengths_table(summary),
        "## Who beat whom",
        "Wins-draws-losses of the bot on the left.",
        cross_table(summary),
        "## The bots",
        *(bot_section(summary, bot) for bot in summary.ranked),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def standings_table(standings: Standings) -> str:
    if not standings.rows:
        return ""
    rows = [[row.place, row.bot, *row.columns.values()] for row in standings.rows]
    return md_table(["place", "bot", *standings.heads], [[words(figure(value)) for value in row] for row in rows])


def strengths_table(summary: ContestSummary) -> str:
    rows = []
    for bot in summary.by_strength:
        own, rating = summary.strengths[bot], summary.ratings[bot]
        span = f"{own.low:+.0f} … {own.high:+.0f}"
        rows.append([words(bot), f"{own.elo:+.0f}", span, f"{rating.mu:.2f}", f"{rating.sigma:.2f}"])
    return md_table(["bot", "Elo", "95 %", "mu", "sigma"], rows)


def cross_table(summary: ContestSummary) -> str:
    bots = summary.ranked
    rows = [[words(one), *(cell(summary, one, other) for other in bots)] for one in bots]
    return md_table(["", *map(words, bots)], rows)


def bot_section(summary: ContestSummary, bot: str) -> str:
    own = summary.bots[bot]
    lines = [f"### {words(bot)}", code(summary.specifications[bot]), own.record]
    if own.verdicts:
        counts = ", ".join(f"{name} {count}" for name, count in sorted(own.verdicts.items()))
        lines.append(f"Verdicts: {counts}.")
    timing = own.timing
    if timing.questions:
        lines.append(
            f"Time: {timing.mean_ms} ms per question, at most {timing.longest_ms} ms, {timing.questions} questions."
        )
    lines += [f"{word} games: {', '.join(map(str, numbers))}." for word, numbers in own.notable_games.items()]
    return "\n\n".join(lines)


def words(text: str) -> str:
    """Returns text that anybody may have written so that Markdown shows it as plain text on one line."""
    return MARKS.sub(r"\\\g<0>", clean(text))


def code(text: str) -> str:
    """Returns such text as Markdown code, in more backticks than it has in a row itself."""
    text = clean(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}" if text.startswith("`") or text.endswith("`") else f"{fence}{text}{fence}"


def md_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def figure(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
