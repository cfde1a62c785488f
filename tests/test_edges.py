"""Nothing of a run lies in the process: no folder is entered, and event loops are started at the edges alone."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "botyard"

LOOPS = {
    "contest/live/app.py: _run",  # a thread of its own, so that no page holds up a run
    "contest/executors/local.py: work",  # the main function of a worker process
    "contest/executors/cluster.py: play",  # the same of an actor on a Ray cluster
    "links/play.py: run_anywhere",  # `botyard.play`, for callers without a loop,
    "links/play.py: run_beside",  # and in a thread for those who have one
    "testing/laws.py: house_bots_finish_the_same_games_compiled_and_in_a_match",  # a test, for games of others
}
"""Where the library starts an event loop; all commands may."""

FOLDERS = {
    "jail/programs/spawner.py: _become",  # before it becomes the bot's process
    "cli/owner.py: leave_root",  # when root becomes a user who could not stay where root was
}
"""Where a process enters a folder."""


def uses(*names: str) -> set[str]:
    """The functions of the source that use one of these names, as `file: function`."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        place = str(path.relative_to(SOURCE))
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                used = {ast.unparse(node) for node in ast.walk(function) if isinstance(node, ast.Attribute | ast.Name)}
                if used & set(names):
                    found.add(f"{place}: {function.name}")
    return found


def test_no_part_of_the_library_enters_a_folder() -> None:
    entered = uses("os.chdir", "contextlib.chdir", "chdir", "os.fchdir")
    assert entered == FOLDERS


def test_the_library_looks_at_no_current_folder() -> None:
    looked = uses("Path.cwd", "os.getcwd")
    assert {one for one in looked if not one.startswith("cli/")} == {"jail/programs/forked_move.py: __init__"}


def test_loops_are_started_at_the_edges_alone() -> None:
    started = uses("asyncio.run", "asyncio.Runner", "asyncio.new_event_loop", "run_until_complete")
    assert {one for one in started if not one.startswith("cli/")} == LOOPS
