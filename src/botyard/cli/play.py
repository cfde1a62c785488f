"""`botyard play` plays games between any bots."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botyard.cli.console import Lines, errors, note, say
from botyard.cli.host import PACE, hand_out, is_failure, pace_of
from botyard.cli.like import LikeWish, play_recorded
from botyard.cli.options import (
    Assignments,
    Freeze,
    GameOrNone,
    Json,
    Like,
    Limited,
    Me,
    Memory,
    Open,
    OwnSeats,
    Preset,
    Quiet,
    SettingsFile,
    SiteOption,
    Toolchains,
    cage_policy_of,
    complete_bot,
    read_settings,
)
from botyard.cli.play_results import report, report_game
from botyard.cli.ready import make_ready
from botyard.cli.report import write_report
from botyard.cli.starts import check_starts
from botyard.cli.waiting import Wait, WaitingCommand, admit, announce, check_waiting, patience_of, waiting_time
from botyard.cli.web import NoBrowser
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.cli.web_play import WebShow
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
COMMANDS = {"play": WaitingCommand}


@dataclass(frozen=True)
class Order:
    """What the command line asks to be played, with everything checked."""

    book: Rulebook
    settings: Settings
    bots: list[BotSpec]
    seed: int
    games: int
    wait_s: float | None = None  # how long to wait for bots that connect by themselves; None: for ever
    patient: bool = False  # whether the clock waits for people


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
    game: GameOrNone = None,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT BOT...",
            help="house:NAME, py:FILE[:FUNCTION], cmd:'COMMAND LINE', dir:BOT (a file or folder in any language, built "
            "if necessary), json:'COMMAND LINE' (speaks Botyard's own protocol; json:listen[:PORT] over a WebSocket), "
            "listen[:PORT] (connects by itself) or human[:NAME] (you, with the keys of this terminal, or of a "
            "page with --web).",
            autocompletion=complete_bot,
            show_default=False,
        ),
    ] = None,
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
    web: Annotated[
        bool, typer.Option("--web", help="Show the game live in the browser, and stay to review it.")
    ] = False,
    no_browser: NoBrowser = False,
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
    like: Like = None,
    me: Me = "",
    seats: OwnSeats = None,
    site: SiteOption = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Play games between bots and say what became of every turn.

    Examples: botyard play GAME house:BOT 'cmd:python3 mybot.py' --seed 7 --watch
    botyard play --like replays/GAME-7.replay --me dir:mybot --seat 0

    With --like a recorded game is played again: your bot sits in your seats, the others give their recorded orders.
    It says in which tick your bot first answered otherwise; if it never does, the replay is the same byte for byte.
    The exit status is 1 if anything was otherwise.

    Programs run in a cage: they see the folder they lie in, and nothing else of this machine. `botyard doctor` says
    whether cages work here.

    Games between house bots only are compiled all the way: a thousand take seconds.
    """
    from botyard.match.original_files import OriginalFiles
    from botyard.match.report import TurnReport

    policy = cage_policy_of(trusted, limited, memory, freeze, toolchains)
    if like is not None:
        wrong = {"GAME": game, "--seed": seed is not None, "--games": games > 1, "--web": web, "--wait": wait}
        values = read_settings(assignments or [], file)
        wish = LikeWish(like, me, seats or [], values, preset, site, replay, watch, pace)
        play_recorded(wish, {**wrong, "--report": report_file}, policy, quiet, as_json)
        return
    if me or seats:
        raise YardError("--me and --seat are given without --like", hint="name the recorded game: --like FILE or MATCH")
    if game is None or not bots:
        raise YardError(
            "nobody is named who plays", hint="write botyard play GAME BOT BOT, as in `botyard play --help`"
        )
    order = read_order(game, bots, seed, preset, read_settings(assignments or [], file), games, policy, wait, web)
    people = any(spec.is_person for spec in order.bots)
    check_shown(watch, web, no_browser, people, one=games == 1 and not as_json)
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
    speed = pace_of(order.settings, pace) if watch or web or people else None

    async def playing(show: WebShow | None = None) -> PlayedSeries:
        return await play_through_loop(order, originals, replay, speed, silent, told, show)

    def tell(played: PlayedSeries) -> bool:
        """Says what came of it; whether anything was played."""
        if played.last is None:
            return False
        if series:
            report(order, played.results, as_json)
        else:
            report_game(order, played, quiet, as_json)
        hand_out(originals, silent)
        if told is not None and report_file is not None:
            write_report(told, report_file)
            if not as_json:
                say("report: {file}", file=report_file)
        return True

    if web:
        from botyard.cli.web_play import on_web

        played = asyncio.run(on_web(playing, tell, no_browser))
    else:
        played = asyncio.run(playing())
        tell(played)
    conclude(played, games)


