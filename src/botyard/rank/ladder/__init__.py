"""The policy of a ladder: who plays whom next, what a worker does next, ratings, places and the bench. It is pure.

Nothing here reads a table, a clock or a source of chance. Whoever keeps a ladder builds the records from its rows,
asks, and stores what comes back. Times are milliseconds of one clock; chance is a `stream`, a number of 64 bits that is
stored with the ladder, starts as any secret number and is replaced by the one that each choice returns.

*The next pair.* Build the field once, put changed entries in, and ask for as many pairs as workers have room for:

    field = LadderField(entries, LadderPolicy())
    chosen = choose(field, encounters_of, now_ms, stream)
    if isinstance(chosen, NextPair):
        ...        # in one transaction: a task for each of chosen.pairings with chosen.task_class as its class, the
                   # reasons chosen.host_why and chosen.guest_why, chosen.stream as the ladder's new stream
        for entry in asked(chosen, now_ms):
            field.put(entry)       # one more pair in flight, asked now; the same numbers go into the rows
    else:
        chosen.why                 # a sentence for the queue's page; chosen.again_ms if time alone will change it

`encounters_of(entry)` is called for the host alone and returns the `Encounter`s of its active version by the other
version. Games of a pair share their `chance`, the words from which their seed is derived under the ladder's root.

*When a pair closes*: `rated_pair(before, results)` for the bots of it, and `rated_kept` for those whose active version
has changed since it was asked. `closed` returns an entry with the pair counted, active if it has settled; `voided` is
for pairs that were cancelled or stayed void. *When a version is activated*: `activated(rating, kept)`, and
`with_version` for the entry. *When a season opens*: `doubted(rating)` for all, those kept for earlier versions, too.
`RatingFold` rebuilds all, event by event.

*The table*: `places(entries, policy)`. *The bench*: `benched(games)` after each closed pair, for each of its entries;
`tries_left` for the button "try again". *An idle worker*: `next_class(Load(...))`, where the ladder's own part of what
waits is `hosts_waiting(field, now_ms)`; then `choose(..., task_class)` for SETTLING and STEADY. `why_waiting` explains
to whoever waits.
"""

from __future__ import annotations

from botyard.rank.ladder.benching import Benched, GameSeen, benched, tries_left
from botyard.rank.ladder.choice import asked, choose, closed, voided, with_version
from botyard.rank.ladder.field import LadderField
from botyard.rank.ladder.hosts import NoPair, hosts_waiting
from botyard.rank.ladder.places import LadderPlace, house_left, places
from botyard.rank.ladder.policy import LadderPolicy
from botyard.rank.ladder.rating import (
    LadderEvent,
    PairClosed,
    RatingFold,
    SeasonOpened,
    VersionActivated,
    activated,
    doubted,
    rated_kept,
    rated_pair,
    ratings_after,
)
from botyard.rank.ladder.records import Encounter, EntryState, LadderEntry, NextPair, TaskClass
from botyard.rank.ladder.turns import Load, NextClass, next_class, next_classes, why_waiting

__all__ = [
    "Benched",
    "Encounter",
    "EntryState",
    "GameSeen",
    "LadderEntry",
    "LadderEvent",
    "LadderField",
    "LadderPlace",
    "LadderPolicy",
    "Load",
    "NextClass",
    "NextPair",
    "NoPair",
    "PairClosed",
    "RatingFold",
    "SeasonOpened",
    "TaskClass",
    "VersionActivated",
    "activated",
    "asked",
    "benched",
    "choose",
    "closed",
    "doubted",
    "hosts_waiting",
    "house_left",
    "next_class",
    "next_classes",
    "places",
    "rated_kept",
    "rated_pair",
    "ratings_after",
    "tries_left",
    "voided",
    "why_waiting",
    "with_version",
]
