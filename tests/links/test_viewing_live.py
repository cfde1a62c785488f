"""Live matches and people's seats in the browser: what pages are told, what they may say, and that nobody is slowed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from botyard.links.viewing import sockets
from botyard.links.viewing.sockets import MOST_MESSAGES, MOST_SCREENS
from botyard.links.viewing.stage import WITHHELD
from botyard.match.filming import film_of
from tests.links.hall import nothing_left_open
from tests.links.place import ask, hear_out, heard, live, socket_of
from tests.waiting import finished, soon, until


@pytest.fixture(autouse=True)
def nothing_is_left(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Neither an open file nor a line in the log."""
    with nothing_left_open():
        yield
    assert caplog.records == []


def test_a_page_that_watches_gets_the_whole_film() -> None:
    async def main() -> None:
        async with live() as match, socket_of(match.place, "live/0") as page:
            first = await heard(page)
            assert first["head"]["last"] is None
            blocks = first["parts"]
            played = await match.play()
            head = None
            with contextlib.suppress(ConnectionClosed):
                while True:
                    told = await heard(page)
                    head = told.get("head", head)
                    for part in told.get("parts", []):
                        if isinstance(part, dict):
                            blocks.append(part)
                        else:
                            blocks[-1]["ticks"].append(part)
            stored = json.loads(film_of(played.replay).to_json())
            assert head == stored["head"]
            assert blocks[-1] == stored["blocks"][-1]
            assert (await ask(match.place, f"{match.place.root}/film/0")).json == stored
            assert (await ask(match.place, f"{match.place.root}/turns/0")).status == 200

    finished(main())


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "http://localhost:PORT"])
def test_sockets_of_other_pages_are_refused(origin: str | None) -> None:
    async def main() -> None:
        async with live(people=True, seat=0) as match:
            for path in ("live/0", "seat/0/0"):
                given = origin and origin.replace("PORT", str(match.place.port))
                with pytest.raises(InvalidStatus) as refused:
                    async with socket_of(match.place, path, origin=given):
                        pass
                assert refused.value.response.status_code == 403
            assert not match.screens[0].seat.here

    finished(main())


def test_sockets_that_lead_nowhere_are_refused() -> None:
    async def main() -> None:
        async with live() as match:
            for path in ("live/1", "seat/0/0", "live/0/x"):
                with pytest.raises(InvalidStatus) as refused:
                    async with socket_of(match.place, path):
                        pass
                assert refused.value.response.status_code in (403, 404)

    finished(main())


def test_pages_that_do_not_read_do_not_slow_a_match_and_find_the_newest_board() -> None:
    async def main() -> None:
        async with live() as match, contextlib.AsyncExitStack() as stack:
            pages = [await stack.enter_async_context(socket_of(match.place, "live/0", max_queue=1)) for _ in range(5)]
            await until(lambda: match.audience.watchers == len(pages))
            played = await soon(match.play())  # nobody reads meanwhile
            assert played.outcome is not None
            for page in pages:
                last: dict[str, Any] = {}
                with contextlib.suppress(ConnectionClosed):
                    while True:
                        last = {**last, **await heard(page)}
                assert last["head"]["last"] == len(played.replay.ticks)

    finished(main())


def test_only_so_many_pages_may_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_WATCHERS", 2)

    async def main() -> None:
        async with live() as match, socket_of(match.place, "live/0"):
            async with socket_of(match.place, "live/0"):
                await until(lambda: match.audience.watchers == 2)
                async with socket_of(match.place, "live/0") as third:
                    with pytest.raises(ConnectionClosed) as closed:
                        await soon(third.recv())
                    assert closed.value.rcvd is not None
                    assert closed.value.rcvd.code == sockets.FULL
            await until(lambda: match.audience.watchers == 1)
            async with socket_of(match.place, "live/0") as again:
                await heard(again)

    finished(main())


