"""The `yard.toml` of a new yard: every key explained, with its default, and none set."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from botyard.contest.messages import CageOptions
from botyard.games import GAMES
from botyard.yard.config import Quotas, YardConfig

ROOM = 44  # the column at which explanations begin

TOP = """\
# What is decided about this contest site. Every line that begins with "# KEY =" shows a default: remove the first sign
# to change it. A change counts from the next start of `botyard serve`, which lists every mistake in this file.
"""

MEANS = {
    "title": "the name of the site, on every page",
    "contact": "whom to write to; stands on every page",
    "database": 'SQLite in this folder; or "postgresql+psycopg://NAME:PASSWORD@HOST/DATABASE"',
    "host": 'where to listen; "0.0.0.0" lets other machines in',
    "port": "",
    "public_url": 'how people reach the site, as "https://bots.example.org"; needed behind a proxy',
    "hosts": 'further names of this machine under which it is reached, as ["bots.lan"]',
    "proxies": 'proxies in front, as ["127.0.0.1"]: their X-Forwarded-For is believed',
    "registration": '"invitation": only with a link from an admin; "closed": nobody',
    "executor": '"ray": games are played on a Ray cluster (pip install botyard[ray])',
    "address": 'of the Ray cluster, as "auto" or "ray://HOST:10001"',
    "workers": 'games at a time; 0: one per core but one, or with "ray" one per core of the cluster',
    "rounds_kept": "replays that are kept of every room; 0: none",
}
QUOTAS_MEAN = {
    "upload_bytes": "of one upload",
    "uploads_a_day": "",
    "unfinished_builds": "at a time",
    "bots": "that one person may have",
    "challenges_a_day": "",
    "test_games_a_day": "",
    "revivals_a_day": "how often a benched bot may be tried again",
    "tokens": "for programs that use the API",
}
CAGE_MEANS = {
    "memory_mb": "that one bot may use",
    "freeze": "true: a bot is stopped while its rivals think",
}


def default_file() -> str:
    """Returns the text of a file that decides nothing and explains everything."""
    config = {row.name: row.default for row in fields(YardConfig)}
    parts = [
        TOP,
        *(line(key, config[key], means) for key, means in MEANS.items()),
        "\n[quotas]".ljust(ROOM + 1) + "# how much one person may do",
        *(line(row.name, row.default, QUOTAS_MEAN[row.name]) for row in fields(Quotas)),
        "\n[cage]".ljust(ROOM + 1) + "# how bots are held; they are always caged",
        *(line(row.name, row.default, CAGE_MEANS[row.name]) for row in fields(CageOptions) if row.name in CAGE_MEANS),
        "\n[toolchains]".ljust(ROOM + 1) + "# languages beside those that are installed in the system",
        '# zig = "/opt/zig"',
        LADDERS.format(games=", ".join(GAMES), game=next(iter(GAMES))),
    ]
    return "\n".join(parts)


def line(key: str, value: Any, means: str) -> str:
    shown = "[]" if value == () else str(value).lower() if isinstance(value, bool) else value
    told = f'"{shown}"' if isinstance(value, str) else shown
    return (f"# {key} = {told}".ljust(ROOM) + (f"# {means}" if means else "")).rstrip()


LADDERS = """
# Ladders. With none there is one for each game, by its usual rules ({games}).
# As soon as you write one, only those that stand here are open. Settings of a game: botyard settings GAME.
#
# [[ladders]]
# slug = "{game}"                             # its address: /ladders/{game}
# game = "{game}"
# title = ""                                # by default the name of the game
# preset = "document"                       # the rules as written; "program": as the original did
# seats = 0                                 # of one game; 0: as many as usual
# bots_per_person = 1
# predictable = false                       # true: accept rules whose chance can be guessed
# deadline = ""                             # when uploads freeze, as "2026-12-24T18:00+01:00"
# [ladders.settings]                        # those that differ from the preset
"""
