"""`botyard games`, `settings` and `doctor` list the games, their settings and what this machine can do."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict

from botyard.cli.console import out, print_json, print_table
from botyard.cli.options import Game, Json, chosen_games


def games(as_json: Json = False) -> None:
    """List the games: Botyard's own, and those of others that are installed."""
    cards = [(book.facts, list(book.bots.HOUSE_BOTS)) for book in chosen_games(None)]
    if as_json:
        print_json([{**asdict(card), "bots": bots} for card, bots in cards])
        return
    rows = ([card.name, card.title, card.seats, card.link, " ".join(bots)] for card, bots in cards)
    print_table(["name", "game", ">seats", "link", "house bots"], rows, folded=True)
    out.print()
    print_table(["name", "what it is"], ([card.name, card.summary] for card, _ in cards), folded=True)


def settings(game: Game, as_json: Json = False) -> None:
    """List every setting of a game with its default and meaning."""
    from botyard.games import load
    from botyard.kernel.settings import SettingRow, describe

    rows = describe(load(game).settings)
    if as_json:
        print_json([asdict(row) for row in rows])
        return

    def text(value: object) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    def meaning(row: SettingRow) -> str:
        return row.meaning if row.program == row.default else f"{row.meaning} (program: {text(row.program)})"

    shown = ([r.key, text(r.default), r.allowed, f"{meaning(r)} [{r.group}]"] for r in rows)
    print_table(["setting", ">default", "values", "meaning"], shown, f"Settings of {game}", folded=True)


def doctor(as_json: Json = False) -> None:
    """Show what this machine can do: cores, GPU, cages, compilers."""
    rows = [*of_python(), *of_machine(), *of_cage(), *of_programs()]
    if as_json:
        print_json([{"what": what, "found": found, "remedy": remedy} for what, found, remedy in rows])
        return
    shown = ([what, found or "no", "" if found else remedy] for what, found, remedy in rows)
    print_table(["", "found", "remedy"], shown, folded=True)


def of_python() -> list[tuple[str, str, str]]:
    from importlib.metadata import version

    from botyard.kernel.cache import home, usable_home
    from botyard.kernel.compiler import way

    folder = usable_home()
    kept = str(folder) if folder == home() else f"{folder} ({home()} is not writable)"
    return [
        ("Python", sys.version.split()[0], ""),
        ("NumPy", version("numpy"), ""),
        ("Numba", version("numba"), ""),
        ("rules are compiled", "by Botyard's compiler" if way() == "parts" else "by Numba alone, which is slower", ""),
        ("compiled rules in", kept, ""),
    ]


def of_machine() -> list[tuple[str, str, str]]:
    import platform

    from botyard.kernel.devices import core_count

    return [
        ("system", f"{platform.system()} {platform.release()}, {platform.machine()}", ""),
        ("cores", f"{core_count()} of {os.cpu_count()}", ""),
        ("CUDA", cuda_device(), "needs an NVIDIA GPU, its driver, and pip install 'botyard[cuda]'"),
    ]


def cuda_device() -> str:
    from botyard.kernel.cuda import find_cuda
    from botyard.kernel.errors import YardError

    try:
        return str(find_cuda().get_current_device().name)
    except YardError:
        return ""


def of_cage() -> list[tuple[str, str, str]]:
    """Returns the levels at which programs can be held, and what stands in the way of the others."""
    from botyard.jail.levels import cgroup_version, obstacle
    from botyard.jail.limits import Level
    from botyard.jail.uids import can_change_user

    rows = [
        (f"level {level}", "" if (trouble := obstacle(level)) else LEVELS[level], trouble) for level in Level
    ]  # fmt: skip
    own = "every bot has a user of its own" if can_change_user() else "bots run as you, in their cages"
    groups = cgroup_version()
    remedy = "delegate a cgroup to this user (systemd-run --user --scope -p Delegate=yes); until then memory is polled"
    return [*rows, ("users", own, ""), ("control groups", groups, remedy)]


LEVELS = {
    "caged": "bubblewrap works; this is the default for programs",
    "limited": "available with --limited, for machines without cages",
    "open": "available with --open, for programs that you trust",
}


def of_programs() -> list[tuple[str, str, str]]:
    programs = {
        "make": "builds bots in folders (dir:)",
        "cc": "for bots in C",
        "c++": "for bots in C++",
        "node": "for bots in JavaScript",
        "javac": "for bots in Java",
        "go": "for bots in Go",
        "rustc": "for bots in Rust",
        "lua": "for bots in Lua",
    }
    return [(name, *asked(name, use)) for name, use in programs.items()]


def asked(name: str, use: str) -> tuple[str, str]:
    """Returns where a working program lies, or what to do to get it."""
    from botyard.jail.toolchains import Unusable, tool_named

    try:
        tool = tool_named(name)
    except Unusable as reason:
        return "", f"repair it: {reason}"
    return (str(tool.outside), "") if tool else ("", f"install it: {use}")
