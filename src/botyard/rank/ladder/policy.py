"""The policy of a ladder says by numbers how it is run. Organisers may change those that are settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from botyard.kernel.settings import Settings, setting
from botyard.rank.ratings import BETA

MINUTE_MS: Final = 60_000
DAY_MS: Final = 24 * 60 * MINUTE_MS


@dataclass(frozen=True, kw_only=True)
class LadderPolicy(Settings):
    """The settings of one ladder."""

    seats: int = setting(2, "bots at a table; two play pairs, with the seats swapped on one seed", at_least=2)
    bots_per_person: int = setting(1, "bots that a person may enter", at_least=1)
    settling_pairs: int = setting(16, "pairs that a version plays soon after its activation", at_least=1)
    in_flight: int = setting(2, "pairs in flight up to which an entry is asked to host", at_least=1)
    ranked_after: int = setting(10, "pairs after which a bot has a rank", at_least=0)
    house_until: int = setting(8, "players' bots from which on house bots have no place in the ranks", at_least=0)
    house_hosts_until: int = setting(2, "players' bots from which on house bots do not host", at_least=0)
    house_pause_s: int = setting(60, "seconds between two pairs that house bots host", at_least=0)
    lately_min: int = setting(360, "minutes for which neighbours that met have met lately", at_least=0)
    tries_a_day: int = setting(3, "times a day that a benched bot may try again", at_least=0)


UNSURE_LEAST: Final = 0.5
UNSURE_MOST: Final = 2.0
"""Between these bounds a host's wait counts more, the less sure its rating is. Without them a bot that always wins,
whose sigma stays large, would host without end."""

REACH: Final = 0.5 * BETA
"""How many points of rating make a guest less likely by the factor e."""

AGAIN: Final = 0.5
"""How much less likely each meeting makes a guest, beyond the fewest that the host had with any."""

ANYWHERE: Final = 0.1
"""The share of guests that are drawn from all ranks, so that layers do not close."""

DUE: Final = 0.25
"""The share of guests that are neighbours, if one is due."""

COSTLY: Final = 4.0
"""Bots whose games cost more than so many times the median are asked less often, in proportion."""
