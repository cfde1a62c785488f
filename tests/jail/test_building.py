"""Builds in the cage: what an honest one gives, and that a hostile one gives and takes nothing."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import socket
import tarfile
import tempfile
from pathlib import Path

import pytest

from botyard.games import load
from botyard.jail import archives, bot_cache, building
from botyard.jail.archives import unpack
from botyard.jail.bot_copies import copy_bot
from botyard.jail.building import built_folder
from botyard.jail.launch import Launch
from botyard.jail.levels import obstacle
from botyard.jail.limits import MEGABYTE, Level
from botyard.jail.manifest import manifest_of
from botyard.kernel.errors import YardError
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.bot_spec import read_bot_spec
from tests.conftest import need
from tests.hostile.aftermath import nothing_left
from tests.waiting import finished

HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    need("bwrap")
    need("make")
    if trouble := obstacle(Level.CAGED):
        pytest.skip(trouble)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setattr(bot_cache, "usable_home", lambda: home)
    return home / "bots"


def bot_with(folder: Path, makefile: str, **files: str) -> Path:
    (folder / "Makefile").write_text(makefile)
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_text(content)
    return folder


def build(bot: Path, level: Level = Level.CAGED, limit_s: float = 60.0) -> Path | Fault:
    with nothing_left():
        return finished(built_folder(manifest_of(bot), level, limit_s=limit_s))


def refused(bot: Path, limit_s: float = 60.0) -> str:
    fault = build(bot, limit_s=limit_s)
    assert isinstance(fault, Fault), fault
    assert fault.verdict is Verdict.UNBUILT
    return fault.reason


def contents(folder: Path | Fault) -> list[str]:
    assert isinstance(folder, Path), folder
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def test_a_program_in_c_is_built(tmp_path: Path) -> None:
    need("cc")
    built = build(bot_with(tmp_path, "agent: main.c\n\tcc -o $@ $<\n", main_c=HELLO))
    assert contents(built) == ["Makefile", "agent", "main.c"]
    assert os.access(Path(str(built)) / "agent", os.X_OK)
    assert contents(tmp_path) == ["Makefile", "main.c"]  # where the author keeps it nothing is written


def test_the_same_content_is_built_once(tmp_path: Path) -> None:
    bot = bot_with(tmp_path, "agent:\n\tdate +%N >agent; chmod +x agent\n")
    first = build(bot)
    assert build(bot) == first
    (bot / "Makefile").write_text("agent:\n\tdate +%N >agent; chmod +x agent # and more\n")
    assert build(bot) != first


def test_a_failed_build_has_the_compilers_words_and_is_not_kept(tmp_path: Path, own_cache: Path) -> None:
    need("cc")
    bot = bot_with(tmp_path, "agent: main.c\n\tcc -o $@ $<\n", main_c="int main(void) { return nonsense; }\n")
    assert "nonsense" in refused(bot)
    assert list(own_cache.iterdir()) == []


def test_an_endless_build_is_ended(tmp_path: Path) -> None:
    bot = bot_with(tmp_path, "agent:\n\tsleep 600 & while true; do :; done\n")
    assert refused(bot, limit_s=1.0) == "the build took longer than 1 s"


def test_a_compile_time_bomb_is_ended(tmp_path: Path) -> None:
    need("cc")
    bomb = '#include "main.c"\n#include "main.c"\nint main(void) { return 0; }\n'
    assert refused(bot_with(tmp_path, "agent: main.c\n\tcc -o $@ $<\n", main_c=bomb), limit_s=5.0)


def test_a_cage_that_cannot_be_started_is_no_fault_of_what_is_to_be_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tools := tmp_path / "tools").mkdir()
    for tool in ("make", "sh"):
        (tools / tool).symlink_to(need(tool))
    (folder := tmp_path / "bot").mkdir()
    bot = bot_with(folder, "agent:\n\ttouch agent\n")
    monkeypatch.setenv("PATH", str(tools))  # somebody has taken bubblewrap away
    fault = build(bot)
    assert isinstance(fault, Fault)
    assert fault.verdict is Verdict.HOUSE


def test_a_cage_that_fails_before_the_build_begins_is_no_fault_of_it_either(tmp_path: Path) -> None:
    launch = Launch(("sh", "-c", "true"), tmp_path, Level.CAGED, shows={tmp_path: tmp_path / "swept away"})
    with nothing_left():
        fault = finished(building.carry_out(launch, len, 60.0))
    assert fault is not None
    assert fault.verdict is Verdict.HOUSE
    assert "was not set up" in fault.reason


def test_a_disk_that_is_full_is_no_fault_of_what_was_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archives, "private", full)
    with pytest.raises(OSError, match="No space left on device"):
        build(bot_with(tmp_path, "agent:\n\ttouch agent; chmod +x agent\n"))


def test_a_gigabyte_of_complaints_is_cut(tmp_path: Path) -> None:
    bot = bot_with(tmp_path, "agent:\n\t@yes complaint | head -c 1000000000; false\n")
    reason = refused(bot)
    assert "printed more than 64 MB" in reason
    assert len(reason) < 3000


@pytest.mark.parametrize("secret", ["/etc/shadow", "/root/.bashrc", "/proc/1/environ", "../../../etc/hostname"])
def test_a_build_sees_nothing_of_the_machine(tmp_path: Path, secret: str) -> None:
    need("cc")
    bot = bot_with(tmp_path, "agent: main.c\n\tcc -E -o $@ $<\n", main_c=f'#include "{secret}"\n')
    assert "No such file" in (reason := refused(bot)) or "Permission denied" in reason


def test_a_build_calls_nobody(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0)
        port = listening.getsockname()[1]
        bot = bot_with(tmp_path, f"agent:\n\tbash -c 'echo hello >/dev/tcp/127.0.0.1/{port}'\n")
        assert "Connection refused" in refused(bot)
        with pytest.raises(BlockingIOError):
            listening.accept()


def test_of_links_devices_and_pipes_nothing_comes_out(tmp_path: Path) -> None:
    tricks = "ln -s /etc/shadow link; ln -s / root; mkfifo pipe; ln agent hard; mkdir -p d; ln -s ../.. d/up"
    built = build(bot_with(tmp_path, f"agent:\n\techo '#!/bin/sh' >agent; chmod +x agent; {tricks}\n"))
    assert set(contents(built)) <= {"Makefile", "agent", "hard"}


def test_a_build_that_makes_too_many_files_is_refused(tmp_path: Path) -> None:
    bot = bot_with(tmp_path, "agent:\n\tseq 1 20000 | xargs touch; touch agent\n")
    assert "more than 10000 files" in refused(bot)


def test_a_build_that_makes_a_huge_file_is_refused(tmp_path: Path) -> None:
    assert refused(bot_with(tmp_path, "agent:\n\ttruncate -s 1T agent\n"))
    assert "were built" in refused(bot_with(tmp_path, "agent:\n\ttruncate -s 400M agent\n"))


def test_a_build_that_prints_more_than_any_archive_holds_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "ARCHIVE_MAX", 3 * MEGABYTE)
    kept = bytearray()

    def keep(chunk: bytes) -> int:
        kept.extend(chunk)
        return len(chunk)

    def printing(size: int) -> Fault | None:
        launch = Launch(("sh", "-c", f"head -c {size} /dev/zero"), tmp_path, Level.OPEN)
        return finished(building.carry_out(launch, keep, 60.0))

    assert printing(3 * MEGABYTE) is None
    assert len(kept) == 3 * MEGABYTE
    assert printing(3 * MEGABYTE + 1) == Fault(Verdict.UNBUILT, "more than 3 MB were built")


@pytest.mark.parametrize("level", [Level.CAGED, Level.OPEN])
def test_lines_of_a_build_begin_with_programs_of_toolchains_or_with_files_of_the_bot(
    tmp_path: Path, level: Level
) -> None:
    """A shell may know another program by the name of one that a toolchain has, or none."""
    make = need("make")
    (bot := tmp_path / "bot").mkdir()
    (bot / "prepare").write_text("#!/bin/sh\n")
    (bot / "prepare").chmod(0o755)
    (bot / "botyard.toml").write_text('build = ["./prepare all", "./made-by-it", "make agent"]\nrun = "./agent"\n')
    manifest = manifest_of(bot)
    launch = Launch(("sh",), building.PLACE, level, builds=True)
    assert building.build_script(manifest, bot, launch) == ["./prepare all", "./made-by-it", f"{make} agent"]


def test_what_is_refused_once_is_refused_again(tmp_path: Path, own_cache: Path) -> None:
    """Half of what was built used to be kept, and was taken for all of it the next time."""
    bot = bot_with(
        tmp_path,
        "agent:\n\tcp /bin/true agent\n\tmkdir -p "
        + "/".join(["z"] * 40)
        + "\n\ttouch $$(find z -type d | tail -1)/x\n",
    )
    assert refused(bot) == refused(bot)
    assert list(own_cache.iterdir()) == []


def test_folders_without_end_are_refused(tmp_path: Path) -> None:
    deep = "/".join(["d"] * 100)
    assert "deep" in refused(bot_with(tmp_path, f"agent:\n\tmkdir -p {deep}; touch {deep}/agent agent\n"))


def test_a_build_cannot_write_the_archive_for_us(tmp_path: Path) -> None:
    """It reaches the pipe the archive goes through, and is still read with distrust."""
    evil = "for f in /proc/$$PPID/fd/*; do head -c 100000 /dev/urandom >$$f; done 2>/dev/null; touch agent"
    outcome = build(bot_with(tmp_path, f"agent:\n\t{evil}\n"))
    assert isinstance(outcome, Path) or outcome.verdict is Verdict.UNBUILT


def archive(*members: tarfile.TarInfo, content: bytes = b"evil", form: int = tarfile.GNU_FORMAT) -> io.BytesIO:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=form) as writing:
        for member in members:
            member.size = len(content) if member.isreg() else 0
            writing.addfile(member, io.BytesIO(content))
    raw.seek(0)
    return raw


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, target
    return made


def test_paths_that_lead_elsewhere_are_left_out(tmp_path: Path) -> None:
    inside = tmp_path / "a" / "b"
    names = ["../up", "/tmp/botyard-absolute", "d/../../up", "./here", "long/" + "x" * 150]
    unpack(archive(*map(member, names)), inside)
    assert contents(tmp_path) == ["a/b/here", "a/b/long/" + "x" * 150]
    assert not Path("/tmp/botyard-absolute").exists()


def test_a_file_behind_a_link_of_the_archive_stays_inside(tmp_path: Path) -> None:
    unpack(archive(member("d", tarfile.SYMTYPE, "/tmp"), member("d/botyard-behind")), tmp_path / "in")
    assert contents(tmp_path) == ["in/d/botyard-behind"]
    assert not Path("/tmp/botyard-behind").exists()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"x" * 511,
        b"x" * 512,
        archive(member("whole")).getvalue()[:700],
        archive(member("x" * 100 + "/" + "y" * 4200)).getvalue(),
    ],
    ids=["nothing", "half a block", "no header", "torn", "endless name"],
)
def test_a_broken_archive_is_refused(tmp_path: Path, raw: bytes) -> None:
    with pytest.raises(YardError):
        unpack(io.BytesIO(raw), tmp_path / "in")


def test_two_builds_of_one_bot_at_once_are_both_fine(tmp_path: Path) -> None:
    manifest = manifest_of(bot_with(tmp_path, "agent:\n\tsleep 0.1; touch agent\n"))

    async def both() -> list[Path | Fault]:
        return await asyncio.gather(*(built_folder(manifest, Level.CAGED) for _ in range(2)))

    first, second = finished(both())
    assert first == second


# A folder that reaches out of itself


def reaching(folder: Path) -> Path:
    """A bot as the original Hive Arena has it: its makefile takes sources from beside it, and builds beside it."""
    bot = folder / "arena" / "example-agent"
    bot.mkdir(parents=True)
    (folder / "arena" / "src").mkdir()
    (folder / "arena" / "src" / "hello.c").write_text(HELLO)
    (bot / "Makefile").write_text("agent: ../src/hello.c\n\tmkdir -p ../bin && cc -o ../bin/agent ../src/hello.c\n")
    (bot / "botyard.toml").write_text('build = "make"\nrun = "./main"\n')
    return bot


def test_what_lies_around_a_bot_is_not_there_and_the_remedy_says_how_to_name_it(tmp_path: Path) -> None:
    reason = refused(reaching(tmp_path))
    assert "../src/hello.c" in reason
    assert "as in dir:arena//example-agent" in reason


def test_who_brings_a_bot_may_name_the_root_it_reaches_into(tmp_path: Path) -> None:
    bot = reaching(tmp_path)
    (bot / "botyard.toml").write_text('build = "make"\nrun = "../bin/agent"\n')
    manifest = manifest_of(bot, tmp_path / "arena")
    built = finished(built_folder(manifest, Level.CAGED))
    assert {"bin/agent", "example-agent/Makefile", "src/hello.c"} <= set(contents(built))
    assert (manifest.run, str(manifest.inside), manifest.name) == (
        ("./../bin/agent",),
        "example-agent",
        "example-agent",
    )
    entry = read_bot_spec(f"dir:{tmp_path}/arena//example-agent", load("hackman"))
    assert finished(entry.build()) is None
    assert entry.bot is not None
    assert entry.bot.home == tmp_path / "arena"


@pytest.mark.parametrize("run", ["../../elsewhere/agent", "/bin/true", "../bin/../../x/agent"])
def test_a_bot_itself_names_nothing_outside_its_root(tmp_path: Path, run: str) -> None:
    bot = reaching(tmp_path)
    (bot / "botyard.toml").write_text(f'run = "{run}"\n')
    for root in (None, tmp_path / "arena"):
        with pytest.raises(YardError, match="a file inside the bot"):
            manifest_of(bot, root)


def test_a_root_holds_its_bot(tmp_path: Path) -> None:
    reaching(tmp_path)
    for path in (f"{tmp_path}/arena//../arena", f"{tmp_path}/arena//..", f"//{tmp_path}/arena"):
        with pytest.raises(YardError):
            read_bot_spec(f"dir:{path}", load("hackman"))


def test_who_exchanges_files_while_they_are_looked_at_puts_nothing_into_the_shared_cache(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy lies under the hash of what was shown first: otherwise a rival with those files would play with ours."""
    (bot := tmp_path / "main.py").write_text("print('as everybody has it')\n")
    copy = copy_bot

    def swapped(source: Path, target: Path) -> None:
        bot.write_text("print('as nobody has it now')\n")
        copy(source, target)

    monkeypatch.setattr("botyard.jail.building.copy_bot", swapped)
    with pytest.raises(YardError, match="changed while it was read"):
        build(bot)
    assert list(own_cache.iterdir()) == []


