"""The pages of bots: what their owners see and do there, and that others neither see nor do it."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from xml.etree import ElementTree

import pytest
import sqlalchemy as sa

from botyard.games import GAMES, load
from botyard.match.turns import pack_turns
from botyard.yard.bots.history import RatingPoint, version_records
from botyard.yard.bots.outcomes import record_begun, record_build, record_check
from botyard.yard.caller import Caller
from botyard.yard.data.events import events_after
from botyard.yard.data.tables import BOT, BUILD, CHECK, ENTRY, MATCH, NOTICE, SEAT, TASK, VERSION
from botyard.yard.site import Yard
from botyard.yard.web import build_logs
from botyard.yard.web.app import PageServer
from botyard.yard.web.charts import rating_chart
from botyard.yard.web.pages import bots, uploads, versions
from botyard.yard.work.building import BuildReport
from botyard.yard.work.checking import CheckReport, KeptFinding
from tests.waiting import finished, soon
from tests.yard.browsing import Client
from tests.yard.handing_in import hand_in
from tests.yard.living import LivingYard, played_game

GAME = min(GAMES, key=lambda game: (load(game).facts.usual_seats != 2, game))
PAGES = [*bots.PAGES, *uploads.PAGES, *versions.PAGES]
PRIVATE = "wörtlich ein Geheimnis"
LOST = {"late": {"count": 3, "tick": 4, "reason": f"120 ms, {PRIVATE}", "remedy": "think less"}}


class Scene:
    """A yard with a ladder, two people with a bot each, an admin, and a version of Ada's that was checked."""

    def __init__(self, yard: Yard) -> None:
        self.yard, self.living = yard, LivingYard(yard)
        self.living.open(GAME)
        self.ada, self.bob = self.living.person("Ada"), self.living.person("Bob")
        self.admin = self.living.person("Root", "admin")
        self.bot = hand_in(yard, self.ada, name="Ant", game=GAME, activate=True).bot
        self.other = self.living.bot(self.bob, GAME, "Bee")
        self.app = PageServer(yard).app(PAGES)

    def client(self, person: int | None = None) -> Client:
        caller = Caller(person, {self.ada: "Ada", self.bob: "Bob"}.get(person or 0, "Root"), self._role(person))
        return Client(self.app, caller if person else Caller())

    def _role(self, person: int | None) -> str:
        return "admin" if person == self.admin else "player"

    def build(self, *, built: bool = True) -> None:
        with self.yard.database.writing() as connection:
            version = connection.scalars(sa.select(VERSION.c.id).where(VERSION.c.bot == self.bot)).one()
            record_begun(connection, BUILD, version, 1)
            log = f"$ cc main.c\nmain.c:3: error: {PRIVATE}\n\x1b[31mred\x1b[0m\u202e\n".encode()
            reason = "" if built else f"main.c:3: error: {PRIVATE}"
            record_build(connection, self.yard.blobs, BuildReport(version, built, reason, log=log), 2)
            connection.execute(sa.update(TASK).where(TASK.c.kind == BUILD).values(state="ended"))

    def check(self, fit: bool = True) -> None:
        played = played_game(GAME, 5)
        finding = KeptFinding("timing", not fit, f"it took long, {PRIVATE}", "think less", 2, 3, f"{PRIVATE}\nprinted")
        with self.yard.database.writing() as connection:
            version = connection.scalars(sa.select(VERSION.c.id).where(VERSION.c.bot == self.bot)).one()
            record_begun(connection, CHECK, version, 3)
            files = (played.replay.to_bytes(), pack_turns(played.log))
            report = CheckReport(version, fit, "" if fit else "it took long", (finding,), *files)
            record_check(connection, self.yard.blobs, report, 4)
            connection.execute(sa.update(TASK).where(TASK.c.kind == CHECK).values(state="ended"))


@pytest.fixture
def scene(one_yard: Yard) -> Scene:
    return Scene(one_yard)


def test_a_fresh_upload_says_what_it_waits_for_and_why(scene: Scene) -> None:
    page = scene.client(scene.ada).get(f"/bots/{scene.bot}/versions/1").text
    assert "uploaded" in page
    assert "Waits for a worker" in page, "whatever waits says why"
    assert "Look again" in page, "it works without JavaScript"
    assert "1 waiting" in page
    told = json.loads(scene.client(scene.ada).get(f"/bots/{scene.bot}/versions/1/progress").text)
    assert told == {
        "state": "uploaded", "at": 0, "text": "", "unfinished": True, "why": "waits for a worker",
        "queue": "1 waiting, yours is first.",
    }  # fmt: skip


