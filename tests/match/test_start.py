"""The start of a match: whoever cannot come, and whoever's fault that is."""

from __future__ import annotations

import asyncio
import errno
from typing import Any

import botyard
from botyard.kernel.outcome import Outcome
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.loop import Played, play_game
from botyard.match.player import Answer, Player
from tests.match.stage import without_waiting


class Starting(Player):
    """A player that never gets beyond its start."""

    name = "starting"

    def __init__(self, outcome: Fault | Exception | None) -> None:
        self._outcome = outcome
        self.begun = self.ended = False

    async def start(self) -> Fault | None:
        self.begun = True
        if isinstance(self._outcome, Exception):
            raise self._outcome
        try:
            if self._outcome is None:
                await asyncio.sleep(3600)
        finally:
            self.ended = True
        return self._outcome

    async def ask(self, view: Any) -> Answer:
        raise AssertionError("nobody is asked")

    async def finish(self, outcome: Outcome | None) -> None:
        pass

    async def stop(self) -> None:
        pass


def start_game(*players: Starting) -> Played:
    async def main() -> Played:
        return await play_game(botyard.new("hive", seed=4), players)

    return without_waiting(main())


def test_a_start_that_the_machine_refuses_ends_the_others_too() -> None:
    slow = Starting(None)
    played = start_game(Starting(OSError(errno.EMFILE, "no descriptor is left")), slow)
    assert played.outcome is None
    assert "no descriptor is left" in played.trouble
    assert slow.begun
    assert slow.ended


def test_a_cell_that_we_could_not_set_up_costs_nobody_a_game() -> None:
    played = start_game(Starting(Fault(Verdict.HOUSE, "no cage")), Starting(Fault(Verdict.CRASHED, "its own fault")))
    assert played.outcome is None
    assert "no cage" in played.trouble
