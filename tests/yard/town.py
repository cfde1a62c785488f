"""A yard with somebody of every kind in it and something at every address, for tests that try all doors.

It lies on SQLite, if no server of PostgreSQL is given, and is brought back to how it was after every request that
changed something.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import sqlalchemy as sa

from botyard.games import GAMES, load
from botyard.match.lobby import Lobby
from botyard.match.turns import pack_turns
from botyard.yard.bots.outcomes import record_begun, record_build, record_check
from botyard.yard.caller import ADMINISTER, PLAY, READ, UPLOAD
from botyard.yard.config import YardConfig
from botyard.yard.contests.changing import begin_contest
from botyard.yard.contests.contests import Announcement, announce
from botyard.yard.contests.entrants import enter_contest
from botyard.yard.contests.running import tend_contest
from botyard.yard.data.database import Database
from botyard.yard.data.tables import BUILD, CHECK, ENDED, ENTRY, FAILED, MATCH_TASK, TASK, WAITING, WORKER
from botyard.yard.data.times import DAY, MINUTE
from botyard.yard.ladders.entries import bench
from botyard.yard.people.accounts import Person, ban, register
from botyard.yard.people.notices import notify, publish_news
from botyard.yard.people.passwords import HASHER, one_form
from botyard.yard.people.secrets import HANDLE, digest_of
from botyard.yard.people.sessions import open_session
from botyard.yard.people.tickets import FOR_ADMIN, FOR_GUEST, make_ticket
from botyard.yard.people.tokens import make_token
from botyard.yard.rooms.caretaker import read_room
from botyard.yard.rooms.chronicles import keep_chronicle
from botyard.yard.rooms.live_room import LiveRoom, made_room
from botyard.yard.rooms.members import join_room, register_member
from botyard.yard.rooms.rooms import RoomPlan, close_room, create_room, room_games
from botyard.yard.serving import yard_app
from botyard.yard.site import Yard
from botyard.yard.web.cookies import cookie_name
from botyard.yard.work.building import BuildReport
from botyard.yard.work.checking import CheckReport
from botyard.yard.work.steward import Steward
from tests.yard.browser import Browser, Page, asked
from tests.yard.conftest import Hands
from tests.yard.handing_in import hand_in
from tests.yard.living import WORKER_NAME, LivingYard, played_game
from tests.yard.postgres import Postgres
from tests.yard.residents import HERE, PASSWORD, caller_for
from tests.yard.snapshots import LiteSnapshot, PostgresSnapshot, Snapshot

GAME, OTHER = [game for game in GAMES if load(game).facts.usual_seats == 2][:2]
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
HOUSE = list(load(GAME).bots.HOUSE_BOTS)[:2]
CONTEST_FILE = f"""
title = "Spring"
game = "{GAME}"
rerun = "on_change"
guests_leave = 0
[bots]
one = "house:{HOUSE[0]}"
other = "house:{HOUSE[-1]}"
[format]
kind = "round_robin"
bouts = 1
"""
BOUNDARY = "b0und4ry"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"


@cache
def kept() -> str:
    """What is kept of everybody's password; hashing takes long, so it is done once."""
    return HASHER.hash(one_form(PASSWORD))


@dataclass
class Visitor:
    """Somebody who asks, with a session, with a token or with nothing."""

    name: str
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def is_program(self) -> bool:
        return "authorization" in self.headers


