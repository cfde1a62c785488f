"""What a program prints until it ends."""

from __future__ import annotations

from botyard.jail.launch import Launch
from botyard.jail.program import Program
from botyard.kernel.verdict import Fault
from tests.waiting import soon


async def output_of(launch: Launch) -> str:
    """What it prints on standard output and then on standard error."""
    written, said = await outputs_of(launch)
    return written + said


async def outputs_of(launch: Launch) -> tuple[str, str]:
    """What it prints on standard output, and what on standard error."""
    started = await Program.start(launch, piped=True)
    assert not isinstance(started, Fault), started
    written = b""
    try:
        started.close_input()
        while chunk := await soon(started.inbox.receive()):
            written += chunk
        await soon(started.ended())
        return written.decode(), started.said()
    finally:
        await started.stop()
