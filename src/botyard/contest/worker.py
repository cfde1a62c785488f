"""What plays the games of contests, wherever it runs: it is given shares, of any contest, and tells what came of them.

Nothing of a contest lies in the process: no current folder, no event loop of its own. So one worker serves many
contests in turn, and several workers could live in one process.
"""

from __future__ import annotations

from collections import OrderedDict

from botyard.contest.messages import Brief, GameReport, Share
from botyard.contest.prepared import PreparedContest, Progress, unheard

CONTESTS_KEPT = 8  # prepared at a time: to prepare one takes a look at every bot's files, seldom a build


class Worker:
    """Plays shares, and keeps the contests ready that it played last."""

    def __init__(self) -> None:
        self._prepared: OrderedDict[str, PreparedContest] = OrderedDict()  # by fingerprint, the latest last

    async def play(self, share: Share, progress: Progress = unheard) -> list[GameReport]:
        return await self.prepared(share.brief).play(share.jobs, progress)

    def prepared(self, brief: Brief) -> PreparedContest:
        """The contest of a brief; made ready if it is not, or not any more."""
        key = brief.fingerprint
        if key not in self._prepared:
            self._prepared[key] = PreparedContest(brief)
        self._prepared.move_to_end(key)
        while len(self._prepared) > CONTESTS_KEPT:
            self._prepared.popitem(last=False)
        return self._prepared[key]
