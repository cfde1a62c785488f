"""A section of the page for each bot: its record, its rivals, the turns it lost and why, its best and worst game."""

from __future__ import annotations

from collections.abc import Collection

from botyard.contest.page.games import notable_game, seen
from botyard.contest.page.html import escape, name_of, pair_link, table
from botyard.contest.summary_records import ContestSummary, bot_anchor


def bot_article(summary: ContestSummary, bot: str, watched: Collection[int]) -> str:
    own, timing = summary.bots[bot], summary.bots[bot].timing
    parts = [f"<p>{own.record}</p>", rivals(summary, bot), verdicts(summary, bot), lost_turns(summary, bot, watched)]
    if timing.questions:
        parts.append(
            f"<p>{timing.mean_ms} ms per question, at most {timing.longest_ms} ms, {timing.questions} questions.</p>"
        )
    parts += [f"<p><b>{game.kind.capitalize()}</b>: {notable_game(summary, game, watched)}</p>" for game in own.notable]
    guest = '<p class="faint">A guest: it plays out of competition.</p>' if bot in summary.guests else ""
    return (
        f'<article id="{escape(bot_anchor(bot))}"><h3>{escape(summary.name(bot))}</h3>'
        f"<p><code>{escape(summary.specifications[bot])}</code></p>{guest}{''.join(parts)}</article>"
    )


def rivals(summary: ContestSummary, bot: str) -> str:
    met = [f"{name_of(summary, rival)} {pair_link(bot, rival, str(met))}" for rival, met in summary.cross[bot].items()]
    return f"<p>Against {', '.join(met)}.</p>" if met else ""


def verdicts(summary: ContestSummary, bot: str) -> str:
    """Returns how often each verdict was given. The number of lost turns leads to what is known of them."""
    own, lines = summary.bots[bot], []
    for verdict, count in sorted(own.verdicts.items()):
        number = f'<a href="#{lost_anchor(bot, verdict)}">{count}</a>' if verdict in own.lost else str(count)
        lines.append([f'<th scope="row">{escape(verdict)}</th>', f"<td>{number}</td>"])
    return table(["verdict", "turns"], lines) if lines else ""


def lost_anchor(bot: str, verdict: str) -> str:
    return escape(f"lost-{bot}:{verdict}")


def lost_turns(summary: ContestSummary, bot: str, watched: Collection[int]) -> str:
    """Returns each kind of lost turn with an example, its reason and the remedy."""
    items = "".join(lost_item(summary, bot, verdict, watched) for verdict in sorted(summary.bots[bot].lost))
    return f'<ul class="lost">{items}</ul>' if items else ""


def lost_item(summary: ContestSummary, bot: str, verdict: str, watched: Collection[int]) -> str:
    lost = summary.bots[bot].lost[verdict]
    return (
        f'<li id="{lost_anchor(bot, verdict)}"><b>{escape(verdict)} {lost.count}</b>: {escape(lost.reason)} '
        f'<span class="faint">({lost.when})</span><br>Remedy: {escape(lost.remedy)}<br>'
        f"{seen(summary, lost.game, watched)}</li>"
    )
