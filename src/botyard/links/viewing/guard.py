"""Who may ask: only pages of ours, on this machine, at an address that holds a secret.

Any page that somebody has open elsewhere can make their browser send requests to this machine. It does not know the
secret, so it gets nothing. In case it ever learned it: a name of its own that leads here (DNS rebinding) is refused by
the Host header, and its WebSockets and POSTs by their Origin. There are no CORS headers, so it could not read answers.
"""

from __future__ import annotations

import hmac
import secrets

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HERE = ("127.0.0.1", "localhost")
SECRET_BYTES = 24
READS = ("GET", "HEAD")


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


class Guard:
    """Lets requests through to the app whose secret their path begins with. An app is mounted below its secret."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._names = {*HERE, *(f"{name}:{port}" for name in HERE)}
        self._doors: dict[str, ASGIApp] = {}

    def open_door(self, app: ASGIApp) -> str:
        """An app is served from now on; returns its secret."""
        secret = new_secret()
        self._doors[secret] = app
        return secret

    def address(self, secret: str) -> str:
        return f"http://{HERE[0]}:{self._port}/{secret}/"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()  # websocket.connect; whoever is refused is told so by an answer of HTTP
        trouble = self._trouble(scope)
        secret, slash, _ = scope["path"][1:].partition("/")
        app = self._behind(secret)
        if trouble:
            await PlainTextResponse(f"{trouble}\n", 403)(scope, receive, send)
        elif app is None or not slash:
            await PlainTextResponse("there is nothing here\n", 404)(scope, receive, send)
        else:
            root = f"{scope.get('root_path', '')}/{secret}"
            await app({**scope, "root_path": root}, again(scope, receive), send)

    def _behind(self, secret: str) -> ASGIApp | None:
        """The app of a secret. All are compared, each in the same time, so that no time tells how much was right."""
        given, found = secret.encode("utf-8", "surrogatepass"), None
        for known, app in self._doors.items():
            if hmac.compare_digest(known.encode(), given):
                found = app
        return found

    def _trouble(self, scope: Scope) -> str:
        """Why a request is refused, whatever its path."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host not in self._names:
            return "this server answers to 127.0.0.1 and localhost alone"
        reads = scope["type"] == "http" and scope["method"] in READS
        origin = headers.get("origin")
        if not (reads and origin is None) and origin != f"http://{host}":
            return "this request comes from another page"
        site, navigates = headers.get("sec-fetch-site", "none"), headers.get("sec-fetch-mode") == "navigate"
        if site not in ("same-origin", "none") and not navigates:  # a link that somebody clicks may stand anywhere
            return "this request comes from another site"
        return ""


def again(scope: Scope, receive: Receive) -> Receive:
    """Hands the connect message of a WebSocket to the app, too, which waits for it."""
    if scope["type"] != "websocket":
        return receive
    held: list[Message] = [{"type": "websocket.connect"}]

    async def receiving() -> Message:
        return held.pop() if held else await receive()

    return receiving
