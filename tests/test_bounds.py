"""No test waits for ever: whatever blocks has a bound, and says what it waited for (tests/waiting.py)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent

# Programs that tests run, within bounds, in processes of their own.
PROGRAMS = [
    "games_of_others/*/src/**/*.py",
    "hostile/*/bot.py",
    "hostile/wire.py",
    "jail/cell.py",
    "jail/latecomer.py",
    "jail/probe.py",
    "jail/site.py",
    "jail/visible/walker.py",
]

NEED_TIMEOUT = {
    "subprocess.run",
    "subprocess.call",
    "subprocess.check_call",
    "subprocess.check_output",
    "socket.create_connection",
    "urlopen",
}
BLOCKS_WITHOUT_ARGUMENTS = {
    "wait",
    "communicate",
    "join",
    "readline",
}  # of processes, threads, events and pipes
BLOCKS_ANYHOW = {"os.wait", "os.waitpid", "os.waitid", "os.wait3", "os.wait4"}
LOOPS = {"asyncio.run", "asyncio.Runner", "run_until_complete"}

# Places that look as if they waited for ever.
BOUNDED = {
    "fuzz/server.py: self.loop.run_until_complete(idle())": "a loop of so many turns",
    "fuzz/server.py: self.loop.run_until_complete(accepted())": "both ends of the connection are ours",
    "kernel/test_batch.py: games.wait()": "games that are played on this machine's own processors",
    "links/hall.py: asyncio.Runner(loop_factory=lambda: loop)": "runs what has a bound that leaps along with the time",
    "match/stage.py: asyncio.Runner(loop_factory=JumpingLoop)": "the loop has a bound of real time itself",
    "pages/places.py: loop.run_until_complete(main())": "a thread that serves until its place is left, within a bound",
    "waiting.py: asyncio.run(within_bounds())": "the bound of all other loops",
}


def name_of(function: ast.expr) -> str:
    return ast.unparse(function) if isinstance(function, ast.Attribute | ast.Name) else ""


def is_unbounded(call: ast.Call) -> bool:
    """Whether a call, as it stands, can block for ever."""
    name = name_of(call.func)
    last = name.rpartition(".")[2]
    if name in NEED_TIMEOUT:
        return not any(keyword.arg == "timeout" for keyword in call.keywords)
    if name in LOOPS or last in LOOPS or name in BLOCKS_ANYHOW:
        return True
    return isinstance(call.func, ast.Attribute) and last in BLOCKS_WITHOUT_ARGUMENTS and not call.args + call.keywords


def bounds(node: ast.AST) -> bool:
    """Whether what stands in here is bounded: a loop bounds what it awaits, and `in_time` whatever it calls."""
    return isinstance(node, ast.Await) or (
        isinstance(node, ast.Call) and name_of(node.func) in {"in_time", "asyncio.create_task"}
    )


def unbounded(tree: ast.AST) -> Iterator[str]:
    """Every call that can block for ever, and every process that is waited for at the end of a block."""
    if bounds(tree):
        return
    if isinstance(tree, ast.With):
        for item in tree.items:
            if isinstance(item.context_expr, ast.Call) and name_of(item.context_expr.func) == "subprocess.Popen":
                yield f"with {ast.unparse(item)}"
    if isinstance(tree, ast.Call) and is_unbounded(tree):
        yield ast.unparse(tree)
    for child in ast.iter_child_nodes(tree):
        yield from unbounded(child)


def test_every_wait_of_a_test_has_a_bound() -> None:
    programs = {path for pattern in PROGRAMS for path in HERE.glob(pattern)}
    found = {
        f"{path.relative_to(HERE)}: {call}"
        for path in sorted(set(HERE.rglob("*.py")) - programs)
        for call in unbounded(ast.parse(path.read_text()))
    }
    assert found == set(BOUNDED)


@pytest.mark.parametrize(
    "source",
    [
        "subprocess.run(words, check=True)",
        "subprocess.check_output(words)",
        "with subprocess.Popen(words) as process: pass",
        "process.wait()",
        "process.communicate()",
        "thread.join()",
        "process.stdout.readline()",
        "os.waitid(os.P_PID, child, os.WEXITED)",
        "asyncio.run(main())",
        "urlopen(page)",
        "soon(process.wait())",
    ],
)
def test_what_can_wait_for_ever_is_found(source: str) -> None:
    assert list(unbounded(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        "subprocess.run(words, check=True, timeout=RUN_S)",
        "with ending(subprocess.Popen(words)) as process: pass",
        "process.wait(PATIENCE_S)",
        "process.communicate(timeout=PATIENCE_S)",
        "joined(thread)",
        "in_time(process.stdout.readline)",
        "in_time(lambda: os.waitid(os.P_PID, child, os.WEXITED))",
        "finished(main())",
        "async def main(): await event.wait()",
        "', '.join(words)",
    ],
)
def test_what_has_a_bound_is_not(source: str) -> None:
    assert not list(unbounded(ast.parse(source)))
