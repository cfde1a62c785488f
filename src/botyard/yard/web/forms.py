"""Forms: what was typed, read with care, and shown again beside what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import FormData
from starlette.responses import Response

from botyard.kernel.errors import YardError
from botyard.yard.refusals import Refusal, TooMuch, status_of
from botyard.yard.web.visit import Visit

MOST_TYPED = 1000  # characters of a field that says nothing else


class Typed:
    """The fields of a form. A field that is missing is empty, and none of them counts if it comes twice."""

    def __init__(self, fields: FormData) -> None:
        self._fields = fields

    @classmethod
    async def of(cls, visit: Visit) -> Typed:
        return cls(await visit.form())

    def line(self, name: str, most: int = MOST_TYPED) -> str:
        """Returns what stands in a field of one line."""
        text = self.text(name, most)
        if any(sign in text for sign in "\r\n\t"):
            raise Refusal(f"the field {name} has more than one line", hint="write it in one line")
        return text

    def text(self, name: str, most: int = MOST_TYPED) -> str:
        """Returns what stands in a field of any number of lines."""
        given = self.several(name, most)
        if len(given) > 1:
            raise Refusal(f"the field {name} came twice", hint="send the form as the page made it")
        return given[0] if given else ""

    def several(self, name: str, most: int = MOST_TYPED) -> list[str]:
        """Returns all that was ticked under one name."""
        given = self._fields.getlist(name)
        return [readable(name, value, most) for value in given]

    @property
    def kept(self) -> dict[str, str]:
        """What was typed, for the form to show it again. Passwords are in no page that we send."""
        return {
            name: value
            for name, value in self._fields.items()
            if isinstance(value, str) and is_readable(value) and "password" not in name
        }


def readable(name: str, value: object, most: int) -> str:
    """Returns what was typed; refuses what no keyboard sends and no database keeps."""
    if not isinstance(value, str) or len(value) > most:
        raise Refusal(f"the field {name} is too long", hint=f"at most {most} characters fit")
    if not is_readable(value):
        raise Refusal(f"the field {name} has characters that cannot be kept", hint="type it anew")
    return value


def is_readable(text: str) -> bool:
    """Whether a text has no control characters but line breaks, and no halves of characters."""
    return not any((sign < " " and sign not in "\r\n\t") or "\ud800" <= sign <= "\udfff" for sign in text)


def shown_again(visit: Visit, template: str, errors: Mapping[str, YardError], typed: Typed, **values: Any) -> Response:
    """Returns a page with its form as it was sent, and every error beside the field that it is about."""
    first = next(iter(errors.values()))
    answer = visit.page(template, status_of(first), errors=errors, typed=typed.kept, **values)
    if isinstance(first, TooMuch):
        answer.headers["Retry-After"] = str(first.retry_after_s)
    return answer


def own_path(given: str, otherwise: str) -> str:
    """Returns where somebody wanted to go, if that is a page of ours: no other site may be behind our links.

    Browsers take a backslash for a slash and drop line breaks, so neither may be in it.
    """
    plain = given.isascii() and given.isprintable() and not set(given) & set("\\ ")
    if not plain or not given.startswith("/") or given.startswith("//"):
        return otherwise
    parts = urlsplit(given)
    return otherwise if parts.scheme or parts.netloc else given
