"""Builds and checks as workers do them, with real compilers and real bots in real cages."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import pickle
from pathlib import Path

import pytest
import sqlalchemy as sa

from botyard.contest.worker_facts import own_toolchains
from botyard.games import GAMES, load
from botyard.games.starters import starters_of
from botyard.jail.building import KEPT
from botyard.jail.canonical import Source, pack_bot
from botyard.match.filming import film_of
from botyard.match.replay import Replay
from botyard.match.turns import unpack_turns
from botyard.yard.bots.orders import build_work, check_work
from botyard.yard.bots.outcomes import record_begun, record_build, record_check
from botyard.yard.bots.unpacking import UnpackedUpload
from botyard.yard.bots.uploads import UploadTarget, enter_upload
from botyard.yard.data.tables import BUILD, CHECK, VERSION
from botyard.yard.ladders.plans import settings_values
from botyard.yard.site import Yard
from botyard.yard.work.building import LOG_BYTES, BuildReport, BuildWork, GrowingLog, LogSign
from botyard.yard.work.checking import CheckReport, CheckSign, CheckWork
from tests.waiting import finished, until
from tests.yard.handing_in import GAME, add_person


def packed(folder: Path) -> Source:
    target = io.BytesIO()
    pack_bot(folder, target)
    return Source.of(target.getvalue())


def folder_of(tmp_path: Path, **files: str) -> Path:
    for name, content in files.items():
        (tmp_path / name.replace("_", ".")).write_text(content)
    return tmp_path


def built(work: BuildWork) -> tuple[BuildReport, list[LogSign]]:
    signs: list[LogSign] = []
    sent = pickle.loads(pickle.dumps(work))
    assert sent == work, "it is a plain message"
    return finished(sent.done_by(None, signs.append)), signs


def test_a_bot_that_does_not_compile_shows_the_line_of_the_compiler(tmp_path: Path) -> None:
    bot = folder_of(tmp_path, main_c="int main(void) {\n  return answer;\n}\n")
    report, signs = built(BuildWork(1, GAME, "Ant", packed(bot)))
    assert not report.built
    assert report.reason.startswith("main.c:2:10: error: "), report.reason
    assert "answer" in report.reason
    log = report.log.decode()
    assert "$ cc -O2" in log, "the log says what was done"
    assert "return answer;" in log, "the compiler shows the line"
    assert b"".join(sign.text for sign in signs) == report.log, "and all of it was seen while it grew"
    assert not report.trouble


def test_a_bot_that_was_built_before_says_so_and_shows_the_log_of_that_build(tmp_path: Path) -> None:
    own = f"made for {tmp_path}"  # in no cache yet
    bot = folder_of(tmp_path, main_c=f'#warning "{own}"\nint main(void) {{ return 0; }}\n')
    first, _ = built(BuildWork(1, GAME, "Ant", packed(bot)))
    again, _ = built(BuildWork(2, GAME, "Bee", packed(bot)))
    assert (first.built, again.built) == (True, True)
    assert own in first.log.decode(), "the compiler warns"
    assert KEPT not in first.log
    assert KEPT in again.log
    assert own in again.log.decode(), "and is quoted"


def test_the_stamp_of_a_check_tells_the_toolchains_of_its_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker on another machine, where another compiler comes first."""
    work = CheckWork(1, GAME, "Ant", {}, Source.of(b""), conditions="the same")
    here = work.stamp
    (tmp_path / "cc").write_text("#!/bin/sh\n")
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    try:
        own_toolchains.cache_clear()
        assert work.stamp != here
    finally:
        monkeypatch.undo()
        own_toolchains.cache_clear()
    assert work.stamp == here