def test_a_twin_with_closed_folders_does_not_close_those_of_the_other(tmp_path: Path) -> None:
    for name, mode in (("closed", 0o700), ("open", 0o755)):
        (tmp_path / name / "data").mkdir(parents=True)
        (tmp_path / name / "main.py").write_text("pass\n")
        (tmp_path / name / "data" / "map").write_text("#\n")
        (tmp_path / name / "data").chmod(mode)
    closed, other = build(tmp_path / "closed"), build(tmp_path / "open")
    assert isinstance(closed, Path)
    assert isinstance(other, Path)
    assert (closed / "data").stat().st_mode & 0o777 == 0o700
    assert (other / "data").stat().st_mode & 0o777 == 0o755


DEEPER = "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\n"


def test_folders_deeper_than_a_path_can_tell_are_refused_and_leave_nothing(tmp_path: Path, own_cache: Path) -> None:
    """Left in the cache they would stop whoever tidies it up, which is every command."""
    bot = bot_with(tmp_path, "agent:\n\t/usr/bin/python3 deeper.py\n", deeper_py=DEEPER)
    fault = build(bot, Level.OPEN)
    assert isinstance(fault, Fault)
    assert fault.verdict is Verdict.UNBUILT
    assert "deep" in fault.reason
    assert list(own_cache.iterdir()) == []


def test_a_build_at_the_level_limited_can_enter_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if trouble := obstacle(Level.LIMITED):
        pytest.skip(trouble)
    bot = bot_with(tmp_path, "agent:\n\tid -u >agent\n")
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        Path(place).chmod(0o711)
        monkeypatch.setattr(bot_cache, "LIMITED_FOLDER", Path(place, "bots"))
        built = build(bot, Level.LIMITED)
        assert isinstance(built, Path), built
        assert (built / "agent").read_text().strip() != str(os.getuid())
