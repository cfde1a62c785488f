"""This module makes HTML of Markdown pages, for the rules of a game on a server's pages."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

LOCAL = re.compile(r"(?!https?:|#|mailto:)")


def html_of(text: str) -> str:
    """Returns a page as HTML. HTML in it stays text, and what leads to files beside the page is left out."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(text)
    for token in tokens:
        token.children = token.children and [child for child in token.children if child.type != "image"]
        unlink(token.children or [])
        if style := str(token.attrs.pop("style", "")):  # of a column's cells: pages forbid styles of an element's own
            token.attrs["class"] = style.removeprefix("text-align:")
    for opening, inside, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "th_open" and not inside.content:
            opening.tag = closing.tag = "td"  # a corner of a table heads nothing
    page = str(reader.renderer.render(tokens, reader.options, {}))
    return page.replace("<pre>", '<pre tabindex="0">')  # what scrolls has to be reached with keys, too


def unlink(tokens: list[Token]) -> None:
    """Leaves of links to files, which only exist beside the page, their words."""
    links = [token for token in tokens if token.type in ("link_open", "link_close")]
    for opening, closing in zip(links[::2], links[1::2], strict=True):  # a link never stands in another
        if LOCAL.match(str(opening.attrs.get("href", ""))):
            opening.attrs, opening.tag, closing.tag = {}, "span", "span"
