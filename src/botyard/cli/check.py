"""`botyard check` says what is wrong with a bot, and how to mend it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
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
from botyard.cli.ready import tell_running
from botyard.cli.waiting import Wait, admit, announce, patience_of, waiting_time
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.links.cage_policy import CagePolicy
    from botyard.links.check_games import Checked, CheckResult, CheckScript
    from botyard.match.checkup import Finding
    from botyard.match.player import Player
    from botyard.match.turns import Turn

WORDS = 600  # characters shown of what the bot printed last
QUESTION = 100  # characters shown of a question
DRAWN_LINES = 40  # lines shown of a question that draws a board


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
    from botyard.links.visitors import NobodyCame

    chosen = read_settings(assignments or [], None)
    policy = cage_policy_of(trusted, limited, memory, toolchains=toolchains)
    script = read_script(bot, game, turns, preset, chosen, policy)
    wait_s = waiting_time(script.book, script.settings, chosen, wait)
    try:
        result = asyncio.run(checked_on_screen(script, wait_s, quiet or as_json))
    except NobodyCame as absence:
        announce(f"{absence}; nothing was checked")
        raise typer.Exit(1) from None
    if as_json:
        print_json(as_data(script, result.games, result.findings))
    else:
        report(script, result.games, result.findings)
    if result.wrong:
        raise typer.Exit(1)


def read_script(
    bot: str, game: str, turns: int, preset: str | None, chosen: dict[str, Any], policy: CagePolicy
) -> CheckScript:
    from botyard.games import load
    from botyard.links.check_games import check_script, named_manifest

    manifest = named_manifest(bot)
    name = game or (manifest.game if manifest else "")
    if not name:
        raise YardError(
            f"which game does {bot} play?",
            hint=f"use botyard check {bot} --game GAME, or name the game in botyard.toml",
        )
    book = load(name)
    return check_script(bot, book, book.settings.read(chosen, preset).seated(2), policy, turns)


async def checked_on_screen(script: CheckScript, wait_s: float | None, quiet: bool) -> CheckResult:
    """Carries out a check, and shows on the terminal what goes on."""
    from botyard.links.bot_spec import Seating
    from botyard.links.check_games import carry_out
    from botyard.match.clock import LoopClock

    def notice(text: str) -> None:
        if not quiet:
            note("{text}", text=Lines(text))

    def new_seating(script: CheckScript) -> Seating:
        patience = patience_of(wait_s)
        return Seating(script.book, script.settings, LoopClock(), notice, announce=announce, patience=patience)

    async def admit_visitors(seating: Seating, players: Sequence[Player]) -> None:
        if seating.visitors:
            await admit(seating.visitors, players, wait_s, quiet)

    tell_running(script.bot, quiet)
    busy = f"checking {script.bot.label} in {script.book.facts.title}"
    silent = quiet or script.bot.comes_by_itself  # then the screen says who is waited for
    with contextlib.nullcontext() if silent else errors.status(busy, spinner="line"):
        return await carry_out(script, new_seating, admit_visitors)


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
