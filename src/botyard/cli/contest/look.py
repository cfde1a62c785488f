"""`botyard contest status`, `report` and `replay` show what was played."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from botyard.cli.console import Lines, note, print_json, say
from botyard.cli.contest.group import ContestFile, app, near, show_standings
from botyard.cli.options import Json
from botyard.kernel.plain import clean

if TYPE_CHECKING:
    from botyard.contest.opening import PlayedContest
    from botyard.contest.plan import Plan
    from botyard.contest.rows import GameRow
    from botyard.contest.store import Counts


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
    standings = concluded(course.standings(), finished and not plan.watched, plan.guests, plan.names)
    tell_differences(played)
    state = "finished" if finished else f"running: {holder}" if holder else "interrupted"
    if as_json:
        games = {"asked": counts.all, "recorded": counts.recorded, "leased": counts.leased, "void": counts.void}
        values = {"state": state.partition(":")[0], "holder": holder, "games": games, "house_faults": len(faults)}
        print_json({**values, "standings": standings_values(standings)})
        return
    say("{state}; {progress}", state=state, progress=progress_told(plan, counts, finished, bool(holder)))
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


def progress_told(plan: Plan, counts: Counts, finished: bool, running: bool) -> str:
    if finished:
        return f"{counts.recorded} games"
    least, most = plan.estimate
    expected = max(least, counts.all)
    due = f"{expected}" if expected == most else f"at least {expected}"
    return f"{counts.recorded} of {due} games" + (f", {counts.leased} being played" if running else "")


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
        say("{path}", path=near(path))


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
    from botyard.contest.messages import NO_TURNS
    from botyard.contest.opening import open_played
    from botyard.match.turns import write_turns

    with open_played(file) as played:
        plan, store = played.plan, played.store
        row = store.row(number)
        if row.result is not None:
            match, game = row.pairing.match, row.pairing.game
            say("{match}, game {game}: {result}", match=match, game=game, result=str(row.result))
            tell_lost(plan, row)
        record = asyncio.run(replay_of(plan, store, row))
        log = turn_log_of(store, row, record)
    path = to or Path(f"{plan.path.stem}-{number}.replay")
    record.write(path)
    if log is not None:
        write_turns(path, log)
    if show:
        show_replay(path, None, False, 100)
    say("replay: {path}; botyard show {path} --play", path=path)
    if log is not None:
        say("its turns: botyard report {path}", path=path)
    elif row.lost:
        why = 'turn_logs = "none"' if plan.conduct.turn_logs == NO_TURNS else "newer ones needed the room"
        say("the turns themselves were not kept: {why}", why=why)


def tell_lost(plan: Plan, row: GameRow) -> None:
    """Says of each bot which turns it lost, why, and what its author can do."""
    for bot, own in (row.lost or {}).items():
        for verdict, lost in own.items():
            told = {"bot": plan.names.get(bot, bot), "verdict": verdict, "count": lost.count, "when": lost.when}
            say("{bot}: {verdict} {count}, first {when}: {reason}", **told, reason=clean(lost.reason))
            say("  remedy: {remedy}", remedy=clean(lost.remedy))
