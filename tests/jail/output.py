"""What a program prints until it ends, on standard output and then on standard error."""

from __future__ import annotations

from botyard.jail.launch import Launch
from botyard.jail.program import Program
from botyard.kernel.verdict import Fault
from tests.waiting import soon


async def output_of(launch: Launch) -> str:
    started = await Program.start(launch, piped=True)
    assert not isinstance(started, Fault), started
    started.close_input()
    written = b""
    while chunk := await soon(started.inbox.receive()):
        written += chunk
    await soon(started.ended())
    said = started.said()
    await started.stop()
    return written.decode() + said
