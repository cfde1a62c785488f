"""`botyard contest` and `botyard compare`: contests from one file, and is the new version better?"""

from __future__ import annotations

import contextlib
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botyard.cli.console import errors, note, out, print_json, say
from botyard.cli.faults import reasons_told, tell_faults
from botyard.cli.options import (
    Assignments,
    Game,
    Json,
    Limited,
    Memory,
    Open,
    Quiet,
    Toolchains,
    complete_bot,
    custody_of,
    read_settings,
)
from botyard.cli.ready import tell_contest_level
from botyard.cli.rows import print_rows
from botyard.kernel.errors import UnknownName, YardError

if TYPE_CHECKING:
    from botyard.contest.plan import Plan
    from botyard.links.cage_policy import CagePolicy
    from botyard.rank.standings import Standings

INTERRUPTED = 130  # as shells count the end by Ctrl-C

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


@app.command()
def new(
    game: Game,
    file: Annotated[Path, typer.Argument(metavar="CONTEST.toml", help="Where the file goes.")] = Path("contest.toml"),
    kind: Annotated[
        str | None,
        typer.Option("--format", help="The format; the game's own by default.", autocompletion=complete_format),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
) -> None:
    """Write a contest file with the house bots of a game, every choice explained in it.

    Example: botyard contest new GAME league.toml
    """
    from botyard.contest.new_file import new_contest, usual_format
    from botyard.games import load
    from botyard.match.storage import write_atomically
    from botyard.rank.formats import FORMATS

    book = load(game)
    chosen = kind or usual_format(book)
    if chosen not in FORMATS:
        raise UnknownName("format", chosen, FORMATS)
    if file.exists() and not force:
        raise YardError(f"{file} exists", hint="choose another name, or --force overwrites it")
    write_atomically(file, new_contest(book, chosen).encode())
    say("wrote {file}; next: botyard contest check {file}", file=file)


@app.command()
def check(
    file: ContestFile,
    sample: Annotated[bool, typer.Option(help="Play a few games to estimate the time.")] = True,
    as_json: Json = False,
) -> None:
    """Find every mistake before anything runs, build the bots, and estimate games and time."""
    from botyard.contest.estimate import seconds_per_game, workers_of
    from botyard.contest.reading import read_plan
    from botyard.contest.runner import build_bots

    plan = read_plan(file)
    build_bots(plan)
    least, most = plan.estimate
    seconds = seconds_per_game(plan) if sample else None
    times = None if seconds is None else [round(games * seconds / workers_of(plan), 1) for games in (least, most)]
    if as_json:
        values = {"title": plan.title, "game": plan.game, "format": plan.format.NAME, "bots": plan.names}
        print_json({**values, "games": {"least": least, "most": most}, "seconds": times})
        return
    games = f"{least}" if least == most else f"{least} to {most}"
    facts = {"game": plan.book.facts.title, "format": plan.format.NAME, "bots": len(plan.bots)}
    say("{title}: {game}, {format}, {bots} bots", title=plan.title, **facts)
    out.print(f"{games} games" + (f", about {span(times)}" if times else ""), highlight=False)
    say("no mistakes; next: botyard contest run {file}", file=file)


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
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a contest that was interrupted.")] = False,
    anew: Annotated[bool, typer.Option("--anew", help="Begin again; the games so far are lost.")] = False,
    report_too: Annotated[bool, typer.Option("--report/--no-report", help="Write the report at the end.")] = True,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run a contest to its end and show the standings.

    It may be stopped at any moment, even by kill -9: --resume goes on, and the final table is the same.
    """
    from botyard.contest.reading import read_plan
    from botyard.contest.report import report_folder

    if resume and anew:
        raise YardError("--resume and --anew", hint="one of them: go on, or begin again")
    plans = [read_plan(file) for file in files]
    for plan in plans:
        tell_contest_level(plan)
    command = f"botyard contest run {' '.join(map(str, files))} --resume"
    ended = [play_out(plan, resume, anew, quiet or as_json, command) for plan in plans]
    if as_json:
        values = [final_values(plan, report_too) for plan in plans]
        print_json(values[0] if len(values) == 1 else values)
    else:
        for plan, (course, _) in zip(plans, ended, strict=True):
            show_standings(plan.title, course.standings())
            if report_too:
                final_values(plan, report_too)
                say("report: {file}", file=report_folder(plan) / "report.html")
    if any(void for _, void in ended):
        raise typer.Exit(1)


def final_values(plan: Plan, write: bool) -> dict[str, Any]:
    """What a finished contest says; its report is written on the way if it is wanted."""
    from botyard.contest.report import report_folder, write_report
    from botyard.contest.runner import open_begun
    from botyard.contest.summary import summarize

    with open_begun(plan) as store:
        paths = write_report(plan, store, report_folder(plan)) if write else []
        return {**summarize(plan, store), "report": [str(path) for path in paths]}


def play_out(plan: Plan, resume: bool, anew: bool, quiet: bool, command: str) -> tuple[Any, int]:
    """Runs a contest with a bar; the course at its end, and how many games were void for good."""
    from botyard.cli.bar import bar
    from botyard.contest.runner import run_contest
    from botyard.contest.store import Store

    try:
        with reasons_told(plan), stoppable(), bar(plan.title, quiet) as watch:
            course, _ = run_contest(plan, resume=resume, anew=anew, watch=watch)
    except KeyboardInterrupt:
        with Store.open(plan.store_path) as store:
            recorded = store.counts().recorded
        errors.print(f"stopped; {recorded} games are recorded", highlight=False)
        note("go on with: {command}", command=command)
        raise typer.Exit(INTERRUPTED) from None
    with Store.open(plan.store_path) as store:
        void = store.counts().void
    if void:
        note("[yellow]{void} games are void: faults of ours spoiled every attempt[/]", void=void)
        tell_faults(plan)
    return course, void


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """A polite kill stops as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def show_standings(title: str, standings: Standings) -> None:
    heads = ["bot", ">place", *(f">{head}" for head in standings.heads)]
    rows = [[row.bot, row.place, *(figure(value) for value in row.columns.values())] for row in standings.rows]
    print_rows(heads, rows, title)
    if standings.verdict:
        say("{verdict}", verdict=standings.verdict)


def figure(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


@app.command()
def status(file: ContestFile, as_json: Json = False) -> None:
    """How far a contest is, who runs it, and the standings up to the first game that is missing."""
    from botyard.contest.reading import read_plan
    from botyard.contest.runner import open_begun, replay_course
    from botyard.contest.summary import standings_values

    plan = read_plan(file)
    with open_begun(plan) as store:
        counts, holder, faults = store.counts(), store.holder, store.faults()
        course, finished = replay_course(plan, store)
    state = "finished" if finished else f"running: {holder}" if holder else "interrupted"
    if as_json:
        games = {"asked": counts.all, "recorded": counts.recorded, "leased": counts.leased, "void": counts.void}
        values = {"state": state.partition(":")[0], "holder": holder, "games": games, "house_faults": len(faults)}
        print_json({**values, "standings": standings_values(course.standings())})
        return
    least = max(plan.estimate.least, counts.all)
    games = {"recorded": counts.recorded, "least": least, "leased": counts.leased}
    say("{state}; {recorded} of at least {least} games, {leased} being played", state=state, **games)
    if faults:
        number, worker, reason = faults[-1]
        last = reason.strip().splitlines()[-1]
        note = f"{len(faults)} faults of ours, played again; the last: game {number} on {worker}: {last}"
        say("{note}", note=note)
    show_standings(plan.title, course.standings())
    if not finished and not holder:
        say("go on with: botyard contest run {file} --resume", file=file)


@app.command()
def report(
    file: ContestFile,
    to: Annotated[Path | None, typer.Option("--to", metavar="FOLDER", help="Where the report goes.")] = None,
    as_json: Json = False,
) -> None:
    """Write the report of a contest, finished or not: a page, Markdown, CSV, JSON, and the original's own papers."""
    from botyard.contest.reading import read_plan
    from botyard.contest.report import report_folder, write_report
    from botyard.contest.runner import open_begun
    from botyard.contest.summary import summarize

    plan = read_plan(file)
    with open_begun(plan) as store:
        if as_json:
            print_json(summarize(plan, store))
            return
        paths = write_report(plan, store, to or report_folder(plan))
    for path in paths:
        say("{path}", path=path)


@app.command()
def replay(
    file: ContestFile,
    number: Annotated[int, typer.Argument(metavar="ID", help="The number of a game, as in games.csv.")],
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="Where the replay goes.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Show its end at once.")] = False,
) -> None:
    """Get the replay of one game: kept with the store, or played again where house bots play alone."""
    from botyard.cli.replays import show as show_replay
    from botyard.contest.find_replay import replay_of
    from botyard.contest.reading import read_plan
    from botyard.contest.runner import open_begun

    plan = read_plan(file)
    with open_begun(plan) as store:
        row = store.row(number)
        record = replay_of(plan, store, row)
    path = to or Path(f"{plan.path.stem}-{number}.replay")
    record.write(path)
    say("{match}, game {game}: {result}", match=row.pairing.match, game=row.pairing.game, result=str(row.result))
    if show:
        show_replay(path, None, False, 100)
    say("replay: {path}; botyard show {path} --play", path=path)


