"""Style sheets and modules, as browsers ask for them."""

from __future__ import annotations

from starlette.responses import Response

from botyard.yard.web.files import file_response, folder
from botyard.yard.web.routing import get
from botyard.yard.web.visit import Visit


async def lasting_file(visit: Visit) -> Response:
    named = visit.request.path_params
    return file_response(visit.request, named["file"], lasting=named["folder"] == folder())


async def plain_file(visit: Visit) -> Response:
    return file_response(visit.request, visit.request.path_params["file"], lasting=False)


PAGES = [
    get("/static/{folder}/{file}", lasting_file),
    get("/static/{file}", plain_file),
    get("/show/web/{file}", plain_file),
]
