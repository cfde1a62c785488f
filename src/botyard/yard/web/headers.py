"""What every answer of the yard says to browsers."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Scope, Send

from botyard.links.web import security_headers

EMBEDDED = "/embed/"  # below here pages may stand inside other sites' pages

# As on our other servers, but for the referrer: with `no-referrer` Chromium sends `Origin: null` with our own forms,
# which we could not tell from another site's.
HEADERS = security_headers.HEADERS | {
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
IN_A_FRAME = {
    name: value.replace("frame-ancestors 'none'", "frame-ancestors *")
    for name, value in HEADERS.items()
    if name not in ("X-Frame-Options", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy")
}


def with_headers(scope: Scope, send: Send) -> Send:
    """Returns a way to send answers that have these headers, unless a route sets its own."""
    chosen = IN_A_FRAME if scope["path"].startswith(EMBEDDED) else HEADERS

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message.setdefault("headers", [])
            headers = MutableHeaders(scope=message)
            for name, value in chosen.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
