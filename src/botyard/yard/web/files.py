"""The files that pages load: the yard's own style sheet and modules, and those of the viewer.

They lie in one folder for browsers, whose name is a hash over all of them: so they can be kept for good, modules find
each other beside themselves, and after a change of Botyard no page mixes old ones with new ones.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from starlette.requests import Request
from starlette.responses import Response

from botyard.render.page import imported, web_file, web_names
from botyard.yard.refusals import NotThere

KINDS = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"  # the browser may keep it, and asks whether it still holds


@dataclass(frozen=True, slots=True)
class WebFile:
    """A file that never changes while this process lives."""

    body: bytes
    packed: bytes
    kind: str
    tag: str


@cache
def web_files() -> dict[str, WebFile]:
    """Returns all files by name."""
    own = resources.files(__package__) / "static"
    texts = {name: web_file(name) for name in web_names()}
    texts |= {file.name: file.read_text(encoding="utf-8") for file in own.iterdir() if ending(file.name) in KINDS}
    return {name: made(name, text.encode()) for name, text in texts.items()}


def made(name: str, body: bytes) -> WebFile:
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return WebFile(body, gzip.compress(body, 9, mtime=0), KINDS[ending(name)], tag)


def ending(name: str) -> str:
    return name.rpartition(".")[2]


@cache
def folder() -> str:
    """Returns the name of the folder in which browsers find all of them."""
    told = "\n".join(f"{name} {file.tag}" for name, file in sorted(web_files().items()))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def address_of(name: str) -> str:
    """Returns where a page finds a file."""
    if name not in web_files():
        raise KeyError(f"there is no file {name}")
    return f"/static/{folder()}/{name}"


@cache
def modules(main: str) -> tuple[str, ...]:
    """Returns all modules that one imports, and those that they import, so that a browser can fetch them at once."""
    found: list[str] = []
    waiting = [main]
    while waiting:
        fresh = [name for name in imported(web_file(waiting.pop())) if name not in found]
        found += fresh
        waiting += fresh
    return tuple(found)


def file_response(request: Request, name: str, lasting: bool) -> Response:
    file = web_files().get(name)
    if file is None:
        raise NotThere("there is no such file")
    headers = {"ETag": file.tag, "Vary": "Accept-Encoding", "Cache-Control": FOR_GOOD if lasting else ASK_AGAIN}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    body = file.body
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"], body = "gzip", file.packed
    return Response(body, media_type=file.kind, headers=headers)
