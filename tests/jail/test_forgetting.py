"""Moves forked from a fork server have no memory: whatever one leaves behind, the next does not find it."""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from tests.conftest import need
from tests.jail.moves import PYTHON, ROOT, forked, fresh
from tests.links.yard import children
from tests.waiting import PATIENCE_S, RUN_S


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert children() == []


# A file that everybody may read, and some of its pages: those an earlier move had left in memory, and no others.
PAGES = """
        import ctypes, pydoc_data
        libc = ctypes.CDLL(None)
        file = os.open(pydoc_data.__path__[0] + "/topics.py", os.O_RDONLY)
        marked = {page for page in range(100) if page * 7919 % 5 < 2}
"""
LEAVES_PAGES = """
        os.pread(file, 100 * 4096, 0)  # also asking has it read: what is on its way cannot be thrown out
        try:
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
        except OSError: pass
        for page in marked: os.pread(file, 1, page * 4096)
"""

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
    "pages that are in memory": f"""{PAGES}
        preadv2 = 327 if os.uname().machine == "x86_64" else 286
        room = ctypes.create_string_buffer(1)
        part = (ctypes.c_uint64 * 2)(ctypes.addressof(room), 1)
        held = {{page for page in range(100)
                if libc.syscall(preadv2, file, part, 1, ctypes.c_long(page * 4096), 0, 8) == 1}}
        seen = held == marked
        {LEAVES_PAGES}
    """,
    "pages that are in memory, as a map tells": f"""{PAGES}
        mincore, cachestat = 27 if os.uname().machine == "x86_64" else 232, 451
        libc.mmap.restype = ctypes.c_void_p
        start = ctypes.c_void_p(libc.mmap(None, ctypes.c_size_t(100 * 4096), 1, 1, file, ctypes.c_long(0)))
        size, told = ctypes.c_size_t(100 * 4096), ctypes.create_string_buffer(100)
        if libc.syscall(mincore, start, size, told) == 0:
            seen |= {{page for page in range(100) if told.raw[page] & 1}} == marked
        counts, held = (ctypes.c_uint64 * 5)(), set()
        for page in range(100):
            if libc.syscall(cachestat, file, (ctypes.c_uint64 * 2)(page * 4096, 4096), counts, 0) == 0 and counts[0]:
                held.add(page)
        seen |= held == marked
        for way in (20, 21): libc.madvise(start, size, way)  # cold, page out
        libc.readahead(file, ctypes.c_long(0), ctypes.c_size_t(4096))
        libc.munmap(start, size)
        {LEAVES_PAGES}
    """,
    "a name the kernel remembers": """
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        how = (ctypes.c_uint64 * 3)(0, 0, 0x20)  # only what is remembered
        libc.syscall(437, -100, b"/usr/botyard-memo", how, ctypes.sizeof(how))
        seen = ctypes.get_errno() == 2  # there is no such file, and the kernel did not have to look
        os.path.exists("/usr/botyard-memo")
    """,
    "a core": """
        cores = os.sched_getaffinity(0)
        seen = len(cores) == 1 and (os.cpu_count() or 1) > 1
        for pid in (0, 1, os.getppid()):
            try: os.sched_setaffinity(pid, [min(cores)])
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
    moves = forked((PYTHON, "bot.py"), folder, 3, level)
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
            subprocess.run(
                [PYTHON, "bot.py"], cwd=tmp_path, env={"HOME": "home"}, stdout=output, check=True, timeout=PATIENCE_S
            )
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
    for status, output, _ in forked((PYTHON, "bot.py"), tmp_path, 3):
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
from botyard.jail.launch import Launch
from botyard.jail.limits import Level, Limits
from botyard.jail.fork_server import ForkServer, NoForkServer
from botyard.jail.script import script_of

async def main(folder, level):
    shows = {folder: folder} if level is Level.CAGED else {}
    launch = Launch(("/usr/bin/python3", "bot.py"), folder, level, Limits(), shows)
    fork_server = await ForkServer.start(launch, script_of(launch))
    for _ in range(3):
        move = fork_server.begin(b"arena")
        while chunk := await move.receive():
            print(chunk.decode(), end="")
        assert await move.judge() is None
        move.close()
    await fork_server.stop()

assert os.getuid() == 65534
asyncio.run(main(Path(sys.argv[2]), Level(sys.argv[3])))
"""


@pytest.mark.parametrize("level", [Level.CAGED, Level.OPEN])
def test_an_unprivileged_user_has_fork_servers_too(tmp_path: Path, level: Level) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become another user; the other tests run as an unprivileged one already")
    python = need("/usr/bin/python3")
    folder = shown(tmp_path)
    (folder / "bot.py").write_text(remembering("a file") + remembering("its parent's memory"))
    command = [python, "-c", UNPRIVILEGED, str(ROOT / "src"), str(folder), level]
    try:
        ran = subprocess.run(
            command, user=65534, group=65534, extra_groups=[], cwd="/", env={"PATH": os.defpath}, text=True,
            capture_output=True, check=False, timeout=RUN_S,
        )  # fmt: skip
    except PermissionError:
        pytest.skip("another user cannot run Python here")
    if "No module named 'botyard'" in ran.stderr:
        pytest.skip("another user cannot read this repository")
    assert ran.stdout == "S\n" * 6, ran.stderr
