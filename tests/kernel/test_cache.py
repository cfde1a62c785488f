"""Compiled rules on disk: found again, never stale, shared by processes, possible without a writable home."""

from __future__ import annotations

import fcntl
import gc
import os
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from numba.core import caching

from botyard.games import load
from botyard.kernel import cache
from botyard.kernel.errors import YardError
from botyard.kernel.rule import INTERPRETED, mode_from
from botyard.kernel.rulebook import LOOP_GROUPS, LoopGroup, no_collection
from tests.waiting import RUN_S

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent

compiles = pytest.mark.skipif(INTERPRETED, reason="compiles in processes of its own, whatever is done in this one")

SCRIPT = """
import time
began = time.perf_counter()
from botyard.kernel.chance import mixed
value = mixed(1, 2, 3)
print(value, sum(mixed.stats.cache_hits.values()), sum(mixed.stats.cache_misses.values()))
"""


def run(script: str, home: Path, source: Path = ROOT / "src", **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("BOTYARD_", "NUMBA_", "COV"))}
    settings = {**clean, "BOTYARD_CACHE": str(home), "PYTHONPATH": str(source), **environment}
    return subprocess.run(
        [sys.executable, "-c", script], env=settings, capture_output=True, text=True, check=True, timeout=RUN_S
    )


@compiles
def test_compiled_rules_are_found_again(tmp_path: Path) -> None:
    first = run(SCRIPT, tmp_path).stdout.split()
    second = run(SCRIPT, tmp_path).stdout.split()
    assert first[1:] == ["0", "1"]
    assert second == [first[0], "1", "0"]


@compiles
def test_compiled_rules_do_not_wait_for_a_measuring_tool(tmp_path: Path) -> None:
    """Numba imports `coverage` wherever it is installed, which takes a tenth of a start."""
    script = "import sys; from botyard.kernel.chance import mixed; mixed(1, 2, 3); print('coverage' in sys.modules)"
    assert run(script, tmp_path).stdout == "False\n"


@compiles
def test_a_change_in_any_rule_source_makes_everything_fresh(tmp_path: Path) -> None:
    """The function stays as it is; another rule it calls, in another file, changes."""
    source = tmp_path / "src"
    shutil.copytree(ROOT / "src" / "botyard", source / "botyard", ignore=shutil.ignore_patterns("__pycache__"))
    script = SCRIPT.replace("chance import mixed", "probe import mixed")
    probe = source / "botyard" / "kernel" / "probe.py"
    probe.write_text(
        "from botyard.kernel.rule import rule\nfrom botyard.kernel.chance import mixed as inner\n\n"
        "@rule\ndef mixed(a, b, c):\n    return inner(a, b, c) + 1\n"
    )
    before = run(script, tmp_path / "home", source).stdout.split()
    assert run(script, tmp_path / "home", source).stdout.split()[1:] == ["1", "0"]
    chance = source / "botyard" / "kernel" / "chance.py"
    chance.write_text(chance.read_text().replace("return x ^ (x >> 16)", "return 41"))
    after = run(script, tmp_path / "home", source).stdout.split()
    assert before[0] != "42"
    assert after == ["42", "0", "1"]


@compiles
def test_rules_outside_the_package_are_kept_by_their_own_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from botyard.kernel.rule import rule\n\n@rule\ndef mixed(a, b, c):\n    return a + b + c\n"
    )
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n" + SCRIPT.replace("botyard.kernel.chance", "mine")
    assert run(script, tmp_path / "home").stdout.split() == ["6", "0", "1"]
    assert run(script, tmp_path / "home").stdout.split() == ["6", "1", "0"]
    (tmp_path / "other.py").write_text("changed = True\n")
    assert run(script, tmp_path / "home").stdout.split() == ["6", "0", "1"]


def test_each_module_has_its_folder_among_the_compiled_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "rules_folder", lambda home: tmp_path / "rules")
    cache.install(run, caching)
    locator = cache.RuleLocator(run)
    locator.ensure_cache_path()
    locator.ensure_cache_path()  # another process may have made it
    assert Path(locator.get_cache_path()) == tmp_path / "rules" / __name__
    assert Path(locator.get_cache_path()).is_dir()
    first: object = caching.CacheImpl._locator_classes[0]
    assert first is cache.RuleLocator  # before the folders Numba would choose


