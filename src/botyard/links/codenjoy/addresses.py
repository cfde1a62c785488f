"""Where things are on a Codenjoy server."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import HTTPConnection

CONTEXT = "/codenjoy-contest"


def board_path(user: str, code: str = "") -> str:
    """The board page of a player, below the context."""
    return f"/board/player/{quote(user)}" + (f"?code={quote(code)}" if code else "")


def board_address(host: str, port: int, user: str, code: str) -> str:
    """What a bot's author is given: the address of the board page, which clients make the socket's address of."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}{CONTEXT}{board_path(user, code)}"


def origin_of(request: HTTPConnection) -> str:
    """Returns how this server is reached: as a guard before it has found out, else as the request says."""
    told = request.scope.get("state", {}).get("origin", "")
    return told or f"{request.url.scheme.replace('ws', 'http')}://{request.url.netloc}"


def socket_of(address: str) -> str:
    """Returns the address of sockets for one of pages: http becomes ws, https becomes wss."""
    return address.replace("http", "ws", 1)
