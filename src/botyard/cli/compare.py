"""`botyard compare` tests whether the new version of a bot is better than the old one."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botyard.cli.console import errors, note, print_json
from botyard.cli.contest.group import show_standings
from botyard.cli.contest.play import build_all, play_out
from botyard.cli.options import (
    Assignments,
    Game,
    Json,
    Limited,
    Memory,
    Open,
    Quiet,
    Toolchains,
    cage_policy_of,
    complete_bot,
    read_settings,
)
from botyard.kernel.errors import YardError, quoted

if TYPE_CHECKING:
    from botyard.contest.plan import Plan
    from botyard.links.cage_policy import CagePolicy


def compare(
    game: Game,
    one: Annotated[
        str, typer.Argument(metavar="A", help="The new version, as in `play`.", autocompletion=complete_bot)
    ],
    other: Annotated[str, typer.Argument(metavar="B", help="The old version.", autocompletion=complete_bot)],
    better: Annotated[
        int, typer.Option(min=51, max=99, help="Percentage of the uneven pairs that a better bot wins.")
    ] = 60,
    false: Annotated[
        int,
        typer.Option(min=1, max=49, help="Highest chance, in percent, that one of two equal bots is called better."),
    ] = 5,
    miss: Annotated[
        int, typer.Option(min=1, max=49, help="Highest chance, in percent, that a better bot is missed.")
    ] = 5,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs after which the test gives up.")] = 2000,
    seed: Annotated[int | None, typer.Option(help="Seed of the comparison; random by default.")] = None,
    assignments: Assignments = None,
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE", help="Keep the games in FILE.store, so that the test can go on."),
    ] = None,
    executor: Annotated[str, typer.Option(help="Where games are played: inline, local or ray.")] = "local",
    trusted: Open = False,
    limited: Limited = False,
    memory: Memory = 1024,
    toolchains: Toolchains = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Is A better than B? Plays pairs of games with swapped seats on one seed until it can tell.

    The stated error rates hold whatever seats, maps and draws contribute; the test stops by itself.

    Example: botyard compare GAME py:new.py py:old.py
    """
    from botyard.contest.summary_json import standings_values

    options = {"better_percent": better, "false_percent": false, "miss_percent": miss, "most_pairs": pairs}
    settings = read_settings(assignments or [], None)
    policy = cage_policy_of(trusted, limited, memory, toolchains=toolchains)
    with contextlib.ExitStack() as passing:
        where = named_by(store) if store else Path(passing.enter_context(temporary_folder())) / "compare"
        plan = comparison(where, game, (one, other), settings, seed, executor, options, policy)
        course, void = compared(plan, store, quiet or as_json)
        root = root_of_store(plan)
    if as_json:
        finding = {
            "finding": course.test.finding, "pairs": course.pairs, "uneven": course.uneven, "taken": course.taken,
        }  # fmt: skip
        print_json({**finding, "seed": root, "void": void, "standings": standings_values(course.standings())})
    else:
        show_standings(plan, course.standings())
    if void:
        raise typer.Exit(1)


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="botyard-compare-")


def named_by(store: Path) -> Path:
    """Returns the path of a store that the user names, without its ending: a dot in the name is part of it."""
    from botyard.contest.plan import STORE_SUFFIX

    name = store.name.removesuffix(STORE_SUFFIX)
    if not name or not store.parent.is_dir():
        raise YardError(f"--store {quoted(str(store))}", hint="name a file, in a folder that is there")
    if store.with_name(f"{name}.toml").exists():
        hint = "its store holds the games of that contest; name another --store"
        raise YardError(f"{name}.toml is a contest file", hint=hint)
    return store.with_name(name)


def compared(plan: Plan, store: Path | None, quiet: bool) -> tuple[Any, int]:
    """Plays a comparison to its end, or goes on with one that is kept."""
    if plan.store_path.exists():
        check_same(plan)
    build_all(plan, quiet)
    return play_out(plan, False, quiet, lambda: tell_stopped(plan, store))


def check_same(plan: Plan) -> None:
    """Refuses a store that holds something else than the games of this comparison."""
    from botyard.contest.identity import differences
    from botyard.contest.store_file import StoreFile

    hint = "name another --store"
    try:
        with StoreFile.open(plan.store_path) as store:
            kept = store.identity
    except YardError as error:
        raise YardError(error.message, hint=hint) from None
    different = differences(kept.rules, plan.identity.rules) + differences(kept.bots, plan.identity.bots)
    if not different and list(kept.bots) != plan.keys:
        different = ["the bots stand in another order"]
    if different:
        raise YardError(f"{plan.store_path.name} holds another comparison", hint="\n       ".join([*different, hint]))


def tell_stopped(plan: Plan, store: Path | None) -> None:
    """Tells what a comparison that was stopped has found so far, and how it can go on, if it can."""
    from botyard.contest.opening import open_played
    from botyard.contest.runner import replay_course

    errors.print("stopped", highlight=False)
    if plan.store_path.exists():
        with open_played(plan.path) as played:
            course, _ = replay_course(played.plan, played.store)
        show_standings(plan, course.standings())
    if store:
        note("the games are kept in {store}: the same command goes on", store=plan.store_path)
    else:
        note("nothing was kept; with --store FILE a comparison can be stopped and go on")


def root_of_store(plan: Plan) -> str:
    from botyard.contest.roots import root_text
    from botyard.contest.store_file import StoreFile

    with StoreFile.open(plan.store_path) as store:
        return root_text(store.root)


def comparison(
    where: Path, game: str, specs: tuple[str, str], settings: dict[str, Any], seed: int | None, executor: str,
    options: dict[str, int], policy: CagePolicy,
) -> Plan:  # fmt: skip
    """Returns the plan of a contest between two bots, which has no contest file; `where` names its store."""
    from botyard.contest.plan import named_bots
    from botyard.contest.reading import BadPlan, ContestReader

    content = {
        "title": f"{specs[0]} against {specs[1]}",
        "game": game,
        **({} if seed is None else {"seed": seed}),
        "settings": settings,
        "on_unbuilt": "stop",
        "bots": named_bots(specs),
        "format": {"kind": "compare", **options},
        "cage": {"level": policy.wanted or "", "memory_mb": policy.limits.memory_mb},
        "toolchains": {name: str(folder) for name, folder in policy.added.items()},
        "run": {"executor": executor, "replays": False},
    }
    where = where.resolve()
    reader = ContestReader(where.with_name(f"{where.name}.toml"), base=Path.cwd())
    plan = reader.read(content)
    if plan is None or reader.mistakes:
        raise BadPlan(Path("the comparison"), reader.mistakes)
    return plan