def test_a_build_log_is_followed_until_the_version_has_been_checked(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_logs, "LOOK_S", 0.02)
    way, own = f"/bots/{scene.bot}/versions/1", scene.client(scene.ada)
    assert 'http-equiv="refresh"' in own.get(way).text, "the page without JavaScript looks again by itself"

    async def follow() -> list[dict[str, Any]]:
        following = asyncio.create_task(own.ask("GET", f"{way}/progress?follow=yes&at=5"))
        await asyncio.to_thread(scene.build)
        await asyncio.to_thread(scene.check)
        reply = await soon(following)
        return [json.loads(line) for line in reply.text.splitlines() if line]

    told = finished(follow())
    assert (told[-1]["state"], told[-1]["unfinished"]) == ("fit", False)
    text = "".join(line["text"] for line in told)
    assert text == f"main.c\nmain.c:3: error: {PRIVATE}\nred·\n", "nothing comes twice"
    monkeypatch.setattr(build_logs, "MOST_OF_ONE", 0)
    assert own.get(f"{way}/progress?follow=yes").status == 429
    assert "refresh" not in own.get(way).text


def test_the_owner_sees_log_findings_and_film_and_nobody_else_does(yard: Yard) -> None:
    scene = Scene(yard)
    scene.build()
    scene.check()
    way = f"/bots/{scene.bot}/versions/1"
    own = scene.client(scene.ada)
    page = own.get(way).text
    assert page.count(PRIVATE) >= 3, "log, finding and what it printed"
    assert "Think less." in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    private = [
        f"{way}/progress",
        f"{way}/log",
        f"{way}/check/film/1",
        f"{way}/check/film/1/block/0",
        f"{way}/check/turns/1",
    ]
    for person in (scene.bob, None):
        for address in private:
            assert scene.client(person).get(address).status == 403, address
        assert scene.client(person).get(f"{way}/source").status == (403 if person else 303)
        shown = scene.client(person).get(way)
        assert (shown.status, PRIVATE in shown.text, "fit" in shown.text) == (200, False, True)
    for address in [*private, f"{way}/source"]:
        assert own.get(address).status == 200, address
    assert "Ant" not in own.get(f"{way}/check/turns/1").headers.get("content-disposition", "")


def test_logs_that_are_public_are_seen_by_everybody_and_the_source_never_is(scene: Scene) -> None:
    scene.build()
    assert (
        scene.client(scene.ada).post(f"/bots/{scene.bot}/settings", {"name": "Ant", "logs_public": "yes"}).status == 303
    )
    way = f"/bots/{scene.bot}/versions/1"
    assert PRIVATE in scene.client().get(way).text
    assert scene.client(scene.bob).get(f"{way}/source").status == 403


def test_what_an_admin_looks_at_is_noted_and_its_owner_may_know(scene: Scene) -> None:
    scene.build()
    way = f"/bots/{scene.bot}/versions/1"
    for person in (scene.ada, scene.admin):
        assert PRIVATE in scene.client(person).get(way).text
        assert scene.client(person).get(f"{way}/source").body.startswith(b"\x1f\x8b")
    with scene.yard.database.reading() as connection:
        seen = [event for event in events_after(connection, 0, person=scene.ada) if event.kind == "version.seen"]
    assert [(event.person, event.body["what"]) for event in seen] == [(scene.admin, "log"), (scene.admin, "source")]


def test_a_bot_that_does_not_compile_shows_the_line_to_its_owner_alone(scene: Scene) -> None:
    scene.build(built=False)
    for address in (f"/bots/{scene.bot}", f"/bots/{scene.bot}/versions/1"):
        assert f"main.c:3: error: {PRIVATE}" in scene.client(scene.ada).get(address).text
        assert PRIVATE not in scene.client(scene.bob).get(address).text


def test_the_page_of_a_bot_tells_rating_rivals_games_and_lost_turns(yard: Yard) -> None:
    scene = Scene(yard)
    scene.build()
    scene.check()
    for _ in range(2):
        match = scene.living.play(GAME, "Ant", "Bee")[-1]
    running = scene.living.ask(GAME, "Ant", "Bee")[0]
    scene.living.begin(running)
    scene.living.end(running)
    lose_turns(scene, match)
    page = scene.client(scene.ada).get(f"/bots/{scene.bot}").text
    assert '<svg viewBox="0 0 720 240" role="img"' in page
    assert "The same as a table" in page
    assert f'<a href="/bots/{scene.other}"><bdi>Bee</bdi></a></th><td class="n" data-label="Games">4</td>' in page
    assert f'href="/matches/{match}#t=4"' in page, "the first lost turn"
    assert PRIVATE in page
    assert "over, result follows" in page, "a game whose pair is not over says nothing"
    others = scene.client(scene.bob).get(f"/bots/{scene.bot}").text
    assert PRIVATE not in others
    assert '<th scope="row">late</th>' in others, "counts of verdicts are public"
    assert "Settings" not in others


def lose_turns(scene: Scene, match: int) -> None:
    """Notes turns that both bots lost in a match, as the steward does."""
    told = json.dumps({place: {"verdicts": {"ok": 5, "late": 3}, "lost": LOST} for place in ("1", "2")})
    with scene.yard.database.writing() as connection:
        connection.execute(sa.update(MATCH).where(MATCH.c.id == match).values(figures=told))
        connection.execute(sa.update(SEAT).where(SEAT.c.match == match).values(lost_turns=3))


