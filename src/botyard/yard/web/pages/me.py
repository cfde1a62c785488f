"""The page of who is signed in: notices, bots, rooms, tokens, sessions, password; and the end of an account."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from botyard.yard.caller import SCOPES, Caller
from botyard.yard.data.tables import ADMIN
from botyard.yard.people.accounts import person_of, rename
from botyard.yard.people.belongings import OwnBot, bots_of
from botyard.yard.people.notices import Notice, notices_of, see_notices
from botyard.yard.people.passwords import BadPassword
from botyard.yard.people.sessions import SignedIn, end_session, end_sessions_but, sessions_of
from botyard.yard.people.signing_in import change_password, delete_account
from botyard.yard.people.tokens import Pass, end_token, make_token, tokens_of
from botyard.yard.refusals import Refusal
from botyard.yard.rooms.members import MemberRow, rooms_of
from botyard.yard.rooms.rooms import RoomRow
from botyard.yard.web.cookies import drop_session
from botyard.yard.web.forms import Typed, shown_again
from botyard.yard.web.pages.people import chosen_password
from botyard.yard.web.routing import Access, get, post
from botyard.yard.web.visit import Visit

SCOPE_WORDS = {
    "read": "see what is private to you: sources, logs, turn reports",
    "upload": "upload bots and activate versions",
    "play": "ask for challenges and test games",
    "admin": "administer this yard",
}


@dataclass(frozen=True, slots=True)
class OwnPage:
    """All that somebody's own page shows."""

    made_ms: int
    notices: list[Notice]
    bots: list[OwnBot]
    rooms: list[tuple[RoomRow, MemberRow]]
    tokens: list[Pass]
    sessions: list[SignedIn]


def gathered(connection: sa.Connection, caller: Caller, now_ms: int) -> OwnPage:
    person = caller.need_session()
    return OwnPage(
        person_of(connection, person).made_ms,
        notices_of(connection, person),
        bots_of(connection, person),
        rooms_of(connection, person),
        tokens_of(connection, person),
        sessions_of(connection, person, now_ms, caller.session),
    )


async def me(visit: Visit) -> Response:
    return await own_page(visit)


async def own_page(
    visit: Visit, error: Refusal | None = None, beside: str = "", typed: Typed | None = None
) -> Response:
    """Returns the page, with the error beside the form that it is about."""
    shown: dict[str, Any] = {
        "own": await visit.ask(gathered, visit.caller, visit.yard.clock()),
        "scopes": {scope: SCOPE_WORDS[scope] for scope in SCOPES if scope != "admin" or visit.caller.role == ADMIN},
        "quotas": visit.yard.config.quotas,
    }
    if error is None or typed is None:
        return visit.page("me.html", errors={}, typed={}, ticked=[], **shown)
    return shown_again(visit, "me.html", {beside: error}, typed, ticked=typed.several("scope"), **shown)


# Notices


async def read_notices(visit: Visit) -> Response:
    await visit.change(see_notices, visit.caller.need_session(), visit.yard.clock())
    return visit.go("/me#notices")


# Tokens


async def add_token(visit: Visit) -> Response:
    """Makes a token and shows its secret, this once."""
    typed = await Typed.of(visit)
    quotas, now_ms = visit.yard.config.quotas, visit.yard.clock()
    try:
        name, scopes = typed.line("token_name"), typed.several("scope")
        secret = await visit.change(make_token, visit.caller, name, scopes, quotas, now_ms)
    except Refusal as error:
        return await own_page(visit, error, "token", typed)
    return visit.page("token.html", secret=secret, name=name, scopes=scopes)


async def remove_token(visit: Visit) -> Response:
    await visit.change(end_token, visit.caller.need_session(), visit.number("token"), visit.yard.clock())
    return visit.go("/me#tokens")


# Sessions


async def remove_session(visit: Visit) -> Response:
    person, handle = visit.caller.need_session(), visit.request.path_params["handle"]
    await visit.change(end_session, person, handle, visit.yard.clock())
    answer = visit.go("/me#sessions")
    if visit.caller.session.startswith(handle):
        answer = visit.go("/")
        drop_session(answer, visit.yard.config)
    return answer


async def remove_other_sessions(visit: Visit) -> Response:
    person = visit.caller.need_session()
    await visit.change(end_sessions_but, person, visit.caller.session, visit.yard.clock())
    return visit.go("/me#sessions")


# The account


async def new_name(visit: Visit) -> Response:
    typed, person = await Typed.of(visit), visit.caller.need_session()
    try:
        await visit.change(rename, person, typed.line("name"), visit.yard.clock(), by=person)
    except Refusal as error:
        return await own_page(visit, error, "name", typed)
    return visit.go("/me")


async def new_password(visit: Visit) -> Response:
    typed = await Typed.of(visit)
    limits = visit.request.scope["state"]["limits"]
    try:
        await change_password(visit.yard, limits, visit.caller, typed.line("current_password"), chosen_password(typed))
    except Refusal as error:
        beside = "password" if isinstance(error, BadPassword) else "current_password"
        return await own_page(visit, error, beside, typed)
    return visit.page(
        "done.html", title="The password was changed", back="/me", text="All other browsers were signed out."
    )


async def delete_form(visit: Visit) -> Response:
    visit.caller.need_session()
    return visit.page("delete_account.html", errors={}, typed={})


async def forget_me(visit: Visit) -> Response:
    typed = await Typed.of(visit)
    limits = visit.request.scope["state"]["limits"]
    try:
        await delete_account(visit.yard, limits, visit.caller, typed.line("current_password"))
    except Refusal as error:
        return shown_again(visit, "delete_account.html", {"current_password": error}, typed)
    answer = visit.go("/")
    drop_session(answer, visit.yard.config)
    return answer


PAGES = [
    get("/me", me, Access.PERSON),
    post("/me/notices/seen", read_notices),
    post("/me/tokens", add_token),
    post("/me/tokens/{token:int}/end", remove_token),
    post("/me/sessions/others/end", remove_other_sessions),
    post("/me/sessions/{handle}/end", remove_session),
    post("/me/name", new_name),
    post("/me/password", new_password),
    get("/me/delete", delete_form, Access.PERSON),
    post("/me/delete", forget_me),
]
