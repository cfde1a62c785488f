"""The API for programs: what it tells to whom, how it refuses, and what happens as it happens."""

from __future__ import annotations

import ast
import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.yard.api.fields import LINE
from botyard.yard.data.events import note_event
from botyard.yard.people.limits import ANYTHING_OF_ONE
from tests.waiting import finished, soon, until
from tests.yard.browser import Browser, Page
from tests.yard.living import played_game
from tests.yard.residents import PASSWORD
from tests.yard.town import BOUNDARY, GAME, JSON, MULTIPART, Town

V1 = "/api/v1"
SOURCE = Path(botyard.__file__).parent


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    town = Town(tmp_path_factory.mktemp("town"))
    yield town
    town.close()


@pytest.fixture
def town(shared: Town) -> Iterator[Town]:
    yield shared
    shared.restore()


def get(town: Town, who: str, path: str) -> Page:
    return finished(town.ask(who, "GET", V1 + path))


def send(
    town: Town, who: str, method: str, path: str, body: Any = None, headers: Mapping[str, str | None] | None = None
) -> Page:
    """Sends something that stays, unlike what the town is asked otherwise."""
    return finished(town.ask(who, method, V1 + path, body, JSON, headers, kept=True))


# How it refuses


def test_refusals_are_problems_with_a_remedy(town: Town) -> None:
    page = get(town, "nobody", "/me")
    assert (page.status, page.headers["content-type"]) == (401, "application/problem+json")
    assert page.headers["www-authenticate"] == "Bearer"
    assert page.json == {"title": "this needs an account", "status": 401, "detail": "sign in, or register"}
    for path, status in (("/nix", 404), ("/ladders/nix", 404), ("/matches/99", 404), ("//", 404)):
        page = get(town, "nobody", path)
        assert (page.status, page.headers["content-type"]) == (status, "application/problem+json"), path
        assert page.json["detail"], "it says what to do"
    page = finished(town.ask("owner", "PUT", f"{V1}/ladders", {}, JSON))
    assert (page.status, page.headers["allow"]) == (405, "GET")


def test_a_field_that_cannot_be_taken_is_named_with_its_value_and_the_remedy(town: Town) -> None:
    page = get(town, "nobody", "/matches?limit=1000")
    assert page.status == 422
    assert page.json["title"] == "limit = '1000' cannot be taken"
    assert page.json["errors"] == [
        {"field": "limit", "value": "'1000'", "remedy": "Input should be less than or equal to 100"}
    ]
    body = {"name": "x" * (LINE + 1), "password": ["secret thing"], "surname": "Y"}
    page = send(town, "nobody", "POST", "/login", body)
    assert [error["field"] for error in page.json["errors"]] == ["name", "password", "surname"]
    assert "secret thing" not in page.text
    assert len(page.body) < 2000, "what came is cut short"
    page = send(town, "nobody", "POST", "/login", {"name": "A\nB", "password": "x"})
    assert page.json["errors"][0]["remedy"] == "it must have one line"


@pytest.mark.parametrize("body", [b"{", b"[" * 60_000, b"\xff\xfe", b"null", b"[]", b'{"name": NaN}', b"1" * 5000])
def test_bodies_that_are_no_json_are_refused(town: Town, body: bytes) -> None:
    headers = {"content-type": JSON, "content-length": str(len(body)), "origin": Browser(town.app).origin}
    page = Browser(town.app).ask("POST", f"{V1}/login", body, headers)
    assert page.status in (400, 422)
    assert page.json["status"] == page.status


def test_a_body_that_is_too_large_is_not_read_to_its_end(town: Town) -> None:
    page = send(town, "nobody", "POST", "/login", {"name": "x" * 100_000, "password": ""})
    assert (page.status, page.json["detail"]) == (413, "a body may have 64 KiB")


def test_who_asks_too_often_is_told_when_to_ask_again(town: Town) -> None:
    async def storm() -> Page:
        while (page := await town.ask("owner", "GET", f"{V1}/games", still=True)).status == 200:
            pass
        return page

    page = finished(storm())
    assert (page.status, page.headers["retry-after"]) == (429, "1")
    assert page.json["detail"] == "try again in 1 s"
    assert ANYTHING_OF_ONE.burst < 1000


# What it tells


