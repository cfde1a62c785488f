"""The turn report: for every question what was sent, what came back, how long it took and what became of it.

Kept beside the replay as `REPLAY.turns`, gzip-compressed JSON Lines: a head, then one line per question. The replay is
complete without it.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from botyard.kernel.errors import BadRecord
from botyard.kernel.verdict import Verdict
from botyard.match.player import Answer
from botyard.match.storage import write_atomically

FORMAT = "botyard-turns"
VERSION = 1
SUFFIX = ".turns"


@dataclass(frozen=True, slots=True)
class Turn:
    """One question to one seat. Bytes are kept as text with one character per byte."""

    tick: int
    seat: int
    verdict: Verdict
    reason: str
    ms: float
    limit_ms: int
    sent: str
    received: str
    early: str
    said: str

    @classmethod
    def of(cls, tick: int, seat: int, answer: Answer) -> Turn:
        return cls(
            tick=tick,
            seat=seat,
            verdict=answer.verdict,
            reason=answer.reason,
            ms=round(answer.ms, 3),
            limit_ms=answer.limit_ms,
            sent=answer.sent.decode("latin-1"),
            received=answer.received.decode("latin-1"),
            early=answer.early.decode("latin-1"),
            said=answer.said,
        )


def sidecar_path(replay: Path) -> Path:
    return replay.with_name(replay.name + SUFFIX)


def write_turns(replay: Path, turns: Iterable[Turn]) -> Path:
    lines = [json.dumps({"format": FORMAT, "version": VERSION})]
    lines += [json.dumps(asdict(turn), separators=(",", ":")) for turn in turns]
    path = sidecar_path(replay)
    write_atomically(path, gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))
    return path


def read_turns(replay: Path) -> Iterator[Turn]:
    path = sidecar_path(replay)
    try:
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
        if json.loads(lines[0]).get("format") != FORMAT:
            raise BadRecord(f"{path} is no turn report", hint="it is written beside the replay")
        turns = [json.loads(line) for line in lines[1:]]
        yield from (Turn(**{**turn, "verdict": Verdict(turn["verdict"])}) for turn in turns)
    except FileNotFoundError:
        raise BadRecord(f"no turn report {path}", hint="replays made elsewhere come without one") from None
    except (OSError, EOFError, zlib.error, ValueError, TypeError, KeyError, IndexError) as error:
        if isinstance(error, BadRecord):
            raise
        raise BadRecord(f"{path} is damaged", hint=str(error)) from None
