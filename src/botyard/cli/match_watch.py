"""A match of a site in the terminal: while it is played, as far as the site tells, and afterwards as a film."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from botyard.cli.console import note, out, print_json, say
from botyard.cli.host import PACE
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.client.films import GrowingFilm
    from botyard.client.site import Site

LOOK_S = 1.0
OVER = ("done", "void", "cancelled")


def watch_match(site: Site, number: int, once: bool, pace: int | None, as_json: bool) -> None:
    """Shows a match from where it is to its end."""
    from botyard.cli.full_screen import is_screen

    shown = site.get("matches", number)
    if as_json:
        print_json(shown)
        return
    tell_match(shown)
    if once:
        return
    if is_screen(out):
        asyncio.run(show_match(site, number, shown, pace or PACE))
    else:
        asyncio.run(until_over(site, number, shown))
    if shown["match"]["state"] not in OVER and (ended := site.get("matches", number))["match"]["state"] in OVER:
        tell_match(ended)


def tell_match(shown: dict[str, Any]) -> None:
    match = shown["match"]
    names = " – ".join(str(seat["name"]) for seat in match["seats"])
    say("[bold]match {id}[/], {game}: {names}", id=match["id"], game=match["game"], names=names)
    words = shown["words"] or shown["waits"] or match["state"]
    say("{words}", words=words)
    if match["released"]:
        heads = [f"{seat['name']}: {seat['turns']} turns, {seat['lost_turns']} lost" for seat in match["seats"]]
        say("[dim]{ticks} ticks; {heads}[/]", ticks=match["ticks"], heads="; ".join(heads))


async def until_over(site: Site, number: int, shown: dict[str, Any]) -> None:
    """Waits until a match is over, and says meanwhile what it waits for."""
    last = ""
    while shown["match"]["state"] not in OVER:
        words = "it is being played" if shown["live"] else shown["waits"] or str(shown["match"]["state"])
        if words != last:
            note("[dim]{words}[/]", words=words)
        last = words
        await asyncio.sleep(LOOK_S)
        shown = await asyncio.to_thread(site.get, "matches", number)


async def show_match(site: Site, number: int, shown: dict[str, Any], pace: int) -> None:
    """Waits until there is something to see, and shows it on the whole screen."""
    from botyard.client.films import GrowingFilm, whole_film

    while shown["match"]["state"] not in OVER and not shown["live"]:
        note("[dim]{words}[/]", words=shown["waits"] or shown["match"]["state"])
        await asyncio.sleep(LOOK_S)
        shown = await asyncio.to_thread(site.get, "matches", number)
    if shown["live"]:
        growing = GrowingFilm(site, number)
        with contextlib.suppress(YardError):  # it is over by now, or the line broke: the film tells the rest
            await show_growing(site, number, growing, pace)
            return
    film = await asyncio.to_thread(whole_film, site, number)
    await show_whole(film, pace)


async def show_whole(film: Any, pace: int) -> None:
    from botyard.cli.film_desk import FilmDesk
    from botyard.cli.full_screen import FullScreen
    from botyard.cli.playback import Playback
    from botyard.cli.screen import Show, time_now

    async with FullScreen(out) as screen:
        playback = Playback(pace, PACE, True, time_now())
        desk = FilmDesk(film, playback)
        alone = screen.keyboard is None
        await Show(desk, screen).run(until=lambda: alone and desk.at_end and not playback.playing)


async def show_growing(site: Site, number: int, growing: GrowingFilm, pace: int) -> None:
    """Shows a film as it comes in; when the match is over it can be gone through."""
    from botyard.cli.film_desk import FilmDesk
    from botyard.cli.full_screen import FullScreen
    from botyard.cli.playback import Playback
    from botyard.cli.screen import Show, time_now
    from botyard.client.films import film_news

    begun = asyncio.Event()

    async def take_all() -> None:
        async for news in film_news(site, number):
            await asyncio.to_thread(growing.take, news)
            if growing.film is not None and growing.film.blocks:
                begun.set()

    taking = asyncio.create_task(take_all())
    first = asyncio.create_task(begun.wait())
    try:
        await asyncio.wait({taking, first}, return_when=asyncio.FIRST_COMPLETED)
        if not begun.is_set():
            await taking
            raise YardError(growing.withheld or f"nothing is told of match {number}")
        assert growing.film is not None
        async with FullScreen(out) as screen:
            desk = FilmDesk(growing.film, Playback(pace, PACE, True, time_now()), live=True)
            desk.tick = desk.last
            taking.add_done_callback(lambda _: desk.end(None))
            alone = screen.keyboard is None
            await Show(desk, screen).run(until=lambda: alone and not desk.live and desk.at_end)
    finally:
        for task in (taking, first):
            task.cancel()
        await asyncio.gather(taking, first, return_exceptions=True)
