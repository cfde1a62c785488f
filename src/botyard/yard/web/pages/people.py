"""The entrance: registering, signing in and out, and links that work once."""

from __future__ import annotations

import contextlib
from typing import Any

from starlette.responses import Response

from botyard.kernel.errors import YardError
from botyard.yard.data.tables import ADMIN, PLAYER
from botyard.yard.people.accounts import need_free_name, need_open_registration
from botyard.yard.people.names import BadName
from botyard.yard.people.passwords import BadPassword, check_password
from botyard.yard.people.sessions import UserAgent, end_session
from botyard.yard.people.signing_in import join, sign_in
from botyard.yard.people.tickets import FOR_ADMIN, become_admin, redeem, ticket_of
from botyard.yard.refusals import InTheWay, NotThere, Refusal
from botyard.yard.web.cookies import drop_session, set_session
from botyard.yard.web.forms import Typed, own_path, shown_again
from botyard.yard.web.routing import Access, get, post
from botyard.yard.web.visit import Visit

HOME = "/me"


def agent_of(visit: Visit) -> UserAgent:
    """Returns the browser that asks, and the session that it has already."""
    said = visit.request.headers.get("user-agent", "")
    return UserAgent(visit.caller.address, said, visit.caller.session)


def signed_in(visit: Visit, secret: str, to: str) -> Response:
    """Returns the way on for a browser that carries a new session from now on."""
    answer = visit.go(own_path(to, HOME))
    set_session(answer, visit.yard.config, secret)
    return answer


def field_of(error: Refusal) -> str:
    """Returns the field that an error stands beside."""
    if isinstance(error, BadName | InTheWay):
        return "name"
    return "password" if isinstance(error, BadPassword) else "form"


def chosen_password(typed: Typed) -> str:
    """Returns a new password that was typed twice."""
    password = typed.line("password")
    if password != typed.line("password_again"):
        raise BadPassword("the two passwords differ", hint="type the same one twice")
    return password


# Registering


async def register_form(visit: Visit) -> Response:
    return visit.page("register.html", errors={}, typed={}, to=own_path(visit.word("to"), HOME))


async def register(visit: Visit) -> Response:
    typed = await Typed.of(visit)
    to = own_path(typed.line("to"), HOME)
    need_open_registration(visit.yard.config.registration)
    errors = await mistakes(visit, typed)
    try:
        if not errors:
            secret = await join(visit.yard, typed.line("name"), typed.line("password"), agent_of(visit))
            return signed_in(visit, secret, to)
    except Refusal as error:
        errors = {field_of(error): error}
    return shown_again(visit, "register.html", errors, typed, to=to)


async def mistakes(visit: Visit, typed: Typed, name: str = "", role: str = PLAYER) -> dict[str, YardError]:
    """Returns what is wrong with a new name and password, both at once; `name` is one that is given already."""
    errors: dict[str, YardError] = {}
    try:
        name = name or await visit.ask(need_free_name, typed.line("name"), visit.yard.clock(), role)
    except Refusal as error:
        errors["name"] = error
    try:
        check_password(chosen_password(typed), name)
    except Refusal as error:
        errors["password"] = error
    return errors


# Signing in and out


async def login_form(visit: Visit) -> Response:
    return visit.page("login.html", errors={}, typed={}, to=own_path(visit.word("to"), HOME))


async def login(visit: Visit) -> Response:
    typed = await Typed.of(visit)
    to = own_path(typed.line("to"), HOME)
    limits = visit.request.scope["state"]["limits"]
    try:
        secret = await sign_in(visit.yard, limits, typed.line("name"), typed.line("password"), agent_of(visit))
    except Refusal as error:
        return shown_again(visit, "login.html", {"form": error}, typed, to=to)
    return signed_in(visit, secret, to)


async def logout_form(visit: Visit) -> Response:
    return visit.page("logout.html")


async def logout(visit: Visit) -> Response:
    """Ends the session of this browser; one that has none is told nothing else."""
    if visit.caller.person is not None:
        with contextlib.suppress(NotThere):  # a second click
            await visit.change(end_session, visit.caller.person, visit.caller.session, visit.yard.clock())
    answer = visit.go("/")
    drop_session(answer, visit.yard.config)
    return answer


# Links that work once


async def ticket_form(visit: Visit) -> Response:
    return visit.page("ticket.html", errors={}, typed={}, **await ticket_in(visit))


async def ticket_in(visit: Visit) -> dict[str, Any]:
    secret = visit.request.path_params["secret"]
    return {"secret": secret, "ticket": await visit.ask(ticket_of, secret, visit.yard.clock())}


async def use_ticket(visit: Visit) -> Response:
    typed, shown = await Typed.of(visit), await ticket_in(visit)
    found = shown["ticket"]
    errors = await mistakes(visit, typed, found.name, ADMIN if found.purpose == FOR_ADMIN else PLAYER)
    if errors:
        return shown_again(visit, "ticket.html", errors, typed, **shown)
    try:
        secret = await redeem(visit.yard, shown["secret"], typed.line("name"), chosen_password(typed), agent_of(visit))
    except NotThere:
        raise
    except Refusal as error:
        beside = "form" if found.name else field_of(error)
        return shown_again(visit, "ticket.html", {beside: error}, typed, **shown)
    return signed_in(visit, secret, HOME)


async def take_office(visit: Visit) -> Response:
    await visit.change(become_admin, visit.request.path_params["secret"], visit.caller, visit.yard.clock())
    return visit.go("/admin")


PAGES = [
    get("/register", register_form),
    post("/register", register, Access.ANYBODY),
    get("/login", login_form),
    post("/login", login, Access.ANYBODY),
    get("/logout", logout_form),
    post("/logout", logout, Access.ANYBODY),
    get("/ticket/{secret}", ticket_form),
    post("/ticket/{secret}", use_ticket, Access.ANYBODY),
    post("/ticket/{secret}/admin", take_office),
]
