"""All a bot can see, whatever kind it is and whoever runs it, alone and in a contest: a list, and not a file more."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.jail.toolchains import INTERPRETER
from tests.conftest import need
from tests.jail.visible.everyone import KINDS
from tests.waiting import RUN_S

ROOT = Path(__file__).parents[2]
NOBODY = "65534"

SYSTEM = {"/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin", "/usr"}
ALWAYS = {
    "/dev", "/etc", "/etc/alternatives", "/etc/group", "/etc/hosts", "/etc/ld.so.cache", "/etc/localtime",
    "/etc/nsswitch.conf", "/etc/passwd", "/home", "/home/bot", "/proc", "/tmp", "/toolchains", "/toolchains/bin",
    "/toolchains/bin/python",
}  # fmt: skip
OF_JAVA = re.compile(r"/etc/java[^/]*")
OF_PYTHON = re.compile(r"/toolchains/python3\.\d+(-environment)?(/(bin(/python(3(\.\d+)?)?)?|lib|pyvenv\.cfg))?")
OF_BOTYARD = {"/toolchains/botyard", "/toolchains/botyard/botyard"}

# What each kind sees of the yard. A `cmd:` bot has its folder without what others may not read; a `dir:` bot has all of
# it, in a copy; a command that names no file has an empty folder to stand in.
AT_ITS_PLACE = {"", "/data", "/data/table.bin", "/walker.py"}
OWN: dict[str, set[str]] = {
    "cmd": AT_ITS_PLACE,
    "json": AT_ITS_PLACE,
    "py": AT_ITS_PLACE,
    "move": AT_ITS_PLACE,
    "fresh-move": {*AT_ITS_PLACE, "/walk.sh"},
    "tcp": AT_ITS_PLACE,
    "nothing": set(),
    "dir": {*AT_ITS_PLACE, "/secret.key"},
    "websocket": {*AT_ITS_PLACE, "/secret.key"},
}
COPIED = ("dir", "websocket")

# Somebody without privileges may be let into neither this repository nor the home our interpreter lies in. For one
# command both are shown to everybody, and nothing else of them.
LET_IN = """
set -e
aside=$1 interpreter=$2 home=$3 repository=$4; shift 4
mkdir -p "$aside/kept" "$aside/repository"
mount --bind "$repository" "$aside/repository"
if [ -n "$home" ]; then
  mount --bind "$interpreter" "$aside/kept"
  mount -t tmpfs -o mode=755 tmpfs "$home"
  mkdir -p "$interpreter"
  mount --move "$aside/kept" "$interpreter"
fi
cd "$aside/repository"
exec setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all "$@"
"""


@pytest.fixture(scope="module", params=["ourselves", "nobody"])
def yard(request: pytest.FixtureRequest) -> Iterator[tuple[Path, dict[str, Any]]]:
    need("bwrap")
    if trouble := obstacle(Level.CAGED):
        pytest.skip(trouble)
    with TemporaryDirectory(dir="/var/tmp", prefix="yard-") as name:
        folder = Path(name)
        words = [sys.executable, "-m", "tests.jail.visible.everyone", name]
        environment = dict(os.environ)
        if request.param == "nobody":
            words, environment = as_nobody(words, folder)
        done = subprocess.run(
            words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=RUN_S
        )
        assert done.returncode == 0, done.stderr[-3000:]
        told = json.loads(done.stdout)
        assert told["user"] == (int(NOBODY) if request.param == "nobody" else os.getuid())
        yield folder, told["seen"]


def as_nobody(words: list[str], folder: Path) -> tuple[list[str], dict[str, str]]:
    """The same command and its environment for somebody without privileges."""
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else; who runs this is without privileges already")
    os.chown(folder, int(NOBODY), int(NOBODY))
    aside, python = folder / "aside", Path(words[0])
    aside.mkdir()
    if python.is_relative_to(ROOT):
        python = aside / "repository" / python.relative_to(ROOT)
    home = next((place for place in ("/root", "/home") if INTERPRETER.is_relative_to(place)), "")
    prefix = INTERPRETER.parent.parent
    environment = {
        "PATH": f"{python.parent}:{os.defpath}", "HOME": str(folder / "own"), "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(aside / "repository" / "src"), "BOTYARD_RULES": "interpreted",
    }  # fmt: skip
    let_in = ["unshare", "--mount", "sh", "-c", LET_IN, "sh", str(aside), str(prefix), home, str(ROOT)]
    return [*let_in, str(python), *words[1:]], environment


@pytest.mark.parametrize("where", ["alone", "in a contest"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_bot_sees_what_is_written_down_and_nothing_else(
    yard: tuple[Path, dict[str, Any]], kind: str, where: str
) -> None:
    folder, seen = yard
    told = seen[f"{kind} {where}"]
    assert told["level"] == "caged"
    own_folder = "/bot" if kind in COPIED else f"{folder}/contest/bots/{kind}"
    here = {"dir": "/bot", "websocket": "/bot", "py": own_folder}.get(kind, f"{folder}/contest")
    own = {own_folder + path for path in OWN[kind]}
    standing = {str(path) for place in (*own, here) for path in (Path(place), *Path(place).parents)} - {"/"}
    paths = set(told["paths"])
    assert own <= paths
    expected = ALWAYS | SYSTEM | own | standing | (OF_BOTYARD if kind == "py" else set())
    assert {path for path in paths - expected if not (OF_JAVA.fullmatch(path) or OF_PYTHON.fullmatch(path))} == set()
    assert told["here"] == here


@pytest.mark.parametrize("kind", KINDS)
def test_a_bot_holds_nothing_open_but_its_own_streams(yard: tuple[Path, dict[str, Any]], kind: str) -> None:
    opened = yard[1][f"{kind} alone"]["open"]
    assert opened == ([0, 1, 2, 3, 4] if kind == "py" else [0, 1, 2])  # the last two are opened inside, by child.py