class Town:
    """The yard, everybody in it, and where everything lies."""

    def __init__(self, folder: Path, server: Postgres | None = None, hosts: tuple[str, ...] = ()) -> None:
        self.hands = Hands()
        database = Database.at(server.new_database()) if server else Database.in_file(folder / "yard.db")
        database.create()
        self.yard = Yard(YardConfig(folder, hosts=hosts), database, self.hands)
        self.living = LivingYard(self.yard)
        self.living.open(GAME, OTHER)
        self._keep_worker()
        self.people = {name: self._register(name, role) for name, role in PEOPLE.items()}
        self.places: dict[str, str] = {"worker": WORKER_NAME, "slug": GAME, "game": GAME}
        self._bots()
        self._matches()
        self._rooms()
        self._contest()
        self._office()
        self.visitors = {visitor.name: visitor for visitor in self._visitors()}
        self.steward = Steward(self.yard)  # nobody runs it: what is asked for waits
        self.app = yard_app(self.yard, self.steward)
        self._snapshot: Snapshot = PostgresSnapshot(server, database) if server else LiteSnapshot(database)

    def _keep_worker(self) -> None:
        """The clock of a test runs far, and the worker is to be there all the time."""
        with self.yard.database.writing() as connection:
            connection.execute(sa.update(WORKER).values(seen_ms=self.hands.now_ms + 30 * DAY))

    def _register(self, name: str, role: str) -> Person:
        with self.yard.database.writing() as connection:
            return register(connection, name, kept(), self.hands.now_ms, role=role)

    def _bots(self) -> None:
        """Ant has a version that is fit and plays, one that was not built, and one that waits; Cat is benched."""
        owner, now_ms = self.people["Olga"].id, self.hands.now_ms
        first = hand_in(self.yard, owner, "1", "Ant", game=GAME, activate=True)
        played = played_game(GAME, 5)
        with self.yard.database.writing() as connection:
            record_begun(connection, BUILD, first.version, now_ms)
            record_build(connection, self.yard.blobs, BuildReport(first.version, True, "", log=b"$ cc\n"), now_ms)
            record_begun(connection, CHECK, first.version, now_ms)
            files = played.replay.to_bytes(), pack_turns(played.log)
            record_check(connection, self.yard.blobs, CheckReport(first.version, True, "", (), *files), now_ms)
            connection.execute(sa.update(TASK).values(state=ENDED, ended_ms=now_ms))
        second = hand_in(self.yard, owner, "2", "Ant", game=GAME)
        with self.yard.database.writing() as connection:
            record_begun(connection, BUILD, second.version, now_ms)
            report = BuildReport(second.version, False, "main.c:3: error", log=b"$ cc\nmain.c:3: error\n")
            record_build(connection, self.yard.blobs, report, now_ms)
            failed = sa.update(TASK).where(TASK.c.version == second.version).values(state=FAILED)
            self.places["failed"] = str(connection.execute(failed.returning(TASK.c.id)).scalar_one())
        hand_in(self.yard, owner, "3", "Ant", game=GAME)
        bee = self.living.bot(self.people["Rita"].id, GAME, "Bee")
        cat = self.living.bot(owner, OTHER, "Cat")
        with self.yard.database.writing() as connection:
            entry = connection.execute(sa.select(ENTRY.c.id).where(ENTRY.c.bot == cat)).scalar_one()
            bench(connection, entry, "it lost every turn", "/", now_ms)
            own = connection.execute(sa.select(ENTRY.c.id).where(ENTRY.c.bot == first.bot)).scalar_one()
            rival = connection.execute(sa.select(ENTRY.c.id).where(ENTRY.c.bot == bee)).scalar_one()
        self.places["rival_entry"] = str(rival)
        self.places |= {"bot": str(first.bot), "benched_bot": str(cat), "benched": str(entry), "entry": str(own)}

    def _matches(self) -> None:
        """A pair that is over, one of which the first game is over and the second is played, and one that waits."""
        over = self.living.play(GAME, "Ant", "Bee")
        running = self.living.ask(GAME, "Ant", "Bee")
        waiting = self.living.ask(GAME, "Ant", "Bee")
        self.living.begin(running[0])
        self.living.end(running[0])
        self.living.begin(running[1])
        with self.yard.database.reading() as connection:
            waits = sa.select(TASK.c.id).where(TASK.c.match == waiting[0], TASK.c.state == WAITING)
            self.places["task"] = str(connection.execute(waits.where(TASK.c.kind == MATCH_TASK)).scalar_one())
        self.places |= {"match": str(over[0]), "half": str(running[0]), "running": str(running[1])}

    def _rooms(self) -> None:
        """Two rooms, one of them closed; Olga has joined the first, in which a round was played."""
        now_ms, admin = self.hands.now_ms, self.people["Ada"].id
        book = room_games()[0]
        bots = [next(iter(book.bots.HOUSE_BOTS))] * 2
        with self.yard.database.writing() as connection:
            room = create_room(connection, RoomPlan("den", book.facts.name, house=bots), now_ms, by=admin)
            create_room(connection, RoomPlan("cellar", book.facts.name), now_ms, by=admin)
            close_room(connection, "cellar", now_ms, by=admin)
            join_room(connection, "den", self.people["Olga"].id, "Olga", now_ms)
            guest = register_member(connection, "den", "Gus", now_ms)
            told = read_room(connection, room, now_ms)
            live = LiveRoom(Lobby(), told.row, made_room(told.row))
            live.take_members(told.members, told.key)
            for _ in range(4):
                live.room.tick()
            live.close()
            [ended] = live.ended_fields()
            kept = keep_chronicle(connection, self.yard.blobs, ended, ended.chronicle.replay.to_bytes(), 10)
        self.places |= {"room": "den", "closed_room": "cellar", "user": guest.user, "round": str(kept)}

    def _contest(self) -> None:
        """A contest of Otto's that goes on: house bots and Ant, whoever changes plays again."""
        owner, now_ms = self.people["Olga"].id, self.hands.now_ms
        with self.yard.database.writing() as connection:
            contest = announce(connection, self.people["Otto"].id, Announcement(CONTEST_FILE), now_ms)
            key = enter_contest(connection, contest.slug, owner, int(self.places["bot"]), 1, now_ms)
            begin_contest(connection, contest.id, contest.organiser, now_ms)
            tend_contest(connection, contest.id, now_ms)
        self.places |= {"contest": contest.slug, "entrant": key, "report": "standings.csv"}

    def _office(self) -> None:
        admin, now_ms = self.people["Ada"].id, self.hands.now_ms
        with self.yard.database.writing() as connection:
            news = publish_news(connection, admin, "Hello", "The yard is open.", now_ms)
            notify(connection, self.people["Olga"].id, "Your bot", "It is fit.", now_ms)
            ban(connection, self.people["Bert"].id, "noise", now_ms, by=admin)
            guest = make_ticket(connection, FOR_GUEST, now_ms, by=admin)
            office = make_ticket(connection, FOR_ADMIN, now_ms, by=admin)
        self.places |= {"notice": str(news), "guest": guest, "office": office, "ticket": digest_of(guest)[:HANDLE]}
        self.places |= {"person": str(self.people["Vera"].id), "banned": str(self.people["Bert"].id)}

    def _visitors(self) -> list[Visitor]:
        made = [Visitor("nobody")]
        for name, person in (("rival", "Rita"), ("owner", "Olga"), ("organiser", "Otto"), ("admin", "Ada")):
            made.append(Visitor(name, {"cookie": f"{cookie_name(self.yard.config)}={self._session(person)}"}))
        for scope in (READ, UPLOAD, PLAY):
            made.append(Visitor(f"token:{scope}", self._token("Olga", scope)))
        made.append(Visitor("token:rival", self._token("Rita", READ, UPLOAD, PLAY)))
        made.append(Visitor("token:admin", self._token("Ada", ADMINISTER)))
        return made

    def _session(self, person: str) -> str:
        with self.yard.database.writing() as connection:
            secret = open_session(connection, self.people[person].id, HERE, self.hands.now_ms)
            spare = open_session(connection, self.people[person].id, HERE, self.hands.now_ms)
        if person == "Olga":
            self.places["session"] = digest_of(spare)[:HANDLE]
        return secret

    def _token(self, person: str, *scopes: str) -> dict[str, str]:
        caller, quotas = caller_for(self.yard, self.people[person]), self.yard.config.quotas
        with self.yard.database.writing() as connection:
            secret = make_token(connection, caller, "for tests", scopes, quotas, self.hands.now_ms)
            found = connection.exec_driver_sql("SELECT max(id) FROM token").scalar_one()
        if person == "Olga":
            self.places["token"] = str(found)
        return {"authorization": f"Bearer {secret}"}

    # Asking

    async def ask(
        self, who: str, method: str, path: str, body: Any = None, kind: str = FORM,
        headers: Mapping[str, str | None] | None = None, *, kept: bool = False, still: bool = False,
    ) -> Page:  # fmt: skip
        """One request of somebody; what it changed is undone unless `kept`, and the clock goes on unless `still`."""
        self.hands.pass_ms(0 if still else MINUTE)
        sent = packed(body, kind)
        browser, visitor = Browser(self.app), self.visitors[who]
        said: dict[str, str | None] = {
            "host": "localhost:8000", "accept": "*/*", "content-length": str(len(sent)), "content-type": kind,
            **({} if visitor.is_program else {"origin": browser.origin}), **visitor.headers, **(headers or {}),
        }  # fmt: skip
        page = await asked(self.app, browser.scope("http", path, said, method=method), sent)
        if method != "GET" and page.status < 400 and not kept:
            self.restore()
        return page

    def restore(self) -> None:
        """Brings everything back to how it was at first."""
        self._snapshot.restore()

    def close(self) -> None:
        self._snapshot.close()
        self.yard.close()


PEOPLE = {
    "Ada": "admin", "Olga": "player", "Rita": "player", "Otto": "organiser", "Vera": "player", "Bert": "player",
}  # fmt: skip


def packed(body: Any, kind: str) -> bytes:
    if body is None or isinstance(body, bytes):
        return body or b""
    if kind == JSON:
        return json.dumps(body).encode()
    if kind == MULTIPART:
        parts = [f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{said}' for name, said in body]
        return "\r\n".join([*parts, f"--{BOUNDARY}--\r\n"]).encode()
    return urlencode(body).encode()
