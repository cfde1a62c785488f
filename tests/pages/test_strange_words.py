"""What strangers call themselves, print and note stays text on every page: no markup, no escapes, no turned lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pages.places import OPENERS
from tests.render.pages import Opened, chromium, open_page

SEEN_WORDS = ("harmed=1", "<svg onload", "<img src=x")  # some of them are read on every page where strangers have a say
QUIET = {"rules", "rooms", "register", "live match", "person"}  # pages on which they have none
# Signs that turn lines, or command terminals, in any text or attribute of the page.
ODD_SIGNS = r"""() => {
    const odd = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\u061c]/;
    const found = [];
    const walk = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
    while (walk.nextNode()) {
        const node = walk.currentNode;
        const texts = node instanceof Element ? [...node.attributes].map(({ value }) => value) : [node.nodeValue ?? ""];
        if (node.parentElement?.closest("script, style")) continue;
        found.push(...texts.filter((text) => odd.test(text)).map((text) => `${node.parentNode.nodeName}: ${text}`));
    }
    return found;
}"""
# What markup of strangers would have made.
MADE = """() => document.querySelectorAll(
    "img, svg:not(.by-icon), main script, h1 b, bdi *, .by-turn-text *:not(.by-turn-end)").length"""
# Names in letters that run from right to left, in one line with something else, have to be kept apart from it.
LOOSE_NAMES = r"""() => {
    const loose = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { currentNode: node, currentNode: { parentElement: parent } } = walk;
        if (!/[\u0590-\u05ff]/.test(node.nodeValue) || parent.closest("script, option, title")) continue;
        const alone = (element) => element.textContent.trim() === node.nodeValue.trim();
        let [at, kept] = [parent, false];
        for (; at && alone(at) && !kept; at = at.parentElement) {
            const { display, unicodeBidi } = getComputedStyle(at);
            kept = !display.startsWith("inline") || /isolate|plaintext/.test(unicodeBidi);
        }
        if (!kept) loose.push(`${parent.nodeName}.${parent.className}: ${parent.outerHTML.slice(0, 200)}`);
    }
    return loose;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def visit(browser: Any, name: str, folder: Path) -> None:
    with OPENERS[name](folder) as place:
        opened = open_page(browser, place.address)
        opened.page.on("dialog", lambda dialog: opened.troubles.append("a dialog"))
        opened.page.locator(place.sign).first.wait_for(state="attached")
        look(opened, name)
        if opened.page.evaluate("globalThis.viewer instanceof EventTarget && !(viewer instanceof Element)"):
            opened.run("async (viewer) => { await viewer.ready; viewer.setText(true); await viewer.seek(3); }")
            look(opened, name)
            opened.run("async (viewer) => { await viewer.show(0); await viewer.seek(viewer.last); }")
            look(opened, name)
        opened.page.close()


def look(opened: Opened, name: str) -> None:
    page = opened.page
    assert page.evaluate("typeof harmed") == "undefined"
    assert page.evaluate(MADE) == 0
    assert page.evaluate(ODD_SIGNS) == []
    assert page.evaluate(LOOSE_NAMES) == []
    text = page.locator("body").inner_text()
    assert name in QUIET or any(words in text for words in SEEN_WORDS)
    origin = page.evaluate("location.origin")
    asked_elsewhere = (trouble for trouble in opened.troubles if not trouble.startswith(origin))
    assert list(asked_elsewhere) == []


@pytest.mark.long
@pytest.mark.parametrize("name", OPENERS)
def test_strange_words_stay_text_everywhere(browser: Any, tmp_path: Path, name: str) -> None:
    visit(browser, name, tmp_path)
