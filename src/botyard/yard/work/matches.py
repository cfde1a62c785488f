"""A match, as a worker plays it: sources of bots come with the work, signs of life and a report go back.

It is a game of a contest of its own, in which players are called by their places: p1, p2, …
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from botyard.contest.messages import ALL_TURNS, Brief, CageOptions, GameReport, Job, Sign
from botyard.games import load
from botyard.games.game import Game
from botyard.jail.canonical import Source
from botyard.kernel.errors import UnfitBot
from botyard.links.bot_spec import BotSpec, read_bot_spec
from botyard.yard.work.sources import read_source

if TYPE_CHECKING:
    from botyard.contest.worker import Worker

PREPARING_S = 600.0  # building bots anew on another machine, and compiling rules; nothing is heard meanwhile


@dataclass(frozen=True, slots=True)
class MatchPlayer:
    """Who sits in a place: a bot by its source, or a house bot."""

    name: str
    source: Source | None = None
    house: str = ""
    unbuilt: str = ""  # why it could not be built: it forfeits, as somebody handed it in for a contest

    @property
    def spec(self) -> str:
        """What tells it from other players; a worker keeps those it has prepared by it."""
        if self.house:
            return f"house:{self.house}"
        return f"source:{self.source.digest if self.source else ''}:{self.name}"


def place_name(place: int) -> str:
    """Returns what the player of a place, counted from 1, is called in results."""
    return f"p{place}"


@dataclass(frozen=True, slots=True)
class MatchWork:
    """A match to play."""

    match: int
    game: str
    settings: dict[str, Any]  # every setting, by name
    seed: int = field(repr=False)
    players: tuple[MatchPlayer, ...]  # in the order of their places
    cage: CageOptions = field(default_factory=CageOptions)
    attempt: int = 1
    bout: int = 1  # which game of its match in a contest it is

    longest_s = PREPARING_S

    async def done_by(self, worker: Worker, progress: Callable[[Sign], None]) -> GameReport:
        """Plays the match on this machine."""
        try:
            players = {place_name(place): player for place, player in enumerate(self.players, 1)}
            readers = {player.spec: player for player in self.players}
            specs = {name: player.spec for name, player in players.items()}
            brief = self._brief(specs)
            prepared = worker.prepared(brief, lambda spec: self._read(readers[spec]))
            progress(Sign(self.match, 0))
            unbuilt = await prepared.be_built()
            if failed := {name: why for name, why in unbuilt.items() if not players[name].unbuilt}:
                # Every version that plays was built and checked before, so this machine is to blame.
                worker.forget(brief)
                told = "; ".join(f"{players[name].name}: {why}" for name, why in failed.items())
                return GameReport(self.match, trouble=f"a bot could not be built on this worker: {told}")
            job = Job(self.match, tuple(players), self.seed, self.attempt, self.bout)
            return await prepared.play_one(job, progress)
        except Exception:
            return GameReport(self.match, trouble=traceback.format_exc())

    def shown_seat(self, _: Game) -> int | None:
        """Returns the seat whose view may be seen while the match is played; None: everybody may see the board."""
        return None

    def _brief(self, specs: dict[str, str]) -> Brief:
        return Brief(
            contest="a match of the yard",
            game=self.game,
            settings=self.settings,
            bots=specs,
            folder="",
            cage=self.cage,
            replays=True,
            turn_logs=ALL_TURNS,
            notes=True,
            boards=True,
        )

    def _read(self, player: MatchPlayer) -> BotSpec:
        book = load(self.game)
        if player.house:
            return read_bot_spec(player.spec, book)
        if player.unbuilt:
            raise UnfitBot(player.unbuilt, hint="its author mends it and hands it in again")
        assert player.source is not None, "whoever is no house bot has a source"
        return read_source(player.source, player.name, book, self.cage.policy)
