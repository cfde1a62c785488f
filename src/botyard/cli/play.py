"""`botyard play` plays games between any bots."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botyard.cli.console import Lines, errors, note, print_json, print_table, say
from botyard.cli.host import PACE, hand_out, is_failure, memory_warnings, pace_of
from botyard.cli.lost import stretch_values, tell_lost_turns
from botyard.cli.options import (
    Assignments,
    Freeze,
    Game,
    Json,
    Limited,
    Memory,
    Open,
    Preset,
    Quiet,
    SettingsFile,
    Toolchains,
    cage_policy_of,
    complete_bot,
    read_settings,
)
from botyard.cli.outcome import say_result, tell_void
from botyard.cli.ready import make_ready
from botyard.cli.report import write_report
from botyard.cli.starts import check_starts
from botyard.cli.waiting import Wait, admit, announce, patience_of, waiting_time
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.games.game import Game as LiveGame
    from botyard.kernel.rulebook import Rulebook
    from botyard.kernel.settings import Settings
    from botyard.links.bot_spec import BotSpec
    from botyard.links.cage_policy import CagePolicy
    from botyard.match.loop import Played
    from botyard.match.original_files import OriginalFiles
    from botyard.match.report import TurnReport
    from botyard.match.series import SeriesGame

REPLAYS = Path("replays")


@dataclass(frozen=True)
class Order:
    """What the command line asks to be played, with everything checked."""

    book: Rulebook
    settings: Settings
    bots: list[BotSpec]
    seed: int
    games: int
    wait_s: float | None = None  # how long to wait for bots that connect by themselves; None: for ever


@dataclass
class PlayedSeries:
    """What came of a series of games played by the match loop."""

    results: list[SeriesGame] = field(default_factory=list)
    last: Played | None = None
    path: Path = REPLAYS  # where the last game's replay is
    failed: bool = False  # whether a bot's program failed and the settings want the exit status to say so
    ended: str = ""  # why no further game could be played
    unsaved: YardError | None = None  # why a replay could not be written, though the game was played


def play(
    game: Game,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT BOT...",
            help="house:NAME, py:FILE[:FUNCTION], cmd:'COMMAND LINE', dir:BOT (a file or folder in any language, built "
            "if necessary), json:'COMMAND LINE' (speaks Botyard's own protocol; json:listen[:PORT] over a WebSocket) "
            "or listen[:PORT] (connects by itself).",
            autocompletion=complete_bot,
        ),
    ],
    seed: Annotated[
        int | None, typer.Option(help="Seed of the first game, one more for each further game. Random by default.")
    ] = None,
    preset: Preset = None,
    assignments: Assignments = None,
    file: SettingsFile = None,
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 1,
    replay: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Path of the replay; with several games, a folder. Default: replays/."),
    ] = None,
    report_file: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write what became of every turn; as JSON if FILE ends in .json. For several games: a summary of all, "
            "and the lost turns.",
        ),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Show the game live.")] = False,
    pace: Annotated[
        int | None,
        typer.Option(min=0, help=f"Ticks per second when watching; 0: no limit. {PACE}, or the game's own."),
    ] = None,
    trusted: Open = False,
    limited: Limited = False,
    toolchains: Toolchains = None,
    memory: Memory = 1024,
    freeze: Freeze = False,
    wait: Wait = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Play games between bots and say what became of every turn.

    Example: botyard play GAME house:BOT 'cmd:python3 mybot.py' --seed 7 --watch

    Programs run in a cage: they see the folder they lie in, and nothing else of this machine. `botyard doctor` says
    whether cages work here.

    Games between house bots only are compiled all the way: a thousand take seconds.
    """
    from botyard.match.original_files import OriginalFiles
    from botyard.match.report import TurnReport

    policy = cage_policy_of(trusted, limited, memory, freeze, toolchains)
    order = read_order(game, bots, seed, preset, read_settings(assignments or [], file), games, policy, wait)
    if watch and (games > 1 or as_json):
        raise YardError("--watch shows one game", hint="leave --games and --json out")
    series, silent = games > 1, quiet or as_json
    originals = OriginalFiles(order.book, order.settings, games)
    told = None if report_file is None else TurnReport(series=series)
    if series and replay is None and told is None and all(spec.house for spec in order.bots):
        results = play_compiled(order, originals, silent)
        report(order, results, as_json)
        hand_out(originals, silent)
        if any(result.void for result in results):
            raise typer.Exit(1)
        return
    speed = pace_of(order.settings, pace) if watch else None
    played = asyncio.run(play_through_loop(order, originals, replay, speed, silent, told))
    if played.last is None:
        announce(f"{played.ended}; nothing was played")
        raise typer.Exit(1)
    if series:
        report(order, played.results, as_json)
    else:
        report_game(order, played, quiet, as_json)
    hand_out(originals, silent)
    if told is not None and report_file is not None:
        write_report(told, report_file)
        if not as_json:
            say("report: {file}", file=report_file)
    if played.unsaved is not None:
        raise played.unsaved
    if played.ended:
        announce(f"{played.ended}; {len(played.results)} of {games} games were played")
    if played.ended or played.failed or any(result.void for result in played.results):
        raise typer.Exit(1)


