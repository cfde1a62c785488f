"""Rules as HTML: tables and lists become elements, and nothing in a page gets a life of its own."""

from __future__ import annotations

import pytest

from botyard.games import OWN_GAMES, load
from botyard.render.markdown import html_of


def test_a_page_becomes_html() -> None:
    html = html_of("# Snakes\n\n* a\n* b\n\n| sign | |\n|---|---|\n| `#` | wall |\n")
    for part in ("<h1>Snakes</h1>", "<li>a</li>", "<th>sign</th>", "<td><code>#</code></td>"):
        assert part in html


@pytest.mark.parametrize(
    "page",
    [
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "![x](../../secret.png)",
        "![x](https://elsewhere.example/x.png)",
        "[x](../../README.md)",
    ],
)
def test_what_a_page_brings_along_stays_outside(page: str) -> None:
    html = html_of(page)
    assert "<script" not in html
    assert "<img" not in html
    assert "href" not in html


def test_columns_are_aligned_by_classes_since_pages_forbid_styles() -> None:
    html = html_of("| from | what | to |\n|--:|---|:-:|\n| 1 | steps | 9 |\n")
    for part in ('<th class="right">from</th>', "<td>steps</td>", '<td class="center">9</td>'):
        assert part in html


@pytest.mark.parametrize("name", OWN_GAMES)
def test_the_rules_of_a_game_bring_no_styles_of_their_own(name: str) -> None:
    html = html_of((load(name).folder / "README.md").read_text(encoding="utf-8"))
    assert "<table>" in html
    assert "style=" not in html


def test_links_to_other_sites_and_within_the_page_stay() -> None:
    assert 'href="https://example.org/"' in html_of("[x](https://example.org/)")
    assert 'href="#rules"' in html_of("[x](#rules)")


def test_of_a_link_to_a_file_its_words_are_left() -> None:
    page = html_of("see [the *other* page](../x.md) and [this one](https://example.org/)")
    assert page == ('<p>see <span>the <em>other</em> page</span> and <a href="https://example.org/">this one</a></p>\n')
