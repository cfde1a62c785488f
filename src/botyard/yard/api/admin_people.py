"""What admins do about people: names, roles, bans, links that work once, and news for everybody."""

from __future__ import annotations

from typing import Annotated, Literal

import sqlalchemy as sa
from fastapi import Query

from botyard.yard.api.bots import BotLineAnswer
from botyard.yard.api.fields import Asked, Cursor, Line, ListPart, Number, Text, Told, Wanted, Word, number_in
from botyard.yard.api.routing import Call, Need, Section, get, post, put, remove
from botyard.yard.people.accounts import Person, ban, delete, person_of, rename, set_role, unban
from botyard.yard.people.class_lists import invite_class, names_in
from botyard.yard.people.notices import hide_notice, publish_news
from botyard.yard.people.registry import PAGE_LENGTH, Holdings, find_bots, find_people, holdings_of
from botyard.yard.people.tickets import end_ticket, make_ticket, password_link, tickets_open
from botyard.yard.refusals import Refusal
from botyard.yard.web.pages.admin_people import link_base


class AccountAnswer(Told):
    """An account."""

    id: int
    name: str
    role: str
    state: str
    """`active`, `banned` or `deleted`."""
    reason: str
    """Why they were banned."""
    made_ms: int
    has_password: bool


class HoldingsAnswer(Told):
    """An account, and how much belongs to it."""

    account: AccountAnswer
    bots: int
    sessions: int
    tokens: int


class AdminBotAnswer(BotLineAnswer):
    """A bot as admins find it."""

    owner: int
    uploads: int
    latest: str
    """The state of its latest version; empty: there is none."""


class TicketLineAnswer(Told):
    """A link that can still be used. The link itself is told only when it is made."""

    handle: str
    purpose: str
    name: str
    by: str
    made_ms: int
    ends_ms: int


class LinkAnswer(Told):
    """A link that works once. It is told this once, and not kept."""

    name: str
    link: str


class NewNewsAnswer(Told):
    id: int


class NameForm(Wanted):
    name: Line


class RoleForm(Wanted):
    role: Line
    """`admin`, `organiser` or `player`."""


class BanForm(Wanted):
    reason: Line
    """It is shown to the person."""


class TicketWish(Wanted):
    purpose: Literal["admin", "invitation"]


class ClassForm(Wanted):
    names: Text
    """A table of names as CSV: its first column, or the one that is headed `name`."""


class NewsForm(Wanted):
    title: Line
    body: Text = ""
    link: Line = ""
    """A page of this site, or the address of another one."""


# Accounts


async def list_people(call: Call, words: Asked = "", state: Asked = "", cursor: Cursor = "") -> ListPart[AccountAnswer]:
    """Lists accounts by name; those whose names have these words in them, or that are in this state."""
    found = await call.ask(find_people, words, state, cursor)
    following = found[-1].name if len(found) == PAGE_LENGTH else None
    return ListPart(items=[AccountAnswer.model_validate(person) for person in found], next=following)


async def one_account(call: Call, person: Number) -> HoldingsAnswer:
    """Tells about an account."""

    def read(connection: sa.Connection) -> tuple[Person, Holdings]:
        return person_of(connection, person), holdings_of(connection, person, call.yard.clock())

    found, holds = await call.ask(read)
    account = AccountAnswer.model_validate(found)
    return HoldingsAnswer(account=account, bots=holds.bots, sessions=holds.sessions, tokens=holds.tokens)


async def rename_person(call: Call, person: Number, form: NameForm) -> AccountAnswer:
    """Gives somebody another name."""
    await call.change(rename, person, form.name, call.yard.clock(), by=call.caller.need_admin())
    return AccountAnswer.model_validate(await call.ask(person_of, person))


async def give_role(call: Call, person: Number, form: RoleForm) -> None:
    """Makes somebody an admin, an organiser or a player."""
    await call.change(set_role, person, form.role, call.yard.clock(), by=call.caller.need_admin())


async def ban_person(call: Call, person: Number, form: BanForm) -> None:
    """Keeps somebody out. Their sessions end, their tokens are refused, and their bots play no more."""
    await call.change(ban, person, form.reason, call.yard.clock(), by=call.caller.need_admin())


async def unban_person(call: Call, person: Number) -> None:
    """Lets somebody in again. Their bots stay withdrawn until they activate them."""
    await call.change(unban, person, call.yard.clock(), by=call.caller.need_admin())