@compiles
def test_nothing_is_written_into_the_installation(tmp_path: Path) -> None:
    source = tmp_path / "src"
    shutil.copytree(ROOT / "src" / "botyard", source / "botyard", ignore=shutil.ignore_patterns("__pycache__"))
    before = sorted(source.rglob("*"))
    run(SCRIPT, tmp_path / "home", source, PYTHONDONTWRITEBYTECODE="1")
    assert sorted(source.rglob("*")) == before


def test_a_home_that_is_a_file_is_replaced_by_a_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("BOTYARD_CACHE", str(blocked))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    cache.usable_home.cache_clear()
    try:
        assert cache.usable_home() == tmp_path / f"botyard-{os.getuid()}"
        (tmp_path / f"botyard-{os.getuid()}").rmdir()
        (tmp_path / f"botyard-{os.getuid()}").write_text("")
        cache.usable_home.cache_clear()
        last = cache.usable_home()
        assert last.is_dir()
        assert last.parent == tmp_path
    finally:
        cache.usable_home.cache_clear()


def test_a_new_home_is_open_to_its_owner_alone(tmp_path: Path) -> None:
    assert cache.is_usable(tmp_path / "home")
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


def test_a_disk_that_takes_nothing_but_empty_files_is_no_home(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))  # as if the disk were full
    try:
        with pytest.raises(OSError, match="File too large"):
            cache.is_usable(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_folder_of_somebody_else_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOTYARD_CACHE", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("getuid", "geteuid"):
        monkeypatch.setattr(os, name, lambda: 4321)
    cache.usable_home.cache_clear()
    try:
        assert cache.usable_home() not in (tmp_path / "home", tmp_path / "botyard-4321")
    finally:
        cache.usable_home.cache_clear()


@pytest.mark.parametrize("trap", ["a link to a folder of ours", "a folder where all may write", "a folder of a group"])
def test_a_trap_among_the_temporary_files_is_passed_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trap: str
) -> None:
    """Whoever else is on this machine knows the name we would use."""
    (mine := tmp_path / "mine").mkdir()
    place = tmp_path / f"botyard-{os.getuid()}"
    if trap.startswith("a link"):
        place.symlink_to(mine)
    else:
        place.mkdir()
        place.chmod(0o770 if "group" in trap else 0o777)
    monkeypatch.setenv("BOTYARD_CACHE", "/dev/null/nowhere")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    cache.usable_home.cache_clear()
    try:
        assert cache.usable_home() != place
        assert list(mine.iterdir()) == []
    finally:
        cache.usable_home.cache_clear()


def test_a_folder_that_the_user_has_chosen_may_be_writable_for_its_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (chosen := tmp_path / "chosen").mkdir()
    chosen.chmod(0o775)  # as many systems have it, where a user is a group
    monkeypatch.setenv("BOTYARD_CACHE", str(chosen))
    cache.usable_home.cache_clear()
    try:
        assert cache.usable_home() == chosen
    finally:
        cache.usable_home.cache_clear()


def test_who_has_no_home_keeps_things_among_the_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BOTYARD_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as for a user nobody knows, without HOME
    cache.usable_home.cache_clear()
    try:
        assert cache.usable_home() == tmp_path / f"botyard-{os.getuid()}"
        monkeypatch.setattr(tempfile, "tempdir", "/dev/null/nowhere")
        cache.usable_home.cache_clear()
        with pytest.raises(YardError, match="BOTYARD_CACHE"):
            cache.usable_home()
    finally:
        cache.usable_home.cache_clear()


@compiles
def test_without_room_for_it_a_rule_is_compiled_and_runs_all_the_same(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    script = 'mount -t tmpfs -o size=96k tmpfs "$0" && exec "$1" -c "$2"'
    fill = "from pathlib import Path\nfrom botyard.kernel import cache\nhome = cache.usable_home()\n"
    fill += "try: (home / 'fill').write_bytes(bytes(1 << 20))\nexcept OSError: pass\n"
    fill += "with cache.compiling(Path('/nothing'), 'nothing', 'key'): pass\n"
    words = ["unshare", "--mount", "sh", "-c", script, str(tmp_path), sys.executable, fill + SCRIPT]
    elsewhere = str(tmp_path_factory.mktemp("elsewhere"))  # where nobody has compiled it before
    environment = {**os.environ, "BOTYARD_CACHE": str(tmp_path), "TMPDIR": elsewhere, "PYTHONPATH": str(ROOT / "src")}
    told = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=RUN_S)
    assert told.returncode == 0, told.stderr
    assert told.stdout.split()[1:] == ["0", "1"]


