"""Writes what learners sense into the page of every game, from the games themselves.

.venv/bin/python tools/senses_page.py
"""

from __future__ import annotations

from botyard.games import OWN_GAMES, load
from botyard.games.senses_page import with_senses

if __name__ == "__main__":
    for book in map(load, OWN_GAMES):
        page = book.folder / "README.md"
        page.write_text(with_senses(page.read_text(encoding="utf-8"), book), encoding="utf-8")
