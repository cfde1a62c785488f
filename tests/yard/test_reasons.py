"""Whatever waits has a reason, and when nobody takes work, pages say so by themselves within seconds."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from botyard.contest.executors.local import Local
from botyard.games import GAMES, load
from botyard.yard.config import CONFIG_FILE
from botyard.yard.data.tables import LEASED, TASK, TASK_STATES, WAITING
from botyard.yard.site import Yard
from botyard.yard.web.words import queue_words
from botyard.yard.work.queue import overview, queue_line
from botyard.yard.work.steward import WAIT_S
from botyard.yard.work.workers import LOOK_S
from tests.families import family
from tests.render.pages import chromium
from tests.waiting import finished, until
from tests.yard.test_serve import LADDER, serving
from tests.yard.test_steward import own_yard
from tests.yard.test_steward import serving as served_by
from tests.yard.wayfaring import Wayfarer

__all__ = ["own_yard"]  # a fixture

ALLOWED_S = 5.0


def test_the_table_takes_no_unfinished_task_without_a_reason(yard: Yard) -> None:
    for state in TASK_STATES:
        row = {"kind": "build", "urgency": 0, "state": state, "asked_ms": 1}
        with yard.database.writing() as connection:
            connection.execute(sa.insert(TASK).values(**row, why="a reason"))
        if state in (WAITING, LEASED):
            with pytest.raises(IntegrityError), yard.database.engine.begin() as connection:
                connection.execute(sa.insert(TASK).values(**row, why=""))
            with pytest.raises(IntegrityError), yard.database.engine.begin() as connection:
                connection.execute(sa.update(TASK).where(TASK.c.state == state).values(why=""))


def test_a_worker_that_somebody_stops_is_missed_and_comes_back(own_yard: Yard) -> None:
    executors: list[Local] = []

    def hire() -> Local:
        executors.append(Local(1))
        return executors[0]

    def able() -> int:
        with own_yard.database.reading() as connection:
            return overview(connection, own_yard.clock()).able

    def line() -> str:
        with own_yard.database.reading() as connection:
            return queue_words(queue_line(connection, None))

    async def stop_it() -> None:
        async with served_by(own_yard, hire) as steward:
            await until(lambda: able() == 1)
            [worker] = executors[0].processes
            os.kill(worker, signal.SIGSTOP)
            await until(lambda: able() == 0)
            assert "no worker is there to take work" in line()
            assert steward.load.workers == 0
            os.kill(worker, signal.SIGCONT)
            await until(lambda: able() == 1)

    finished(stop_it())


@pytest.fixture
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def workers_of(server: int) -> list[int]:
    """The processes of a server that play games, not those that look after them."""
    return [
        process for process in family(server)
        if b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    ]  # fmt: skip


@pytest.mark.long
def test_with_all_workers_stopped_open_pages_say_so_by_themselves(browser: Any, tmp_path: Path) -> None:
    folder = tmp_path / "yard"
    folder.mkdir()
    (folder / CONFIG_FILE).write_text(LADDER)
    with serving(folder, "--as-root") as (running, told):
        site = told["address"]
        pages = {path: browser.new_page() for path in ("/status", "/ladders/spring/queue")}
        for path, page in pages.items():
            page.goto(site + path)
            waited = float(page.locator("[data-fresh]").get_attribute("data-fresh"))
            assert LOOK_S + WAIT_S + waited < ALLOWED_S, "how long it takes until an open page says so"
        pages["/status"].get_by_text("All is well").wait_for()
        stopped = workers_of(running.pid)
        assert stopped
        for worker in stopped:
            os.kill(worker, signal.SIGSTOP)
        pages["/status"].get_by_text("No worker takes tasks: all of them are stopped").wait_for()
        pages["/ladders/spring/queue"].get_by_text("no worker is there to take work").wait_for()

        ada = Wayfarer(browser.new_page(), site, "Ada", tmp_path)
        ada.register()
        ada.hand_in("Moth", load(min(GAMES)).facts.title, {"main.py": b"print()\n"})
        ada.page.get_by_text("Waits for a worker").first.wait_for()
        ada.page.get_by_text("no worker is there to take work").wait_for()
        ada.page.goto(f"{site}/ladders/spring")
        ada.page.get_by_text("no worker is there to take work").wait_for()

        for worker in stopped:
            os.kill(worker, signal.SIGCONT)
        pages["/status"].get_by_text("All is well").wait_for()
        running.terminate()
