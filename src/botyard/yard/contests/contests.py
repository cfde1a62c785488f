"""Contests of a yard: an organiser announces one, people enter it, and workers play it.

All chance of a contest follows from its root: 32 random bytes, or what its file names. Their hash is shown from the
start, they themselves when the contest is over.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.contest.roots import fresh_root, root_hash, root_text
from botyard.contest.submissions import key_of
from botyard.yard.caller import PLAY, Caller
from botyard.yard.contests.files import SiteFile, read_site_file
from botyard.yard.data.contest_tables import ALL_GAMES, CONTEST, ENTRANT, GIVEN_UP, OPEN, OVER, RELEASES
from botyard.yard.data.database import inserted_id, locked
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import PAIR, PERSON
from botyard.yard.data.times import DAY
from botyard.yard.refusals import InTheWay, NotAllowed, NotThere, Refusal, TooMuch

UNBEGUN_MOST = 20  # contests of one organiser that have not begun
BOTS_MOST = 20  # of one person in a contest
HELD = {"nothing": 1, "own": 2, ALL_GAMES: 0}
"""What the pairs of a contest are marked with, by what is released of it."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A contest as everybody may know it: its file, which may name a seed, is its organiser's until it is over."""

    id: int
    slug: str
    organiser: int
    organiser_name: str
    title: str
    game: str
    file: str
    bots_per_person: int
    predictable: bool
    deadline_ms: int | None
    release: str
    state: str
    why: str
    root_hash: str
    root: str  # as a contest file may name it; empty until the contest is over
    watched: bool
    wanted: bool  # to begin
    changes: int
    made_ms: int
    begun_ms: int | None
    ended_ms: int | None

    @classmethod
    def of(cls, row: sa.Row[Any]) -> Contest:
        root = root_text(bytes.fromhex(row.root)) if row.state == OVER else ""
        return cls(
            row.id, row.slug, row.organiser, row.organiser_name, row.title, row.game, row.file, row.bots_per_person,
            bool(row.predictable), row.deadline_ms, row.release, row.state, row.why, row.root_hash, root,
            bool(row.watched), bool(row.wanted), row.changes, row.made_ms, row.begun_ms, row.ended_ms,
        )  # fmt: skip

    def ruled_by(self, caller: Caller) -> bool:
        """Whether a caller decides about this contest: its organiser, as long as they are one, and admins."""
        return caller.is_admin or (caller.is_organiser and caller.person == self.organiser)

    def need_ruled_by(self, caller: Caller) -> int:
        person = caller.need(PLAY)
        if not self.ruled_by(caller):
            raise NotAllowed(f"{self.title} is somebody else's contest", hint="only its organiser may do this")
        return person

    def takes_entries(self, now_ms: int) -> bool:
        """Whether bots may come, go and change: until the deadline, and until the first game unless it is watched."""
        if self.deadline_ms is not None and self.deadline_ms <= now_ms:
            return False
        if self.watched:
            return self.state not in (OVER, GIVEN_UP)
        return self.state == OPEN and not self.wanted

    def shows_all_to(self, caller: Caller) -> bool:
        """Whether a caller may see every game, and the tables that follow from them."""
        return self.release == ALL_GAMES or self.ruled_by(caller)


@dataclass(frozen=True, slots=True)
class Announcement:
    """What an organiser decides beside the contest file."""

    file: str
    slug: str = ""  # empty: made from the title
    deadline_ms: int | None = None
    release: str = ALL_GAMES
    bots_per_person: int = 1
    predictable: bool = False

    def check(self, now_ms: int) -> None:
        if self.release not in RELEASES:
            raise Refusal(f"release = {self.release!r}", hint=f"one of {', '.join(RELEASES)}")
        if not 1 <= self.bots_per_person <= BOTS_MOST:
            raise Refusal(f"{self.bots_per_person} bots per person", hint=f"from 1 to {BOTS_MOST}")
        if self.deadline_ms is not None and not now_ms < self.deadline_ms < now_ms + 1000 * DAY:
            raise Refusal("the deadline is not in the future", hint="choose a later one, or none: you begin it by hand")


