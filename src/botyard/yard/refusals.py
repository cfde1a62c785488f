"""What the yard refuses, and why: a status for browsers and programs, a sentence and a remedy for people."""

from __future__ import annotations

from botyard.kernel.errors import YardError
from botyard.yard.data.database import DatabaseAway


class Refusal(YardError):
    """A request that is not carried out, and that changed nothing."""

    status = 400


class NotSignedIn(Refusal):
    status = 401


class NotAllowed(Refusal):
    status = 403


class NotThere(Refusal):
    """What was asked for does not exist, or must not be known by who asked."""

    status = 404


class InTheWay(Refusal):
    """Something that exists already, or a state in which it is too early or too late."""

    status = 409


class TooLarge(Refusal):
    status = 413


class TooMuch(Refusal):
    """More requests than are answered, or more than a quota permits."""

    status = 429

    def __init__(self, message: str, retry_after_s: int, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.retry_after_s = retry_after_s


def status_of(error: YardError) -> int:
    if isinstance(error, Refusal):
        return error.status
    return 503 if isinstance(error, DatabaseAway) else 400
