"""Routes by the first word of their address.

A router tries its routes one after the other, and the pages and the API have a hundred each: that took longer than some
answers. Almost all of them begin with a word of their own, so those of other words need not be tried.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.routing import BaseRoute, Match, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

CHOSEN = "botyard.route"  # where the scope of a request holds the route that takes it

Addressed = Route | WebSocketRoute


class SortedRoutes(BaseRoute):
    """Stands in a router for many routes; which of them takes a request is the same as if they stood there."""

    def __init__(self, routes: Sequence[Addressed]) -> None:
        self._open = [route for route in routes if takes_any(route)]
        self._by_word = {
            word: [route for route in routes if takes_any(route) or first_word(route.path) == word]
            for word in {first_word(route.path) for route in routes}
        }

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        partly: tuple[Match, Scope] = Match.NONE, {}
        for route in self._by_word.get(first_word(path_inside(scope)), self._open):
            match, found = route.matches(scope)
            if match is Match.FULL:
                return match, {**found, CHOSEN: route}
            if match is Match.PARTIAL and partly[0] is Match.NONE:  # right but for its method
                partly = match, {**found, CHOSEN: route}
        return partly

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await scope[CHOSEN].handle(scope, receive, send)


def first_word(path: str) -> str:
    return path.split("/", 2)[1] if path.startswith("/") else ""


def takes_any(route: Addressed) -> bool:
    """Whether the first word of a route's address is not fixed."""
    return "{" in first_word(route.path)


def path_inside(scope: Scope) -> str:
    """Returns the part of an address that the routes of an app name, which may be mounted in another one."""
    path, above = str(scope["path"]), str(scope.get("root_path", ""))
    return path[len(above) :] if path.startswith(f"{above}/") else path
