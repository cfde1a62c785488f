"""After a storm of kills everything that a yard has recorded is as on a calm day, and nothing is left behind.

The server is the command `botyard serve`, bots play in cages, and `kill -9` takes the server or one of its workers.
"""

from __future__ import annotations

import contextlib
import json
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

from botyard.jail.cgroups import PREFIX, cgroup_parents
from botyard.jail.cgroups import sweep as sweep_cgroups
from botyard.yard.config import CONFIG_FILE, DATABASE_FILE, YardConfig
from botyard.yard.data.contest_tables import OVER
from botyard.yard.data.database import Database
from botyard.yard.data.tables import CLOSED, DONE, FAULT, LEASED, MATCH, PAIR, TASK, VOID
from botyard.yard.data.times import DAY
from botyard.yard.keeping.migrating import migrate
from botyard.yard.keeping.sweeping import sweep
from botyard.yard.keeping.verify import verify
from botyard.yard.opening import config_with
from botyard.yard.rooms.chronicles import stints_before
from botyard.yard.rooms.rooms import create_room
from botyard.yard.site import Yard
from tests.contest.chaos import children, living_in
from tests.families import family
from tests.waiting import finished, wait_until
from tests.yard.hall import Hall, files_of_the_command
from tests.yard.league import GAME, PLAN, League
from tests.yard.players import speaker
from tests.yard.room_visitor import DEN, Visitor
from tests.yard.test_serve import COMMAND, check_gone, status

SOAK = bool(os.environ.get("BOTYARD_SOAK"))  # `make soak`: 500 games and 50 kills on both databases
GAMES, STRIKES, BOTS, WORKERS, BOUTS = (500, 50, 6, 2, 40) if SOAK else (4, 2, 1, 1, 1)
LONGEST_S = 7200.0 if SOAK else 240.0
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
LEFT = {CONFIG_FILE, DATABASE_FILE, "blobs", ".serving.lock", ".using.lock", ".keeping.lock"}
"""All that lies in the folder of a yard that nobody serves."""
EARLY = 0.2  # of the kills of a server come while it starts, or soon after


