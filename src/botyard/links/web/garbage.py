"""Garbage is collected rarely in a server that must be punctual, because everything waits meanwhile.

Nearly all memory is freed without a collection, as soon as nothing refers to it. Only what refers to itself is left to
the collector, and it finds that by walking through what was made lately, and now and then through all that lives. Part
of every connection refers to itself, so each one that is closed leaves some objects to it.

By itself Python collects whenever 700 more objects were made than freed. A site that refuses fifty logins a second does
so three times a second and walks through all connections up to four times a minute, which holds up rooms for 4 and for
130 ms. The numbers below have it collect two or three times a minute, for 30 ms, and hardly ever through everything.
That costs a few megabytes.
"""

from __future__ import annotations

import gc

YOUNG = 20_000  # objects that come before those made lately are looked through
MIDDLE = 3  # times, before those are looked through that stayed for a while
ALL = 10  # times of that, before everything is; and only if a quarter more has come to stay


def collect_rarely() -> None:
    """From now on garbage is collected rarely, and nothing that is loaded by now is looked through again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, ALL)
