"""Notices: news of the site for everybody, and what one person has to be told, such as that their bot was benched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.kernel.errors import quoted
from botyard.kernel.plain import clean, clean_lines
from botyard.yard.data.database import inserted_id
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import NOTICE, PERSON
from botyard.yard.refusals import NotThere, Refusal

TITLE_LENGTH = 120
BODY_LENGTH = 5000
LINK_LENGTH = 300
SHOWN = 50
WITH_AUTHOR = sa.select(NOTICE, PERSON.c.name.label("written_by")).outerjoin_from(
    NOTICE, PERSON, NOTICE.c.author == PERSON.c.id
)
NEWS = (
    WITH_AUTHOR.where(NOTICE.c.person.is_(None), NOTICE.c.hidden_ms.is_(None))
    .order_by(NOTICE.c.id.desc())
    .limit(sa.bindparam("limit", type_=sa.Integer))
)
UNSEEN = (
    sa.select(sa.func.count())
    .select_from(NOTICE)
    .where(NOTICE.c.person == sa.bindparam("of"), NOTICE.c.seen_ms.is_(None))
)


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that people, or one person, ought to know."""

    id: int
    title: str
    body: str
    link: str  # a page of this site, or the address of another one; may be empty
    author: str  # empty: the yard itself
    made_ms: int
    seen: bool


def publish_news(connection: sa.Connection, by: int, title: str, body: str, now_ms: int, *, link: str = "") -> int:
    """Tells everybody; returns the number of the notice."""
    told, text, where = clean(title.strip()), clean_lines(body.strip()), link.strip()
    if not told or len(told) > TITLE_LENGTH:
        raise Refusal(f"the title has {len(told)} characters", hint=f"it may have 1 to {TITLE_LENGTH}")
    if len(text) > BODY_LENGTH:
        raise Refusal(f"the text has {len(text)} characters", hint=f"it may have {BODY_LENGTH}")
    if not is_link(where):
        raise Refusal(f"{quoted(where)} is no link", hint="write /ladders/… or https://…")
    number = add(connection, None, by, told, text, where, now_ms)
    note_event(connection, now_ms, "notice.published", f"notice/{number}", person=by, public=True, title=told)
    return number


def notify(connection: sa.Connection, person: int, title: str, body: str, now_ms: int, *, link: str = "") -> int:
    """Tells one person, on their page; `link` is the page where they see more. Returns the number of the notice."""
    number = add(connection, person, None, clean(title)[:TITLE_LENGTH], clean_lines(body)[:BODY_LENGTH], link, now_ms)
    note_event(connection, now_ms, "notice.sent", f"notice/{number}", concerns=person)
    return number


def add(
    connection: sa.Connection, person: int | None, by: int | None, title: str, body: str, link: str, now_ms: int
) -> int:
    row = {"person": person, "author": by, "title": title, "body": body, "link": link, "made_ms": now_ms}
    return inserted_id(connection, NOTICE, **row)


def is_link(link: str) -> bool:
    """Whether something may stand behind a link on our pages: a page of ours or of another site, and no program."""
    plain = link.isascii() and link.isprintable() and not set(link) & set(" \\\"'<>") and len(link) <= LINK_LENGTH
    ours = link.startswith("/") and not link.startswith("//")
    return not link or (plain and (ours or link.startswith(("https://", "http://"))))


def hide_notice(connection: sa.Connection, notice: int, now_ms: int, *, by: int) -> None:
    """Takes news back."""
    shown = (NOTICE.c.id == notice) & NOTICE.c.person.is_(None) & NOTICE.c.hidden_ms.is_(None)
    if not connection.execute(sa.update(NOTICE).where(shown).values(hidden_ms=now_ms)).rowcount:
        raise NotThere("there is no such notice any more")
    note_event(connection, now_ms, "notice.hidden", f"notice/{notice}", person=by)


def news(connection: sa.Connection, limit: int = SHOWN) -> list[Notice]:
    """Returns what everybody may read, the latest first."""
    return [notice_from(row) for row in connection.execute(NEWS, {"limit": limit})]


def news_item(connection: sa.Connection, notice: int) -> Notice:
    """Returns one of the news."""
    shown = WITH_AUTHOR.where(NOTICE.c.id == notice, NOTICE.c.person.is_(None), NOTICE.c.hidden_ms.is_(None))
    row = connection.execute(shown).one_or_none()
    if row is None:
        raise NotThere("there are no such news", hint="perhaps they were taken back")
    return notice_from(row)


def notices_of(connection: sa.Connection, person: int, limit: int = SHOWN) -> list[Notice]:
    """Returns what one person was told, the latest first."""
    own = WITH_AUTHOR.where(NOTICE.c.person == person).order_by(NOTICE.c.id.desc()).limit(limit)
    return [notice_from(row) for row in connection.execute(own)]


def unseen_notices(connection: sa.Connection, person: int) -> int:
    return connection.execute(UNSEEN, {"of": person}).scalar_one()


def see_notices(connection: sa.Connection, person: int, now_ms: int) -> None:
    """Notes that a person has read everything that they were told."""
    unseen = sa.update(NOTICE).where(NOTICE.c.person == person, NOTICE.c.seen_ms.is_(None))
    connection.execute(unseen.values(seen_ms=now_ms))


def notice_from(row: sa.Row[Any]) -> Notice:
    seen = row.seen_ms is not None
    return Notice(row.id, row.title, row.body, row.link, row.written_by or "", row.made_ms, seen)
