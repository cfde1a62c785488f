"""A line of `[bots]` with a `*` in its path stands for every submission there that no other line names.

So bots that come later take part without an edit of the contest file. A bot keeps the key under which it has played:
keys are made of names, and a newcomer whose name makes a key that is taken gets a number, whatever the order of names.
The store remembers the keys; before a contest has begun nothing is known by them.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from botyard.contest.identity import named_paths
from botyard.contest.plan import STORE_SUFFIX, ContestBot
from botyard.contest.store_file import StoreFile
from botyard.contest.submissions import read_submissions
from botyard.kernel.errors import YardError, quoted

SIGN = "*"


def is_pattern(spec: str, folder: Path) -> bool:
    """Whether a specification stands for many bots. A folder whose very name has a `*` in it is one bot."""
    kind, _, path = spec.partition(":")
    return kind == "dir" and SIGN in path and not os.path.lexists(folder / path)


def matched_paths(spec: str, contest: Path) -> list[str]:
    """Returns what lies where a pattern says, as paths from the folder of the contest file."""
    pattern = spec.partition(":")[2]
    if "//" in pattern:
        raise YardError(f"{quoted(spec)} names a root", hint='a pattern has none: write "dir:FOLDER/*"')
    if os.path.normpath(contest.parent / os.path.dirname(pattern)) == str(contest.parent):  # noqa: PTH120 (it is text)
        hint = 'put the submissions into a folder of their own, and write "dir:subs/*"'
        raise YardError(f"{quoted(spec)} lies beside the contest file", hint=hint)
    plain = SIGN.join(glob.escape(part) for part in pattern.split(SIGN))
    around = os.path.dirname(pattern.partition(SIGN)[0])  # noqa: PTH120 (it is text)
    if not (contest.parent / around).is_dir():
        raise YardError(f"there is no folder {quoted(around)}", hint="the part before the * must be a folder")
    return sorted(glob.glob(plain, root_dir=contest.parent))  # noqa: PTH207 (a pattern may be an absolute path)


def newcomers(
    spec: str, guest: bool, contest: Path, others: Mapping[str, ContestBot], known: Mapping[str, str]
) -> dict[str, ContestBot]:
    """Returns the bots that a pattern stands for, by key. `others` are the bots of the other lines, and `known` are the
    keys that bots have had so far, by specification."""
    folder = contest.parent
    named = {os.path.realpath(path) for other in others.values() for path in paths_in(other.spec, folder)}
    paths = {folder / path: path for path in matched_paths(spec, contest) if not holds(folder / path, named)}
    kept = {spec: key for spec, key in known.items() if key not in others}
    keys = {path: kept[f"dir:{text}"] for path, text in paths.items() if f"dir:{text}" in kept}
    taken = {**dict.fromkeys(kept.values(), ""), **{key: other.name for key, other in others.items()}}
    return {
        one.key: ContestBot(f"dir:{paths[one.path]}", one.name, guest)
        for one in read_submissions(paths, keys, taken)
        if one.taken
    }


def holds(submission: Path, named: Iterable[str]) -> bool:
    """Whether another line names a submission, or something in it."""
    own = os.path.realpath(submission)
    return any(path == own or path.startswith(own + os.sep) for path in named)


def paths_in(spec: str, folder: Path) -> list[Path]:
    """Returns all paths that the specification of a bot may mean."""
    kind, _, rest = spec.partition(":")
    return [folder / rest] if kind == "dir" else named_paths(kind, rest, folder)


def registered_keys(contest: Path) -> dict[str, str]:
    """Returns the keys under which bots have played that are still there, by specification; none if there is no store
    to be read. Whoever hands in another file instead may have the key again."""
    try:
        with StoreFile.open(contest.with_suffix(STORE_SUFFIX)) as store:
            kept: Any = store.plan_values["bots"]
        keys = {str(bot["spec"]): str(key) for key, bot in kept}
    except (YardError, KeyError, TypeError, ValueError):  # whoever runs the contest is told of a damaged store
        return {}
    there = (spec for spec in keys if os.path.lexists(contest.parent / spec.partition(":")[2]))
    return {spec: keys[spec] for spec in there}
