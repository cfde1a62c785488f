"""What a game tells people who want to write a bot for it: rules, a real exchange, starters, settings, house bots."""

from __future__ import annotations

import asyncio
import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from markupsafe import Markup

from botyard.games import GAMES, load
from botyard.games.game import Game
from botyard.games.picture import camera_for, legend_of
from botyard.games.starters import Starter, starter_for, starters_of
from botyard.kernel.errors import YardError
from botyard.kernel.facts import Facts
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import SettingRow, describe
from botyard.links.bot_spec import Seating, read_bot_spec
from botyard.links.play import play, run_anywhere, seat_named
from botyard.links.viewing.packed import PackedFilm
from botyard.match.clock import LoopClock
from botyard.match.filming import film_of
from botyard.match.loop import play_game
from botyard.match.turns import START_TICK, Turn
from botyard.render.escape import escaped_text
from botyard.render.markdown import html_of
from botyard.render.shapes import shapes_of
from botyard.render.sprites import SIDE, sprites_for
from botyard.render.svg import element
from botyard.render.themes import theme_named
from botyard.yard.refusals import NotThere
from botyard.yard.web.workshop import Workshop

SEED = 20  # of demonstrations; any would do
ANSWERS = 3  # of a starter that are shown
MOST_TURNS = 60  # that are played for them
SHOWN_CHARACTERS = 2400  # of one message
WAIT_S = 4.0  # for the exchange: a page does not wait longer, and has it the next time
AGAIN_S = 300.0  # before an exchange that failed is tried anew
SECTION = re.compile(r"^## ", re.MULTILINE)
LEFT_OUT = ("House bots", "Learners")  # a guide shows the former beside; the latter are for those who have the library
BEFORE_PICTURE = re.compile(r"(?:^[^\n]+:\n\n)?^!\[[^\n]*\n", re.MULTILINE)  # pictures lie beside the file, not here
FIXED_TIME = (1980, 1, 1, 0, 0, 0)  # the same starter is the same zip, whenever it was installed


@dataclass(frozen=True, slots=True)
class GameGuide:
    """What never changes while the server runs."""

    facts: Facts
    rules: Markup
    settings: tuple[SettingRow, ...]
    presets: tuple[str, ...]
    house_bots: dict[str, str]
    starters: tuple[Starter, ...]
    tiles: tuple[tuple[str, Markup], ...]  # names and drawings


@dataclass(frozen=True, slots=True)
class Exchange:
    """What was really said between Botyard and a starter at the beginning of a game."""

    language: str
    messages: tuple[tuple[str, str], ...] = ()  # who spoke, and what
    trouble: str = ""  # why there is none


class Guides:
    """The guides of all games. Each is made when somebody first asks for it."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._guides: dict[str, GameGuide] = {}
        self._exchanges: dict[str, asyncio.Task[Exchange]] = {}

    async def guide(self, game: str) -> GameGuide:
        if game not in GAMES:
            raise NotThere("there is no such game", hint="all of them are listed under Games")
        if game not in self._guides:
            self._guides[game] = await self._workshop.make(guide_of, load(game))
        return self._guides[game]

    async def exchange(self, game: str) -> Exchange | None:
        """Returns what a starter and Botyard say to each other; None while they are still at it."""
        if game not in self._exchanges:
            self._exchanges[game] = asyncio.create_task(self._overheard(game))
        talking = self._exchanges[game]
        done, _ = await asyncio.wait([talking], timeout=WAIT_S)
        return talking.result() if done else None

    async def _overheard(self, game: str) -> Exchange:
        try:
            return await self._workshop.make(overheard, load(game))
        except (YardError, OSError) as error:
            asyncio.get_running_loop().call_later(AGAIN_S, self._exchanges.pop, game, None)
            return Exchange("", trouble=str(error))

    async def demonstration(self, game: str) -> PackedFilm:
        """Returns the film of a game among house bots."""
        await self.guide(game)
        return await self._workshop.film(("demonstration", game), lambda: demonstrated(load(game)))

    def close(self) -> None:
        for talking in self._exchanges.values():
            talking.cancel()


def guide_of(book: Rulebook) -> GameGuide:
    return GameGuide(
        facts=book.facts,
        rules=rules_of(book),
        settings=tuple(describe(book.settings)),
        presets=tuple(book.settings.PRESETS),
        house_bots=dict(book.bots.HOUSE_BOTS),
        starters=tuple(starters_of(book.facts.name)),
        tiles=tiles_of(book),
    )


def rules_of(book: Rulebook) -> Markup:
    """Returns the game's own page, without its title and the sections that are left out."""
    page = book.folder / "README.md"
    if not page.is_file():
        return Markup("")
    text = page.read_text(encoding="utf-8").lstrip()
    if text.startswith("# "):
        text = text.partition("\n")[2]
    text = BEFORE_PICTURE.sub("", text)
    parts = [part for part in SECTION.split(text) if not part.startswith(LEFT_OUT)]
    # Made of a file of ours or of an installed game, in which HTML stays text; below the heading of the section.
    return Markup(html_of("\n### ".join(parts)))


