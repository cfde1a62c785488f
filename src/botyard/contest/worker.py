"""A worker plays games wherever it runs: it is given shares of any contest and reports what came of them.

A contest changes nothing in the worker's process, such as its current folder. So one worker serves many contests in
turn, and several workers could live in one process.
"""

from __future__ import annotations

from collections import OrderedDict

from botyard.contest.messages import Brief, GameReport, Share
from botyard.contest.prepared import PreparedContest, Progress, SpecReader, unheard

CONTESTS_KEPT = 8  # how many stay prepared: preparing one reads every bot's files, and seldom builds one


class Worker:
    """Plays shares, and keeps the contests prepared that it played last."""

    def __init__(self) -> None:
        self._prepared: OrderedDict[str, PreparedContest] = OrderedDict()  # by fingerprint, the latest at the end

    async def play(self, share: Share, progress: Progress = unheard) -> list[GameReport]:
        return await self.prepared(share.brief).play(share.jobs, progress)

    def prepared(self, brief: Brief, read: SpecReader | None = None) -> PreparedContest:
        """Returns the prepared contest of a brief; prepares it if it is not kept, its bots as `read` finds them."""
        key = brief.fingerprint
        if key not in self._prepared:
            self._prepared[key] = PreparedContest(brief, read)
        self._prepared.move_to_end(key)
        while len(self._prepared) > CONTESTS_KEPT:
            self._prepared.popitem(last=False)
        return self._prepared[key]

    def forget(self, brief: Brief) -> None:
        """Has a contest prepared anew the next time."""
        self._prepared.pop(brief.fingerprint, None)
