"""People give themselves another name, and nobody can pass for who had a name a moment ago."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from botyard.yard.data.database import inserted_id
from botyard.yard.data.tables import ADMIN, BOT, LEFT_NAME
from botyard.yard.people.accounts import person_of, register, rename
from botyard.yard.people.left_names import KEPT, MOST_LEFT
from botyard.yard.refusals import InTheWay, TooMuch
from botyard.yard.site import Yard
from tests.yard.residents import browser_of, event_kinds, resident


def test_a_name_that_was_left_is_kept_for_who_left_it(yard: Yard) -> None:
    ada, bob = resident(yard, "Ada"), resident(yard, "Bob")
    now = yard.clock()
    with yard.database.writing() as connection:
        bot = inserted_id(connection, BOT, owner=ada.id, game="some", name="Ant", name_key="ant", made_ms=1)
        assert rename(connection, ada.id, "Ada Lovelace", now, by=ada.id) == "Ada Lovelace"
        for impostor in ("ADA", "\u0410\u0501\u0430"):  # the same in Cyrillic letters
            with pytest.raises(InTheWay, match="is taken"):
                rename(connection, bob.id, impostor, now + KEPT - 1, by=bob.id)
            with pytest.raises(InTheWay, match="is taken"):
                register(connection, impostor, None, now + KEPT - 1)
        assert rename(connection, ada.id, "ada", now + 1, by=ada.id) == "ada", "she may go back"
        assert connection.execute(sa.select(BOT.c.name).where(BOT.c.id == bot)).scalar() == "Ant"
        assert rename(connection, ada.id, "Ada", now + 2, by=ada.id) == "Ada", "no other name was left"
        rename(connection, ada.id, "Lovelace", now + 3, by=ada.id)
        assert register(connection, "Ada", None, now + 3 + KEPT).name == "Ada", "one day it is free"
    assert list(event_kinds(yard)).count("person.renamed") == 4


def test_nobody_collects_names(yard: Yard) -> None:
    ada, now = resident(yard, "Ada"), yard.clock()
    with yard.database.writing() as connection:
        for number in range(MOST_LEFT):
            rename(connection, ada.id, f"Ada {number}", now, by=ada.id)
        with pytest.raises(TooMuch, match="you have left 3 names lately"):
            rename(connection, ada.id, "One more", now + 1, by=ada.id)
    with yard.database.writing() as connection:
        assert rename(connection, ada.id, "Ada", now + 1, by=ada.id) == "Ada"
        assert rename(connection, ada.id, "One more", now + KEPT + 1, by=ada.id) == "One more"
        assert len(connection.execute(sa.select(LEFT_NAME)).all()) == 1, "what is over is forgotten"


def test_a_name_that_an_admin_took_away_does_not_come_back_by_itself(yard: Yard) -> None:
    root, eve = resident(yard, "Root", ADMIN), resident(yard, "Rude")
    now = yard.clock()
    with yard.database.writing() as connection:
        rename(connection, eve.id, "Eve", now, by=root.id)
        with pytest.raises(InTheWay, match="is taken"):
            rename(connection, eve.id, "Rude", now + 1, by=eve.id)
        assert rename(connection, eve.id, "Rude", now + 2, by=root.id) == "Rude", "it was a mistake"


def test_the_own_page_changes_a_name_and_says_what_is_wrong_with_one(one_yard: Yard) -> None:
    ada = resident(one_yard, "Ada")
    resident(one_yard, "Bob")
    browser = browser_of(one_yard, ada)
    wrong = browser.post("/me/name", {"name": "bob"})
    assert (wrong.status, "'bob' is taken" in wrong.words, 'value="bob"' in wrong.text) == (409, True, True)
    assert browser.post("/me/name", {"name": "Ada  Love"}).status == 400
    assert browser.post("/me/name", {"name": "Ada Lovelace"}).goes_to == "/me"
    assert "Ada Lovelace" in browser.get("/me").words
    with one_yard.database.reading() as connection:
        assert person_of(connection, ada.id).name == "Ada Lovelace"
