"""The words that the page is written in: escaped text, tables, links. What comes in as a cell is HTML already."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape as escape_html
from typing import Any

from botyard.contest.summary_records import ContestSummary, bot_anchor, pair_anchor
from botyard.kernel.plain import clean

NAMED = ("bot", "verdict")  # headings of columns that hold names
LEFT = ' class="name"'


def escape(text: str) -> str:
    """Returns text that anybody may have written as plain text of the page, on one line."""
    return escape_html(clean(text))


def section(name: str, title: str, body: str) -> str:
    return f'<section id="{name}"><h2>{title}</h2>{body}</section>'


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], kind: str = "") -> str:
    """Returns a table whose cells are HTML already. It scrolls in a narrow window, and the keyboard can reach it."""
    head = "".join(f'<th scope="col"{LEFT if one in NAMED else ""}>{one}</th>' if one else "<td></td>" for one in heads)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return (
        f'<div class="wide" tabindex="0"><table class="{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def link(summary: ContestSummary, bot: str, text: str | None = None) -> str:
    """Returns a link to the section of a bot; its text is HTML already."""
    return f'<a href="#{escape(bot_anchor(bot))}">{escape(summary.name(bot)) if text is None else text}</a>'


def pair_link(one: str, other: str, text: str) -> str:
    """Returns a link to the games of two bots."""
    return f'<a href="#{escape(pair_anchor(one, other))}">{text}</a>'


def figure(value: Any) -> str:
    return escape(f"{value:g}" if isinstance(value, float) else str(value))
