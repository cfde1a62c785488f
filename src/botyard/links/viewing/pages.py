"""The pages: one per film, and a list where there are several. All that strangers wrote is escaped."""

from __future__ import annotations

from html import escape
from string import Template
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from botyard.kernel.plain import clean
from botyard.render.page import web_file, web_names

KINDS = {".js": "text/javascript", ".css": "text/css"}

PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="$base/web/viewer.css">
<link rel="stylesheet" href="$base/web/turns.css">
<link rel="stylesheet" href="$base/web/page.css">
</head>
<body class="by-page">
$body
</body>
</html>
""")


def shared_file(name: str) -> Response:
    """A module or a style sheet of the viewer."""
    if name not in web_names():
        raise HTTPException(404, "there is no such file")
    return Response(web_file(name), media_type=KINDS[name[name.rfind(".") :]])


def film_page(base: str, title: str, **data: Any) -> Response:
    """The page of a film. What its script has to know stands in data attributes."""
    told = "".join(f' data-{key}="{escape(str(value))}"' for key, value in data.items() if value is not None)
    body = f"""<main id="viewer" data-base="{escape(base)}"{told}>
<noscript>This page needs JavaScript, of which it loads none from elsewhere.</noscript>
</main>
<script type="module" src="{escape(base)}/web/page.js"></script>"""
    return page(base, title, body)


def list_page(base: str, rows: list[tuple[int, str, str]], more: int) -> Response:
    """The list: a number, what is shown there, and what else is known of it."""
    items = "\n".join(
        f'<li><a href="{escape(base)}/watch/{number}">{shown(title)}</a> <span>{shown(told)}</span></li>'
        for number, title, told in rows
    )
    rest = f"<p>{more} more are not listed.</p>" if more else ""
    body = f'<main class="by-chooser"><h1>Games</h1>\n<ol class="by-list">\n{items}\n</ol>\n{rest}</main>'
    return page(base, "Games", body)


def shown(text: str) -> str:
    return escape(clean(text))


def page(base: str, title: str, body: str) -> Response:
    return HTMLResponse(PAGE.substitute(base=escape(base), title=shown(title), body=body))
