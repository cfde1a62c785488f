"""Replays and turn reports: small, whole or refused, and true."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.kernel.bounded import VALUES_MAX
from botyard.kernel.errors import BadRecord, YardError
from botyard.match import replay as replays
from botyard.match import storage
from botyard.match.loop import Played
from botyard.match.replay import Replay, canonical, checksum
from botyard.match.turns import read_turns, sidecar_path, write_turns


@pytest.fixture(scope="module")
def played() -> Played:
    return botyard.play("hive", ["house:forager", "house:wanderer"], seed=3)


def body_of(replay: Replay) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(gzip.decompress(replay.to_bytes()))
    return body


def packed(body: dict[str, Any], *, honest: bool = True) -> bytes:
    if honest:
        body.pop("checksum", None)
        body["checksum"] = checksum(body)
    return gzip.compress(canonical(body))


def test_a_replay_is_small_and_leads_to_the_same_end(played: Played, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "game.replay"
    played.replay.write(path)
    assert path.stat().st_size < 2.5 * len(played.replay.ticks)
    again = Replay.read(path)
    assert again.to_bytes() == played.replay.to_bytes()
    final = again.verify()
    assert played.outcome is not None
    assert final.outcome == again.outcome == played.outcome
    assert again.names == played.names


def test_the_same_game_gives_the_same_bytes(played: Played) -> None:
    twin = botyard.play("hive", ["house:forager", "house:wanderer"], seed=3)
    assert twin.replay.to_bytes() == played.replay.to_bytes()


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda raw: raw[: len(raw) // 2], "is cut off"),
        (lambda raw: raw[:-1], "is cut off"),
        (lambda raw: b"", "is not a Botyard replay"),
        (lambda raw: b"\x89PNG" + raw, "is not a Botyard replay"),
        (lambda raw: raw[:40] + bytes([raw[40] ^ 255]) + raw[41:], "replay"),
        (lambda raw: gzip.compress(b'{"format": "other"}'), "is not a Botyard replay"),
        (lambda raw: gzip.compress(b"[]"), "is not a Botyard replay"),
        (lambda raw: gzip.compress(b"hello"), "is not a Botyard replay"),
    ],
)
def test_a_truncated_or_foreign_file_is_refused(played: Played, spoil: Any, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "game.replay"
    path.write_bytes(spoil(played.replay.to_bytes()))
    with pytest.raises(BadRecord, match=complaint):
        Replay.read(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(YardError, match=r"cannot read .*nothing\.replay"):
        Replay.read(tmp_path / "nothing.replay")


@pytest.mark.parametrize("key", ["names", "seed", "ticks", "settings", "outcome"])
def test_an_altered_file_is_refused(played: Played, key: str) -> None:
    body = body_of(played.replay)
    body[key] = {"names": ["a", "b"], "seed": "4", "ticks": body["ticks"][:-1], "settings": {}, "outcome": None}[key]
    with pytest.raises(BadRecord, match="was altered"):
        Replay.from_bytes(packed(body, honest=False))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"version": 9}, "version 9"),
        ({"seed": "-1"}, "seed"),
        ({"missed": [[0, 0, "ODD", ""]]}, "is not a complete replay"),
        ({"ticks": [[{"forfeit": "x"}]]}, "a replay has the entry"),
        ({"ticks": [["text"]]}, "a replay has the entry"),
        ({"ticks": [[[1.5]]]}, "a replay has the entry"),
        ({"ticks": 5}, "is not a complete replay"),
        ({"ticks": [5]}, "is not a complete replay"),
        ({"ticks": [[[2**31]]]}, "a replay has the entry"),
        ({"ticks": [[[0, 2**31]]]}, "a replay has the entry"),
        ({"ticks": [[[0]], [[0], [2**40]]]}, "a replay has the entry"),
        ({"ticks": [[[-(2**31)]]]}, "a replay has the entry"),
        ({"ticks": [[[True]]]}, "a replay has the entry"),
        ({"ticks": [[{"explode": 0}]]}, "a replay has the entry"),
        ({"ticks": [[{"forfeit": 2}]]}, "a replay has the entry"),
        ({"ticks": [[{"forfeit": 0, "join": 0}]]}, "a replay has the entry"),
        ({"game": 5}, "game: 5 is not a string"),
        ({"game": "\x1b[2J"}, "is not a complete replay"),
        ({"rules": "1"}, "rules"),
        ({"seed": 3}, "seed 3"),
        ({"seed": "9" * 5000}, "seed"),
        ({"seed": str(2**64)}, "seed"),
        ({"names": ["a"]}, "1 names for 2 seats"),
        ({"names": ["a", "b", "c"]}, "3 names for 2 seats"),
        ({"names": []}, "0 names for 2 seats"),
        ({"names": ["a", 5]}, "a name: 5 is not a string"),
        ({"names": ["a", "\ud800"]}, "cannot be encoded"),
        ({"names": "ab"}, "names: 'ab' is not a list"),
        ({"entrants": []}, "entrants"),
        ({"entrants": [0, 0]}, "entrants"),
        ({"entrants": [0, 2]}, "entrants"),
        ({"entrants": list(range(65))}, "entrants"),
        ({"entrants": [[], {}]}, "entrants"),
        ({"missed": [[-2, 0, "LATE", ""]]}, "seat 0 in tick -2"),
        ({"missed": [[10**9, 0, "LATE", ""]]}, "seat 0 in tick 1000000000"),
        ({"missed": [[0, 2, "LATE", ""]]}, "seat 2 in tick 0"),
        ({"missed": [[0, -1, "LATE", ""]]}, "seat -1 in tick 0"),
        ({"culprits": 5}, "culprits: 5 is not a list"),
        ({"culprits": [1], "outcome": None}, "lost no turn"),
        ({"culprits": [0], "missed": [[0, 0, "LATE", ""]]}, "has an outcome"),
        ({"missed": [[0, 0, "LATE", 5]]}, "a reason: 5 is not a string"),
        ({"missed": [[0, 0, [], ""]]}, "is not tick, seat, verdict and reason"),
        ({"missed": [5]}, "is not tick, seat, verdict and reason"),
        ({"outcome": 5}, "outcome 5"),
        ({"outcome": {"groups": [[0]], "scores": [1, 2]}}, "instead of all 2 seats"),
        ({"outcome": {"groups": [[0], [1], [1]], "scores": [1, 2]}}, "instead of all 2 seats"),
        ({"outcome": {"groups": [[0], [], [1]], "scores": [1, 2]}}, "instead of all 2 seats"),
        ({"outcome": {"groups": [[0], [7]], "scores": [1, 2]}}, "instead of all 2 seats"),
        ({"outcome": {"groups": [[0], [1]], "scores": [1]}}, "1 scores for 2 seats"),
        ({"outcome": {"groups": [[0], [1]], "scores": [1, "2"]}}, "are not whole numbers"),
        ({"final": 5}, "final: 5 is not a string"),
        ({"final": "0" * 65}, "is not a complete replay"),
        ({"settings": []}, "each setting must be"),
        ({"settings": {"profile": []}}, "each setting must be"),
        ({"settings": {"rows": 1.5}}, "each setting must be"),
        ({"settings": {"rows": {"rows": 3}}}, "each setting must be"),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_a_file_that_makes_no_sense_is_refused(played: Played, change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(YardError, match=complaint):
        Replay.from_bytes(packed({**body_of(played.replay), **change}))


@pytest.mark.parametrize("order", [2**31 - 1, 1 - 2**31])
def test_an_order_may_be_any_number_that_records_hold(played: Played, order: int) -> None:
    read = Replay.from_bytes(packed({**body_of(played.replay), "ticks": [[[order]]]}))
    assert read.ticks == [[[order]]]


def test_the_longest_game_of_two_has_no_more_values_than_are_read() -> None:
    tick = canonical({"": [[3, 4]]})[4:-1]
    assert tick == b"[[3,4]]"
    assert (tick.count(b",") + tick.count(b"[") + 1) * replays.TICKS_MAX < VALUES_MAX  # and a comma to the next


def test_no_game_has_more_ticks_than_can_be_played_again(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "TICKS_MAX", 3)
    with pytest.raises(YardError, match="4 ticks; no game has more than 3"):
        Replay.from_bytes(packed({**body_of(played.replay), "ticks": [[]] * 4}))


def test_a_replay_that_unpacks_to_gigabytes_is_refused_before_it_has(tmp_path: Path) -> None:
    path = tmp_path / "bomb.replay"
    path.write_bytes(gzip.compress(bytes(1 << 20), 9) * 40)
    with pytest.raises(BadRecord, match="unpacks to more than 32 MiB"):
        Replay.read(path)
    path.write_bytes(gzip.compress(b"[" * 100_000))
    with pytest.raises(BadRecord, match="nested more than 32 levels deep"):
        Replay.read(path)
    path.write_bytes(gzip.compress(b'{"a":' + b"[" * 30 + b"[]," * 5_000_000))
    with pytest.raises(BadRecord, match="more than 5000000 values"):
        Replay.read(path)
    with pytest.raises(YardError, match="is larger than 16 MiB"):
        Replay.read(Path("/dev/zero"))


def test_a_game_that_nobody_came_to_has_no_names(played: Played) -> None:
    body = {**body_of(played.replay), "names": [], "outcome": None, "final": ""}
    assert Replay.from_bytes(packed(body)).names == ("", "")


def test_a_file_without_a_checksum_is_refused(played: Played) -> None:
    body = body_of(played.replay)
    del body["checksum"]
    with pytest.raises(BadRecord, match="is not a complete replay"):
        Replay.from_bytes(packed(body, honest=False))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda body: body["ticks"].pop(), "does not lead to its outcome"),
        (lambda body: body.update(final="0" * 64), "does not lead to its final state"),
        (lambda body: body["ticks"].insert(0, [[1, 2]]), "2 orders in tick 0"),
        (lambda body: body.update(rules=7), "version 7 of the rules"),
        (lambda body: body["outcome"].update(scores=[99, 99]), "does not lead to its outcome"),
        (lambda body: body["ticks"].append([[]]), "the game is over by then"),
        (lambda body: body["ticks"].append([{"join": 0}]), "'join' is not possible"),
        (
            lambda body: body.update(names=["a"] * 3, entrants=[0, 1, 2], outcome=None),
            "by its settings the game has 2 seats",
        ),
        (lambda body: body["settings"].update(rows=10**12), "setting rows"),
        (lambda body: body["settings"].update(rows="x"), "setting rows"),
        (lambda body: body["settings"].update(rwos=3), "did you mean 'rows'"),
        (lambda body: body.update(game="chess"), "unknown game 'chess'"),
    ],
)
def test_a_record_that_is_not_true_is_found_out(played: Played, change: Any, complaint: str) -> None:
    body = body_of(played.replay)
    change(body)
    with pytest.raises(YardError, match=complaint):
        Replay.from_bytes(packed(body)).verify()


def test_the_turn_report_lies_beside_the_replay(tmp_path: Path) -> None:
    def noisy(view: Any) -> str:
        return "move \x1b[31mN"

    played = botyard.play("hive", [noisy, noisy], seed=3)
    path = tmp_path / "game.replay"
    assert write_turns(path, played.log) == sidecar_path(path)
    assert read_turns(path).turns == played.turns
    assert "\\x1b" in played.turns[0].reason


@pytest.mark.parametrize(
    "content", [b"", b"junk", gzip.compress(b"", mtime=0), gzip.compress(b'{"format": "x"}\n', mtime=0)], ids=str
)
def test_a_damaged_turn_report_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.replay"
    sidecar_path(path).write_bytes(content)
    with pytest.raises(BadRecord):
        read_turns(path)
    with pytest.raises(BadRecord, match="no turn report"):
        read_turns(tmp_path / "other.replay")


def test_a_disk_that_is_full_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    storage.write_atomically(path, b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(YardError, match="No space left"):
        storage.write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(YardError, match="cannot write"):
        storage.write_atomically(tmp_path / "file" / "inner", b"")
