"""Scripts that are run in a process of their own, with Numba's simulator of a CUDA device if they ask for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.waiting import RUN_S

ROOT = Path(__file__).parents[1]


def run(script: str, **environment: str) -> str:
    """What a script prints; rules run as this environment says, whatever they do here."""
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("BOTYARD_RULES", "NUMBA", "COV"))
    }
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(
        command, env={**clean, **environment}, capture_output=True, text=True, check=False, timeout=RUN_S, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
