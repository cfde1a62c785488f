"""How a client speaks to a site that answers in every way but the right one: bounds, patience, and plain words."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from typing import Any

import pytest

from botyard.client.events import follow_events
from botyard.client.films import checked_block, checked_head
from botyard.client.site import Sent, Site, SiteAway, SiteRefusal
from botyard.kernel.bounded import json_of
from botyard.kernel.errors import YardError
from tests.waiting import joined

Handler = Callable[[BaseHTTPRequestHandler], None]
PROBLEM = "application/problem+json"


@contextmanager
def answering(*answers: Handler) -> Iterator[tuple[str, list[str]]]:
    """A server that gives one answer after another, the last one for ever; and what it was asked."""
    asked: list[str] = []

    class OneByOne(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            asked.append(f"{self.command} {self.path} {self.headers.get('Authorization', '')}".rstrip())
            answers[min(len(asked), len(answers)) - 1](self)

        def __getattr__(self, name: str) -> object:
            if name.startswith("do_"):
                return self._answer
            raise AttributeError(name)

        def log_message(self, format: str, *args: object) -> None:
            """Nobody wants to read that."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), OneByOne)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        joined(thread)


def saying(status: int, body: bytes = b"{}", kind: str = "application/json", **headers: str) -> Handler:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        told = {"Content-Type": kind, "Content-Length": str(len(body))}
        for name, value in (told | {key.replace("_", "-"): value for key, value in headers.items()}).items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def problem(status: int, title: str, detail: str = "", **headers: str) -> Handler:
    return saying(status, json.dumps({"title": title, "status": status, "detail": detail}).encode(), PROBLEM, **headers)


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the client waited, which takes no time here."""
    waited: list[float] = []
    monkeypatch.setattr("botyard.client.site.time.sleep", waited.append)
    return waited


def test_a_refusal_is_told_with_its_hint() -> None:
    with answering(problem(409, "there is a bot Ant", "choose another name")) as (address, asked):
        with pytest.raises(SiteRefusal, match="there is a bot Ant: choose another name"):
            Site(address, "botyard_t").get("bots", "a b/c", words="ü&", limit=3, follow=True, cursor=None)
        assert asked == ["GET /api/v1/bots/a%20b%2Fc?words=%C3%BC%26&limit=3&follow=true Bearer botyard_t"]


def test_who_is_asked_to_wait_a_little_waits(pauses: list[float]) -> None:
    said: list[str] = []
    with answering(problem(429, "too many", Retry_After="7"), saying(200, b'{"a": 1}')) as (address, asked):
        assert Site(address, said=said.append).post("x", body={}) == {"a": 1}
        assert pauses == [7.0]
        assert said == ["too many; trying again in 7 s"]
        assert len(asked) == 2


def test_who_is_asked_to_wait_for_hours_is_told(pauses: list[float]) -> None:
    with answering(problem(429, "20 uploads a day", Retry_After="7000")) as (address, _):
        with pytest.raises(SiteRefusal, match="20 uploads a day"):
            Site(address).post("bots")
        assert pauses == []


def test_only_what_reads_is_asked_again_when_the_site_is_away(pauses: list[float]) -> None:
    with answering(saying(503)) as (address, asked):
        with pytest.raises(SiteRefusal, match="status 503"):
            Site(address).post("bots", body={})
        assert len(asked) == 1
        with pytest.raises(SiteRefusal):
            Site(address).get("bots")
        assert len(asked) == 4
        assert pauses == [1.0, 2.0]


def test_no_redirection_is_followed_because_a_token_is_for_one_host() -> None:
    with answering(saying(302, Location="https://elsewhere.example/")) as (address, asked):
        with pytest.raises(YardError, match=r"elsewhere: .*https://elsewhere.example/"):
            Site(address, "botyard_t").get("me")
        assert len(asked) == 1


def cut_short(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(b'{"a": 1}')


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (saying(200, b"<html>", "text/html"), "the answer of http"),
        (saying(404, b"<html>", "text/html"), "is this the address of a Botyard site"),
        (saying(200, b"x" * 2000), "sends more than 1 KiB"),
        (saying(200, b"[" * 1000), "the answer of http"),
        (cut_short, "cannot be reached"),
        (saying(400, b"\xff\xfe", PROBLEM), "answers with status 400"),
        (saying(400, b"[]", PROBLEM), "answers with status 400"),
    ],
)
def test_what_no_site_answers_is_an_error_in_words(answer: Handler, words: str) -> None:
    with answering(answer) as (address, _), pytest.raises(YardError, match=words):
        json_of(Site(address).fetch("x", most=1024), f"the answer of {address}")


def test_a_site_that_is_not_there_and_one_without_tls_say_so() -> None:
    with answering(saying(200)) as (address, _), pytest.raises(SiteAway, match="speaks no TLS"):
        Site(address.replace("http:", "https:")).get("x")
    with pytest.raises(SiteAway, match="cannot be reached"):
        Site(address).get("x")


def test_an_upload_is_one_form_and_its_progress_is_told() -> None:
    came: list[bytes] = []

    def take(request: BaseHTTPRequestHandler) -> None:
        came.append(request.rfile.read(int(request.headers["Content-Length"])))
        saying(201, b'{"bot": 1}')(request)

    content, told = b"x" * 100_000, list[int]()
    with answering(take) as (address, _):
        file = Sent('we"ird\nname.zip', io.BytesIO(content), len(content))
        answer = Site(address).upload("bots", fields={"game": "g"}, file=file, sent=told.append)
    assert answer == {"bot": 1}
    assert sum(told) == len(content)
    assert content in came[0]
    assert b'filename="we_ird\xc2\xb7name.zip"' in came[0]
    assert came[0].endswith(b"--\r\n")


def lines(*numbers: int) -> Handler:
    return saying(200, b"".join(json.dumps({"number": one}).encode() + b"\n\n" for one in numbers))


def test_events_go_on_after_the_last_number_when_the_line_breaks() -> None:
    said: list[str] = []
    answers = lines(3, 4), saying(502), saying(502), saying(502), lines(5)
    with answering(*answers) as (address, asked):
        following = follow_events(Site(address), -2, said=said.append, pause=lambda _: None)
        assert [event["number"] for event in islice(following, 3)] == [3, 4, 5]
        following.close()
        assert [one.partition("after=")[2].partition("&")[0] for one in asked] == ["-2", "4", "4", "4", "4"]
    assert said
    with answering(problem(403, "not for you")) as (address, _), pytest.raises(SiteRefusal):
        next(follow_events(Site(address), 0))


def test_a_film_that_is_none_is_refused() -> None:
    heads: list[Any] = [{}, [], {"rows": 10**9, "cols": 10**9, "format": "botyard-film", "palette": [1], "names": []}]
    for head in heads:
        with pytest.raises(YardError, match="film"):
            checked_head(head)
    for grid in ([1, -4], [1, 10**12], "x", [1, 5]):
        with pytest.raises(YardError, match="block"):
            checked_block((2, 2), {"at": 0, "grid": grid, "pieces": [], "words": 0, "ticks": []})
