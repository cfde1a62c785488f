"""Uploads through the pages: forms as browsers send them, and what is no such form."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping

import sqlalchemy as sa

from botyard.contest.executors.inline import Inline
from botyard.games import GAMES, load
from botyard.games.starters import starters_of
from botyard.yard.caller import Caller
from botyard.yard.config import LadderPlan
from botyard.yard.data.tables import BOT, TASK, VERSION
from botyard.yard.ladders.opening import open_ladders
from botyard.yard.site import Yard
from botyard.yard.web.app import PageServer
from botyard.yard.web.pages import bots, uploads, versions
from botyard.yard.web.receiving import AROUND_BYTES
from botyard.yard.work.steward import Steward
from tests.links.matches import short_match
from tests.waiting import PATIENCE_S, bounded, finished
from tests.yard.browsing import Client
from tests.yard.handing_in import GAME, add_person, zipped

PAGES = [*bots.PAGES, *uploads.PAGES, *versions.PAGES]
MAIN = b"print('up')\n"
BOUNDARY = "----form"
FORM = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


def form(fields: Mapping[str, str], files: Mapping[str, bytes], part: str = "file") -> bytes:
    """A form with files, as a browser sends it."""
    rows = [f'form-data; name="{name}"\r\n\r\n{value}'.encode() for name, value in fields.items()]
    for name, content in files.items():
        head = f'form-data; name="{part}"; filename="{name}"\r\nContent-Type: application/octet-stream\r\n\r\n'
        rows.append(head.encode() + content)
    body = b"".join(b"--" + BOUNDARY.encode() + b"\r\nContent-Disposition: " + row + b"\r\n" for row in rows)
    return body + f"--{BOUNDARY}--\r\n".encode()


def ada_in(yard: Yard) -> Client:
    with yard.database.writing() as connection:
        person = add_person(connection, "Ada")
    return Client(PageServer(yard).app(PAGES), Caller(person, "Ada"))


def versions_in(yard: Yard) -> int:
    with yard.database.reading() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(VERSION)).scalar_one())


def test_a_plain_form_uploads_a_bot_and_then_a_version_of_it(yard: Yard) -> None:
    ada = ada_in(yard)
    page = ada.get(f"/bots/new?game={GAME}").text
    assert 'enctype="multipart/form-data"' in page
    assert "8 MiB" in page
    assert f'<option value="{GAME}" selected>' in page
    empty = {"name": "Käfer", "game": GAME, "activate": "yes"}
    first = ada.send("/bots", FORM, form(empty, {"bot.zip": zipped({"wrap/main.py": MAIN}), "": b""}))
    assert (first.status, first.headers.get("location")) == (303, "/bots/1/versions/1"), first.text
    with yard.database.writing() as connection:
        assert connection.execute(sa.select(BOT.c.name, VERSION.c.activate).join(VERSION)).one() == ("Käfer", 1)
        connection.execute(sa.update(VERSION).values(state="fit"))
    again = ada.send("/bots/1/versions", FORM, form({}, {"folder/main.py": MAIN, "folder/.git/x": b"x"}, "folder"))
    assert again.headers["location"] == "/bots/1/versions/1?known=yes", "the same files are the same version"
    assert "This is version 1 already" in ada.get(again.headers["location"]).text
    assert versions_in(yard) == 1


def test_a_module_is_answered_in_json(one_yard: Yard) -> None:
    ada = ada_in(one_yard)
    asking = {**FORM, "Accept": "application/json"}
    refused = ada.send("/bots", asking, form({"game": GAME, "name": "Ant"}, {"notes.txt": b"later", "b.txt": b""}))
    assert refused.status == 400
    assert json.loads(refused.body)["hint"]
    accepted = ada.send("/bots", asking, form({"game": GAME, "name": "Ant"}, {"main.py": MAIN}))
    assert json.loads(accepted.body)["to"] == "/bots/1/versions/1"
    too_many = ada.send("/bots", asking, form({"game": GAME, "name": "Bee"}, {"main.py": MAIN}))
    assert (too_many.status, "is at work" in too_many.text) == (429, True)
    assert int(too_many.headers["retry-after"]) > 0


WHOLE = form({"game": GAME, "name": "Ant"}, {"main.py": MAIN})
BROKEN = {
    "half a form": (FORM, WHOLE[:-30], 400, "ended before it was complete"),
    "no form": ({"Content-Type": "text/plain"}, b"hello", 400, "cannot be read"),
    "no boundary": ({"Content-Type": "multipart/form-data"}, WHOLE, 400, "cannot be read"),
    "no file": (FORM, form({"game": GAME}, {}), 400, "No file came"),
    "no game": (FORM, form({"name": "Ant"}, {"main.py": MAIN}), 400, "No game was chosen"),
    "a name that nobody can read": (
        FORM, form({"game": GAME, "name": "a\u202eb"}, {"main.py": MAIN}), 400, "The name of the bot"
    ),
    "a length that is a lie": ({**FORM, "content-length": str(1 << 40)}, b"", 413, "larger than 8 MiB"),
    "more than is allowed": (FORM, form({}, {"a.py": bytes(8 << 20), "b.py": b"x"}), 413, "larger than 8 MiB"),
    "a field without an end": (FORM, form({"name": "x" * 20_000}, {}), 400, "more than 16 KiB"),
    "fields without an end": (FORM, form({str(n): "" for n in range(60)}, {}), 400, "more than 50 fields"),
    "a path without an end": (FORM, form({}, {"a/" * 700: MAIN}), 400, "is too long"),
    "files without an end": (FORM, form({}, {str(n): b"" for n in range(10_001)}), 413, "than 10000 files"),
    "nothing but boundaries": (
        {**FORM, "content-length": "5"}, b"--" + BOUNDARY.encode() + bytes((8 << 20) + AROUND_BYTES), 413, "larger"
    ),
}  # fmt: skip


def test_what_is_no_upload_is_refused_with_a_sentence_and_keeps_nothing(one_yard: Yard) -> None:
    ada = ada_in(one_yard)
    for what, (headers, body, status, words) in BROKEN.items():
        reply = ada.send("/bots", headers, body)
        assert (reply.status, words in reply.text) == (status, True), f"{what}: {reply.status} {reply.text[-2000:]}"
        assert 'role="alert"' in reply.text
    assert versions_in(one_yard) == 0
    assert not list((one_yard.config.folder / "incoming").iterdir()), "nothing is left on the disk"


def test_an_upload_is_built_checked_and_plays_while_its_page_tells_how_far_it_is(one_yard: Yard) -> None:
    """The whole way, with a steward and a worker, as a person goes it in a browser."""
    yard = one_yard
    game = min(GAMES, key=lambda game: (load(game).facts.link != "process", game))
    with yard.database.writing() as connection:
        person = add_person(connection, "Ada")
        open_ladders(connection, (LadderPlan("first", game, settings=short_match(game), predictable=True),), 1)
    folder = next(starter.folder for starter in starters_of(game) if starter.language == "python")
    files = {f"mine/{path.name}": path.read_bytes() for path in folder.iterdir() if path.is_file()}

    async def upload_and_wait() -> tuple[list[str], str]:
        steward = Steward(yard, Inline)
        client = Client(PageServer(yard, steward).app(PAGES), Caller(person, "Ada"))
        serving = asyncio.create_task(steward.run())
        body = form({"game": game, "name": "Ant", "activate": "yes"}, files, "folder")
        reply = await client.ask("POST", "/bots", FORM, body)
        seen: list[str] = []
        at, log = 0, ""
        async with bounded(PATIENCE_S, "it is not fit"):
            while not seen or seen[-1] not in ("fit", "unbuilt", "unfit"):
                told = json.loads((await client.ask("GET", f"{reply.headers['location']}/progress?at={at}")).body)
                at, log = told["at"], log + told["text"]
                seen += [told["state"]] if seen[-1:] != [told["state"]] else []
                await asyncio.sleep(0.02)
        page = (await client.ask("GET", "/bots/1")).text
        steward.end()
        await serving
        assert log.endswith("built\n"), log
        return seen, page

    seen, page = finished(upload_and_wait())
    assert seen[-1] == "fit"
    assert "settling" in page
    with yard.database.reading() as connection:
        assert connection.scalars(sa.select(TASK.c.state).where(TASK.c.version.is_not(None))).all() == [
            "ended",
            "ended",
        ]
