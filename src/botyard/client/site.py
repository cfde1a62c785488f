"""A site as a program speaks to it: JSON, files and streams of lines over HTTP, everything within bounds.

Certificates are checked, no redirection is followed (a token must not go to another host), every wait has a limit, and
what comes back is read up to a bound. A refusal is told as the site told it, with its hint. What only reads is asked
again if the site cannot be reached, and whoever is told to wait a little, waits.
"""

from __future__ import annotations

import http.client
import json
import secrets
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any
from urllib.parse import quote, urlencode, urlsplit

from botyard import __version__
from botyard.kernel.bounded import json_of, size_text
from botyard.kernel.errors import YardError
from botyard.kernel.plain import clean

API = "/api/v1"
TIMEOUT_S = 30.0
QUIET_S = 60.0  # of a stream, which says something every 20 s
ANSWER_MAX = 16 << 20
LINE_MAX = 1 << 20
PROBLEM_MAX = 64 << 10
TRIES = 3
PAUSE_S = 1.0  # before the second try, and twice that before the third
LONGEST_PAUSE_S = 30.0  # that a site may ask for; whoever is to wait longer is told instead
PASSING = {429, 502, 503, 504}
CHUNK = 64 << 10

Said = Callable[[str], None]


class SiteAway(YardError):
    """The site cannot be reached, or did not answer."""


