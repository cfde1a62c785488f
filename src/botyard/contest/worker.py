"""A worker plays games wherever it runs: it is given shares of any contest and reports what came of them.

A contest changes nothing in the worker's process, such as its current folder. So one worker serves many contests in
turn, and several workers could live in one process.
"""

from __future__ import annotations

import platform
import traceback
from collections import OrderedDict
from typing import TYPE_CHECKING

from botyard.contest.messages import Brief, GameReport, Share, Sign
from botyard.contest.prepared import PreparedContest, Progress, SpecReader, unheard

if TYPE_CHECKING:
    from botyard.contest.travelling import Travellers

CONTESTS_KEPT = 8  # how many stay prepared: preparing one reads every bot's files, and seldom builds one


class Worker:
    """Plays shares, and keeps the contests prepared that it played last."""

    def __init__(self) -> None:
        self._prepared: OrderedDict[str, PreparedContest] = OrderedDict()  # by fingerprint, the latest at the end

    async def play(self, share: Share, progress: Progress = unheard) -> list[GameReport]:
        if share.travellers is None:
            return await self.prepared(share.brief).play(share.jobs, progress)
        try:
            return await self._play_elsewhere(share, share.travellers, progress)
        except Exception:
            return [GameReport(job.number, trouble=traceback.format_exc()) for job in share.jobs]

    async def _play_elsewhere(self, share: Share, travellers: Travellers, progress: Progress) -> list[GameReport]:
        """Plays bots that travelled here. One that was built where the contest is run must be built here, too: if that
        fails, this machine lacks something, and its games are played by another worker."""
        brief = share.brief
        prepared = self.prepared(brief, lambda spec: travellers.read(spec, brief))
        for job in share.jobs[:1]:
            progress(Sign(job.number, 0))
        failed = {
            key: why for key, why in (await prepared.be_built()).items() if brief.bots[key] not in travellers.unbuilt
        }
        if failed:
            self.forget(brief)
        lost = [job for job in share.jobs if failed.keys() & set(job.bots)]
        told = "; ".join(f"{key}: {why}" for key, why in failed.items())
        reports = [
            GameReport(job.number, trouble=f"a bot could not be built on {platform.node()}: {told}") for job in lost
        ]
        return reports + await prepared.play([job for job in share.jobs if job not in lost], progress)

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
