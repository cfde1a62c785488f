"""What the original BattleBots control program prints of a tournament (specification 8)."""

from __future__ import annotations

from botyard.contest.plan import Plan
from botyard.contest.schema import DONE
from botyard.contest.store import Store
from botyard.games.battlebots.files import Bout, Match, contest_text

FILE = "battlebots.txt"


def write(plan: Plan, store: Store) -> dict[str, str]:
    """Every pair of a round robin once, its bouts in their order."""
    if plan.format.NAME != "round_robin":
        return {}
    order = {bot: at for at, bot in enumerate(plan.names)}
    matches: dict[str, Match] = {}
    for row in store.rows():
        if row.state != DONE or row.result is None:
            continue
        one, other = sorted(row.pairing.bots, key=lambda bot: order[bot])
        match = matches.setdefault(row.pairing.match, Match((order[one], order[other]), []))
        winner = row.result.winner
        bouts = [*match.bouts, Bout(None if winner is None else int(winner == other))]
        matches[row.pairing.match] = match._replace(bouts=bouts)
    return {FILE: contest_text(plan.names, matches.values())}
