"""A program in a cage, and what came of it. Also runs by itself, as a user without privileges:

    python3 cell.py FOLDER PORT LIMITS ARGUMENT… (PYTHONPATH leads to the jail; the answer is JSON)

Nothing but the jail and the standard library is imported, so that any interpreter will do.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from botyard.jail.launch import Launch
from botyard.jail.limits import Level, Limits
from botyard.jail.program import Program
from botyard.kernel.verdict import Fault

PYTHON = "/usr/bin/python3"
PLACE = Path("/bot")
PATIENCE_S = 60.0


async def caged(folder: Path, limits: Limits, *arguments: str, port: int = 0, **further: Any) -> dict[str, Any]:
    """Runs `probe.py` of a folder to its end: what it wrote, what it said, how it ended and what that is called."""
    command = (PYTHON, "-I", "-S", "probe.py", *arguments)
    launch = Launch(command, PLACE, Level.CAGED, limits, shows={PLACE: folder}, port=port, **further)
    program = await Program.start(launch, piped=not port)
    if isinstance(program, Fault):
        return {"written": "", "said": "", "verdict": program.verdict, "reason": program.reason}
    written = b""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not port and (chunk := await program.inbox.receive()):
                written += chunk
            await program.ended()
        fault = program.judge()
    finally:
        await program.stop()
    return {
        "written": written.decode(),
        "said": program.said(),
        "verdict": str(fault.verdict),
        "reason": fault.reason,
        "peak_mb": program.peak_mb,
    }


def main(words: list[str]) -> None:
    folder, port, limits, *arguments = words
    seen = asyncio.run(caged(Path(folder), Limits(**json.loads(limits)), *arguments, port=int(port)))
    print(json.dumps(seen))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