CONTESTS = sa.select(CONTEST, PERSON.c.name.label("organiser_name")).join(PERSON, CONTEST.c.organiser == PERSON.c.id)
LATEST_FIRST = CONTESTS.order_by(CONTEST.c.id.desc())
OF_GAME = LATEST_FIRST.where(CONTEST.c.game == sa.bindparam("game"))


def need_organiser(caller: Caller) -> int:
    """Returns who may announce contests; refuses everybody else."""
    person = caller.need(PLAY)
    if not caller.is_organiser:
        raise NotAllowed("only organisers announce contests", hint="ask an admin of this site to make you one")
    return person


def all_contests(connection: sa.Connection, *, game: str = "") -> list[Contest]:
    """Returns every contest, the last announced first; those that are over at the end."""
    found = list(map(Contest.of, connection.execute(OF_GAME if game else LATEST_FIRST, {"game": game})))
    return sorted(found, key=lambda contest: contest.state in (OVER, GIVEN_UP))


def contest_named(connection: sa.Connection, slug: str) -> Contest:
    row = connection.execute(CONTESTS.where(CONTEST.c.slug == slug)).one_or_none()
    if row is None:
        raise NotThere("there is no such contest", hint="/contests lists all of them")
    return Contest.of(row)


def locked_contest(connection: sa.Connection, contest: int) -> sa.Row[Any]:
    """Returns the row of a contest that nobody else changes until this transaction ends, with what is secret of it."""
    row = locked(connection, CONTEST, contest)
    assert row is not None, "whoever asks has seen it"
    return row


def announce(connection: sa.Connection, person: int, given: Announcement, now_ms: int) -> Contest:
    """Announces a contest; from now on people may enter. Its house bots enter at once."""
    given.check(now_ms)
    file = read_site_file(given.file, predictable=given.predictable)
    locked(connection, PERSON, person)
    unbegun = sa.select(sa.func.count()).select_from(CONTEST)
    unbegun = unbegun.where(CONTEST.c.organiser == person, CONTEST.c.state == OPEN)
    if connection.execute(unbegun).scalar_one() >= UNBEGUN_MOST:
        raise TooMuch(f"{UNBEGUN_MOST} of your contests have not begun", 3600, hint="begin or cancel some of them")
    root = fresh_root() if file.plan.root is None else file.plan.root
    slug = free_slug(connection, given.slug or file.plan.title, chosen=bool(given.slug))
    row = {
        "slug": slug,
        "organiser": person,
        "state": OPEN,
        "root": root.hex(),
        "root_hash": root_hash(root),
        "made_ms": now_ms,
        **told_by(file, given),
    }
    number = inserted_id(connection, CONTEST, **row)
    enter_listed(connection, number, file, now_ms)
    title = file.plan.title
    note_event(connection, now_ms, "contest.announced", f"contest/{slug}", person=person, public=True, title=title)
    return contest_named(connection, slug)


def told_by(file: SiteFile, given: Announcement) -> dict[str, Any]:
    """Returns the columns that follow from a contest file and what was decided beside it."""
    return {
        "title": file.plan.title,
        "game": file.plan.game,
        "file": file.text,
        "bots_per_person": given.bots_per_person,
        "predictable": int(file.predictable),
        "deadline_ms": given.deadline_ms,
        "release": given.release,
        "watched": int(file.plan.watched),
        "why": waits_for(given.deadline_ms),
    }


def waits_for(deadline_ms: int | None) -> str:
    """Returns why a contest has not begun."""
    return "it begins after its deadline" if deadline_ms is not None else "it begins when its organiser says so"


