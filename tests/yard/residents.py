"""People of a yard in tests: with an account, signed in, and at the same thing at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import sqlalchemy as sa

from botyard.kernel.errors import YardError
from botyard.yard.caller import Caller
from botyard.yard.data.database import inserted_id
from botyard.yard.data.events import events_after
from botyard.yard.data.tables import BLOB, PLAYER, VERSION
from botyard.yard.people.accounts import Person, register
from botyard.yard.people.sessions import UserAgent, bearer_of, open_session
from botyard.yard.site import Yard
from botyard.yard.web.app import PageServer
from botyard.yard.web.cookies import cookie_name
from botyard.yard.web.guard import YardGuard
from botyard.yard.web.pages import admin, admin_people, me, news, people
from botyard.yard.web.routing import Page
from tests.waiting import joined, wait_until
from tests.yard.browser import Browser

T = TypeVar("T")

PASSWORD = "correct horse battery"
HERE = UserAgent("192.0.2.7", "a browser")


def resident(yard: Yard, name: str, role: str = PLAYER) -> Person:
    """Somebody with an account and no password: hashing takes long, and most tests need none."""
    with yard.database.writing() as connection:
        return register(connection, name, None, yard.clock(), role=role)


def session_of(yard: Yard, person: Person) -> str:
    with yard.database.writing() as connection:
        return open_session(connection, person.id, HERE, yard.clock())


def caller_for(yard: Yard, person: Person) -> Caller:
    """The person as a request in their browser would be known."""
    secret = session_of(yard, person)
    with yard.database.reading() as connection:
        bearer = bearer_of(connection, secret, yard.clock())
    assert bearer is not None
    return bearer.caller


def site(yard: Yard, *more: Page) -> YardGuard:
    """The pages about people behind the guard."""
    pages = [*people.PAGES, *me.PAGES, *news.PAGES, *admin.PAGES, *admin_people.PAGES, *more]
    return YardGuard(PageServer(yard).app(pages), yard)


def browser_of(yard: Yard, person: Person, app: YardGuard | None = None) -> Browser:
    """A browser in which somebody is signed in."""
    return Browser(app or site(yard), cookies={cookie_name(yard.config): session_of(yard, person)})


def one_after_the_other(
    yard: Yard, first: Callable[[sa.Connection], T], second: Callable[[sa.Connection], T]
) -> T | YardError:
    """Does one thing, and before that is committed begins another in a second transaction, which has to wait.

    Returns what came of the second.
    """
    outcome: list[T | YardError] = []
    begun = threading.Event()

    def later() -> None:
        try:
            begun.set()
            with yard.database.writing() as connection:
                outcome.append(second(connection))
        except YardError as error:
            outcome.append(error)

    thread = threading.Thread(target=later)
    with yard.database.writing() as connection:
        first(connection)
        thread.start()
        wait_until(begun.is_set)
        if not yard.database.on_sqlite:
            wait_until(lambda: somebody_waits(yard), lambda: f"nobody waited: {outcome}")
    joined(thread)
    return outcome[0]


def somebody_waits(yard: Yard) -> bool:
    """Whether a transaction waits for a lock; on SQLite the second one waits before it begins."""
    asked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    with yard.database.engine.connect() as connection:
        return bool(connection.exec_driver_sql(asked).scalar())


def event_kinds(yard: Yard) -> Sequence[str]:
    with yard.database.reading() as connection:
        return [event.kind for event in events_after(connection, 0, admin=True, limit=1000)]


def add_version(connection: sa.Connection, bot: int, at_ms: int = 1) -> int:
    """A version of a bot that was uploaded and waits."""
    digest = f"{bot:064x}"
    connection.execute(sa.insert(BLOB).values(digest=digest, size=0, content=b"", made_ms=at_ms))
    row = {"bot": bot, "number": 1, "tree": digest, "source": digest, "manifest": "{}", "language": "c"}
    return inserted_id(connection, VERSION, **row, state="uploaded", made_ms=at_ms)
