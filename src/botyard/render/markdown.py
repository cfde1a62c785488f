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
        for child in token.children or ():
            unlink(child)
    for opening, inside, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "th_open" and not inside.content:
            opening.tag = closing.tag = "td"  # a corner of a table heads nothing
    page = str(reader.renderer.render(tokens, reader.options, {}))
    return page.replace("<pre>", '<pre tabindex="0">')  # what scrolls has to be reached with keys, too


def unlink(token: Token) -> None:
    """Takes the address from a link to a file, which only exists beside the page."""
    if token.type == "link_open" and LOCAL.match(str(token.attrs.get("href", ""))):
        token.attrs = {}
