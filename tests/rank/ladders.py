"""Ladders drawn at random, and small ones by hand, for the tests of the ladder's policy."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from botyard.rank.ladder import Encounter, EntryState, LadderEntry, LadderField, LadderPolicy, NextPair, NoPair, choose

NOW = 100_000_000
STREAMS = st.integers(0, 2**64 - 1)


def entry(bot: str, **values: Any) -> LadderEntry:
    """An active entry that has settled and was asked a minute ago, unless something else is said."""
    usual: dict[str, Any] = {"owner": f"owner of {bot}", "version": f"{bot}.1", "state": EntryState.ACTIVE}
    usual |= {"sigma": 2.0, "pairs": 20, "version_pairs": 20, "games": 40, "asked_ms": NOW - 60_000}
    return LadderEntry(bot=bot, **(usual | values))


def settling(bot: str, **values: Any) -> LadderEntry:
    return entry(bot, **({"state": EntryState.SETTLING, "version_pairs": 3} | values))


def chosen(
    entries: list[LadderEntry],
    encounters: Mapping[str, Encounter] | None = None,
    stream: int = 1,
    now_ms: int = NOW,
    **policy: int,
) -> NextPair | NoPair:
    """What the ladder asks next; `encounters` are those of the host, whoever that is."""
    return choose(LadderField(entries, LadderPolicy(**policy)), lambda host: encounters or {}, now_ms, stream)


def pair(*args: Any, **kwargs: Any) -> NextPair:
    """What the ladder asks next, where it does ask for something."""
    found = chosen(*args, **kwargs)
    assert isinstance(found, NextPair), found
    return found


def no_pair(*args: Any, **kwargs: Any) -> NoPair:
    found = chosen(*args, **kwargs)
    assert isinstance(found, NoPair), found
    return found


@dataclass(frozen=True)
class DrawnLadder:
    """Entries, what their versions met, and the policy."""

    entries: list[LadderEntry]
    met: dict[tuple[str, str], Encounter]
    policy: LadderPolicy

    def encounters_of(self, host: LadderEntry) -> dict[str, Encounter]:
        found = {}
        for (one, other), encounter in self.met.items():
            if host.version in (one, other):
                found[other if host.version == one else one] = encounter
        return found


def drawn_entry(bot: str, dice: random.Random) -> LadderEntry:
    return LadderEntry(
        bot=bot,
        owner=dice.choice("pqrst"),
        version=f"{bot}.{dice.randint(1, 2)}",
        state=dice.choice([*EntryState, EntryState.ACTIVE, EntryState.SETTLING]),
        house=dice.random() < 0.3,
        mu=dice.choice([25.0, dice.uniform(-50, 100)]),
        sigma=dice.uniform(0.5, 9),
        version_pairs=dice.randint(0, 20),
        in_flight=dice.randint(0, 3),
        asked_ms=NOW - dice.randint(0, 1_000_000),
        hosted_ms=dice.choice([None, NOW - dice.randint(0, 200_000)]),
        game_ms=dice.choice([0, 1000, 9000]),
        seated=dice.choice([(), (1, 0, 2), (3, 1, 1, 0)]),
    )


def drawn_ladder(seed: int, seats: tuple[int, ...]) -> DrawnLadder:
    dice = random.Random(seed)
    entries = [drawn_entry(f"bot{number}", dice) for number in range(dice.randint(0, 12))]
    met = {}
    for one, other in combinations([entry.version for entry in entries], 2):
        if dice.random() < 0.5:
            last_ms, settled = dice.randint(0, NOW), dice.random() < 0.3
            met[one, other] = Encounter(pairs=dice.randint(1, 9), last_ms=last_ms, settled=settled)
    return DrawnLadder(entries, met, LadderPolicy(seats=dice.choice(seats)))


def ladders(*seats: int) -> st.SearchStrategy[DrawnLadder]:
    """Ladders of all kinds. They are drawn from a seed, which takes a tenth of the time of drawing every number."""
    return st.builds(drawn_ladder, st.integers(0, 2**32 - 1), st.just(seats or (2, 3, 4)))
