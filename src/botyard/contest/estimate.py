"""This module estimates how long a contest takes: it plays a few games on seeds that the contest does not use."""

from __future__ import annotations

import time
from collections.abc import Collection

from botyard.contest.messages import Job
from botyard.contest.plan import Plan
from botyard.contest.prepared import PreparedContest
from botyard.contest.roots import derive_seed, fresh_root
from botyard.kernel.devices import core_count

HOUSE_SAMPLE = 8


async def seconds_per_game(plan: Plan, fit: Collection[str]) -> float | None:
    """Returns the mean processor time of a game, measured on up to three different groups of bots of the first wave;
    None if no group consists of bots that are fit."""
    wave = plan.open_course().wave()
    seatings = [bots for bots in dict.fromkeys(pairing.bots for pairing in wave) if set(bots) <= set(fit)]
    if not seatings:
        return None
    step = max(1, len(seatings) // 3)
    contest, root = PreparedContest(plan.brief), fresh_root()
    costs = []
    for bots in seatings[::step][:3]:
        count = HOUSE_SAMPLE if contest.is_house(bots) else 1
        if count > 1:
            await contest.play([Job(0, bots, derive_seed(root, "warming up"))])  # loads compiled rules, unmeasured
        jobs = [Job(0, bots, derive_seed(root, f"sample {number}")) for number in range(count)]
        began = time.perf_counter()
        await contest.play(jobs)
        # A batch in this process uses all cores, a game in the match loop about one.
        cores = core_count() if count > 1 else 1
        costs.append((time.perf_counter() - began) * cores / count)
    return sum(costs) / len(costs)


def workers_of(plan: Plan) -> int:
    return 1 if plan.running.executor == "inline" else plan.running.workers or core_count()
