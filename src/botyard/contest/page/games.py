"""The games on the page: those that can be watched, those worth watching, and those of each pair of bots."""

from __future__ import annotations

import base64
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from botyard.contest.notable_games import NONE_NOTABLE, NotableGame
from botyard.contest.page.html import escape, link, name_of, sentence
from botyard.contest.pair_games import ListedGame, PairGames
from botyard.contest.summary_records import ContestSummary, pair_anchor


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """A game that can be watched on the page."""

    number: int
    result: str
    film: bytes  # compressed


def viewer(games: Sequence[WatchedGame]) -> str:
    """Returns the place of the viewer, and the choice of games."""
    if not games:
        return '<p class="faint">No replays can be shown here.</p>'
    options = "".join(
        f'<option value="{game.number}" id="{game_anchor(game.number)}">game {game.number}: {escape(game.result)}'
        "</option>"
        for game in games
    )
    return (
        f'<p><label>game <select id="choice">{options}</select></label></p><div id="viewer" tabindex="-1"></div>'
        "<noscript><p>Watching games needs JavaScript; nothing else on this page does.</p></noscript>"
    )


def films(games: Sequence[WatchedGame]) -> list[str]:
    """Returns the films as elements that no browser runs or shows."""
    return [
        f'<script type="text/plain" id="film-{game.number}">{base64.b64encode(game.film).decode()}</script>'
        for game in games
    ]


def game_anchor(number: int) -> str:
    """Returns the name of the place in a report where a game can be watched; the page's script reads it, too."""
    return f"game={number}"


def seen(summary: ContestSummary, number: int, watched: Collection[int]) -> str:
    """Returns how a game can be seen: a link to the viewer, or the command that shows it."""
    if number in watched:
        return f'<a href="#{game_anchor(number)}">watch</a>'
    return f"<code>{escape(summary.replay_command(number))}</code>"


def notable(summary: ContestSummary, watched: Collection[int]) -> str:
    """Returns the list of games that are worth watching, each with a word why."""
    items = "".join(f"<li><b>{game.kind}</b>: {notable_game(summary, game, watched)}</li>" for game in summary.notable)
    return f'<ul class="notable">{items}</ul>' if items else f"<p>{NONE_NOTABLE}</p>"


def notable_game(summary: ContestSummary, game: NotableGame, watched: Collection[int]) -> str:
    why = sentence(summary, (game.ahead, game.behind), game.why)
    return f"game {game.number}, {why}. {seen(summary, game.number, watched)}"


def pairs(summary: ContestSummary, watched: Collection[int]) -> str:
    """Returns the games of every pair, folded up. A browser unfolds them when a link leads into them."""
    if not summary.pairs:
        return '<p class="faint">Nobody has met anybody yet.</p>'
    note = '<p class="faint">Every result in the table above leads to its games here.</p>'
    return note + "".join(pair_games(summary, pair, watched) for pair in summary.pairs)


def pair_games(summary: ContestSummary, pair: PairGames, watched: Collection[int]) -> str:
    one, other = pair.bots
    games = summary.listed_of(pair)
    unlisted = len(pair.numbers) - len(games)
    rest = f'<p class="faint">{unlisted} more: their numbers are in pairs.csv.</p>' if unlisted else ""
    return (
        f"<details><summary>{name_of(summary, one)} against {name_of(summary, other)}: "
        f"{summary.cross[one][other]}</summary>"
        f'<div id="{escape(pair_anchor(one, other))}">'
        f"<p>{link(summary, one)} against {link(summary, other)}, {len(pair.numbers)} games</p>"
        f"<ul>{''.join(listed_game(summary, game, watched) for game in games)}</ul>{rest}</div></details>"
    )


def listed_game(summary: ContestSummary, game: ListedGame, watched: Collection[int]) -> str:
    ticks = f", {game.ticks} ticks" if game.ticks else ""
    how = seen(summary, game.number, watched)
    bots = chain.from_iterable(game.result.groups)
    told = sentence(summary, bots, lambda names: replace(summary, names=names).told(game.result))
    return f"<li>game {game.number}: {told}{ticks}. {how}</li>"
