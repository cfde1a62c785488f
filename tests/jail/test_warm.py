"""Moves forked from a warm interpreter: exactly like a fresh one to an honest bot, and no memory for any other."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from botyard.jail.binds import INTERPRETER
from botyard.jail.errand import Errand
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level, Limits
from botyard.jail.nursery import Nursery, Unwarmed
from botyard.jail.script import script_of
from botyard.jail.warded import PASSED_ON
from tests.conftest import need
from tests.links.yard import children

ROOT = Path(__file__).parents[2]
PYTHON = str(INTERPRETER)
TEXT = "..........\n.Y........\nY hp=10\n"

Told = tuple[int, bytes, str]  # status as subprocess counts it, output, words


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert children() == []


async def make_moves(errand: Errand, count: int) -> list[Told]:
    script = script_of(errand)
    assert script is not None
    try:
        nursery = await Nursery.start(errand, script)
    except Unwarmed as reason:
        if trouble := obstacle(Level.CAGED):
            pytest.skip(f"{trouble}; {reason}")  # without namespaces there is nothing to test
        raise
    told = []
    try:
        for _ in range(count):
            move = nursery.begin(TEXT.encode())
            output = b""
            while chunk := await move.receive():
                output += chunk
            fault = await move.judge()
            ending = fault.reason.rpartition(" ")[2] if fault else "0"
            status = -signal.Signals[ending].value if ending.startswith("SIG") else int(ending)
            told.append((status, output, move.said()))
            move.close()
    finally:
        await nursery.stop()
    return told


def warm(command: Sequence[str], folder: Path, count: int = 1, level: Level = Level.OPEN) -> list[Told]:
    shows = {folder: folder} if level is Level.CAGED else {}
    return asyncio.run(make_moves(Errand(tuple(command), folder, level, Limits(), shows), count))


def fresh(command: Sequence[str], folder: Path) -> Told:
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    ran = subprocess.run(
        [*command, TEXT],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )
    return ran.returncode, ran.stdout, ran.stderr.decode()


# Like a fresh interpreter

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
    [(status, output, words)] = warm(command, tmp_path)
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
    assert warm(command, tmp_path) == [fresh(command, tmp_path)]


def test_a_source_that_breaks_the_compiler_breaks_its_own_moves_only(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("x = " + "(" * 300 + ")" * 300)
    for status, output, words in warm((PYTHON, "bot.py"), tmp_path, 2):
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
    moves = warm((PYTHON, "bot.py"), tmp_path, 5)
    assert [status for status, _, _ in moves] == [0] * 5, moves
    assert len({output for _, output, _ in moves}) == 5


def test_exit_functions_of_the_interpreter_are_no_part_of_a_move(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import atexit\nprint(atexit._ncallbacks())\natexit.register(print, 'bye')")
    assert warm((PYTHON, "bot.py"), tmp_path, 2) == [(0, b"0\nbye\n", "")] * 2


def test_an_interpreter_with_threads_of_its_own_is_not_forked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").mkdir()
    start = "import threading, time; threading.Thread(target=time.sleep, args=(600,), daemon=True).start()"
    (tmp_path / "home" / "sitecustomize.py").write_text(start)
    (tmp_path / "bot.py").write_text("print('N')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "home"))
    with pytest.raises(Unwarmed, match="threads of its own"):
        warm((PYTHON, "bot.py"), tmp_path)


# No memory

# Each looks for what an earlier move has left, says so, and leaves something for the next.
WAYS = {
    "a module": """
        import builtins, json
        seen = hasattr(json, "mark") or hasattr(builtins, "mark")
        json.mark = builtins.mark = 1
    """,
    "a file": """
        for folder in (".", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/proc", "/", "/home/bot", os.path.expanduser("~")):
            path = folder + "/botyard-memo"
            seen |= os.path.exists(path)
            try: open(path, "w").close()
            except OSError: pass
    """,
    "its own file": """
        seen = "remember" + "ed" in open(__file__).read()
        try: open(__file__, "a").write("# remember" + "ed")
        except OSError: pass
    """,
    "System V memory": """
        import ctypes
        libc = ctypes.CDLL(None)
        seen = libc.shmget(0xB07, 64, 0o600) >= 0 or libc.semget(0xB07, 1, 0o600) >= 0 or libc.msgget(0xB07, 0o600) >= 0
        libc.shmget(0xB07, 64, 0o1600); libc.semget(0xB07, 1, 0o1600); libc.msgget(0xB07, 0o1600)
    """,
    "a message queue": """
        import ctypes
        libc = ctypes.CDLL(None)
        seen = libc.mq_open(b"/botyard-memo", os.O_RDWR, 0o600, None) >= 0
        libc.mq_open(b"/botyard-memo", os.O_RDWR | os.O_CREAT, 0o600, None)
    """,
    "a process that stays": """
        import socket, time
        name = "\\0botyard-memo"
        try: socket.socket(socket.AF_UNIX).connect(name); seen = True
        except OSError: pass
        door = socket.socket(socket.AF_UNIX)
        try: door.bind(name); door.listen()
        except OSError: pass
        if os.fork() == 0:
            os.setsid() if os.getpgid(0) != os.getpid() else None
            if os.fork() == 0:
                time.sleep(20)
            os._exit(0)
        os.wait()
    """,
    "a closed connection": """
        import socket
        try:
            door = socket.socket(socket.AF_INET)
            door.bind(("127.0.0.1", 31789)); door.listen()
            calling = socket.create_connection(("127.0.0.1", 31789))
            door.accept()[0].close()
        except OSError as error:
            seen = error.errno == 98  # the address is still in use
    """,
    "the kernel's keys": """
        import ctypes
        libc = ctypes.CDLL(None)
        add_key, keyctl = (248, 250) if os.uname().machine == "x86_64" else (217, 219)
        for ring in (-3, -4, -5):
            seen |= libc.syscall(keyctl, 10, ring, b"user", b"botyard-memo", 0) > 0
            libc.syscall(add_key, b"user", b"botyard-memo", b"x", 1, ring)
    """,
    "the size of a pipe": """
        import fcntl
        seen = fcntl.fcntl(1, 1032) == 131072 or fcntl.fcntl(1, fcntl.F_GETFL) & os.O_NONBLOCK
        fcntl.fcntl(1, 1031, 131072); fcntl.fcntl(1, fcntl.F_SETFL, os.O_NONBLOCK)
    """,
    "flags of the input": """
        import fcntl
        seen = fcntl.fcntl(0, fcntl.F_GETFL) & os.O_NONBLOCK or fcntl.fcntl(0, fcntl.F_GETOWN) != 0
        fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK); fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    """,
    "a hint on a file": """
        import fcntl, struct
        for path in (__file__, "."):
            file = os.open(path, os.O_RDONLY)
            seen |= fcntl.fcntl(file, 1035, bytes(8)) != bytes(8)
            for command in (1036, 1038):
                try: fcntl.fcntl(file, command, struct.pack("Q", 3))
                except OSError: pass
    """,
    "a limit": """
        import resource
        seen = resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 33 or os.nice(0) == 7
        for pid in (0, 1, os.getppid()):
            try: resource.prlimit(pid, resource.RLIMIT_NOFILE, (33, 33)); os.setpriority(os.PRIO_PROCESS, pid, 7)
            except OSError: pass
        try: os.setpriority(os.PRIO_PGRP, 0, 7); os.setpriority(os.PRIO_USER, 0, 7)
        except OSError: pass
    """,
    "a count of processes": """
        seen = os.getpid() != 2
        for _ in range(5):
            if os.fork() == 0: os._exit(0)
            os.wait()
    """,
    "its parent's memory": """
        import ctypes, json
        seen = hasattr(json, "mark") or json.dumps.__doc__ == "mark"
        libc = ctypes.CDLL(None, use_errno=True)
        class Part(ctypes.Structure):
            _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t)]
        text = ctypes.create_string_buffer(b"mark")
        there = id(json.dumps.__doc__) + str.__basicsize__ - 8
        for pid in {1, os.getppid(), os.getpid() - 1, os.getsid(0), os.getpgid(0)} - {0, os.getpid()}:
            done = [libc.process_vm_writev(pid, ctypes.byref(Part(ctypes.addressof(text), 4)), 1,
                                           ctypes.byref(Part(there, 4)), 1, 0) > 0,
                    libc.ptrace(16, pid, 0, 0) == 0, libc.ptrace(0x4206, pid, 0, 0) == 0]
            try: done.append(open("/proc/%d/mem" % pid, "r+b"))
            except OSError: pass
            try: done.append(os.pidfd_open(pid) and libc.syscall(438, os.pidfd_open(pid), 4, 0) >= 0)
            except OSError: pass
            seen |= any(done)
        seen |= bool(os.listdir("/proc"))
    """,
    "its parent's signals": """
        for sign in (2, 15, 9, 19, 1, 17):
            for pid in (1, os.getppid() or 1):
                try: os.kill(pid, sign)
                except OSError: pass
    """,
    "a name of the machine": """
        import socket
        seen = socket.gethostname() == "memo"
        try: socket.sethostname("memo")
        except OSError: pass
    """,
    "further namespaces": """
        import ctypes
        libc = ctypes.CDLL(None)
        clone = 56 if os.uname().machine == "x86_64" else 220
        seen = libc.unshare(0x10000000) == 0 or libc.setns(0, 0) == 0 or libc.mount(b"x", b"/tmp", b"tmpfs", 0, 0) == 0
        seen |= libc.syscall(clone, 0x10000000 | 17, 0, 0, 0, 0) >= 0
    """,
}


def remembering(way: str) -> str:
    """What a broken run has left must not be found by the next one."""
    source = dedent(WAYS[way]).replace("botyard-memo", f"botyard-memo-{secrets.token_hex(4)}")
    return f"import os\nseen = False\n{source}\nprint('N' if seen else 'S')\n"


@pytest.mark.parametrize("level", [Level.CAGED, Level.OPEN])
@pytest.mark.parametrize("way", WAYS)
def test_no_way_of_remembering_works(tmp_path: Path, way: str, level: Level) -> None:
    if trouble := obstacle(level):
        pytest.skip(trouble)
    folder = shown(tmp_path)
    (folder / "bot.py").write_text(remembering(way))
    moves = warm((PYTHON, "bot.py"), folder, 3, level)
    assert [move[:2] for move in moves] == [(0, b"S\n")] * 3, moves


@pytest.mark.parametrize("way", ["a file", "its own file", "a process that stays"])
def test_these_ways_do_work_without_us(tmp_path: Path, way: str) -> None:
    """Or the test above would prove nothing."""
    source = remembering(way)
    for place in ("/tmp", "/var/tmp", "/dev/shm", "/dev", "/proc", "/", "/home/bot"):
        source = source.replace(f'"{place}", ', "")
    (tmp_path / "bot.py").write_text(source.replace("time.sleep(20)", "time.sleep(5)"))
    (tmp_path / "home").mkdir()
    said = []
    for number in range(2):
        with (tmp_path / f"said{number}").open("wb") as output:  # a pipe would be held open by the one that stays
            subprocess.run([PYTHON, "bot.py"], cwd=tmp_path, env={"HOME": "home"}, stdout=output, check=True)
        said.append((tmp_path / f"said{number}").read_bytes())
    assert said == [b"S\n", b"N\n"]


# Searches all memory it has for a word it never spells out itself. Every move writes the word, to both outputs.
SEARCH = """
import ctypes, os, sys
flip = bytes(255 - code for code in range(256))
hidden = b"remember me: 2718281828".translate(flip) if False else bytes(255 - code for code in (
    114, 101, 109, 101, 109, 98, 101, 114, 32, 109, 101, 58, 32, 50, 55, 49, 56, 50, 56, 49, 56, 50, 56))
libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p
inlet, outlet = os.pipe()
planted = hidden.translate(flip) if len(sys.argv) > 2 else None
local = ctypes.c_int()
places = {id(object()), id(sys.modules), libc.sbrk(0), ctypes.addressof(local), id(bytes(100_000)), id(print)}
places |= {id("x" * 5000), ctypes.cast(libc.pause, ctypes.c_void_p).value}
pages, found = set(), 0
for place in places:
    pages.update(range(max(0, (place >> 12) - 2000), (place >> 12) + 2000))
for page in pages:
    if libc.write(outlet, ctypes.c_void_p(page << 12), 4096) == 4096:
        found += hidden in os.read(inlet, 4096).translate(flip)
word = hidden.translate(flip)
os.write(2, word * 20)
os.write(1, word * 20)
os.write(1, b"found" if found else b"nothing")
"""
SEARCH = SEARCH.replace('b"remember me: 2718281828".translate(flip) if False else ', "")


def test_a_search_of_all_memory_finds_nothing_of_earlier_moves(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(SEARCH)
    for status, output, _ in warm((PYTHON, "bot.py"), tmp_path, 3):
        assert status == 0
        assert output.endswith(b"nothing")


def test_the_search_would_find_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(SEARCH)
    assert fresh((PYTHON, "bot.py", "planted"), tmp_path)[1].endswith(b"found")


def shown(folder: Path) -> Path:
    """A folder that also a caged user can enter."""
    for parent in (folder, *list(folder.parents)[:-2]):
        if parent.stat().st_uid == os.getuid():
            parent.chmod(parent.stat().st_mode | 0o055)
    return folder


UNPRIVILEGED = """
import asyncio, os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from botyard.jail.errand import Errand
from botyard.jail.limits import Level, Limits
from botyard.jail.nursery import Nursery, Unwarmed
from botyard.jail.script import script_of