def tiles_of(book: Rulebook) -> tuple[tuple[str, Markup], ...]:
    """Returns what stands on the board, drawn as the viewer draws it."""
    palette = camera_for(book, book.settings().seated(book.facts.usual_seats)).palette
    tiles, theme = legend_of(palette), theme_named("light")
    sprites = sprites_for(book, tiles)
    ground = f'<rect width="{SIDE}" height="{SIDE}" fill="{theme.colours["ground"]}"/>'
    opening = f'<svg class="tile" viewBox="0 0 {SIDE} {SIDE}" aria-hidden="true">{ground}'
    return tuple(
        (tile.name, Markup(f"{opening}{''.join(map(element, shapes_of(tile, sprites, theme)))}</svg>"))
        for tile in tiles
    )


def demonstrated(book: Rulebook) -> PackedFilm:
    names = islice(cycle(reversed(list(book.bots.HOUSE_BOTS))), book.facts.usual_seats)
    played = play(book.facts.name, [f"house:{name}" for name in names], seed=SEED)
    return PackedFilm(film_of(played.replay))


# A real exchange


def overheard(book: Rulebook) -> Exchange:
    """Has a starter play the beginning of a game against house bots, in a cage like any bot, and notes what is said."""
    starters = {starter.language: starter for starter in starters_of(book.facts.name)}
    if not starters:
        return Exchange("", trouble="this game has no starter that could be listened to")
    language = "python" if "python" in starters else next(iter(starters))
    turns = run_anywhere(listened(book, starters[language]))
    return Exchange(language, tuple(told(turns)))


async def listened(book: Rulebook, starter: Starter) -> list[Turn]:
    name, seats = book.facts.name, book.facts.usual_seats
    settings = book.settings.read({}).seated(seats)
    house = f"house:{next(iter(book.bots.HOUSE_BOTS))}"
    seating = Seating(book, settings, LoopClock())
    named = [f"dir:{starter.folder}", *[house] * (seats - 1)]
    players = [await seat_named(read_bot_spec(bot, book), seating, at) for at, bot in enumerate(named)]
    game = Game(load(name), settings, SEED)
    own = [game.entrant(seat) for seat in range(game.seats)].index(0)

    def enough(turns: Sequence[Turn]) -> bool:
        asked = [turn for turn in turns if turn.seat == own]
        return len(asked) >= MOST_TURNS or sum(map(says_something, asked)) >= ANSWERS

    played = await play_game(game, players, enough=enough)
    return [turn for turn in played.turns if turn.seat == own]


def says_something(turn: Turn) -> bool:
    return bool(turn.received.strip())


def told(turns: Sequence[Turn]) -> list[tuple[str, str]]:
    """Returns what was said in the first turn and in those in which the bot said something; a gap is named."""
    messages = []
    left_out = 0
    for at, turn in enumerate(turns):
        if turn.tick == START_TICK:
            raise YardError(f"the starter did not start ({turn.verdict})", hint=turn.reason)
        if at and not says_something(turn):
            left_out += 1
            continue
        if left_out:
            messages.append(("", f"{left_out} more turns like this"))
        left_out = 0
        messages += [("Botyard", readable(turn.sent)), ("bot", readable(turn.received))]
    return messages


def readable(text: str) -> str:
    """Returns bytes that were sent, one character each, as a person reads them, line by line."""
    whole = text.encode("latin-1").decode("utf-8", "replace")
    shown = "\n".join(escaped_text(line) for line in whole[:SHOWN_CHARACTERS].rstrip("\n").split("\n"))
    left = len(whole) - SHOWN_CHARACTERS
    return f"{shown}\n… {left} characters more" if left > 0 else shown


# Starters


def starter_zip(game: str, language: str) -> bytes:
    """Returns a starter as a zip, the same bytes every time."""
    if game not in GAMES or language not in {starter.language for starter in starters_of(game)}:
        raise NotThere("there is no such starter", hint="the page of the game lists them")
    starter = starter_for(game, language)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in starter.files:
            file = starter.folder / path
            entry = zipfile.ZipInfo(f"{game}-{language}/{path}", FIXED_TIME)
            entry.external_attr = (0o100755 if file.stat().st_mode & 0o100 else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, file.read_bytes())
    return buffer.getvalue()
