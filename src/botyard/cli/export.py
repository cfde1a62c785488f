"""`botyard export` writes a replay as a picture, as a film, or in a format of the game's original program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from botyard.cli.bar import counting
from botyard.cli.console import say
from botyard.cli.options import Assignments, read_settings
from botyard.cli.replays import ReplayFile
from botyard.kernel.errors import SettingsError, UnknownName, YardError

if TYPE_CHECKING:
    from botyard.match.filming import Shots
    from botyard.match.replay import Replay
    from botyard.match.turns import TurnLog
    from botyard.render.footage import Tempo
    from botyard.render.raster import Easel
    from botyard.render.themes import Theme

SIZE = 480
TICKS_PER_S = 10.0
MOST_TICKS = 100_000  # of a page
MOST_FRAMES = 10_000  # of a film: a quarter of an hour at the usual speed
MOST_PIXELS = 32_000_000  # of a picture

To = Annotated[Path, typer.Option("--to", metavar="FILE", help="The file to write; its suffix chooses the format.")]
Tick = Annotated[int | None, typer.Option(min=0, help=".svg, .png: the tick to show. By default the last one.")]
First = Annotated[int | None, typer.Option("--from", min=0, help=".gif, .mp4: the first tick. By default 0.")]
Until = Annotated[int | None, typer.Option(min=0, help=".gif, .mp4: the last tick. By default that of the game.")]
Speed = Annotated[
    float | None, typer.Option(min=0.1, max=1000, help=f".gif, .mp4: ticks per second. By default {TICKS_PER_S:g}.")
]
Size = Annotated[
    int | None,
    typer.Option(min=64, max=4096, help=f"Pixels of the board's longer side, about. By default {SIZE}."),
]
ThemeName = Annotated[str | None, typer.Option("--theme", help="light, dark, contrast or colour-blind.")]
Seat = Annotated[int | None, typer.Option(min=0, help="Show only what this seat saw.")]
WithTurns = Annotated[
    bool, typer.Option("--with-turns", help=".html: what became of every turn, with what bots were told and printed.")
]
WithNotes = Annotated[bool, typer.Option("--with-notes", help=".html: the same, and what bots noted on the board.")]


@dataclass(frozen=True, slots=True)
class Commission:
    """A picture or a film as somebody wants to have it."""

    replay: Replay
    path: Path  # where the replay lies, and its turn log beside it
    theme: Theme
    size: int
    ticks_per_s: float
    tick: int
    first: int
    until: int
    seat: int | None
    turns: bool
    notes: bool

    def still(self) -> Shots:
        from botyard.match.filming import Shots

        return Shots(self.replay, [self.tick], self.seat)

    def moving(self, tempo: Tempo) -> Shots:
        """Its last tick is always shown."""
        from botyard.match.filming import Shots

        ticks = [*range(self.first, self.until, tempo.stride), self.until]
        if len(ticks) > MOST_FRAMES:
            raise YardError(
                f"the film would have {len(ticks)} frames, more than {MOST_FRAMES}",
                hint="choose a part with --from and --until, or raise --speed: fast films leave ticks out",
            )
        return Shots(self.replay, ticks, self.seat)

    def easel(self, shots: Shots) -> Easel:
        from botyard.render.raster import Easel

        easel = Easel(shots.head, self.theme, self.size)
        width, height = easel.size
        if width * height > MOST_PIXELS:
            raise YardError(f"the picture would have {width} × {height} pixels", hint="choose a smaller --size")
        return easel


def write_html(wanted: Commission) -> bytes:
    from botyard.games.picture import camera_of
    from botyard.match.filming import film_of
    from botyard.render.page import film_page

    if wanted.until > MOST_TICKS:
        hint = "export a part as .gif, or look at it with `botyard show`"
        raise YardError(f"a page with {wanted.until} ticks would be too large to open", hint=hint)
    seats = range(len(wanted.replay.names) if camera_of(wanted.replay.new_game()).has_seat_pictures else 0)
    with counting("filming", 1 + len(seats), quiet=False) as watch:
        films = []
        for seat in (None, *seats):
            films.append(film_of(wanted.replay, seat))
            watch()
    return film_page(films[0], films[1:], turns_for(wanted)).encode()


def turns_for(wanted: Commission) -> dict[str, Any] | None:
    """The turn sheet, if it is wanted: it tells what bots were sent and printed, which a film does not."""
    from botyard.match.report import log_of
    from botyard.match.turn_sheet import turn_sheet

    if not wanted.turns and not wanted.notes:
        return None
    return turn_sheet(wanted.replay, log_of(wanted.path, wanted.replay), notes=wanted.notes)


def write_svg(wanted: Commission) -> bytes:
    from botyard.render.svg import svg_of

    shots = wanted.still()
    return svg_of(shots.head, next(iter(shots)), wanted.theme, wanted.size).encode()


def write_png(wanted: Commission) -> bytes:
    with needs_pillow(".png"):
        from botyard.render.raster import png_of
    shots = wanted.still()
    return png_of(wanted.easel(shots), next(iter(shots)))


def write_gif(wanted: Commission) -> bytes:
    with needs_pillow(".gif"):
        from botyard.render import gif
    return painted(wanted, gif.MOST_FRAMES_PER_S, gif.gif_of)


def write_mp4(wanted: Commission) -> bytes:
    with needs_pillow(".mp4"):
        from botyard.render import mp4
    mp4.find_ffmpeg()
    return painted(wanted, mp4.MOST_FRAMES_PER_S, mp4.mp4_of)


def painted(
    wanted: Commission, most_frames_per_s: int, writer: Callable[[Shots, Easel, float, Callable[[], None]], bytes]
) -> bytes:
    from botyard.render.footage import Tempo

    tempo = Tempo.of(wanted.ticks_per_s, most_frames_per_s)
    shots = wanted.moving(tempo)
    with counting("painting", len(shots), quiet=False) as watch:
        return writer(shots, wanted.easel(shots), tempo.frames_per_s, watch)


@contextmanager
def needs_pillow(suffix: str) -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "PIL":
            raise
        raise YardError(
            f"a {suffix} file needs Pillow, which is not installed here",
            hint="pip install 'botyard[film]'; an .svg needs nothing more",
        ) from None


class PictureFormat(NamedTuple):
    """A format of our own, for every game."""

    write: Callable[[Commission], bytes]
    told: str
    options: frozenset[str]  # that mean something for it


SHEET = frozenset({"with-turns", "with-notes"})
TICK = frozenset({"tick", "size", "theme", "seat"})
PART = frozenset({"from", "until", "speed", "size", "theme", "seat"})
PICTURES = {
    ".html": PictureFormat(write_html, "a page that shows the game and needs no network", SHEET),
    ".svg": PictureFormat(write_svg, "a picture of a tick, for pages and print", TICK),
    ".png": PictureFormat(write_png, "a picture of a tick", TICK),
    ".gif": PictureFormat(write_gif, "a film that plays wherever pictures are shown", PART),
    ".mp4": PictureFormat(write_mp4, "a video", PART),
}


def export(
    replay: ReplayFile,
    to: To,
    tick: Tick = None,
    first: First = None,
    until: Until = None,
    speed: Speed = None,
    size: Size = None,
    theme: ThemeName = None,
    seat: Seat = None,
    with_turns: WithTurns = False,
    with_notes: WithNotes = False,
    assignments: Assignments = None,
) -> None:
    """Write a replay as a page, a picture or a film, or in a format of the game's original program.

    Of every game: .html is a page with the whole game that needs no network; .svg and .png show a tick; .gif and .mp4
    are films of the game or a part of it. .png, .gif and .mp4 need Pillow (`pip install 'botyard[film]'`), .mp4 also
    ffmpeg.

    Examples: botyard export GAME.replay --to end.png

    botyard export GAME.replay --to best.gif --from 100 --until 220 --speed 20 --theme dark

    Other suffixes are formats of the original, and each game has its own; an unknown one lists them. They include what
    the bots said and how long they took if the turn log still lies beside the replay. A replay keeps only settings of
    the rules; others, such as colours, can be given with --set. Where the original also wrote files of this suffix, it
    is the original's, unless an option of pictures is given.
    """
    from botyard.match.replay import Replay
    from botyard.match.storage import write_atomically

    record = Replay.read(replay)
    formats = record.new_game().book.files.EXPORTS
    options: dict[str, Any] = {
        "tick": tick,
        "from": first,
        "until": until,
        "speed": speed,
        "size": size,
        "theme": theme,
        "seat": seat,
    }
    options |= {"with-turns": with_turns or None, "with-notes": with_notes or None}
    given = {name: value for name, value in options.items() if value is not None}
    if to.suffix in PICTURES and (given or to.suffix not in formats):
        chosen = PICTURES[to.suffix]
        check_options(given, to.suffix)
        content = chosen.write(commission(record, replay, given))
        kind = f"{chosen.told}, {len(content) / 1000:.0f} kB"
    elif to.suffix in formats:
        content, kind = original_file(record, replay, to.suffix, assignments), formats[to.suffix]
    else:
        raise UnknownName(f"export format of {record.game}", to.suffix, [*PICTURES, *formats])
    write_atomically(to, content)
    say("wrote {file}: {kind}", file=to, kind=kind)


def check_options(given: dict[str, Any], suffix: str) -> None:
    for option in given:
        if option not in PICTURES[suffix].options:
            fitting = [known for known, kind in PICTURES.items() if option in kind.options]
            raise YardError(f"--{option} means nothing for a {suffix} file", hint=f"it is for {', '.join(fitting)}")


def commission(record: Replay, path: Path, given: dict[str, Any]) -> Commission:
    """Checks the options against the game."""
    from botyard.render.themes import USUAL, theme_named

    last = sum(map(len, record.ticks))
    for option in ("tick", "from", "until"):
        if given.get(option, 0) > last:
            raise YardError(f"the replay has no tick {given[option]}", hint=f"the last one is {last}")
    wanted = Commission(
        replay=record,
        path=path,
        theme=theme_named(given.get("theme", USUAL)),
        size=given.get("size", SIZE),
        ticks_per_s=given.get("speed", TICKS_PER_S),
        tick=given.get("tick", last),
        first=given.get("from", 0),
        until=given.get("until", last),
        seat=given.get("seat"),
        turns=bool(given.get("with-turns")),
        notes=bool(given.get("with-notes")),
    )
    if wanted.first > wanted.until:
        raise YardError(f"--from {wanted.first} is after --until {wanted.until}", hint="choose an earlier first tick")
    if wanted.seat is not None and wanted.seat >= len(record.names):
        raise YardError(f"the game has no seat {wanted.seat}", hint=f"its seats are 0 to {len(record.names) - 1}")
    return wanted


def original_file(record: Replay, path: Path, suffix: str, assignments: list[str] | None) -> bytes:
    from botyard.match.original_files import check_size, follow, open_writer
    from botyard.match.report import log_of
    from botyard.match.turns import NoTurns

    more = read_settings(assignments or [], None)
    for key in more.keys() & record.settings.keys():
        raise SettingsError(
            key, got=more[key], hint="it is a rule of the game that was played, which cannot be changed now"
        )
    writer = open_writer(record.new_game().book, suffix, record.names)
    check_size(record, more)
    try:
        log: TurnLog | None = log_of(path, record)
    except NoTurns:
        log = None
    return follow(writer, record, log, more)
