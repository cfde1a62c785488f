"""A site that root starts: bots get users and control groups of their own from a warden that does nothing else."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import botyard
from botyard.jail import uids
from botyard.jail.cgroups import cgroup_parents, cgroups_hold
from botyard.jail.handed_cgroups import SITE
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.jail.uids import BLOCK, BLOCKS, FIRST_BLOCK, HeldBlock
from botyard.jail.warden import SOURCE as WARDEN
from botyard.kernel.errors import OurFault
from tests.conftest import need
from tests.families import family, status_of
from tests.jail.cell import PYTHON
from tests.links.yard import is_alive
from tests.waiting import PATIENCE_S, ending, in_time, wait_until

HERE = Path(__file__).parent
SOURCE = Path(botyard.__file__).parent
NOBODY = 65534
OTHER = 65533
NUMBERS = range(FIRST_BLOCK, FIRST_BLOCK + BLOCK * BLOCKS)


class Site:
    """A site in small, in a process of its own (`site.py`)."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def send(self, *question: Any) -> None:
        assert self.process.stdin is not None
        print(json.dumps(question), file=self.process.stdin, flush=True)

    def ask(self, *question: Any) -> Any:
        self.send(*question)
        assert self.process.stdout is not None
        told = in_time(self.process.stdout.readline)
        assert told, in_time(self.process.communicate)[1]
        return json.loads(told)

    @property
    def wardens(self) -> list[int]:
        """The warden, and its parent, who waits."""
        found = [child for child in family(self.process.pid) if b"warden.py" in command_of(child)]
        return sorted(found, key=lambda pid: status_of(pid, "Uid")[1] == "0")

    @property
    def warden(self) -> int:
        return self.wardens[0]

    @property
    def groups(self) -> list[Path]:
        return [path for parent in cgroup_parents().values() for path in parent.glob(f"*-{self.process.pid}{SITE}")]


def command_of(process: int) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()


@pytest.fixture(scope="module")
def yard() -> Iterator[Path]:
    """A folder everybody can reach, with the jail, and a bot of the site's whose files only the site may read."""
    if os.geteuid() != 0:
        pytest.skip("only root can leave a warden behind")
    need("bwrap")
    need(PYTHON)
    if trouble := obstacle(Level.CAGED):
        pytest.skip(trouble)
    with TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        for script in ("cell.py", "site.py"):
            shutil.copy(HERE / script, folder)
        for part in ("jail", "kernel"):
            shutil.copytree(SOURCE / part, folder / "botyard" / part)
        shutil.copy(SOURCE / "__init__.py", folder / "botyard")
        for path in (folder / "entry", folder / "entry" / "bot", folder / "entry" / "bot" / "probe.py"):
            shutil.copy(HERE / "probe.py", path) if path.suffix else path.mkdir()
            path.chmod(0o700)
            os.chown(path, NOBODY, NOBODY)
        (folder / "yard.db").write_text("everybody's secrets")
        os.chown(folder / "yard.db", NOBODY, NOBODY)
        (folder / "yard.db").chmod(0o600)
        yield folder