def read_order(
    game: str,
    bots: Sequence[str],
    seed: int | None,
    preset: str | None,
    values: dict[str, Any],
    games: int,
    policy: CagePolicy,
    wait_s: float | None = None,
) -> Order:
    from botyard.games import load
    from botyard.kernel.settings import checked_seed, fresh_seed, split_seed
    from botyard.links.bot_spec import read_bot_spec

    book = load(game)
    inner, rest = split_seed(values)
    chosen = seed if seed is not None else inner
    book.facts.check_seats(len(bots))
    settings = book.settings.read(rest, preset).seated(len(bots))
    specs = [read_bot_spec(bot, book, policy) for bot in bots]
    if wait_s is not None and not any(spec.comes_by_itself for spec in specs):
        raise YardError(
            "--wait is given, but no bot connects by itself",
            hint="leave it out, or name a bot as listen or json:listen",
        )
    own = fresh_seed() if chosen is None else checked_seed(chosen)
    return Order(book, settings, specs, own, games, waiting_time(book, settings, rest, wait_s))


def play_compiled(order: Order, originals: OriginalFiles, quiet: bool) -> list[SeriesGame]:
    from rich.progress import track

    from botyard.match.series import final_game, play_house, play_house_in_line, seeds_from

    bots = [spec.house or "" for spec in order.bots]
    results = []
    if order.settings.habits.own_seeds:
        seeds = seeds_from(order.seed, order.games)
        playing = play_house(order.book, order.settings, bots, seeds, keep_states=originals.wanted)
    else:
        playing = play_house_in_line(order.book, order.settings, bots, order.seed, order.games)
    for result in track(playing, "playing", order.games, console=errors, disable=quiet, transient=True):
        if originals.wanted and not result.void:
            originals.add_end(final_game(order.book, order.settings, result), bots)
        results.append(replace(result, state=b""))
    return results


async def play_through_loop(
    order: Order, originals: OriginalFiles, replay: Path | None, pace: int | None, quiet: bool, told: TurnReport | None
) -> PlayedSeries:
    from rich.progress import Progress

    from botyard.games.game import Game as LiveGame
    from botyard.links.visitors import NobodyCame
    from botyard.match.series import SeriesGame, following_seed

    for spec in order.bots:
        fault = await make_ready(spec, quiet)
        if fault is not None:
            raise YardError(f"{spec.label} cannot start: it is {fault.verdict}", hint=fault.reason)
    done = PlayedSeries()
    series, seed = order.games > 1, order.seed
    with Progress(console=errors, transient=True, disable=quiet or not series) as progress:
        task = progress.add_task("playing", total=order.games)
        for number in range(1, order.games + 1):
            game = LiveGame(order.book, order.settings, seed)
            try:
                played = await play_one(order, game, number, pace, quiet)
                if number == 1:
                    check_starts(game, order.bots, played)
            except NobodyCame as absence:
                done.ended = str(absence)
                break
            path = replay_path(order, replay, seed, series)
            if replay is not None or not series:
                try:
                    save(played, path)
                except YardError as error:
                    done.unsaved = error
            if told is not None:
                told.add(str(path) if replay is not None or not series else f"seed {seed}", played.replay, played.log)
            originals.add(played)
            done.last, done.path = played, path
            done.failed = done.failed or is_failure(order.settings, played)
            done.results.append(SeriesGame.of(played))
            seed = following_seed(game)
            progress.update(task, completed=number)
    return done


