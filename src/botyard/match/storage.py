"""Files that are whole or not there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from botyard.kernel.errors import YardError


def write_atomically(path: Path, content: bytes) -> None:
    """Writes beside the target, then renames: a crash or a full disk leaves the old file or none."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise YardError(f"cannot write {path}", hint=error.strerror or str(error)) from None
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(0o644)
        beside.replace(path)
    except OSError as error:
        raise YardError(f"cannot write {path}", hint=error.strerror or str(error)) from None
    finally:
        beside.unlink(missing_ok=True)


def append_to(path: Path, content: bytes) -> None:
    """Adds to a file, or begins it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(content)
    except OSError as error:
        raise YardError(f"cannot write {path}", hint=error.strerror or str(error)) from None
