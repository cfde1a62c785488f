"""The REST endpoints of the original that a bot's author needs (specification 6.5), all below `/rest`."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from botyard.kernel.errors import UnknownName
from botyard.links.codenjoy.addresses import origin_of, socket_of
from botyard.links.codenjoy.reception import Reception
from botyard.match.chronicle import LoggedBoard
from botyard.match.lobby import Lobby
from botyard.match.room import Room
from botyard.match.room_field import Member

NO_TEAM = 0
BOARD = "board="  # begins every board on a socket
LEADERS_SHOWN = 100
LONGEST_TIME = 16  # digits


class Rest:
    """The endpoints of one lobby."""

    def __init__(self, lobby: Lobby, reception: Reception) -> None:
        self._lobby, self._reception = lobby, reception

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/health", self.health),
            Route("/game/ws/url", self.socket_url),
            Route("/game/{game}/help/url", self.help_url),
            Route("/game/{game}/scores", self.scores),
            Route("/room/{room}/scores", self.scores),
            Route("/game/{game}/players", self.players),
            Route("/room/{room}/players", self.players),
            Route("/player/{user}/check/{code}", self.check),
            Route("/player/{user}/log/{time}", self.board_log),
            Route("/joystick/player/{user}/code/{code}/do/{command:path}", self.joystick),
            Route("/settings/player", self.player_settings),
            Route("/settings/{game}/{room}/{name:path}", self.setting),
            Route("/screen/{user}", self.screen),
        ]

    # The server

    async def health(self, request: Request) -> Response:
        return PlainTextResponse("ok")

    async def socket_url(self, request: Request) -> Response:
        base = request.scope["root_path"].removesuffix("/rest")
        return PlainTextResponse(f"{socket_of(origin_of(request))}{base}/ws?user={{user}}&code={{code}}")

    async def help_url(self, request: Request) -> Response:
        game = self._rooms_of(request)[0].book.facts.name
        return PlainTextResponse(f"{request.scope['root_path'].removesuffix('/rest')}/help/{game}")

    # Players

    def _rooms_of(self, request: Request) -> list[Room]:
        """The rooms of the path: one by its name, or all of a game."""
        if "room" in request.path_params:
            return [self._lobby.room(request.path_params["room"])]
        game = request.path_params["game"]
        rooms = [room for room in self._lobby.rooms.values() if room.book.facts.name == game]
        if not rooms:
            raise UnknownName("game", game, sorted({room.book.facts.name for room in self._lobby.rooms.values()}))
        return rooms

    async def scores(self, request: Request) -> Response:
        members = (member for room in self._rooms_of(request) for member in room.members)
        return JSONResponse(leaders(members))

    async def players(self, request: Request) -> Response:
        return JSONResponse(
            [
                {
                    "id": member.user,
                    "name": member.name,
                    "teamId": NO_TEAM,
                    "game": room.book.facts.name,
                    "room": room.name,
                    "score": member.points,
                    "bot": member.bot is not None,
                    "connected": bool(member.listeners) or member.bot is not None,
                }
                for room in self._rooms_of(request)
                for member in room.members
            ]
        )

    async def check(self, request: Request) -> Response:
        found = self._lobby.admit(request.path_params["user"], request.path_params["code"])
        return JSONResponse(found is not None)

    async def joystick(self, request: Request) -> Response:
        """One command, as if the bot had sent it."""
        room, member = self._allowed(request.path_params["user"], request.path_params["code"])
        command = request.path_params["command"]
        if not room.part.is_command(command):
            raise HTTPException(400, f"the text holds no command; known: {room.part.COMMANDS}")
        room.seat(member)
        room.receive(member, command)
        return JSONResponse(True)

    async def board_log(self, request: Request) -> Response:
        """The last boards of a player up to a time, or up to now; the oldest first."""
        user, given = request.path_params["user"], request.path_params["time"]
        if not (given.isascii() and given.isdigit() and len(given) < LONGEST_TIME):
            raise HTTPException(400, "a time is a number of milliseconds since 1970; 0 means now")
        found = self._lobby.find(user)
        if found is None:
            raise HTTPException(404, "no such player")
        game = found[0].book.facts.name
        boards = await self._reception.boards(user, int(given))
        return JSONResponse([logged(user, game, board) for board in boards])

    def _allowed(self, user: str, code: str) -> tuple[Room, Member]:
        found = self._lobby.admit(user, code)
        if found is None:
            raise HTTPException(401, "unknown user or wrong code")
        return found

    # Settings

    async def player_settings(self, request: Request) -> Response:
        """The settings that a player plays by. User and code come in the query or as HTTP basic authentication; whoever
        has signed in on the server needs neither."""
        user, code = request.query_params.get("user", ""), request.query_params.get("code", "")
        found = None if user else await self._reception.signed_in(request)
        if not user and found is None:
            user, code = basic_login(request)
        room, member = found or self._allowed(user, code)
        settings = member.field.game.settings if member.field else room.settings
        return JSONResponse({row["name"]: row["value"] for row in room.part.setting_rows(settings)})

    async def setting(self, request: Request) -> Response:
        room = self._lobby.room(request.path_params["room"])
        if room.book.facts.name != request.path_params["game"]:
            raise UnknownName("game of this room", request.path_params["game"], [room.book.facts.name])
        name = request.path_params["name"]
        rows = list(room.part.setting_rows(room.settings))
        if name == "_settings_":
            return JSONResponse(rows)
        for row in rows:
            if name in (row["name"], row["key"]):
                return PlainTextResponse(row["value"])
        raise UnknownName("setting", name, [row["name"] for row in rows])

    # The board page

    async def screen(self, request: Request) -> Response:
        """What a board page shows: the board as its player sees it is no secret."""
        found = self._lobby.find(request.path_params["user"])
        if found is None:
            raise HTTPException(404, "no such player")
        return JSONResponse(screen_of(*found))


def screen_of(room: Room, member: Member) -> dict[str, Any]:
    return {
        "name": member.name,
        "room": room.name,
        "headline": member.field.headline if member.field else "",
        "idle": idle_words(room, member),
        "seat": member.seat if member.field else None,
        "score": member.points,
        "gained": member.gained,
        "listening": len(member.listeners),
        "leaders": leaders(room.members)[:LEADERS_SHOWN],
    }


def idle_words(room: Room, member: Member) -> str | None:
    """Why a player does nothing now, and until when, as a sentence; None if it plays."""
    if member.field is None:
        return "Not on a field. Press an arrow key to join, or connect a bot."
    idle = room.part.why_idle(member.field.game, member.seat)
    if idle is None:
        return None
    sentence = idle.why[0].upper() + idle.why[1:]
    if idle.ticks is None:
        return f"{sentence}."
    when = "at the latest in" if idle.at_most else "in"
    ticks = f"{idle.ticks} tick" if idle.ticks == 1 else f"{idle.ticks} ticks"
    return f"{sentence}: {when} {ticks} ({idle.ticks * room.tick_ms / 1000:.0f} s)."


def ranked(members: Iterable[Member]) -> list[Member]:
    """Highest first; equal ones as they registered."""
    return sorted(members, key=lambda member: -member.points)


def leaders(members: Iterable[Member]) -> list[dict[str, Any]]:
    return [{"id": m.user, "name": m.name, "teamId": NO_TEAM, "score": m.points} for m in ranked(members)]


def logged(user: str, game: str, board: LoggedBoard) -> dict[str, Any]:
    """A board of the past, by the names that the original gives its parts."""
    return {
        "time": board.at_ms,
        "playerId": user,
        "gameType": game,
        "score": board.score,
        "board": board.board.removeprefix(BOARD),
        "command": board.command,
    }


def basic_login(request: Request) -> tuple[str, str]:
    """User and code from an `Authorization: Basic` header; nothing if there is none."""
    scheme, _, word = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        raise HTTPException(401, "say who you are: ?user=…&code=…, or HTTP basic", {"WWW-Authenticate": "Basic"})
    try:
        user, _, code = base64.b64decode(word, validate=True).decode().partition(":")
    except ValueError:  # no base64, or no UTF-8 in it
        raise HTTPException(401, "the Authorization header cannot be read") from None
    return user, code
