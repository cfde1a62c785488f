"""What if: games are played on from a tick, and become games of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from botyard.links.viewing import forks as forking
from botyard.links.viewing.app import Door
from botyard.links.viewing.forks import Forks
from botyard.links.viewing.screening import ReplayScreening
from botyard.match.filming import film_of
from tests.links.hall import nothing_left_open
from tests.links.place import Place, Reply, exchange, heard, played_game, serving_door, shelf_of, socket_of
from tests.waiting import finished, until

HOUSE = ["house:forager", "house:raider"]


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    with nothing_left_open():
        yield


async def wish(place: Place, body: Any, origin: str | None = "", number: int = 0) -> Reply:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    own = f"http://127.0.0.1:{place.port}" if origin == "" else origin
    lines = [f"POST {place.root}/fork/{number} HTTP/1.1", f"Host: 127.0.0.1:{place.port}", "Connection: close"]
    lines += [f"Content-Length: {len(raw)}", *([f"Origin: {own}"] if own else []), "", ""]
    return await exchange(place, "\r\n".join(lines).encode() + raw)


def test_a_game_is_played_on_by_house_bots_and_its_replay_holds() -> None:
    async def main() -> None:
        shelf, before = shelf_of(), played_game().replay
        async with (
            Forks(shelf) as forks,
            serving_door(Door(shelf, forks.audiences, None, forks.people, forks)) as place,
        ):
            reply = await wish(place, {"tick": 30, "seats": HOUSE})
            assert (reply.status, reply.json) == (200, {"watch": 1})
            await until(lambda: not shelf.screening(1).growing)
            replay = shelf.screening(1).replay()
            assert replay.ticks[:30] == before.ticks[:30]
            assert replay.ticks != before.ticks
            assert replay.names == ("forager", "raider")
            replay.verify()
            film, was = film_of(replay), film_of(before)
            assert film.blocks[0]["ticks"][:29] == was.blocks[0]["ticks"][:29]
            assert "played on from tick 30" in shelf.title(1)

    finished(main())


def test_a_person_plays_on_by_hand_with_all_the_time_there_is() -> None:
    async def main() -> None:
        shelf = shelf_of()
        async with (
            Forks(shelf) as forks,
            serving_door(Door(shelf, forks.audiences, None, forks.people, forks)) as place,
        ):
            assert (await wish(place, {"tick": 30, "seats": ["human", "house:wanderer"]})).status == 200
            async with socket_of(place, "live/1") as film, socket_of(place, "seat/1/0") as page:
                told = await heard(film)
                assert told["head"]["seat"] is None  # who looks into a game that is over may see all of it
                while not (state := await heard(page))["question"]:
                    pass
                assert state["limit_ms"] == 0
                await page.send('{"order": "guard NE"}')
                while (state := await heard(page))["sent"] != "guard NE":
                    pass
            await until(lambda: forks.people[1][0].seat.question is not None)
        assert forks.people[1][0].seat.over  # nothing goes on behind our back

    finished(main())


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", {}, {"tick": 3}, {"tick": -1, "seats": HOUSE}, {"tick": 10**9, "seats": HOUSE},
     {"tick": 3.5, "seats": HOUSE}, {"tick": True, "seats": HOUSE}, {"tick": 3, "seats": ["human"]},
     {"tick": 3, "seats": ["human", "house:nobody"]}, {"tick": 3, "seats": ["human", "cmd:touch /tmp/x"]},
     {"tick": 3, "seats": ["human", ["house:forager"]]}, {"tick": 3, "seats": "xx"},
     {"tick": 3, "seats": ["py:bot.py", "listen"]}, {"tick": "3", "seats": HOUSE}],
)  # fmt: skip
def test_wishes_that_make_no_sense_are_refused(body: Any) -> None:
    async def main() -> None:
        shelf = shelf_of()
        async with (
            Forks(shelf) as forks,
            serving_door(Door(shelf, forks.audiences, None, forks.people, forks)) as place,
        ):
            assert (await wish(place, body)).status == 422
            assert len(shelf) == 1

    finished(main())


def test_nobody_else_can_have_games_played_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forking, "MOST_FORKS", 1)

    async def main() -> None:
        shelf, asked = shelf_of(), {"tick": 3, "seats": ["human", "human"]}
        async with (
            Forks(shelf) as forks,
            serving_door(Door(shelf, forks.audiences, None, forks.people, forks)) as place,
        ):
            for origin in (None, "http://evil.example", "null"):
                assert (await wish(place, asked, origin)).status == 403
            assert (await wish(place, b"x" * 5000)).status == 413
            assert (await wish(place, asked, number=7)).status == 404
            assert (await wish(place, asked)).status == 200
            assert (await wish(place, asked)).status == 422
        async with serving_door(Door(shelf_of(ReplayScreening.of_game(played_game())))) as place:
            assert (await wish(place, asked)).status == 404  # where nothing is offered

    finished(main())