def test_lists_come_in_parts_without_a_gap(town: Town) -> None:
    whole = [match["id"] for match in get(town, "nobody", "/matches?limit=100").json["items"]]
    assert whole == sorted(whole, reverse=True)
    for path in ("/matches", f"/ladders/{GAME}/matches", f"/bots/{town.places['bot']}/matches"):
        told: list[int] = []
        cursor: str | None = ""
        while cursor is not None:
            part = get(town, "nobody", f"{path}?limit=1&cursor={cursor}").json
            told += [match["id"] for match in part["items"]]
            cursor = part["next"]
        assert told == whole, path
    table = get(town, "nobody", f"/ladders/{GAME}/table?limit=100").json["items"]
    second = get(town, "nobody", f"/ladders/{GAME}/table?limit=1&cursor=1").json
    assert (second["items"], second["next"]) == (table[1:2], "2")
    assert get(town, "nobody", "/matches?cursor=-1").json["title"] == "cursor = '-1' is none of ours"


def test_what_is_held_back_of_a_pair_is_told_when_it_is_over(town: Town) -> None:
    half = get(town, "owner", f"/matches/{town.places['half']}").json
    assert (half["match"]["state"], half["match"]["released"], half["match"]["result"], half["seed"]) == (
        "done", False, "", "",
    )  # fmt: skip
    assert {seat["rank"] for seat in half["match"]["seats"]} == {None}
    assert get(town, "owner", f"/matches/{town.places['half']}/turns").status == 403
    over = get(town, "nobody", f"/matches/{town.places['match']}").json
    assert over["match"]["result"]
    assert over["seed"]
    assert over["words"].endswith((" won.", "A draw."))


def test_what_is_private_is_told_to_the_owner_and_to_nobody_else(town: Town) -> None:
    way = f"/bots/{town.places['bot']}"
    for who, reason in (("owner", "main.c:3: error"), ("token:read", "main.c:3: error"), ("rival", ""), ("nobody", "")):
        told = get(town, who, f"{way}/versions/2").json
        assert (told["version"]["reason"], told["opened"]) == (reason, bool(reason)), who
        assert [version["reason"] for version in get(town, who, way).json["versions"]] == ["", reason, ""], who
    assert get(town, "token:play", f"{way}/versions/2").json["opened"] is False, "a token that is not good for reading"
    assert get(town, "owner", f"{way}/versions/2/log").text == "$ cc\nmain.c:3: error\n"
    assert send(town, "owner", "PUT", f"{way}/logs-public", {"public": True}).status == 204
    assert get(town, "rival", f"{way}/versions/2").json["version"]["reason"] == "main.c:3: error"
    assert get(town, "rival", f"{way}/versions/1/source").status == 403, "the source stays private"


def test_a_test_game_is_for_who_asked_for_it(town: Town) -> None:
    house = get(town, "nobody", f"/games/{GAME}").json["house_bots"]
    form = {"own": {"bot": int(town.places["bot"]), "version": 1}, "house": next(iter(house))}
    asked = send(town, "token:play", "POST", f"/ladders/{GAME}/test-games", form)
    assert asked.status == 202
    number = asked.json["matches"][0]["id"]
    assert get(town, "owner", f"/matches/{number}").json["waits"] == "waits for a worker"
    assert get(town, "rival", f"/matches/{number}").status == 404
    both = {**form, "rival": form["own"]}
    assert (
        send(town, "owner", "POST", f"/ladders/{GAME}/test-games", both).json["title"] == "a test game needs one rival"
    )


def test_no_answer_has_a_field_that_is_nobodys_business() -> None:
    """Whatever the tables hold: only what the models name leaves the yard."""
    words = {"digest", "tree", "source", "secret_key", "name_key", "stream", "fence", "password_hash"}
    for module in (SOURCE / "yard" / "api").glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, ast.ClassDef) and node.name.endswith("Answer"):
                fields = {
                    one.target.id
                    for one in node.body
                    if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
                }
                assert not fields & words, f"{module.name}: {node.name}"


# Programs sign in


def test_a_program_gets_a_token_for_a_name_and_a_password(town: Town) -> None:
    form = {"name": "Olga", "password": PASSWORD, "token_name": "laptop", "scopes": ["read"]}
    told = send(town, "nobody", "POST", "/login", form).json
    assert (told["name"], told["scopes"]) == ("laptop", ["read"])
    bearer = {"authorization": f"Bearer {told['secret']}", "origin": None}
    assert finished(town.ask("nobody", "GET", f"{V1}/me", headers=bearer)).json["name"] == "Olga"
    assert send(town, "nobody", "PUT", "/bots/1/name", {"name": "x"}, bearer).status == 403
    sessions = get(town, "owner", "/me/sessions").json["items"]
    assert len(sessions) == 3 + 2, "those of the town alone: a program has no use for one"
    assert send(town, "nobody", "POST", "/login", {**form, "password": "wrong horse battery"}).status == 403
    assert send(town, "nobody", "POST", "/login", {**form, "scopes": ["nix"]}).status == 400
    assert len(get(town, "owner", "/me/sessions").json["items"]) == len(sessions)


