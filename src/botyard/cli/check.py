"""`botyard check` says what is wrong with a bot, and how to mend it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botyard.cli.console import Lines, errors, note, out, print_json, say
from botyard.cli.options import (
    Assignments,
    Json,
    Limited,
    Memory,
    Open,
    Preset,
    Quiet,
    Toolchains,
    cage_policy_of,
    complete_game,
    read_settings,
)
from botyard.cli.ready import make_ready
from botyard.cli.waiting import Wait, admit, announce, patience_of, waiting_time
from botyard.kernel.errors import OurFault, YardError

if TYPE_CHECKING:
    from botyard.kernel.rulebook import Rulebook
    from botyard.kernel.settings import Settings
    from botyard.links.bot_spec import BotSpec
    from botyard.links.cage_policy import CagePolicy
    from botyard.match.checkup import Finding, Protocol, Start
    from botyard.match.loop import Played
    from botyard.match.turns import SeatRecord, Turn

SPOKEN: dict[str, Protocol] = {"json": "json", "py": "function"}  # by kind of bot
SEED = 11  # the same game every time, so that a second check shows what a change has done
FAULTS = 3  # the game ends after so many missed turns: further ones would say the same
WORDS = 600  # characters shown of what the bot printed last
QUESTION = 100  # characters shown of a question
DRAWN_LINES = 40  # lines shown of a question that draws a board


@dataclass(frozen=True, slots=True)
class CheckScript:
    """All that is needed to play the games of a check."""

    book: Rulebook
    settings: Settings
    bot: BotSpec
    rival: BotSpec
    language: str  # empty if it is not known
    protocol: Protocol
    turns: int
    memory_mb: int
    wait_s: float | None  # how long to wait for a bot that connects by itself; None: for ever


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of one scripted game."""

    seat: int
    held: SeatRecord
    turns: list[Turn]
    findings: list[Finding]


