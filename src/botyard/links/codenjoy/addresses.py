"""Where things are on a Codenjoy server."""

from __future__ import annotations

from urllib.parse import quote

CONTEXT = "/codenjoy-contest"


def board_path(user: str, code: str = "") -> str:
    """The board page of a player, below the context."""
    return f"/board/player/{quote(user)}" + (f"?code={quote(code)}" if code else "")


def board_address(host: str, port: int, user: str, code: str) -> str:
    """What a bot's author is given: the address of the board page, which clients make the socket's address of."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}{CONTEXT}{board_path(user, code)}"
