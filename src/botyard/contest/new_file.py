"""This module writes a contest file to start from, with every choice explained in comments."""

from __future__ import annotations

from dataclasses import fields

from botyard.contest.plan import named_bots
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import fresh_seed
from botyard.rank.formats import FORMATS, Format

ROOM = 40  # the column at which comments begin
PRESETS_MEAN = {True: "# the rules as written; program: as the original did", False: "# the rules as written"}


def usual_format(book: Rulebook) -> str:
    """Returns the format of the contest that the game's original held, else one that suits its number of seats."""
    return book.contest.USUAL_FORMAT or ("points_table" if book.facts.seats_max > 2 else "round_robin")


def usual_options(book: Rulebook, kind: str) -> dict[str, object]:
    """Returns the options that the new file sets: in a round robin bouts with swapped seats, if the game sets none."""
    if kind == "round_robin" and "bouts" not in book.contest.format_defaults(kind, book.settings()):
        return {"bouts": 20, "swap": "same_seed"}
    return {}


def new_contest(book: Rulebook, kind: str) -> str:
    """Returns the text of a commented contest file with the house bots of a game."""
    facts, house = book.facts, [f"house:{bot}" for bot in book.bots.HOUSE_BOTS]
    rivals = house if len(house) > 1 else 2 * house  # a single house bot plays against itself
    bots = named_bots(rivals[: FORMATS[kind].MOST or None])
    clock = [row for row in fields(book.settings) if row.metadata["group"] == "clock"]
    lines = [
        f'title = "{facts.title}, {kind.replace("_", " ")}"',
        f'game = "{facts.name}"',
        'preset = "document"'.ljust(ROOM) + PRESETS_MEAN["program" in book.settings.PRESETS],
        f"seed = {fresh_seed() >> 1}".ljust(ROOM) + "# it decides all random draws; keep it secret until the end",
        '# turn_logs = "none"'.ljust(ROOM) + '# "lost": keep the turns that programs lost; "all": every turn',
        "",
        "[bots]".ljust(ROOM) + "# NAME = BOT, in the order of registration",
        *(f'{name} = "{spec}"' for name, spec in bots.items()),
        '# mine = "dir:bots/mine"'.ljust(ROOM) + '# or "py:bots/mine/mybot.py", "cmd:bots/mine/mybot --fast"',
        "# Give each bot a folder of its own: it sees that whole folder, and nothing else of this machine.",
        "",
        "[format]",
        f'kind = "{kind}"'.ljust(ROOM) + f"# {FORMATS[kind].SUMMARY}",
        f"# other kinds: {', '.join(name for name in FORMATS if name != kind)}",
        *option_lines(FORMATS[kind], usual_options(book, kind)),
        "",
        "[settings]".ljust(ROOM) + f"# see `botyard settings {facts.name}`",
        "",
        "[time]".ljust(ROOM) + "# the limits of bots that are programs",
        *(f"# {row.name} = {toml(row.default)}".ljust(ROOM) + f"# {row.metadata['meaning']}" for row in clock),
        "",
        "[cage]".ljust(ROOM) + "# how programs are held; `botyard doctor` says what works here",
        '# level = "caged"'.ljust(ROOM)
        + '# or "limited" (as root, where cages do not work), "open" (only for your own bots)',
        "# memory_mb = 1024".ljust(ROOM) + "# most memory that one program may use",
        "# freeze = false".ljust(ROOM) + "# true: programs are frozen between their turns",
        "",
        "[toolchains]".ljust(ROOM) + "# compilers and interpreters, in addition to those found on this machine",
        '# zig = "/opt/zig"'.ljust(ROOM) + "# a folder with programs in it or in its bin; all bots can see it",
        "",
        "[run]".ljust(ROOM) + "# how the contest is run; this changes its speed, never a result",
        'executor = "local"'.ljust(ROOM) + "# processes on this machine; inline: in this process; ray: a cluster",
        "# workers = 0".ljust(ROOM) + "# 0: one per core",
        '# address = ""'.ljust(ROOM) + '# address of a Ray cluster: "auto" or "ray://HOST:PORT"',
        "# attempts = 5".ljust(ROOM) + "# how often a game is tried if faults of Botyard spoil it; then it is void",
        "# replays = true".ljust(ROOM) + "# keep the replays of games with programs",
        "",
    ]
    return "\n".join(lines)


def option_lines(kind: type[Format], chosen: dict[str, object]) -> list[str]:
    lines = []
    for row in fields(kind):
        mark = "" if row.name in chosen else "# "
        value = toml(chosen.get(row.name, row.default))
        lines.append(f"{mark}{row.name} = {value}".ljust(ROOM) + f"# {row.metadata['meaning']}")
    return lines


def toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)
