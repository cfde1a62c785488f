"""`botyard contest` prepares, runs and reports contests; each is described by one file."""

from __future__ import annotations

from botyard.cli.contest import look, play, prepare, watch  # each adds its commands
from botyard.cli.contest.group import app

__all__ = ["app", "look", "play", "prepare", "watch"]
