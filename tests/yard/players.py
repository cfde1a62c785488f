"""Sources of bots that really play, in cages."""

from __future__ import annotations

import tempfile
from functools import cache
from io import BytesIO
from pathlib import Path

from botyard.jail.canonical import pack_bot

MANIFEST = 'name = "NAME"\nlanguage = "python"\nprotocol = "json"\nrun = ["python3", "main.py"]\n'
SPEAKS = """
import json, random, sys, time

for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print(json.dumps({"type": "ready", "version": 1, "name": "NAME"}), flush=True)
    elif told["type"] == "turn":
        time.sleep(SECONDS)
        print(json.dumps({"turn": told["turn"], "order": random.choice(ORDERS)}), flush=True)
"""
ORDERS = ["move N", "move E", "guard N"]


@cache
def packed(files: tuple[tuple[str, bytes], ...]) -> bytes:
    """The canonical archive of these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files:
            (Path(folder) / name).write_bytes(content)
        target = BytesIO()
        pack_bot(Path(folder), target)
        return target.getvalue()


def files_of_speaker(name: str, seconds: float = 0.0) -> dict[str, bytes]:
    """A bot that gives one of a few orders at random, each after so many seconds."""
    source = SPEAKS.replace("NAME", name).replace("ORDERS", repr(ORDERS)).replace("SECONDS", str(seconds))
    return {"botyard.toml": MANIFEST.replace("NAME", name).encode(), "main.py": source.encode()}


def speaker(name: str, seconds: float = 0.0) -> bytes:
    """The same, packed."""
    return packed(tuple(sorted(files_of_speaker(name, seconds).items())))
