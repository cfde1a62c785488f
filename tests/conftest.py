"""What all tests share: where the recordings are, a game of somebody else's, and what a missing tool means."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

from botyard.games import GAMES
from botyard.games.starters import Starter, all_starters
from botyard.jail.installations import family_of
from botyard.jail.toolchains import Unusable, tool_named

HERE = Path(__file__).parent

# A game of somebody else's is installed wherever we test, in programs and workers that we start, too: its folder holds
# the package and what an installation would leave of it. All tests over all games go over it.
SIXTH_GAME = HERE / "games_of_others" / "tictactoe"
SIXTH_SOURCE = str(SIXTH_GAME / "src")
if SIXTH_SOURCE not in sys.path:
    sys.path.append(SIXTH_SOURCE)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [SIXTH_SOURCE, os.environ.get("PYTHONPATH")]))

# Compiling, and a busy machine, must not fail a law; the examples are the same in every run.
settings.register_profile("botyard", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("botyard")


# A shell that runs us in the background has us ignore SIGINT; programs that are started here are to be as always.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """Every game, ours and the one of somebody else's: a test that takes this is a test of all games."""
    return str(request.param)


@pytest.fixture(params=all_starters(), ids=lambda starter: f"{starter.game}-{starter.language}")
def starter(request: pytest.FixtureRequest) -> Starter:
    """Every starter of every game."""
    assert isinstance(request.param, Starter)
    return request.param


def recordings(game: str) -> Path:
    """The recordings that lie in this repository."""
    return HERE / "conformance" / game


def recorded_file(game: str) -> Path:
    """Whole games of an original, one in a line."""
    [path] = recordings(game).glob("*dev.jsonl.gz")
    return path


def outside_recordings(game: str) -> Path:
    """Recordings that are not ours to copy: BOTYARD_CONFORMANCE says where they are."""
    folder = os.environ.get("BOTYARD_CONFORMANCE")
    if not folder:
        pytest.skip("BOTYARD_CONFORMANCE is not set: the recordings outside this repository are not checked")
    path = Path(folder) / game
    assert path.is_dir(), f"BOTYARD_CONFORMANCE is {folder}, but there is no {path}"
    return path


def need(tool: str) -> str:
    """A program the test cannot do without, and that runs; under BOTYARD_NOTHING_MISSING its absence is a failure."""
    found = shutil.which(tool)
    try:
        if family_of(tool) and (known := tool_named(tool)):
            found = str(known.outside)
    except Unusable as reason:
        lack(str(reason))
    if found is None:
        lack(f"{tool} is not installed")
    return found


def lack(message: str) -> NoReturn:
    """Something is missing that a test cannot do without."""
    if os.environ.get("BOTYARD_NOTHING_MISSING"):
        pytest.fail(message)
    pytest.skip(message)
