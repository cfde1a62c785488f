"""This module writes the report of a contest as Markdown. What a bot's author could choose is shown as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from botyard.contest.notable_games import NONE_NOTABLE, NotableGame
from botyard.contest.pair_games import PairGames
from botyard.contest.summary_records import BotSummary, ContestSummary, bot_anchor, pair_anchor, place_of
from botyard.kernel.plain import clean

MARKS = re.compile(r"[\\`*_\[\]<>#|~&]|:(?=//)|(?<=\bwww)\.", re.IGNORECASE)
"""Characters that mean something in Markdown or HTML, and those that make a bare address a link on many pages."""


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
        standings_table(summary),
        f"Places by {', then '.join(standings.criteria)}; equals share a place.",
        "## Strength",
        "Elo points by maximum likelihood with 95 % confidence; mu and sigma as the ratings ran.",
        strengths_table(summary),
        "## Who beat whom",
        "Wins-draws-losses of the bot on the left; each leads to the games.",
        cross_table(summary),
        "## Games worth watching",
        notable_list(summary),
        "## The bots",
        *(bot_section(summary, bot) for bot in summary.ranked),
        "## The games of each pair",
        f"{code(summary.replay_command('NUMBER'))} shows a game.",
        *(pair_section(summary, pair) for pair in summary.pairs),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def standings_table(summary: ContestSummary) -> str:
    standings = summary.standings
    if not standings.rows:
        return ""
    rows = [
        [str(place_of(row)), bot_link(summary, row.bot), *(words(figure(value)) for value in row.columns.values())]
        for row in standings.rows
    ]
    return md_table(["place", "bot", *map(words, standings.heads)], rows)


def strengths_table(summary: ContestSummary) -> str:
    rows = []
    for bot in summary.by_strength:
        own, rating = summary.strengths[bot], summary.ratings[bot]
        span = f"{own.low:+.0f} … {own.high:+.0f}"
        rows.append([bot_link(summary, bot), f"{own.elo:+.0f}", span, f"{rating.mu:.2f}", f"{rating.sigma:.2f}"])
    return md_table(["bot", "Elo", "95 %", "mu", "sigma"], rows)


def cross_table(summary: ContestSummary) -> str:
    bots = summary.ranked
    rows = [[bot_link(summary, one), *(cell(summary, one, other) for other in bots)] for one in bots]
    return md_table(["", *(words(summary.name(bot)) for bot in bots)], rows)


def cell(summary: ContestSummary, one: str, other: str) -> str:
    met = summary.cross[one].get(other)
    return f"[{met}](#{pair_anchor(one, other)})" if met else ""


def notable_list(summary: ContestSummary) -> str:
    return "\n".join(f"- {game.kind}: {notable_game(summary, game)}" for game in summary.notable) or NONE_NOTABLE


def notable_game(summary: ContestSummary, game: NotableGame) -> str:
    why, command = words(game.why(summary.names)), code(summary.replay_command(game.number))
    return f"game {game.number}, {why}. {command}"


def bot_section(summary: ContestSummary, bot: str) -> str:
    own = summary.bots[bot]
    lines = [anchor(bot_anchor(bot)), f"### {words(summary.name(bot))}", code(summary.specifications[bot]), own.record]
    rivals = [f"{bot_link(summary, rival)} {cell(summary, bot, rival)}" for rival in summary.cross[bot]]
    if rivals:
        lines.append(f"Against {', '.join(rivals)}.")
    if own.verdicts:
        counts = ", ".join(f"{words(name)} {count}" for name, count in sorted(own.verdicts.items()))
        lines.append(f"Verdicts: {counts}.")
    lines.append("\n".join(lost_lines(summary, own)))
    timing = own.timing
    if timing.questions:
        lines.append(
            f"Time: {timing.mean_ms} ms per question, at most {timing.longest_ms} ms, {timing.questions} questions."
        )
    lines += [f"{game.kind.capitalize()}: {notable_game(summary, game)}" for game in own.notable]
    return "\n\n".join(line for line in lines if line)


def lost_lines(summary: ContestSummary, own: BotSummary) -> Iterator[str]:
    for verdict, lost in sorted(own.lost.items()):
        command = code(summary.replay_command(lost.game))
        example = f"{words(lost.reason)} ({lost.when}); remedy: {words(lost.remedy)}"
        yield f"- {words(verdict)} {lost.count}: {example}. {command}"


def pair_section(summary: ContestSummary, pair: PairGames) -> str:
    one, other = pair.bots
    met = summary.cross[one][other]
    heading = f"### {words(summary.name(one))} against {words(summary.name(other))}: {met}"
    lines = [f"- game {game.number}: {words(summary.told(game.result))}" for game in summary.listed_of(pair)]
    if unlisted := len(pair.numbers) - len(lines):
        lines.append(f"- {unlisted} more in pairs.csv")
    return "\n\n".join([anchor(pair_anchor(one, other)), heading, "\n".join(lines)])


def bot_link(summary: ContestSummary, bot: str) -> str:
    return f"[{words(summary.name(bot))}](#{bot_anchor(bot)})"


def anchor(name: str) -> str:
    return f'<a id="{name}"></a>'


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
