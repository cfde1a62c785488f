"""What pages show beside the tables: files, games, starters, languages, files that visitors bring, live matches."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp

from botyard.contest.messages import Sign
from botyard.games import OWN_GAMES, load
from botyard.games.starters import all_starters
from botyard.jail.manifest import manifest_of
from botyard.jail.threads import in_thread
from botyard.links.bot_spec import read_bot_spec
from botyard.links.viewing.sockets import FULL
from botyard.yard.caller import Caller
from botyard.yard.site import Yard
from botyard.yard.web.app import PageServer
from botyard.yard.web.files import address_of, web_files
from botyard.yard.web.guides import starter_zip
from botyard.yard.web.pages import matches, show, status
from botyard.yard.web.spectators import Spectators
from botyard.yard.work.live import LiveMatches, orders_in
from botyard.yard.work.matches import MatchPlayer, MatchWork
from tests.waiting import finished, soon, until
from tests.yard.browsing import Client
from tests.yard.living import LivingYard, played_game
from tests.yard.test_pages import MANY, TWO, check_page, new_yard, pages_of


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    yard = new_yard(tmp_path_factory.mktemp("yard"))
    yield yard
    yard.close()


# Files


def test_files_are_kept_for_good_and_asked_for_by_what_is_in_them(yard: Yard) -> None:
    client = Client(pages_of(yard))
    lasting = client.get(address_of("yard.css"), {"Accept-Encoding": "gzip"})
    assert "immutable" in lasting.headers["cache-control"]
    assert lasting.headers["content-encoding"] == "gzip"
    plain = client.get("/show/web/viewer.js")
    assert plain.headers["content-type"].startswith("text/javascript")
    assert client.get("/show/web/viewer.js", {"If-None-Match": plain.headers["etag"]}).status == 304
    assert "immutable" not in client.get("/static/other/yard.css").headers["cache-control"]
    assert client.get("/static/../app.py").status == client.get("/static/nix.css").status == 404


def test_a_page_with_all_it_loads_is_small(yard: Yard) -> None:
    loaded = ("yard.css", "yard.js", "viewer.css", "turns.css", "mark.svg")
    modules = [name for name in web_files() if name.endswith(".js")]
    assert sum(len(web_files()[name].packed) for name in {*loaded, *modules}) < 70_000


# Games


def test_the_page_of_a_game_has_rules_and_a_real_exchange(yard: Yard) -> None:
    async def look() -> str:
        client = Client(pages_of(yard))
        await until_said(client, f"/games/{TWO}")
        return (await client.ask("GET", f"/games/{TWO}")).text

    text = finished(look())
    assert "Botyard says" in text
    assert "bot says" in text
    assert "The protocol</h3>" in text
    assert "Codes and numbers" not in text, "what learners sense is for those who have the library"


async def until_said(client: Client, address: str) -> None:
    """Asks for a page until the starter on it has been heard."""
    for _ in range(30):
        if "being listened to" not in (await client.ask("GET", address)).text:
            return
    raise AssertionError("the starter says nothing")


@pytest.mark.parametrize(
    "game", [game if game in (TWO, MANY) else pytest.param(game, marks=pytest.mark.long) for game in OWN_GAMES]
)
def test_the_page_of_every_game_is_small_and_sound(yard: Yard, game: str) -> None:
    page = check_page(Client(pages_of(yard)), f"/games/{game}")
    assert page.tags["svg"] > 3, "its tiles are drawn"
    for link in ("python.zip", "#rules"):
        assert any(address.endswith(link) for address in page.links)


def test_a_demonstration_is_filmed(yard: Yard) -> None:
    answer = Client(pages_of(yard)).get(f"/games/{TWO}/film/0")
    assert json.loads(answer.body)["head"]["game"] == TWO
    assert Client(pages_of(yard)).get(f"/games/{TWO}/film/0/block/99999").status == 404


@pytest.mark.parametrize("starter", all_starters(), ids=lambda starter: f"{starter.game}-{starter.language}")
def test_a_starter_is_the_same_zip_every_time_and_a_bot(starter: Any, tmp_path: Path) -> None:
    packed = starter_zip(starter.game, starter.language)
    assert packed == starter_zip(starter.game, starter.language)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / f"{starter.game}-{starter.language}"
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) == starter.files
    assert manifest_of(folder).language == starter.language


def test_a_starter_from_its_zip_builds(tmp_path: Path) -> None:
    compiled = next(starter for starter in all_starters() if starter.language == "c")
    with zipfile.ZipFile(io.BytesIO(starter_zip(compiled.game, "c"))) as archive:
        archive.extractall(tmp_path)
    bot = read_bot_spec(f"dir:{tmp_path / f'{compiled.game}-c'}", load(compiled.game))
    assert finished(bot.build()) is None


def test_languages_are_those_of_this_machine(yard: Yard) -> None:
    text = Client(pages_of(yard)).get("/languages").text
    assert "Python 3." in text
    assert "main.py" in text


def test_with_no_worker_the_status_says_so(tmp_path: Path) -> None:
    yard = new_yard(tmp_path)
    app = PageServer(yard, OneWhoPlays()).app(status.PAGES)  # type: ignore[arg-type]
    assert "No worker takes tasks: all of them are stopped" in Client(app).get("/status").text
    assert Client(app).get("/health").status == 503
    LivingYard(yard).open(TWO)
    assert "All is well" in Client(app).get("/status").text
    told = json.loads(Client(app).get("/health").body)
    assert (told["ok"], told["workers"]) == (True, 1)
    assert Client(pages_of(yard)).get("/health").status == 503, "nobody hands out work"
    yard.close()


# Files that visitors bring


def form_with(name: str, content: bytes) -> tuple[dict[str, str], bytes]:
    head = f'--B\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    return {"Content-Type": "multipart/form-data; boundary=B"}, head + content + b"\r\n--B--\r\n"


def test_a_replay_can_be_brought_and_looked_at(yard: Yard) -> None:
    app = pages_of(yard)
    headers, body = form_with("../../<b>.replay", played_game(TWO, 5).replay.to_bytes())
    answer = Client(app).send("/view", headers, body)
    assert answer.status == 303, answer.text
    place = answer.headers["location"]
    page = check_page(Client(app), place)
    assert "<b>.replay" in "".join(page.words)
    assert json.loads(Client(app).get(f"{place}/film/0").body)["head"]["game"] == TWO
    assert Client(app).get(f"{place}/film/1").status == 404
    assert Client(app).get(f"{place}?game=1").status == 404


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (b"", 400, "No file came"),
        (b"hello", 400, "is no replay"),
        (b"\x1f\x8bgarbage", 400, "file"),
        (b"x" * (5 << 20), 413, "5 MiB"),
    ],
)
def test_what_cannot_be_shown_is_told_in_a_sentence(yard: Yard, content: bytes, status: int, said: str) -> None:
    answer = Client(pages_of(yard)).send("/view", *form_with("it", content))
    assert answer.status == status
    assert said in answer.text


# Live matches


class OneWhoPlays:
    """A steward, as far as pages see: matches that are being played."""

    pausing = False

    def __init__(self) -> None:
        self.live = LiveMatches(in_thread)


def work_for(match: int) -> MatchWork:
    replay = played_game(TWO, 5).replay
    settings = load(TWO).settings.read(replay.settings)
    players = tuple(MatchPlayer(f"bot {place}", house="any") for place in range(len(replay.names)))
    return MatchWork(match, TWO, asdict(settings), replay.seed, players)


class WebSocketPage:
    """A page that opened a socket, in this process."""

    def __init__(self, app: ASGIApp, address: str, caller: Caller | None = None) -> None:
        self.heard: list[Any] = []
        self._coming: asyncio.Queue[Any] = asyncio.Queue()
        self._coming.put_nowait({"type": "websocket.connect"})
        scope = {
            "type": "websocket", "path": address, "root_path": "", "query_string": b"", "headers": [], "scheme": "ws",
            "subprotocols": [], "state": {"caller": caller or Caller()}, "extensions": {"websocket.http.response": {}},
        }  # fmt: skip
        self.task: asyncio.Task[None] = asyncio.create_task(app(scope, self._coming.get, self._hear))  # type: ignore[arg-type]

    async def _hear(self, message: Any) -> None:
        self.heard.append(message)

    def texts(self) -> list[Any]:
        return [json.loads(message["text"]) for message in self.heard if message["type"] == "websocket.send"]

    async def leave(self) -> None:
        self._coming.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await soon(self.task)


def live_yard(folder: Path) -> tuple[ASGIApp, OneWhoPlays, int]:
    living = LivingYard(new_yard(folder))
    living.open(TWO)
    for name in ("Ada", "Bob"):
        living.bot(living.person(name), TWO, f"bot of {name}")
    match = living.ask(TWO, "bot of Ada", "bot of Bob")[0]
    living.begin(match)
    steward = OneWhoPlays()
    server = PageServer(living.yard, steward)  # type: ignore[arg-type]
    server.showroom.spectators = Spectators(most_of_one=3)
    return server.app([*matches.PAGES, *show.PAGES], show.SOCKETS), steward, match


def test_a_match_is_seen_while_it_is_played(tmp_path: Path) -> None:
    app, steward, match = live_yard(tmp_path)

    async def watch() -> None:
        ticks = played_game(TWO, 5).replay.ticks
        steward.live.begin(work_for(match))
        assert 'data-live="yes"' in (await Client(app).ask("GET", f"/matches/{match}")).text
        page = WebSocketPage(app, f"/show/live/{match}")
        await until(page.texts)
        assert sorted(page.texts()[0]["head"]["names"]) == ["bot 0", "bot 1"]
        assert (await Client(app).ask("GET", f"/show/film/{match}/block/0")).status == 200
        assert (await Client(app).ask("GET", f"/show/film/{match}/block/9999")).status == 404
        played = tuple(orders_in(entries) for entries in ticks[:3])
        steward.live.hear(match, Sign(match, 3, played=played))
        steward.live.end(match, ticks)
        await soon(page.task)
        assert page.texts()[-1]["head"]["last"] == len(ticks)
        assert page.texts()[-1]["head"]["outcome"] is None, "the other half has the same seed"
        assert page.heard[-1]["type"] == "websocket.close"

    finished(watch())


def test_those_who_watch_are_bounded_and_a_match_that_is_not_played_is_not_there(tmp_path: Path) -> None:
    app, steward, match = live_yard(tmp_path)

    async def watch() -> None:
        nobody = WebSocketPage(app, f"/show/live/{match}")
        await soon(nobody.task)
        assert nobody.heard[0]["status"] == 404
        steward.live.begin(work_for(match))
        crowd = [WebSocketPage(app, f"/show/live/{match}") for _ in range(3)]
        await until(lambda: all(page.texts() for page in crowd))
        late = WebSocketPage(app, f"/show/live/{match}")
        await soon(late.task)
        assert late.heard[-1]["code"] == FULL
        for page in crowd:
            await page.leave()
        again = WebSocketPage(app, f"/show/live/{match}")
        await until(again.texts)
        await again.leave()

    finished(watch())
