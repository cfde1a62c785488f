"""Submissions are bots as people hand them in: folders, files and archives, under names as people write them.

A contest knows a bot by a short key, which this module makes of its name; people see the name. Whatever was handed in
is told of: a bot that cannot be read takes part and forfeits its games until it is mended, and what is no bot at all is
named as well.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from botyard.jail.bot_files import is_documentation
from botyard.jail.manifest import manifest_of
from botyard.jail.packed_bots import LITTER, packed_name
from botyard.kernel.errors import YardError
from botyard.kernel.plain import clean

KEY_MAX = 20  # characters
NAME_MAX = 60
NOT_IN_KEYS = re.compile(r"[^a-z0-9_]+")
SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "ł": "l", "đ": "d"})
NO_PROGRAMS = (".txt", ".csv", ".doc", ".docx", ".odt", ".png", ".jpg", ".jpeg", ".html", ".log", ".xlsx")


@dataclass(frozen=True, slots=True)
class Submission:
    """One thing that was handed in."""

    path: Path
    key: str
    name: str
    language: str = ""
    trouble: str = ""  # why it cannot play yet, and the remedy; empty: nothing is known to be wrong
    taken: bool = True  # False: it is no bot


def read_submissions(
    paths: Iterable[Path], known: Mapping[Path, str] | None = None, taken: Mapping[str, str] | None = None
) -> list[Submission]:
    """Returns everything that was handed in, in the order of names, with keys and names that tell all apart.

    Those with a `known` key keep it, and nobody gets a key that is `taken`, or the name that goes with it.
    """
    found = [read_submission(path) for path in sorted(set(paths), key=lambda path: (path.name.casefold(), str(path)))]
    return told_apart(found, known or {}, taken or {})


def read_submission(path: Path) -> Submission:
    name = name_of(path)
    submission = Submission(path, key_of(name), name)
    if not str(path).isascii() and not is_text(str(path)):
        return replace(submission, trouble="its name is no text; rename it", taken=False)
    if path.name.startswith(".") or path.name in LITTER or is_no_program(path):
        return replace(submission, trouble="it is no program", taken=False)
    if path.is_symlink():  # by whom and whereto is not known: a bot would see all that lies there
        hint = "put the file or folder itself there, or give it a line of its own in the contest file"
        return replace(submission, trouble=f"it is a link, and links are not followed; {hint}", taken=False)
    try:
        return replace(submission, language=manifest_of(path).language)
    except YardError as error:
        return replace(submission, trouble=str(error), taken=os.path.lexists(path))


def is_text(name: str) -> bool:
    """Whether a path can be written down: a file system may hold names that are no text."""
    return not any(unicodedata.category(sign) == "Cs" for sign in name)


def is_no_program(path: Path) -> bool:
    return not path.is_dir() and (is_documentation(PurePosixPath(path.name)) or path.suffix.lower() in NO_PROGRAMS)


def name_of(path: Path) -> str:
    """Returns what people call a bot: the name of its file or folder, without what computers add to it."""
    written = path.name if path.is_dir() else packed_name(path)
    return clean(unicodedata.normalize("NFC", written)).strip()[:NAME_MAX].strip() or "bot"


def key_of(name: str) -> str:
    """Returns a short key of plain letters; a name in another script has none of them and becomes `bot`."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(SPELLED)).encode("ascii", "ignore").decode()
    return NOT_IN_KEYS.sub("-", plain).strip("-")[:KEY_MAX].strip("-") or "bot"


def told_apart(
    submissions: Sequence[Submission], known: Mapping[Path, str], taken: Mapping[str, str]
) -> list[Submission]:
    """Returns the submissions with a number behind keys and names that others have already."""
    keys = {key.casefold() for key in (*taken, *known.values())}
    names = {name.casefold() for name in taken.values()}
    apart = dict[Path, Submission]()
    for submission in sorted(submissions, key=lambda one: one.path not in known):  # those with a key come first
        if not submission.taken:
            apart[submission.path] = submission
            continue
        key = known.get(submission.path) or first_free(submission.key, keys, "{}-{}")
        name = first_free(submission.name, names, "{} ({})")
        keys.add(key)
        names.add(name.casefold())
        apart[submission.path] = replace(submission, key=key, name=name)
    return [apart[submission.path] for submission in submissions]


def first_free(wanted: str, taken: set[str], pattern: str) -> str:
    number, found = 1, wanted
    while found.casefold() in taken:
        number += 1
        room = NAME_MAX - len(pattern.format("", number))
        found = pattern.format(wanted[:room].strip(), number)
    return found
