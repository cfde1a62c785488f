"""A plan as plain values, and back: the store keeps it, so that a report always shows the contest that was played."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from botyard.contest.messages import CageOptions
from botyard.contest.plan import Conduct, Plan, Roster, Running, unfit
from botyard.contest.reading import ContestReader
from botyard.contest.roots import read_root, root_text
from botyard.contest.schema import DAMAGED
from botyard.games import load
from botyard.kernel.errors import BadRecord, YardError
from botyard.kernel.plain import clean
from botyard.rank.formats import FORMATS


def plan_values(plan: Plan) -> dict[str, Any]:
    return {
        "folder": str(plan.folder),
        "title": plan.title,
        "game": plan.game,
        "settings": {row.name: getattr(plan.settings, row.name) for row in fields(plan.settings)},
        "format": {
            "kind": plan.format.NAME,
            **{row.name: getattr(plan.format, row.name) for row in fields(plan.format)},
        },
        "bots": [[key, asdict(bot)] for key, bot in plan.bots.items()],
        "root": None if plan.root is None else root_text(plan.root),
        "cage": asdict(plan.cage),
        "run": asdict(plan.running),
        "conduct": asdict(plan.conduct),
        "rosters": [[roster.after, list(roster.bots)] for roster in plan.rosters],
    }


def registered(bot: dict[str, Any]) -> dict[str, Any]:
    """Returns a bot that `asdict` made as a contest file would register it."""
    return {"bot": bot["spec"], "name": bot["name"], "guest": bot["guest"]}


def read_plan_values(values: Any, path: Path, where: str) -> Plan:
    """Returns the plan that a store kept. A store may be damaged or come from a stranger."""
    try:
        form = dict(values["format"])
        book = load(str(values["game"]))
        kept = values["root"]
        plan = Plan(
            path=path,
            folder=Path(values["folder"]),
            title=clean(str(values["title"])),
            game=book.facts.name,
            settings=book.settings(**values["settings"]),
            format=FORMATS[form.pop("kind")](**form),
            bots={key: ContestReader.bot(key, registered(bot)) for key, bot in values["bots"]},
            root=None if kept is None else read_root(int(kept) if kept.isdigit() and len(kept) < 21 else kept),
            cage=CageOptions(**values["cage"]),
            running=Running(**values["run"]),
            conduct=Conduct(**values["conduct"]),
            rosters=tuple(Roster(int(after), tuple(map(str, bots))) for after, bots in values["rosters"]),
        )
        for _, mistake in unfit(plan):  # more games than memory holds, for one
            raise mistake
    except (KeyError, TypeError, ValueError, AttributeError) as error:  # a YardError is a ValueError
        reason = error.message if isinstance(error, YardError) else repr(error)
        raise BadRecord(f"the plan in {where} cannot be read ({reason})", hint=DAMAGED) from None
    return plan