def compare(
    game: Game,
    one: Annotated[
        str, typer.Argument(metavar="A", help="The new version, as in `play`.", autocompletion=complete_bot)
    ],
    other: Annotated[str, typer.Argument(metavar="B", help="The old one.", autocompletion=complete_bot)],
    better: Annotated[
        int, typer.Option(min=51, max=99, help="Percent of the uneven pairs that counts as better.")
    ] = 60,
    false: Annotated[
        int, typer.Option(min=1, max=49, help="At most so many times in 100 one of two equals is called better.")
    ] = 5,
    miss: Annotated[int, typer.Option(min=1, max=49, help="At most so many times in 100 a better bot is missed.")] = 5,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs after which the test gives up.")] = 2000,
    seed: Annotated[int | None, typer.Option(help="Seed of the comparison; random by default.")] = None,
    assignments: Assignments = None,
    executor: Annotated[str, typer.Option(help="inline, local or ray.")] = "local",
    trusted: Open = False,
    limited: Limited = False,
    memory: Memory = 1024,
    toolchains: Toolchains = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Is A better than B? Plays pairs of games with swapped seats on one seed until it can tell.

    The stated error rates hold whatever the seats, maps and draws are worth; the test stops by itself.

    Example: botyard compare GAME py:new.py py:old.py
    """
    from botyard.contest.summary import standings_values

    with tempfile.TemporaryDirectory(prefix="botyard-compare-") as folder:
        options = {"better_percent": better, "false_percent": false, "miss_percent": miss, "most_pairs": pairs}
        settings = read_settings(assignments or [], None)
        policy = custody_of(trusted, limited, memory, toolchains=toolchains)
        plan = comparison(Path(folder), game, (one, other), settings, seed, executor, options, policy)
        course, void = play_out(plan, False, False, quiet or as_json, "the same command again")
    if as_json:
        finding = {
            "finding": course.test.finding,
            "pairs": course.pairs,
            "uneven": course.uneven,
            "taken": course.taken,
        }
        print_json({**finding, "seed": str(plan.seed), "void": void, "standings": standings_values(course.standings())})
    else:
        show_standings(plan.title, course.standings())
    if void:
        raise typer.Exit(1)


def comparison(
    folder: Path, game: str, specs: tuple[str, str], settings: dict[str, Any], seed: int | None, executor: str,
    options: dict[str, int], policy: CagePolicy,
) -> Plan:  # fmt: skip
    """A contest of two without a file of its own; its store goes into a folder that is left behind by nobody."""
    from botyard.contest.plan import named_bots
    from botyard.contest.reading import BadPlan, ContestReader
    from botyard.kernel.settings import fresh_seed

    content = {
        "title": f"{specs[0]} against {specs[1]}",
        "game": game,
        "seed": fresh_seed() if seed is None else seed,
        "settings": settings,
        "bots": named_bots(specs),
        "format": {"kind": "compare", **options},
        "cage": {"level": policy.wanted or "", "memory_mb": policy.limits.memory_mb},
        "toolchains": {name: str(folder) for name, folder in policy.added.items()},
        "run": {"executor": executor, "replays": False},
    }
    reader = ContestReader(folder / "compare.toml", base=Path.cwd())
    plan = reader.read(content)
    if plan is None or reader.mistakes:
        raise BadPlan(Path("the comparison"), reader.mistakes)
    return plan