def test_the_log_is_seen_while_it_grows(tmp_path: Path) -> None:
    """A build that never ends by itself: that its lines are seen cannot be because it has ended."""
    lines = "agent:\n\twhile :; do echo one more line; sleep 0.1; done\n"
    bot = folder_of(tmp_path, Makefile=lines, main_c="int main(void) { return 0; }\n")
    (bot / "botyard.toml").write_text('build = "make"\nrun = "./agent"\n')
    signs: list[LogSign] = []

    async def watch() -> None:
        building = asyncio.create_task(BuildWork(1, GAME, "Ant", packed(bot)).done_by(None, signs.append))
        await until(lambda: building.done() or sum(b"one more line" in sign.text for sign in signs) >= 2)
        assert not building.done(), building.result()
        building.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await building

    finished(watch())
    assert [sign.at for sign in signs[1:]] == [sign.progress for sign in signs[:-1]], "no byte is missing or told twice"


def test_a_log_that_is_too_long_loses_its_middle() -> None:
    log = GrowingLog()
    log.add(b"first\n")
    for _ in range(100):
        log.add(b"x" * 10_000)
    log.add(b"last\n")
    whole = log.whole()
    assert whole.startswith(b"first\n")
    assert whole.endswith(b"last\n")
    assert LOG_BYTES < len(whole) < LOG_BYTES + 100
    assert f"… {log.size - LOG_BYTES} bytes dropped …".encode() in whole


def starter(game: str) -> Path:
    return next(starter.folder for starter in starters_of(game) if starter.language == "python")


@pytest.fixture
def game() -> str:
    """A game whose bots are quickly asked: over pipes."""
    return min(GAMES, key=lambda game: (load(game).facts.link != "process", game))


def test_a_starter_is_built_checked_and_fit_all_the_way(yard: Yard, game: str) -> None:
    upload = UnpackedUpload(
        "tree", packed(starter(game)).content(), {"name": "Ant", "game": game, "language": "python"}, 1, 1
    )  # fmt: skip
    with yard.database.writing() as connection:
        ada = add_person(connection, "Ada")
        target = UploadTarget(game=game, name="Ant")
        version = enter_upload(connection, yard.blobs, yard.config.quotas, ada, target, upload, 1).version
        record_begun(connection, BUILD, version, 1)
        building = build_work(connection, yard.blobs, yard.config.cage, version)
    report, _ = built(building)
    assert report.log.endswith(b"built\n"), report
    with yard.database.writing() as connection:
        record_build(connection, yard.blobs, report, 2)
        record_begun(connection, CHECK, version, 2)
        checking = check_work(connection, yard.blobs, yard.config.cage, version)
    signs: list[CheckSign] = []
    found: CheckReport = finished(pickle.loads(pickle.dumps(checking)).done_by(None, signs.append))
    assert found.fit, found
    assert [sign.progress for sign in signs] == [0, 2]
    with yard.database.writing() as connection:
        record_check(connection, yard.blobs, found, 3)
        row = connection.execute(sa.select(VERSION)).one()
        assert (row.state, row.checked_with) == ("fit", checking.stamp)
        assert yard.blobs.read(connection, row.build_log) == report.log
        replay = Replay.from_bytes(yard.blobs.read(connection, row.check_replay))
        turns = unpack_turns(yard.blobs.read(connection, row.check_turns), "the check")
    assert "Ant" in replay.names
    assert turns.seats[row.check_seat].name == "Ant"
    assert film_of(replay).blocks, "the check can be watched"


def test_a_bot_that_says_nothing_is_unfit_and_hears_what_to_do(tmp_path: Path, game: str) -> None:
    bot = folder_of(tmp_path, main_py="import sys\nprint('I give up', file=sys.stderr)\n")
    work = CheckWork(1, game, "Ant", settings_values(load(game).settings()), packed(bot))
    found = finished(work.done_by(None, lambda sign: None))
    assert not found.fit
    assert found.findings[0].wrong
    assert found.findings[0].remedy
    assert "I give up" in found.findings[0].printed
    assert found.reason in found.findings[0].what
    assert json.loads(json.dumps([finding.as_json() for finding in found.findings]))
    assert found.replay is not None, "a check that went wrong can be watched, too"
