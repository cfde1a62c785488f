"""What an organiser decides about a yard; `yard.toml` sets it, and everything has a default."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botyard.contest.messages import CageOptions

OPEN, INVITATION, NOBODY = REGISTRATIONS = "open", "invitation", "closed"
"""Who may register: everybody, who has an invitation, or nobody."""

EXECUTORS = "local", "ray"
"""Where games are played: in processes of this machine, or on a cluster. Never in the server's own process."""

PORT = 8000
DATABASE_FILE = "yard.db"
CONFIG_FILE = "yard.toml"


@dataclass(frozen=True, slots=True)
class LadderPlan:
    """One ladder: a game with its settings, and how it is played."""

    slug: str
    game: str
    title: str = ""
    preset: str = ""
    settings: dict[str, Any] = field(default_factory=dict)  # those that differ from the preset
    seats: int = 0  # of a game; 0: as many as the game usually has
    bots_per_person: int = 1
    predictable: bool = False  # whether seeds of fewer than 64 bits are accepted; the ladder's page says so
    deadline: str = ""  # when uploads freeze, as 2026-12-24T18:00+01:00; empty: never


@dataclass(frozen=True, slots=True)
class Quotas:
    """How much one person may do."""

    upload_bytes: int = 8 << 20
    uploads_a_day: int = 20
    unfinished_builds: int = 1
    bots: int = 20
    challenges_a_day: int = 20
    test_games_a_day: int = 40
    revivals_a_day: int = 3
    tokens: int = 20


@dataclass(frozen=True, slots=True)
class YardConfig:
    """All that is decided about a yard."""

    folder: Path
    title: str = "Botyard"
    contact: str = ""  # stands on every page: whom to write to
    database: str = ""  # empty: SQLite in the folder
    host: str = "127.0.0.1"
    port: int = PORT
    public_url: str = ""  # under which people reach the yard, as https://bots.example.org
    hosts: tuple[str, ...] = ()  # further names in the Host header that are ours
    proxies: tuple[str, ...] = ()  # addresses whose X-Forwarded-For is believed
    registration: str = OPEN
    executor: str = "local"
    address: str = ""  # of a Ray cluster; empty: a local one
    workers: int = 0  # 0: one per core but one, at least one
    rounds_kept: int = 200  # of every room, as replays; older ones go
    cage: CageOptions = field(default_factory=CageOptions)
    quotas: Quotas = field(default_factory=Quotas)
    ladders: tuple[LadderPlan, ...] = ()  # none: one for every game

    @property
    def database_address(self) -> str:
        return self.database or f"sqlite:///{self.folder / DATABASE_FILE}"

    @property
    def blobs(self) -> Path:
        return self.folder / "blobs"
