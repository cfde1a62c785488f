"""Pages that watch a player of a room: they are told the film of its field, and the room never waits for one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from botyard.games.picture import camera_of
from botyard.render.film import Film
from botyard.render.frames import frames
from tests.links.hall import Hall, hall, make_room
from tests.waiting import finished, soon, until

FREE: Any = {"rounds_enabled": False}


def watch(here: Hall, user: str) -> connect:
    return connect(f"ws://127.0.0.1:{here.port}/codenjoy-contest/watch/{user}", proxy=None)


async def told(socket: ClientConnection) -> dict[str, Any]:
    heard = await soon(socket.recv())
    answer: dict[str, Any] = json.loads(heard)
    return answer


def test_a_watcher_is_told_the_film_of_the_field_as_it_grows() -> None:
    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            [ann] = here.register("ann")
            here.room.seat(ann)
            async with watch(here, "ann") as socket:
                first = await told(socket)
                assert first["head"]["names"] == ["ann", ""]
                film = Film(first["head"], first["parts"])
                for _ in range(3):
                    here.room.tick()
                    for part in (await told(socket))["parts"]:
                        film.blocks[-1]["ticks"].append(part)
                assert ann.field is not None
                *_, last = frames(film)
                assert last.picture == camera_of(ann.field.game).take(ann.field.game)

    finished(main())


def test_a_film_ends_for_its_watchers_when_the_player_goes_elsewhere() -> None:
    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            ann, bob = here.register("ann", "bob")
            here.room.seat(ann)
            here.room.seat(bob)
            async with watch(here, "ann") as socket:
                await told(socket)
                assert ann.field is not None
                ann.field.release(ann)
                here.room.tick()
                assert (await told(socket))["head"]["last"] is not None
                with pytest.raises(ConnectionClosed):
                    await told(socket)

    finished(main())


def test_a_field_is_filmed_only_while_somebody_watches() -> None:
    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            [ann] = here.register("ann")
            here.room.seat(ann)
            field = ann.field
            assert field is not None
            async with watch(here, "ann") as socket:
                await told(socket)
                film = field.film
                here.room.tick()
                assert film.ticks == 2
            await until(lambda: field.watchers == 0)
            here.room.tick()
            assert film.over
            assert field.film is not film

    finished(main())


def test_who_watches_nobody_is_refused() -> None:
    async def main() -> None:
        async with hall(make_room()) as here:
            with pytest.raises(InvalidStatus) as refused:
                await watch(here, "nobody")
            assert refused.value.response.status_code == 403

    finished(main())
