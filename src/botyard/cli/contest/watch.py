"""`botyard contest watch` plays whatever a new or changed bot makes due, and waits for the next change.

It keeps nothing in memory that counts: the store holds every game, so it may be ended at any moment and begun again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from botyard.cli.console import Lines, note, say
from botyard.cli.contest.group import ContestFile, app, near
from botyard.cli.contest.play import (
    begin_and_play,
    build_all,
    final_values,
    report_file,
    show_end,
    stoppable,
    tell_changes,
)
from botyard.cli.options import Quiet
from botyard.cli.ready import tell_contest_level
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.contest.lookout import Look, Lookout
    from botyard.contest.plan import Plan


@app.command()
def watch(
    file: ContestFile,
    once: Annotated[bool, typer.Option("--once", help="Play what is due now, and end.")] = False,
    quiet: Quiet = False,
) -> None:
    """Play what new and changed bots make due, and wait for the next change. Ctrl-C ends it.

    The contest file must say rerun = "on_change". After each change the standings are shown and the report is written.

    A line such as newcomers = "dir:subs/*" among its bots lets everybody take part who puts a bot into that folder.
    """
    from botyard.contest.lookout import Lookout

    lookout = Lookout(file)
    try:
        with stoppable():
            seen = lookout.at_rest(tell_writing)
            void = play_round(file, quiet)  # it raises what is wrong: somebody has just typed the command
            if void is None:
                say("nothing is due: no bot has changed since the last game")
            if not once:
                follow(file, lookout, seen, quiet)
    except KeyboardInterrupt:
        say("stopped watching; every game is kept")
        return
    if void:
        raise typer.Exit(1)


def follow(file: Path, lookout: Lookout, seen: Look, quiet: bool) -> None:
    """Plays a round after each change. A round that cannot be played is told of once, and the next change awaited."""
    tell_waiting(file)
    trouble = ""
    while True:
        lookout.await_change(seen)
        seen = lookout.at_rest(tell_writing)
        try:
            played = play_round(file, quiet) is not None
        except YardError as error:
            if str(error) != trouble:
                trouble = str(error)
                note("[yellow]nothing was played:[/] {error}", error=Lines(trouble))
                note("waiting until that is mended; the games so far are kept")
            continue
        if played or trouble:
            tell_waiting(file)
        trouble = ""


def tell_waiting(file: Path) -> None:
    say("waiting for changes of {file} and its bots; Ctrl-C ends it", file=file.name)


def tell_writing(path: str) -> None:
    note("waiting until nobody writes to {path}", path=path)


def play_round(file: Path, quiet: bool) -> int | None:
    """Plays what is due, writes the report and shows the standings; returns how many games stayed void, None if nothing
    was due."""
    plan = read_watched(file)
    if not is_due(plan):
        return None
    tell_contest_level(plan)
    tell_changes(plan)
    build_all(plan, quiet)
    void = begin_and_play(plan, False, quiet, [file])
    final_values(plan, True)
    show_end(plan, over=False)  # further games may follow, from the same seed
    say("report: {file}", file=near(report_file(plan)))
    return void


def read_watched(file: Path) -> Plan:
    """Returns the plan of a contest that is to be watched."""
    from botyard.contest.plan import ON_CHANGE
    from botyard.contest.reading import read_plan

    plan = read_plan(file)
    if not plan.watched:
        hint = f'write rerun = "{ON_CHANGE}" at its top, or play it when you want with `botyard contest run`'
        raise YardError(f"{file.name} does not say that changed bots play at once", hint=hint)
    return plan


def is_due(plan: Plan) -> bool:
    """Whether there is anything to play or to show anew: the contest is not finished, or its file or bots changed."""
    from botyard.contest.opening import is_restated, open_store, pending_amendment, played_plan
    from botyard.contest.runner import replay_course

    if not plan.store_path.exists() or pending_amendment(plan) is not None:
        return True
    with open_store(plan, anew=False) as store:
        return is_restated(plan, store) or not replay_course(played_plan(store, plan.path), store)[1]
