"""The errors that users see: mistakes of their own, each with a hint, and failures of ours that have a remedy."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from difflib import get_close_matches

QUOTED = 200  # characters of a wrong value that an error repeats


def quoted(value: object) -> str:
    """Returns a value as an error message repeats it, cut short, because it may come from a stranger's file."""
    shown = repr(value)
    return shown if len(shown) <= QUOTED else f"{shown[:QUOTED]}…"


MACHINE = {
    errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EAGAIN,
    errno.ENOBUFS,
}  # fmt: skip
"""The error numbers by which the machine says that it has run out of something."""


class OurFault(Exception):
    """The machine or Botyard failed before there was a game to void. Users see the remedy and no traceback."""


class YardError(ValueError):
    """A mistake that the user can mend; `hint` says how."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(f"{message}: {hint}" if hint else message)
        self.message = message
        self.hint = hint


def refusal(message: str, error: OSError) -> OSError | YardError:
    """Returns the error to raise for what a user named: a mistake, unless the machine has run out of something."""
    return error if error.errno in MACHINE else YardError(message, hint=error.strerror or str(error))


class UnknownName(YardError, KeyError):
    """The error for a name that is not in a table of names."""

    def __init__(self, what: str, got: str, known: Iterable[str]) -> None:
        names = sorted(known)
        close = get_close_matches(got, names, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(names)}"
        YardError.__init__(self, f"unknown {what} {quoted(got)}", hint=hint)

    def __str__(self) -> str:  # KeyError would print the repr of its argument
        return ValueError.__str__(self)


class WrongType(YardError, TypeError):
    """The error for an array or a number of a kind that is not taken; its hint says which kind is."""


class SettingsError(YardError):
    """The error for an impossible setting; it names the key, the value and the remedy."""

    def __init__(self, key: str, *, got: object, hint: str) -> None:
        super().__init__(f"setting {key} = {quoted(got)}", hint=hint)
        self.key = key


class UnfitBot(YardError):
    """The error for a bot whose own files make it impossible to play; only its author can mend that."""


class BadRecord(YardError):
    """The error for bytes, a drawing or a file that does not hold what it should."""
