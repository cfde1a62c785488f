"""Who stands behind the pages of rooms: registers newcomers, knows who is signed in, and has boards of the past.

A server that has nothing but its rooms keeps all of it in memory. A contest site has tables.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from starlette.requests import HTTPConnection

from botyard.match.chronicle import Chronicle, LoggedBoard, boards_in, wall_ms
from botyard.match.lobby import Lobby
from botyard.match.room import Room
from botyard.match.room_field import Member

MOST_BOARDS = 100  # that are told at a time


class Reception(Protocol):
    """What pages and endpoints ask besides the lobby."""

    async def register(self, room: Room, name: str) -> Member:
        """Makes a member of somebody who gives a name and nothing else."""

    async def signed_in(self, request: HTTPConnection) -> tuple[Room, Member] | None:
        """Returns the member that the person plays for who has signed in, if there is one."""

    async def boards(self, user: str, until_ms: int) -> list[LoggedBoard]:
        """Returns the last boards of a player up to a time, or up to now if it is 0; the oldest first."""


class LobbyReception:
    """The reception of a server without tables."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    async def register(self, room: Room, name: str) -> Member:
        return self._lobby.register(room, name)

    async def signed_in(self, request: HTTPConnection) -> tuple[Room, Member] | None:
        return None

    async def boards(self, user: str, until_ms: int) -> list[LoggedBoard]:
        """Returns those of the field that the player plays on, or else of the last one that is kept."""
        chronicle = latest_chronicle(self._lobby, user)
        if chronicle is None:
            return []
        return await asyncio.to_thread(boards_in, chronicle, user, until_ms or wall_ms(), MOST_BOARDS)


def latest_chronicle(lobby: Lobby, user: str) -> Chronicle | None:
    """Returns what is written down of the field that a player is on, as it is now, or of the last one."""
    found = lobby.find(user)
    if found is None:
        return None
    room, member = found
    if member.field is not None:
        return member.field.chronicle.copy()
    played = (told for told in reversed(room.chronicles) if any(stint.user == user for stint in told.stints))
    return next(played, None)
