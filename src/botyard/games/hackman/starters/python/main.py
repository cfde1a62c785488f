"""A bot for Hack-man: fetches the nearest snippet or weapon, and keeps clear of bugs.

It reads lines from standard input and answers every `action move` with one word on standard output. Whatever you want
to print for yourself goes to standard error: print(..., file=sys.stderr).
"""

import sys
from collections import deque

STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class Game:
    """Holds all that was told so far: `settings KEY VALUE` and `update WHO KEY VALUE`."""

    def __init__(self):
        self.settings = {}
        self.told = {}

    def hear(self, words):
        if words[0] == "settings":
            self.settings[words[1]] = words[2]
        elif words[0] == "update":
            self.told[words[1], words[2]] = words[3]

    @property
    def me(self):
        return self.settings["your_botid"]

    @property
    def rival(self):
        return "1" if self.me == "0" else "0"

    def armed(self, player):
        return self.told[f"player{player}", "has_weapon"] == "true"

    def cells(self):
        """Returns the field as a dictionary from (x, y) to the signs there: x . C W 0 1 E, often several."""
        width = int(self.settings["field_width"])
        signs = self.told["game", "field"].split(",")
        return {(at % width, at // width): sign for at, sign in enumerate(signs)}


def neighbours(cells, cell):
    """Returns the open cells beside a cell, by the word that leads there."""
    x, y = cell
    beside = {word: (x + dx, y + dy) for word, (dx, dy) in STEPS.items()}
    return {word: there for word, there in beside.items() if "x" not in cells.get(there, "x")}


def decide(game):
    """This is the place to make the bot better."""
    cells = game.cells()
    at = {sign: [cell for cell, signs in cells.items() if sign in signs] for sign in "01ECW"}
    here = at[game.me][0]

    feared = [] if game.armed(game.me) else list(at["E"])
    if game.armed(game.rival):
        feared += at[game.rival]
    danger = set(feared).union(*(neighbours(cells, cell).values() for cell in feared))

    firsts = {word: cell for word, cell in neighbours(cells, here).items() if cell not in danger}
    word = way_to(cells, firsts, goals=set(at["C"] + at["W"]), avoid=set(feared) | {here})
    if word is None and here in danger:
        word = next(iter(firsts), None)
    return word or "pass"


def way_to(cells, firsts, goals, avoid):
    """Finds the first word of the shortest way to a goal, by a search that spreads from all first steps at once."""
    queue = deque((cell, word) for word, cell in firsts.items())
    seen = set(firsts.values()) | avoid
    while queue:
        cell, word = queue.popleft()
        if cell in goals:
            return word
        for there in neighbours(cells, cell).values():
            if there not in seen:
                seen.add(there)
                queue.append((there, word))
    return None


def main():
    game = Game()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "action":
            print(decide(game), flush=True)  # without flush the answer may never arrive
        else:
            game.hear(words)


if __name__ == "__main__":
    main()
