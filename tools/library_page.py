"""Writes the reference of the library: all public names from their sources, and every game from its own words.

.venv/bin/python tools/library_page.py docs/library.md
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from library_games import game_section, table
from library_names import Entry, Member, alias_about, entry_of, home_of, in_rows, kinds_of, module_source

from botyard.games import OWN_GAMES, load
from botyard.kernel.verdict import Verdict

OPENING = """\
# The library

This page lists all that `import botyard` offers, what learners use (`botyard.sim`), and what you have to know of each
game. `make library` writes it, from the docstrings in the source and from what the games say of themselves.
"""

EXAMPLES = """\
## Three examples

### Play a game step by step

Ask a game whose turn it is, what that seat may know and what it can do; then give an order.

```pycon
>>> import botyard
>>> game = botyard.new("hive", seed=7, max_turns=100)  # settings by keyword
>>> game.asked
(0,)
>>> view = game.view()  # what the seat that is asked may know
>>> view.row, view.col, view.window.shape
(10, 2, (7, 7))
>>> game.step("move NE")  # an order by its name
>>> game.step(2)  # or by its number: move E
>>> twin = game.copy()  # to look ahead
>>> while not game.over:
...     game.step(game.orders()[0])  # the first order that can do something
>>> game.outcome
Outcome(groups=((0, 1),), scores=(0, 0))
>>> twin.over
False

```

### Let bots play

A bot is a function from a view to an order, a house bot, or a program.

```pycon
>>> def walker(view):
...     return "forage E" if view.window[3, 4] == 5 else "move E"  # 5 is a flower
>>> played = botyard.play("hive", [walker, "house:forager"], seed=7, max_turns=400)
>>> played.scores, played.winner
((0, 7), 1)
>>> played.verdicts[0]
{<Verdict.OK: 'OK'>: 200}
>>> played.replay.verify().over  # played again from its record, it ends as recorded
True

```

### Play a thousand games at once

A batch takes an array of orders, and its answers are arrays.

```pycon
>>> import numpy as np
>>> games = botyard.Batch("hive", n=1000, seed=1)
>>> dice = np.random.default_rng(1)
>>> for _ in range(500):
...     luck = dice.random(games.masks.shape)
...     games.step((luck * games.masks).argmax(axis=2))  # a random order among those that can do something
>>> games.view_field("window").shape
(1000, 2, 7, 7)
>>> games.scores.shape, int(games.over.sum())
((1000, 2), 0)

```

[Learning](research.md) goes on from here, with `Drill`.
"""


# The names of the package in the order in which they are explained.
NAMES = {
    "One game": ("new", "from_bytes", "Game", "View", "Outcome"),
    "Bots that play": ("play", "play_async", "Played", "Turn", "Verdict", "Replay", "Missed"),
    "Many games": ("Batch",),
    "Errors": ("YardError",),
}
COROUTINES = {"play_async": "play"}  # the same, to be awaited
ELSEWHERE = {  # what calls return, though `botyard` itself does not offer it
    "Played": "botyard.match.loop",
    "Turn": "botyard.match.turns",
    "Missed": "botyard.match.replay",
}
SIM = {  # the names of each module, as above
    "botyard.sim.drill": ("Drill",),
    "botyard.sim.gymnasium": ("BotyardEnv", "BotyardVectorEnv", "env_id", "register_all"),
    "botyard.sim.pettingzoo": ("parallel_env", "BotyardParallelEnv", "env", "BotyardAECEnv"),
    "botyard.sim.sb3": ("BotyardVecEnv", "SensesExtractor"),
    "botyard.sim.torch": (
        "TensorDrill",
        "SensedTensors",
        "TensorStep",
        "Inputs",
        "Recorded",
        "drawn",
        "over",
        "planes",
    ),
}
TYPES = {
    "OrderLike": "botyard.games.game",
    "OrderList": "botyard.games.game",
    "Buffer": "botyard.games.game",
    "SettingsLike": "botyard.games.stepped",
    "Seeds": "botyard.games.stepped",
    "Autoreset": "botyard.games.stepped",
    "DeviceArray": "botyard.games.stepped",
    "Record": "botyard.kernel.records",
    "BotFunction": "botyard.match.in_process",
    "CagePolicy": "botyard.links.cage_policy",
    "Rulebook": "botyard.kernel.rulebook",
    "Settings": "botyard.kernel.settings",
    "SeatRecord": "botyard.match.turns",
    "TurnLog": "botyard.match.turns",
    "Lateness": "botyard.match.jitter",
    "Observation": "botyard.sim.spaces",
    "Seen": "botyard.sim.pettingzoo",
}
LEARNING, SIGNATURES, GAMES = "Learning: `botyard.sim`", "Types in signatures", "The games"

LEARNING_ABOUT = """\
[Learning](research.md) shows how these are used, and the page of each game explains every code and every number.
"""
SIGNATURES_ABOUT = """\
`NDArray` is a NumPy array. A parameter without a type takes what its sentence names.
"""
GAMES_ABOUT = """\
A view is an object with these fields as attributes. Single numbers are Python integers; tables are NumPy arrays, of the
shapes that the usual settings give. A list is as long as it could ever be: its count, or the number of seats, says how
many of its entries mean something. `Batch.view_field` has the same fields of many games at once.