def test_somebody_comes_by_an_invitation_and_leaves_again(town: Town) -> None:
    link = send(town, "token:admin", "POST", "/admin/tickets", {"purpose": "invitation"}).json["link"]
    secret = link.rpartition("/")[2]
    assert send(town, "nobody", "POST", "/ticket/look", {"secret": secret}).json["purpose"] == "invitation"
    form = {"secret": secret, "name": "Zoë", "password": PASSWORD}
    told = send(town, "nobody", "POST", "/ticket/use", form).json
    bearer = {"authorization": f"Bearer {told['secret']}", "origin": None}
    assert finished(town.ask("nobody", "GET", f"{V1}/me", headers=bearer)).json["name"] == "Zoë"
    assert send(town, "nobody", "POST", "/ticket/use", form).status == 404, "it works once"
    number = get(town, "admin", "/admin/people?words=zo").json["items"][0]["id"]
    assert send(town, "admin", "DELETE", f"/admin/people/{number}?sure=Zo").status == 400
    assert send(town, "admin", "DELETE", f"/admin/people/{number}?sure=Zo%C3%AB").status == 204
    assert finished(town.ask("nobody", "GET", f"{V1}/me", headers=bearer)).status == 401


def test_a_bot_is_uploaded_as_several_files(town: Town) -> None:
    files = {"bot/main.py": "print('here')\n", "bot/words.txt": "one\n"}
    page = finished(
        town.ask("token:rival", "POST", f"{V1}/bots", upload({"game": GAME, "name": "Fly"}, files), MULTIPART)
    )
    assert page.status == 201, page.text
    assert (page.json["number"], page.json["known"]) == (1, False)
    assert page.json["words"] == "version 1 is uploaded, and is built next"


def upload(fields: Mapping[str, str], files: Mapping[str, str]) -> bytes:
    lines = []
    for name, said in fields.items():
        lines += [f"--{BOUNDARY}", f'Content-Disposition: form-data; name="{name}"', "", said]
    for name, said in files.items():
        lines += [f"--{BOUNDARY}", f'Content-Disposition: form-data; name="files"; filename="{name}"', "", said]
    return "\r\n".join([*lines, f"--{BOUNDARY}--", ""]).encode()


# What happens


def test_everybody_hears_what_they_may_know_and_in_order(town: Town) -> None:
    def kinds(who: str, query: str = "") -> list[str]:
        page = get(town, who, f"/events?limit=1000{query}")
        assert page.headers["content-type"] == "application/x-ndjson"
        told = [json.loads(line) for line in page.text.splitlines()]
        assert [event["number"] for event in told] == sorted({event["number"] for event in told})
        return [event["kind"] for event in told]

    everything = kinds("admin")
    assert set(kinds("nobody")) < set(kinds("owner")) < set(everything)
    assert "version.unbuilt" in kinds("owner")
    assert "version.unbuilt" not in kinds("rival")
    assert kinds("token:play") == kinds("nobody"), "a token that is not good for reading"
    assert kinds("admin", "&after=10") == everything[10:]
    assert set(kinds("admin", "&kinds=ladder.opened&kinds=bot.made")) == {"ladder.opened", "bot.made"}


def happen(town: Town, kind: str, **options: Any) -> None:
    with town.yard.database.writing() as connection:
        note_event(connection, town.hands.now_ms, kind, "test/1", **options)


def test_events_are_followed_as_they_come(town: Town) -> None:
    last = len(get(town, "admin", "/events?limit=1000").text.splitlines())

    async def follow() -> list[dict[str, Any]]:
        told = b""
        browser = Browser(town.app)
        said = {"host": "localhost:8000", **town.visitors["owner"].headers}
        gone = asyncio.Event()
        asked = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> dict[str, Any]:
            if not asked:
                await gone.wait()
            return asked.pop() if asked else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal told
            told += message.get("body", b"")

        scope = browser.scope("http", f"{V1}/events?follow=true&after={last}", said, method="GET")
        answer = asyncio.ensure_future(town.app(scope, receive, send))
        await asyncio.to_thread(happen, town, "test.public", public=True)
        await until(lambda: b"test.public" in told)
        await asyncio.to_thread(happen, town, "test.rivals", concerns=town.people["Rita"].id)
        await asyncio.to_thread(happen, town, "test.own", concerns=town.people["Olga"].id)
        await until(lambda: b"test.own" in told)
        gone.set()
        await soon(answer)
        return [json.loads(line) for line in told.splitlines()]

    assert [event["kind"] for event in finished(follow())] == ["test.public", "test.own"]


