"""No seed and no root is told before its time: a crawler with an account looks everywhere while a pair is played."""

from __future__ import annotations

import asyncio
import base64
import gzip
import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import unquote

import pytest
import sqlalchemy as sa

from botyard.contest.messages import Sign
from botyard.contest.roots import fresh_root, root_hash
from botyard.links.play import play
from botyard.match.loop import Played
from botyard.match.turns import pack_turns
from botyard.yard.api.app import PREFIX, all_operations
from botyard.yard.data.contest_tables import CONTEST
from botyard.yard.data.ladder_tables import SEASON
from botyard.yard.data.tables import FACT, LADDER, MATCH, PAIR
from botyard.yard.ladders.challenges import ROOT
from botyard.yard.web.doors import all_pages
from botyard.yard.work.live import orders_in
from botyard.yard.work.matches import MatchPlayer, MatchWork
from tests.links.matches import rival_of, short_match
from tests.waiting import finished, soon, until
from tests.yard.browser import Browser
from tests.yard.route_bodies import address_of
from tests.yard.town import GAME, Town

SEED = 0x5EED_0F_A_9A1_2B3D & (2**63 - 1)  # of the pair that is played; no other number looks like it
LINK = re.compile(r'(?:href|src|action|data-base)="(/[^"#]*)')
FIRST = "/1"  # the number of the first match, in an address
MOST = 600  # addresses


class Secrets:
    """What nobody may find."""

    def __init__(self, seed: int, roots: list[bytes]) -> None:
        self._words = [f"{seed}".encode(), f"{seed:x}".encode(), f"{seed:X}".encode()]
        self._words += [seed.to_bytes(8, order) for order in ("little", "big")]
        for root in roots:
            self._words += [root, root.hex().encode(), root.hex().upper().encode(), base64.b64encode(root)[:40]]

    def found_in(self, *told: bytes) -> bool:
        return any(word in text for text in told for word in self._words)


@pytest.fixture
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    town = Town(tmp_path_factory.mktemp("town"))
    yield town
    town.close()


def plant(town: Town) -> tuple[Secrets, Played]:
    """Has the running pair be played from a seed that can be looked for; its first game is kept as always."""
    played = play(GAME, [rival_of(GAME)] * 2, seed=SEED, **short_match(GAME))
    now_ms, root, asked = town.hands.now_ms, fresh_root(), fresh_root()
    with town.yard.database.writing() as connection:
        of_running = sa.select(MATCH.c.pair).where(MATCH.c.id == int(town.places["running"])).scalar_subquery()
        connection.execute(sa.update(PAIR).where(PAIR.c.id == of_running).values(seed=str(SEED)))
        kept = {
            "replay": town.yard.blobs.keep(connection, played.replay.to_bytes(), now_ms),
            "turns": town.yard.blobs.keep(connection, pack_turns(played.log), now_ms),
        }
        connection.execute(sa.update(MATCH).where(MATCH.c.id == int(town.places["half"])).values(**kept))
        for table in (LADDER, SEASON, CONTEST):
            connection.execute(sa.update(table).values(root=root.hex(), root_hash=root_hash(root)))
        connection.execute(sa.insert(FACT).values(name=ROOT, value=asked.hex()))
    return Secrets(SEED, [root, asked]), played


class Crawler:
    """Somebody who reads every answer to its last byte."""

    def __init__(self, town: Town, who: str, secrets: Secrets) -> None:
        self._town, self._who, self._secrets = town, who, secrets
        self.seen: dict[str, int] = {}
        self.leaks: list[str] = []

    async def crawl(self) -> None:
        waiting = list(self._beginnings())
        while waiting and len(self.seen) < MOST:
            address = waiting.pop(0)
            if address not in self.seen:
                waiting += await self.read(address)

    def _beginnings(self) -> Iterator[str]:
        """Yields every address of the routes, for all matches, and what guessing adds to it."""
        templates = [page.path for page in all_pages() if page.method == "GET"]
        templates += [PREFIX + operation.path for operation in all_operations() if operation.method == "GET"]
        for template in templates:
            address = address_of("GET", template, self._town)
            yield address
            if "/matches/" in template or "/show/" in template or "/embed/" in template:
                yield from (address.replace(FIRST, f"/{self._town.places[which]}", 1) for which in ("half", "running"))

    async def read(self, address: str) -> list[str]:
        page = await self._town.ask(self._who, "GET", address)
        self.seen[address] = page.status
        body = gzip.decompress(page.body) if page.body[:2] == b"\x1f\x8b" else page.body
        if self._secrets.found_in(page.body, body, repr(page.headers.items()).encode()):
            self.leaks.append(address)
        if "text/html" not in page.headers.get("content-type", ""):
            return []
        found = {unquote(unescape(link)) for link in LINK.findall(page.text)}
        return sorted(link for link in found if not link.startswith("/logout"))


async def frames(town: Town, address: str, played: Played) -> list[bytes]:
    """What a socket tells of the running match until it is over."""
    heard: list[Any] = []
    coming: asyncio.Queue[Any] = asyncio.Queue()
    coming.put_nowait({"type": "websocket.connect"})
    browser = Browser(town.app)
    said = {"host": "localhost:8000", "origin": browser.origin, **town.visitors["owner"].headers}

    async def hear(message: Any) -> None:
        heard.append(message)

    live, number = town.steward.live, int(town.places["running"])
    players = tuple(MatchPlayer(name, house="any") for name in ("Bee", "Ant"))
    live.begin(MatchWork(number, GAME, {**played.replay.settings}, SEED, players))
    answered = town.app(browser.scope("websocket", address, said), coming.get, hear)
    task: asyncio.Task[None] = asyncio.create_task(answered)  # type: ignore[arg-type]
    await until(lambda: len(heard) > 1 or task.done())
    live.hear(number, Sign(number, 3, played=tuple(orders_in(entries) for entries in played.replay.ticks[:3])))
    live.end(number, played.replay.ticks)
    await soon(task)
    return [repr(message).encode() for message in heard]


def test_a_crawler_with_an_account_finds_no_seed_and_no_root_while_a_pair_is_played(town: Town) -> None:
    secrets, played = plant(town)

    async def look() -> None:
        crawler = Crawler(town, "owner", secrets)
        await crawler.crawl()
        assert crawler.leaks == []
        assert sum(status == 200 for status in crawler.seen.values()) > 100, "it has seen the whole site"
        assert crawler.seen[f"/show/film/{town.places['half']}"] == 200, "boards may be seen"
        assert crawler.seen[f"/matches/{town.places['half']}/replay"] == 403
        for address in (f"/show/live/{town.places['running']}", f"{PREFIX}/live?match={town.places['running']}"):
            told = await frames(town, address, played)
            assert len(told) > 3, told
            assert not secrets.found_in(*told)

    finished(look())


def test_what_was_held_back_is_found_when_the_pair_is_over(town: Town) -> None:
    """Else the crawler would find nothing whatever we told."""
    secrets, _ = plant(town)
    town.living.end(int(town.places["running"]))

    half = f"/matches/{town.places['half']}"
    told = [half, f"{half}/replay", f"{PREFIX}{half}", f"{PREFIX}{half}/replay"]

    async def look() -> list[str]:
        crawler = Crawler(town, "rival", secrets)
        for address in told:
            await crawler.read(address)
        return crawler.leaks

    assert finished(look()) == told
