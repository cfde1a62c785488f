"""The plan of a contest, from its file and its entrants, as the command line makes one from a file and its folders."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from botyard.contest.identity import Identity
from botyard.contest.plan import STOP, ContestBot, Plan, unfit
from botyard.contest.plan_json import plan_values, read_plan_values
from botyard.contest.reading import without_guests
from botyard.kernel.errors import YardError
from botyard.yard.contests.entrants import Entrant, entrants_of
from botyard.yard.contests.files import read_site_file
from botyard.yard.data.tables import FIT, UNBUILT, UNFIT

GAMES_MOST = 20_000  # of one contest: more would keep everybody else waiting


def plan_now(connection: sa.Connection, row: sa.Row[Any]) -> Plan:
    """Returns the plan of a contest with the bots that are entered now."""
    file = read_site_file(row.file, predictable=True)
    bots = {
        entrant.key: ContestBot(entrant.spec, entrant.name, entrant.guest)
        for entrant in entrants_of(connection, row.id)
        if entrant.plays
    }
    playing = without_guests(bots, file.plan.conduct.guests_leave)
    return replace(file.plan, bots=playing, path=Path(f"{row.slug}.toml"))


def played_plan(row: sa.Row[Any]) -> Plan:
    """Returns the plan by which the games of a contest were last asked."""
    return read_plan_values(json.loads(row.plan), Path(f"{row.slug}.toml"), row.slug)


def written_plan(plan: Plan, identity: Identity) -> dict[str, str]:
    """Returns the columns that keep a plan."""
    return {"plan": json.dumps(plan_values(plan)), "identity": json.dumps(identity.values)}


def obstacles(plan: Plan, entrants: list[Entrant]) -> list[str]:
    """Returns why a contest cannot begin as it stands; nothing if it can."""
    unfinished = [one for one in entrants if one.version and one.state not in (FIT, UNBUILT, UNFIT, "withdrawn")]
    if unfinished:
        names = ", ".join(one.name for one in unfinished[:3]) + (" …" if len(unfinished) > 3 else "")
        return [f"{len(unfinished)} of its bots are still being built and checked: {names}"]
    if plan.conduct.on_unbuilt == STOP and (failed := [one.name for one in entrants if one.state in (UNBUILT, UNFIT)]):
        return [f'on_unbuilt = "stop", and these cannot play: {", ".join(failed)}']
    if not plan.bots:
        return ["nobody has entered yet"]
    found = [told(error) for _, error in unfit(plan)]
    if not found and plan.estimate.most > GAMES_MOST:
        found = [f"it may take {plan.estimate.most} games, and a site plays at most {GAMES_MOST} of one contest"]
    return found


def told(error: YardError) -> str:
    return f"{error.message} ({error.hint})" if error.hint else error.message
