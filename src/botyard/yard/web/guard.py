"""The guard stands before everything that a yard serves: it knows whose names are ours, who asks, and how often.

It leaves in `scope["state"]` the `caller`, how many `unread` notices wait for them, the `limits`, and the `origin` of
our pages as this browser sees it. In this order it asks:

1. Is the Host header ours?
2. Does the address, and later the person, ask too often? What is refused here costs no hashing and no query.
3. Does a request that changes something come from a page of ours? Programs carry a token instead, which no other site
   can make a browser send. What lies below `/codenjoy-contest/` is outside this: it reads no cookie, and the code that
   a bot carries is its right. The one question there that somebody may ask by being signed in changes nothing.
4. Who carries this cookie or this token? A token is good below `/api/` and nowhere else, where no page could be made to
   do with it what it is not good for.

What lasts, a socket or a stream, ends when its caller is not welcome any more.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from botyard.kernel.errors import YardError
from botyard.yard.caller import Caller
from botyard.yard.data.database import DatabaseAway
from botyard.yard.people.limits import (
    ANYTHING,
    ANYTHING_OF_ONE,
    CHANGES,
    CHANGES_OF_ONE,
    ENTRANCES,
    REGISTRATIONS,
    RateLimits,
)
from botyard.yard.people.sessions import SEEN_EVERY, Bearer, bearer_of, see_session
from botyard.yard.people.tokens import MARK, USED_EVERY, caller_of_token, see_token
from botyard.yard.refusals import NotAllowed, NotSignedIn, TooMuch, status_of
from botyard.yard.site import Yard
from botyard.yard.web.cookies import secret_in
from botyard.yard.web.headers import with_headers
from botyard.yard.web.lasting import OpenLines
from botyard.yard.web.origins import SAFE, Origins, Proxies, need_own_page, neighbourhood
from botyard.yard.web.visit import Visit

API = "/api/"
ROOMS = "/codenjoy-contest/"
OWN_SETTINGS = f"{ROOMS}rest/settings/player"  # of the room that the caller plays in
FILES = ("/static/", "/show/web/")  # the same for everybody
NOBODY = Bearer(Caller(), 0, 0)
WAYS_IN = "login", "register", "ticket/"
ENTRANCE = tuple(f"{before}{way}" for before in ("/", "/api/v1/") for way in WAYS_IN)  # there passwords are hashed


class YardGuard:
    """Lets requests through to an app, with the caller's name on them."""

    def __init__(self, app: ASGIApp, yard: Yard) -> None:
        self._app, self._yard = app, yard
        self._origins, self._proxies = Origins(yard.config), Proxies(yard.config)
        self.limits, self._lasting = RateLimits(), OpenLines(yard)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        send = with_headers(scope, send) if scope["type"] == "http" else send
        try:
            known = await self._known(scope)
        except YardError as error:
            if scope["type"] == "websocket":
                await receive()  # websocket.connect; whoever is refused is told so by an answer of HTTP
            await self._refusal(scope, error)(scope, receive, send)
            return
        state = {**scope.get("state", {}), **known, "limits": self.limits}
        told, caller = {**scope, "state": state}, known["caller"]
        if caller.known and (scope["type"] == "websocket" or scope["method"] in SAFE):
            await self._lasting.serve(caller, self._app, told, receive, send)
        else:
            await self._app(told, receive, send)

    async def _known(self, scope: Scope) -> dict[str, Any]:
        """Returns what is noted of a request, or refuses it."""
        headers, path = Headers(scope=scope), scope["path"]
        origin = self._origins.origin(scope, headers)
        address = self._proxies.address(scope, headers)
        changes = scope["type"] == "http" and scope["method"] not in SAFE
        self._keep_address_limits(neighbourhood(address), path, changes)
        token = bearer_token(headers)
        if token and not path.startswith((API, ROOMS)):
            raise NotAllowed("tokens are good below /api/ only", hint="sign in with a browser for this page")
        if not token and not path.startswith(ROOMS) and (changes or is_page_socket(scope, headers)):
            need_own_page(origin, headers)
        bearer = await self._bearer(scope, headers, token)
        self._keep_person_limits(bearer.caller.person, changes)
        return {"caller": replace(bearer.caller, address=address), "unread": bearer.unread, "origin": origin}

    def _keep_address_limits(self, address: str, path: str, changes: bool) -> None:
        now_ms = self._yard.clock()
        self.limits.spend(ANYTHING, address, now_ms)
        if not changes:
            return
        if path.startswith(ROOMS):
            self.limits.spend(REGISTRATIONS, address, now_ms)
            return
        self.limits.spend(CHANGES, address, now_ms)
        if path.startswith(ENTRANCE):
            self.limits.spend(ENTRANCES, address, now_ms)

    def _keep_person_limits(self, person: int | None, changes: bool) -> None:
        if person is not None:
            self.limits.spend(ANYTHING_OF_ONE, str(person), self._yard.clock())
            if changes:
                self.limits.spend(CHANGES_OF_ONE, str(person), self._yard.clock())

    async def _bearer(self, scope: Scope, headers: Headers, token: str) -> Bearer:
        if scope["path"].startswith((ROOMS, *FILES)) and not is_own_settings(scope):
            return NOBODY
        if is_own_settings(scope):
            token = ""
        if token:
            return await self._by_token(token)
        secret = secret_in(headers, self._yard.config)
        if not secret or (scope["type"] == "websocket" and not is_page_socket(scope, headers)):
            return NOBODY
        return await self._by_session(secret)

    async def _by_session(self, secret: str) -> Bearer:
        now_ms = self._yard.clock()
        bearer = await self._yard.ask(bearer_of, secret, now_ms) or NOBODY
        if bearer.caller.known and now_ms - bearer.seen_ms >= SEEN_EVERY:
            with contextlib.suppress(DatabaseAway):  # who only reads is not kept waiting for it
                await self._yard.change(see_session, bearer.caller.session, now_ms)
        return bearer

    async def _by_token(self, token: str) -> Bearer:
        found = await self._yard.ask(caller_of_token, token) if token.startswith(MARK) else None
        if found is None:
            raise NotSignedIn("this token is not known", hint="make one on your page /me; perhaps it was ended")
        caller, used_ms = found
        if (now_ms := self._yard.clock()) - used_ms >= USED_EVERY:
            with contextlib.suppress(DatabaseAway):
                await self._yard.change(see_token, caller.token, now_ms)
        return Bearer(caller, now_ms, 0)

    # Refusals

    def _refusal(self, scope: Scope, error: YardError) -> Response:
        """Returns the answer to a request that is not let through, in the words that whoever asks understands."""
        status = status_of(error)
        if scope["path"].startswith(API):
            problem = {"title": error.message, "status": status, "detail": error.hint}
            answer: Response = JSONResponse(problem, status, media_type="application/problem+json")
        elif scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", ""):
            visit = Visit(Request(scope), self._yard, Caller(), None)
            answer = visit.page("refusal.html", status, message=error.message, hint=error.hint)
        else:
            answer = PlainTextResponse(f"{error}\n", status)
        if isinstance(error, TooMuch):
            answer.headers["Retry-After"] = str(error.retry_after_s)
        if isinstance(error, NotSignedIn):
            answer.headers["WWW-Authenticate"] = "Bearer"
        return answer


def is_own_settings(scope: Scope) -> bool:
    """Whether somebody asks for the settings of the room that they play in."""
    return scope["type"] == "http" and scope["method"] in SAFE and scope["path"] == OWN_SETTINGS


def is_page_socket(scope: Scope, headers: Headers) -> bool:
    """Whether a socket was opened by a page: browsers always say by which, programs do not."""
    return scope["type"] == "websocket" and "origin" in headers


def bearer_token(headers: Headers) -> str:
    """Returns the token of a request that carries one; other ways to sign in are a proxy's business."""
    for line in headers.getlist("authorization"):
        kind, _, token = line.strip().partition(" ")
        if kind.lower() == "bearer":
            return token.strip() or "none"
    return ""
