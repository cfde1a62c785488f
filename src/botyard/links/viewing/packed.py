"""A film as it is sent: packed once, in pieces that a page asks for. What is packed is kept within bounds."""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from botyard.render.film import Film, compact

WHOLE_BYTES = 256 * 1024  # a film that is no larger is sent at once: going to and fro then needs no server
KEPT_FILMS = 64
KEPT_BYTES = 64 * 1024 * 1024
LEVEL = 6  # packs three times as fast as the smallest, for a twentieth more


class PackedFilm:
    """A film, ready to be sent."""

    def __init__(self, film: Film) -> None:
        self.blocks = [packed(block) for block in film.blocks]
        whole = sum(map(len, self.blocks)) <= WHOLE_BYTES
        self.opening = packed({"head": film.head, "blocks": film.blocks if whole else film.blocks[:1]})

    @property
    def size(self) -> int:
        return len(self.opening) + sum(map(len, self.blocks))


def packed(value: Any) -> bytes:
    return gzip.compress(compact(value).encode("utf-8", "replace"), LEVEL, mtime=0)


class FilmCache:
    """Keeps the films that were asked for last."""

    def __init__(self, films: int = KEPT_FILMS, size: int = KEPT_BYTES) -> None:
        self._most_films, self._most_bytes = films, size
        self._kept: OrderedDict[Hashable, PackedFilm] = OrderedDict()

    def get(self, key: Hashable) -> PackedFilm | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: Hashable, film: PackedFilm) -> None:
        self._kept[key] = film
        while len(self._kept) > 1 and (len(self._kept) > self._most_films or self.size > self._most_bytes):
            self._kept.popitem(last=False)

    @property
    def size(self) -> int:
        return sum(film.size for film in self._kept.values())

    def __len__(self) -> int:
        return len(self._kept)
