"""Moves forked from a fork server: exactly like a fresh one to an honest bot, gone with their runner."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from botyard.jail.fork_server import ForkServer, NoForkServer
from botyard.jail.launch import Launch
from botyard.jail.limits import Level
from botyard.jail.script import script_of
from tests.jail.moves import PYTHON, ROOT, forked, fresh
from tests.links.yard import children, is_alive
from tests.waiting import ending, finished, in_time, until, wait_until


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert children() == []


LOOK = """\
#!{python}
import json, os, sys
names = sorted(globals())
print(json.dumps({{
    "argv": sys.argv, "orig": sys.orig_argv[1:], "path": sys.path, "names": names, "file": __file__, "name": __name__,
    "spec": __spec__, "cached": __cached__, "package": __package__, "doc": __doc__, "loader": type(__loader__).__name__,
    "same": sys.modules["__main__"].__dict__ is globals(), "flags": repr(sys.flags), "cwd": os.getcwd(),
    "input": sys.stdin.read(), "ttys": [stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)],
    "through": sys.stdout.write_through, "codec": sys.stdout.encoding, "executable": sys.executable,
    "files": sorted(open_files()),
    "interrupt": repr(__import__("signal").getsignal(2)), "options": sys.warnoptions, "x": sys._xoptions,
}}))
"""
LOOK = LOOK.replace(
    "names = sorted(globals())\n",
    "names = sorted(globals())\n"
    "def open_files():\n"
    "    found = set()\n"
    "    for number in range(20):\n"
    "        try: os.fstat(number); found.add(number)\n"
    "        except OSError: pass\n"
    "    return found\n",
)


@pytest.mark.parametrize(
    "command",
    [
        (PYTHON, "bot.py"),
        (PYTHON, "./bot.py"),
        (PYTHON, "sub/../bot.py"),
        (PYTHON, "-u", "-O", "bot.py"),
        (PYTHON, "-I", "bot.py"),
        (PYTHON, "-W", "error", "-X", "utf8", "bot.py"),
        (PYTHON, "link.py"),
        ("./bot.py",),
    ],
    ids=lambda command: " ".join(word for word in command if word != PYTHON),
)
def test_a_bot_finds_what_it_would_find_in_a_fresh_interpreter(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "bot.py").write_text(LOOK.format(python=PYTHON))
    (tmp_path / "bot.py").chmod(0o755)
    (tmp_path / "sub" / "real.py").write_text(LOOK.format(python=PYTHON))
    (tmp_path / "link.py").symlink_to("sub/real.py")
    [(status, output, words)] = forked(command, tmp_path)
    assert (status, words) == (0, "")
    assert json.loads(output) == json.loads(fresh(command, tmp_path)[1])


ENDINGS = {
    "with a status": "print('S'); sys.exit(3)",
    "with a message": "print('S'); sys.exit('bye')",
    "with a status far too large": "sys.exit(259)",
    "with an error": "def f():\n    return 1 / 0\nprint('S')\nf()",
    "with an error and its cause": "try:\n    {}['x']\nexcept KeyError as error:\n    raise ValueError from error",
    "with what is no Python": "print('S'\nx = ",
    "in exit functions": "import atexit\natexit.register(lambda: print('S'))",
    "in a thread": "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.05), print('S'))).start()",
    "with an unflushed file": "out = open(1, 'w', closefd=False)\nout.write('S')",
    "with last words of an object": "class Bot:\n    def __del__(self): print('S')\nbot = Bot()",
    "with last words in a circle": "class Bot:\n    def __del__(self): print('S')\nb = Bot()\nb.b = b\ndel b",
    "with another output": "import io\nprint('S')\nsys.stdout = io.StringIO()\nprint('x')",
    "with a helper": "import helper\nprint(helper.WORD)",
    "with an error in a helper": "import helper\nhelper.fail()",
    "by SIGABRT": "print('S', flush=True)\nos.abort()",
    "by SIGSEGV": "import ctypes\nctypes.string_at(0)",
    "by SIGTERM": "os.kill(os.getpid(), 15)",
    "by an alarm": "import signal, time\nsignal.alarm(1)\ntime.sleep(60)",
    "interrupted": "raise KeyboardInterrupt",
    "at once": "os.write(1, b'S')\nos._exit(0)",
    "after its output was closed": "print('S', flush=True)\nos.close(1)",
    "with an own hook": "sys.excepthook = lambda *error: print('S')\n1 / 0",
    "after its children": "import subprocess\nprint(subprocess.run(['echo', 'S'], capture_output=True).stdout)",
    "not at all by its child": "if os.fork() == 0:\n    print('x')\n    sys.exit(5)\nos.wait()\nprint('S')",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_bot_ends_as_it_would_in_a_fresh_interpreter(tmp_path: Path, ending: str) -> None:
    source = f"import os, sys\n{ENDINGS[ending]}\n"
    (tmp_path / "bot.py").write_text(source)
    (tmp_path / "helper.py").write_text("WORD = 'S'\ndef fail():\n    raise RuntimeError(WORD)\n")
    command = (PYTHON, "-B", "bot.py")
    assert forked(command, tmp_path) == [fresh(command, tmp_path)]


def test_a_source_that_breaks_the_compiler_breaks_its_own_moves_only(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("x = " + "(" * 300 + ")" * 300)
    for status, output, words in forked((PYTHON, "bot.py"), tmp_path, 2):
        assert status == 1
        assert output == b""
        assert "too many nested parentheses" in words


CHANCE = {
    "named by the bot": "import random\nprint(random.random())",
    "in a file beside it": "import strategy\nprint(strategy.random.random())",
    "by another way": "print(__import__('ran' + 'dom').random())",
    "kept secret": "import secrets\nprint(secrets.token_hex())",
    "as the name of a folder": "import tempfile\nprint(next(tempfile._get_candidate_names()))",
}


@pytest.mark.parametrize("way", CHANCE)
def test_chance_is_new_in_every_move(tmp_path: Path, way: str) -> None:
    (tmp_path / "strategy.py").write_text("import random\n")
    (tmp_path / "bot.py").write_text(CHANCE[way])
    moves = forked((PYTHON, "bot.py"), tmp_path, 5)
    assert [status for status, _, _ in moves] == [0] * 5, moves
    assert len({output for _, output, _ in moves}) == 5


def test_exit_functions_of_the_interpreter_are_no_part_of_a_move(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import atexit\nprint(atexit._ncallbacks())\natexit.register(print, 'bye')")
    assert forked((PYTHON, "bot.py"), tmp_path, 2) == [(0, b"0\nbye\n", "")] * 2


def test_an_interpreter_with_threads_of_its_own_is_not_forked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").mkdir()
    start = "import threading, time; threading.Thread(target=time.sleep, args=(600,), daemon=True).start()"
    (tmp_path / "home" / "sitecustomize.py").write_text(start)
    (tmp_path / "bot.py").write_text("print('N')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "home"))
    with pytest.raises(NoForkServer, match="threads of its own"):
        forked((PYTHON, "bot.py"), tmp_path)


def test_long_moves_that_print_more_than_a_pipe_holds_come_out_whole_one_after_the_other(tmp_path: Path) -> None:
    """The pipes of a move have the same numbers as those of the one before."""
    (tmp_path / "bot.py").write_text("import time\ntime.sleep(0.05)\nprint('N' * 300_000)")
    assert forked((PYTHON, "bot.py"), tmp_path, 3) == [(0, b"N" * 300_000 + b"\n", "")] * 3


def test_a_fork_server_that_has_ended_between_two_moves_is_not_ready_for_another(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("print('N')")
    launch = Launch((PYTHON, "bot.py"), tmp_path, Level.OPEN, callers=True)
    script = script_of(launch)
    assert script is not None

    async def ready_before_and_after() -> tuple[bool, bool]:
        fork_server = await ForkServer.start(launch, script)
        try:
            before = fork_server.ready
            await fork_server.program.stop()
            await until(lambda: not fork_server.ready)
            return before, fork_server.ready
        finally:
            await fork_server.stop()

    assert finished(ready_before_and_after()) == (True, False)


def test_a_killed_runner_leaves_no_move_behind(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import os, time\nprint('begun', flush=True)\ntime.sleep(600)")
    source = f"""
        import asyncio, os, sys
        sys.path.insert(0, {str(ROOT / "src")!r})
        from pathlib import Path
        from botyard.jail.launch import Launch
        from botyard.jail.limits import Level
        from botyard.jail.fork_server import ForkServer, NoForkServer
        from botyard.jail.script import script_of
        async def main():
            launch = Launch(({PYTHON!r}, "bot.py"), Path({str(tmp_path)!r}), Level.OPEN, callers=True)
            fork_server = await ForkServer.start(launch, script_of(launch))
            await fork_server.begin(b"arena").receive()
            print("begun", flush=True)
            await asyncio.sleep(600)
        asyncio.run(main())
    """
    with ending(subprocess.Popen([sys.executable, "-c", dedent(source)], stdout=subprocess.PIPE)) as runner:
        assert runner.stdout is not None
        assert in_time(runner.stdout.readline) == b"begun\n"
        family = children(runner.pid)
        assert len(family) >= 4  # supervisor, the two halves of the fork server, the sleeper, the bot
        runner.kill()
    wait_until(lambda: not any(is_alive(pid) for pid in family))
