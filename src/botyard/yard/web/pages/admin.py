"""The office of admins: one section for everything that can be looked after, and what is done in it.

A section is added to `SECTIONS` with a function that gathers what its template shows; its page is `/admin/SLUG`. Forms
of a section post to addresses below it. Everything that an admin does is an event, noted by the function that does it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from botyard.games import GAMES
from botyard.kernel.errors import YardError
from botyard.yard.data.tables import CANCELLED, ENDED, FAILED, LEASED, WAITING
from botyard.yard.people.notices import hide_notice, news, publish_news
from botyard.yard.people.registry import (
    PAGE_LENGTH,
    count_bots,
    count_events,
    count_people,
    events_before,
    find_bots,
    find_people,
)
from botyard.yard.people.tickets import tickets_open
from botyard.yard.refusals import Refusal
from botyard.yard.rooms.members import members_of
from botyard.yard.rooms.rooms import DOOR_WORDS, all_rooms, room_games
from botyard.yard.web.forms import Typed, shown_again
from botyard.yard.web.pages.matches import download
from botyard.yard.web.rendering import amount
from botyard.yard.web.routing import Access, Page, get, post
from botyard.yard.web.visit import Visit
from botyard.yard.web.words import URGENCIES
from botyard.yard.work.cancelling import REASON_MAX, cancel_by_admin
from botyard.yard.work.overview import (
    again_by_admin,
    count_tasks,
    faults_today,
    ladder_lines,
    latest_faults,
    replay_of_fault,
    tasks_in,
    workers,
)
from botyard.yard.work.workers import drain_worker


@dataclass(frozen=True, slots=True)
class AdminLook:
    """What a section is asked: the time, and the words in the query of its address."""

    now_ms: int
    words: Mapping[str, str]

    def number(self, name: str) -> int:
        given = self.words.get(name, "")
        return int(given) if given.isascii() and given.isdigit() and len(given) < 16 else 0

    def word(self, name: str) -> str:
        """Returns a word of the query that a database can be asked for."""
        given = self.words.get(name, "")[:100]
        return given if given.isprintable() else ""


@dataclass(frozen=True, slots=True)
class AdminSection:
    """A part of the office."""

    slug: str
    title: str
    about: str
    gather: Callable[[sa.Connection, AdminLook], dict[str, Any]]
    headline: Callable[[sa.Connection, int], str]  # its line on the first page

    @property
    def template(self) -> str:
        return f"admin_{self.slug}.html"


def gather_people(connection: sa.Connection, look: AdminLook) -> dict[str, Any]:
    words, state = look.word("name"), look.word("state")
    found = find_people(connection, words, state, look.word("after"))
    return {"people": found, "words": words, "state": state, "more": len(found) == PAGE_LENGTH}


def gather_bots(connection: sa.Connection, look: AdminLook) -> dict[str, Any]:
    words, game = look.word("name"), look.word("game")
    found = find_bots(connection, words, game, look.number("before"))
    return {"bots": found, "words": words, "game": game, "games": list(GAMES), "more": len(found) == PAGE_LENGTH}


def gather_tickets(connection: sa.Connection, look: AdminLook) -> dict[str, Any]:
    return {"tickets": tickets_open(connection, look.now_ms)}


def gather_notices(connection: sa.Connection, _: AdminLook) -> dict[str, Any]:
    return {"notices": news(connection)}


def gather_events(connection: sa.Connection, look: AdminLook) -> dict[str, Any]:
    kind, subject = look.word("kind"), look.word("subject")
    found = events_before(connection, look.number("before"), kind, subject)
    return {"events": found, "kind": kind, "subject": subject, "more": len(found) == PAGE_LENGTH}


def gather_tasks(connection: sa.Connection, _: AdminLook) -> dict[str, Any]:
    return {
        "open": tasks_in(connection, (LEASED, WAITING)),
        "waiting": count_tasks(connection, WAITING),
        "over": tasks_in(connection, (FAILED, CANCELLED, ENDED), PAGE_LENGTH),
        "urgencies": URGENCIES,
        "reason_max": REASON_MAX,
    }


def gather_workers(connection: sa.Connection, _: AdminLook) -> dict[str, Any]:
    return {"workers": workers(connection), "faults": latest_faults(connection)}


def gather_ladders(connection: sa.Connection, _: AdminLook) -> dict[str, Any]:
    return {"ladders": ladder_lines(connection)}


def gather_rooms(connection: sa.Connection, _: AdminLook) -> dict[str, Any]:
    books = room_games()
    return {
        "rooms": [(room, len(members_of(connection, room.id))) for room in all_rooms(connection)],
        "games": [book.facts for book in books],
        "known_house": [f"{book.facts.title} has {', '.join(book.bots.HOUSE_BOTS)}" for book in books],
        "presets": sorted({preset for book in books for preset in book.settings.PRESETS}),
        "doors": DOOR_WORDS,
    }


SECTIONS = [
    AdminSection(
        "people", "People", "Find somebody; rename, ban, delete, give a role, make a link for a lost password.",
        gather_people, lambda connection, _: f"{count_people(connection)} active",
    ),
    AdminSection(
        "tickets", "Invitations", "Invite a class or one person; links that have not been used.",
        gather_tickets, lambda connection, now_ms: f"{amount(len(tickets_open(connection, now_ms)), 'link')} open",
    ),
    AdminSection(
        "bots", "Bots", "Find a bot; on its page you may do what its owner may.",
        gather_bots, lambda connection, _: amount(count_bots(connection), "bot"),
    ),
    AdminSection(
        "notices", "News", "Tell everybody something; it stands on the first page and in the feed.",
        gather_notices, lambda connection, _: f"{len(news(connection))} shown",
    ),
    AdminSection(
        "tasks", "Tasks", "Builds, checks and games that wait, are at work or failed, each with its reason.",
        gather_tasks, lambda connection, _: f"{count_tasks(connection, WAITING)} waiting",
    ),
    AdminSection(
        "workers", "Workers", "Who plays the games, and trouble of our own.",
        gather_workers, lambda connection, now_ms: f"{amount(faults_today(connection, now_ms), 'fault')} today",
    ),
    AdminSection(
        "ladders", "Ladders", "What is played, by how many bots, in which season.",
        gather_ladders, lambda connection, _: amount(len(ladder_lines(connection)), "ladder"),
    ),
    AdminSection(
        "rooms", "Rooms", "Open a live room; change its settings while it runs; reset or close it.",
        gather_rooms, lambda connection, _: f"{sum(room.is_open for room in all_rooms(connection))} open",
    ),
    AdminSection(
        "events", "Events", "Everything that happened, in order and without a gap.",
        gather_events, lambda connection, _: f"{count_events(connection)} so far",
    ),
]  # fmt: skip


# Looking


async def office(visit: Visit) -> Response:
    def headlines(connection: sa.Connection) -> list[tuple[AdminSection, str]]:
        return [(section, section.headline(connection, visit.yard.clock())) for section in SECTIONS]

    return visit.page("admin.html", sections=await visit.ask(headlines))


async def section_page(
    visit: Visit, section: AdminSection, error: YardError | None = None, beside: str = "", typed: Typed | None = None
) -> Response:
    """Returns the page of a section, with an error beside the form that it is about."""
    look = AdminLook(visit.yard.clock(), visit.request.query_params)
    told = {**await visit.ask(section.gather, look), "section": section, "sections": SECTIONS}
    if error is None or typed is None:
        return visit.page(section.template, errors={}, typed={}, **told)
    return shown_again(visit, section.template, {beside: error}, typed, **told)


def section_route(section: AdminSection) -> Page:
    async def show(visit: Visit) -> Response:
        return await section_page(visit, section)

    return get(f"/admin/{section.slug}", show, Access.ADMIN)


def section_named(slug: str) -> AdminSection:
    return next(section for section in SECTIONS if section.slug == slug)


# News


async def write_news(visit: Visit) -> Response:
    typed = await Typed.of(visit)
    try:
        title, body, link = typed.line("title"), typed.text("body", 20_000), typed.line("link")
        await visit.change(publish_news, visit.caller.need_admin(), title, body, visit.yard.clock(), link=link)
    except Refusal as error:
        return await section_page(visit, section_named("notices"), error, "form", typed)
    return visit.go("/admin/notices")


async def take_news_back(visit: Visit) -> Response:
    await visit.change(hide_notice, visit.number("notice"), visit.yard.clock(), by=visit.caller.need_admin())
    return visit.go("/admin/notices")


# Tasks


async def cancel(visit: Visit) -> Response:
    """Cancels a task; whom it concerns is told the reason."""
    typed = await Typed.of(visit)
    task, by, now_ms = visit.number("task"), visit.caller.need_admin(), visit.yard.clock()
    try:
        await visit.change(cancel_by_admin, task, typed.line("reason"), now_ms, by=by)
    except Refusal as error:
        if error.status != Refusal.status:
            raise
        return await section_page(visit, section_named("tasks"), error, f"task {task}", typed)
    wake(visit)
    return visit.go("/admin/tasks")


async def again(visit: Visit) -> Response:
    await visit.change(again_by_admin, visit.number("task"), visit.yard.clock(), by=visit.caller.need_admin())
    wake(visit)
    return visit.go("/admin/tasks")


def wake(visit: Visit) -> None:
    """Has the steward look at once at what an admin did."""
    if visit.steward is not None:
        visit.steward.wake()


async def fault_replay(visit: Visit) -> Response:
    """Gives the replay of a match that went otherwise when it was played again elsewhere."""
    fault = visit.number("fault")
    return download(await visit.ask(replay_of_fault, visit.yard.blobs, fault), f"fault-{fault}.replay")


async def drain(visit: Visit) -> Response:
    """Has a worker take no further work, so that its machine can be looked after, or take work again."""
    typed = await Typed.of(visit)
    name, drained = typed.line("worker"), typed.line("drained") == "yes"
    await visit.change(drain_worker, name, drained, visit.caller.need_admin(), visit.yard.clock())
    wake(visit)
    return visit.go("/admin/workers")


PAGES = [
    get("/admin", office, Access.ADMIN),
    *(section_route(section) for section in SECTIONS),
    post("/admin/notices", write_news, Access.ADMIN),
    post("/admin/notices/{notice:int}/hide", take_news_back, Access.ADMIN),
    post("/admin/tasks/{task:int}/cancel", cancel, Access.ADMIN),
    get("/admin/faults/{fault:int}/replay", fault_replay, Access.ADMIN),
    post("/admin/tasks/{task:int}/again", again, Access.ADMIN),
    post("/admin/workers", drain, Access.ADMIN),
]
