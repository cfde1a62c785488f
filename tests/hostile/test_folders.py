"""Bots whose files mean harm: their manifest asks for what is not theirs, or is made to break whoever reads it.

Each folder of `folders/` is one of them, with `expected.txt`: words of the refusal it gets. A `%` in its files stands
for the yard around it, which holds an organiser's home with a key, a rival and a contest. None of them may be shown a
file of that yard, stop the command with a traceback, or be called our fault.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from botyard.contest.reading import BadPlan, read_plan
from botyard.games import load
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.kernel.errors import YardError
from botyard.kernel.verdict import Verdict
from botyard.links.bot_spec import read_bot_spec
from tests.conftest import need
from tests.jail.output import output_of
from tests.waiting import finished

FOLDERS = Path(__file__).parent / "folders"
NAMES = sorted(path.name for path in FOLDERS.iterdir())
SECRETS = ("the organiser's key", "the rival's source", "seed = 4711")


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    need("bwrap")
    if trouble := obstacle(Level.CAGED):
        pytest.skip(trouble)
    (tmp_path / "home" / ".ssh").mkdir(parents=True)
    (tmp_path / "home" / ".ssh" / "id").write_text(SECRETS[0])
    (tmp_path / "home" / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "home" / "run.sh").chmod(0o755)
    (tmp_path / "bots" / "rival").mkdir(parents=True)
    (tmp_path / "bots" / "rival" / "agent").write_text(f"#!/bin/sh\n# {SECRETS[1]}\n")
    (tmp_path / "bots" / "rival" / "agent").chmod(0o755)
    return tmp_path


def settle(yard: Path, name: str) -> Path:
    """The bot in its yard, with the yard's own paths in its files."""
    home = yard / "bots" / "stranger"
    shutil.copytree(FOLDERS / name, home, symlinks=True, ignore=shutil.ignore_patterns("expected.txt"))
    for path in home.rglob("*"):
        if path.is_file() and not path.is_symlink():
            path.write_bytes(path.read_bytes().replace(b"%", str(yard).encode()))
    return home


async def refusal(bot: Path) -> str:
    """Why a bot cannot play; where it can, all it has printed."""
    try:
        entry = read_bot_spec(f"dir:{bot}", load("hackman"))
    except YardError as error:
        return str(error)
    fault = await entry.build()
    if fault is not None:
        assert fault.verdict is Verdict.UNBUILT, fault
        return fault.reason
    assert entry.bot is not None
    return await output_of(entry.bot.launch())


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_that_means_harm_is_refused_or_sees_nothing(yard: Path, name: str) -> None:
    bot = settle(yard, name)
    told = finished(refusal(bot))
    assert (FOLDERS / name / "expected.txt").read_text().strip() in told, told[-1000:]
    assert not [secret for secret in SECRETS if secret in told]


@pytest.mark.parametrize("name", NAMES)
def test_it_stops_no_contest_with_anything_but_a_sentence(yard: Path, name: str) -> None:
    settle(yard, name)
    path = yard / "league.toml"
    path.write_text(
        'game = "hackman"\nseed = 4711\n[bots]\nstranger = "dir:bots/stranger"\nrival = "dir:bots/rival"\n'
        '[format]\nkind = "round_robin"\n'
    )
    assert mistaken(path) <= {"bots.stranger"}


def mistaken(path: Path) -> set[str]:
    """Where a contest file has mistakes."""
    try:
        read_plan(path)
    except BadPlan as refused:
        return {mistake.where for mistake in refused.mistakes}
    return set()
