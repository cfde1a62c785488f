"""The report of a contest as files: a page to look at, Markdown to read, JSON for programs, CSV for spreadsheets."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from botyard.contest.find_replay import replay_of
from botyard.contest.original_files import original_files
from botyard.contest.page import build_page
from botyard.contest.page.frames import packed
from botyard.contest.plan import Plan
from botyard.contest.sheets import csv_text
from botyard.contest.store import Store
from botyard.contest.summary import summarize
from botyard.kernel.errors import YardError
from botyard.kernel.plain import clean, json_text
from botyard.match.storage import write_atomically

MARKS = re.compile(r"[\\`*_\[\]<>#|~&]")  # what Markdown or HTML in it would obey
MOST_WATCHED = 6  # games whose pictures are packed into the page


def report_folder(plan: Plan) -> Path:
    return plan.path.with_name(f"{plan.path.stem}-report")


def write_report(plan: Plan, store: Store, folder: Path) -> list[Path]:
    """Writes all files of a report; where they are."""
    values = summarize(plan, store)
    files = {
        "report.json": json_text(values) + "\n",
        "report.md": markdown(values),
        "standings.csv": standings_csv(values),
        "cross.csv": cross_csv(values),
    }
    files["report.html"] = build_page(values, watchable(plan, store, values))
    files.update(original_files(plan, store))
    paths = []
    for name, text in files.items():
        write_atomically(folder / name, text.encode())
        paths.append(folder / name)
    paths.append(write_games(store, folder / "games.csv"))
    return paths


def watchable(plan: Plan, store: Store, values: dict[str, Any]) -> list[dict[str, Any]]:
    """The games to watch on the page: the best of every bot, the leaders' first, then their worst."""
    bots = [row["bot"] for row in values["standings"]["rows"]]
    chosen: dict[int, None] = {}
    for word in ("best_games", "worst_games"):
        chosen.update(dict.fromkeys(number for bot in bots for number in values["bots"][bot][word][:1]))
    shown = []
    for number in list(chosen)[:MOST_WATCHED]:
        row = store.row(number)
        with contextlib.suppress(YardError):  # no replay was kept
            shown.append({"number": number, "result": str(row.result), "packed": packed(replay_of(plan, store, row))})
    return shown


def write_games(store: Store, path: Path) -> Path:
    """Every game on a line."""
    heads = ["game", "match", "number", "bots", "seed", "result", "ticks", "house_faults"]
    write_atomically(path, csv_text(heads, store.lines()).encode())
    return path


def standings_csv(values: dict[str, Any]) -> str:
    rows = values["standings"]["rows"]
    heads = list(rows[0]) if rows else ["place", "bot"]
    more = ["elo", "elo_low", "elo_high", "mu", "sigma"]
    lines = []
    for row in rows:
        strength, rating = values["strengths"][row["bot"]], values["ratings"][row["bot"]]
        lines.append([*row.values(), *strength.values(), round(rating["mu"], 3), round(rating["sigma"], 3)])
    return csv_text([*heads, *more], lines)


def cross_csv(values: dict[str, Any]) -> str:
    """Wins-draws-losses of the row's bot against the column's."""
    bots = [row["bot"] for row in values["standings"]["rows"]]
    return csv_text(["bot", *bots], [[one, *(cell(values, one, other) for other in bots)] for one in bots])


def cell(values: dict[str, Any], one: str, other: str) -> str:
    met = values["cross"][one].get(other)
    return f"{met['wins']}-{met['draws']}-{met['losses']}" if met else ""


# Markdown


def markdown(values: dict[str, Any]) -> str:
    standings, games = values["standings"], values["games"]
    state = "" if values["finished"] else " The contest is not over: this is how far it is."
    parts = [
        f"# {words(values['title'])}",
        f"{values['game']['title']}, {values['format']['kind']}: {values['format']['summary']}. "
        f"{games['recorded']} games, seed {values['seed']}, {games['void']} void, "
        f"{games['house_faults']} faults of the house (played again, never counted).{state}",
        "## Standings",
        words(standings["verdict"]),
        standings_table(standings["rows"]),
        f"Places by {', then '.join(standings['criteria'])}; equals share a place.",
        "## Strength",
        "Elo points by maximum likelihood with 95 % confidence; mu and sigma as the ratings ran.",
        strengths_table(values),
        "## Who beat whom",
        "Wins-draws-losses of the bot on the left.",
        cross_table(values),
        "## The bots",
        *(bot_section(values, row["bot"]) for row in standings["rows"]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def standings_table(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""
    heads = list(rows[0])
    return md_table(heads, [[words(figure(row[head])) for head in heads] for row in rows])


def strengths_table(values: dict[str, Any]) -> str:
    ordered = sorted(values["strengths"], key=lambda bot: -values["strengths"][bot]["elo"])
    rows = []
    for bot in ordered:
        own, rating = values["strengths"][bot], values["ratings"][bot]
        span = f"{own['low']:+.0f} … {own['high']:+.0f}"
        rows.append([words(bot), f"{own['elo']:+.0f}", span, f"{rating['mu']:.2f}", f"{rating['sigma']:.2f}"])
    return md_table(["bot", "Elo", "95 %", "mu", "sigma"], rows)


def cross_table(values: dict[str, Any]) -> str:
    bots = [row["bot"] for row in values["standings"]["rows"]]
    names = [words(bot) for bot in bots]
    rows = [[words(one), *(cell(values, one, other) for other in bots)] for one in bots]
    return md_table(["", *names], rows)


def bot_section(values: dict[str, Any], bot: str) -> str:
    page = values["bots"][bot]
    lines = [f"### {words(bot)}", code(values["specifications"][bot])]
    record = f"{page['games']} games: {page['wins']} won, {page['draws']} drawn, {page['losses']} lost"
    lines.append(record + (f", {page['forfeits']} forfeited." if page["forfeits"] else "."))
    if page["verdicts"]:
        lines.append(
            "Verdicts: " + ", ".join(f"{name} {count}" for name, count in sorted(page["verdicts"].items())) + "."
        )
    timing = page["timing"]
    if timing["questions"]:
        lines.append(
            f"Time: {timing['mean_ms']} ms a question, the longest {timing['longest_ms']} ms, "
            f"{timing['questions']} questions."
        )
    for name in ("best", "worst"):
        if page[f"{name}_games"]:
            lines.append(f"{name.capitalize()} games: {', '.join(map(str, page[f'{name}_games']))}.")
    return "\n\n".join(lines)


def words(text: str) -> str:
    """Anybody's words in a line of Markdown, as text."""
    return MARKS.sub(r"\\\g<0>", clean(text))


def code(text: str) -> str:
    """Anybody's words as code, in as many backticks as none of them has in a row."""
    text = clean(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}" if text.startswith("`") or text.endswith("`") else f"{fence}{text}{fence}"


def md_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def figure(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
