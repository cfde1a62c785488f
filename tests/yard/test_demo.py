"""A yard to look at: invented players hand in starters the way real ones do, and never where real ones are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from botyard.games.starters import all_starters
from botyard.kernel.errors import YardError
from botyard.yard import demo
from botyard.yard.config import YardConfig
from botyard.yard.data.database import Database
from botyard.yard.data.tables import BOT, PERSON, TASK, VERSION
from botyard.yard.site import Yard
from tests.waiting import finished
from tests.yard.planting import add_person


@pytest.fixture
def yard(tmp_path: Path) -> Iterator[Yard]:
    config = YardConfig(tmp_path)
    yard = Yard(config, Database.at(config.database_address))
    yard.database.create()
    yield yard
    yard.close()


def test_invented_players_hand_in_bots_and_cannot_sign_in(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    written_in_python = [starter for starter in all_starters() if starter.language == "python"][:1]
    monkeypatch.setattr(demo, "all_starters", lambda: written_in_python)
    with yard.database.writing() as connection:
        people = demo.add_players(connection, yard.clock())
        assert demo.add_players(connection, yard.clock()) == people, "the next start finds them"
    finished(demo.hand_in_starters(yard, people))
    finished(demo.hand_in_starters(yard, people))
    with yard.database.reading() as connection:
        bots = sa.select(BOT.c.game, VERSION.c.activate, TASK.c.state).join(VERSION, VERSION.c.bot == BOT.c.id)
        rows = connection.execute(bots.join(TASK, TASK.c.version == VERSION.c.id).order_by(BOT.c.id)).all()
        assert rows == [(starter.game, 1, "waiting") for starter in written_in_python], "each once"
        assert set(connection.scalars(sa.select(PERSON.c.password))) == {None}


def test_a_yard_with_people_gets_no_invented_ones(yard: Yard) -> None:
    with yard.database.writing() as connection:
        add_person(connection, "Ada")
        with pytest.raises(YardError, match="real ones"):
            demo.add_players(connection, yard.clock())


def test_every_starter_names_programs_that_can_be_looked_for() -> None:
    for starter in all_starters():
        assert demo.programs_of(starter), f"{starter.game} in {starter.language}"
