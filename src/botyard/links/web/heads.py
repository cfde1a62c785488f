"""The head of a request, read more strictly than h11 does: what two readers could understand differently is refused.

h11 is generous where old clients were careless: it takes line feeds alone, folded lines, equal lengths twice, a length
beside chunks, and a head of any size that comes in one piece. Whoever stands between a client and us may read such a
request differently, and all of it costs time. Here a head is whole, small and plain before h11 sees any of it.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from typing import Any

import h11

HEAD_BYTES = 16 * 1024
LINE_BYTES = 8 * 1024  # the readers of WebSocket handshakes take no longer ones
MOST_LINES = 100

END = b"\r\n\r\n"
TOKEN = rb"[-!#$%&'*+.^_`|~0-9A-Za-z]"
REQUEST_LINE = re.compile(rb"(%s{1,20}) (/[\x21-\x7e]*) HTTP/1\.([01])" % TOKEN)
PLAIN = bytes(range(0x20, 0x7F))
HEADER_LINE = re.compile(rb"(%s{1,100}):[ \t]*([\x20-\x7e\x80-\xff\t]*)" % TOKEN)
LENGTH = re.compile(rb"[0-9]{1,18}")
HOST = re.compile(rb"(?:[-._~0-9A-Za-z]{1,255}|\[([0-9A-Fa-f:.]{2,45})\])(?::([0-9]{1,5}))?")
LAST_PORT = 65535
BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
OPAQUE = b"cookie"  # browsers send those of other programs on this host along; nobody here reads them


class Refused(h11.RemoteProtocolError):
    """A request that is answered with this status and sentence, and is the last on its connection."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence, error_status_hint=status)


def check_head(given: bytes) -> None:
    """Refuses the head these bytes begin with; one that has not come completely passes if it still can become one."""
    end = given.find(END)
    line, found, _ = given.partition(b"\r\n")
    if not found and (line.startswith(b" ") or line.removesuffix(b"\r").translate(None, PLAIN)):
        raise Refused(400, "this is not an HTTP request")
    if len(line) > LINE_BYTES:
        raise Refused(414, f"the first line has more than {LINE_BYTES} bytes")
    if found and not REQUEST_LINE.fullmatch(line):
        raise Refused(400, "the first line must be METHOD /PATH HTTP/1.1")
    if (len(given) if end < 0 else end + len(END)) > HEAD_BYTES:
        raise Refused(431, f"the headers have more than {HEAD_BYTES} bytes")
    if given.count(b"\r\n", 0, end if end >= 0 else max(len(given) - len(END), 0)) > MOST_LINES:
        raise Refused(431, f"there are more than {MOST_LINES} headers")
    if end >= 0:
        check_headers(line, given[:end].split(b"\r\n")[1:])
    elif given.count(b"\n") != given.count(b"\r\n"):
        raise Refused(400, "lines must end with carriage return and line feed")


def check_headers(line: bytes, lines: list[bytes]) -> None:
    """A complete head, line by line, and then whether its headers agree."""
    fields: dict[bytes, list[bytes]] = {}
    for each in lines:
        header = HEADER_LINE.fullmatch(each)
        if header is None:
            raise Refused(400, "a header must be NAME: VALUE on one line, without control characters")
        if len(each) > LINE_BYTES:
            raise Refused(431, f"a header has more than {LINE_BYTES} bytes")
        name, value = header[1].lower(), header[2].strip(b" \t")
        if name != OPAQUE and BEYOND_ASCII.search(value):
            raise Refused(400, f"the header {name.decode()} has bytes beyond ASCII")
        fields.setdefault(name, []).append(value)
    request = REQUEST_LINE.fullmatch(line)
    assert request is not None, "checked before"
    check_host(fields.get(b"host", []), needed=request[3] == b"1")
    check_framing(fields, modern=request[3] == b"1")
    if b"websocket" in (value.lower() for value in fields.get(b"upgrade", [])):
        check_upgrade(fields, plain=request[1] == b"GET" and request[3] == b"1")


def check_host(hosts: list[bytes], needed: bool) -> None:
    if len(hosts) > 1 or (needed and not hosts) or not all(map(is_host, hosts)):
        raise Refused(400, "there must be one header Host: NAME or NAME:PORT")


def is_host(value: bytes) -> bool:
    """A name or number and perhaps a port. Addresses are made of it, and Python's reader of addresses is strict."""
    found = HOST.fullmatch(value)
    if found is None or int(found[2] or 0) > LAST_PORT:
        return False
    try:
        return found[1] is None or bool(ipaddress.IPv6Address(found[1].decode()))
    except ValueError:
        return False


def check_framing(fields: dict[bytes, list[bytes]], modern: bool) -> None:
    """Where the body ends must be said once and in one way."""
    lengths, codings = fields.get(b"content-length", []), fields.get(b"transfer-encoding", [])
    if lengths and codings:
        raise Refused(400, "give Content-Length or Transfer-Encoding, not both")
    if len(lengths) > 1 or not all(map(LENGTH.fullmatch, lengths)):
        raise Refused(400, "there must be one Content-Length, a number")
    if codings and (not modern or [coding.lower() for coding in codings] != [b"chunked"]):
        raise Refused(400, "the only Transfer-Encoding is chunked, once, in HTTP/1.1")
    if any(value.lower() != b"100-continue" for value in fields.get(b"expect", [])):
        raise Refused(417, "nothing but 100-continue can be expected")


def check_upgrade(fields: dict[bytes, list[bytes]], plain: bool) -> None:
    """A WebSocket begins with a GET of HTTP/1.1 that has no body."""
    lengths = fields.get(b"content-length", [])
    if not plain or b"transfer-encoding" in fields or any(int(length) for length in lengths):
        raise Refused(400, "a WebSocket begins with GET, in HTTP/1.1, without a body")


class StrictConnection(h11.Connection):
    """h11's reading of one connection behind the checks above; whoever watches is told of every event."""

    def __init__(self, notice: Callable[[Any], None]) -> None:
        super().__init__(h11.SERVER, HEAD_BYTES)
        self.notice = notice
        self.refusal = Refused(400, "the request cannot be read")  # for whoever answers

    def next_event(self) -> Any:
        try:
            if self.their_state is h11.IDLE and (given := self.trailing_data[0]):
                check_head(given)
            event = super().next_event()
        except Refused as refusal:
            self.refusal = refusal
            raise
        self.notice(event)
        return event
