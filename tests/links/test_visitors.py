"""Bots that connect by themselves are waited for before the game, on real sockets."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from websockets.asyncio.client import connect

from botyard.games import load
from botyard.kernel.verdict import Verdict
from botyard.links.bot_spec import Seating, read_bot_spec
from botyard.links.tcp import TcpEntrance, TcpLink
from botyard.links.visitors import NobodyCame, Visitor, named, wait_for_visitors
from botyard.match.clock import LoopClock
from botyard.match.loop import stop_all
from tests.waiting import PATIENCE_S, bounded, finished, soon, until


def test_whoever_comes_is_told_and_whoever_does_not_is_missing_in_the_game() -> None:
    async def main() -> None:
        first, second = TcpEntrance.at(), TcpEntrance.at()
        visitors = [Visitor("bot 1", TcpLink(first)), Visitor("bot 2", TcpLink(second))]
        told: list[str] = []
        _, writer = await asyncio.open_connection("127.0.0.1", first.port)
        await wait_for_visitors(visitors, 0.3, told.append)
        assert told == ["bot 1 has connected"]
        assert await visitors[0].link.open(limit_s=0) is None  # it is there, whatever time the game gives
        absence = await visitors[1].link.open(limit_s=None)
        assert absence is not None
        assert absence.verdict is Verdict.SILENT
        assert absence.reason == f"no connection to port {second.port} within 0.3 s"
        writer.close()
        for visitor in visitors:
            await visitor.link.close()

    finished(main())


def test_if_nobody_comes_there_is_no_game() -> None:
    async def main() -> None:
        visitors = [Visitor("bot 1", TcpLink(TcpEntrance.at())), Visitor("bot 3", TcpLink(TcpEntrance.at()))]
        with pytest.raises(NobodyCame, match=r"^bot 1 and bot 3 did not connect within 0\.1 s$"):
            await wait_for_visitors(visitors, 0.1)
        for visitor in visitors:
            await visitor.link.close()

    finished(main())


def test_who_leaves_while_others_are_waited_for_may_come_again() -> None:
    async def main() -> None:
        doors = [TcpEntrance.at(), TcpEntrance.at()]
        visitors = [Visitor(f"bot {at}", TcpLink(door)) for at, door in enumerate(doors, 1)]
        news: asyncio.Queue[str] = asyncio.Queue()
        waiting = asyncio.create_task(wait_for_visitors(visitors, None, news.put_nowait))
        _, early = await asyncio.open_connection("127.0.0.1", doors[0].port)
        assert await soon(news.get()) == "bot 1 has connected"
        early.close()
        await until(lambda: visitors[0].link.left)
        _, other = await asyncio.open_connection("127.0.0.1", doors[1].port)
        assert await soon(news.get()) == "bot 2 has connected"
        assert await soon(news.get()) == "bot 1 left before the game began; waiting for it again"
        assert not waiting.done()
        assert [visitor.here for visitor in visitors] == [False, True]
        _, again = await asyncio.open_connection("127.0.0.1", doors[0].port)
        await soon(waiting)
        assert await soon(news.get()) == "bot 1 has connected"
        for writer in (other, again):
            writer.close()
        for visitor in visitors:
            await visitor.link.close()

    finished(main())


def test_when_the_time_is_up_who_has_left_is_not_waited_for_again() -> None:
    """It came, and the game says what became of it."""

    async def main() -> None:
        door = TcpEntrance.at()
        visitors = [Visitor("bot 1", TcpLink(door)), Visitor("bot 2", TcpLink(TcpEntrance.at()))]
        told: list[str] = []
        _, early = await asyncio.open_connection("127.0.0.1", door.port)
        early.close()
        await wait_for_visitors(visitors, 0.5, told.append)
        assert visitors[0].link.left
        assert told == ["bot 1 has connected"]
        assert [visitor.here for visitor in visitors] == [True, False]
        for visitor in visitors:
            await visitor.link.close()

    finished(main())


@pytest.mark.parametrize(("game", "spec"), [("snakebattle", "listen"), ("hackman", "json:listen")])
def test_a_bot_behind_a_websocket_may_leave_and_come_again_too(game: str, spec: str) -> None:
    async def main() -> None:
        book = load(game)
        addresses: list[str] = []
        seating = Seating(book, book.settings.read().seated(2), LoopClock(), announce=addresses.append, patience="9 s")
        players = [read_bot_spec(spec, book).seat_player(seating, at) for at in range(2)]
        assert all(text.startswith(f"bot {at}: waiting 9 s at ") for at, text in enumerate(addresses, 1))
        one, two = (socket_of(text.rsplit(maxsplit=1)[-1]) for text in addresses)
        news: asyncio.Queue[str] = asyncio.Queue()
        waiting = asyncio.create_task(wait_for_visitors(seating.visitors, None, news.put_nowait))
        async with knock(one):
            assert await soon(news.get()) == "bot 1 has connected"
        await until(lambda: seating.visitors[0].link.left)
        async with knock(two):
            assert await soon(news.get()) == "bot 2 has connected"
            assert await soon(news.get()) == "bot 1 left before the game began; waiting for it again"
            async with knock(one):
                await soon(waiting)
        await stop_all(players)

    finished(main())


def socket_of(page: str) -> str:
    return (
        page.replace("http", "ws", 1).replace("board/player/", "ws?user=").replace("?code=", "&code=", page[0] == "h")
    )


class knock:  # noqa: N801  reads as a verb
    """A bot that comes as soon as the server answers, and leaves at the end."""

    def __init__(self, address: str) -> None:
        self._address = address

    async def __aenter__(self) -> None:
        async with bounded(PATIENCE_S, "the server does not answer"):
            while True:
                with suppress(ConnectionError):
                    self._socket = await connect(self._address, proxy=None)
                    return
                await asyncio.sleep(0.01)

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()


def test_a_crowd_is_counted() -> None:
    crowd = [Visitor(f"bot {at}", TcpLink(CLOSED)) for at in range(1, 5)]
    assert [named(crowd[:many]) for many in (1, 2, 3, 4)] == [
        "bot 1",
        "bot 1 and bot 2",
        "bot 1, bot 2 and bot 3",
        "4 bots",
    ]


class Closed(TcpEntrance):
    """An entrance that nobody needs."""

    def __init__(self) -> None:
        self._visitors = 0


CLOSED = Closed()
