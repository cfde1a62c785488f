"""`botyard watch` follows a contest site in the terminal: a match, a ladder, a bot, or everything."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.segment import Segment

from botyard.cli.console import lines_of_row, note, out, print_json, print_json_line, say
from botyard.cli.full_screen import FullScreen, is_screen
from botyard.cli.options import Json, SiteOption
from botyard.cli.sites import named_thing, site_opened
from botyard.kernel.errors import YardError, quoted
from botyard.kernel.plain import clean

if TYPE_CHECKING:
    from botyard.client.addresses import NamedThing
    from botyard.client.site import Site

BACK = 20  # events that are shown of what happened before
NEWS = 6  # of them below a table
KEYS_S = 0.2  # between two looks at what came
STANDING = ("pair.closed", "bot.activated", "bot.withdrawn", "entry.benched", "entry.revived", "season.opened")


def watch(
    thing: Annotated[
        str | None,
        typer.Argument(
            metavar="[MATCH|LADDER|BOT]",
            help="A match by its number, a ladder by its name, a bot of yours by its name, or an address of a page. By "
            "default everything that you may know of. bot/7 and ladder/NAME say which is meant.",
        ),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Show how it stands now, and end.")] = False,
    pace: Annotated[int | None, typer.Option(min=1, help="Ticks per second of a match.")] = None,
    site: SiteOption = None,
    as_json: Json = False,
) -> None:
    """Follow a contest site: a match on the board, a ladder with its table, a bot, or all events.

    Examples: botyard watch 1204
    botyard watch spring --once

    A match that is being played is shown as it grows, with the keys of `botyard show`. After a break of the line it
    goes on where it was. Ctrl-C ends it. With --json events come as one line each.
    """
    named = named_thing(thing) if thing else None
    with site_opened(site or (named.site if named else "") or None) as opened:
        found = meant(opened, named, thing or "") if named else None
        try:
            if found is not None and found.kind == "match":
                from botyard.cli.match_watch import watch_match

                watch_match(opened, int(found.key), once, pace, as_json)
            else:
                follow(opened, found, once, as_json)
        except KeyboardInterrupt:
            raise typer.Exit(0) from None


def meant(site: Site, named: NamedThing, text: str) -> NamedThing:
    """Returns what a name means on a site: a ladder, or a bot of yours."""
    from botyard.client.addresses import NamedThing, is_number
    from botyard.client.versions import bot_named

    if named.kind == "version":
        return NamedThing("bot", named.key if is_number(named.key) else number_of_bot(site, named.key), site=named.site)
    if named.kind == "bot" and not is_number(named.key):
        return NamedThing("bot", number_of_bot(site, named.key), site=named.site)
    if named.kind != "name":
        return named
    ladders = [str(one["slug"]) for one in site.items("ladders")]
    if named.key in ladders:
        return NamedThing("ladder", named.key)
    if site.signed_in and (bot := bot_named(site, named.key)) is not None:
        return NamedThing("bot", str(bot["id"]))
    raise YardError(f"{quoted(text)} is neither a ladder nor a bot of yours", hint=f"ladders: {', '.join(ladders)}")


def number_of_bot(site: Site, name: str) -> str:
    from botyard.client.versions import bot_named

    bot = bot_named(site, name)
    if bot is None:
        raise YardError(f"you have no bot {quoted(name)}", hint="name a bot of others by its number: bot/7")
    return str(bot["id"])


def follow(site: Site, thing: NamedThing | None, once: bool, as_json: bool) -> None:
    from botyard.client.events import follow_events, latest_events

    kind, key = (thing.kind, thing.key) if thing else ("", "")
    head = {"ladder": ladder_head, "bot": bot_head}.get(kind)
    if once:
        if as_json:
            print_json(standing_now(site, kind, key))
        else:
            print_lines(head(site, key) if head else site_head(site))
        return
    concerns = interest_in(site, kind, key)
    before = [event for event in latest_events(site, BACK) if concerns(event)]
    after = before[-1]["number"] if before else -1
    if head is not None and is_screen(out) and not as_json:
        asyncio.run(TableScreen(partial(head, site, key), concerns, before).show(site, after))
        return
    told = follow_events(site, after, said=lambda text: note("[dim]{text}[/]", text=text))
    coming = filter(concerns, told)
    if as_json:
        for event in chain(before, coming):
            print_json_line(event)
    else:
        print_lines(head(site, key) if head else site_head(site))
        for event in chain(before, coming):
            print_lines([event_line(event)])


def interest_in(site: Site, kind: str, key: str) -> Callable[[dict[str, Any]], bool]:
    """Returns what tells whether an event is about a ladder or a bot; without either all are of interest."""
    if kind == "ladder":
        return lambda event: str(event["body"].get("ladder", "")) == key
    if kind != "bot":
        return lambda _: True
    bot = site.get("bots", key)
    ladders = {entry["slug"] for entry in bot["entries"]}

    def concerns(event: dict[str, Any]) -> bool:
        body = event["body"]
        played = [name for game in body.get("games", ()) for name in game["names"]]
        return event["subject"] == f"bot/{key}" or (body.get("ladder") in ladders and bot["name"] in played)

    return concerns


def standing_now(site: Site, kind: str, key: str) -> Any:
    if kind == "ladder":
        return {**site.get("ladders", key), "table": list(site.items("ladders", key, "table"))}
    return site.get("bots", key) if kind == "bot" else site.get("status")


class TableScreen:
    """A table on the whole screen, with the last events below it. It is made anew when an event changes it."""

    def __init__(
        self, head: Callable[[], list[str]], concerns: Callable[[dict[str, Any]], bool], before: list[dict[str, Any]]
    ) -> None:
        self._head, self._concerns = head, concerns
        self._news = deque([event_line(event) for event in before], maxlen=NEWS)
        self._lines: list[str] = []
        self._state = ""

    async def show(self, site: Site, after: int) -> None:
        """Goes on until somebody leaves."""
        coming: asyncio.Queue[dict[str, Any] | str] = asyncio.Queue()
        tell, loop = coming.put_nowait, asyncio.get_running_loop()
        self._lines = await asyncio.to_thread(self._head)

        def told(one: dict[str, Any] | str) -> None:
            loop.call_soon_threadsafe(tell, one)

        # A thread that waits for a line of the site cannot be ended, and must not keep us from ending.
        threading.Thread(target=hear, args=(site, after, told), daemon=True).start()
        async with FullScreen(out) as screen:
            self._draw(screen)
            while not screen.ended and not {"q", "Escape"} & set(await screen.keys(KEYS_S)):
                stale = screen.resized
                while not coming.empty():
                    stale = await self._take(coming.get_nowait()) or stale
                if stale:
                    self._draw(screen)

    async def _take(self, told: dict[str, Any] | str) -> bool:
        """Takes in what came; returns whether that is to be seen."""
        if isinstance(told, str):
            self._state = told
            return True
        self._state = ""
        if not self._concerns(told):
            return False
        self._news.append(event_line(told))
        if told["kind"] in STANDING or told["kind"].startswith("version."):
            self._lines = await asyncio.to_thread(self._head)
        return True

    def _draw(self, screen: FullScreen) -> None:
        cols, rows = screen.size
        below = ["", *self._news, self._state or "q leaves"]
        room = max(1, rows - len(below))
        shown = [*self._lines[:room], *[""] * (room - len(self._lines)), *below]
        screen.draw([[Segment(line[:cols])] for line in shown[:rows]])


def hear(site: Site, after: int, tell: Callable[[dict[str, Any] | str], None]) -> None:
    """Tells every event of a site, and why there are none."""
    from botyard.client.events import follow_events

    try:
        for event in follow_events(site, after, said=tell):
            tell(event)
    except YardError as error:
        tell(str(error))


# How things stand, as lines


def print_lines(lines: list[str]) -> None:
    for line in lines:
        say("{line}", line=line)


def event_line(event: dict[str, Any]) -> str:
    from botyard.client.events import event_words

    clock = time.strftime("%H:%M:%S", time.localtime(int(event["at_ms"]) / 1000))
    return clean(f"{clock}  {event_words(event)}")


def table_lines(heads: list[str], rows: list[list[str]]) -> list[str]:
    """Returns a table as lines; a heading that begins with > is one of numbers."""
    cells = [[head.removeprefix(">") for head in heads], *([clean(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    numbers = [head.startswith(">") for head in heads]
    return [line for row in cells for line in lines_of_row(row, widths, numbers)]


def ladder_head(site: Site, slug: str) -> list[str]:
    ladder, queue = site.get("ladders", slug), site.get("ladders", slug, "queue", limit=1)
    rows = [standing_cells(line) for line in site.items("ladders", slug, "table")]
    title = f"{ladder['title']} ({ladder['game']}), {ladder['state']}, season {ladder['season']}; {queue['words']}"
    return [clean(title), *table_lines([">rank", "bot", "owner", ">rating", ">trend", ">games", "state"], rows)]


def standing_cells(line: dict[str, Any]) -> list[str]:
    trend = "" if line["trend"] is None else f"{line['trend']:+.1f}"
    rated = f"{line['mu']:.1f} ±{line['margin']:.1f}"
    owner = line["owner"] or "the house"
    return [str(line["rank"] or "–"), line["name"], owner, rated, trend, str(line["games"]), line["state"]]


def bot_head(site: Site, key: str) -> list[str]:
    bot = site.get("bots", key)
    lines = [clean(f"{bot['name']} of {bot['owner']}, {bot['game']}: {site.address}/bots/{bot['id']}")]
    for entry in bot["entries"]:
        rated = f"{entry['mu']:.1f} after {entry['games']} games"
        lines.append(clean(f"on {entry['slug']}: {rated}, {entry['state']} {entry['reason']}".rstrip()))
    rows = [
        [
            str(one["number"]),
            one["state"],
            one["language"],
            "plays" if one["active"] else "",
            one["waits"] or one["reason"] or one["message"],
        ]
        for one in bot["versions"][:10]
    ]
    return [*lines, *table_lines([">version", "state", "language", "", ""], rows)]


def site_head(site: Site) -> list[str]:
    status = site.get("status")
    lines = [clean(f"{site.address}: {status['words']}")]
    if status["trouble"]:
        lines.append(clean(str(status["trouble"])))
    lines += [
        clean(f"match {match['id']} is being played: {' – '.join(str(seat['name']) for seat in match['seats'])}")
        for match in site.items("matches", "running")
    ]
    return lines
