"""Uploads to a yard, bent in every way: forms and archives are read or refused, and never anything else."""

from __future__ import annotations

import io
import shutil
import tarfile
from pathlib import Path
from typing import Any

from starlette.requests import Request

from botyard.kernel.errors import YardError
from botyard.yard.bots import unpacker
from botyard.yard.bots.spool import Spool
from botyard.yard.web.receiving import receive_form
from tests.fuzz.harness import fuzz
from tests.waiting import finished
from tests.yard.handing_in import spooled, tarred, zipped

MAIN = b"print('up')\n"
BOUNDARY = "----WebKitFormBoundary7MA4YWxk"
FORM = (
    f"--{BOUNDARY}\r\n"
    'Content-Disposition: form-data; name="game"\r\n\r\nx\r\n'
    f"--{BOUNDARY}\r\n"
    'Content-Disposition: form-data; name="file"; filename="bot/main.py"\r\n'
    "Content-Type: text/x-python\r\n\r\nprint('up')\r\n"
    f"--{BOUNDARY}\r\n"
    'Content-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n'
    f"--{BOUNDARY}--\r\n"
).encode()


def test_no_form_is_too_odd_to_be_refused(in_memory: Path) -> None:
    def read(raw: bytes) -> None:
        finished(receive(raw, in_memory))

    assert fuzz("form", [FORM, FORM * 2, FORM[: len(FORM) // 2]], read) >= 1000


async def receive(raw: bytes, folder: Path) -> None:
    pieces = [raw[: len(raw) // 2], raw[len(raw) // 2 :]]

    async def hear() -> dict[str, Any]:
        return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

    kind = f"multipart/form-data; boundary={BOUNDARY}"
    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", kind.encode())]}
    with Spool(folder, 1 << 20) as spool:
        await receive_form(Request(scope, hear), spool, {})


ARCHIVES = [
    zipped({"bot/main.py": MAIN, "bot/lib/a.py": b"", "bot/botyard.toml": b'language = "python"\n'}),
    tarred((tarfile.TarInfo("main.py"), MAIN), (tarfile.TarInfo("d/" + "x" * 150), b"z")),
    tarred((tarfile.TarInfo("main.py"), MAIN), packed=True),
    b"#!/bin/sh\necho up\n",
]


def test_no_upload_is_too_odd_to_be_unpacked_or_refused(in_memory: Path) -> None:
    def read(raw: bytes) -> None:
        work = in_memory / "work"
        work.mkdir()
        try:
            if not raw:
                raise YardError("nothing came")
            with spooled(in_memory, {"bot": raw}) as spool, open(spool.fileno(), "rb", closefd=False) as file:
                unpacker.take_in(file, spool.parts, work, io.BytesIO())
        finally:
            shutil.rmtree(work)

    assert fuzz("upload", ARCHIVES, read) >= 1000
