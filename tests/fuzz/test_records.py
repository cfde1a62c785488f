"""Replays, turn reports and recordings, bent in every way: an answer or a refusal, and never anything else."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.games import GAMES, load
from botyard.games.game import Game
from botyard.kernel.errors import YardError
from botyard.kernel.recording import Conformance, read_text
from botyard.kernel.verdict import Verdict
from botyard.match.board_notes import TurnNotes
from botyard.match.loop import Played
from botyard.match.replay import Replay, canonical, checksum
from botyard.match.report import TurnReport
from botyard.match.report_text import report_lines
from botyard.match.turn_sheet import turn_sheet
from botyard.match.turns import TurnLog, read_turns, sidecar_path, write_turns
from tests.conftest import recorded_file
from tests.fuzz.harness import bent, crooked, fuzz

TICKS = 12
SHORT: dict[str, Any] = {"max_turns": TICKS, "reply_timeout_ms": 60_000}


@cache
def played() -> Played:
    return botyard.play("hive", ["house:forager", "house:raider"], seed=3, **SHORT)


def packed(raw: bytes) -> bytes:
    return gzip.compress(raw, 1, mtime=0)


def decoded(raw: bytes) -> Any:
    return json.loads(raw)


def bend_packed(
    chance: random.Random, samples: Sequence[bytes], bend_content: Callable[[random.Random, bytes], bytes]
) -> bytes:
    """The bytes, the text in them, or, most often, what the text says."""
    way = chance.randrange(6)
    if way == 0:
        return bent(chance, samples)
    inner = gzip.decompress(chance.choice(samples))
    return packed(bent(chance, [inner]) if way == 1 else bend_content(chance, inner))


# Replays


def bend_replay(chance: random.Random, samples: Sequence[bytes]) -> bytes:
    return bend_packed(chance, samples, bend_body)


def bend_body(chance: random.Random, text: bytes) -> bytes:
    """Behind a checksum that is right."""
    body = decoded(text)
    del body["checksum"]
    body = crooked(chance, body)
    if isinstance(body, dict):
        body["checksum"] = checksum(body)
    return canonical(body)


def read_replay(raw: bytes) -> None:
    """Plays it as well, where that takes no other rules than those that are compiled already."""
    replay = Replay.from_bytes(raw)
    if replay.settings == played().replay.settings and len(replay.ticks) < 10 * TICKS:
        replay.verify()


def test_no_replay_is_too_odd_to_be_refused() -> None:
    void = botyard.play("hive", ["house:forager", "house:raider"], seed=4, **SHORT).replay
    void.outcome, void.final = None, ""
    void.add_change("forfeit", 1)
    assert fuzz("replay", [played().replay.to_bytes(), void.to_bytes()], read_replay, bend=bend_replay) >= 1000


# Turn reports


def bend_report(chance: random.Random, samples: Sequence[bytes]) -> bytes:
    return bend_packed(chance, samples, bend_line)


def bend_line(chance: random.Random, text: bytes) -> bytes:
    lines = [decoded(line) for line in text.splitlines()]
    at = chance.choice((0, chance.randrange(len(lines))))
    lines[at] = crooked(chance, lines[at])
    return b"\n".join(json.dumps(line).encode() for line in lines)


def noted(log: TurnLog) -> TurnLog:
    """The log with something of everything in it: words, a lost turn, notes of each kind."""
    notes = TurnNotes(
        ({"cell": [1, 2], "colour": "red", "text": "here"}, {"line": [[0, 0], [3, 3]], "turn": 2}, {"mark": "look"}),
        dropped=2,
        reason="unknown key 'color'",
    )
    first, second, *others = log.turns
    log.turns = [
        replace(first, sent="view\n", received="3,0\n", said="words\n", received_bytes=4, notes=notes),
        replace(second, verdict=Verdict.GARBLED, reason="not an order", received="fly\n", received_bytes=4, order=None),
        *others,
    ]
    log.seats = (replace(log.seats[0], said="bye\n", notes=notes), *log.seats[1:])
    return log


def test_no_turn_report_is_too_odd_to_be_refused(in_memory: Path) -> None:
    path = in_memory / "game.replay"
    played().replay.write(path)
    written = write_turns(path, noted(played().log)).read_bytes()

    def read(raw: bytes) -> None:
        sidecar_path(path).write_bytes(raw)
        told = TurnReport()
        told.add_file(path)
        for line in report_lines(told, full=True):
            assert line.text.isprintable()
        [game] = told.games
        for notes in (True, False):
            sheet = turn_sheet(game.replay, read_turns(path), notes=notes)
            assert json.dumps(sheet, ensure_ascii=False).isprintable()

    assert fuzz("turns", [written], read, bend=bend_report) >= 1000


# Recordings


def few(record: dict[str, Any]) -> dict[str, Any]:
    """A recorded game with its first steps alone."""
    return {
        key: value[:3] if key in ("steps", "rounds", "ticks") and isinstance(value, list) else value
        for key, value in record.items()
    }


def recorded(game: str) -> list[bytes]:
    """Small recordings of a game, in each of its forms that lies here."""
    lines = read_text(recorded_file(game)).split("\n")
    if game == "snakebattle":
        samples = ["\n".join(lines[:4])]
    else:
        samples = [json.dumps(few(json.loads(line))) for line in lines[:2]]
    return [sample.encode() for sample in (*samples, *exported(game))]


def exported(game: str) -> list[str]:
    """What we write ourselves and read again."""
    if game == "hive":
        from botyard.match.original_files import follow, open_writer

        replay = played().replay
        return [follow(open_writer(load("hive"), ".log", replay.names), replay, None).decode()]
    if game == "snakebattle":
        case = {
            "name": "one", "settings": {"rounds_enabled": False},
            "steps": [
                {"dice": [0]}, {"given": ["☼☼☼☼☼", "☼   ☼", "☼╘► ☼", "☼ ○ ☼", "☼☼☼☼☼"]}, {"players": 1},
                {"put": {"apple": [2, 3]}}, {"set": {"hero": {"flying_add": 3}}}, {"do": {"hero": ["LEFT"]}},
                {"tick": 1}, {"events": {"hero": []}}, {"score_event": {"hero": "EAT[3]"}},
                {"state": {"hero": {"length": 2}}}, {"wear": {"hero": 1}},
            ],
        }  # fmt: skip
        plane = {"name": "two", "settings": {}, "steps": [{"snake": {"length": 2, "active": True}}, {"tick": 2}]}
        return [json.dumps([case, plane])]
    return []


def bend_recording(chance: random.Random, samples: Sequence[bytes]) -> bytes:
    sample = chance.choice(samples)
    if sample.startswith(b"#") or chance.randrange(6) == 0:
        return bent(chance, [sample])
    lines = [decoded(line) for line in sample.split(b"\n")]
    at = chance.randrange(len(lines))
    lines[at] = crooked(chance, lines[at])
    return b"\n".join(json.dumps(line).encode() for line in lines)


@pytest.mark.parametrize("game", [game for game in GAMES if load(game).has_part("files")])
def test_no_recording_is_too_odd_to_be_refused(game: str) -> None:
    book = load(game)
    usual = book.layouts(book.settings.read({}, "program"))

    def new_game(settings: Any, seed: int) -> Game:
        if book.layouts(settings) != usual:
            raise YardError("other records", hint="to compile rules for every size takes too long for a test")
        return Game(book, settings, seed)

    def read(raw: bytes) -> None:
        text = raw.decode("utf-8", "surrogateescape")
        if book.files.recognise(text):
            book.files.check(text, Conformance(game, "here"), 0, new_game)

    assert fuzz(f"recording-{game}", recorded(game), read, bend=bend_recording) >= 1000
