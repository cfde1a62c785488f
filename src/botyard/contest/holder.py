"""Who holds a store: a process of this machine that lives, or one elsewhere that still beats."""

from __future__ import annotations

import os
import secrets
import socket
import time
from pathlib import Path

SILENT_S = 30.0  # a holder on another machine that has not been heard of for so long is gone


def new_token() -> str:
    """A name for this process that no other ever has."""
    return f"{socket.gethostname()}/{os.getpid()}/{started(os.getpid())}/{secrets.token_hex(4)}"


def holds(token: str, beat: str) -> bool:
    """Whether the holder of a store is still there."""
    machine, process, birth = token.split("/")[:3]
    if machine == socket.gethostname():
        return started(int(process)) == birth
    return time.time() - float(beat) < SILENT_S


def started(process: int) -> str:
    """When a process was started, in the kernel's count; nothing if there is none. Numbers of processes come again."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if state[0] == "Z" else state[19]
