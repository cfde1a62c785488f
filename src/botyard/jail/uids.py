"""A host user of its own for every bot, so that no two of them can touch each other.

The numbers belong to nobody. One is held by a lock on a file, which the kernel lets go when its holder dies.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from botyard.kernel.errors import YardError

FIRST, COUNT = 0x4B_0000, 0x1_0000
FOLDER = Path("/run/botyard/uids")


def can_change_user() -> bool:
    """Whether this process may start a program as somebody else."""
    return os.geteuid() == 0


class HeldUid:
    """A number nobody else on this machine uses until it is let go."""

    def __init__(self, preferred: Iterable[int] = ()) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True, mode=0o755)
        for number in chain(preferred, candidates()):
            held = os.open(FOLDER / str(number), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(held)
                continue
            self.number, self._held = number, held
            return
        raise YardError(f"all {COUNT} users for bots are in use", hint="fewer games at once")

    @property
    def free(self) -> bool:
        return self._held < 0

    def let_go(self) -> None:
        if self._held >= 0:
            os.close(self._held)
        self._held = -1


def candidates() -> Iterator[int]:
    """All numbers, beginning anywhere: the lowest are not fought for."""
    start = int.from_bytes(os.urandom(4), "little") % COUNT
    return ((FIRST + (start + at) % COUNT) for at in range(COUNT))
