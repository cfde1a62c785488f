"""Work as a parcel for another machine: a message in which the sources of bots stand by their hashes alone.

Whoever opens the parcel gets them as sources, whose bytes are fetched when they are needed, and only then.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from io import BytesIO
from typing import Any

from botyard.jail.canonical import Source


class Packer(pickle.Pickler):
    """Writes a message and sets its sources aside."""

    def __init__(self, file: BytesIO) -> None:
        super().__init__(file)
        self.sources: dict[str, Source] = {}  # by hash

    def persistent_id(self, thing: Any) -> str | None:
        if not isinstance(thing, Source):
            return None
        self.sources[thing.digest] = thing
        return thing.digest


class Opener(pickle.Unpickler):
    """Reads a message; `fetch` gives the bytes of a source by its hash."""

    def __init__(self, parcel: bytes, fetch: Callable[[str], bytes]) -> None:
        super().__init__(BytesIO(parcel))
        self._fetch = fetch

    def persistent_load(self, digest: Any) -> Source:
        return Source(digest, lambda: self._fetch(digest))


def packed_work(work: Any) -> tuple[bytes, dict[str, Source]]:
    """Returns a message without the bytes of its sources, and these by their hashes."""
    file = BytesIO()
    packer = Packer(file)
    packer.dump(work)
    return file.getvalue(), packer.sources


def opened_work(parcel: bytes, fetch: Callable[[str], bytes]) -> Any:
    return Opener(parcel, fetch).load()
