"""One HTML file that shows a film and needs no network: the viewer's modules as one script, and the films packed in it.

A server of ours sends the same modules as they are (`web_file`). Everything that a bot's author could choose is in the
packed films, which scripts set as text, or escaped. A content security policy forbids the page to load anything and to
run any script but our own, which the policy knows by its hash.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from botyard.kernel.errors import YardError
from botyard.render.film import Film, compact

DATA = {"THEMES": "themes.json", "EMBLEMS": "emblems.json"}  # what the module themes.js exports, from our own files
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([a-z]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) ([A-Za-z_$][\w$]*))", re.MULTILINE)
BODY_CSS = ":root { background: var(--by-page); --by-height: 100dvh; } body { margin: 0; }"


def web_names() -> list[str]:
    """The files of the viewer, as a server offers them."""
    folder = resources.files(__package__) / "web"
    return sorted({"themes.js", *(file.name for file in folder.iterdir() if file.name.endswith((".js", ".css")))})


@cache
def web_file(name: str) -> str:
    """Returns a file of the viewer. Modules import each other as `./NAME.js`; themes.js is made of our colours."""
    if name == "themes.js":
        return "".join(f"export const {const} = {compact(own_data(file))};\n" for const, file in DATA.items())
    if name not in web_names():
        raise YardError(f"file of the viewer, {name}", hint=f"there are {', '.join(web_names())}")
    return (resources.files(__package__) / "web" / name).read_text(encoding="utf-8")


def own_data(file: str) -> Any:
    return json.loads((resources.files(__package__) / file).read_text(encoding="utf-8"))


def bundle(main: str) -> str:
    """Returns a module that imports files of the viewer as one script without imports.

    Every module becomes a function that returns what it exports. So a module must import at its beginning, by names,
    and export where it declares; no module may import one that imports it.
    """
    order: list[str] = []
    for name in imported(main):
        visit(name, order, ())
    modules = [f"const {variable(name)} = (() => {{\n{wrapped(web_file(name))}}})();\n" for name in order]
    return '"use strict";\n' + "".join(modules) + IMPORT.sub(taken, main)


def imported(source: str) -> list[str]:
    return [name for _, name in IMPORT.findall(source)]


def visit(name: str, order: list[str], above: tuple[str, ...]) -> None:
    """Puts a module behind all that it imports."""
    if name in above:
        raise ValueError(f"{name} imports itself by way of {' and '.join(above)}")
    if name not in order:
        for needed in imported(web_file(name)):
            visit(needed, order, (*above, name))
        order.append(name)


def variable(name: str) -> str:
    return f"module_{name.removesuffix('.js')}"


def wrapped(source: str) -> str:
    exported = ", ".join(EXPORT.findall(source))
    return EXPORT.sub("", IMPORT.sub(taken, source)) + f"return {{ {exported} }};\n"


def taken(found: re.Match[str]) -> str:
    """Returns an import as a declaration; `a as b` becomes `a: b`."""
    names = found[1].replace(" as ", ": ").strip()
    return f"const {{ {names} }} = {variable(found[2])};\n"


def film_page(film: Film, seat_films: Sequence[Film] = (), turns: Any = None, title: str | None = None) -> str:
    """Returns the page of a film; with films of what the seats saw, and the sheet of its turns, if they are given."""
    data = {"by-film": film.to_bytes()}
    data |= {f"by-film-{seat}": seen.to_bytes() for seat, seen in enumerate(seat_films)}
    panels, imports = "", ""
    if turns is not None:
        panels, imports = "turnPanel", 'import { turnPanel } from "./turns.js";\n'
        data["by-turns"] = gzip.compress(compact(turns).encode(), 9, mtime=0)
    main = (
        f'import {{ showFilms }} from "./offline.js";\n{imports}'
        f'globalThis.viewer = showFilms(document.getElementById("by-main"), [{panels}]);\n'
    )
    names = " against ".join(name or "(no name)" for name in film.head["names"][:2])
    return page(title or f"{film.head['title']}: {names}", main, data)


def page(title: str, main: str, data: Mapping[str, bytes]) -> str:
    """Returns a page that runs a module of its own over the viewer; packed data by the id it finds them under."""
    script, style = bundle(main), BODY_CSS + web_file("viewer.css") + web_file("turns.css")
    packed = [
        f'<script type="text/plain" id="{key}">{base64.b64encode(value).decode()}</script>'
        for key, value in data.items()
    ]
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy([script], [style])}">',
        '<meta name="referrer" content="no-referrer">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html.escape(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        '<main id="by-main"></main>',
        *packed,
        f'<script type="module">{script}</script>',
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(lines)


def policy(scripts: Iterable[str], styles: Iterable[str]) -> str:
    """Returns a policy that lets exactly these inline scripts and styles be, and loads nothing."""
    return (
        f"default-src 'none'; script-src {hashes(scripts)}; style-src {hashes(styles)}; "
        "base-uri 'none'; form-action 'none'"
    )


def hashes(texts: Iterable[str]) -> str:
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)
