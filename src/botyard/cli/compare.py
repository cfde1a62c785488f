"""`botyard compare` tests whether the new version of a bot is better than the old one."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botyard.cli.console import print_json
from botyard.cli.contest import agreed, play_out, show_standings
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
    from botyard.contest.roots import root_text
    from botyard.contest.summary_json import standings_values

    with tempfile.TemporaryDirectory(prefix="botyard-compare-") as folder:
        options = {"better_percent": better, "false_percent": false, "miss_percent": miss, "most_pairs": pairs}
        settings = read_settings(assignments or [], None)
        policy = cage_policy_of(trusted, limited, memory, toolchains=toolchains)
        plan = comparison(Path(folder), game, (one, other), settings, seed, executor, options, policy)
        course, void = play_out(plan, False, agreed, quiet or as_json, "the same command again")
    if as_json:
        finding = {
            "finding": course.test.finding,
            "pairs": course.pairs,
            "uneven": course.uneven,
            "taken": course.taken,
        }
        print_json(
            {
                **finding,
                "seed": root_text(plan.root or b""),
                "void": void,
                "standings": standings_values(course.standings()),
            }
        )
    else:
        show_standings(plan, course.standings())
    if void:
        raise typer.Exit(1)


def comparison(
    folder: Path, game: str, specs: tuple[str, str], settings: dict[str, Any], seed: int | None, executor: str,
    options: dict[str, int], policy: CagePolicy,
) -> Plan:  # fmt: skip
    """Returns the plan of a contest between two bots without a contest file; its store goes into a temporary folder."""
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
