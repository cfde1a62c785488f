"""A lookout sees when the contest file or the files of its bots change, by looking again and again.

A look is cheap: it takes sizes and times of files, and reads none but the contest file. Whether a change counts is said
by the content marks of the contest's identity, which are made only after a look has differed. A file that is being
written looks different each time: it is waited for until it rests.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from botyard.contest.bot_patterns import is_pattern, matched_paths, paths_in
from botyard.jail.bot_files import ENTRIES_MAX, PASSED_OVER
from botyard.kernel.bounded import read_toml
from botyard.kernel.errors import YardError

LOOK_S = 2.0  # between two looks
REST_S = 1.0  # for which a file that was written stays unchanged before it is read
RESTLESS = 60  # looks; then nobody is waited for: who writes all the time must not keep the others from playing

Look: TypeAlias = dict[str, tuple[int, ...]]
"""What was seen: by path the size, the times and the identity of a file."""


class Lookout:
    """Looks at one contest file and at all files of its bots."""

    def __init__(self, contest: Path, wait: Callable[[float], None] = time.sleep) -> None:
        self._contest, self._wait = contest.resolve(), wait

    def at_rest(self, told: Callable[[str], None] = lambda path: None) -> Look:
        """Returns a look at files that nobody is writing, or has written for a minute; `told` hears the first path that
        has to be waited for."""
        seen = look_at(self._contest)
        for looks in range(RESTLESS):
            self._wait(REST_S)
            before, seen = seen, look_at(self._contest)
            if before == seen:
                break
            if looks == 0:
                told(first_difference(before, seen))
        return seen

    def await_change(self, since: Look) -> None:
        """Returns as soon as a look differs from an earlier one."""
        while look_at(self._contest) == since:
            self._wait(LOOK_S)


def first_difference(before: Look, now: Look) -> str:
    return next(path for path in sorted({*before, *now}) if before.get(path) != now.get(path))


def look_at(contest: Path) -> Look:
    found = dict[str, tuple[int, ...]]()
    for path in (contest, *bot_paths(contest)):
        for entry in below(path):
            try:
                seen = os.lstat(entry)
            except (OSError, ValueError):  # it has gone meanwhile, or its name cannot be one
                continue
            found[entry] = (seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino, seen.st_mode)
    return found


def bot_paths(contest: Path) -> Iterator[Path]:
    """Yields whatever the bots of a contest file may consist of; nothing while the file cannot be read."""
    try:
        bots: Any = read_toml(contest).get("bots")
    except YardError:
        return
    for value in bots.values() if isinstance(bots, dict) else ():
        spec = value.get("bot") if isinstance(value, dict) else value
        if isinstance(spec, str):
            try:
                yield from paths_of(spec, contest)
            except YardError:  # the plan cannot be read either, and says why
                continue


def paths_of(spec: str, contest: Path) -> Iterator[Path]:
    folder = contest.parent
    kind, _, rest = spec.partition(":")
    if is_pattern(spec, folder):
        yield from (folder / path for path in matched_paths(spec, contest))
        return
    if kind == "dir":
        yield folder / (rest.partition("//")[0] or rest)  # the whole root, if one is named
        return
    for path in paths_in(spec, folder):
        if kind == "py" and path.is_file():
            yield path.parent  # it may import what lies beside it
        elif not path.is_dir():  # a word of a command line may be any folder
            yield path


def below(path: Path) -> Iterator[str]:
    """Yields a file, or a folder with all that lies in it, as far as it can belong to a bot. Links are not followed."""
    count = 0
    yield str(path)
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(set(folders) - PASSED_OVER)
        for name in (*folders, *files):
            count += 1
            if count > ENTRIES_MAX:
                return
            yield os.path.join(folder, name)  # noqa: PTH118 (a path for every file of every bot costs too much)