async def main(folder, level):
    shows = {folder: folder} if level is Level.CAGED else {}
    errand = Errand(("/usr/bin/python3", "bot.py"), folder, level, Limits(), shows)
    nursery = await Nursery.start(errand, script_of(errand))
    for _ in range(3):
        move = nursery.begin(b"arena")
        while chunk := await move.receive():
            print(chunk.decode(), end="")
        assert await move.judge() is None
        move.close()
    await nursery.stop()

assert os.getuid() == 65534
asyncio.run(main(Path(sys.argv[2]), Level(sys.argv[3])))
"""


@pytest.mark.parametrize("level", [Level.CAGED, Level.OPEN])
def test_an_unprivileged_user_has_warm_bots_too(tmp_path: Path, level: Level) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become another user; the other tests run as an unprivileged one already")
    python = need("/usr/bin/python3")
    folder = shown(tmp_path)
    (folder / "bot.py").write_text(remembering("a file") + remembering("its parent's memory"))
    command = [python, "-c", UNPRIVILEGED, str(ROOT / "src"), str(folder), level]
    try:
        ran = subprocess.run(
            command, user=65534, group=65534, extra_groups=[], cwd="/", env={"PATH": os.defpath}, text=True,
            capture_output=True, check=False, timeout=120,
        )  # fmt: skip
    except PermissionError:
        pytest.skip("another user cannot run Python here")
    if "No module named 'botyard'" in ran.stderr:
        pytest.skip("another user cannot read this repository")
    assert ran.stdout == "S\n" * 6, ran.stderr


def test_a_killed_runner_leaves_no_move_behind(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import os, time\nprint('begun', flush=True)\ntime.sleep(600)")
    source = f"""
        import asyncio, os, sys
        sys.path.insert(0, {str(ROOT / "src")!r})
        from pathlib import Path
        from botyard.jail.errand import Errand
        from botyard.jail.nursery import Nursery, Unwarmed
        from botyard.jail.script import script_of
        async def main():
            errand = Errand(({PYTHON!r}, "bot.py"), Path({str(tmp_path)!r}))
            nursery = await Nursery.start(errand, script_of(errand))
            await nursery.begin(b"arena").receive()
            print("begun", flush=True)
            await asyncio.sleep(600)
        asyncio.run(main())
    """
    with subprocess.Popen([sys.executable, "-c", dedent(source)], stdout=subprocess.PIPE) as runner:
        assert runner.stdout is not None
        assert runner.stdout.readline() == b"begun\n"
        family = children(runner.pid)
        assert len(family) >= 4  # warden, the two halves of the warm interpreter, the sleeper, the bot
        runner.kill()
    for pid in family:
        while Path(f"/proc/{pid}").exists() and Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z":
            os.sched_yield()
