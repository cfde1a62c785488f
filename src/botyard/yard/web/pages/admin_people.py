"""What admins do with people: look after one account, and invite others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import sqlalchemy as sa
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from botyard.yard.data.tables import ROLES
from botyard.yard.people.accounts import ban, delete, person_of, rename, set_role, unban
from botyard.yard.people.belongings import bots_of
from botyard.yard.people.class_lists import as_csv, invite_class, names_in, text_of
from botyard.yard.people.registry import events_before, holdings_of
from botyard.yard.people.tickets import FOR_ADMIN, FOR_GUEST, PATH, end_ticket, make_ticket, password_link
from botyard.yard.refusals import NotThere, Refusal
from botyard.yard.web.forms import Typed, shown_again
from botyard.yard.web.pages.admin import SECTIONS, section_named, section_page
from botyard.yard.web.routing import Access, get, post
from botyard.yard.web.visit import FORM_BYTES, Visit

LINK_NOTE = "It is shown only now, and works once. Give it to nobody else."


# One account


def account_of(connection: sa.Connection, number: int, now_ms: int) -> dict[str, Any]:
    person = person_of(connection, number)
    if person.state == "deleted":
        raise NotThere("this person was deleted", hint="their games stay, their name is gone")
    return {
        "person": person,
        "holdings": holdings_of(connection, number, now_ms),
        "bots": bots_of(connection, number),
        "events": events_before(connection, subject=f"person/{number}", limit=20),
        "roles": ROLES,
        "section": section_named("people"),
        "sections": SECTIONS,
    }


async def account(visit: Visit) -> Response:
    shown = await visit.ask(account_of, visit.number("person"), visit.yard.clock())
    return visit.page("admin_person.html", errors={}, typed={}, **shown)


Deed = Callable[[Visit, Typed, int, int], Awaitable[Response | None]]


def doing(deed: Deed, beside: str) -> Callable[[Visit], Awaitable[Response]]:
    """Returns the answer to a form about one account: what was done is seen on its page, or why it was not."""

    async def answer(visit: Visit) -> Response:
        typed, person, by = await Typed.of(visit), visit.number("person"), visit.caller.need_admin()
        try:
            done = await deed(visit, typed, person, by)
        except NotThere:
            raise
        except Refusal as error:
            shown = await visit.ask(account_of, person, visit.yard.clock())
            return shown_again(visit, "admin_person.html", {beside: error}, typed, **shown)
        return done or visit.go(f"/admin/people/{person}")

    return answer


async def renaming(visit: Visit, typed: Typed, person: int, by: int) -> None:
    await visit.change(rename, person, typed.line("name"), visit.yard.clock(), by=by)


async def banning(visit: Visit, typed: Typed, person: int, by: int) -> None:
    await visit.change(ban, person, typed.line("reason"), visit.yard.clock(), by=by)


async def unbanning(visit: Visit, _: Typed, person: int, by: int) -> None:
    await visit.change(unban, person, visit.yard.clock(), by=by)


async def promoting(visit: Visit, typed: Typed, person: int, by: int) -> None:
    await visit.change(set_role, person, typed.line("role"), visit.yard.clock(), by=by)


async def deleting(visit: Visit, typed: Typed, person: int, by: int) -> Response:
    """Deletes an account if its name was typed: a slip of the mouse must not do it."""
    found = await visit.ask(person_of, person)
    if typed.line("sure").strip() != found.name:
        raise Refusal("the name that you typed is another one", hint=f"type {found.name} to delete this account")
    await visit.change(delete, person, visit.yard.clock(), by=by)
    return visit.go("/admin/people")


async def linking(visit: Visit, _: Typed, person: int, by: int) -> Response:
    found = await visit.ask(person_of, person)
    secret = await visit.change(password_link, person, visit.yard.clock(), by=by)
    return links_page(visit, [(found.name, secret)], f"A new password for {found.name}", f"/admin/people/{person}")


# Invitations


def links_page(visit: Visit, links: list[tuple[str, str]], title: str, back: str) -> Response:
    """Shows links, this once."""
    base = link_base(visit)
    shown = [(name, f"{base}{secret}") for name, secret in links]
    return visit.page("links.html", title=title, links=shown, note=LINK_NOTE, back=back)


def link_base(visit: Visit) -> str:
    return f"{visit.request.scope['state']['origin']}{PATH}"


async def invite(visit: Visit) -> Response:
    """Makes links for a class list, as a page or as a file for a spreadsheet."""
    typed = await form_with_list(visit)
    by, now_ms = visit.caller.need_admin(), visit.yard.clock()
    try:
        names = names_in(typed.text("list", FORM_BYTES))
        guests = await visit.change(invite_class, names, now_ms, by=by)
    except Refusal as error:
        return await section_page(visit, section_named("tickets"), error, "list", typed)
    if typed.line("as") == "csv":
        headers = {"Content-Disposition": 'attachment; filename="invitations.csv"'}
        return Response(as_csv(guests, link_base(visit)), media_type="text/csv", headers=headers)
    links = [(guest.name, guest.secret) for guest in guests]
    return links_page(visit, links, f"{len(links)} invitations", "/admin/tickets")


async def form_with_list(visit: Visit) -> Typed:
    """Returns the form with the class list in it, wherever it was put: typed, or chosen as a file."""
    form = await visit.form(files=1)
    chosen = form.get("file")
    fields: list[tuple[str, str | UploadFile]] = [pair for pair in form.multi_items() if isinstance(pair[1], str)]
    if isinstance(chosen, UploadFile) and (content := await chosen.read()):
        fields = [(name, value) for name, value in fields if name != "list"] + [("list", text_of(content))]
    await form.close()
    return Typed(FormData(fields))


async def make_link(visit: Visit) -> Response:
    """Makes a link for one person without a name: an invitation, or another admin."""
    typed = await Typed.of(visit)
    purpose = FOR_ADMIN if typed.line("purpose") == FOR_ADMIN else FOR_GUEST
    by = visit.caller.need_admin()
    secret = await visit.change(make_ticket, purpose, visit.yard.clock(), by=by)
    title = "A link that makes an admin" if purpose == FOR_ADMIN else "An invitation"
    return links_page(visit, [("whoever has it", secret)], title, "/admin/tickets")


async def void_link(visit: Visit) -> Response:
    handle, by = visit.request.path_params["handle"], visit.caller.need_admin()
    await visit.change(end_ticket, handle, visit.yard.clock(), by=by)
    return visit.go("/admin/tickets")


PAGES = [
    get("/admin/people/{person:int}", account, Access.ADMIN),
    post("/admin/people/{person:int}/name", doing(renaming, "name"), Access.ADMIN),
    post("/admin/people/{person:int}/ban", doing(banning, "reason"), Access.ADMIN),
    post("/admin/people/{person:int}/unban", doing(unbanning, "form"), Access.ADMIN),
    post("/admin/people/{person:int}/role", doing(promoting, "role"), Access.ADMIN),
    post("/admin/people/{person:int}/delete", doing(deleting, "sure"), Access.ADMIN),
    post("/admin/people/{person:int}/password", doing(linking, "form"), Access.ADMIN),
    post("/admin/tickets/class", invite, Access.ADMIN),
    post("/admin/tickets/link", make_link, Access.ADMIN),
    post("/admin/tickets/{handle}/end", void_link, Access.ADMIN),
]
