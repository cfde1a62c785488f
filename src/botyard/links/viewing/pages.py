"""The pages: one per film, and a list where there are several. All that strangers wrote is escaped."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from importlib import resources
from string import Template
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from botyard.kernel.plain import clean

KINDS = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}

PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="$base/web/viewer.css">
<link rel="stylesheet" href="$base/web/page.css">
</head>
<body class="by-page">
$body
</body>
</html>
""")


@lru_cache(maxsize=1)
def shared_files() -> dict[str, tuple[bytes, str]]:
    """What pages load, by name: the modules and styles of the viewer, and the data they draw with."""
    render = resources.files("botyard.render")
    found: dict[str, tuple[bytes, str]] = {}
    for folder in (render, render / "web"):
        for file in folder.iterdir():
            ending = file.name[file.name.rfind(".") :]
            if file.is_file() and ending in KINDS:
                found[file.name] = file.read_bytes(), KINDS[ending]
    return found


def shared_file(name: str) -> Response:
    found = shared_files().get(name)
    if found is None:
        raise HTTPException(404, "there is no such file")
    return Response(found[0], media_type=found[1])


def film_page(base: str, title: str, **data: Any) -> Response:
    """The page of a film. What its script has to know stands in data attributes."""
    told = "".join(f' data-{key}="{escape(str(value))}"' for key, value in data.items() if value not in (None, False))
    body = f"""<main class="by-main">
<h1 class="by-title">{escape(clean(title))}</h1>
<div id="viewer" data-base="{escape(base)}"{told}></div>
<noscript>This page needs JavaScript, of which it loads none from elsewhere.</noscript>
</main>
<script type="module" src="{escape(base)}/web/page.js"></script>"""
    return page(base, title, body)


def list_page(base: str, rows: list[tuple[int, str, str]], more: int) -> Response:
    """The list: a number, what is shown there, and what else is known of it."""
    items = "\n".join(
        f'<li><a href="{escape(base)}/watch/{number}">{escape(clean(title))}</a> <span>{escape(clean(told))}</span></li>'
        for number, title, told in rows
    )
    rest = f"<p>{more} more are not listed.</p>" if more else ""
    body = f'<main class="by-main"><h1>Games</h1>\n<ol class="by-list">\n{items}\n</ol>\n{rest}</main>'
    return page(base, "Games", body)


def page(base: str, title: str, body: str) -> Response:
    return HTMLResponse(PAGE.substitute(base=escape(base), title=escape(clean(title)), body=body))