@pytest.mark.parametrize("how", ["people", "outsiders"])
def test_where_a_game_hides_something_spectators_see_it_when_it_is_over(how: str) -> None:
    async def main() -> None:
        async with live(**{how: True}) as match, socket_of(match.place, "live/0") as page:
            assert await heard(page) == {"withheld": WITHHELD}
            for path in ("film/0", "film/0?seat=0", "film/0/block/0", "turns/0"):
                assert (await ask(match.place, f"{match.place.root}/{path}")).status == 404, path
            played = await match.play()
            assert (await heard(page))["head"]["last"] == len(played.replay.ticks)
            assert (await ask(match.place, f"{match.place.root}/film/0")).status == 200

    finished(main())


def test_a_person_sees_what_their_seat_sees() -> None:
    async def main() -> None:
        async with live(people=True, seat=0) as match, socket_of(match.place, "live/0") as page:
            told = await heard(page)
            assert told["head"]["seat"] == 0
            assert told["parts"][0]["words"] == 0
            block = (await ask(match.place, f"{match.place.root}/film/0/block/0")).json
            assert block == told["parts"][0]
            assert (
                await ask(match.place, f"{match.place.root}/film/0/block/0?seat=1")
            ).json == block  # still their own
            played = await match.play()
            stored = film_of(played.replay, 0)
            assert (
                json.loads(stored.to_json())["blocks"][0]
                == (await ask(match.place, f"{match.place.root}/film/0/block/0?seat=0")).json
            )

    finished(main())


# A person's socket


def test_a_person_says_when_to_begin_and_gives_orders_by_name() -> None:
    async def main() -> None:
        async with live(people=True, seat=0) as match, socket_of(match.place, "seat/0/0") as page:
            person = match.screens[0].seat
            assert (await heard(page))["here"] is False
            await page.send('{"ready": true}')
            assert (await heard(page))["here"] is True
            await page.send('{"order": "forage NE"}')
            assert (await heard(page))["planned"] == "forage NE"
            assert person.planned == person.orders.index("forage NE")
            await page.send('{"withdraw": true}')
            assert (await heard(page))["planned"] is None
            person.close()
            assert (await heard(page))["over"] is True
            with pytest.raises(ConnectionClosed):
                await soon(page.recv())

    finished(main())


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '"forage NE"', '{"order": 3}', '{"order": "fly"}', '{"order": ["forage NE"]}',
     '{"order": true}', '{"withdraw": 1}', '{"ready": "yes"}', "[" * 200, '{"order": NaN}', "9" * 200],
)  # fmt: skip
def test_messages_that_are_no_order_change_nothing(text: str) -> None:
    async def main() -> None:
        async with live(people=True, seat=0) as match, socket_of(match.place, "seat/0/0") as page:
            await heard(page)
            await page.send(text)
            await page.send('{"order": "move N"}')
            assert (await heard(page))["planned"] == "move N"
            assert not match.screens[0].seat.here

    finished(main())


@pytest.mark.parametrize("kind", ["bytes", "long", "many"])
def test_a_page_that_talks_too_much_is_let_go(kind: str) -> None:
    async def main() -> None:
        async with live(people=True, seat=0) as match, socket_of(match.place, "seat/0/0") as page:
            kinds: dict[str, list[str | bytes]] = {
                "bytes": [b'{"order": "move N"}'],
                "long": ['{"order": "' + "x" * 300 + '"}'],
                "many": ['{"order": "move N"}'] * (MOST_MESSAGES + 1),
            }
            for message in kinds[kind]:
                await page.send(message)
            with pytest.raises(ConnectionClosed):
                await soon(hear_out(page))
            await until(lambda: match.screens[0].open == 0)

    finished(main())


def test_a_person_has_only_so_many_pages() -> None:
    async def main() -> None:
        async with live(people=True, seat=0) as match, contextlib.AsyncExitStack() as stack:
            for _ in range(MOST_SCREENS):
                await heard(await stack.enter_async_context(socket_of(match.place, "seat/0/0")))
            async with socket_of(match.place, "seat/0/0") as page:
                with pytest.raises(ConnectionClosed):
                    await soon(page.recv())

    finished(main())


def test_the_door_of_one_person_does_not_open_the_seat_of_another() -> None:
    async def main() -> None:
        async with live(people=True) as match:  # the door of spectators
            with pytest.raises(InvalidStatus):
                async with socket_of(match.place, "seat/0/0"):
                    pass

    finished(main())
