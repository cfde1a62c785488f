"""Addresses of sites, and of what lies on them: what people copy out of a browser is understood."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from botyard.kernel.errors import YardError, quoted

LOOPBACK = "localhost"
PORTS = {"http": 80, "https": 443}
PLACE = re.compile(r"/(matches|embed|bots|ladders)/([^/]+)(?:/versions/(\d+))?/?")
WANTED = "write it as a browser does, such as https://bots.example.org"


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A match, a bot, a version or a ladder, and the site if an address named it."""

    kind: str  # match, bot, version or ladder
    key: str  # a number or a slug
    number: int | None = None  # of a version
    site: str = ""


def site_address(text: str) -> str:
    """Returns the address of a site in one form: scheme, host, and the port if it is not the usual one."""
    parts = split_address(text)
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise YardError(f"{quoted(text)} is no address of a site", hint="leave out what comes after the host")
    return origin_of(parts)


def split_address(text: str) -> SplitResult:
    given = text.strip()
    if "://" not in given:
        given = f"{'http' if is_here(given.partition('/')[0].rpartition(':')[0] or given) else 'https'}://{given}"
    try:
        parts = urlsplit(given)
        parts.port  # noqa: B018  # a wrong one is found out only now
    except ValueError as error:
        raise YardError(f"{quoted(text)} is no address", hint=str(error)) from None
    readable = given.isprintable() and given.isascii() and " " not in given
    if parts.scheme not in PORTS or not parts.hostname or not readable:
        raise YardError(f"{quoted(text)} is no address of a site", hint=WANTED)
    if parts.username is not None or parts.password is not None:
        raise YardError("the address holds a name or a password", hint="leave them out: `botyard login` asks for them")
    return parts


def origin_of(parts: SplitResult) -> str:
    host = parts.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    port = parts.port or PORTS[parts.scheme]
    return f"{parts.scheme}://{shown}" + ("" if port == PORTS[parts.scheme] else f":{port}")


def is_here(host: str) -> bool:
    """Whether a host is this machine, which nobody can listen between."""
    if host == LOOPBACK or host.endswith(f".{LOOPBACK}"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_open_way(site: str) -> bool:
    """Whether anybody on the way to a site can read what is sent."""
    parts = urlsplit(site)
    return parts.scheme == "http" and not is_here(parts.hostname or "")


def thing_at(text: str) -> NamedThing | None:
    """Returns what an address of a page is about; None: it is no address."""
    if "://" not in text:
        return None
    parts = split_address(text)
    found = PLACE.fullmatch(parts.path)
    if found is None:
        raise YardError(
            f"{quoted(text)} is no page of a match, a bot or a ladder", hint="copy the address of such a page"
        )
    what, key, number = found.groups()
    kind = {"matches": "match", "embed": "match", "bots": "bot", "ladders": "ladder"}[what]
    if kind != "ladder" and not is_number(key):
        raise YardError(f"{quoted(text)} names no number", hint="copy the address of the page once more")
    if number is not None and kind == "bot":
        return NamedThing("version", key, int(number[:18]), origin_of(parts))
    return NamedThing(kind, key, None, origin_of(parts))


def is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16
