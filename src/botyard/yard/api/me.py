"""What concerns who asks: notices, bots, rooms, tokens, sessions, password; and the end of an account."""

from __future__ import annotations

import sqlalchemy as sa
from pydantic import Field

from botyard.yard.api.entrance import NewTokenAnswer
from botyard.yard.api.fields import Limit, Line, ListPart, Number, Told, Wanted, Word
from botyard.yard.api.people import NewsAnswer, OwnBotAnswer
from botyard.yard.api.routing import Call, Need, Section, get, post, put, remove
from botyard.yard.people.accounts import Person, person_of, rename
from botyard.yard.people.belongings import bots_of
from botyard.yard.people.notices import notices_of, see_notices, unseen_notices
from botyard.yard.people.sessions import end_session, end_sessions_but, sessions_of
from botyard.yard.people.signing_in import change_password, delete_account
from botyard.yard.people.tokens import end_this_token, end_token, make_token, tokens_of
from botyard.yard.rooms.members import rooms_of
from botyard.yard.web.guard import bearer_token


class MeAnswer(Told):
    """Who asks, and what the token or session is good for."""

    id: int
    name: str
    role: str
    made_ms: int
    unread: int
    """Notices that were not read."""
    scopes: list[str]


class NoticeAnswer(NewsAnswer):
    """Something that you ought to know."""

    seen: bool


class OwnRoomAnswer(Told):
    """A room in which you are registered."""

    slug: str
    title: str
    game: str
    open: bool
    name: str
    """Under which you play there."""
    points: int
    """Won in all, less those lost."""


class TokenAnswer(Told):
    """A token of yours."""

    id: int
    name: str
    scopes: list[str]
    made_ms: int
    used_ms: int | None


class SessionAnswer(Told):
    """A browser in which you are signed in."""

    handle: str
    """By which it is named here; it is no secret."""
    current: bool
    address: str
    agent: str
    made_ms: int
    seen_ms: int
    ends_ms: int


class TokenForm(Wanted):
    name: Line
    """What it is for, such as laptop."""
    scopes: list[Line] = Field(max_length=10)
    """Some of read, upload, play and admin."""


class PasswordForm(Wanted):
    current_password: Line
    password: Line


class OwnNameForm(Wanted):
    name: Line
    """At most 32 characters; what is taken, or was left lately by somebody else, is not given."""


class FarewellForm(Wanted):
    current_password: Line


async def me(call: Call) -> MeAnswer:
    """Tells who you are, and what your token is good for."""

    def read(connection: sa.Connection) -> tuple[Person, int]:
        person = call.caller.need()
        return person_of(connection, person), unseen_notices(connection, person)

    person, unread = await call.ask(read)
    return MeAnswer(
        id=person.id,
        name=person.name,
        role=person.role,
        made_ms=person.made_ms,
        unread=unread,
        scopes=sorted(call.caller.scopes),
    )


async def my_bots(call: Call) -> ListPart[OwnBotAnswer]:
    """Lists your bots, and where they play."""
    found = await call.ask(bots_of, call.caller.need())
    return ListPart(items=[OwnBotAnswer.model_validate(bot) for bot in found])


async def my_rooms(call: Call) -> ListPart[OwnRoomAnswer]:
    """Lists the rooms in which you are registered. `GET /rooms/{slug}/membership` has your address there."""
    found = await call.ask(rooms_of, call.caller.need())
    return ListPart(
        items=[
            OwnRoomAnswer(
                slug=room.slug, title=room.title, game=room.game, open=room.is_open, name=member.name,
                points=member.points,
            )
            for room, member in found
        ]
    )  # fmt: skip


# Notices


async def my_notices(call: Call, limit: Limit = 50) -> ListPart[NoticeAnswer]:
    """Lists what you were told, the latest first."""
    found = await call.ask(notices_of, call.caller.need(), limit)
    return ListPart(items=[NoticeAnswer.model_validate(notice) for notice in found])


async def read_notices(call: Call) -> None:
    """Notes that you have read everything that you were told."""
    await call.change(see_notices, call.caller.need(), call.yard.clock())


# Tokens


async def my_tokens(call: Call) -> ListPart[TokenAnswer]:
    """Lists your tokens that are good."""
    found = await call.ask(tokens_of, call.caller.need_session())
    return ListPart(items=[TokenAnswer.model_validate(token) for token in found])


async def add_token(call: Call, form: TokenForm) -> NewTokenAnswer:
    """Makes a token."""
    quotas, now_ms = call.yard.config.quotas, call.yard.clock()
    secret = await call.change(make_token, call.caller, form.name, form.scopes, quotas, now_ms)
    return NewTokenAnswer(secret=secret, name=form.name, scopes=form.scopes)


async def remove_token(call: Call, token: Number) -> None:
    """Makes a token worthless."""
    await call.change(end_token, call.caller.need_session(), token, call.yard.clock())


async def remove_this_token(call: Call) -> None:
    """Makes the token worthless with which this request comes, whatever it is good for."""
    await call.change(end_this_token, bearer_token(call.request.headers), call.yard.clock())


# Sessions


async def my_sessions(call: Call) -> ListPart[SessionAnswer]:
    """Lists the browsers in which you are signed in."""
    found = await call.ask(sessions_of, call.caller.need_session(), call.yard.clock(), call.caller.session)
    return ListPart(items=[SessionAnswer.model_validate(session) for session in found])


async def remove_session(call: Call, handle: Word) -> None:
    """Signs one browser out."""
    await call.change(end_session, call.caller.need_session(), handle, call.yard.clock())


async def remove_other_sessions(call: Call) -> None:
    """Signs all other browsers out."""
    await call.change(end_sessions_but, call.caller.need_session(), call.caller.session, call.yard.clock())


# The account


async def new_name(call: Call, form: OwnNameForm) -> MeAnswer:
    """Gives you another name. The old one is kept for you for 30 days; your bots keep theirs."""
    person = call.caller.need_session()
    await call.change(rename, person, form.name, call.yard.clock(), by=person)
    return await me(call)


async def new_password(call: Call, form: PasswordForm) -> None:
    """Replaces your password. All other browsers are signed out."""
    limits = call.request.scope["state"]["limits"]
    await change_password(call.yard, limits, call.caller, form.current_password, form.password)


async def delete_me(call: Call, form: FarewellForm) -> None:
    """Forgets you. Your games stay, your name is gone."""
    limits = call.request.scope["state"]["limits"]
    await delete_account(call.yard, limits, call.caller, form.current_password)


SECTION = Section.of(
    "Your account",
    "Tokens are not good for what concerns the account itself: that needs the session of a browser.",
    get("/me", me, Need.READ),
    get("/me/bots", my_bots, Need.READ),
    get("/me/rooms", my_rooms, Need.READ),
    get("/me/notices", my_notices, Need.READ),
    post("/me/notices/seen", read_notices, Need.READ, status=204),
    get("/me/tokens", my_tokens, Need.SESSION),
    post("/me/tokens", add_token, Need.SESSION, status=201),
    remove("/me/token", remove_this_token, Need.NOTHING, status=204),
    remove("/me/tokens/{token}", remove_token, Need.SESSION, status=204),
    get("/me/sessions", my_sessions, Need.SESSION),
    remove("/me/sessions", remove_other_sessions, Need.SESSION, status=204),
    remove("/me/sessions/{handle}", remove_session, Need.SESSION, status=204),
    put("/me/name", new_name, Need.SESSION),
    put("/me/password", new_password, Need.SESSION, status=204),
    post("/me/delete", delete_me, Need.SESSION, status=204),
)
