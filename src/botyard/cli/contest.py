"""`botyard contest` checks, runs and reports contests; each is described by one file."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from botyard.cli.console import Lines, errors, note, out, print_json, print_table, say
from botyard.cli.faults import reasons_told, tell_faults
from botyard.cli.options import (
    Game,
    Json,
    Quiet,
)
from botyard.cli.ready import tell_contest_level
from botyard.kernel.errors import UnknownName, YardError

if TYPE_CHECKING:
    from botyard.contest.amendment import Amendment
    from botyard.contest.bot_checks import BotCheck
    from botyard.contest.opening import Agree, PlayedContest
    from botyard.contest.plan import Plan
    from botyard.contest.submissions import Submission
    from botyard.rank.standings import Standings

INTERRUPTED = 130  # the exit status that shells use for Ctrl-C

app = typer.Typer(
    name="contest",
    help="Contests from one file: round robins, matches, king of the hill, Swiss, knockouts, rated waves.\n\n"
    "Start with [bold]botyard contest new GAME league.toml[/], then [bold]botyard contest run league.toml[/].",
    rich_markup_mode="rich",
    no_args_is_help=True,
)

ContestFile = Annotated[
    Path, typer.Argument(metavar="CONTEST.toml", help="A contest file; `botyard contest new` writes one.")
]


def complete_format(incomplete: str) -> list[str]:
    from botyard.rank.formats import FORMATS

    return [name for name in FORMATS if name.startswith(incomplete)]


class TakesManyBots(TyperCommand):
    """Lets `--bots` take all words up to the next option, as a shell writes them for `--bots subs/*`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words, taking = list[str](), False
        for word in args:
            if word.startswith("--"):
                taking = word == "--bots"
                words += [] if taking else [word]
            else:
                words += ["--bots", word] if taking else [word]
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
    from botyard.match.storage import write_atomically
    from botyard.rank.formats import FORMATS

    book = load(game)
    if file.exists() and not force:
        raise YardError(f"{file} exists", hint="choose another name, or overwrite it with --force")
    submissions = read_submissions(bots or [])
    taken = [submission for submission in submissions if submission.taken]
    if bots and not taken:
        raise YardError(f"none of {len(bots)} submissions is a bot", hint=submissions[0].trouble)
    chosen = kind or (fitting_format(book, len(taken)) if taken else usual_format(book))
    if chosen not in FORMATS:
        raise UnknownName("format", chosen, FORMATS)
    lines = submission_lines(book, submissions, file.resolve().parent) if taken else ()
    write_atomically(file, new_contest(book, chosen, lines).encode())
    tell_submissions(submissions)
    say("wrote {file}; next: botyard contest check {file}", file=file)


def tell_submissions(submissions: Sequence[Submission]) -> None:
    if submissions:
        rows = [[one.key if one.taken else "not taken", one.name, one.language, one.trouble] for one in submissions]
        print_table(["key", "name", "language", "to mend"], rows)


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
            then = "the contest would stop" if plan.conduct.on_unbuilt == "stop" else "it runs with their forfeits"
            say("{unfit} of {bots} bots are not fit; {then}", unfit=unfit, bots=len(checks), then=then)
        else:
            say("no mistakes; next: botyard contest run {file}", file=file)
    if len(fit) < len(checks):
        raise typer.Exit(1)


def tell_checks(checks: Sequence[BotCheck]) -> None:
    words = {True: "yes", False: "no"}
    rows = [[c.name, c.language, words[c.built], words[c.plays], c.mistake, c.remedy] for c in checks]
    print_table(["bot", "language", "built", "plays", "first mistake", "remedy"], rows)


def check_values(check: BotCheck) -> dict[str, Any]:
    values = {"key": check.key, "name": check.name, "language": check.language}
    state = {"built": check.built, "plays": check.plays, "mistake": check.mistake, "remedy": check.remedy}
    findings = [{"stage": f.stage, "wrong": f.wrong, "what": f.what, "remedy": f.remedy} for f in check.findings]
    return {**values, **state, "findings": findings}


def warnings_of(plan: Plan) -> list[str]:
    """Returns what is allowed and yet unwise."""
    from botyard.contest.roots import is_guessable

    if plan.root is not None and is_guessable(plan.root) and not plan.is_house(plan.bots):
        return ["a seed below 2**64 can be guessed by a program that plays: leave it out, and one is drawn"]
    return []


