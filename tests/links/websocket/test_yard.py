"""Botyard's own protocol over a WebSocket: bots that connect by themselves, in every game."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from botyard.games import load
from botyard.kernel.verdict import Verdict
from botyard.match.loop import Played
from botyard.testing.random_games import short_settings
from tests.links.matches import play_match, rival_of
from tests.waiting import finished, soon


class Caller:
    """Waits for its address, then answers every question with the first order."""

    def __init__(self) -> None:
        self.told = asyncio.Event()
        self.address = ""
        self.heard: list[dict[str, Any]] = []

    def notice(self, text: str) -> None:
        self.address = text.rsplit(maxsplit=1)[-1]
        self.told.set()

    async def play(self) -> None:
        await soon(self.told.wait())
        async with connect(self.address) as socket:
            async for text in socket:
                message = json.loads(text)
                self.heard.append(message)
                if message["type"] == "hello":
                    await socket.send(json.dumps({"type": "ready", "version": 1, "name": "caller"}))
                elif message["type"] == "turn":
                    await socket.send(json.dumps({"turn": message["turn"], "order": 0}))


async def play(game: str, caller: Caller) -> Played:
    book = load(game)
    bots = ["json:listen", *[rival_of(game)] * (book.facts.usual_seats - 1)]
    return await play_match(game, bots, short_settings(book), seed=5, notice=caller.notice)


def test_a_bot_that_connects_by_itself_plays_to_the_end(game: str) -> None:
    async def main() -> tuple[Played, Caller]:
        caller = Caller()
        played, _ = await asyncio.gather(play(game, caller), caller.play())
        return played, caller

    played, caller = finished(main())
    seat = played.entrants.index(0)
    assert played.names[seat] == "caller"
    assert set(played.verdicts[seat]) == {Verdict.OK}
    assert played.seats[seat].level == ""  # it is not ours to run
    kinds = [message["type"] for message in caller.heard]
    assert kinds[0] == "hello"
    assert kinds[1:-1] == ["turn"] * played.verdicts[seat][Verdict.OK]
    assert caller.heard[-1]["type"] == "goodbye"
    assert played.outcome is not None
    assert caller.heard[-1]["outcome"]["scores"] == list(played.outcome.scores)


def test_nobody_comes_in_with_another_code() -> None:
    async def main() -> None:
        caller = Caller()
        playing = asyncio.create_task(play("hive", caller))
        await soon(caller.told.wait())
        with pytest.raises(InvalidStatus) as refused:
            async with connect(caller.address + "x"):
                pass
        assert refused.value.response.status_code == 401
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)

    finished(main())


def test_a_bot_that_hangs_up_has_gone() -> None:
    async def main() -> Played:
        caller = Caller()

        async def rude() -> None:
            await soon(caller.told.wait())
            async with connect(caller.address) as socket:
                await socket.recv()
                await socket.send(json.dumps({"type": "ready", "version": 1}))
                await socket.recv()

        played, _ = await asyncio.gather(play("hive", caller), rude())
        return played

    played = finished(main())
    seat = played.entrants.index(0)
    assert played.names[seat] == "bot 1"
    assert played.verdicts[seat] == {Verdict.GONE: 1}
