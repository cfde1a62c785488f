"""Optional members stand in base classes: whoever looks one up by its name switches a rule off with a typo."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "botyard"

ALLOWED = {
    ("cli/app.py", "COMMANDS"),  # of modules whose commands read their words in a way of their own
    ("cli/warm.py", "submodule_search_locations"),  # of a module's spec, which may be none
    ("client/site.py", "strerror"),
    ("contest/executors/cluster.py", "_private"),
    ("contest/executors/cluster.py", "worker"),
    ("contest/executors/cluster.py", "print_to_stdstream"),  # of Ray, which has no other way to keep its news to itself
    ("contest/executors/cluster.py", "utils"),
    ("contest/executors/cluster.py", "set_sigterm_handler"),  # of Ray, which would take that signal for itself
    ("contest/sql_contest.py", "orig"),
    ("jail/location.py", "errno"),
    ("jail/location.py", "strerror"),
    ("kernel/bounded.py", "strerror"),  # of an error that may be one of several kinds
    ("kernel/cache.py", "__botyard_folder__"),  # a mark of ours on a function of anybody
    ("kernel/cuda.py", "_ary"),
    ("kernel/orders.py", "__cuda_array_interface__"),  # arrays of other libraries
    ("kernel/loops.py", "clear"),
    ("kernel/loops.py", "join"),  # rules that only some games have; the registry's tests know which
    ("kernel/drill_loops.py", "note"),
    ("kernel/drill_loops.py", "worth"),
    ("kernel/drill_loops.py", "gain"),  # senses that a game may leave out; the contract says what then holds
    ("kernel/picture_loops.py", "seat_picture"),
    ("games/picture.py", "seat_picture_at"),
    ("kernel/rulebook.py", "seat_picture_at"),
    ("links/viewing/recordings.py", "_projection"),  # of a game that may be a copy, which has none
    ("links/viewing/recordings.py", "names_in"),  # of files that say who played; most do not
    ("match/filming.py", "events"),  # of games that have any
    ("yard/site.py", "sqlstate"),  # of an error of PostgreSQL's driver; SQLite's has none
    ("yard/web/doors.py", "PAGES"),
    ("yard/web/doors.py", "SOCKETS"),  # what page modules offer; few have sockets
    ("yard/api/docs.py", "sections"),  # kept in a state of Starlette's, which has what was put there
    ("yard/web/origins.py", "ipv4_mapped"),  # of addresses of IPv6 alone
    ("match/in_process.py", "__name__"),  # any callable is a bot, and some have a name
}
"""The lookups there may be, by module and member: nearly all are of things that are not ours."""

PROGRAMS = "jail/programs/"  # they run by themselves, under whatever Python a bot brings


def lookups(module: Path) -> list[tuple[str, str]]:
    """The members that a module looks up by a name it spells out."""
    name = str(module.relative_to(SOURCE))
    return [
        (name, str(node.args[1].value))
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("getattr", "hasattr")
        and isinstance(node.args[1], ast.Constant)
    ]


def test_nothing_of_ours_is_looked_up_by_its_name() -> None:
    modules = [path for path in sorted(SOURCE.rglob("*.py")) if "starters" not in path.parts]
    found = {lookup for module in modules for lookup in lookups(module) if not lookup[0].startswith(PROGRAMS)}
    assert found == ALLOWED