def started_site(yard: Path) -> subprocess.Popen[str]:
    environment = {"PYTHONPATH": str(yard), "PATH": os.defpath, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(
        [PYTHON, str(yard / "site.py")], env=environment, text=True, cwd=yard, stdin=PIPE, stdout=PIPE, stderr=PIPE
    )


@pytest.fixture(scope="module")
def site(yard: Path) -> Iterator[Site]:
    with ending(started_site(yard)) as process:
        site = Site(process)
        assert site.ask("cells") == [], "it answers, so its warden is there"
        yield site


def cell(yard: Path, *words: str, port: int = 0, copied: bool = True, **limits: int) -> list[Any]:
    return [str(yard / "entry" / "bot"), port, limits, copied, *words]


def test_every_bot_of_a_site_has_a_user_of_its_own_and_no_rights(site: Site, yard: Path) -> None:
    seen = [json.loads(one["written"]) for one in site.ask("cells", cell(yard, "user"), cell(yard, "user"))]
    first, second = ({int(number) for key in ("Uid", "Gid") for number in user[key].split()} for user in seen)
    assert len(first) == len(second) == 1
    assert first != second
    assert first | second <= set(NUMBERS)
    assert all(user[key] == "0" * 16 for user in seen for key in user if key.startswith("Cap"))
    assert status_of(site.process.pid, "Uid") == [str(NOBODY)] * 4, "and the site itself has none of root's"


def test_a_bot_of_a_site_reaches_nothing_of_the_site_and_its_one_port(site: Site, yard: Path) -> None:
    files = [str(yard / "yard.db"), str(yard / "entry" / "bot" / "probe.py"), f"/proc/{site.process.pid}/environ"]
    [seen, reached] = site.ask(
        "cells",
        cell(yard, "break_in", str(site.process.pid), *files),
        cell(yard, "ports", "8000", "8001", port=8000),
    )
    told = json.loads(seen["written"])
    assert told.pop("uid") in NUMBERS
    assert told == {"signal": "ESRCH", **dict.fromkeys(files, "ENOENT")}
    assert json.loads(reached["said"]) == {"8000": "reached", "8001": "ECONNREFUSED"}


def test_a_stranger_with_a_bots_number_cannot_touch_the_site(site: Site, yard: Path) -> None:
    """The border beyond the cage: somebody who broke out of it is a user who owns nothing."""
    script = f"kill -0 {site.process.pid} || cat {yard}/yard.db || ls {yard}/entry || kill -0 {site.warden}"
    tried = subprocess.run(
        ["/bin/sh", "-c", script], user=FIRST_BLOCK, group=FIRST_BLOCK, extra_groups=[], capture_output=True,
        check=False, timeout=PATIENCE_S,
    )  # fmt: skip
    assert tried.returncode != 0
    assert tried.stdout == b""


def test_a_bots_memory_is_counted_as_a_whole(site: Site, yard: Path) -> None:
    if not cgroups_hold("memory"):
        pytest.skip("no control groups can be made here")
    [seen] = site.ask("cells", cell(yard, "hog", memory_mb=50))
    assert seen["verdict"] == "MEMORY" or "MemoryError" in seen["said"], seen
    assert 0 < seen["peak_mb"] <= 60
    assert [path.stat().st_uid for path in site.groups] == [NOBODY] * len(cgroup_parents())
    assert not [inner for path in site.groups for inner in path.glob("botyard-*")], "bots' groups go with them"


def test_who_takes_the_site_over_gets_nothing_else_out_of_the_warden(site: Site, yard: Path) -> None:
    waiting = "import ctypes, sys; ctypes.CDLL(None).unshare(0x10000000); print(flush=True); sys.stdin.read()"
    words = [PYTHON, "-c", waiting]
    with (
        ending(subprocess.Popen(words, stdin=PIPE, stdout=PIPE)) as roots,
        ending(subprocess.Popen(words, stdin=PIPE, stdout=PIPE, user=OTHER, group=OTHER)) as others,
    ):
        for process in (roots, others):
            assert process.stdout is not None
            in_time(process.stdout.readline)
        done = site.ask("attacks", site.warden, roots.pid, others.pid, "/etc/shadow")
    refused = {key: said for key, said in done.items() if key.startswith(("a map for", "another with"))}
    assert len(refused) == 5
    assert "mapped" not in refused.values(), refused
    assert done["a map"] == "mapped"
    users = [line.split() for line in done["who one is"].splitlines()]
    assert [users[0], users[1][2]] == [["0", str(NOBODY), "1"], "1"]
    assert len(users) == 2
    assert int(users[1][1]) in NUMBERS
    assert done["the own number"] == "None"
    assert done["a neighbour's number"] == "EINVAL"
    assert done["root's file, in a namespace"] == "EACCES"
    assert done["signal the warden"] == done["root"] == "EPERM"
    assert done["its memory"] == done["its program"] == "EACCES"
    assert done["trace it"] == "-1"


def test_the_warden_understands_two_things_and_runs_out_of_numbers_in_words(site: Site) -> None:
    assert site.ask("nonsense") == "True"
    count, refused, again = site.ask("all_numbers")
    assert count == BLOCK
    assert "every number is in use" in refused
    assert again


def test_the_warden_keeps_two_rights_and_acts_as_the_sites_user(site: Site) -> None:
    assert status_of(site.warden, "Uid") == ["0", str(NOBODY), "0", str(NOBODY)]
    assert status_of(site.warden, "Gid") == [str(NOBODY)] * 4
    assert {key: int(status_of(site.warden, key)[0], 16) for key in ("CapPrm", "CapEff", "CapInh")} == {
        "CapPrm": 0xC0, "CapEff": 0xC0, "CapInh": 0,
    }  # fmt: skip
    _, waiting = site.wardens
    assert int(status_of(waiting, "CapEff")[0], 16) == int(status_of(waiting, "CapPrm")[0], 16) == 0x2
    assert all(status_of(pid, "NoNewPrivs") == ["1"] for pid in site.wardens)


def test_a_site_that_is_killed_leaves_no_bot_no_warden_and_no_group(yard: Path) -> None:
    with ending(started_site(yard)) as process:
        site = Site(process)
        site.ask("cells", cell(yard, "user"))
        site.send("hold", str(yard / "entry" / "bot"))
        wait_until(lambda: bots_below(process.pid), lambda: "no bot was started")
        wardens, groups, bots = site.wardens, site.groups, bots_below(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE_S)
    wait_until(lambda: not any(map(is_alive, (*wardens, *bots))), lambda: (wardens, bots))
    wait_until(lambda: not any(path.exists() for path in groups), lambda: groups)
    assert len(groups) == len(cgroup_parents())


def bots_below(process: int) -> list[int]:
    """Processes below one that are users of bots."""
    return [child for child in family(process) if {*map(int, status_of(child, "Uid"))} & set(NUMBERS)]


def test_a_block_of_numbers_stays_with_one_user_and_serves_one_site_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uids, "BLOCK_FOLDER", tmp_path)
    tmp_path.chmod(0o700)
    first, second, others = HeldBlock(1001), HeldBlock(1001), HeldBlock(1002)
    assert len({first.first, second.first, others.first}) == 3
    os.close(others.descriptor)
    os.close(first.descriptor)
    assert HeldBlock(1001).first == first.first, "free, and his already"
    assert HeldBlock(1003).first not in {first.first, second.first, others.first}, "free, but another's"
    for number in range(BLOCKS):
        (tmp_path / str(number)).write_text("1001")
    with pytest.raises(OurFault, match="taken by other sites"):
        HeldBlock(1004)


def test_no_warden_serves_root() -> None:
    for user, group in ((0, 1000), (1000, 0), (FIRST_BLOCK, 1000)):
        words = [PYTHON, "-I", "-S", str(WARDEN), *map(str, (0, user, group, FIRST_BLOCK, BLOCK))]
        refused = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        assert refused.stderr == "the site needs a user and a group of its own\n"