class YardStorm:
    """A yard whose server and workers are killed, one after another."""

    games, strikes, workers = GAMES, STRIKES, WORKERS
    running = ""  # what its file says about workers

    def __init__(self, address: str | None, above: Path) -> None:
        """`address` is that of the database, None: SQLite in the folder of the yard."""
        self.folder, self.temporary = above / "yard", above / "tmp"
        self.folder.mkdir(mode=0o700)
        self.temporary.mkdir()
        self.options = [
            "--port",
            "0",
            "--workers",
            str(self.workers),
            "--json",
            "--as-root",
            *(["--db", address] if address else []),
        ]
        self.yard = Yard(self.configured(address), Database.at(address or f"sqlite:///{self.folder / DATABASE_FILE}"))
        self.league = League(self.yard)
        for name in NAMES[:BOTS]:
            bot = self.league.bot(self.league.person(f"owner of {name}"), name)
            self.league.enter(bot, self.league.version(bot, speaker(name)))
        self.hall = Hall(self.yard)
        self.contest = self.hall.announce(CONTEST, slug="storm")
        self.hall.do("begin", self.contest)
        with self.yard.database.writing() as connection:
            create_room(connection, DEN, self.yard.clock(), by=None)
        self.visitor = Visitor(self.told)
        self.dice = random.Random(1)
        self.killed = {"server": 0, "worker": 0}
        self.processes: dict[int, str] = {}  # all that were seen
        self.deadline = time.monotonic() + LONGEST_S

    def configured(self, address: str | None) -> YardConfig:
        """Writes the file of the yard and makes its tables, as its first start would."""
        settings = "".join(f"{key} = {value}\n" for key, value in PLAN.settings.items())
        ladder = f'[[ladders]]\nslug = "{PLAN.slug}"\ngame = "{PLAN.game}"\n[ladders.settings]\n{settings}'
        (self.folder / CONFIG_FILE).write_text(self.running + ladder)
        config = config_with(self.folder, address)
        migrate(config.database_address)
        return config

    def count(self, table: sa.Table, *states: str) -> int:
        with self.yard.database.reading() as connection:
            counted = sa.select(sa.func.count()).select_from(table).where(table.c.state.in_(states))
            return int(connection.execute(counted).scalar_one())

    def blow(self) -> None:
        """Lets servers run and strikes them, until enough was killed and enough was played. A visitor of the room comes
        back to the same address after every strike."""
        with self.visitor:
            self.blow_on()

    def blow_on(self) -> None:
        while True:
            with self.server() as process:
                while process.poll() is None:
                    assert time.monotonic() < self.deadline, f"not over after {self.killed}"
                    if sum(self.killed.values()) >= self.strikes:
                        self.calm(process)
                        return
                    self.strike(process)

    def strike(self, process: subprocess.Popen[bytes]) -> None:
        """Kills the server, or one of its workers, while a game is played. Strikes are spread over all games: who kills
        five workers at one match voids it, and rightly so."""
        if self.killed["server"] <= self.killed["worker"]:
            if not SOAK or self.dice.random() > EARLY:
                self.await_games(process)
            time.sleep(self.dice.uniform(0, 0.4))
            self.processes |= family(process.pid)
            process.kill()
            process.wait(LONGEST_S)
            self.killed["server"] += 1
            return
        self.await_games(process)
        time.sleep(self.dice.uniform(0, 0.4))
        self.processes |= family(process.pid)
        if at_work := [worker for worker in self.worker_processes(process) if len(family(worker)) > 1]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.dice.choice(at_work), signal.SIGKILL)
                self.killed["worker"] += 1

    def worker_processes(self, process: subprocess.Popen[bytes]) -> list[int]:
        return children(process.pid, "spawn_main")

    def await_games(self, process: subprocess.Popen[bytes]) -> None:
        """Waits until as many games are done as are due before the next strike, and one is played."""
        due = sum(self.killed.values()) * self.games // (self.strikes + 1)
        while process.poll() is None and not (self.count(MATCH, DONE) >= due and self.count(TASK, LEASED)):
            assert time.monotonic() < self.deadline, f"{self.count(MATCH, DONE)} games after {self.killed}"
            time.sleep(0.01)

    def calm(self, process: subprocess.Popen[bytes]) -> None:
        """Lets the rest be played, looks at a page, and ends the server as an admin would."""
        while self.count(MATCH, DONE) < self.games or self.hall.contest(self.contest.slug).state != OVER:
            assert process.poll() is None, "the server has ended by itself"
            assert time.monotonic() < self.deadline, f"{self.count(MATCH, DONE)} games after {self.killed}"
            time.sleep(0.05)
        assert status(f"{json.loads(self.told.read_text())['address']}/status") == 200
        self.visitor.check_welcome()
        self.processes |= family(process.pid)
        process.terminate()
        assert process.wait(60) == 0

    @property
    def told(self) -> Path:
        """What the server says of itself."""
        return self.folder.parent / "told.json"

    @contextlib.contextmanager
    def server(self) -> Iterator[subprocess.Popen[bytes]]:
        command = [*COMMAND, str(self.folder), *self.options]
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        with self.told.open("wb") as told:
            process = subprocess.Popen(command, env=environment, cwd=self.folder, stdout=told, stderr=subprocess.PIPE)
        try:
            yield process
        finally:
            process.kill()
            _, said = process.communicate(timeout=60)
            if process.returncode not in (0, -9):
                sys.stderr.write(said.decode())

    def check_nothing_left(self) -> None:
        """Of all that servers have begun nothing runs any more, and nothing lies about."""
        check_gone(self.processes)
        wait_until(lambda: not living_in(self.folder), lambda: living_in(self.folder))
        self.yard.close()
        assert {path.name for path in self.folder.iterdir()} <= LEFT
        assert not list(self.temporary.iterdir())
        for parent in cgroup_parents().values():
            sweep_cgroups(parent)  # as the next runner does: the last one may have been too early
        assert not [path for path in Path("/sys/fs/cgroup").rglob(f"{PREFIX}*") if self.started(path.name)]

    def started(self, cgroup: str) -> bool:
        """Whether a control group was made by one of the storm's processes, whose number is in its name."""
        return int(cgroup.removeprefix(PREFIX).partition("-")[0]) in self.processes


@pytest.fixture
def storm_address(request: pytest.FixtureRequest, database_address: str) -> str | None:
    if "postgres" not in database_address:
        return None
    if not SOAK:
        pytest.skip("a storm over PostgreSQL is part of `make soak`")
    return database_address


def test_a_storm_over_a_yard(storm_address: str | None, tmp_path: Path) -> None:
    storm = YardStorm(storm_address, tmp_path)
    storm.blow()
    sweep(storm.yard.database, storm.yard.blobs, storm.yard.clock() + 2 * DAY)
    assert verify(storm.yard).troubles == []
    assert storm.count(PAIR, CLOSED) >= GAMES // 2 - BOTS * WORKERS
    assert storm.count(TASK, LEASED) == 0
    assert storm.count(MATCH, VOID) == 0
    (tmp_path / "storm.toml").write_text(CONTEST)
    expected = finished(files_of_the_command(tmp_path / "storm.toml"))
    for file in ("standings.csv", "pairs.csv", "cross.csv"):
        assert storm.hall.report(storm.contest, file) == expected[file], "a contest ends as on a calm day"
    with storm.yard.database.reading() as connection:
        assert stints_before(connection, storm.visitor.user, storm.yard.clock()), "rounds of the room were kept"
    faults = [row.reason for row in storm.league.rows(FAULT)]
    assert any("server ended" in reason for reason in faults)
    storm.check_nothing_left()
