"""Pages and REST endpoints of a server of rooms (specification 6.1 and 6.5)."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from botyard.links.codenjoy.app import contest_app
from botyard.links.web.server import listen, serving
from botyard.match.lobby import Lobby
from tests.links.hall import Hall, fetch, hall, hear, make_room
from tests.waiting import finished

FREE: Any = {"rounds_enabled": False}
NASTY = "<script>alert(1)</script>'\"&"


def in_hall(test: Callable[[Hall], Awaitable[None]], *names: str, **settings: Any) -> None:
    """Runs a test in a hall of two rooms, with some players registered in the first."""

    async def main() -> None:
        async with hall(make_room(**settings), make_room("annex", **settings)) as here:
            here.register(*names)
            await test(here)

    finished(main())


# Registering


@pytest.mark.parametrize(
    ("query", "room"),
    [
        ("", "snakebattle"),
        ("?game=snakebattle", "snakebattle"),
        ("?gameName=snakebattle", "snakebattle"),
        ("?room=snakebattle", "snakebattle"),
        ("?room=annex", "annex"),
        ("?game=snakebattle&room=annex", "annex"),
    ],
)
def test_a_player_registers_in_the_room_that_was_asked_for(query: str, room: str) -> None:
    async def test(here: Hall) -> None:
        form = await fetch(here, f"/register{query}")
        assert form.status == 200
        assert f'name="room" value="{room}"' in form.body
        answer = await fetch(here, f"/register{query}", b"name=ann")
        [member] = here.lobby.rooms[room].members
        assert answer.status == 303
        assert answer.headers["location"] == f"/codenjoy-contest/board/player/{member.user}?code={member.code}"
        assert re.fullmatch(r"[a-z0-9]{20}", member.user)
        assert re.fullmatch(r"\d{19}", member.code)
        assert member.field is None  # who only registers takes nobody's seat

    in_hall(test)


def test_the_form_of_the_original_is_understood() -> None:
    async def test(here: Hall) -> None:
        body = b"email=a%40b.c&readableName=Ann&password=x&gameName=snakebattle"
        assert (await fetch(here, "/register", body)).status == 303
        assert [member.name for member in here.room.members] == ["Ann"]

    in_hall(test)


@pytest.mark.parametrize("query", ["?room=cellar", "?game=chess", "?gameName=chess"])
def test_an_unknown_room_is_named_with_those_there_are(query: str) -> None:
    async def test(here: Hall) -> None:
        answer = await fetch(here, f"/register{query}")
        assert answer.status == 404
        assert "annex" in answer.json["hint"]

    in_hall(test)


@pytest.mark.parametrize("name", ["", "ann", "x" * 51, "a\nb", "%1b[31m"])
def test_a_name_that_cannot_be_had_gives_the_form_again_with_the_reason(name: str) -> None:
    async def test(here: Hall) -> None:
        answer = await fetch(here, "/register", f"name={quote(name, safe='%')}".encode())
        assert answer.status == 409
        assert '<p class="trouble" role="alert"></p>' not in answer.body
        assert len(here.room.members) == 1

    in_hall(test, "ann")


# Boards


def test_a_board_page_folds_up_the_address_of_the_socket() -> None:
    async def test(here: Hall) -> None:
        page = await fetch(here, "/board/player/ann?code=7")
        assert page.status == 200
        assert '<details class="secret"><summary>' in page.body
        assert f"ws://127.0.0.1:{here.port}/codenjoy-contest/ws?user=ann&amp;code=7" in page.body
        assert page.headers["referrer-policy"] == "no-referrer"

    in_hall(test, "ann", **FREE)


def test_anybody_may_watch_but_only_the_code_shows_the_address() -> None:
    async def test(here: Hall) -> None:
        page = await fetch(here, "/board/player/ann")
        assert page.status == 200
        assert "/ws?" not in page.body
        assert 'data-code=""' in page.body
        assert (await fetch(here, "/board/player/ann?code=8")).status == 401
        assert (await fetch(here, "/board/player/nobody")).status == 404
        assert 'class="only"' in (await fetch(here, "/board/player/ann?code=7&only=true")).body

    in_hall(test, "ann")


def test_the_page_of_a_room_counts_its_fields() -> None:
    async def test(here: Hall) -> None:
        for count, names in (("0 fields", []), ("1 field", ["ann"]), ("2 fields", ["bob", "cy"])):
            for name in names:
                here.room.seat(*here.register(name))
            assert f">{count}, a tick every" in (await fetch(here, "/board/room/snakebattle")).body

    in_hall(test)


SEALED = {"referrer-policy": "no-referrer", "x-content-type-options": "nosniff", "x-frame-options": "deny"}


def test_pages_load_nothing_from_elsewhere() -> None:
    async def test(here: Hall) -> None:
        files = ("/pages/room.css", "/pages/board.js", "/web/viewer.js", "/web/viewer.css", "/web/themes.js")
        for path in ("/", "/register", "/board/player/ann", "/board/room/annex", "/help/snakebattle", *files):
            page = await fetch(here, path)
            assert page.status == 200
            assert "default-src 'none'" in page.headers["content-security-policy"]
            assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
            assert page.headers.items() >= SEALED.items()
            assert page.headers["cache-control"] == ("max-age=300" if path in files else "no-store")
            assert not re.search(r"(src|href|url)\W{1,2}(https?:)?//", page.body), path
        refused = await fetch(here, "/pages/board.html")
        assert refused.status == 404
        assert refused.headers.items() >= SEALED.items()
        for path in ("/pages/..%2fapp.py", "/web/..%2fpage.py", "/web/", "/web/nothing.js"):
            assert (await fetch(here, path)).status == 404

    in_hall(test, "ann")


def test_a_nasty_name_is_text_everywhere() -> None:
    async def test(here: Hall) -> None:
        member = here.lobby.register(here.room, NASTY)
        for path in (f"/board/player/{member.user}", "/board/room/snakebattle", "/"):
            assert "<script>alert" not in (await fetch(here, path)).body
        taken = await fetch(here, "/register", f"name={quote(NASTY)}".encode())
        assert taken.status == 409
        assert "<script>alert" not in taken.body
        screen = await fetch(here, f"/rest/screen/{member.user}")
        assert screen.headers["content-type"] == "application/json"
        assert screen.json["name"] == NASTY

    in_hall(test)


def test_the_screen_of_a_board_page_has_all_it_shows() -> None:
    async def test(here: Hall) -> None:
        ann, _ = here.room.members
        waiting = (await fetch(here, "/rest/screen/ann")).json
        assert (waiting["seat"], waiting["headline"]) == (None, "")
        assert waiting["idle"] == "Not on a field. Press an arrow key to join, or connect a bot."
        here.room.seat(ann)
        here.room.tick()
        screen = (await fetch(here, "/rest/screen/ann")).json
        assert (screen["seat"], screen["idle"]) == (0, None)
        assert screen["headline"].startswith("tick 1")
        assert [leader["id"] for leader in screen["leaders"]] == ["ann", "bob"]
        assert (await fetch(here, "/rest/screen/nobody")).status == 404

    in_hall(test, "ann", "bob", **FREE)


def test_the_rules_are_served_where_the_original_points_to() -> None:
    async def test(here: Hall) -> None:
        address = (await fetch(here, "/rest/game/snakebattle/help/url")).body
        assert address == "/codenjoy-contest/help/snakebattle"
        assert "<h1>Snake Battle</h1>" in (await fetch(here, "/help/snakebattle")).body
        assert (await fetch(here, "/help/chess")).status == 404

    in_hall(test)


# REST


def test_the_server_is_well_and_says_where_its_sockets_are() -> None:
    async def test(here: Hall) -> None:
        assert (await fetch(here, "/rest/health")).body == "ok"
        pattern = f"ws://127.0.0.1:{here.port}/codenjoy-contest/ws?user={{user}}&code={{code}}"
        assert (await fetch(here, "/rest/game/ws/url")).body == pattern

    in_hall(test)


def test_scores_come_highest_first() -> None:
    async def test(here: Hall) -> None:
        here.room.members[1].points = 30
        expected = [
            {"id": "bob", "name": "bob", "teamId": 0, "score": 30},
            {"id": "ann", "name": "ann", "teamId": 0, "score": 0},
        ]
        assert (await fetch(here, "/rest/room/snakebattle/scores")).json == expected
        assert (await fetch(here, "/rest/game/snakebattle/scores")).json == expected
        assert (await fetch(here, "/rest/room/annex/scores")).json == []
        assert (await fetch(here, "/rest/room/cellar/scores")).status == 404
        assert (await fetch(here, "/rest/game/chess/scores")).status == 404

    in_hall(test, "ann", "bob")


def test_players_are_listed_without_their_codes() -> None:
    async def test(here: Hall) -> None:
        answer = await fetch(here, "/rest/game/snakebattle/players")
        [ann] = answer.json
        assert (ann["id"], ann["room"], ann["connected"]) == ("ann", "snakebattle", False)
        assert "code" not in ann
        async with here.socket("ann"):
            assert (await fetch(here, "/rest/room/snakebattle/players")).json[0]["connected"]

    in_hall(test, "ann")


def test_a_code_can_be_checked() -> None:
    async def test(here: Hall) -> None:
        assert (await fetch(here, "/rest/player/ann/check/7")).json is True
        assert (await fetch(here, "/rest/player/ann/check/8")).json is False
        assert (await fetch(here, "/rest/player/nobody/check/7")).json is False

    in_hall(test, "ann")


def test_the_joystick_steers_as_a_bot_would() -> None:
    async def test(here: Hall) -> None:
        ann = here.room.members[0]
        for command, head in (("RIGHT", "►"), ("DOWN", "▼")):
            assert (await fetch(here, f"/rest/joystick/player/ann/code/7/do/{command}")).json is True
            here.room.tick()
            assert head in ann.board
        assert (await fetch(here, "/rest/joystick/player/ann/code/7/do/LEFT%2CACT")).status == 200
        for nothing in ("hello", "STOP", "UP" * 50):
            assert (await fetch(here, f"/rest/joystick/player/ann/code/7/do/{nothing}")).status == 400
        assert (await fetch(here, "/rest/joystick/player/ann/code/8/do/UP")).status == 401

    in_hall(test, "ann", **FREE)


def test_a_player_reads_the_settings_of_its_room_as_text() -> None:
    async def test(here: Hall) -> None:
        settings = (await fetch(here, "/rest/settings/player?user=ann&code=7")).json
        assert settings["[Game] Fury count"] == "12"
        assert settings["[Score] Die penalty"] == "-10"
        assert settings["[Rounds] Enabled"] == "false"
        assert settings["[Map] Map"].startswith("☼☼☼☼☼☼☼☼#")
        login = base64.b64encode(b"ann:7").decode()
        assert (await fetch(here, "/rest/settings/player", Authorization=f"Basic {login}")).json == settings
        for path, header in [("?user=ann&code=8", ""), ("", ""), ("", "Basic ?"), ("", "Basic YTpi")]:
            assert (await fetch(here, f"/rest/settings/player{path}", Authorization=header)).status == 401

    in_hall(test, "ann", fury_count=12, **FREE)


def test_one_setting_is_its_value_and_all_of_them_have_types_and_defaults() -> None:
    async def test(here: Hall) -> None:
        base = "/rest/settings/snakebattle/annex"
        assert (await fetch(here, f"{base}/{quote('[Game] Fury count')}")).body == "12"
        assert (await fetch(here, f"{base}/fury_count")).body == "12"
        rows = {row["key"]: row for row in (await fetch(here, f"{base}/_settings_")).json}
        shown = {"name": "[Game] Fury count", "key": "fury_count", "type": "integer", "default": "10", "value": "12"}
        assert rows["fury_count"] == shown
        assert "played_as" not in rows
        assert (await fetch(here, f"{base}/height")).status == 404
        assert (await fetch(here, "/rest/settings/chess/annex/fury_count")).status == 404

    in_hall(test, fury_count=12)


def test_the_app_can_be_mounted_anywhere() -> None:
    async def main() -> None:
        lobby = Lobby()
        lobby.open(make_room())
        member = lobby.register(lobby.rooms["snakebattle"], "ann", "ann", "7")
        door = listen("127.0.0.1", 0)
        async with serving(Starlette(routes=[Mount("/yard", app=contest_app(lobby))]), door):
            reader, writer = await asyncio.open_connection("127.0.0.1", door.getsockname()[1])
            writer.write(b"GET /yard/board/player/ann HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            page = (await reader.read()).decode()
            writer.close()
        assert 'data-base="/yard"' in page
        assert f'<h1 id="name">{member.name}</h1>' in page

    finished(main())


def test_the_server_of_the_documentation_ticks_and_serves() -> None:
    page = (Path(__file__).parents[3] / "docs" / "rooms.md").read_text()
    names: dict[str, Any] = {}
    for block in page.partition("## In a server of your own")[2].split("```python\n")[1:]:
        exec(block.partition("```")[0], names)

    async def main() -> None:
        door = listen("127.0.0.1", 0)
        lobby = names["lobby"]
        lobby.register(lobby.rooms["main"], "ann", "ann", "7")
        async with names["life"](names["app"]), serving(names["app"], door):
            here = Hall(lobby, door.getsockname()[1])
            async with here.socket("ann") as client:
                assert len(await hear(client)) == 906
            reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
            writer.write(b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
            await reader.readuntil(b"data: 1 rooms")
            writer.close()

    finished(main())