async def play_one(order: Order, game: LiveGame, number: int, pace: int | None, quiet: bool) -> Played:
    """Plays one game of a series, and shows it meanwhile if a pace is given."""
    from botyard.links.bot_spec import Seating
    from botyard.links.starts import unless_all_start
    from botyard.match.clock import LoopClock
    from botyard.match.loop import play_game

    def notice(text: str) -> None:
        if not quiet:
            note("{text}", text=Lines(text))

    patience = patience_of(order.wait_s)
    seating = Seating(order.book, order.settings, LoopClock(), notice, number, announce=announce, patience=patience)
    players = [spec.seat_player(seating, at) for at, spec in enumerate(order.bots)]
    if seating.visitors:
        await admit(seating.visitors, players, order.wait_s, quiet)
    names = [players[game.entrant(seat)].name for seat in range(game.seats)]
    enough = unless_all_start(game, order.bots) if number == 1 else None
    if pace is None:
        return await play_game(game, players, enough=enough)
    from botyard.cli.screen import play_watched

    return await play_watched(game, players, names, pace, enough)


def replay_path(order: Order, given: Path | None, seed: int, series: bool) -> Path:
    name = f"{order.book.facts.name}-{seed}.replay"
    if given is None:
        return REPLAYS / name
    return given / name if series or given.is_dir() else given


def save(played: Played, path: Path) -> None:
    from botyard.match.turns import write_turns

    played.replay.write(path)
    write_turns(path, played.log)


def report(order: Order, results: list[SeriesGame], as_json: bool) -> None:
    totals = [total_of(at, spec.label, results) for at, spec in enumerate(order.bots)]
    void = sum(result.void for result in results)
    ended = sum(result.void for result in results if result.culprits)
    if as_json:
        rows = [
            {"seed": str(r.seed), "winner": r.winner, "scores": r.scores, "void": r.void, "culprits": r.culprits}
            for r in results
        ]
        print_json({**heading(order), "games": len(results), "void": void, "totals": totals, "results": rows})
        return
    title = f"{order.book.facts.title}: {len(results)} games, seeds from {order.seed}"
    title += f", {ended} without a result" if ended else ""
    title += f", {void - ended} void" if void > ended else ""
    heads = ["bot", ">wins", ">draws", ">losses", ">points", ">faults"]
    for total in totals:
        total["faults"] = ", ".join(f"{verdict} {count}" for verdict, count in total["faults"].items())
    print_table(heads, ([total[head.strip(">")] for head in heads] for total in totals), title)
    tell_void(results)


def total_of(at: int, label: str, results: list[SeriesGame]) -> dict[str, Any]:
    counted = [result for result in results if not result.void]
    wins = sum(result.winner == at for result in counted)
    draws = sum(result.winner is None for result in counted)
    faults: dict[str, int] = {}
    for result in results:
        for verdict, count in (result.verdicts[at] if result.verdicts else {}).items():
            if verdict != "OK":
                faults[verdict] = faults.get(verdict, 0) + count
    return {
        "bot": label,
        "wins": wins,
        "draws": draws,
        "losses": len(counted) - wins - draws,
        "points": sum(result.scores[at] for result in counted),
        "faults": faults,
    }


def heading(order: Order) -> dict[str, Any]:
    facts = order.book.facts
    return {
        "game": facts.name,
        "rules_version": facts.rules_version,
        "settings": order.settings.of_group("rules"),
        "seed": str(order.seed),
        "bots": [spec.label for spec in order.bots],
    }


def report_game(order: Order, series: PlayedSeries, quiet: bool, as_json: bool) -> None:
    from botyard.match.blame import commonest
    from botyard.match.turns import sidecar_path

    played, path = series.last, series.path
    assert played is not None
    outcome, saved = played.outcome, series.unsaved is None
    levels = [seat.level for seat in played.seats]
    if as_json:
        result = None if outcome is None else {"winner": played.winner, "scores": played.scores, "draw": outcome.draw}
        missed = [
            {"tick": m.tick, "seat": m.seat, "verdict": m.verdict, "reason": m.reason} for m in played.replay.missed
        ]
        seats = {"names": played.names, "entrants": played.entrants, "verdicts": played.verdicts, "levels": levels}
        files = {"replay": str(path), "turns": str(sidecar_path(path))} if saved else {"replay": None, "turns": None}
        ticks = len(played.replay.ticks)
        print_json(
            {
                **heading(order),
                **seats,
                "ticks": ticks,
                "outcome": result,
                "missed": missed,
                "stretches": stretch_values(played),
                "trouble": played.trouble,
                "culprits": played.culprits,
                "warnings": memory_warnings(order.settings, played),
                **files,
            }
        )
        return
    if not quiet:
        tell_lost_turns(played, path)
        for warning in memory_warnings(order.settings, played):
            note("[yellow]{warning}[/]", warning=warning)
    if outcome is None:
        head = "no result" if played.culprits else "void"
        say("{head}: {trouble}", head=head, trouble=commonest([played.trouble]))
    else:
        say_result(played)
    if saved:
        say("replay: {path}", path=path)
