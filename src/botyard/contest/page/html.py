"""The words that the page is written in: escaped text, tables, links. What comes in as a cell is HTML already."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape as escape_html
from typing import Any

from botyard.contest.summary_records import ContestSummary, bot_anchor, pair_anchor
from botyard.kernel.plain import clean

NAMED = ("bot", "verdict")  # headings of columns that hold names
LEFT = ' class="name"'
SIGN = re.compile(r"\[(\d+)\]")  # of a bot in a sentence


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


def name_of(summary: ContestSummary, bot: str) -> str:
    """Returns what people call a bot, kept apart from the words around it, whichever way its letters run."""
    return f"<bdi>{escape(summary.name(bot))}</bdi>"


def sentence(summary: ContestSummary, bots: Iterable[str], tell: Callable[[dict[str, str]], str]) -> str:
    """Returns a sentence in which bots are named; `tell` is given a sign for each, which its name then replaces."""
    known = list(dict.fromkeys(bots))
    told = escape(tell({bot: f"[{at}]" for at, bot in enumerate(known)}))
    return SIGN.sub(lambda sign: name_of(summary, known[int(sign[1])]), told)


def link(summary: ContestSummary, bot: str, text: str | None = None) -> str:
    """Returns a link to the section of a bot; its text is HTML already."""
    return f'<a href="#{escape(bot_anchor(bot))}">{name_of(summary, bot) if text is None else text}</a>'


def pair_link(one: str, other: str, text: str) -> str:
    """Returns a link to the games of two bots."""
    return f'<a href="#{escape(pair_anchor(one, other))}">{text}</a>'


def figure(value: Any) -> str:
    return escape(f"{value:g}" if isinstance(value, float) else str(value))
