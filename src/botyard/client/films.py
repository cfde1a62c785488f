"""Films of matches as a site tells them: whole ones, and those that grow while a match is played.

A site is a stranger, too: what it sends is looked at before anything is made of it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from botyard.client.site import API, Site
from botyard.kernel.bounded import json_of
from botyard.kernel.errors import BadRecord, YardError
from botyard.render.film import BLOCK, FORMAT, Film

CELLS_MAX = 1_000_000
BLOCKS_MAX = 10_000
NEWS_MAX = 8 << 20  # of one message
OPEN_S = 20.0


def whole_film(site: Site, match: int) -> Film:
    """Returns the film of a match that was played."""
    told = site.get("matches", match, "film")
    film = Film(checked_head(told["head"]), [checked_block(film_shape(told["head"]), one) for one in told["blocks"]])
    count = int(film.head["last"]) // BLOCK + 1
    for at in range(len(film.blocks), min(count, BLOCKS_MAX)):
        film.blocks.append(film_block(site, match, film, at))
    return film


def film_block(site: Site, match: int, film: Film, at: int) -> dict[str, Any]:
    return checked_block(film_shape(film.head), site.get("matches", match, "film", "blocks", at))


def checked_head(head: Any) -> dict[str, Any]:
    """Refuses a head that no film has."""
    try:
        rows, cols = film_shape(head)
        if head["format"] != FORMAT or not 0 < rows * cols <= CELLS_MAX or not head["palette"]:
            raise KeyError("format")
        names, _, _ = head["names"], head["numbers"], head["marks"]
        return {**head, "names": [str(name) for name in names]}
    except (KeyError, TypeError, ValueError):
        raise BadRecord("the site sends a film that cannot be shown", hint="it may run another version") from None


def film_shape(head: Any) -> tuple[int, int]:
    return int(head["rows"]), int(head["cols"])


def checked_block(shape: tuple[int, int], block: Any) -> dict[str, Any]:
    """Refuses a block whose board is not as large as the film's."""
    try:
        runs = [int(times) for times in block["grid"][1::2]]
        if min(runs, default=0) < 0 or sum(runs) != shape[0] * shape[1] or len(block["ticks"]) >= BLOCK:
            raise ValueError
        _ = int(block["at"]), block["pieces"], block["words"]
    except (KeyError, TypeError, ValueError):
        raise BadRecord("the site sends a block that cannot be shown", hint="it may run another version") from None
    return dict(block)


class GrowingFilm:
    """A film while it comes in. Blocks before the first that was told are asked for."""

    def __init__(self, site: Site, match: int) -> None:
        self._site, self._match = site, match
        self.film: Film | None = None
        self.withheld = ""

    def take(self, news: dict[str, Any]) -> None:
        """Adds what a site tells: the head first, then parts and marks."""
        self.withheld = str(news.get("withheld", ""))
        if "head" in news:
            head = checked_head(news["head"])
            self.film = Film(head, self.film.blocks if self.film else [])
        if self.film is None:
            return
        self.film.head["marks"].extend(news.get("marks", ()))
        for part in news.get("parts", ()):
            if isinstance(part, dict):
                self._begin_block(self.film, checked_block(film_shape(self.film.head), part))
            elif self.film.blocks and len(self.film.blocks[-1]["ticks"]) < BLOCK - 1:
                self.film.blocks[-1]["ticks"].append(part)
            else:
                raise BadRecord("the site sends a film in the wrong order", hint="it may run another version")

    def _begin_block(self, film: Film, block: dict[str, Any]) -> None:
        number = int(block["at"]) // BLOCK
        if number >= BLOCKS_MAX:
            raise BadRecord(f"the site sends a film of more than {BLOCKS_MAX} blocks")
        del film.blocks[number:]
        for at in range(len(film.blocks), number):
            film.blocks.append(film_block(self._site, self._match, film, at))
        film.blocks.append(block)


async def film_news(site: Site, match: int) -> AsyncIterator[dict[str, Any]]:
    """Yields what a site tells of a match that is being played, until it is over or the line breaks."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed, InvalidHandshake

    address = f"ws{site.address.removeprefix('http')}{API}/live?match={match}"
    try:
        async with connect(
            address, additional_headers=site.token_header, max_size=NEWS_MAX, open_timeout=OPEN_S
        ) as socket:
            async for message in socket:
                news = json_of(message, f"the news of {site.address}")
                if isinstance(news, dict):
                    yield news
    except ConnectionClosed:
        return
    except (OSError, TimeoutError, InvalidHandshake) as error:
        raise YardError(f"match {match} cannot be watched now", hint=str(error)) from None
