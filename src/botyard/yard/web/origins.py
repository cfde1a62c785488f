"""Which names and origins are ours, and where a request really comes from.

The Host header must name this yard: else a stranger's name that leads to this machine (DNS rebinding) would make the
stranger's pages ours. What changes something must come from a page of ours, which browsers say in the Origin header.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from functools import cache, lru_cache

from starlette.datastructures import Headers
from starlette.types import Scope

from botyard.kernel.errors import YardError, quoted
from botyard.yard.config import YardConfig
from botyard.yard.refusals import NotAllowed, Refusal

HOST = re.compile(r"([-._~0-9a-z]{1,255}|\[[0-9a-f:.]{2,45}\])(?::([0-9]{1,5}))?")
ORIGIN = re.compile(r"(https?)://(.+)")
USUAL_PORTS = {"http": "80", "https": "443"}
HERE = ("localhost", "127.0.0.1", "[::1]")
SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}  # of the pages that open such sockets
SAFE = ("GET", "HEAD", "OPTIONS")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
ADDRESSES_KEPT = 4000  # as numbers: reading one takes longer than finding it, and every request does it three times


class WrongHost(Refusal):
    """A request to a name that is not this yard's."""

    status = 421


class Origins:
    """What a yard is called by browsers."""

    def __init__(self, config: YardConfig) -> None:
        self._scheme, self._public = public_origin(config.public_url) if config.public_url else ("", "")
        self._own = frozenset(name.lower() for name in config.hosts)
        if not self._public:
            named = () if is_everywhere(config.host) else (bracketed(config.host),)
            self._own |= {*HERE, *named, *own_names()}

    def origin(self, scope: Scope, headers: Headers) -> str:
        """Returns the origin of our pages as this browser sees them; refuses a Host header that is not ours."""
        given = headers.getlist("host")
        found = HOST.fullmatch(given[0].lower()) if len(given) == 1 else None
        if found is None:
            raise Refusal("the request does not say to which host it goes", hint="there must be one header Host")
        scheme = self._scheme or SCHEMES[scope["scheme"]]
        host = without_usual_port(scheme, found[0])
        public = host == without_usual_port(scheme, self._public)
        if not (public or found[0] in self._own or found[1] in self._own or self._is_here(scope, found[1])):
            hint = "the organiser can add this name to hosts in yard.toml, or set public_url"
            raise WrongHost(f"this yard does not answer to the name {found[1]!r}", hint=hint)
        return f"{scheme}://{host}"

    def _is_here(self, scope: Scope, name: str) -> bool:
        """Whether a name is the address at which this machine was reached; a name of a stranger's never is."""
        server = scope.get("server")
        return not self._public and server is not None and name == bracketed(str(server[0]))


def public_origin(address: str) -> tuple[str, str]:
    """Returns the scheme and the host of the address under which people reach a yard."""
    found = ORIGIN.fullmatch(address.rstrip("/").lower())
    if found is None or HOST.fullmatch(found[2]) is None:
        raise YardError(f"public_url = {quoted(address)}", hint="write it like https://bots.example.org")
    return found[1], found[2]


def need_own_page(origin: str, headers: Headers) -> None:
    """Refuses what comes from another site's page, or does not say where it comes from."""
    given = headers.getlist("origin")
    if given == [origin] or (not given and headers.getlist("sec-fetch-site") == ["same-origin"]):
        return
    said = f"from {quoted(given[0])}" if given else "without the header Origin"
    hint = f"open {origin} itself and try again; programs use a token and /api"
    raise NotAllowed(f"this request came {said}, not from a page of this yard", hint=hint)


def without_usual_port(scheme: str, host: str) -> str:
    return host.removesuffix(f":{USUAL_PORTS[scheme]}")


def is_everywhere(host: str) -> bool:
    return host in ("", "0.0.0.0", "::")


def bracketed(host: str) -> str:
    """Returns a host as it stands in addresses: numbers of IPv6 in brackets."""
    return f"[{host.lower()}]" if ":" in host else host.lower()


@cache
def own_names() -> frozenset[str]:
    """The names of this machine, by which others on its network reach it."""
    name = socket.gethostname().lower()
    return frozenset({name, f"{name}.local"} if name else ())


class Proxies:
    """The proxies that are believed when they say for whom they ask."""

    def __init__(self, config: YardConfig) -> None:
        self._trusted: list[Network] = []
        for given in config.proxies:
            try:
                self._trusted.append(ipaddress.ip_network(given, strict=False))
            except ValueError:
                hint = "write an address such as 10.0.0.2, or a network such as 10.0.0.0/24"
                raise YardError(f"proxies has {quoted(given)}", hint=hint) from None

    def address(self, scope: Scope, headers: Headers) -> str:
        """Returns where a request comes from: who connected, or, if that is a proxy of ours, whom it names last.

        What stands further left in X-Forwarded-For was written by the client itself and is not believed.
        """
        client = scope.get("client")
        nearest = address_in(str(client[0])) if client else None
        if nearest is None:
            return str(client[0]) if client else ""
        said = ",".join(headers.getlist("x-forwarded-for")).split(",")
        while said and self._trusts(nearest):
            further = address_in(said.pop().strip())
            if further is None:
                break
            nearest = further
        return str(nearest)

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self._trusted)


@lru_cache(ADDRESSES_KEPT)
def address_in(text: str) -> Address | None:
    """Returns an address as a number; one of IPv4 that was wrapped in IPv6 is unwrapped."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    wrapped = getattr(found, "ipv4_mapped", None)
    return found if wrapped is None else wrapped


def neighbourhood(address: str) -> str:
    """Returns by what an address is counted: one household has 64 bits of IPv6 to itself."""
    found = address_in(address)
    return str(ipaddress.ip_network((found, 64), strict=False)) if found and found.version == 6 else address
