"""A spool holds an upload while it comes in: files one after another on the disk, never more than is allowed.

Its file has no name, so nothing is left of it, whatever ends this process.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from botyard.jail.bot_files import FILES_MAX
from botyard.jail.packed_bots import PATH_MAX
from botyard.kernel.errors import quoted
from botyard.yard.refusals import Refusal, TooLarge


class Spool:
    """An upload that comes in."""

    def __init__(self, folder: Path, most: int) -> None:
        """`most` is how many bytes all files together may have."""
        folder.mkdir(parents=True, exist_ok=True)
        self._file = tempfile.TemporaryFile(dir=folder, prefix="upload-")  # noqa: SIM115
        self.most, self.size = most, 0
        self.parts: list[tuple[str, int]] = []  # path and size
        self.index_at = 0

    def begin(self, path: str) -> None:
        """A further file comes."""
        if len(path.encode(errors="replace")) > PATH_MAX:
            raise Refusal(f"the name {quoted(path)} of a file is too long", hint=f"at most {PATH_MAX} bytes fit")
        if len(self.parts) >= FILES_MAX:
            raise TooLarge(f"more than {FILES_MAX} files were handed in", hint="hand in the sources alone")
        self.parts.append((path, 0))

    def add(self, chunk: bytes) -> None:
        """A piece of the last file comes."""
        self.size += len(chunk)
        if self.size > self.most:
            raise too_large(self.most)
        path, size = self.parts[-1]
        self.parts[-1] = (path, size + len(chunk))
        self._file.write(chunk)

    def end(self) -> None:
        """All files are there: writes their names behind them."""
        if not self.parts or not self.size:
            raise Refusal("no file came", hint="choose a file or a folder with your bot")
        self.index_at = self.size
        self._file.write(json.dumps(self.parts).encode())
        self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()


def too_large(most: int) -> TooLarge:
    return TooLarge(f"the upload is larger than {most / (1 << 20):g} MiB", hint="hand in the sources alone, or packed")
