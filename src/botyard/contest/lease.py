"""Who holds a store: a process of this machine that lives, or one elsewhere that still beats."""

from __future__ import annotations

import os
import secrets
import socket
import time
from typing import Any

from botyard.kernel.processes import started

SILENT_S = 30.0  # a holder on another machine that has not been heard of for so long is gone


def new_token() -> str:
    """A name for this process that no other ever has."""
    return f"{socket.gethostname()}/{os.getpid()}/{started(os.getpid())}/{secrets.token_hex(4)}"


def holds(token: str, beat: str) -> bool:
    """Whether the holder of a store is still there, as far as one look can tell.

    Of one elsewhere only its beat is known, by its clock; that one and ours may be far apart, or have jumped.
    """
    machine, process, birth = token.split("/")[:3]
    if machine == socket.gethostname():
        return started(int(process)) == birth
    return abs(time.time() - float(beat)) < SILENT_S


def is_elsewhere(note: str) -> bool:
    """Whether a note names a holder on another machine; one that cannot be read names nobody."""
    token, _, beat = note.rpartition("@")
    return token.count("/") >= 2 and token.split("/")[0] != socket.gethostname() and is_time(beat)


def is_time(beat: str) -> bool:
    try:
        float(beat)
    except ValueError:
        return False
    return True


def is_held(holder: Any) -> bool:
    """Whether a note about a holder is true. One that cannot be read is nobody's."""
    try:
        return isinstance(holder, str) and holds(*holder.rsplit("@", 1))
    except (ValueError, TypeError):
        return False