def check(
    bot: Annotated[
        str,
        typer.Argument(metavar="BOT", help="A file or folder, or a bot as `botyard play` takes it: cmd:…, py:…, dir:…"),
    ],
    game: Annotated[
        str,
        typer.Option(
            "--game", "-g", help="The game; may be left out if botyard.toml names it.", autocompletion=complete_game
        ),
    ] = "",
    turns: Annotated[int, typer.Option(min=1, help="How many questions are asked in each of the two games.")] = 60,
    preset: Preset = None,
    assignments: Assignments = None,
    trusted: Open = False,
    limited: Limited = False,
    toolchains: Toolchains = None,
    memory: Memory = 1024,
    wait: Wait = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Play a scripted game against a bot and say, in order, what is wrong and how to fix it.

    Example: botyard check mybot --game GAME

    The bot plays two short games, from either side, against a house bot. The exit status is 1 if something is
    wrong; advice alone is not a failure.
    """
    from botyard.links.guests import NobodyCame

    chosen = read_settings(assignments or [], None)
    policy = cage_policy_of(trusted, limited, memory, toolchains=toolchains)
    script = read_script(bot, game, turns, preset, chosen, policy, wait)
    try:
        checked, findings = asyncio.run(carry_out(script, quiet or as_json))
    except NobodyCame as absence:
        announce(f"{absence}; nothing was checked")
        raise typer.Exit(1) from None
    if as_json:
        print_json(as_data(script, checked, findings))
    else:
        report(script, checked, findings)
    if any(finding.wrong for finding in findings):
        raise typer.Exit(1)


def read_script(
    bot: str, game: str, turns: int, preset: str | None, chosen: dict[str, Any], policy: CagePolicy, wait: float | None
) -> CheckScript:
    from botyard.games import load
    from botyard.jail.manifest import manifest_of
    from botyard.links.bot_spec import KINDS, read_bot_spec

    kind, _, rest = bot.partition(":")
    path = Path(bot if kind not in KINDS else rest)
    manifest = manifest_of(path) if kind not in KINDS or kind == "dir" else None
    name = game or (manifest.game if manifest else "")
    if not name:
        raise YardError(
            f"which game does {bot} play?",
            hint=f"use botyard check {bot} --game GAME, or name the game in botyard.toml",
        )
    book = load(name)
    settings = book.settings.read(chosen, preset).seated(2)
    spec = read_bot_spec(bot if kind in KINDS else f"dir:{bot}", book, policy)
    rival = read_bot_spec(f"house:{next(iter(book.bots.HOUSE_BOTS))}", book)
    protocol: Protocol = manifest.protocol if manifest else SPOKEN.get(kind, "native")
    wait_s = waiting_time(book, settings, chosen, wait)
    language = manifest.language if manifest else ""
    return CheckScript(book, settings, spec, rival, language, protocol, turns, policy.limits.memory_mb, wait_s)


async def carry_out(script: CheckScript, quiet: bool) -> tuple[list[Checked], list[Finding]]:
    """Plays both games, the second only if the first went well. Each finding is reported once."""
    from botyard.match.checkup import unbuilt

    with busy(f"building {script.bot.label}", quiet):
        fault = await make_ready(script.bot, quiet)
    if fault is not None:
        return [], [unbuilt(fault)]
    games: list[Checked] = []
    findings: list[Finding] = []
    for place in (0, 1):
        played = await play_script(script, place, quiet)
        games.append(examined(script, played, place))
        known = {finding.what for finding in findings}
        findings += [finding for finding in games[-1].findings if finding.what not in known]
        if any(finding.wrong for finding in findings):
            break
    return games, findings


def busy(text: str, quiet: bool) -> contextlib.AbstractContextManager[object]:
    """Shows a line on the terminal while something goes on."""
    return contextlib.nullcontext() if quiet else errors.status(text, spinner="line")


async def play_script(script: CheckScript, place: int, quiet: bool) -> Played:
    from botyard.games.game import Game
    from botyard.kernel.verdict import Verdict
    from botyard.links.bot_spec import Seating
    from botyard.match.clock import LoopClock
    from botyard.match.loop import play_game

    def notice(text: str) -> None:
        if not quiet:
            note("{text}", text=Lines(text))

    game = Game(script.book, script.settings, SEED)
    patience = patience_of(script.wait_s)
    seating = Seating(script.book, script.settings, LoopClock(), notice, announce=announce, patience=patience)
    specs = [script.bot, script.rival] if place == 0 else [script.rival, script.bot]
    seat = next(seat for seat in range(game.seats) if game.entrant(seat) == place)

    def enough(turns: Sequence[Turn]) -> bool:
        own = [turn for turn in turns if turn.seat == seat]
        return len(own) >= script.turns or sum(turn.verdict is not Verdict.OK for turn in own) >= FAULTS

    players = [spec.seat_player(seating, at) for at, spec in enumerate(specs)]
    if seating.guests:
        await admit(seating.guests, players, script.wait_s, quiet)
    with busy(f"playing {script.book.facts.title} with {script.bot.label}", quiet):
        played = await play_game(game, players, enough=enough)
    if played.trouble and not played.culprits and not any(turn.tick < 0 for turn in played.turns):
        raise OurFault(played.trouble)  # nothing that the bot's author could mend
    return played


def examined(script: CheckScript, played: Played, place: int) -> Checked:
    from botyard.match.checkup import Case, examine, idle_orders, json_reader, native_reader

    seat = played.entrants.index(place)
    held = played.seats[seat]
    *own, last = [turn for turn in played.turns if turn.seat == seat]
    own.append(replace(last, said=last.said + held.said))  # what a failing program prints last may come late
    case = Case(
        facts=script.book.facts,
        turns=own,
        read=json_reader if script.protocol == "json" else native_reader(script.book, script.settings),
        language=script.language,
        protocol=script.protocol,
        idle=idle_orders(played, seat),
        start=start_of(script, place),
        peak_mb=held.peak_mb or 0.0,
        memory_mb=script.memory_mb,
    )
    return Checked(seat, held, own, examine(case))


def start_of(script: CheckScript, place: int) -> Start:
    """Returns the words that we started the bot's program with; none if we did not start one."""
    from botyard.links.tcp import CAGE_PORT, LOOPBACK
    from botyard.match.checkup import Start

    if script.bot.bot is None:
        return Start()
    added = script.book.wire.arguments(LOOPBACK, CAGE_PORT, place) if script.protocol == "native" else []
    return Start(script.bot.bot.launch().command, added)


# What the bot's author reads


def report(script: CheckScript, games: list[Checked], findings: list[Finding]) -> None:
    for game in games:
        say("{summary}", summary=summary(script, game))
    for at, finding in enumerate(findings, 1):
        sign = "[red]wrong[/]" if finding.wrong else "[yellow]advice[/]"
        times = f" ({finding.times} times)" if finding.times > 1 else ""
        told = {"stage": finding.stage, "what": Lines(finding.what), "times": times}
        say("\n{at}. " + sign + ", {stage}: {what}{times}", at=at, **told)
        say("   [green]remedy:[/] {remedy}", remedy=Lines(finding.remedy))
        if finding.turn is not None:
            for head, text in evidence(finding.turn, finding.started):
                say("   [dim]{head}:[/] {text}", head=head, text=Lines(text.replace("\n", "\n" + " " * 4)))
    if findings:
        out.print()
    if not any(finding.wrong for finding in findings):
        say("nothing is wrong with {bot}", bot=script.bot.label)


def summary(script: CheckScript, game: Checked) -> str:
    asked = [turn for turn in game.turns if turn.tick >= 0]
    head = f"{script.book.facts.title} from seat {game.seat}: {len(asked)} questions"
    if not asked:
        return f"{head}: the bot never connected"
    slowest = max(asked, key=lambda turn: turn.ms)
    middle = sorted(turn.ms for turn in asked)[len(asked) // 2]
    held = f", {game.held.level}" if game.held.level else ""
    memory = f", {game.held.peak_mb:.0f} MB" if game.held.peak_mb else ""
    times = f"answers after {middle:.1f} ms, the slowest after {slowest.ms:.0f} of {slowest.limit_ms} ms"
    return f"{head}, {times}{held}{memory}"


def evidence(turn: Turn, started: str = "") -> list[tuple[str, str]]:
    """Returns what was seen in a turn, and the words that the program was started with."""
    words = [("started as", started)] if started else []
    rows = [("tick", str(turn.tick)), ("asked", question(turn.sent)), ("answered", quoted(turn.received))]
    rows += [("before that", quoted(turn.early))] if turn.early else []
    rows += [("printed", turn.said.strip()[-WORDS:])] if turn.said.strip() else []
    return [*words, *(rows if turn.tick >= 0 else rows[3:])]


def question(sent: str) -> str:
    """Returns a question for people to read: all of it if it draws a board, otherwise its last line, which asks."""
    lines = sent.strip().splitlines() or [""]
    if len(lines) > 1 and len(lines[0]) == len(lines[1]) and len(lines) <= DRAWN_LINES:
        return "\n".join(["", *lines])
    return lines[-1] if len(lines[-1]) <= QUESTION else f"{lines[-1][:QUESTION]}…"


def quoted(text: str) -> str:
    from botyard.kernel.session import printable

    return printable(text.encode("latin-1")) if text else "nothing"


def as_data(script: CheckScript, games: list[Checked], findings: list[Finding]) -> dict[str, Any]:
    return {
        "bot": script.bot.label,
        "game": script.book.facts.name,
        "fine": not any(finding.wrong for finding in findings),
        "games": [
            {
                "seat": game.seat,
                "questions": sum(turn.tick >= 0 for turn in game.turns),
                "level": game.held.level,
                "memory_mb": game.held.peak_mb,
            }
            for game in games
        ],
        "findings": [
            {
                "stage": finding.stage,
                "wrong": finding.wrong,
                "what": finding.what,
                "remedy": finding.remedy,
                "times": finding.times,
                "seen": dict(evidence(finding.turn, finding.started)) if finding.turn else None,
            }
            for finding in findings
        ],
    }
