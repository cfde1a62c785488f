"""This module writes a contest file to start from, with every choice explained in comments."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import fields
from os.path import realpath, relpath
from pathlib import Path

from botyard.contest.plan import named_bots, read_format
from botyard.contest.submissions import Submission
from botyard.kernel.errors import YardError
from botyard.kernel.plain import clean
from botyard.kernel.rulebook import Rulebook
from botyard.rank.formats import FORMATS, Format

MOST_BOUTS, SOME_GAMES = 20, 1200
ROOM = 40  # the column at which comments begin
PRESETS_MEAN = {True: "# the rules as written; program: as the original did", False: "# the rules as written"}


def usual_format(book: Rulebook) -> str:
    """Returns the format of the contest that the game's original held, else one that suits its number of seats."""
    return book.contest.USUAL_FORMAT or ("points_table" if book.facts.seats_max > 2 else "round_robin")


def usual_options(book: Rulebook, kind: str, bots: int) -> dict[str, object]:
    """Returns the options that the new file sets: in a round robin bouts with swapped seats, if the game sets none.

    The more bots there are, the fewer bouts two of them play, so that a class is done in an afternoon.
    """
    if kind == "round_robin" and "bouts" not in book.contest.format_defaults(kind, book.settings()):
        return {"bouts": min(MOST_BOUTS, max(1, SOME_GAMES // max(1, bots * (bots - 1)))), "swap": "same_seed"}
    return {}


def new_contest(book: Rulebook, kind: str, bots: Sequence[str] = (), players: int = 0) -> str:
    """Returns the text of a commented contest file with these lines of bots, or with the house bots of the game.

    `players` says how many of the lines are bots that compete.
    """
    facts = book.facts
    clock = [row for row in fields(book.settings) if row.metadata["group"] == "clock"]
    lines = [
        f'title = "{facts.title}, {kind.replace("_", " ")}"',
        f'game = "{facts.name}"',
        'preset = "document"'.ljust(ROOM) + PRESETS_MEAN["program" in book.settings.PRESETS],
        "# seed = 7".ljust(ROOM) + "# repeats a contest; without it a secret one is drawn, and shown at the end",
        '# on_unbuilt = "forfeit"'.ljust(ROOM) + '# what an unbuilt bot does with its games; "stop": play nothing',
        '# rerun = "on_demand"'.ljust(ROOM) + '# "on_change": `contest watch` plays what a changed bot makes due',
        "# guests_leave = 2".ljust(ROOM) + "# guests leave once this many players' bots take part; 0: they stay",
        '# turn_logs = "lost"'.ljust(ROOM) + '# keep the turns that programs lost; "all": every turn; "none"',
        "# notes = false".ljust(ROOM) + "# keep the notes that bots print for the viewer with these turns",
        "",
        "[bots]".ljust(ROOM) + "# KEY = BOT, in the order of registration",
        *(bots or house_lines(book, kind)),
        '# mine = "dir:bots/mine"'.ljust(ROOM) + '# or "py:bots/mine/mybot.py", "cmd:bots/mine/mybot --fast"',
        '# yours = { bot = "dir:bots/yours", name = "Käfer (9b)", guest = true }   # guests play out of competition',
        "# Give each bot a folder of its own: it sees that whole folder, and nothing else of this machine.",
        "",
        "[format]",
        f'kind = "{kind}"'.ljust(ROOM) + f"# {FORMATS[kind].SUMMARY}",
        f"# other kinds: {', '.join(name for name in FORMATS if name != kind)}",
        *option_lines(FORMATS[kind], usual_options(book, kind, players)),
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


def house_lines(book: Rulebook, kind: str) -> list[str]:
    house = [f"house:{bot}" for bot in book.bots.HOUSE_BOTS]
    rivals = house if len(house) > 1 else 2 * house  # a single house bot plays against itself
    return [f'{name} = "{spec}"' for name, spec in named_bots(rivals[: FORMATS[kind].MOST or None]).items()]


def submission_lines(book: Rulebook, submissions: Sequence[Submission], folder: Path) -> list[str]:
    """Returns the lines of bots that were handed in, with paths from the folder of the contest file, and of the house
    bots as guests, so that one bot alone has somebody to play with."""
    lines = []
    for submission in submissions:
        path = relpath(submission.path, folder)
        if not submission.taken:
            lines.append(f"# {toml(path)} is not taken: {clean(submission.trouble)}")
            continue
        name = f", name = {toml(submission.name)}" if submission.name != submission.key else ""
        bot = f"{{ bot = {toml(f'dir:{path}')}{name} }}" if name else toml(f"dir:{path}")
        lines.append(f"{submission.key} = {bot}")
    lines += newcomers_line(submissions, folder)
    keys = {submission.key for submission in submissions}
    for house in book.bots.HOUSE_BOTS:
        key = house if house not in keys else f"house-{house}"
        lines.append(f'{key} = {{ bot = "house:{house}", guest = true }}')
    return lines


def newcomers_line(submissions: Sequence[Submission], folder: Path) -> list[str]:
    """Returns a commented line that takes in whatever else is handed in, if all submissions lie in one folder."""
    around = {Path(realpath(submission.path.parent)) for submission in submissions}
    if len(around) != 1 or around == {folder}:
        return []
    line = f"# newcomers = {toml(f'dir:{relpath(around.pop(), folder)}/*')}"
    return [line.ljust(ROOM) + "# takes part too: whatever else lies there, now or later"]


def fitting_format(book: Rulebook, bots: int) -> str:
    """Returns the usual format of a game, or another if so many bots cannot sit together in it."""
    settings = book.settings()
    for kind in (usual_format(book), "round_robin", "rated_waves"):
        form = read_format(kind, {}, book, settings)
        if not form.MOST or form.LEAST <= bots <= form.MOST:
            with contextlib.suppress(YardError):
                for seats in form.tables(bots):
                    book.facts.check_seats(seats)
                    settings.seated(seats)
                return kind
    return "round_robin"


def option_lines(kind: type[Format], chosen: dict[str, object]) -> list[str]:
    lines = []
    for row in fields(kind):
        mark = "" if row.name in chosen else "# "
        value = toml(chosen.get(row.name, row.default))
        lines.append(f"{mark}{row.name} = {value}".ljust(ROOM) + f"# {row.metadata['meaning']}")
    return lines


def toml(value: object) -> str:
    """Returns a value as TOML writes it; in texts whatever cannot stand there by itself is escaped."""
    if isinstance(value, str):
        return '"' + "".join(escaped(sign) for sign in value) + '"'
    return str(value).lower() if isinstance(value, bool) else str(value)


def escaped(sign: str) -> str:
    if sign in '"\\':
        return f"\\{sign}"
    return sign if sign.isprintable() else f"\\U{ord(sign):08x}"
