"""Checking a version, as a worker does it: two short games, what is wrong with the bot, and what to do about it."""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from botyard.contest.bot_checks import TURNS, telling_line
from botyard.contest.messages import CageOptions
from botyard.contest.worker_facts import own_toolchains
from botyard.games import load
from botyard.jail.canonical import Source
from botyard.kernel.errors import UnfitBot
from botyard.links.bot_spec import read_bot_spec
from botyard.links.check_games import Checked, CheckResult, CheckScript, carry_out, quiet_seating
from botyard.match.checkup import Finding
from botyard.match.turns import pack_turns
from botyard.yard.work.sources import source_spec

WORDS = 4000  # characters of a finding that are kept, and of what its bot printed
CHECK_S = 600.0  # building it anew on another machine, and two games


@dataclass(frozen=True, slots=True)
class KeptFinding:
    """A finding as it is kept with its version: where it was seen is told by the tick."""

    stage: str
    wrong: bool
    what: str
    remedy: str
    times: int = 1
    tick: int | None = None  # of the check's game
    printed: str = ""  # what the bot wrote in that turn
    started: str = ""

    @classmethod
    def of(cls, finding: Finding) -> KeptFinding:
        turn = finding.turn
        return cls(
            finding.stage, finding.wrong, finding.what[:WORDS], finding.remedy[:WORDS], finding.times,
            turn.tick if turn else None, turn.said[-WORDS:] if turn else "", finding.started[:WORDS],
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CheckSign:
    """A sign of life of a check: a game of it was played."""

    version: int
    progress: int  # games so far


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What came of a check."""

    version: int
    fit: bool = False
    reason: str = ""  # the first thing that is wrong, in a line
    findings: tuple[KeptFinding, ...] = ()
    replay: bytes | None = field(default=None, repr=False)  # of the last game that was played
    turns: bytes | None = field(default=None, repr=False)  # its turn log
    seat: int = 0  # where the bot sat in it
    stamp: str = ""  # what it was checked with
    trouble: str = ""  # a fault of ours: then nothing is known of the bot


CheckProgress = Callable[[CheckSign], None]


@dataclass(frozen=True, slots=True)
class CheckWork:
    """A version to check."""

    version: int
    game: str
    name: str  # of the bot
    settings: dict[str, Any]  # every setting, by name
    source: Source
    cage: CageOptions = field(default_factory=CageOptions)
    conditions: str = ""  # what it is checked with wherever that is: Botyard, rules, settings and cage

    longest_s = CHECK_S

    @property
    def stamp(self) -> str:
        """What it is checked with on this machine, whose toolchains may be others than the server's."""
        return stamp_of(self.conditions, own_toolchains())

    async def done_by(self, _: object, progress: CheckProgress) -> CheckReport:
        """Builds the version, if it is not built here, and has it play."""
        progress(CheckSign(self.version, 0))
        try:
            result = await self._carried_out()
        except UnfitBot as error:
            found = KeptFinding("start", True, error.message, error.hint)
            return CheckReport(self.version, reason=error.message, findings=(found,), stamp=self.stamp)
        except Exception as error:
            trouble = "".join(traceback.format_exception(error))
            return CheckReport(self.version, trouble=trouble, stamp=self.stamp)
        progress(CheckSign(self.version, len(result.games)))
        return self._report(result)

    async def _carried_out(self) -> CheckResult:
        book, policy = load(self.game), self.cage.policy
        bot = await source_spec(self.source, self.name, book, policy)
        rival = read_bot_spec(f"house:{next(iter(book.bots.HOUSE_BOTS))}", book)
        settings = book.settings(**self.settings).seated(2)
        script = CheckScript(book, settings, bot, rival, TURNS, policy.limits.memory_mb)
        return await carry_out(script, quiet_seating)

    def _report(self, result: CheckResult) -> CheckReport:
        last = shown_game(result.games)
        return CheckReport(
            self.version,
            fit=not result.wrong,
            reason=telling_line(result.wrong[0].what) if result.wrong else "",
            findings=tuple(map(KeptFinding.of, result.findings)),
            replay=last.played.replay.to_bytes() if last else None,
            turns=pack_turns(last.played.log) if last else None,
            seat=last.seat if last else 0,
            stamp=self.stamp,
        )


def stamp_of(conditions: str, toolchains: str) -> str:
    """Returns what a check was made with: the conditions, and the toolchains of the machine where it was made."""
    return hashlib.sha256(f"{conditions} {toolchains}".encode()).hexdigest()


def shown_game(games: Sequence[Checked]) -> Checked | None:
    """Returns the game that is kept: the last one. If something went wrong, the check ended with it."""
    return games[-1] if games else None