def span(times: list[float]) -> str:
    shown = list(dict.fromkeys(duration(seconds) for seconds in times))
    return " to ".join(shown)


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


@app.command()
def run(
    files: Annotated[
        list[Path], typer.Argument(metavar="CONTEST.toml...", help="Contest files; several are run one after another.")
    ],
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a contest that was interrupted; it does so anyway.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Agree to what changed bots cost without asking.")] = False,
    anew: Annotated[bool, typer.Option("--anew", help="Begin again and delete the games played so far.")] = False,
    report_too: Annotated[bool, typer.Option("--report/--no-report", help="Write the report at the end.")] = True,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run a contest to its end and show the standings.

    It may be stopped at any moment, even by kill -9: the same command goes on, and the final table is the same. If bots
    were added, mended or taken out meanwhile, it says which games stay and which are played anew, and asks.
    """
    from botyard.contest.reading import read_plan
    from botyard.contest.report import report_folder
    from botyard.rank.standings import concluded

    if resume and anew:
        raise YardError("--resume and --anew exclude each other", hint="--resume goes on, --anew begins again")
    plans = [read_plan(file) for file in files]
    for plan in plans:
        tell_contest_level(plan)
    command = f"botyard contest run {' '.join(map(str, files))}"
    agree = agreed if yes else asking
    ended = [play_out(plan, anew, agree, quiet or as_json, command) for plan in plans]
    if as_json:
        values = [final_values(plan, report_too) for plan in plans]
        print_json(values[0] if len(values) == 1 else values)
    else:
        for plan, (course, _) in zip(plans, ended, strict=True):
            show_standings(plan, concluded(course.standings(), True, plan.guests, plan.names))
            if report_too:
                final_values(plan, report_too)
                say("report: {file}", file=report_folder(plan) / "report.html")
    if any(void for _, void in ended):
        raise typer.Exit(1)


def agreed(amendment: Amendment) -> bool:
    """Tells what changed bots cost, and goes on."""
    for line in amendment.lines:
        note("{line}", line=line)
    return True


def asking(amendment: Amendment) -> bool:
    """Tells what changed bots cost, and asks whether to go on; without a terminal nobody can agree."""
    agreed(amendment)
    if not sys.stdin.isatty():
        return not amendment.dropped
    return typer.confirm("go on so?", err=True)


def final_values(plan: Plan, write: bool) -> dict[str, Any]:
    """Returns the JSON values of a finished contest, and writes its report if wanted."""
    from botyard.contest.opening import open_played
    from botyard.contest.report import report_folder, write_report
    from botyard.contest.summary import summarize
    from botyard.contest.summary_json import summary_values

    with open_played(plan.path) as played:
        folder = report_folder(plan)
        paths = asyncio.run(write_report(played.plan, played.store, folder)) if write else []
        return {**summary_values(summarize(played.plan, played.store)), "report": [str(path) for path in paths]}


def play_out(plan: Plan, anew: bool, agree: Agree, quiet: bool, command: str) -> tuple[Any, int]:
    """Runs a contest with a progress bar; returns the course at its end, and how many games stayed void."""
    from botyard.cli.bar import bar
    from botyard.contest.runner import run_contest
    from botyard.contest.store_file import StoreFile

    try:
        with reasons_told(plan), stoppable(), bar(plan.title, quiet) as watch:
            course, _ = asyncio.run(run_contest(plan, anew=anew, agree=agree, watch=watch))
    except KeyboardInterrupt:
        with StoreFile.open(plan.store_path) as store:
            recorded = store.counts().recorded
        errors.print(f"stopped; {recorded} games are recorded", highlight=False)
        note("go on with: {command}", command=command)
        raise typer.Exit(INTERRUPTED) from None
    with StoreFile.open(plan.store_path) as store:
        void = store.counts().void
    if void:
        note("[yellow]{void} games are void: faults of Botyard spoiled every attempt[/]", void=void)
        tell_faults(plan)
    return course, void


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Makes SIGTERM stop the command as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def show_standings(plan: Plan, standings: Standings) -> None:
    heads = ["bot", ">place", *(f">{head}" for head in standings.heads)]
    rows = [
        [plan.names[row.bot], row.place or "guest", *(figure(value) for value in row.columns.values())]
        for row in standings.rows
    ]
    print_table(heads, rows, plan.title)
    if standings.verdict:
        say("{verdict}", verdict=standings.verdict)


def figure(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def tell_differences(played: PlayedContest) -> None:
    """Warns if the contest file or the bots are no longer those that were played."""
    if played.differs:
        note("[yellow]shown is what was played; the files differ now:[/]")
        for line in played.differs:
            note("  {line}", line=Lines(line))


@app.command()
def status(file: ContestFile, as_json: Json = False) -> None:
    """Show how far a contest has got, who runs it, and the standings up to the first missing game."""
    from botyard.contest.opening import open_played
    from botyard.contest.runner import replay_course
    from botyard.contest.summary_json import standings_values
    from botyard.rank.standings import concluded

    with open_played(file) as played:
        plan, store = played.plan, played.store
        counts, holder, faults, leased = store.counts(), store.holder, store.faults(), store.leased()
        course, finished = replay_course(plan, store)
    standings = concluded(course.standings(), finished, plan.guests, plan.names)
    tell_differences(played)
    state = "finished" if finished else f"running: {holder}" if holder else "interrupted"
    if as_json:
        games = {"asked": counts.all, "recorded": counts.recorded, "leased": counts.leased, "void": counts.void}
        values = {"state": state.partition(":")[0], "holder": holder, "games": games, "house_faults": len(faults)}
        print_json({**values, "standings": standings_values(standings)})
        return
    least = max(plan.estimate.least, counts.all)
    games = {"recorded": counts.recorded, "least": least, "leased": counts.leased}
    say("{state}; {recorded} of at least {least} games, {leased} being played", state=state, **games)
    for game in leased if holder else []:
        if game.sign.ticks:
            say("{worker}: {sign}", worker=game.worker, sign=str(game.sign))
    if faults:
        number, worker, reason = faults[-1]
        last = reason.strip().splitlines()[-1]
        told = f"{len(faults)} faults of Botyard, played again; the last: game {number} on {worker}: {last}"
        say("{told}", told=told)
    show_standings(plan, standings)
    if not finished and not holder:
        say("go on with: botyard contest run {file}", file=file)


@app.command()
def report(
    file: ContestFile,
    to: Annotated[Path | None, typer.Option("--to", metavar="FOLDER", help="Folder for the report.")] = None,
    as_json: Json = False,
) -> None:
    """Write the report of a contest, finished or not: a page, Markdown, CSV, JSON, and the original's own files."""
    from botyard.contest.opening import open_played
    from botyard.contest.report import report_folder, write_report
    from botyard.contest.summary import summarize
    from botyard.contest.summary_json import summary_values

    with open_played(file) as played:
        tell_differences(played)
        if as_json:
            print_json(summary_values(summarize(played.plan, played.store)))
            return
        paths = asyncio.run(write_report(played.plan, played.store, to or report_folder(played.plan)))
    for path in paths:
        say("{path}", path=path)


@app.command()
def replay(
    file: ContestFile,
    number: Annotated[int, typer.Argument(metavar="ID", help="The number of a game, as in games.csv.")],
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="Path of the replay.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Also show how the game ended.")] = False,
) -> None:
    """Get the replay of one game: from the store, or by playing it again if only house bots took part."""
    from botyard.cli.replays import show as show_replay
    from botyard.contest.find_replay import replay_of, turn_log_of
    from botyard.contest.opening import open_played
    from botyard.match.turns import write_turns

    with open_played(file) as played:
        plan, store = played.plan, played.store
        row = store.row(number)
        record = asyncio.run(replay_of(plan, store, row))
        log = turn_log_of(store, row, record)
    path = to or Path(f"{plan.path.stem}-{number}.replay")
    record.write(path)
    if log is not None:
        write_turns(path, log)
    say("{match}, game {game}: {result}", match=row.pairing.match, game=row.pairing.game, result=str(row.result))
    if show:
        show_replay(path, None, False, 100)
    say("replay: {path}; botyard show {path} --play", path=path)
    if log is not None:
        say("its turns: botyard report {path}", path=path)
