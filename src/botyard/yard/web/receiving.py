"""Forms with files are read here as they come: files go to a spool, and whatever can be counted is bounded.

Starlette's own reader would put every file on the disk, however large, before anybody could refuse it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request

from botyard.yard.bots.spool import Spool, too_large
from botyard.yard.refusals import Refusal

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

FIELD_BYTES = 16 * 1024  # of all fields that are no files
FIELDS = 50
AROUND_BYTES = 4 << 20  # names and boundaries of ten thousand files
HEADER_BYTES = 8 * 1024
BROKEN = "the form that came cannot be read"
FORM_HINT = "send it as multipart/form-data, as a browser does"


async def receive_form(request: Request, spool: Spool, fields: dict[str, str]) -> None:
    """Reads a form to its end; its files are in the spool then. Its fields are put among `fields` as they come, so that
    they are there to be shown again if the form is refused on the way."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        raise Refusal(BROKEN, hint=FORM_HINT)
    form = IncomingForm(spool, fields)
    try:
        parser = MultipartParser(options[b"boundary"], form.callbacks(), max_header_size=HEADER_BYTES)
        async for chunk in counted(request, spool.most + AROUND_BYTES, spool.most):
            parser.write(chunk)
        parser.finalize()
    except (MultipartParseError, UnicodeError) as error:
        raise Refusal(f"{BROKEN} ({error})", hint=FORM_HINT) from None
    if not form.whole:
        raise Refusal("the upload ended before it was complete", hint="send it again")
    spool.end()


async def counted(request: Request, most: int, allowed: int) -> AsyncIterator[bytes]:
    """Yields the body of a request; what says at once that it is too large is not read at all."""
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length) > most:
        raise too_large(allowed)
    total = 0
    async for chunk in request.stream():
        total += len(chunk)
        if total > most:
            raise too_large(allowed)
        yield chunk


class IncomingForm:
    """A form while it is read. Parts with a file name go to the spool; an input that was left empty has none."""

    def __init__(self, spool: Spool, fields: dict[str, str]) -> None:
        self._spool, self.fields, self.whole = spool, fields, False
        self._field, self._value, self._headers = b"", bytearray(), dict[bytes, bytes]()
        self._name, self._is_file, self._is_field, self._field_bytes = "", False, False, 0

    def callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._begin,
            "on_header_begin": self._begin_header,
            "on_header_field": self._header_name,
            "on_header_value": self._header_value,
            "on_header_end": self._end_header,
            "on_headers_finished": self._end_headers,
            "on_part_data": self._data,
            "on_part_end": self._end_part,
            "on_end": self._end,
        }

    def _begin(self) -> None:
        self._headers, self._value = {}, bytearray()
        self._name, self._is_file, self._is_field = "", False, False

    def _begin_header(self) -> None:
        self._field, self._value = b"", bytearray()

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        self._headers[self._field.lower()] = bytes(self._value)

    def _end_headers(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b"").decode("latin-1"))
        if b"name" not in options:
            raise Refusal(f"{BROKEN} (a part has no name)", hint=FORM_HINT)
        self._name, self._value = options[b"name"].decode("utf-8", "replace"), bytearray()
        self._is_field, self._is_file = b"filename" not in options, bool(options.get(b"filename"))
        if self._is_file:
            self._spool.begin(options[b"filename"].decode("utf-8", "replace"))
        elif len(self.fields) >= FIELDS:
            raise Refusal(f"a form with more than {FIELDS} fields is not read", hint=FORM_HINT)

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._is_file:
            self._spool.add(data[start:end])
        elif self._is_field:
            self._field_bytes += end - start
            if self._field_bytes > FIELD_BYTES:
                raise Refusal(f"the fields of this form have more than {FIELD_BYTES >> 10} KiB", hint="write less")
            self._value += data[start:end]

    def _end_part(self) -> None:
        if self._is_field:
            self.fields[self._name] = bytes(self._value).decode("utf-8", "replace")

    def _end(self) -> None:
        self.whole = True