Settings are given by keyword, such as `botyard.new(GAME, key=value)`, after a preset (`preset="program"`), if the usual
one, `document`, is not wanted. `botyard settings GAME` prints them with all values that are allowed.
"""


def page() -> str:
    parts = chain([OPENING, contents(), EXAMPLES], package_told(), sim_told(), types_told(), games_told())
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def contents() -> str:
    games = [(load(name).facts.title, load(name).facts.title) for name in OWN_GAMES]
    rows = ["- [Three examples](#three-examples)"]
    for title, names in NAMES.items():
        rows.append(listed(title, [(heading(name), f"`{name}`") for name in names]))
    rows += [listed(LEARNING, [(module, f"`{module.rpartition('.')[2]}`") for module in SIM])]
    rows += [f"- [{SIGNATURES}](#{anchor(SIGNATURES)})", listed(GAMES, games)]
    return "\n".join(rows)


def listed(title: str, below: Iterable[tuple[str, str]]) -> str:
    links = ", ".join(f"[{shown}](#{anchor(where)})" for where, shown in below)
    return f"- [{title}](#{anchor(title)}): {links}"


def anchor(title: str) -> str:
    """Returns the address of a heading, as it is made of its words wherever Markdown is shown."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


# Names


def package_told() -> Iterator[str]:
    for title, names in NAMES.items():
        yield f"## {title}"
        for name in names:
            yield f"### {heading(name)}"
            if name in COROUTINES:
                yield f"It is `botyard.{COROUTINES[name]}` as a coroutine: `await botyard.{name}(…)`."
                continue
            if name in ELSEWHERE:
                yield f"It comes from `{ELSEWHERE[name]}`."
            yield from entry_told(entry_of(ELSEWHERE.get(name) or home_of(name), name))
            yield from more_told(name)


def heading(name: str) -> str:
    return f"`{name}`" if name in ELSEWHERE else f"`botyard.{name}`"


def more_told(name: str) -> Iterator[str]:
    if name == "Verdict":
        yield table(("verdict", "what it means"), ((f"`{one}`", one.meaning) for one in Verdict))
    if name == "YardError":
        yield "Some errors are kinds of it, which `botyard.kernel.errors` has:"
        yield table(("error", "what it is"), errors_told())


def errors_told() -> Iterator[tuple[str, str]]:
    for name, about in kinds_of("botyard.kernel.errors", "YardError"):
        yield f"`{name}`", sentence(about)


def sim_told() -> Iterator[str]:
    yield f"## {LEARNING}"
    yield LEARNING_ABOUT
    for module, names in SIM.items():
        source = module_source(module)
        yield f"### `{module}`"
        if source.extra:
            yield f"It needs an extra: `pip install 'botyard[{source.extra}]'`."
        yield source.about
        for name in names:
            yield f"#### `{name}`"
            yield from entry_told(entry_of(module, name))


def entry_told(entry: Entry) -> Iterator[str]:
    if entry.call:
        yield f"```python\n{in_rows(entry.call)}\n```"
    yield entry.about
    yield from attributes_told(entry.attributes)
    if entry.methods:
        yield "**Methods**"
        yield "\n".join(f"- `{one.shown}`\\\n  {sentence(one.about)}" for one in entry.methods)


def attributes_told(attributes: tuple[Member, ...]) -> Iterator[str]:
    """A table of the attributes; those that only the text above explains are named with their kinds."""
    plain, told = ([one for one in attributes if bool(one.about) == wanted] for wanted in (False, True))
    if plain:
        yield "Its fields: " + ", ".join(f"`{one.name}: {one.shown}`" for one in plain) + "."
    if told:
        yield "**Attributes**"
        yield table(("attribute", "kind", "what it is"), map(attribute_row, told))


def attribute_row(one: Member) -> tuple[str, str, str]:
    return f"`{one.name}`", "" if one.shown in ("", "Any") else f"`{one.shown}`", sentence(one.about)


def sentence(text: str) -> str:
    """Returns a text in a line; what a comment says becomes a sentence."""
    line = " ".join(text.split())
    return line[0].upper() + line[1:] + "." * (line[-1] not in ".!?")


def types_told() -> Iterator[str]:
    yield f"## {SIGNATURES}"
    yield SIGNATURES_ABOUT
    yield table(("name", "stands for", "what it is"), map(type_row, TYPES))


def type_row(name: str) -> tuple[str, str, str]:
    stands_for, about = alias_about(TYPES[name], name)
    return f"`{name}`", f"`{stands_for}`" if stands_for else f"class in `{TYPES[name]}`", sentence(about)


def games_told() -> Iterator[str]:
    yield f"## {GAMES}"
    yield GAMES_ABOUT
    for name in OWN_GAMES:
        yield from game_section(load(name))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
