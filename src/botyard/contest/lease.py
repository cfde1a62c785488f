"""This module tells who holds a store: a living process of this machine, or one elsewhere that still signs its note."""

from __future__ import annotations

import os
import secrets
import socket
import time
from typing import Any

from botyard.kernel.processes import started

SILENT_S = 30.0  # a holder on another machine that wrote nothing for so long counts as gone


def new_token() -> str:
    """Returns a name for this process that no other process ever has."""
    return f"{socket.gethostname()}/{os.getpid()}/{started(os.getpid())}/{secrets.token_hex(4)}"


def holds(token: str, beat: str) -> bool:
    """Whether the holder of a store is still alive, as far as one look can tell.

    Of a holder on another machine we know only when it last wrote, by its own clock, which may differ from ours.
    """
    machine, process, birth = token.split("/")[:3]
    if machine == socket.gethostname():
        return started(int(process)) == birth
    return abs(time.time() - float(beat)) < SILENT_S


def is_elsewhere(note: str) -> bool:
    """Whether a note names a holder on another machine. A note that cannot be read names nobody."""
    token, _, beat = note.rpartition("@")
    return token.count("/") >= 2 and token.split("/")[0] != socket.gethostname() and is_time(beat)


def is_time(beat: str) -> bool:
    try:
        float(beat)
    except ValueError:
        return False
    return True


def is_held(holder: Any) -> bool:
    """Whether the holder that a note names is alive. A note that cannot be read names nobody."""
    try:
        return isinstance(holder, str) and holds(*holder.rsplit("@", 1))
    except (ValueError, TypeError):
        return False
