"""The entrance for programs: signing in, registering and using links that work once, each for a token."""

from __future__ import annotations

from pydantic import Field

from botyard.yard.api.fields import Line, Told, Wanted
from botyard.yard.api.routing import Call, Need, Section, post
from botyard.yard.caller import PLAY, READ, UPLOAD
from botyard.yard.people.programs import token_for_session
from botyard.yard.people.sessions import UserAgent
from botyard.yard.people.signing_in import join, sign_in
from botyard.yard.people.tickets import become_admin, redeem, ticket_of


class TokenWish(Wanted):
    """What a token is to be called, and what it is to be good for."""

    token_name: Line = "program"
    """What it is for, such as laptop; it stands on your page."""
    scopes: list[Line] = Field(default=[READ, UPLOAD, PLAY], max_length=10)
    """Some of read, upload, play and admin."""


class LoginForm(TokenWish):
    """A name and its password."""

    name: Line
    password: Line


class TicketForm(Wanted):
    """A link that works once."""

    secret: Line
    """The last part of the link's address."""


class RedeemForm(TokenWish):
    """A link that works once, and what is chosen with it."""

    secret: Line
    name: Line = ""
    """Where the link is not for somebody in particular."""
    password: Line


class NewTokenAnswer(Told):
    """A token. Its secret is told this once, and not kept."""

    secret: str
    name: str
    scopes: list[str]


class TicketAnswer(Told):
    """What a link is good for."""

    purpose: str
    """`admin`, `password` or `invitation`."""
    name: str
    """Whose password it sets, or who is invited; empty: whoever has the link."""
    ends_ms: int


async def login(call: Call, form: LoginForm) -> NewTokenAnswer:
    """Makes a token for who knows a name and its password. Where no page of this site sends it, the header Origin must
    hold the address of this site."""
    secret = await sign_in(call.yard, call.request.scope["state"]["limits"], form.name, form.password, agent_of(call))
    return await token_answer(call, secret, form)


async def register(call: Call, form: LoginForm) -> NewTokenAnswer:
    """Registers somebody where everybody may, and makes their first token."""
    return await token_answer(call, await join(call.yard, form.name, form.password, agent_of(call)), form)


async def look_at_ticket(call: Call, form: TicketForm) -> TicketAnswer:
    """Tells what a link that works once is good for, without using it."""
    return TicketAnswer.model_validate(await call.ask(ticket_of, form.secret, call.yard.clock()))


async def use_ticket(call: Call, form: RedeemForm) -> NewTokenAnswer:
    """Uses a link that works once: sets a password, or registers who was invited; and makes a token for them."""
    secret = await redeem(call.yard, form.secret, form.name, form.password, agent_of(call))
    return await token_answer(call, secret, form)


async def take_office(call: Call, form: TicketForm) -> None:
    """Makes you an admin, by a link for admins."""
    await call.change(become_admin, form.secret, call.caller, call.yard.clock())


def agent_of(call: Call) -> UserAgent:
    return UserAgent(call.caller.address, call.request.headers.get("user-agent", ""))


async def token_answer(call: Call, session: str, wish: TokenWish) -> NewTokenAnswer:
    secret = await token_for_session(call.yard, session, wish.token_name, wish.scopes)
    return NewTokenAnswer(secret=secret, name=wish.token_name, scopes=wish.scopes)


SECTION = Section.of(
    "Entrance",
    "How a program gets a token for somebody.",
    post("/login", login, Need.NOTHING),
    post("/register", register, Need.NOTHING, status=201),
    post("/ticket/look", look_at_ticket, Need.NOTHING),
    post("/ticket/use", use_ticket, Need.NOTHING),
    post("/ticket/admin", take_office, Need.SESSION, status=204),
)
