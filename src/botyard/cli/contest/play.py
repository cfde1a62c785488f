"""`botyard contest run` plays a contest to its end, and goes on with one that has begun."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botyard.cli.console import errors, note, print_json, say
from botyard.cli.contest.group import app, near, show_standings
from botyard.cli.contest.live import live_page, wait_for_ctrl_c
from botyard.cli.faults import reasons_told, tell_faults
from botyard.cli.options import Json, Quiet
from botyard.cli.ready import tell_contest_level
from botyard.cli.web import NoBrowser
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.contest.live.snapshot import LiveContest
    from botyard.contest.plan import Plan
    from botyard.contest.runner import News
    from botyard.contest.store_file import StoreFile

INTERRUPTED = 130  # the exit status that shells use for Ctrl-C


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
    web: Annotated[
        bool,
        typer.Option("--web", help="Show the contest live on a page of this machine; it stays open until Ctrl-C."),
    ] = False,
    no_browser: NoBrowser = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run a contest to its end and show the standings.

    It may be stopped at any moment, even by kill -9: the same command goes on, and the final table is the same.

    If bots were added, mended or taken out meanwhile, it says which games stay and which are played anew, and asks.

    With --web a page shows standings, running games and the champion, for a projector: full screen is F11.
    """
    from botyard.contest.reading import read_plan

    if resume and anew:
        raise YardError("--resume and --anew exclude each other", hint="--resume goes on, --anew begins again")
    plans = [read_plan(file) for file in files]
    for plan in plans:
        tell_contest_level(plan)
    silent = quiet or as_json
    for plan in plans:  # whatever needs an answer comes before the first game of the first contest
        if not anew:
            agree_to_changes(plan, yes)
    for plan in plans:
        build_all(plan, silent)
    with live_page(plans, wanted=web, browser=not no_browser) as contests:
        voids, values = [], []
        for plan, live in zip(plans, contests, strict=True):
            voids.append(begin_and_play(plan, anew, silent, files, live))
            if live is not None:
                live.end("over")  # nobody in front of the page should wait for the report
            values.append(final_values(plan, report_too) if report_too or as_json else {})
            if live is not None and report_too:
                live.end("over", report_file(plan))
        tell_results(plans, values, report_too, as_json)
        if web:
            wait_for_ctrl_c()
    if any(voids):
        raise typer.Exit(1)


def tell_results(plans: Sequence[Plan], values: Sequence[dict[str, Any]], report_too: bool, as_json: bool) -> None:
    if as_json:
        print_json(values[0] if len(values) == 1 else values)
        return
    for plan in plans:
        show_end(plan)
        if report_too:
            say("report: {file}", file=near(report_file(plan)))


def begin_and_play(plan: Plan, anew: bool, quiet: bool, files: Sequence[Path], live: LiveContest | None = None) -> int:
    """Plays a contest whose bots were built; returns how many games stayed void."""
    from botyard.contest.opening import open_store

    with open_store(plan, anew=anew) as store:
        if plan.root is None and not quiet:
            tell_seed(plan, store)
    return play_out(plan, False, quiet, lambda: tell_stopped(plan, files), live)[1]


def tell_seed(plan: Plan, store: StoreFile) -> None:
    """Tells the hash of a seed that was drawn; once the contest has ended the seed has been shown, and is no secret."""
    from botyard.contest.opening import pending_amendment, played_plan
    from botyard.contest.roots import root_hash
    from botyard.contest.runner import replay_course

    if plan.watched or not replay_course(played_plan(store, plan.path), store)[1]:
        note("the seed is secret until the end; its hash is {hash}", hash=root_hash(store.root))
    elif pending_amendment(plan) is not None:
        note("[yellow]the seed has been shown, so the games to come can be foreseen; --anew draws another[/]")


def tell_changes(plan: Plan) -> bool:
    """Tells which bots have changed since the contest was played, and what that costs; returns whether games are lost.

    Nothing is told if they are the same.
    """
    from botyard.contest.amendment import described
    from botyard.contest.opening import pending_amendment

    amendment = pending_amendment(plan)
    if amendment is None:
        return False
    what = "; ".join(described(amendment.changes)) or "the bots stand in another order"
    note("{file}: {what}", file=plan.path.name, what=what)
    for line in amendment.lines:
        note("  {line}", line=line)
    return bool(amendment.dropped)


def agree_to_changes(plan: Plan, yes: bool) -> None:
    """Tells what changed bots cost, and asks whether to go on. Without a terminal nobody can agree to a loss."""
    if not tell_changes(plan) or yes:
        return
    if not sys.stdin.isatty() or not typer.confirm("go on so?", err=True):
        raise YardError("the bots have changed, and nothing was played", hint="undo the changes, or agree with --yes")


def build_all(plan: Plan, quiet: bool) -> None:
    """Builds the bots, and names those that forfeit their games because they cannot be built."""
    from botyard.contest.bot_checks import telling_line
    from botyard.contest.runner import check_built

    with contextlib.nullcontext() if quiet else errors.status("building the bots", spinner="line"):
        failed = asyncio.run(check_built(plan))
    for key in (key for key in plan.bots if key in failed):
        note("[yellow]{name} forfeits its games:[/] {why}", name=plan.names[key], why=telling_line(failed[key]))
    if failed:
        note("`botyard contest check {file}` says more", file=plan.path.name)


def tell_stopped(plan: Plan, files: Sequence[Path]) -> None:
    from botyard.contest.store_file import StoreFile

    recorded = 0
    if plan.store_path.exists():
        with StoreFile.open(plan.store_path) as store:
            recorded = store.counts().recorded
    errors.print(f"stopped; {recorded} games are recorded", highlight=False)
    note("go on with: botyard contest run {files}", files=shlex.join(map(str, files)))


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


def report_file(plan: Plan) -> Path:
    from botyard.contest.report import report_folder

    return report_folder(plan) / "report.html"


def play_out(
    plan: Plan, anew: bool, quiet: bool, stopped: Callable[[], None], live: LiveContest | None = None
) -> tuple[Any, int]:
    """Runs a contest with a progress bar; returns the course at its end, and how many games stayed void.

    `stopped` tells what is there if somebody stops it. A live page is told the news, too.
    """
    from botyard.cli.bar import bar
    from botyard.contest.runner import play_built
    from botyard.contest.store_file import StoreFile

    try:
        with reasons_told(plan), stoppable(), bar(plan.title, quiet) as watch:

            def tell(news: News) -> None:
                watch(news)
                if live is not None:
                    live.watch(news)

            course, _ = asyncio.run(play_built(plan, anew=anew, watch=tell, boards=live is not None))
    except KeyboardInterrupt:
        stopped()
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


def show_end(plan: Plan, over: bool = True) -> None:
    """Shows the standings of all bots that took part; if no games follow, also the champion and the seed."""
    from botyard.contest.opening import open_played
    from botyard.contest.roots import root_text
    from botyard.contest.runner import replay_course
    from botyard.rank.standings import concluded

    with open_played(plan.path) as played:
        course, finished = replay_course(played.plan, played.store)
        root = root_text(played.store.root)
    standings = concluded(course.standings(), finished and over, played.plan.guests, played.plan.names)
    show_standings(played.plan, standings)
    if plan.root is None and over:
        say("seed: {root}", root=root)
