"""Sockets and streams of somebody who signs out, is banned or loses a token end soon, and those of others go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.types import ASGIApp, Message

from botyard.yard.caller import Caller
from botyard.yard.config import Quotas
from botyard.yard.data.tables import ADMIN, ORGANISER
from botyard.yard.people.accounts import Person, ban, set_role
from botyard.yard.people.sessions import LASTS, bearer_of, end_session
from botyard.yard.people.tokens import caller_of_token, end_token, make_token
from botyard.yard.people.welcome import still_welcome
from botyard.yard.serving import yard_app
from botyard.yard.site import Yard
from botyard.yard.web import lasting
from botyard.yard.web.cookies import cookie_name
from botyard.yard.web.lasting import SIGNED_OUT
from tests.waiting import finished, soon, until
from tests.yard.browser import Browser
from tests.yard.residents import caller_for, resident, session_of

Change = Callable[[sa.Connection], object]


def people(yard: Yard) -> tuple[Person, Person, Person]:
    return resident(yard, "Root", ADMIN), resident(yard, "Ada"), resident(yard, "Bob")


def token_of(yard: Yard, person: Person) -> str:
    caller = caller_for(yard, person)
    with yard.database.writing() as connection:
        return make_token(connection, caller, "a program", ["read"], Quotas(), yard.clock())


def carrier(yard: Yard, secret: str) -> Caller:
    with yard.database.reading() as connection:
        found = caller_of_token(connection, secret)
        assert found is not None
        return found[0]


def test_whoever_signed_out_was_banned_or_has_another_role_is_not_welcome(yard: Yard) -> None:
    admin, ada, bob = people(yard)
    callers = [caller_for(yard, ada), carrier(yard, token_of(yard, ada)), caller_for(yard, bob), caller_for(yard, ada)]
    callers.append(carrier(yard, token_of(yard, bob)))

    def welcome(now_ms: int = 0) -> list[bool]:
        with yard.database.reading() as connection:
            found = still_welcome(connection, callers, now_ms or yard.clock())
        return [caller in found for caller in callers]

    assert welcome() == [True] * 5
    assert welcome(yard.clock() + LASTS) == [False, True, False, False, True], "sessions end by themselves"
    with yard.database.writing() as connection:
        end_session(connection, ada.id, callers[0].session, yard.clock())
    assert welcome() == [False, True, True, True, True]
    with yard.database.writing() as connection:
        end_token(connection, ada.id, callers[1].token, yard.clock())
    assert welcome() == [False, False, True, True, True]
    with yard.database.writing() as connection:
        set_role(connection, ada.id, ORGANISER, yard.clock(), by=admin.id)
        ban(connection, bob.id, "noise", yard.clock(), by=admin.id)
    assert welcome() == [False] * 5
    with yard.database.reading() as connection:
        assert still_welcome(connection, [replace(callers[3], role=ORGANISER)], yard.clock())
        assert still_welcome(connection, [], yard.clock()) == set()


@dataclass
class Open:
    """A request that is being answered."""

    heard: list[Message] = field(default_factory=list)
    answer: asyncio.Future[None] | None = None

    @classmethod
    def of(cls, app: ASGIApp, kind: str, path: str, **headers: str) -> Open:
        line = cls()
        first = {"type": "websocket.connect"} if kind == "websocket" else {"type": "http.request", "body": b""}
        told: list[Message] = [first]

        async def receive() -> Message:
            if not told:
                await asyncio.Event().wait()  # the other side stays, and says nothing
            return told.pop()

        async def send(message: Message) -> None:
            line.heard.append(message)

        scope = Browser(app).scope(kind, path, {"host": "localhost:8000", **headers}, method="GET")
        line.answer = asyncio.ensure_future(app(scope, receive, send))
        return line

    @property
    def going(self) -> bool:
        return self.answer is not None and not self.answer.done()


def test_what_lasts_ends_when_its_caller_is_not_welcome_any_more(
    one_yard: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lasting, "LOOK_S", 0.05)
    yard, app = one_yard, yard_app(one_yard)
    admin, ada, bob = people(yard)
    session, banned, token = session_of(yard, ada), session_of(yard, bob), token_of(yard, ada)
    origin = "http://localhost:8000"

    def with_session(secret: str) -> dict[str, str]:
        return {"cookie": f"{cookie_name(yard.config)}={secret}", "origin": origin}

    async def changed(change: Change) -> None:
        def act() -> None:
            with yard.database.writing() as connection:
                change(connection)

        await asyncio.to_thread(act)

    def sign_out(connection: sa.Connection) -> None:
        bearer = bearer_of(connection, session, yard.clock())
        assert bearer is not None
        end_session(connection, ada.id, bearer.caller.session, yard.clock())

    async def watch() -> list[Any]:
        live, stream = "/api/v1/live", "/api/v1/events?follow=true"
        by_session = Open.of(app, "websocket", live, **with_session(session))
        by_token = Open.of(app, "http", stream, authorization=f"Bearer {token}")
        of_bob = Open.of(app, "websocket", live, **with_session(banned))
        of_nobody = Open.of(app, "websocket", live)
        every = [by_session, by_token, of_bob, of_nobody]
        await until(lambda: all(line.heard for line in every))
        ends: list[Any] = []
        for line, change in (
            (by_session, sign_out),
            (by_token, lambda connection: end_token(connection, ada.id, 1, yard.clock())),
            (of_bob, lambda connection: ban(connection, bob.id, "noise", yard.clock(), by=admin.id)),
        ):
            assert line.going
            await changed(change)
            assert line.answer is not None
            await soon(line.answer)
            ends.append(line.heard[-1])
        assert of_nobody.going, "who was nobody in particular stays it"
        assert of_nobody.answer is not None
        of_nobody.answer.cancel()
        return ends

    closed, ended, kept_out = finished(watch())
    assert (closed["type"], closed["code"], kept_out["code"]) == ("websocket.close", SIGNED_OUT, SIGNED_OUT)
    assert (ended["type"], ended.get("more_body")) == ("http.response.body", False), "in good form, not cut off"
