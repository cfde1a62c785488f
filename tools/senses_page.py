"""Writes the page about what learners sense in every game, from the games themselves.

.venv/bin/python tools/senses_page.py docs/research-senses.md
"""

from __future__ import annotations

import sys
from pathlib import Path

from botyard.games import OWN_GAMES, load
from botyard.games.senses_page import senses_page

OPENING = """\
# What learners sense

This page is made of the games' own words by `make senses`; each game has them in its part `senses`.

A drill writes what a learner knows into two arrays: `codes`, one small number for each cell, and `numbers`. Both follow
from the views of its seat alone, are relative to it (own and rival, not player 0 and 1), and stay within the ranges
below whatever the settings are. Boards are rolled until the learner's own head, player or bot is in the middle: what
would lie beyond one edge comes in from the other, with one line between them that stands for the edge. So there is one
row and one column more than the board has, and nothing is left out. Hive Arena shows its bees a window anyway.

Rewards are the changes of what a position is worth to the seat (`worth`), and what a tick brought beside (`gain`).
"""


def page() -> str:
    return "\n".join([OPENING, *(senses_page(load(name)) for name in OWN_GAMES)])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
