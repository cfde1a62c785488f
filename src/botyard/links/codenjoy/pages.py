"""The pages: registering, a board for every player, a list for every room. They load nothing from elsewhere."""

from __future__ import annotations

import asyncio
import json
from html import escape
from importlib import resources
from string import Template
from urllib.parse import parse_qs, quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from botyard.kernel.errors import UnknownName, YardError
from botyard.kernel.words import counted
from botyard.links.codenjoy.addresses import board_path, origin_of, socket_of
from botyard.links.codenjoy.reception import Reception
from botyard.links.codenjoy.rest import ranked, screen_of
from botyard.links.viewing.pages import shared_file
from botyard.match.lobby import Lobby
from botyard.match.room import Room
from botyard.match.room_field import Member
from botyard.render.markdown import html_of

FORM_BYTES = 4096
FORM_S = 10.0
STATIC = {"room.css": "text/css", "board.js": "text/javascript", "room.js": "text/javascript"}


def page_file(name: str) -> str:
    return (resources.files(__package__) / "pages" / name).read_text(encoding="utf-8")


def page(file: str, status: int = 200, /, **values: str) -> Response:
    """A page with its values filled in. They must be escaped already."""
    return HTMLResponse(Template(page_file(file)).substitute(values), status)


class Pages:
    """The pages of one lobby."""

    def __init__(self, lobby: Lobby, reception: Reception) -> None:
        self._lobby, self._reception = lobby, reception

    async def front(self, request: Request) -> Response:
        rooms = "".join(
            f'<li><a href="{link(request, room_path(name))}">{escape(name)}</a>: {escape(room.book.facts.title)}, '
            f"{counted(len(room.members), 'player')}</li>"
            for name, room in self._lobby.rooms.items()
        )
        return page("front.html", base=base_of(request), rooms=rooms)

    # Registering

    def _room_asked_for(self, asked: dict[str, str]) -> Room:
        """By `room`, `game` or `gameName`: a room's name, or a game's, which means its first room."""
        for key in ("room", "gameName", "game"):
            wanted = asked.get(key)
            if wanted:
                for room in self._lobby.rooms.values():
                    if wanted in (room.name, room.book.facts.name):
                        return room
                raise UnknownName(key, wanted, list(self._lobby.rooms))
        if not self._lobby.rooms:
            raise UnknownName("room", "", [])
        return next(iter(self._lobby.rooms.values()))

    async def register_form(self, request: Request) -> Response:
        return self._form(request, self._room_asked_for(dict(request.query_params)))

    def _form(self, request: Request, room: Room, name: str = "", trouble: str = "", status: int = 200) -> Response:
        values = {"room": escape(room.name), "name": escape(name), "trouble": escape(trouble)}
        return page("register.html", status, base=base_of(request), title=escape(room.book.facts.title), **values)

    async def register(self, request: Request) -> Response:
        """Registers a player and sends the browser to that player's board page."""
        form = {**dict(request.query_params), **await read_form(request)}
        room = self._room_asked_for(form)
        name = form.get("name") or form.get("readableName") or ""
        try:
            member = await self._reception.register(room, name)
        except YardError as error:
            return self._form(request, room, name, f"{error.message}: {error.hint}", 409)
        return RedirectResponse(request.scope["root_path"] + board_path(member.user, member.code), 303)

    # Boards

    async def board(self, request: Request) -> Response:
        user, code = request.path_params["user"], request.query_params.get("code", "")
        found = self._lobby.find(user)
        if found is None:
            raise HTTPException(404, "no such player; register for an address")
        if code and self._lobby.admit(user, code) is None:
            raise HTTPException(401, "wrong code")
        room, member = found
        screen = screen_of(room, member)
        return page(
            "board.html",
            base=base_of(request),
            user=escape(user),
            code=escape(code),
            addresses=secret(request, user, code) if code else "",
            tick=str(room.tick_ms),
            look="only" if request.query_params.get("only") == "true" else "whole",
            name=escape(member.name),
            room=escape(room.name),
            room_path=link(request, room_path(room.name)),
            game=escape(room.book.facts.name),
            keys=escape(json.dumps(room.part.KEYS)),
            steering=escape(room.part.STEERING),
            idle=escape(screen["idle"] or ""),
            score=str(member.points),
        )

    async def room(self, request: Request) -> Response:
        room = self._lobby.room(request.path_params["room"])
        rows = "".join(
            f'<tr><td>{place}</td><td><a href="{link(request, board_path(member.user))}">{escape(member.name)}</a></td>'
            f'<td>{member.points}</td><td class="now">{escape(doing(room, member))}</td></tr>'
            for place, member in enumerate(ranked(room.members), 1)
        )
        words = f"{counted(len(room.fields), 'field')}, a tick every {room.tick_ms} ms"
        nobody = "" if rows else "Nobody is registered yet. Be the first."
        return page(
            "room.html",
            base=base_of(request),
            room=escape(room.name),
            room_word=quote(room.name, safe=""),
            game=escape(room.book.facts.name),
            rows=rows,
            words=words,
            nobody=nobody,
        )

    async def rules(self, request: Request) -> Response:
        """The game's own page."""
        game = request.path_params["game"]
        for room in self._lobby.rooms.values():
            if room.book.facts.name == game:
                text = (resources.files(room.book.package) / "README.md").read_text(encoding="utf-8")
                title = escape(room.book.facts.title)
                return page("rules.html", base=base_of(request), title=title, rules=html_of(text))
        raise HTTPException(404, "no such game here")

    async def static(self, request: Request) -> Response:
        file = request.path_params["file"]
        if file not in STATIC:
            raise HTTPException(404, "no such file")
        return kept(Response(page_file(file), media_type=STATIC[file]))

    async def viewer_file(self, request: Request) -> Response:
        return kept(shared_file(request.path_params["file"]))