def test_an_owner_activates_withdraws_tries_again_and_changes_their_mind(scene: Scene) -> None:
    own, way = scene.client(scene.ada), f"/bots/{scene.bot}/versions/1"
    assert own.post(f"{way}/activate").status == 409, "it is not fit"
    assert own.post(f"{way}/want", {"wanted": "no"}).status == 303
    scene.build()
    scene.check()
    assert not playing(scene), "that was not wanted any more"
    reply = own.post(f"{way}/activate", {"back": "bot"})
    assert (reply.status, reply.headers["location"]) == (303, f"/bots/{scene.bot}")
    assert playing(scene)
    assert own.post(f"{way}/withdraw").headers["location"] == way
    assert not playing(scene)
    assert own.post(f"{way}/withdraw").status == 409
    assert own.post(f"{way}/again").status == 303
    assert "being built" in own.get(way).text or "uploaded" in own.get(way).text


def playing(scene: Scene) -> bool:
    with scene.yard.database.reading() as connection:
        states = connection.scalars(sa.select(ENTRY.c.state).where(ENTRY.c.bot == scene.bot)).all()
    return any(state in ("settling", "active") for state in states)


def test_nobody_else_changes_a_bot(scene: Scene) -> None:
    scene.build()
    scene.check()
    before = everything(scene)
    ways = [f"/bots/{scene.bot}/versions/1/{act}" for act in ("activate", "withdraw", "again", "want")]
    ways += [f"/bots/{scene.bot}/{act}" for act in ("settings", "delete", "versions", "entries/1/revive")]
    for way in ways:
        assert scene.client(scene.bob).post(way, {"name": "Ant"}).status == 403, way
        assert scene.client().post(way, {"name": "Ant"}).status == 401, way
    assert everything(scene) == before


def everything(scene: Scene) -> list[Any]:
    with scene.yard.database.reading() as connection:
        return [connection.execute(sa.select(table)).all() for table in (BOT, VERSION, ENTRY, TASK)]


def test_an_owner_hears_of_what_an_admin_withdrew(scene: Scene) -> None:
    assert scene.client(scene.admin).post(f"/bots/{scene.bot}/versions/1/withdraw").status == 303
    with scene.yard.database.reading() as connection:
        notice = connection.execute(sa.select(NOTICE)).one()
    assert (notice.person, notice.title, notice.body) == (scene.ada, "Ant 1 was withdrawn", "an admin withdrew it")


def test_a_bot_is_renamed_and_deleted_by_its_owner(scene: Scene) -> None:
    own, way = scene.client(scene.ada), f"/bots/{scene.bot}"
    assert own.post(f"{way}/settings", {"name": "bee"}).status == 409, "the name is another bot's"
    assert own.post(f"{way}/settings", {"name": "Emmet"}).status == 303
    assert "Emmet" in own.get(way).text
    assert own.post(f"{way}/delete", {"name": "Ant"}).status == 400, "that is not its name"
    assert own.post(f"{way}/delete", {"name": "emmet"}).status == 303
    gone = own.get(way)
    assert (gone.status, "was deleted" in gone.text) == (404, True)
    assert own.get("/bots/999999/versions/1").status == 404


def test_a_benched_bot_tries_again(scene: Scene) -> None:
    scene.build()
    scene.check()
    with scene.yard.database.writing() as connection:
        entry = connection.scalars(sa.select(ENTRY.c.id).where(ENTRY.c.bot == scene.bot)).one()
        connection.execute(sa.update(ENTRY).where(ENTRY.c.id == entry).values(state="benched", reason="it was silent"))
    own = scene.client(scene.ada)
    assert "It was silent." in own.get(f"/bots/{scene.bot}").text
    assert own.post(f"/bots/{scene.bot}/entries/{entry}/revive").status == 303
    assert playing(scene)
    assert own.post(f"/bots/{scene.bot}/entries/12345/revive").status == 404


def test_the_chart_is_plain_svg_with_a_mark_for_every_version() -> None:
    points = [RatingPoint(n, n, 25 + n / 10, 8 / n, 2 * n, 1 if n < 900 else 3) for n in range(1, 1001)]
    drawn = ElementTree.fromstring(str(rating_chart(points, 'Rating of "A<b>"')).replace("<svg ", '<svg xmlns="x" '))
    texts = [text.text for text in drawn.iter("{x}text")]
    assert [text for text in texts if text and text.startswith("v")] == ["v1", "v3"]
    assert "1000 pairs" in texts
    line = next(drawn.iter("{x}polyline")).get("points", "").split()
    assert 300 < len(line) < 600, "not a point for every pair"
    places = [tuple(map(float, point.split(","))) for point in line]
    assert all(0 <= x <= 720 and 0 <= y <= 240 for x, y in places)
    assert rating_chart(points[:1], "one"), "a single pair is a chart, too"
    assert [(record.version, record.pairs) for record in version_records(points)] == [(1, 899), (3, 101)]