def conclude(played: PlayedSeries, games: int) -> None:
    """Says what was not played or written, and ends with the status that this means."""
    if played.last is None:
        announce(f"{played.ended}; nothing was played")
        raise typer.Exit(1)
    if played.unsaved is not None:
        raise played.unsaved
    if played.ended:
        announce(f"{played.ended}; {len(played.results)} of {games} games were played")
    if played.ended or played.failed or any(result.void for result in played.results):
        raise typer.Exit(1)


def check_shown(watch: bool, web: bool, no_browser: bool, people: bool, one: bool) -> None:
    """Refuses what cannot be shown in one place."""
    if (watch or web or people) and not one:
        what = "a person plays" if people else "--watch shows" if watch else "--web shows"
        raise YardError(f"{what} one game", hint="leave --games and --json out")
    if watch and web:
        raise YardError("--watch and --web are given", hint="choose the terminal or the browser")
    if no_browser and not web:
        raise YardError("--no-browser is given without --web", hint="add --web, or leave it out")


def read_order(
    game: str,
    bots: Sequence[str],
    seed: int | None,
    preset: str | None,
    values: dict[str, Any],
    games: int,
    policy: CagePolicy,
    wait_s: float | None = None,
    web: bool = False,
) -> Order:
    from botyard.games import load
    from botyard.kernel.settings import checked_seed, fresh_seed, split_seed
    from botyard.links.bot_spec import read_player_spec

    book = load(game)
    inner, rest = split_seed(values)
    chosen = seed if seed is not None else inner
    book.facts.check_seats(len(bots))
    settings = book.settings.read(rest, preset).seated(len(bots))
    specs = [read_player_spec(bot, book, policy) for bot in bots]
    patient = check_waiting(specs, wait_s)
    if any(spec.is_person for spec in specs) and not web:
        from botyard.cli.people import check_people

        check_people(sum(spec.is_person for spec in specs), book.facts, settings, patient)
    own = fresh_seed() if chosen is None else checked_seed(chosen)
    return Order(book, settings, specs, own, games, waiting_time(book, settings, rest, wait_s), patient)


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
    order: Order,
    originals: OriginalFiles,
    replay: Path | None,
    pace: int | None,
    quiet: bool,
    told: TurnReport | None,
    show: WebShow | None = None,
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
                played = await play_one(order, game, number, pace, quiet, show)
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


async def play_one(
    order: Order, game: LiveGame, number: int, pace: int | None, quiet: bool, show: WebShow | None = None
) -> Played:
    """Plays one game of a series, and shows it meanwhile if a pace is given."""
    from botyard.links.bot_spec import Seating
    from botyard.links.starts import unless_all_start
    from botyard.match.clock import LoopClock
    from botyard.match.loop import play_game

    def notice(text: str) -> None:
        if not quiet:
            note("{text}", text=Lines(text))

    patience = patience_of(order.wait_s)
    seating = Seating(
        order.book, order.settings, LoopClock(), notice, number,
        announce=announce, patience=patience, waits_for_people=order.patient,
    )  # fmt: skip
    players = [spec.seat_player(seating, at) for at, spec in enumerate(order.bots)]
    if seating.visitors:
        await admit(seating.visitors, players, order.wait_s, quiet)
    enough = unless_all_start(game, order.bots) if number == 1 else None
    if pace is None:
        return await play_game(game, players, enough=enough)
    people = {at: seating.people[game.entrant(at)] for at in range(game.seats) if game.entrant(at) in seating.people}
    if show is not None:
        outsiders = any(spec.comes_by_itself for spec in order.bots)
        return await show.play(game, players, people, pace, enough, patient=order.patient, outsiders=outsiders)
    if people:
        from botyard.cli.people import play_at_terminal

        return await play_at_terminal(game, players, people, pace, enough, order.patient)
    from botyard.cli.screen import play_watched

    return await play_watched(game, players, pace, enough)


def replay_path(order: Order, given: Path | None, seed: int, series: bool) -> Path:
    name = f"{order.book.facts.name}-{seed}.replay"
    if given is None:
        return REPLAYS / name
    return given / name if series or given.is_dir() else given


def save(played: Played, path: Path) -> None:
    from botyard.match.turns import write_turns

    played.replay.write(path)
    write_turns(path, played.log)