def free_slug(connection: sa.Connection, wanted: str, *, chosen: bool) -> str:
    """Returns the last word of a contest's address: what was chosen, or one that is free."""
    base = key_of(wanted)
    taken = set(connection.scalars(sa.select(CONTEST.c.slug).where(CONTEST.c.slug.startswith(base, autoescape=True))))
    if base not in {*taken, "new"}:
        return base
    if chosen:
        raise InTheWay(f"there is a contest {base!r} already", hint="choose another address")
    number = 2
    while f"{base}-{number}" in taken:
        number += 1
    return f"{base}-{number}"


def enter_listed(connection: sa.Connection, contest: int, file: SiteFile, now_ms: int) -> None:
    """Enters the bots that the file names, in their order; places of submissions stay empty."""
    listed = {**file.plan.bots, **file.places}
    order = [key for key in file_keys(file) if key in listed]
    rows = [
        {
            "contest": contest,
            "key": key,
            "name": listed[key].name,
            "house": listed[key].spec.partition(":")[2] if key not in file.places else None,
            "guest": int(listed[key].guest),
            "listed": 1,
            "trouble": "nothing was handed in for it" if key in file.places else "",
            "made_ms": now_ms,
        }
        for key in order
    ]
    if rows:
        connection.execute(sa.insert(ENTRANT), rows)


def file_keys(file: SiteFile) -> list[str]:
    """Returns the keys of a file's bots in the order of its lines."""
    return list(tomllib.loads(file.text).get("bots", {}))


def change_announcement(connection: sa.Connection, contest: int, given: Announcement, person: int, now_ms: int) -> None:
    """Announces a contest anew, as long as it has not begun; whoever has entered stays."""
    row = locked_contest(connection, contest)
    if row.state != OPEN:
        raise InTheWay(f"{row.title} is {row.state}", hint="its file can be changed until it begins")
    given.check(now_ms)
    file = read_site_file(given.file, predictable=given.predictable)
    if file.plan.game != row.game:
        raise InTheWay(f"{row.title} is a contest of {row.game}", hint="announce another one for another game")
    kept = sa.select(ENTRANT.c.key).where(ENTRANT.c.contest == contest, ENTRANT.c.listed == 0)
    if both := set(connection.scalars(kept)) & set(file_keys(file)):
        hint = "rename that line: somebody has entered under this key"
        raise InTheWay(f"the file names {', '.join(sorted(both))}", hint=hint)
    connection.execute(sa.delete(ENTRANT).where(ENTRANT.c.contest == contest, ENTRANT.c.listed == 1))
    enter_listed(connection, contest, file, now_ms)
    root = row.root if file.plan.root is None else file.plan.root.hex()
    if file.plan.root is None and read_site_file(row.file, predictable=True).plan.root is not None:
        root = fresh_root().hex()
    values = {**told_by(file, given), "root": root, "root_hash": root_hash(bytes.fromhex(root))}
    change_contest(connection, contest, **values)
    note_event(connection, now_ms, "contest.changed", f"contest/{row.slug}", person=person, public=True)


def change_contest(connection: sa.Connection, contest: int, **values: Any) -> None:
    """Changes the row of a contest; pages that were kept of it are made anew."""
    change = sa.update(CONTEST).where(CONTEST.c.id == contest)
    connection.execute(change.values(changes=CONTEST.c.changes + 1, **values))


def release_games(connection: sa.Connection, contest: int, release: str, person: int, now_ms: int) -> None:
    """Decides what others may see of the games of a contest, those that were played included."""
    if release not in RELEASES:
        raise Refusal(f"release = {release!r}", hint=f"one of {', '.join(RELEASES)}")
    row = locked_contest(connection, contest)
    change_contest(connection, contest, release=release)
    connection.execute(sa.update(PAIR).where(PAIR.c.contest == contest).values(held=HELD[release]))
    note_event(
        connection, now_ms, "contest.released", f"contest/{row.slug}", person=person, public=True, release=release
    )
