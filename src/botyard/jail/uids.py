"""Every bot has a host user of its own, so that no two of them can touch each other.

The numbers belong to nobody. Each is held by a lock on a file, which the kernel lets go when its holder dies. A site
that root started holds a whole block of them, from which its warden gives numbers out (`warden.py`).
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

FIRST, COUNT = 0x4B_0000, 0xC000
FOLDER = Path("/run/botyard/uids")

BLOCK, BLOCKS = 0x400, 15
FIRST_BLOCK = FIRST + COUNT
BLOCK_FOLDER = Path("/run/botyard/sites")
SITE_USER = FIRST_BLOCK + BLOCK * BLOCKS
"""Who serves a site that root started, where nobody else is named for it."""


@cache
def can_change_user() -> bool:
    """Whether this process may start a program as somebody else: root, and not of a namespace that has only itself."""
    return os.geteuid() == 0 and all_mapped()


def all_mapped() -> bool:
    """Whether there are all our users where we are."""
    return is_mapped(FIRST) and is_mapped(SITE_USER)


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

    async def map_into(self, process: int) -> None:
        """Lets the namespace of a process know us, who mount, and this user."""
        users = f"0 0 1\n{self.number} {self.number} 1\n"
        Path(f"/proc/{process}/uid_map").write_text(users)
        Path(f"/proc/{process}/gid_map").write_text(users)

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


class HeldBlock:
    """The numbers of one site, held for as long as the descriptor is open, by whomever.

    A block that one user's site has had is given to no other user's until the machine is started again: whoever took
    that site over could have left files behind by which a process becomes one of its bots.
    """

    def __init__(self, user: int) -> None:
        try:
            check_own(BLOCK_FOLDER.parent)
            check_own(BLOCK_FOLDER)
            for number in sorted(range(BLOCKS), key=lambda number: (owner_of_block(number) != user, number)):
                held = os.open(BLOCK_FOLDER / str(number), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
                if owner_of_block(number) in (user, None) and locked(held):
                    os.pwrite(held, str(user).encode(), 0)
                    self.first, self.descriptor = FIRST_BLOCK + number * BLOCK, held
                    return
                os.close(held)
        except OSError as error:
            raise OurFault(f"no users can be reserved for bots in {BLOCK_FOLDER}: {error.strerror}") from None
        raise OurFault(f"all {BLOCKS} blocks of users for bots are taken by other sites: see {BLOCK_FOLDER}")


def owner_of_block(number: int) -> int | None:
    """Whose site a block has served, if any; a file that says something else counts as somebody's."""
    try:
        said = (BLOCK_FOLDER / str(number)).read_text()
    except FileNotFoundError:
        return None
    return None if not said else int(said) if said.isdigit() else -1


def locked(held: int) -> bool:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
