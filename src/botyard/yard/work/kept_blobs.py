"""Sources that were given to workers lately are kept in memory: the same bots play again and again."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

import sqlalchemy as sa

from botyard.yard.data.blobs import Blobs

MOST_BYTES: Final = 32 << 20


class KeptBlobs:
    """Reads blobs, and keeps those that were read last."""

    def __init__(self, blobs: Blobs, most: int = MOST_BYTES) -> None:
        self._blobs, self._most = blobs, most
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0

    def read(self, connection: sa.Connection, digest: str) -> bytes:
        """Returns the content of a blob; it never changes."""
        if digest not in self._kept:
            self._kept[digest] = content = self._blobs.read(connection, digest)
            self._size += len(content)
        self._kept.move_to_end(digest)
        content = self._kept[digest]
        while self._size > self._most:
            self._size -= len(self._kept.popitem(last=False)[1])
        return content
