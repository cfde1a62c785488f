"""A crowd at the door: all are let in, a few at a time."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from itertools import pairwise
from typing import ClassVar

from starlette.responses import PlainTextResponse

from botyard.links.web.http import PatientHttp
from botyard.links.web.server import LET_IN, listen, serving
from tests.waiting import bounded, finished

CROWD = 5 * LET_IN


class Counted(PatientHttp):
    """The server's side of a connection, which is counted."""

    came: ClassVar[int] = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        Counted.came += 1


def test_who_comes_in_a_crowd_is_let_in_a_few_in_each_round_of_the_loop() -> None:
    async def main() -> list[int]:
        door, seen = listen("127.0.0.1", 0), [0]
        async with serving(PlainTextResponse("hello"), door, http=Counted):
            with contextlib.ExitStack() as crowd:
                for _ in range(CROWD):  # the kernel answers for us while we wait for nobody
                    crowd.enter_context(socket.create_connection(door.getsockname(), timeout=10))
                async with bounded(60, "not all were let in"):
                    while seen[-1] < CROWD:
                        await asyncio.sleep(0)
                        seen.append(Counted.came)
        return [after - before for before, after in pairwise(seen)]

    assert max(finished(main())) <= LET_IN
