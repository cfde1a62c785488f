"""This module turns a summary into plain values for JSON, in a form that programs can rely on."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from botyard.contest.summary_records import ContestSummary
from botyard.rank.standings import Standings


def summary_values(summary: ContestSummary) -> dict[str, Any]:
    kind = summary.format
    return {
        "title": summary.title,
        "game": asdict(summary.game),
        "format": {"kind": kind.kind, "summary": kind.summary, **kind.options},
        "root": summary.root,
        "root_hash": summary.root_hash,
        "specifications": dict(summary.specifications),
        "names": dict(summary.names),
        "guests": sorted(summary.guests),
        "finished": summary.finished,
        "games": asdict(summary.games),
        "standings": standings_values(summary.standings),
        "ratings": {
            bot: {"mu": rating.mu, "sigma": rating.sigma, "sure": rating.sure, "games": rating.games}
            for bot, rating in summary.ratings.items()
        },
        "strengths": {bot: asdict(strength) for bot, strength in summary.strengths.items()},
        "cross": {
            one: {other: asdict(meetings) for other, meetings in row.items()} for one, row in summary.cross.items()
        },
        "bots": {bot: asdict(own) for bot, own in summary.bots.items()},
        "notable": [asdict(game) for game in summary.notable],
        "pairs": [
            {"bots": list(pair.bots), **asdict(pair.meetings), "games": pair.numbers.tolist()} for pair in summary.pairs
        ],
    }


def standings_values(standings: Standings) -> dict[str, Any]:
    rows = [{"place": row.place or None, "bot": row.bot, **row.columns} for row in standings.rows]
    return {"criteria": list(standings.criteria), "verdict": standings.verdict, "rows": rows}
