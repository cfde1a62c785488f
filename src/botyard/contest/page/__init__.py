"""This package writes the report as one HTML file that needs no network, for small and large, light and dark screens.

Everything that a bot's author could choose, such as a name, is escaped. A content security policy in the page's head
forbids it to load anything, and to run any script but our own, which the policy knows by its hash.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from botyard.contest.page.bots import bot_article
from botyard.contest.page.games import WatchedGame, films, notable, pairs, viewer
from botyard.contest.page.html import escape, figure, link, pair_link, section, table
from botyard.contest.pair_games import Meetings
from botyard.contest.summary_records import ContestSummary, place_of
from botyard.render.page import bundle, hashes, web_file


def build_page(summary: ContestSummary, games: Sequence[WatchedGame]) -> str:
    """Returns the page of a contest, on which these games can be watched."""
    home = files(__name__)
    script = bundle((home / "page.js").read_text()) if games else ""
    style = (web_file("viewer.css") if games else "") + (home / "page.css").read_text()
    watched = {game.number for game in games}
    sections = [
        header(summary),
        section("standings", "Standings", standings(summary)),
        section("strength", "Strength", strengths(summary)),
        section("cross", "Who beat whom", cross(summary)),
        section("games", "Games worth watching", notable(summary, watched) + viewer(games)),
        section("bots", "The bots", "".join(bot_article(summary, bot, watched) for bot in summary.ranked)),
        section("pairs", "The games of each pair", pairs(summary, watched)),
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
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            "<main>",
            *sections,
            "</main>",
            *films(games),
            f'<script type="module">{script}</script>',
            "</body>",
            "</html>",
            "",
        ]
    )


def policy(script: str) -> str:
    """Returns the policy of the page. Its tables have styles of their own (bars, shades of colour), its script none."""
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src {hashes([script])}; "
        "base-uri 'none'; form-action 'none'"
    )


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


def standings(summary: ContestSummary) -> str:
    """Returns the standings, whose figures lead to the sections of the bots."""
    told, lines = summary.standings, []
    for row in told.rows:
        figures = [f"<td>{link(summary, row.bot, figure(value))}</td>" for value in row.columns.values()]
        lines.append([f"<td>{place_of(row)}</td>", f'<th scope="row">{link(summary, row.bot)}</th>', *figures])
    criteria = ", then ".join(map(escape, told.criteria))
    note = f'<p class="faint">Places by {criteria}; equals share a place.</p>'
    verdict = f'<p class="verdict">{escape(told.verdict)}</p>' if told.verdict else ""
    return verdict + table(["place", "bot", *map(escape, told.heads)], lines, "figures") + note


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
                f'<th scope="row">{link(summary, name)}</th>',
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
        cells = [heat(summary, one, other) for other in names]
        lines.append([f'<th scope="row">{link(summary, one)}</th>', *cells])
    note = '<p class="faint">Wins-draws-losses of the bot on the left; each leads to the games.</p>'
    return table(["", *(escape(summary.name(bot)) for bot in names)], lines, "heat") + note


def heat(summary: ContestSummary, one: str, other: str) -> str:
    met: Meetings | None = summary.cross[one].get(other)
    if met is None:
        return f'<td class="{"own" if one == other else "none"}"></td>'
    share = (met.wins + met.draws / 2) / met.games
    colour = "good" if share >= 0.5 else "bad"
    strength = round(abs(share - 0.5) * 140)  # percent of the colour in the cell
    title = f"{100 * share:.0f} % of the points in {met.games} games"
    return (
        f'<td style="background:color-mix(in srgb, var(--{colour}) {strength}%, transparent)" title="{title}">'
        f"{pair_link(one, other, str(met))}</td>"
    )
