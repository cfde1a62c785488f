"""`botyard export` writes a replay as a picture, as a film, or in a format of the game's original program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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


@dataclass(frozen=True, slots=True)
class Commission:
    """A picture or a film as somebody wants to have it."""

    replay: Replay
    theme: Theme
    size: int
    ticks_per_s: float
    tick: int
    first: int
    until: int
    seat: int | None

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


PICTURES: dict[str, tuple[Callable[[Commission], bytes], str]] = {
    ".svg": (write_svg, "a picture of a tick, for pages and print"),
    ".png": (write_png, "a picture of a tick"),
    ".gif": (write_gif, "a film that plays wherever pictures are shown"),
    ".mp4": (write_mp4, "a video"),
}
"""By suffix, what every game can be written as, and what that is."""


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
    assignments: Assignments = None,
) -> None:
    """Write a replay as a picture or a film, or in a format of the game's original program.

    Pictures, of every game: .svg and .png show a tick, .gif and .mp4 the whole game or a part of it. All but .svg need
    Pillow (`pip install 'botyard[film]'`), .mp4 also ffmpeg.

    Examples: botyard export GAME.replay --to end.png

    botyard export GAME.replay --to best.gif --from 100 --until 220 --speed 20 --theme dark

    Other suffixes are formats of the original, each game has its own; an unknown one lists them. They include what the
    bots said and how long they took if the turn log still lies beside the replay. A replay keeps only settings of the
    rules; others, such as colours, can be given with --set. Where a game's original also wrote this suffix, it is the
    original's file, unless an option of pictures is given.
    """
    from botyard.match.replay import Replay
    from botyard.match.storage import write_atomically

    record = Replay.read(replay)
    formats = record.new_game().book.files.EXPORTS
    chosen = any(option is not None for option in (tick, first, until, speed, size, theme, seat))
    if to.suffix in PICTURES and (chosen or to.suffix not in formats):
        wanted = commission(record, tick, first, until, speed, size, theme, seat)
        writer, kind = PICTURES[to.suffix]
        content = writer(wanted)
        kind = f"{kind}, {len(content) / 1000:.0f} kB"
    elif to.suffix in formats:
        content, kind = original_file(record, replay, to.suffix, assignments), formats[to.suffix]
    else:
        raise UnknownName(f"export format of {record.game}", to.suffix, {**PICTURES, **formats})
    write_atomically(to, content)
    say("wrote {file}: {kind}", file=to, kind=kind)


def commission(
    record: Replay,
    tick: int | None,
    first: int | None,
    until: int | None,
    speed: float | None,
    size: int | None,
    theme: str | None,
    seat: int | None,
) -> Commission:
    """Checks the options against the game."""
    from botyard.render.themes import USUAL, theme_named

    last = sum(map(len, record.ticks))
    for option in (tick, first, until):
        if option is not None and option > last:
            raise YardError(f"the replay has no tick {option}", hint=f"the last one is {last}")
    begin, end = first or 0, last if until is None else until
    if begin > end:
        raise YardError(f"--from {begin} is after --until {end}", hint="choose an earlier first tick")
    if seat is not None and seat >= len(record.names):
        raise YardError(f"the game has no seat {seat}", hint=f"its seats are 0 to {len(record.names) - 1}")
    shown = last if tick is None else tick
    look = theme_named(theme or USUAL)
    return Commission(record, look, size or SIZE, speed or TICKS_PER_S, shown, begin, end, seat)


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
