"""The server on somebody's own machine: who gets an answer, what is in it, and that it stays within bounds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

from botyard.links.viewing.app import Door
from botyard.links.viewing.packed import FilmCache, PackedFilm
from botyard.links.viewing.screening import ReplayScreening
from botyard.links.viewing.server import viewing
from botyard.links.viewing.shelf import Shelf
from botyard.match.filming import film_of
from botyard.render.film import Film
from tests.links.hall import nothing_left_open
from tests.links.place import ask, exchange, played_game, serving_door, shelf_of
from tests.waiting import finished


@pytest.fixture(autouse=True)
def nothing_is_left(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Neither an open file nor a line in the log."""
    with nothing_left_open():
        yield
    assert caplog.records == []


# Who is let in


def test_without_the_secret_there_is_nothing() -> None:
    async def main() -> None:
        async with serving_door(Door(shelf_of())) as place:
            wrong = place.secret[:-1] + ("A" if place.secret[-1] != "A" else "B")
            for path in (
                "/", "/film/0", "/web/viewer.js", f"/{wrong}/", f"/{place.secret}", f"//{place.secret}/",
                f"/{place.secret.upper()}x/", f"/x/../{place.secret}/", "/%2e%2e/", f"/{place.secret}%00/",
            ):  # fmt: skip
                reply = await ask(place, path)
                assert reply.status == 404, path
                assert b"Arena" not in reply.body
            assert (await ask(place, f"{place.root}/")).status == 200

    finished(main())


def test_the_secret_is_long_and_new_every_time() -> None:
    async def main() -> None:
        async with viewing() as guard:
            secrets = {guard.open_door(Door(shelf_of()).app()) for _ in range(100)}
            assert len(secrets) == 100
            assert min(map(len, secrets)) >= 32

    finished(main())


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:PORT", "127.0.0.1.evil.example:PORT", "localhost.evil.example", "127.0.0.1:1",
     "localhost:1", "[::1]:PORT", "0.0.0.0:PORT", "127.0.0.2:PORT", "2130706433:PORT", "LOCALHOST.:PORT"],
)  # fmt: skip
def test_a_name_of_somebody_else_that_leads_here_is_refused(host: str) -> None:
    async def main() -> None:
        async with serving_door(Door(shelf_of())) as place:
            reply = await ask(place, f"{place.root}/film/0", host=host.replace("PORT", str(place.port)))
            assert reply.status == 403
            assert place.secret.encode() not in reply.body

    finished(main())


@pytest.mark.parametrize("host", ["127.0.0.1:PORT", "localhost:PORT", "localhost", "127.0.0.1"])
def test_our_own_names_are_answered(host: str) -> None:
    async def main() -> None:
        async with serving_door(Door(shelf_of())) as place:
            assert (await ask(place, f"{place.root}/", host=host.replace("PORT", str(place.port)))).status == 200

    finished(main())


def test_requests_that_two_readers_understand_differently_are_refused() -> None:
    async def main() -> None:
        async with serving_door(Door(shelf_of())) as place:
            here = f"Host: 127.0.0.1:{place.port}\r\n"
            for head in (
                f"GET http://evil.example{place.root}/ HTTP/1.1\r\n{here}",
                f"GET http://127.0.0.1:{place.port}{place.root}/ HTTP/1.1\r\nHost: evil.example\r\n",
                f"GET {place.root}/ HTTP/1.1\r\n{here}Host: evil.example\r\n",
                f"GET {place.root}/ HTTP/1.1\r\n",
                f"GET {place.root}/ HTTP/1.1\r\nHost: evil.example@127.0.0.1:{place.port}\r\n",
            ):
                assert (await exchange(place, f"{head}Connection: close\r\n\r\n".encode())).status in (400, 403), head
            old = await exchange(place, f"GET {place.root}/ HTTP/1.0\r\n\r\n".encode())
            assert old.status == 403

    finished(main())


def test_pages_of_others_get_no_answer_even_if_they_know_the_secret() -> None:
    async def main() -> None:
        async with serving_door(Door(shelf_of())) as place:
            own = f"http://127.0.0.1:{place.port}"
            film = f"{place.root}/film/0"
            for origin in (
                "http://evil.example",
                "null",
                f"https://127.0.0.1:{place.port}",
                "http://127.0.0.1:1",
                own + "/",
            ):
                assert (await ask(place, film, origin=origin)).status == 403, origin
            assert (await ask(place, film, sec_fetch_site="cross-site", sec_fetch_mode="no-cors")).status == 403
            assert (await ask(place, film, sec_fetch_site="same-site", sec_fetch_mode="cors")).status == 403
            assert (await ask(place, film, method="POST")).status == 403
            reply = await ask(place, film, origin=own, sec_fetch_site="same-origin")
            assert reply.status == 200
            assert not [name for name in reply.headers if name.startswith("access-control")]
            linked = await ask(place, f"{place.root}/", sec_fetch_site="cross-site", sec_fetch_mode="navigate")
            assert linked.status == 200  # a link in a terminal that is a page itself

    finished(main())


