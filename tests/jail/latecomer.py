"""`cell.py` on a slow machine: who opens the port comes when bubblewrap has long gone on.

Bubblewrap without privileges makes two user namespaces: in the first it is root and mounts, in the second it is whoever
started it. It goes on to the second without asking us.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from botyard.jail.cage import Cage

find_inner = Cage._inner_pid


async def find_inner_late(cage: Cage) -> int | None:
    inner = await find_inner(cage)
    deadline = time.monotonic() + 30
    while Path(f"/proc/{inner}/uid_map").read_text().split()[:1] in ([], ["0"]):  # not yet who started it
        assert time.monotonic() < deadline, "bubblewrap does not make a second user namespace"
        await asyncio.sleep(0.001)
    return inner


if __name__ == "__main__":
    Cage._inner_pid = find_inner_late  # type: ignore[assignment, method-assign]
    import cell  # type: ignore[import-not-found]  # beside this file

    cell.main(sys.argv[1:])
