"""Files that visitors bring to look at: a replay, or a log of an original program. They are kept a while, in memory."""

from __future__ import annotations

import gzip
import json
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from botyard.games import load
from botyard.kernel.bounded import unpacked
from botyard.kernel.errors import BadRecord, YardError
from botyard.links.viewing.packed import LEVEL, PackedFilm
from botyard.links.viewing.recordings import Recording, RecordingScreening
from botyard.links.viewing.screening import ReplayScreening, Screening, result_of
from botyard.match.replay import GZIP, Replay
from botyard.match.turns import NoTurns, TurnLog
from botyard.render.film import compact
from botyard.yard.refusals import NotThere
from botyard.yard.web.workshop import Workshop

FILE_MAX = 4 << 20  # bytes of one file
TEXT_MAX = 32 << 20  # of a log, unpacked
TICKS_MAX = 50_000  # of a replay that is played again here
KEPT_FILES = 40
KEPT_BYTES = 128 << 20


@dataclass(frozen=True, slots=True)
class ViewedFile:
    """A file that somebody brought, and the games in it."""

    name: str
    size: int
    games: tuple[tuple[Screening, str], ...]  # each with what a list says of it

    def game(self, at: int) -> tuple[Screening, str]:
        if not 0 <= at < len(self.games):
            raise NotThere(f"there is no game {at} in this file", hint=f"it holds {len(self.games)}, counted from 0")
        return self.games[at]


class ViewedFiles:
    """The files that were brought last. Whoever knows the word of one may look at it."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._kept: OrderedDict[str, ViewedFile] = OrderedDict()

    async def take(self, name: str, content: bytes) -> str:
        """Reads a file and keeps it; returns the word under which it is found."""
        file = await self._workshop.make(read_file, name, content)
        word = secrets.token_urlsafe(12)
        self._kept[word] = file
        while len(self._kept) > KEPT_FILES or (len(self._kept) > 1 and self._size > KEPT_BYTES):
            self._kept.popitem(last=False)
        return word

    @property
    def _size(self) -> int:
        return sum(file.size for file in self._kept.values())

    def file(self, word: str) -> ViewedFile:
        if word not in self._kept:
            raise NotThere("this file is not here any more", hint="bring it again: files are kept for a while only")
        return self._kept[word]

    async def film(self, word: str, game: int, seat: int | None) -> PackedFilm:
        screening, _ = self.file(word).game(game)
        return await self._workshop.film(("viewed", word, game, seat), lambda: screening.film(seat))

    async def shown_once(self, name: str, content: bytes, game: int, seat: int | None) -> bytes:
        """Returns, packed, what games a file holds and the whole film of one of them; nothing of it is kept."""
        return await self._workshop.make(whole_film, name, content, game, seat)


def read_file(name: str, content: bytes) -> ViewedFile:
    """Returns the games of a file: one of a replay, several of a log."""
    try:
        replay = Replay.from_bytes(content, name)
    except YardError as trouble:
        try:
            return recording_of(name, content)
        except YardError as other:
            raise (trouble if content[:2] == GZIP else other) from None
    if len(replay.ticks) > TICKS_MAX:
        raise BadRecord(
            f"{name} has {len(replay.ticks)} ticks", hint=f"up to {TICKS_MAX} are shown here; use botyard view"
        )
    told = f"{load(replay.game).facts.title}: {' – '.join(replay.names)}, {result_of(replay)}"
    return ViewedFile(name, len(content), ((ReplayScreening(lambda: replay, no_log), told),))


def whole_film(name: str, content: bytes, game: int, seat: int | None) -> bytes:
    file = read_file(name, content)
    film = file.game(game)[0].film(seat)
    head = compact(json.loads(gzip.decompress(film.opening))["head"])
    blocks = ",".join(gzip.decompress(block).decode() for block in film.blocks)
    told = compact({"name": file.name, "games": [words for _, words in file.games], "game": game})
    whole = f'{told[:-1]},"film":{{"head":{head},"blocks":[{blocks}]}}}}'
    return gzip.compress(whole.encode(), LEVEL, mtime=0)


def no_log(_: Replay) -> TurnLog:
    raise NoTurns("only the replay was brought")


def recording_of(name: str, content: bytes) -> ViewedFile:
    whole = unpacked(content, TEXT_MAX, name) if content[:2] == GZIP else content
    recording = Recording.of_text(Path(name), whole.decode("utf-8", "surrogateescape"))
    steps = recording.count()
    if not steps:
        raise YardError(f"{name} holds no game that could be shown", hint="its games have no steps")
    told = f"{recording.title}: {' – '.join(recording.names)}" if recording.names else recording.title
    games = [(RecordingScreening(recording, at, count), f"{told}, {count} steps") for at, count in enumerate(steps)]
    return ViewedFile(name, len(whole), tuple(games))
