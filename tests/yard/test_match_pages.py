"""What may be seen of a match, when, and by whom."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from botyard.match.replay import Replay
from botyard.match.turns import unpack_turns
from botyard.yard.caller import Caller
from botyard.yard.data.tables import MATCH
from botyard.yard.web.guard import YardGuard
from tests.links.matches import rival_of
from tests.yard.browsing import Client
from tests.yard.living import LivingYard
from tests.yard.test_pages import TWO, check_page, new_yard, pages_of


@pytest.fixture
def living(tmp_path: Path) -> Iterator[LivingYard]:
    """A yard with the bots of two people, which have played one pair; of a second one half is over."""
    living = LivingYard(new_yard(tmp_path))
    living.open(TWO)
    for name in ("Ada", "Bob"):
        living.bot(living.person(name), TWO, f"bot of {name}")
    living.play(TWO, "bot of Ada", "bot of Bob")
    first, _ = living.ask(TWO, "bot of Ada", "bot of Bob")
    living.begin(first)
    living.end(first)
    yield living
    living.yard.close()


DONE, HALF, WAITING = 1, 3, 4
ADA, BOB, ADMIN = Caller(1, "Ada"), Caller(2, "Bob"), Caller(9, "Root", "admin")


def film_of(client: Client, number: int, seat: str = "") -> dict[str, Any]:
    answer = client.get(f"/show/film/{number}{seat}", {"Accept-Encoding": "gzip"})
    assert answer.status == 200, answer.text
    told: dict[str, Any] = json.loads(gzip.decompress(answer.body))
    return told


def test_a_film_holds_what_happened_and_neither_seed_nor_orders(living: LivingYard) -> None:
    client = Client(pages_of(living.yard))
    whole = film_of(client, DONE)
    assert whole["head"]["names"] == ["bot of Ada", "bot of Bob"]
    assert whole["head"]["outcome"] is not None
    assert "seed" not in whole["head"]
    assert film_of(client, DONE, "?seat=1")["head"]["seat"] == 1
    assert client.get(f"/show/film/{DONE}?seat=7").status == 404
    last = len(whole["blocks"]) - 1
    assert client.get(f"/show/film/{DONE}/block/{last}").status == 200
    assert client.get(f"/show/film/{DONE}/block/99999").status == 404


def test_of_half_a_pair_the_board_is_shown_and_nothing_else(living: LivingYard) -> None:
    for caller in (Caller(), ADA, ADMIN):
        client = Client(pages_of(living.yard), caller)
        assert film_of(client, HALF)["head"]["outcome"] is None
        page = client.get(f"/matches/{HALF}").text
        assert "secret until the pair is over" in page
        assert " won" not in page
        for address in (f"/matches/{HALF}/replay", f"/matches/{HALF}/turns", f"/show/turns/{HALF}"):
            assert client.get(address).status == 403
    assert "over, result follows" in Client(pages_of(living.yard)).get("/matches").text


def test_when_the_pair_is_closed_everything_is_there(living: LivingYard) -> None:
    living.begin(WAITING)
    living.end(WAITING)
    client = Client(pages_of(living.yard))
    assert film_of(client, HALF)["head"]["outcome"] is not None
    answer = client.get(f"/matches/{HALF}/replay")
    replay = Replay.from_bytes(answer.body)
    assert replay.names == ("bot of Ada", "bot of Bob")
    replay.verify()
    assert f'filename="match-{HALF}.replay"' in answer.headers["content-disposition"]
    assert re.search(r"<dt>Seed</dt><dd><code>\d+</code>", client.get(f"/matches/{HALF}").text)


def test_turns_are_for_the_owner_of_a_seat_alone(living: LivingYard) -> None:
    app = pages_of(living.yard)
    assert Client(app).get(f"/show/turns/{DONE}").status == 403
    assert Client(app, Caller(7, "Rival")).get(f"/matches/{DONE}/turns").status == 403
    assert "data-turns" not in Client(app).get(f"/matches/{DONE}").text
    assert "data-turns" in Client(app, ADA).get(f"/matches/{DONE}").text
    for caller, private in ((ADA, [False, True]), (BOB, [True, False]), (ADMIN, [False, False])):
        answer = Client(app, caller).get(f"/show/turns/{DONE}")
        sheet = json.loads(answer.body)
        assert [seat["private"] for seat in sheet["seats"]] == private
        log = unpack_turns(Client(app, caller).get(f"/matches/{DONE}/turns").body, "log")
        open_seats = {seat for seat, hidden in enumerate(private) if not hidden}
        assert {turn.seat for turn in log.turns} == open_seats


def test_the_board_is_there_as_text_tick_by_tick(living: LivingYard) -> None:
    client = Client(pages_of(living.yard))
    first, last = (check_page(client, f"/matches/{DONE}/board?tick={tick}") for tick in (0, 999_999))
    assert any(link == "?tick=1" for link in first.links)
    assert first.words != last.words
    assert client.get(f"/matches/{HALF}/board?tick=x").status == 200
    assert client.get(f"/matches/{WAITING}/board").status == 404


def test_test_games_are_for_those_who_have_to_do_with_them(living: LivingYard) -> None:
    house = rival_of(TWO).removeprefix("house:")
    match = living.ask(TWO, "bot of Ada", house, kind="test", by=1)[0]
    living.begin(match)
    living.end(match)
    app = pages_of(living.yard)
    addresses = [f"/matches/{match}", f"/show/film/{match}", f"/embed/{match}", f"/matches/{match}/replay"]
    for caller, status in ((Caller(), 404), (BOB, 404), (ADA, 200), (ADMIN, 200)):
        assert [Client(app, caller).get(address).status for address in addresses[:3]] == [status] * 3
    assert Client(app, BOB).get(addresses[3]).status == 404
    assert f'href="/matches/{match}"' not in Client(app, ADA).get("/matches").text


def test_a_match_may_stand_on_other_sites_and_its_page_may_not(living: LivingYard) -> None:
    guard = Client(YardGuard(pages_of(living.yard), living.yard))
    local = {"Host": "localhost"}
    embedded, page = guard.get(f"/embed/{DONE}", local).headers, guard.get(f"/matches/{DONE}", local).headers
    assert "frame-ancestors *" in embedded["content-security-policy"]
    assert "x-frame-options" not in embedded
    assert "frame-ancestors 'none'" in page["content-security-policy"]


def test_a_match_that_waits_says_why(living: LivingYard) -> None:
    text = Client(pages_of(living.yard)).get(f"/matches/{WAITING}").text
    assert "It waits to be played" in text
    assert "Waits for a worker" in text
    assert Client(pages_of(living.yard)).get(f"/show/film/{WAITING}").status == 404


def test_games_of_house_bots_are_played_again_when_somebody_looks(living: LivingYard) -> None:
    name = rival_of(TWO).removeprefix("house:")
    matches = living.play(TWO, name, name)
    with living.yard.database.writing() as connection:
        connection.execute(sa.update(MATCH).where(MATCH.c.id.in_(matches)).values(replay=None))
    client = Client(pages_of(living.yard))
    # Both halves have one seed, but the second was recorded with a game on another one: that is noticed.
    assert [client.get(f"/matches/{match}/replay").status for match in matches] in ([200, 400], [400, 200])
