"""The scripted games of a check: a bot plays two short ones, from either side, and what is wrong with it is found."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from botyard.games.game import Game
from botyard.jail.manifest import Manifest, manifest_of
from botyard.kernel.errors import OurFault
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.bot_spec import KINDS, BotSpec, Seating, read_bot_spec
from botyard.links.cage_policy import HERE, CagePolicy
from botyard.links.cases import case_of
from botyard.match.checkup import Finding, examine, idle_orders, unbuilt
from botyard.match.clock import LoopClock
from botyard.match.loop import Played, play_game
from botyard.match.player import Player
from botyard.match.turns import SeatRecord, Turn

SEED = 11  # the same game every time, so that a second check shows what a change has done
FAULTS = 3  # the game ends after so many missed turns: further ones would say the same

Admit = Callable[[Seating, Sequence[Player]], Awaitable[None]]


async def admit_nobody(seating: Seating, players: Sequence[Player]) -> None:
    """Waits for no bots that connect by themselves."""


@dataclass(frozen=True, slots=True)
class CheckScript:
    """All that is needed to play the games of a check."""

    book: Rulebook
    settings: Settings
    bot: BotSpec
    rival: BotSpec
    turns: int
    memory_mb: int


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of one scripted game."""

    seat: int
    held: SeatRecord
    turns: list[Turn]
    findings: list[Finding]
    played: Played


@dataclass(slots=True)
class CheckResult:
    """What came of a check: its games, and each finding once."""

    fault: Fault | None = None  # why the bot cannot be built
    games: list[Checked] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def wrong(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.wrong]


def named_manifest(spec: str) -> Manifest | None:
    """Returns the manifest of a bot that is named by its file or folder, with or without `dir:` before it."""
    kind, _, rest = spec.partition(":")
    if kind not in KINDS:
        return manifest_of(HERE / spec)
    if kind != "dir":
        return None
    root, _, inside = rest.partition("//")
    return manifest_of(HERE / root / inside, HERE / root) if inside else manifest_of(HERE / rest)


def check_script(
    spec: str, book: Rulebook, settings: Settings, policy: CagePolicy, turns: int, folder: Path = HERE
) -> CheckScript:
    """Returns the script of a check of one bot."""
    kind = spec.partition(":")[0]
    bot = read_bot_spec(spec if kind in KINDS else f"dir:{spec}", book, policy, folder)
    rival = read_bot_spec(f"house:{next(iter(book.bots.HOUSE_BOTS))}", book)
    return CheckScript(book, settings, bot, rival, turns, policy.limits.memory_mb)


async def carry_out(
    script: CheckScript, new_seating: Callable[[CheckScript], Seating], admit: Admit = admit_nobody
) -> CheckResult:
    """Builds the bot and plays both games, the second only if the first went well."""
    bot, result = script.bot.bot, CheckResult(await script.bot.build())
    if result.fault is not None:
        result.findings = [unbuilt(result.fault, named_by_caller=bot is not None and not bot.running)]
        return result
    for place in (0, 1):
        played = await play_script(script, place, new_seating(script), admit)
        result.games.append(examined(script, played, place))
        known = {finding.what for finding in result.findings}
        result.findings += [finding for finding in result.games[-1].findings if finding.what not in known]
        if result.wrong:
            break
    return result


def quiet_seating(script: CheckScript) -> Seating:
    return Seating(script.book, script.settings, LoopClock())


async def play_script(script: CheckScript, place: int, seating: Seating, admit: Admit) -> Played:
    game = Game(script.book, script.settings, SEED)
    specs = [script.bot, script.rival] if place == 0 else [script.rival, script.bot]
    seat = next(seat for seat in range(game.seats) if game.entrant(seat) == place)

    def enough(turns: Sequence[Turn]) -> bool:
        own = [turn for turn in turns if turn.seat == seat]
        return len(own) >= script.turns or sum(turn.verdict is not Verdict.OK for turn in own) >= FAULTS

    players = [spec.seat_player(seating, at) for at, spec in enumerate(specs)]
    await admit(seating, players)
    played = await play_game(game, players, enough=enough)
    if played.trouble and not played.culprits and not any(turn.tick < 0 for turn in played.turns):
        raise OurFault(played.trouble)  # nothing that the bot's author could mend
    return played


def examined(script: CheckScript, played: Played, place: int) -> Checked:
    seat = played.entrants.index(place)
    idle = idle_orders(played, seat)
    case = case_of(script.bot, played, place, script.book, script.settings, script.memory_mb, idle)
    return Checked(seat, played.seats[seat], list(case.turns), examine(case), played)
