"""This package writes the report as one HTML file that needs no network, for small and large, light and dark screens.

Everything that a bot's author could choose, such as a name, is escaped. A content security policy in the page's head
forbids it to load anything, and to run any script but our own, which the policy knows by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from html import escape as escape_html
from importlib.resources import files
from typing import Any

from botyard.contest.summary import ContestSummary, Meetings
from botyard.kernel.plain import clean
from botyard.rank.standings import Standings

NAMED = ("bot", "verdict")  # headings of columns that hold names
LEFT = ' class="name"'


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """A game that can be watched on the page."""

    number: int
    result: str
    packed: str  # its frames, compressed


def build_page(summary: ContestSummary, replays: Sequence[WatchedGame]) -> str:
    """Returns the page of a contest."""
    home = files(__name__)
    script = (home / "page.js").read_text()
    watched = {replay.number for replay in replays}
    sections = [
        header(summary),
        section("standings", "Standings", standings(summary.standings)),
        section("strength", "Strength", strengths(summary)),
        section("cross", "Who beat whom", cross(summary)),
        section("games", "Games to watch", viewer(replays)),
        section("bots", "The bots", "".join(bot_article(summary, bot, watched) for bot in summary.ranked)),
    ]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy(script)}">',
            '<meta name="referrer" content="no-referrer">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(summary.title)}</title>",
            f"<style>{(home / 'page.css').read_text()}</style>",
            "</head>",
            "<body>",
            "<main>",
            *sections,
            "</main>",
            f'<script type="application/json" id="replays">{embedded([asdict(replay) for replay in replays])}</script>',
            f"<script>{script}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )


def escape(text: str) -> str:
    """Returns text that anybody may have written as plain text of the page, on one line."""
    return escape_html(clean(text))


def embedded(value: Any) -> str:
    """Returns JSON that cannot end the HTML element it stands in."""
    return json.dumps(value).replace("<", "\\u003c")


def section(name: str, title: str, body: str) -> str:
    return f'<section id="{name}"><h2>{title}</h2>{body}</section>'


def header(summary: ContestSummary) -> str:
    games, form = summary.games, summary.format
    facts = [
        f"{games.recorded} games",
        summary.origin,
        f"{games.void} void",
        f"{games.house_faults} faults of Botyard, played again and never counted",
    ]
    unfinished = "" if summary.finished else '<p class="notice">The contest is not over: this is its present state.</p>'
    return (
        f"<header><h1>{escape(summary.title)}</h1>"
        f"<p>{escape(summary.game.title)}, <b>{escape(form.kind.replace('_', ' '))}</b>: "
        f"{escape(form.summary)}.</p>"
        f'<p class="faint">{" · ".join(map(escape, facts))}</p>{unfinished}</header>'
    )


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], kind: str = "") -> str:
    """Returns a table whose cells are HTML already. It scrolls in a narrow window, and the keyboard can reach it."""
    head = "".join(f'<th scope="col"{LEFT if one in NAMED else ""}>{one}</th>' for one in heads)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return (
        f'<div class="wide" tabindex="0"><table class="{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def standings(told: Standings) -> str:
    lines = []
    for row in told.rows:
        figures = [f"<td>{figure(value)}</td>" for value in row.columns.values()]
        lines.append([f"<td>{row.place}</td>", f'<th scope="row">{link(row.bot)}</th>', *figures])
    criteria = ", then ".join(map(escape, told.criteria))
    note = f'<p class="faint">Places by {criteria}; equals share a place.</p>'
    verdict = f'<p class="verdict">{escape(told.verdict)}</p>' if told.verdict else ""
    return verdict + table(["place", "bot", *map(escape, told.heads)], lines) + note


def link(name: str) -> str:
    return f'<a href="#bot-{escape(name)}">{escape(name)}</a>'


def figure(value: Any) -> str:
    return escape(f"{value:g}" if isinstance(value, float) else str(value))


def strengths(summary: ContestSummary) -> str:
    """Returns the table of Elo strengths with their intervals, as numbers and as bars on one common scale."""
    found = summary.strengths
    low = min((own.low for own in found.values()), default=0.0)
    high = max((own.high for own in found.values()), default=0.0)
    width = (high - low) or 1.0

    def at(elo: float) -> float:
        return 100 * (elo - low) / width

    lines = []
    for name in summary.by_strength:
        own, rating = found[name], summary.ratings[name]
        bar = (
            f'<span class="span" style="left:{at(own.low):.1f}%;right:{100 - at(own.high):.1f}%"></span>'
            f'<span class="dot" style="left:{at(own.elo):.1f}%"></span>'
        )
        lines.append(
            [
                f'<th scope="row">{link(name)}</th>',
                f"<td>{own.elo:+.0f}</td>",
                f"<td>{own.low:+.0f} … {own.high:+.0f}</td>",
                f'<td class="scale"><div aria-hidden="true">{bar}</div></td>',
                f"<td>{rating.mu:.2f}</td>",
                f"<td>{rating.sigma:.2f}</td>",
            ]
        )
    note = '<p class="faint">Elo by maximum likelihood with 95 % confidence; mu and sigma as the ratings ran.</p>'
    return table(["bot", "Elo", "95 %", "", "mu", "sigma"], lines) + note


def cross(summary: ContestSummary) -> str:
    """Returns the table of wins-draws-losses of the row's bot against the column's: green if it won more, else red."""
    names = summary.ranked
    lines = []
    for one in names:
        cells = [heat(summary.cross[one].get(other), one == other) for other in names]
        lines.append([f'<th scope="row">{link(one)}</th>', *cells])
    note = '<p class="faint">Wins-draws-losses of the bot on the left.</p>'
    return table(["", *map(escape, names)], lines, "heat") + note


def heat(met: Meetings | None, own: bool) -> str:
    if met is None:
        return f'<td class="{"own" if own else "none"}"></td>'
    share = (met.wins + met.draws / 2) / met.games
    colour = "good" if share >= 0.5 else "bad"
    strength = round(abs(share - 0.5) * 140)  # percent of the colour in the cell
    title = f"{100 * share:.0f} % of the points in {met.games} games"
    return (
        f'<td style="background:color-mix(in srgb, var(--{colour}) {strength}%, transparent)" title="{title}">'
        f"{met}</td>"
    )


def viewer(replays: Sequence[WatchedGame]) -> str:
    if not replays:
        return '<p class="faint">No replays can be shown here.</p>'
    options = "".join(
        f'<option value="{replay.number}">game {replay.number}: {escape(replay.result)}</option>' for replay in replays
    )
    return (
        '<div id="viewer"><p><label>game <select id="choice">' + options + "</select></label></p>"
        '<p class="controls"><button id="back" aria-label="one step back">◀</button>'
        '<button id="play" aria-label="play">play</button>'
        '<button id="next" aria-label="one step forward">▶</button>'
        '<input id="slider" type="range" min="0" value="0" aria-label="tick"><output id="tick"></output></p>'
        '<p id="headline"></p><ul id="seats"></ul>'
        '<div class="wide" tabindex="0"><pre id="board"></pre></div><p id="legend" class="faint"></p></div>'
        "<noscript><p>Stepping through games needs JavaScript; nothing else on this page does.</p></noscript>"
    )


def bot_article(summary: ContestSummary, name: str, watched: set[int]) -> str:
    own, specification = summary.bots[name], summary.specifications[name]
    parts = [f"<p>{own.record}</p>"]
    if own.verdicts:
        counts = sorted(own.verdicts.items())
        lines = [[f'<th scope="row">{escape(verdict)}</th>', f"<td>{count}</td>"] for verdict, count in counts]
        parts.append(table(["verdict", "turns"], lines))
    timing = own.timing
    if timing.questions:
        parts.append(
            f"<p>{timing.mean_ms} ms per question, at most {timing.longest_ms} ms, {timing.questions} questions.</p>"
        )
    for word, numbers in own.notable_games.items():
        parts.append(f"<p>{word} games: {', '.join(game_link(number, watched) for number in numbers)}.</p>")
    return (
        f'<article id="bot-{escape(name)}"><h3>{escape(name)}</h3><p><code>{escape(specification)}</code></p>'
        f"{''.join(parts)}</article>"
    )


def game_link(number: int, watched: set[int]) -> str:
    return f'<a href="#games" data-game="{number}">{number}</a>' if number in watched else str(number)