async def delete_person(
    call: Call, person: Number, sure: Annotated[str, Query(description="The name of the person")]
) -> None:
    """Forgets somebody. Their games stay, their name is gone."""
    found = await call.ask(person_of, person)
    if sure != found.name:
        raise Refusal(f"person {person} has another name", hint="send the name of who is to be deleted as `sure`")
    await call.change(delete, person, call.yard.clock(), by=call.caller.need_admin())


async def link_for_password(call: Call, person: Number) -> LinkAnswer:
    """Makes a link with which somebody sets a password they have lost."""
    found = await call.ask(person_of, person)
    secret = await call.change(password_link, person, call.yard.clock(), by=call.caller.need_admin())
    return LinkAnswer(name=found.name, link=link_base(call) + secret)


async def list_all_bots(
    call: Call, words: Asked = "", game: Asked = "", cursor: Cursor = ""
) -> ListPart[AdminBotAnswer]:
    """Lists bots with how far their owners have come, the latest first."""
    found = await call.ask(find_bots, words, game, number_in(cursor) or 0)
    following = str(found[-1].id) if len(found) == PAGE_LENGTH else None
    return ListPart(items=[AdminBotAnswer.model_validate(one) for one in found], next=following)


# Links that work once


async def list_tickets(call: Call) -> ListPart[TicketLineAnswer]:
    """Lists the links that can still be used."""
    found = await call.ask(tickets_open, call.yard.clock())
    return ListPart(items=[TicketLineAnswer.model_validate(ticket) for ticket in found])


async def add_ticket(call: Call, form: TicketWish) -> LinkAnswer:
    """Makes a link for whoever has it: an invitation, or another admin."""
    secret = await call.change(make_ticket, form.purpose, call.yard.clock(), by=call.caller.need_admin())
    return LinkAnswer(name="", link=link_base(call) + secret)


async def invite(call: Call, form: ClassForm) -> ListPart[LinkAnswer]:
    """Invites everybody on a class list, or nobody if there is a mistake in it."""
    names = names_in(form.names)
    guests = await call.change(invite_class, names, call.yard.clock(), by=call.caller.need_admin())
    return ListPart(items=[LinkAnswer(name=guest.name, link=link_base(call) + guest.secret) for guest in guests])


async def void_ticket(call: Call, handle: Word) -> None:
    """Makes a link worthless that nobody has used."""
    await call.change(end_ticket, handle, call.yard.clock(), by=call.caller.need_admin())


# News


async def write_news(call: Call, form: NewsForm) -> NewNewsAnswer:
    """Tells everybody something."""
    by, now_ms = call.caller.need_admin(), call.yard.clock()
    return NewNewsAnswer(id=await call.change(publish_news, by, form.title, form.body, now_ms, link=form.link))


async def take_news_back(call: Call, notice: Number) -> None:
    """Takes news back."""
    await call.change(hide_notice, notice, call.yard.clock(), by=call.caller.need_admin())


SECTION = Section.of(
    "Administration: people",
    "For admins alone; everything that they do is an event.",
    get("/admin/people", list_people, Need.ADMIN),
    get("/admin/people/{person}", one_account, Need.ADMIN),
    put("/admin/people/{person}/name", rename_person, Need.ADMIN),
    put("/admin/people/{person}/role", give_role, Need.ADMIN, status=204),
    post("/admin/people/{person}/ban", ban_person, Need.ADMIN, status=204),
    post("/admin/people/{person}/unban", unban_person, Need.ADMIN, status=204),
    post("/admin/people/{person}/password-link", link_for_password, Need.ADMIN, status=201),
    remove("/admin/people/{person}", delete_person, Need.ADMIN, status=204),
    get("/admin/bots", list_all_bots, Need.ADMIN),
    get("/admin/tickets", list_tickets, Need.ADMIN),
    post("/admin/tickets", add_ticket, Need.ADMIN, status=201),
    post("/admin/tickets/class", invite, Need.ADMIN, status=201),
    remove("/admin/tickets/{handle}", void_ticket, Need.ADMIN, status=204),
    post("/admin/news", write_news, Need.ADMIN, status=201),
    remove("/admin/news/{notice}", take_news_back, Need.ADMIN, status=204),
)
