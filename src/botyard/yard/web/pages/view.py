"""Where visitors look at files of their own: they drop a replay or a log of an original program here."""

from __future__ import annotations

from pathlib import PurePath

from starlette.datastructures import UploadFile
from starlette.responses import Response

from botyard.kernel.errors import YardError
from botyard.links.viewing.app import packed_response, seat_in
from botyard.links.viewing.screening import NothingToShow
from botyard.links.web.pace import STREAM, UPLOAD
from botyard.yard.refusals import Refusal, TooLarge, status_of
from botyard.yard.web.pages.show import told_as_json
from botyard.yard.web.routing import Access, get, post
from botyard.yard.web.viewed import FILE_MAX
from botyard.yard.web.visit import LENGTH_DIGITS, Visit

AROUND = 16 * 1024  # bytes of a form around its file
NAME_MAX = 80


async def form(visit: Visit) -> Response:
    return visit.page("view.html", error=None)


async def take(visit: Visit) -> Response:
    try:
        name, content = await brought_file(visit)
        word = await visit.showroom.viewed.take(name, content)
    except YardError as error:
        return visit.page("view.html", status_of(error), error=error)
    return visit.go(f"/view/{word}")


async def brought_file(visit: Visit) -> tuple[str, bytes]:
    length = visit.request.headers.get("content-length", "")
    if not (length.isascii() and length.isdigit() and len(length) <= LENGTH_DIGITS):
        raise Refusal("the file came without its size", hint="send it with a browser, or with Content-Length")
    if int(length) > FILE_MAX + AROUND:
        raise TooLarge(
            f"the file has {int(length) >> 20} MiB", hint=f"{FILE_MAX >> 20} MiB are shown here; use botyard view"
        )
    async with visit.request.form(max_files=1, max_fields=2) as fields:
        file = fields.get("file")
        if not isinstance(file, UploadFile) or not file.size:
            raise Refusal("no file came", hint="choose a replay, or a log of an original program")
        return PurePath(file.filename or "file").name[:NAME_MAX], await file.read()


async def viewed(visit: Visit) -> Response:
    word, game = visit.request.path_params["word"], game_in(visit)
    file = visit.showroom.viewed.file(word)
    file.game(game)
    return visit.page("viewed.html", file_name=file.name, games=file.games, word=word, game=game)


def game_in(visit: Visit) -> int:
    given = visit.word("game", "0")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 6 else 0


@told_as_json
async def film(visit: Visit) -> Response:
    word, game = visit.request.path_params["word"], visit.number("game")
    made = await visit.showroom.viewed.film(word, game, seat_in(visit.request))
    return packed_response(visit.request, made.opening)


@told_as_json
async def block(visit: Visit) -> Response:
    word, game, at = visit.request.path_params["word"], visit.number("game"), visit.number("block")
    made = await visit.showroom.viewed.film(word, game, seat_in(visit.request))
    if at >= len(made.blocks):
        raise NothingToShow(f"there is no block {at}")
    return packed_response(visit.request, made.blocks[at])


PAGES = [
    get("/view", form),
    post("/view", take, Access.ANYBODY, UPLOAD),
    get("/view/{word}", viewed),
    get("/view/{word}/film/{game:int}", film, pace=STREAM),
    get("/view/{word}/film/{game:int}/block/{block:int}", block, pace=STREAM),
]
