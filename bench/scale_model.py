"""The model of docs/scale.md: what sites of three sizes need, from figures that were measured and from assumptions.

    python bench/scale_model.py

It reads `bench/scale.json`, which `bench/scale.py` has written, and prints the tables of the page as Markdown. A test
holds that the page has these tables, so whoever measures anew or assumes something else prints them again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

FIGURES: Final = Path(__file__).with_name("scale.json")
SIZES: Final = (100, 10_000, 1_000_000)  # bots
DAY_S: Final = 86_400
MONTH: Final = 30  # days


@dataclass(frozen=True, slots=True)
class ScaleAssumptions:
    """What nobody has measured; each is one number that can be argued about."""

    uploads: float = 0.2  # versions of a bot and day
    settling: int = 60  # games after an upload, until its place can be believed
    steady: int = 10  # games of a bot and day beside those
    thinking: float = 3.0  # what a real bot computes, against a starter
    trial_s: float = 5.0  # of processor time: the build and the check of an upload
    busy: float = 0.7  # of a worker's core that can be used
    cores: int = 32  # of a machine
    ladders: int = 5  # among which the bots are shared out
    pages: int = 30  # of a person and day; everybody has one bot
    rush: float = 5.0  # requests in the busiest hour, against the mean
    verifying_ms: float = 3.0  # of playing a replay again, in the steward's process (bench/retell.py)


@dataclass(frozen=True, slots=True)
class ScaleFigures:
    """What was measured, as means over all games alike, and in each of them over its languages alike."""

    game_s: float
    game_bytes: float
    writes: float
    reads: float
    transactions: float
    steward_ms: float
    table_us: float
    choice_us: float
    page_ms: float

    @classmethod
    def of(cls, told: dict[str, Any], game: str = "") -> ScaleFigures:
        games = sorted({one["game"] for one in told["games"]}) if not game else [game]
        rows = [[one for one in told["games"] if one["game"] == name] for name in games]
        beside = told["database"]["bytes_beside_records"]
        return cls(
            game_s=fmean(fmean(one["cpu_s"] for one in row) for row in rows),
            game_bytes=beside
            + fmean(fmean(one["replay_bytes"] + one["turn_log_bytes"] for one in row) for row in rows),
            writes=told["database"]["writes"],
            reads=told["database"]["reads"],
            transactions=told["database"]["transactions"],
            steward_ms=told["database"]["steward_cpu_ms_middle"],
            table_us=told["database"]["table_us_an_entry"],
            choice_us=told["ladder"]["choice_us_an_entry"],
            page_ms=told["pages"]["page_ms"],
        )


@dataclass(frozen=True, slots=True)
class SiteNeeds:
    """What a site of some size needs."""

    bots: int
    figures: ScaleFigures
    given: ScaleAssumptions = ScaleAssumptions()

    @property
    def games(self) -> float:
        """A second, on average; two bots share a game."""
        return self.bots * (self.given.uploads * self.given.settling + self.given.steady) / 2 / DAY_S

    @property
    def game_cores(self) -> float:
        return self.games * self.figures.game_s * self.given.thinking / self.given.busy

    @property
    def trial_cores(self) -> float:
        return self.bots * self.given.uploads * self.given.trial_s / DAY_S / self.given.busy

    @property
    def machines(self) -> float:
        return (self.game_cores + self.trial_cores) / self.given.cores

    @property
    def disk_month_gb(self) -> float:
        return self.games * DAY_S * MONTH * self.figures.game_bytes / 1e9

    @property
    def transactions(self) -> float:
        return self.games * self.figures.transactions

    @property
    def statements(self) -> float:
        return self.games * (self.figures.reads + self.figures.writes)

    @property
    def steward_cores(self) -> float:
        """Asking, leasing, playing again and recording; it is one process."""
        return self.games * (self.figures.steward_ms + self.given.verifying_ms) / 1000

    @property
    def choosing_cores(self) -> float:
        """Finding who plays whom, in the same process: a choice looks at every entry of its ladder."""
        return self.games / 2 * self.figures.choice_us * 1e-6 * self.bots / self.given.ladders

    @property
    def requests(self) -> float:
        """A second, in the busiest hour."""
        return self.bots * self.given.pages * self.given.rush / DAY_S

    @property
    def page_cores(self) -> float:
        return self.requests * self.figures.page_ms / 1000

    @property
    def table_cores(self) -> float:
        """Reading tables of ladders anew: whenever one has changed and somebody asks, and at most once a request."""
        changes = min(self.games / 2, self.requests / 4)  # every fourth page has a table
        return changes * self.figures.table_us * 1e-6 * self.bots / self.given.ladders

    @property
    def server_cores(self) -> float:
        """All that the one server process does."""
        return self.steward_cores + self.choosing_cores + self.page_cores + self.table_cores


def told(value: float) -> str:
    """Returns a number with two digits that mean something."""
    if value >= 100:
        digits = len(str(int(value))) - 2
        return f"{int(round(value, -digits)):,}"
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(heads)]
    lines += [["---"] * len(lines[0]), *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def games_table(figures: dict[str, Any]) -> str:
    rows = [
        (
            one["game"], one["language"], f"{one['ticks']:,.0f}", f"{one['cpu_s']:.2f}", f"{one['start_s']:.2f}",
            told(3600 / one["cpu_s"]), f"{one['replay_bytes'] / 1000:.1f}", f"{one['turn_log_bytes'] / 1000:.1f}",
            str(one["games"]),
        )
        for one in figures["games"]
    ]  # fmt: skip
    heads = (
        "game", "language", "ticks", "CPU s a game", "of it start-up", "games a core and hour", "replay kB",
        "turn log kB", "games measured",
    )  # fmt: skip
    return table(heads, rows)


ROWS: Final = {
    "games a second": "games",
    "cores that play": "game_cores",
    "cores that build and check": "trial_cores",
    "machines of 32 cores": "machines",
    "disk, GB a month, nothing pruned": "disk_month_gb",
    "transactions a second": "transactions",
    "statements a second": "statements",
    "steward: recording, cores of one process": "steward_cores",
    "steward: choosing pairs, cores of the same process": "choosing_cores",
    "page requests a second, busiest hour": "requests",
    "pages, cores": "page_cores",
    "tables of ladders, cores": "table_cores",
}


def needs_table(figures: dict[str, Any]) -> str:
    sites = [SiteNeeds(bots, ScaleFigures.of(figures)) for bots in SIZES]
    rows = [[name, *(told(getattr(site, of)) for site in sites)] for name, of in ROWS.items()]
    return table(["", *(f"{bots:,} bots" for bots in SIZES)], rows)


def one_game_table(figures: dict[str, Any]) -> str:
    games = sorted({one["game"] for one in figures["games"]})
    rows = []
    for game in games:
        sites = [SiteNeeds(bots, ScaleFigures.of(figures, game)) for bots in SIZES]
        cores = [told(site.game_cores) for site in sites]
        rows.append([game, *cores, told(sites[1].disk_month_gb)])
    return table(["a site of one game: cores that play", *(f"{b:,} bots" for b in SIZES), "GB a month, 10,000"], rows)


LIMITS: Final = {
    "games fill one machine of 32 cores": ("machines", 1.0),
    "all of the server process together": ("server_cores", 1.0),
    "tables of ladders alone": ("table_cores", 1.0),
    "pages alone": ("page_cores", 1.0),
    "choosing pairs alone": ("choosing_cores", 1.0),
    "recording alone": ("steward_cores", 1.0),
    "a terabyte a month": ("disk_month_gb", 1000.0),
}


def limits_table(figures: dict[str, Any]) -> str:
    """Tells from how many bots on something needs more than there is: a machine, one core, a terabyte."""
    measured = ScaleFigures.of(figures)

    def bots_at(name: str, limit: float) -> int:
        low, high = 1, 1 << 40
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if getattr(SiteNeeds(middle, measured), name) >= limit else (middle, high)
        return high

    found = {what: bots_at(name, limit) for what, (name, limit) in LIMITS.items()}
    rows = [[what, told(bots)] for what, bots in sorted(found.items(), key=lambda one: one[1])]
    return table(["what is full", "from so many bots on"], rows)


TABLES: Final = (games_table, needs_table, one_game_table, limits_table)


def main() -> None:
    figures = json.loads(FIGURES.read_text())
    print("\n\n".join(make(figures) for make in TABLES))


if __name__ == "__main__":
    main()
