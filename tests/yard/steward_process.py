"""A server without pages, as a process that tests can kill: it runs the steward of a yard until it is told to end.

python -m tests.yard.steward_process ADDRESS FOLDER WORKERS
"""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

from botyard.contest.executors.local import Local
from botyard.yard.config import YardConfig
from botyard.yard.data.database import Database
from botyard.yard.site import Yard
from botyard.yard.work.steward import Steward
from tests.yard.league import PLAN


async def serve(address: str, folder: Path, workers: int) -> None:
    yard = Yard(YardConfig(folder, database=address, ladders=(PLAN,)), Database.at(address))
    steward = Steward(yard, lambda: Local(workers))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, steward.end)
    await steward.run()
    yard.close()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