def test_a_socket_tells_events_as_they_come(town: Town) -> None:
    async def listen() -> list[str]:
        heard: list[Any] = []
        coming: asyncio.Queue[Any] = asyncio.Queue()
        coming.put_nowait({"type": "websocket.connect"})
        scope = Browser(town.app).scope("websocket", f"{V1}/live", {"host": "localhost:8000"})

        async def hear(message: Any) -> None:
            heard.append(message)

        answer = asyncio.ensure_future(town.app(scope, coming.get, hear))
        await until(lambda: heard)
        await asyncio.to_thread(happen, town, "test.private", concerns=town.people["Olga"].id)
        await asyncio.to_thread(happen, town, "test.public", public=True)
        await until(lambda: len(heard) > 1)
        coming.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await soon(answer)
        return [json.loads(message["text"])["kind"] for message in heard if message["type"] == "websocket.send"]

    assert finished(listen()) == ["test.public"]
    assert Browser(town.app).socket(f"{V1}/live?match=99") == "404"
    assert Browser(town.app).socket(f"{V1}/live?after=-1") == "400"


# What is looked at


def test_a_board_is_told_as_text(town: Town) -> None:
    first, last = (get(town, "nobody", f"/matches/{town.places['match']}/board?tick={tick}") for tick in (0, 1 << 62))
    assert (first.status, first.json["tick"], last.json["tick"]) == (200, 0, first.json["last"])
    assert all(first.json[part] for part in ("rows", "headline", "seats", "legend"))
    assert first.json["rows"] != last.json["rows"]
    assert get(town, "nobody", f"/matches/{town.places['running']}/board").status == 404


def test_a_file_that_somebody_brings_becomes_a_film_and_is_not_kept(town: Town) -> None:
    replay = played_game(GAME, 5).replay.to_bytes()
    page = finished(town.ask("nobody", "POST", f"{V1}/view", file_form("my.replay", replay), MULTIPART))
    assert (page.status, page.json["name"], page.json["game"], len(page.json["games"])) == (200, "my.replay", 0, 1)
    assert page.json["film"]["head"]["game"] == GAME
    assert page.json["film"]["blocks"]
    for query, content, status in (("?game=1", replay, 404), ("?seat=99", replay, 404), ("", b"hello", 400)):
        page = finished(town.ask("nobody", "POST", f"{V1}/view{query}", file_form("it", content), MULTIPART))
        assert (page.status, page.headers["content-type"]) == (status, "application/problem+json")


def file_form(name: str, content: bytes) -> bytes:
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    return head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


def test_a_seat_by_hand_is_its_persons_alone(town: Town) -> None:
    seat = f"{V1}/matches/{town.places['running']}/seats/0"
    for who, status in (("nobody", "401"), ("token:read", "403"), ("token:play", "403")):
        assert Browser(town.app).socket(seat, **town.visitors[who].headers) == status, who
    far = f"{V1}/matches/{1 << 70}/seats/{1 << 70}"
    assert Browser(town.app).socket(far, **town.visitors["token:play"].headers) == "404"


# Where it lies


def test_fastapi_is_loaded_by_the_server_alone() -> None:
    users = {"fastapi": set[str](), "botyard.yard.api": set[str](), "botyard.yard.serving": set[str]()}
    for module in SOURCE.rglob("*.py"):
        text = module.read_text()
        for name, found in users.items():
            if f"from {name}" in text or f"import {name}" in text:
                found.add(str(module.relative_to(SOURCE)).rpartition("/")[0] + "/" + module.name)
    assert all(path.startswith("yard/api/") for path in users["fastapi"])
    assert {path for path in users["botyard.yard.api"] if not path.startswith("yard/api/")} == {"yard/serving.py"}
    assert users["botyard.yard.serving"] == {"cli/serve.py"}
    assert "\nfrom botyard.yard.serving" not in (SOURCE / "cli" / "serve.py").read_text(), "only when it is called"