class SiteRefusal(YardError):
    """The site did not do what was asked, and said why."""

    def __init__(self, status: int, message: str, *, hint: str = "", again_s: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status, self.again_s = status, again_s


@dataclass(frozen=True, slots=True)
class Sent:
    """A file to be sent."""

    name: str
    content: IO[bytes]
    size: int


@dataclass(frozen=True, slots=True)
class Asking:
    """One request."""

    method: str
    address: str  # below that of the API
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | Callable[[], Iterator[bytes]] = b""
    quiet_s: float = TIMEOUT_S  # how long nothing may be heard


class Site:
    """One site, and the token that is sent to it."""

    def __init__(self, address: str, token: str = "", said: Said = lambda _: None) -> None:
        self.address, self._token, self._said = address, token, said
        parts = urlsplit(address)
        self._host, self._port, self._secure = parts.hostname or "", parts.port, parts.scheme == "https"

    @property
    def signed_in(self) -> bool:
        return bool(self._token)

    @property
    def token_header(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}"} if self._token else {}

    # What programs ask

    def get(self, *path: object, **query: Any) -> Any:
        """Returns what is told at an address of the API, given as its parts."""
        return json_of(self.fetch(*path, **query), f"the answer of {self.address}")

    def items(self, *path: object, **query: Any) -> Iterator[Any]:
        """Yields all items of a list, part by part."""
        cursor = None
        while True:
            part = self.get(*path, **query, **({} if cursor is None else {"cursor": cursor}))
            yield from part["items"]
            if (cursor := part.get("next")) is None:
                return

    def fetch(self, *path: object, most: int = ANSWER_MAX, **query: Any) -> bytes:
        """Returns what lies at an address, as bytes."""
        with self._answered(Asking("GET", address_of(path, query))) as answer:
            return read_all(answer, most)

    def post(self, *path: object, body: Any = None, method: str = "POST", own_page: bool = False) -> Any:
        """Has something done. `own_page` tells the site that the request is meant for it, where no token says so."""
        headers = {"Content-Type": "application/json", **({"Origin": self.address} if own_page else {})}
        sent = json.dumps(body).encode() if body is not None else b""
        with self._answered(Asking(method, address_of(path, {}), headers, sent)) as answer:
            raw = read_all(answer, ANSWER_MAX)
        return json_of(raw, f"the answer of {self.address}") if raw else None

    def delete(self, *path: object) -> None:
        self.post(*path, method="DELETE")

    def upload(self, *path: object, fields: Mapping[str, str], file: Sent, sent: Callable[[int], None]) -> Any:
        """Sends a form with a file, which is read while it is sent; `sent` hears how many bytes have gone."""
        boundary = secrets.token_hex(16)
        head = b"".join(form_field(boundary, name, value) for name, value in fields.items())
        head += file_head(boundary, file.name)
        tail = f"\r\n--{boundary}--\r\n".encode()
        headers = {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Content-Length": str(len(head) + file.size + len(tail)),
        }

        def body() -> Iterator[bytes]:
            file.content.seek(0)
            yield head
            while chunk := file.content.read(CHUNK):
                yield chunk
                sent(len(chunk))
            yield tail

        with self._answered(Asking("POST", address_of(path, {}), headers, body), tries=1) as answer:
            return json_of(read_all(answer, ANSWER_MAX), f"the answer of {self.address}")

    def lines(self, *path: object, **query: Any) -> Iterator[bytes]:
        """Yields the lines of an answer as they come; empty ones say that the site is still there."""
        with self._answered(Asking("GET", address_of(path, query), quiet_s=QUIET_S)) as answer:
            while line := answer.readline(LINE_MAX + 1):
                if len(line) > LINE_MAX:
                    raise YardError(f"{self.address} sends a line of more than {size_text(LINE_MAX)}")
                yield line.rstrip(b"\n")

    # One request

    @contextmanager
    def _answered(self, asking: Asking, *, tries: int = TRIES) -> Iterator[http.client.HTTPResponse]:
        """Gives an answer that is no refusal; reading it may fail because the site goes away."""
        connection, answer = self._with_patience(asking, tries)
        try:
            yield answer
        except (OSError, http.client.HTTPException) as error:
            raise away(self.address, error) from None
        finally:
            connection.close()

    def _with_patience(self, asking: Asking, tries: int) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Asks, and asks again as long as that may help and can do no harm."""
        for left in range(tries - 1, -1, -1):
            pause_s, reads = PAUSE_S * (tries - left), asking.method == "GET"
            try:
                return self._once(asking)
            except SiteAway as error:
                if not left or not reads:
                    raise
                self._said(f"{error.message}; trying again")
            except SiteRefusal as error:
                pause_s = max(pause_s, error.again_s or 0.0)
                harmless = reads or error.status == 429  # who is asked to wait was refused before anything was done
                if not left or error.status not in PASSING or not harmless or pause_s > LONGEST_PAUSE_S:
                    raise
                self._said(f"{error.message}; trying again in {pause_s:.0f} s")
            time.sleep(pause_s)
        raise AssertionError("the last try either answers or raises")

    def _once(self, asking: Asking) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        connection = self._connection(asking.quiet_s)
        headers = {"User-Agent": f"botyard/{__version__}", "Accept": "*/*", **self.token_header, **asking.headers}
        try:
            try:
                sent = asking.body if isinstance(asking.body, bytes) else asking.body()
                connection.request(asking.method, f"{API}/{asking.address}", sent or None, headers)
            except (BrokenPipeError, ConnectionResetError):
                pass  # whoever refuses a large upload does not read it to its end, and has answered
            answer = connection.getresponse()
            if answer.status >= 300:
                raise refusal_of(self.address, answer)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise away(self.address, error) from None
        except BaseException:
            connection.close()
            raise
        return connection, answer

    def _connection(self, quiet_s: float) -> http.client.HTTPConnection:
        if not self._secure:
            return http.client.HTTPConnection(self._host, self._port, timeout=quiet_s)
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(self._host, self._port, timeout=quiet_s, context=context)


def address_of(path: tuple[object, ...], query: Mapping[str, Any]) -> str:
    """Returns an address below that of the API: every part of it quoted, whatever it holds."""
    asked = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()}
    words = urlencode({name: value for name, value in asked.items() if value not in (None, "")}, doseq=True)
    return "/".join(quote(str(part), safe="") for part in path) + (f"?{words}" if words else "")


def form_field(boundary: str, name: str, value: str) -> bytes:
    return f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()


def file_head(boundary: str, name: str) -> bytes:
    shown = clean(name).replace("\\", "_").replace('"', "_")
    return (
        f'--{boundary}\r\nContent-Disposition: form-data; name="files"; filename="{shown}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    ).encode()


def read_all(answer: http.client.HTTPResponse, most: int) -> bytes:
    raw = answer.read(most + 1)
    if len(raw) > most:
        raise YardError(f"the site sends more than {size_text(most)}", hint="nothing that Botyard asks for is so large")
    if answer.length:  # what was announced and did not come
        raise http.client.IncompleteRead(raw, answer.length)
    return raw


# What goes wrong


def away(address: str, error: Exception) -> SiteAway:
    """Returns the error for a site that did not answer."""
    if isinstance(error, ssl.SSLCertVerificationError):
        hint = f"its certificate is not good: {error.verify_message}; set SSL_CERT_FILE if you trust another authority"
        return SiteAway(f"{address} cannot be trusted", hint=hint)
    if isinstance(error, ssl.SSLError):
        return SiteAway(f"{address} speaks no TLS", hint="is it http:// instead of https://?")
    if isinstance(error, TimeoutError):
        return SiteAway(f"{address} does not answer", hint="try again later; is the address right?")
    words = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return SiteAway(f"{address} cannot be reached", hint=f"{words}; is the address right, and the site running?")


def refusal_of(address: str, answer: http.client.HTTPResponse) -> YardError:
    """Returns the error that a site answered with."""
    if answer.status < 400:
        moved = clean(answer.getheader("Location", ""))[:200]
        return YardError(f"{address} sends us elsewhere", hint=f"name the site by its right address: {moved}")
    raw = answer.read(PROBLEM_MAX)
    if not (answer.getheader("Content-Type") or "").startswith("application/problem+json"):
        hint = "is this the address of a Botyard site?" if answer.status == 404 else "what answers there may be a proxy"
        return SiteRefusal(answer.status, f"{address} answers with status {answer.status}", hint=hint)
    try:
        told = json_of(raw, "the answer")
        title, detail = str(told["title"]), str(told.get("detail", ""))
    except (YardError, KeyError, TypeError, AttributeError):
        title, detail = f"{address} answers with status {answer.status}", ""
    if answer.status == 401:
        detail = f"run botyard login {address}"
    return SiteRefusal(answer.status, title, hint=detail, again_s=seconds_in(answer.getheader("Retry-After")))


def seconds_in(text: str | None) -> float | None:
    return float(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else None
