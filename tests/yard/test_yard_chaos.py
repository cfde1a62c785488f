"""After a storm of kills everything that a yard has recorded is as on a calm day, and nothing is left running."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from botyard.yard.config import YardConfig
from botyard.yard.data.contest_tables import OVER
from botyard.yard.data.database import Database
from botyard.yard.data.tables import CLOSED, DONE, FAULT, LEASED, MATCH, PAIR, TASK, VOID
from botyard.yard.keeping.verify import verify
from botyard.yard.site import Yard
from tests.contest.chaos import children, living_in
from tests.waiting import finished, wait_until
from tests.yard.hall import Hall, files_of_the_command
from tests.yard.league import GAME, PLAN, League
from tests.yard.players import speaker

SOAK = bool(os.environ.get("BOTYARD_SOAK"))  # `make soak`: 500 games and 50 kills on both databases
GAMES, STRIKES, BOTS, WORKERS, BOUTS = (500, 50, 6, 2, 40) if SOAK else (4, 2, 1, 1, 1)
LONGEST_S = 3600.0 if SOAK else 240.0
CONTEST = f"""
title = "In the storm"
game = "{GAME}"
seed = 7
[bots]
wanderer = "house:wanderer"
forager = "house:forager"
raider = "house:raider"
[format]
kind = "round_robin"
bouts = {BOUTS}
swap = "same_seed"
[settings]
max_turns = 12
"""
NAMES = ("Ant", "Bee", "Cicada", "Dragonfly", "Earwig", "Fly")
ROOT = Path(__file__).resolve().parents[2]


class YardStorm:
    """A yard whose server and workers are killed, one after another."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address, self.folder = address, folder
        database = Database.at(address)
        database.create()
        self.yard = Yard(YardConfig(folder, database=address, ladders=(PLAN,)), database)
        self.league = League(self.yard)
        for name in NAMES[:BOTS]:
            bot = self.league.bot(self.league.person(f"owner of {name}"), name)
            self.league.enter(bot, self.league.version(bot, speaker(name)))
        self.hall = Hall(self.yard)
        self.contest = self.hall.announce(CONTEST, slug="storm")
        self.hall.do("begin", self.contest)
        self.dice = random.Random(1)
        self.killed = {"server": 0, "worker": 0}
        self.deadline = time.monotonic() + LONGEST_S

    def count(self, table: sa.Table, *states: str) -> int:
        with self.yard.database.reading() as connection:
            counted = sa.select(sa.func.count()).select_from(table).where(table.c.state.in_(states))
            return int(connection.execute(counted).scalar_one())

    def blow(self) -> None:
        """Lets servers run and strikes them, until enough was killed and enough was played."""
        while True:
            with self.server() as process:
                while process.poll() is None:
                    assert time.monotonic() < self.deadline, f"not over after {self.killed}"
                    if sum(self.killed.values()) >= STRIKES:
                        self.calm(process)
                        return
                    self.strike(process)

    def strike(self, process: subprocess.Popen[bytes]) -> None:
        """Kills the server, or one of its workers, while a game is played. Strikes are spread over all games: who kills
        five workers at one match voids it, and rightly so."""
        due = sum(self.killed.values()) * GAMES // (STRIKES + 1)
        wait_until(lambda: (self.count(MATCH, DONE) >= due and self.count(TASK, LEASED)) or process.poll() is not None)
        time.sleep(self.dice.uniform(0, 0.4))
        workers = children(process.pid, "spawn_main")
        if self.killed["server"] <= self.killed["worker"]:
            process.kill()
            process.wait(LONGEST_S)
            self.killed["server"] += 1
        elif workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.dice.choice(workers), signal.SIGKILL)
                self.killed["worker"] += 1

    def calm(self, process: subprocess.Popen[bytes]) -> None:
        """Lets the rest be played, and ends the server as an admin would."""
        while self.count(MATCH, DONE) < GAMES or self.hall.contest(self.contest.slug).state != OVER:
            assert process.poll() is None, "the server has ended by itself"
            assert time.monotonic() < self.deadline, f"{self.count(MATCH, DONE)} games after {self.killed}"
            time.sleep(0.05)
        process.terminate()
        assert process.wait(60) == 0

    @contextlib.contextmanager
    def server(self) -> Iterator[subprocess.Popen[bytes]]:
        command = [sys.executable, "-m", "tests.yard.steward_process", self.address, str(self.folder), str(WORKERS)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, env=environment, cwd=self.folder, stderr=subprocess.PIPE)
        try:
            yield process
        finally:
            process.kill()
            _, said = process.communicate(timeout=60)
            if process.returncode not in (0, -9):
                sys.stderr.write(said.decode())


@pytest.fixture
def storm_address(request: pytest.FixtureRequest, database_address: str) -> str:
    if not SOAK and "postgres" in database_address:
        pytest.skip("a storm over PostgreSQL is part of `make soak`")
    return database_address


def test_a_storm_over_a_yard(storm_address: str, tmp_path: Path) -> None:
    folder = tmp_path / "storm"
    folder.mkdir()
    storm = YardStorm(storm_address, folder)
    storm.blow()
    wait_until(lambda: not living_in(folder), lambda: living_in(folder))
    found = verify(storm.yard)
    assert found.troubles == []
    assert storm.count(PAIR, CLOSED) >= GAMES // 2 - BOTS * WORKERS
    assert storm.count(TASK, LEASED) == 0
    assert storm.count(MATCH, VOID) == 0
    (folder / "storm.toml").write_text(CONTEST)
    expected = finished(files_of_the_command(folder / "storm.toml"))
    for file in ("standings.csv", "pairs.csv", "cross.csv"):
        assert storm.hall.report(storm.contest, file) == expected[file], "a contest ends as on a calm day"
    faults = [row.reason for row in storm.league.rows(FAULT)]
    assert any("server ended" in reason for reason in faults)
    storm.yard.close()