def kept(response: Response) -> Response:
    """A file that browsers may keep for a while."""
    response.headers["Cache-Control"] = "max-age=300"
    return response


def base_of(request: Request) -> str:
    """Where the app is mounted, escaped."""
    return escape(str(request.scope["root_path"]))


def link(request: Request, path: str) -> str:
    return f"{base_of(request)}{path}"


def room_path(name: str) -> str:
    return f"/board/room/{quote(name, safe='')}"


def secret(request: Request, user: str, code: str) -> str:
    """What the player's bot wants to know, folded up: the page for clients of the original, the socket for others."""
    place = f"{origin_of(request)}{request.scope['root_path']}"
    page, socket = f"{place}{board_path(user, code)}", f"{socket_of(place)}/ws?user={user}&code={code}"
    return (
        '<details class="secret"><summary>Address for my bot (a secret)</summary>'
        "<span>Whoever has it can play for you.</span>"
        f"<p>{escape(page)}</p><span>Its socket:</span><p>{escape(socket)}</p></details>"
    )


def doing(room: Room, member: Member) -> str:
    """What a player is doing, for a list of all."""
    if member.field is None:
        return "not playing"
    idle = room.part.why_idle(member.field.game, member.seat)
    return "plays" if idle is None else idle.why


async def read_form(request: Request) -> dict[str, str]:
    """A small form, within a short time."""
    if "content-encoding" in request.headers:
        raise HTTPException(415, "send it uncompressed, without a Content-Encoding")
    body = bytearray()
    try:
        async with asyncio.timeout(FORM_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > FORM_BYTES:
                    raise HTTPException(413, f"a form has at most {FORM_BYTES} bytes")
    except TimeoutError:
        raise HTTPException(408, f"the form did not come within {FORM_S:g} s") from None
    try:
        fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=20)
    except ValueError:
        raise HTTPException(400, "a form has at most 20 fields") from None
    return {name: values[0] for name, values in fields.items()}
