"""The identity of a contest is everything that a result depends on, line by line.

A contest that has begun goes on only if its rules are the same: game, settings, format, cage, root. Its bots may
change, as far as the format allows that (`amendment.py`). A bot is known by its specification and by its content: that
is what is built and run, so a README does not count.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botyard.jail.bot_files import fingerprint, is_documentation
from botyard.jail.packed_bots import is_packed, unpacked
from botyard.kernel.errors import YardError, refusal
from botyard.links.bot_spec import split_command

MARK_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Identity:
    """What a contest is: its rules, and its bots in the order of registration."""

    rules: Mapping[str, Any]
    bots: Mapping[str, str]  # by key: specification and mark of the content

    @property
    def values(self) -> dict[str, Any]:
        """The identity as plain values, as the store keeps it."""
        return {"rules": dict(self.rules), "bots": [list(pair) for pair in self.bots.items()]}

    @classmethod
    def of(cls, values: Any) -> Identity:
        """Returns the identity that a store kept; what is not as `values` writes it counts as nothing."""
        kept = values if isinstance(values, dict) else {}
        rules, bots = kept.get("rules"), kept.get("bots")
        pairs = [pair for pair in bots if is_bot(pair)] if isinstance(bots, list) else []
        return cls(rules if isinstance(rules, dict) else {}, dict(pairs))

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(json.dumps(self.values, sort_keys=True).encode()).hexdigest()


def is_bot(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair)


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Returns what differs between two tables of an identity, a line for each difference."""
    keys = [*before, *(key for key in now if key not in before)]
    absent = object()
    return [
        f"{key}: {shown(before.get(key, absent), absent)} → {shown(now.get(key, absent), absent)}"
        for key in keys
        if before.get(key, absent) != now.get(key, absent)
    ]


def shown(value: Any, absent: object) -> str:
    return "nothing" if value is absent else repr(value) if isinstance(value, str) else json.dumps(value)


# The content of bots


def marked(spec: str, folder: Path) -> str:
    """Returns a specification with a mark of the bot's content, which changes with every edit that counts."""
    content = content_of(spec, folder)
    return f"{spec} (content {content[:MARK_DIGITS]})" if content else spec


def content_of(spec: str, folder: Path) -> str:
    """Returns a hash over the files of a bot; empty if it has none."""
    kind, _, rest = spec.partition(":")
    if kind == "dir":
        bot = folder / (rest.partition("//")[0] or rest)  # the whole root, if one is named
        return fingerprint_or_trouble(bot) if bot.exists() else ""
    files = [path for path in named_paths(kind, rest, folder) if os.path.isfile(path)]  # noqa: PTH113 (no path raises)
    if kind == "py" and files:
        with contextlib.suppress(YardError):  # a folder with more in it than a bot: then its file alone is looked at
            return fingerprint(files[0].parent, without=is_documentation)  # it may import what lies beside it
    content = hashlib.sha256()
    for path in files:
        try:
            with path.open("rb") as file:
                content.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            raise refusal(f"cannot read {path}", error) from None
    return content.hexdigest() if files else ""


def fingerprint_or_trouble(bot: Path) -> str:
    """Returns a hash over the files of a bot, those in an archive included. If they cannot be read, that is what counts
    until it is mended: one bot that is no bot does not keep the others from playing."""
    try:
        return fingerprint(unpacked(bot) if is_packed(bot) else bot, without=is_documentation)
    except YardError as error:
        return hashlib.sha256(error.message.encode()).hexdigest()


def named_paths(kind: str, rest: str, folder: Path) -> list[Path]:
    """Returns the paths that may be files of a bot: its source, or words of its command line, also after a `=`."""
    if kind == "py":
        return [folder / rest, folder / rest.rpartition(":")[0]]
    if kind not in ("cmd", "json"):
        return []
    return [folder / part for word in split_command(rest) for part in (word, word.partition("=")[2]) if part]
