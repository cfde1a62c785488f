"""`botyard contest new` writes a contest file, and `botyard contest check` says what is wrong with it and its bots."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from botyard.cli.console import note, out, print_json, print_table, say
from botyard.cli.contest.group import ContestFile, app
from botyard.cli.options import Game, Json, Quiet
from botyard.kernel.errors import UnknownName, YardError

if TYPE_CHECKING:
    from botyard.contest.bot_checks import BotCheck
    from botyard.contest.submissions import Submission


def complete_format(incomplete: str) -> list[str]:
    from botyard.rank.formats import FORMATS

    return [name for name in FORMATS if name.startswith(incomplete)]


class TakesManyBots(TyperCommand):
    """Lets `--bots` take all words up to the next option, as a shell writes them for `--bots subs/*`.

    Whoever hands in a file called `--force` gives no order with it: what lies there is a submission.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words, taking = list[str](), False
        for word in args:
            if word.startswith("--") and not (taking and os.path.lexists(word)):
                taking = word == "--bots"
                words += [] if taking else [word]
            else:
                words += [f"--bots={word}"] if taking else [word]
        if "--bots" in args and not any(word.startswith("--bots=") for word in words):
            words.append("--bots")  # nothing follows it, as after an empty folder: the library says so
        return super().parse_args(ctx, words)


@app.command(cls=TakesManyBots)
def new(
    game: Game,
    file: Annotated[Path, typer.Argument(metavar="CONTEST.toml", help="Path of the new file.")] = Path("contest.toml"),
    kind: Annotated[
        str | None,
        typer.Option("--format", help="The format; the game's own by default.", autocompletion=complete_format),
    ] = None,
    bots: Annotated[
        list[Path] | None,
        typer.Option(
            "--bots", metavar="BOT...", help="Submissions: folders, files and archives (zip, tar.gz), as in subs/*."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
) -> None:
    """Write a contest file, every choice explained in it: with the bots that were handed in, or with the house bots.

    Examples: botyard contest new GAME league.toml, botyard contest new GAME league.toml --bots subs/*
    """
    from botyard.contest.new_file import fitting_format, new_contest, submission_lines, usual_format
    from botyard.contest.submissions import read_submissions
    from botyard.games import load
    from botyard.kernel.bounded import TOML_MAX
    from botyard.match.storage import write_atomically
    from botyard.rank.formats import FORMATS

    book = load(game)
    if file.exists() and not force:
        raise YardError(f"{file} exists", hint="choose another name, or overwrite it with --force")
    submissions = read_submissions(bots or [])
    taken = [submission for submission in submissions if submission.taken]
    if bots and not taken:
        hint = "\n       ".join(f"{one.path}: {one.trouble}" for one in submissions)
        raise YardError(f"none of {len(bots)} submissions is a bot", hint=hint)
    chosen = kind or (fitting_format(book, len(taken)) if taken else usual_format(book))
    if chosen not in FORMATS:
        raise UnknownName("format", chosen, FORMATS)
    lines = submission_lines(book, submissions, file.resolve().parent) if taken else ()
    content = new_contest(book, chosen, lines, len(taken)).encode()
    if len(content) > TOML_MAX:
        hint = 'write one line for all of them: newcomers = "dir:subs/*"'
        raise YardError(f"{len(taken)} submissions make a contest file of more than {TOML_MAX >> 10} KiB", hint=hint)
    write_atomically(file, content)
    tell_submissions(submissions)
    say("wrote {file}; next: botyard contest check {file}", file=file)


def tell_submissions(submissions: Sequence[Submission]) -> None:
    if submissions:
        rows = [
            [one.key, one.name, one.language, one.trouble]
            if one.taken
            else ["not taken", one.path.name, "", one.trouble]
            for one in submissions
        ]
        print_table(["key", "name", "language", "to mend"], rows, folded=True)


@app.command()
def check(
    file: ContestFile,
    sample: Annotated[bool, typer.Option(help="Play a few games to estimate the time.")] = True,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Find every mistake before anything runs, build and check every bot, and estimate games and time.

    The table says of each bot whether it was built, whether it plays, and what its author can do. The exit status is 1
    if a bot is not fit; whether it then forfeits or stops the contest is said by on_unbuilt in the file.
    """
    from botyard.cli.bar import counting
    from botyard.contest.bot_checks import check_bots
    from botyard.contest.estimate import seconds_per_game, workers_of
    from botyard.contest.plan import STOP, warnings_of
    from botyard.contest.reading import read_plan

    plan = read_plan(file)
    with counting(f"checking {len(plan.bots)} bots", len(plan.bots), quiet or as_json) as advance:
        checks = asyncio.run(check_bots(plan, lambda check: advance()))
    least, most = plan.estimate
    fit = {check.key for check in checks if check.fit}
    seconds = asyncio.run(seconds_per_game(plan, fit)) if sample else None
    times = None if seconds is None else [round(games * seconds / workers_of(plan), 1) for games in (least, most)]
    if as_json:
        values = {"title": plan.title, "game": plan.game, "format": plan.format.NAME, "bots": plan.keys}
        games_values = {"games": {"least": least, "most": most}, "seconds": times, "warnings": warnings_of(plan)}
        print_json({**values, **games_values, "checks": [check_values(check) for check in checks]})
    else:
        tell_checks(checks)
        games = f"{least}" if least == most else f"{least} to {most}"
        facts = {"game": plan.book.facts.title, "format": plan.format.NAME, "bots": len(plan.bots)}
        say("{title}: {game}, {format}, {bots} bots", title=plan.title, **facts)
        out.print(f"{games} games" + (f", about {span(times)}" if times else ""), highlight=False)
        for warning in warnings_of(plan):
            note("[yellow]warning:[/] {warning}", warning=warning)
        unfit = len(checks) - len(fit)
        if unfit:
            stops = plan.conduct.on_unbuilt == STOP
            then = "stop the contest" if stops else "forfeit their games"
            told = {"unfit": unfit, "bots": len(checks), "then": then}
            say("{unfit} of {bots} bots are to be mended; those that are not built {then}", **told)
        say("{found}next: botyard contest run {file}", found="" if unfit else "no mistakes; ", file=file)
    if len(fit) < len(checks):
        raise typer.Exit(1)


def tell_checks(checks: Sequence[BotCheck]) -> None:
    words = {True: "yes", False: "no"}
    rows = [[c.name, c.language, words[c.built], words[c.plays], c.mistake, c.remedy] for c in checks]
    print_table(["bot", "language", "built", "plays", "first mistake", "remedy"], rows, folded=True)


def check_values(check: BotCheck) -> dict[str, Any]:
    values = {"key": check.key, "name": check.name, "language": check.language}
    state = {"built": check.built, "plays": check.plays, "mistake": check.mistake, "remedy": check.remedy}
    findings = [{"stage": f.stage, "wrong": f.wrong, "what": f.what, "remedy": f.remedy} for f in check.findings]
    return {**values, **state, "findings": findings}


def span(times: list[float]) -> str:
    shown = list(dict.fromkeys(duration(seconds) for seconds in times))
    return " to ".join(shown)


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