def test_the_home_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOTYARD_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache.home() == Path("/somewhere/botyard")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.home() == Path.home() / ".cache" / "botyard"


GAME = "import botyard; game = botyard.new('hive', seed=1); game.step('move NE'); print(game.state.turn)"


@compiles
def test_two_processes_may_compile_at_once_and_say_so_once_each(tmp_path: Path) -> None:
    command = [sys.executable, "-c", GAME]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("BOTYARD_", "NUMBA_", "COV"))}
    environment = {**clean, "BOTYARD_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT / "src")}
    both = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=RUN_S) for process in both]
    assert [output for output, _ in outputs] == ["1\n", "1\n"]
    assert sum(errors.count("Compiling the rules of hive") for _, errors in outputs) == 1
    third = run(GAME, tmp_path)
    assert third.stdout == "1\n"
    assert third.stderr == ""


def test_compiling_is_marked_only_when_it_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(cache, "rules_folder", lambda home: tmp_path / "rules" / "now")
    monkeypatch.setattr(cache, "announce", said.append)
    cache.announce_once.cache_clear()
    interrupted = cache.compiling(HERE, "tea", "tea-table")
    assert interrupted.__enter__() is True
    assert not interrupted.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    for expected in (True, False):
        with cache.compiling(HERE, "tea", "tea-table") as fresh:
            assert fresh is expected
    assert len(said) == 1
    cache.announce_once.cache_clear()


def test_a_process_that_waited_finds_the_work_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "rules" / "now"
    monkeypatch.setattr(cache, "rules_folder", lambda home: folder)
    monkeypatch.setattr(fcntl, "flock", lambda lock, how: (folder / "tea.ready").touch())
    with cache.compiling(HERE, "tea", "tea") as fresh:
        assert fresh is False


@pytest.mark.parametrize("group", LOOP_GROUPS)
def test_preparing_a_group_exercises_it_once(group: LoopGroup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = load("hive")
    monkeypatch.setattr(cache, "rules_folder", lambda home: tmp_path / "now")
    monkeypatch.setattr(cache, "announce", lambda text: None)
    for _ in range(2):
        monkeypatch.setitem(vars(book), "prepared", set())
        book.prepare(book.settings(), group)
    marks = [path.name for path in tmp_path.rglob("*.ready")]
    assert len(marks) == (0 if INTERPRETED else 1)
    assert all(mark.startswith(f"hive-{group}-") for mark in marks)


def test_old_folders_are_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "rules_folder", lambda home: tmp_path / "now")
    monkeypatch.setattr(cache, "announce", lambda text: None)
    for name, days in (("old", 40), ("young", 2)):
        folder = tmp_path / name
        (folder / "inner").mkdir(parents=True)
        (folder / "inner" / "file").write_text("")
        stamp = time.time() - days * 86400
        os.utime(folder, (stamp, stamp))
    with cache.compiling(HERE, "tea", "tea"):
        pass
    assert {path.name for path in tmp_path.iterdir()} == {"young", "now"}


def test_a_folder_in_use_grows_no_older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "rules_folder", lambda home: tmp_path / "now")
    monkeypatch.setattr(cache, "announce", lambda text: None)
    for _ in range(2):
        with cache.compiling(HERE, "tea", "tea"):
            pass
        age = time.time() - (tmp_path / "now").stat().st_mtime
        os.utime(tmp_path / "now", (0, 0))
    assert age < 3600


def test_the_sentence_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    cache.to_stderr("compiling")
    assert capsys.readouterr().err == "compiling\n"


def test_the_mode_follows_the_environment() -> None:
    assert mode_from({}) == "compiled"
    assert mode_from({"BOTYARD_RULES": "checked"}) == "checked"
    assert mode_from({"NUMBA_ENABLE_CUDASIM": "1"}) == "interpreted"
    assert mode_from({"NUMBA_DISABLE_JIT": "1"}) == "interpreted"
    with pytest.raises(YardError, match="BOTYARD_RULES is 'fast'"):
        mode_from({"BOTYARD_RULES": "fast"})


@pytest.mark.parametrize("collecting", [True, False])
def test_compiling_leaves_the_garbage_collector_as_it_was(collecting: bool) -> None:
    was_on = gc.isenabled()
    try:
        gc.enable() if collecting else gc.disable()
        with no_collection():
            assert not gc.isenabled()
        assert gc.isenabled() == collecting
    finally:
        gc.enable() if was_on else gc.disable()
