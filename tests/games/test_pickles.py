"""Games, batches and views go to another process, or into a copy, and go on there as here."""

from __future__ import annotations

import copy
import hashlib
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import botyard
from botyard import Batch
from botyard.games import GAMES, load
from botyard.games.game import Game
from botyard.kernel.errors import BadRecord
from botyard.kernel.rule import INTERPRETED
from tests.waiting import RUN_S

ROOT = Path(__file__).parents[2]
CHILD = """
import pickle, sys
from tests.games.test_pickles import going_on
for things in pickle.load(sys.stdin.buffer):
    print(going_on(*things))
"""


def begun(game: str) -> tuple[Game, Batch, botyard.View]:
    """A game, a batch and a view some ticks after the start."""
    book = load(game)
    settings = book.settings.read(book.samples.golden)
    alone, games = Game(book, settings, 2**64 - 1), Batch(book, settings, 3, seed=7, autoreset="same_step")
    for _ in range(4):
        alone.step({seat: alone.orders(seat)[0] for seat in alone.asked})
        games.step(np.zeros((3, games.seats), np.int32))
    return alone, games, alone.view(alone.asked[0])


def going_on(alone: Game, games: Batch, view: botyard.View) -> str:
    """All there is of them, before and after some more ticks."""
    told = [alone.bytes(), view.array.tobytes()]
    for _ in range(30):
        if not alone.over:
            alone.step({seat: alone.orders(seat)[-1] for seat in alone.asked})
        games.step(np.ones((3, games.seats), np.int32))
        arrays = (games.states, games.views, games.scores, games.over, games.seeds, games.finals, games.masks)
        told += [alone.bytes(), *(array.tobytes() for array in arrays)]
    return f"{hashlib.sha256(b''.join(told)).hexdigest()} {alone!r} {games!r} {view!r}"


def test_in_another_process_they_go_on_as_here() -> None:
    things = [begun(game) for game in (list(GAMES)[:1] if INTERPRETED else GAMES)]  # interpreted ones are slow
    command, raw = [sys.executable, "-c", CHILD], pickle.dumps(things)
    done = subprocess.run(command, input=raw, capture_output=True, check=False, timeout=RUN_S, cwd=ROOT)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().splitlines() == [going_on(*each) for each in things]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])
def test_copies_go_their_own_way(copied: Any) -> None:
    alone, games, view = begun("hive")
    twin, twins, look = copied(alone), copied(games), copied(view)
    assert twin == alone
    assert twin.settings == alone.settings
    assert twin.book is twins.book is alone.book
    before = twin.bytes(), twins.states.tobytes(), str(view)
    going_on(alone, games, view)
    assert (twin.bytes(), twins.states.tobytes(), str(look)) == before
    assert twin != alone
    games.restore(twins)
    assert games.states.tobytes() == before[1]
    with pytest.raises(ValueError, match="read-only"):
        look.window[0, 0] = 1


def test_draws_that_were_fed_travel_along() -> None:
    game = botyard.new("hive", seed=7)
    game.feed([(5, 3), (7, 6)])
    again = pickle.loads(pickle.dumps(game))
    assert [array.tobytes() for array in again.arrays] == [array.tobytes() for array in game.arrays]
    assert len(pickle.dumps(botyard.new("hive", seed=7))) < len(pickle.dumps(game))


def test_a_rule_book_is_found_again() -> None:
    book = load("hive")
    assert pickle.loads(pickle.dumps(book)) is copy.deepcopy(book) is book


def test_what_other_rules_saved_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    alone, games, _ = begun("hive")
    saved = pickle.dumps(alone), pickle.dumps(games)
    monkeypatch.setitem(vars(alone.book), "facts", replace(alone.book.facts, rules_version=99))
    for raw in saved:
        with pytest.raises(BadRecord, match="saved under rules version 1 of hive: this Botyard plays rules version 99"):
            pickle.loads(raw)
