"""The page of a bot: for its owner everything about it, for others what is public."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from botyard.yard.bots.history import LostTurnsSince
from botyard.yard.bots.queries import BotFound, bot_at, entries_of, versions_of
from botyard.yard.bots.versions import delete_bot, rename_bot, show_logs
from botyard.yard.caller import UPLOAD
from botyard.yard.contests.views import contests_of_bot
from botyard.yard.ladders.entries import revive
from botyard.yard.ladders.match_lists import matches_of_bot
from botyard.yard.people.names import name_key
from botyard.yard.refusals import NotAllowed, NotThere, Refusal
from botyard.yard.web.forms import Typed, shown_again
from botyard.yard.web.routing import get, post
from botyard.yard.web.visit import Visit
from botyard.yard.web.words import queue_words
from botyard.yard.work.queue import queue_line

LAST_GAMES = 12


async def bot(visit: Visit) -> Response:
    return await bot_page(visit)


async def bot_page(
    visit: Visit, error: Refusal | None = None, beside: str = "", typed: Typed | None = None
) -> Response:
    """Returns the page, with the error beside the form that it is about and what was typed there."""
    number = visit.number("bot")

    def read(connection: sa.Connection) -> dict[str, Any]:
        found = bot_at(connection, number)
        lines, entries = versions_of(connection, number), entries_of(connection, number)
        played = next((line for line in lines if line.active), lines[0] if lines else None)
        since = played.made_ms if played else found.made_ms
        busy = any(line.task for line in lines)
        history = visit.showroom.histories.read(connection, found, entries, since, visit.yard.clock())
        return {
            "bot": found,
            "versions": lines,
            "entries": entries,
            "contests": contests_of_bot(connection, number),
            "ratings": history.ratings,
            "rivals": history.rivals,
            "lost": history.lost,
            "played": played,
            "games": matches_of_bot(connection, number, limit=LAST_GAMES),
            "queue": queue_words(queue_line(connection, found.owner)) if busy else "",
        }

    values = await visit.ask(read)
    found: BotFound = values["bot"]
    lost: LostTurnsSince = values["lost"]
    values |= {
        "managed": found.managed_by(visit.caller),
        "own": found.owned_by(visit.caller),
        "opened": found.open_to(visit.caller),
        "lost_turns": sum(verdict.turns for verdict in lost.verdicts),
        "quotas": visit.yard.config.quotas,
    }
    if error is None or typed is None:
        return visit.page("bot.html", errors={}, typed={}, **values)
    return shown_again(visit, "bot.html", {beside: error}, typed, **values)


async def settle(visit: Visit) -> Response:
    """Changes the name of a bot, and whether its logs are public."""
    typed, number = await Typed.of(visit), visit.number("bot")

    def change(connection: sa.Connection) -> None:
        found = bot_at(connection, number)
        person = found.need_managed_by(visit.caller, UPLOAD)
        name, public = typed.line("name").strip(), typed.line("logs_public") == "yes"
        if name and name != found.name:
            rename_bot(connection, number, name, visit.yard.clock(), person=person)
        if public != found.logs_public:
            show_logs(connection, number, public, visit.yard.clock(), person)

    return await carried_out(visit, change, "settings", typed) or visit.go(f"/bots/{number}#settings")


async def carried_out(
    visit: Visit, change: Callable[[sa.Connection], None], form: str, typed: Typed
) -> Response | None:
    """Changes something; returns the page with what is wrong about what was typed, if something is."""
    try:
        await visit.change(change)
    except (NotThere, NotAllowed):
        raise
    except Refusal as error:
        return await bot_page(visit, error, form, typed)
    return None


async def delete(visit: Visit) -> Response:
    """Deletes a bot, whose name had to be typed: nothing brings it back."""
    typed, number = await Typed.of(visit), visit.number("bot")

    def change(connection: sa.Connection) -> None:
        found = bot_at(connection, number)
        person = found.need_managed_by(visit.caller, UPLOAD)
        if name_key(typed.line("name")) != name_key(found.name):
            raise Refusal(f"this is not the name of {found.name}", hint="type its name to have it deleted")
        delete_bot(connection, number, visit.yard.clock(), person=person)

    return await carried_out(visit, change, "delete", typed) or visit.go("/me")


async def try_entry_again(visit: Visit) -> Response:
    """Lets a benched bot play again as it is."""
    number, wanted = visit.number("bot"), visit.number("entry")

    def change(connection: sa.Connection) -> None:
        person = bot_at(connection, number).need_managed_by(visit.caller, UPLOAD)
        if wanted not in [entry.id for entry in entries_of(connection, number)]:
            raise NotThere("this bot does not play there")
        revive(connection, wanted, person, visit.yard.clock())

    await visit.change(change)
    return visit.go(f"/bots/{number}")


PAGES = [
    get("/bots/{bot:int}", bot),
    post("/bots/{bot:int}/settings", settle),
    post("/bots/{bot:int}/delete", delete),
    post("/bots/{bot:int}/entries/{entry:int}/revive", try_entry_again),
]
