"""Every page and socket of the yard: each module in `pages/` lists its own, and all of them are open."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from types import ModuleType

from botyard.yard.web import pages
from botyard.yard.web.routing import Page, Socket


@cache
def page_modules() -> tuple[ModuleType, ...]:
    names = sorted(module.name for module in pkgutil.iter_modules(pages.__path__))
    return tuple(import_module(f"{pages.__name__}.{name}") for name in names)


def all_pages() -> list[Page]:
    return [page for module in page_modules() for page in getattr(module, "PAGES", [])]


def all_sockets() -> list[Socket]:
    return [socket for module in page_modules() for socket in getattr(module, "SOCKETS", [])]
