"""Every bot has a host user of its own, so that no two of them can touch each other.

The numbers belong to nobody. Each is held by a lock on a file, which the kernel lets go when its holder dies.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

from botyard.kernel.cache import is_own
from botyard.kernel.errors import OurFault

FIRST, COUNT = 0x4B_0000, 0x1_0000
FOLDER = Path("/run/botyard/uids")


@cache
def can_change_user() -> bool:
    """Whether this process may start a program as somebody else: root, and not of a namespace that has only itself."""
    return os.geteuid() == 0 and is_mapped(FIRST) and is_mapped(FIRST + COUNT - 1)


def is_mapped(number: int) -> bool:
    """Whether there is such a user where we are."""
    try:
        ranges = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    except OSError:
        return True
    return any(first <= number < first + count for first, _, count in ranges)


class HeldUid:
    """A number nobody else on this machine uses until it is let go."""

    def __init__(self, preferred: Iterable[int] = ()) -> None:
        try:
            check_own(FOLDER)
            for number in chain(preferred, candidates()):
                held = os.open(FOLDER / str(number), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
                try:
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError as error:
                    os.close(held)
                    if isinstance(error, BlockingIOError):
                        continue
                    raise
                self.number, self._held = number, held
                return
        except OSError as error:
            remedy = "root must be able to write there; or trust all bots with --open"
            raise OurFault(f"no user can be reserved for a bot in {FOLDER}: {error.strerror}; {remedy}") from None
        raise OurFault(f"all {COUNT} users for bots are in use: play fewer games at once")

    @property
    def free(self) -> bool:
        return self._held < 0

    def let_go(self) -> None:
        if self._held >= 0:
            os.close(self._held)
        self._held = -1


def check_own(folder: Path) -> None:
    """Makes a folder that is ours alone: whoever else could write there could hold all numbers."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o755)
    if not is_own(folder):
        raise OurFault(f"{folder} does not belong to this user, or others can write to it: remove it")


def candidates() -> Iterator[int]:
    """All numbers, beginning anywhere: the lowest are not fought for."""
    start = int.from_bytes(os.urandom(4), "little") % COUNT
    return ((FIRST + (start + at) % COUNT) for at in range(COUNT))