def test_every_answer_forbids_pages_to_load_anything_from_elsewhere() -> None:
    async def main() -> None:
        async with serving_door(Door(shelf_of())) as place:
            for path in ("/", "/film/0", "/film/7", "/web/viewer.js", "/web/nothing.js", "/turns/0"):
                headers = (await ask(place, place.root + path)).headers
                policy = headers["content-security-policy"]
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert "frame-ancestors 'none'" in policy
                assert (headers["referrer-policy"], headers["cache-control"]) == ("no-referrer", "no-store")
                assert headers["x-content-type-options"] == "nosniff"

    finished(main())


# What is there


def test_pages_load_the_modules_of_the_viewer_and_no_other_file() -> None:
    async def main() -> None:
        async with serving_door(Door(shelf_of())) as place:
            page = (await ask(place, f"{place.root}/")).body.decode()
            assert f'src="{place.root}/web/page.js"' in page
            for name, kind in (("page.js", "javascript"), ("viewer.js", "javascript"), ("themes.js", "javascript"),
                               ("viewer.css", "css"), ("page.css", "css"), ("turns.css", "css")):  # fmt: skip
                reply = await ask(place, f"{place.root}/web/{name}")
                assert reply.status == 200, name
                assert kind in reply.headers["content-type"]
            for name in ("../film.py", "..%2ffilm.py", "%2e%2e%2fpage.py", "__init__.py", "viewer.js%00.css", "", "..",
                         "/etc/passwd", "viewer.js/", "VIEWER.JS", "%2fetc%2fpasswd"):  # fmt: skip
                assert (await ask(place, f"{place.root}/web/{name}")).status in (404, 307), name

    finished(main())


def test_a_film_and_its_blocks_are_those_of_the_replay_for_every_seat() -> None:
    async def main() -> None:
        async with serving_door(Door(shelf_of())) as place:
            for seat in (None, 0, 1):
                stored = json.loads(film_of(played_game().replay, seat).to_json())
                asked = "" if seat is None else f"?seat={seat}"
                reply = await ask(place, f"{place.root}/film/0{asked}", accept_encoding="gzip")
                assert reply.headers["content-encoding"] == "gzip"
                assert reply.json == stored
                assert (await ask(place, f"{place.root}/film/0{asked}")).json == stored
                blocks = [
                    (await ask(place, f"{place.root}/film/0/block/{at}{asked}")).json
                    for at in range(len(stored["blocks"]))
                ]
                assert blocks == stored["blocks"]

    finished(main())


def test_a_long_film_begins_with_its_first_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botyard.links.viewing.packed.WHOLE_BYTES", 100)

    async def main() -> None:
        async with serving_door(Door(shelf_of())) as place:
            film = (await ask(place, f"{place.root}/film/0")).json
            assert [block["at"] for block in film["blocks"]] == [0]
            assert film["head"]["last"] == len(played_game().replay.ticks)

    finished(main())


def test_what_is_not_there_is_said_so() -> None:
    async def main() -> None:
        async with serving_door(Door(shelf_of())) as place:
            for path in ("/film/1", "/film/-1", "/film/x", "/film/0?seat=2", "/film/0?seat=-1",
                         "/film/0?seat=99999999999", "/film/0?seat=%D9%A1", "/film/0/block/99",
                         "/film/99999999999999999999999/block/0", "/watch/1",
                         "/turns/9", "/nothing"):  # fmt: skip
                reply = await ask(place, place.root + path)
                assert reply.status == 404, path
                assert b"Traceback" not in reply.body

    finished(main())


def test_the_turn_sheet_is_served() -> None:
    async def main() -> None:
        async with serving_door(Door(shelf_of())) as place:
            sheet = (await ask(place, f"{place.root}/turns/0")).json
            assert sheet["ticks"] == len(played_game().replay.ticks)
            assert [seat["name"] for seat in sheet["seats"]] == list(played_game().names)

    finished(main())


def test_several_games_have_a_list_in_which_names_stay_text(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        screening = ReplayScreening.of_game(played_game())
        named = played_game().replay.names
        monkeypatch.setattr(played_game().replay, "names", ("<script>alert(1)</script>\u202e", '"><img src=x>'))
        async with serving_door(Door(shelf_of(screening, screening))) as place:
            page = (await ask(place, f"{place.root}/")).body.decode()
            assert page.count(f'href="{place.root}/watch/') == 2
            assert "a &lt;b&gt;game&lt;/b&gt;" in page
            assert "<script>alert" not in page
            assert "<img" not in page
            assert "\u202e" not in page
            assert (await ask(place, f"{place.root}/watch/1")).status == 200
        assert named

    finished(main())


def test_films_are_made_once_and_kept_within_bounds() -> None:
    made: list[int | None] = []

    class Counted(ReplayScreening):
        def film(self, seat: int | None) -> PackedFilm:
            made.append(seat)
            return super().film(seat)

    async def main() -> None:
        shelf = Shelf(FilmCache(films=2))
        shelf.add(Counted.of_game(played_game()), "game")
        one, other = await asyncio.gather(shelf.film(0, None), shelf.film(0, None))
        assert one is other
        for seat in (0, 1, 1):
            await shelf.film(0, seat)
        assert made == [None, 0, 1]
        await shelf.film(0, None)
        assert made == [None, 0, 1, None]

    finished(main())
    film = PackedFilm(Film({"last": 0}, [{"at": 0, "grid": list(range(1000))}]))
    cache = FilmCache(films=100, size=3 * film.size)
    for number in range(10):
        cache.put(number, film)
    assert (len(cache), cache.size) == (3, 3 * film.size)
