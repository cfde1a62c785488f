"""Recordings of the originals: how they are read, and what becomes of code that trusts a damaged one."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from botyard.kernel.bounded import json_of
from botyard.kernel.errors import BadRecord, YardError
from botyard.kernel.recording import Believed, first_record, read_text


def test_a_recording_may_be_compressed_and_its_bytes_survive(tmp_path: Path) -> None:
    raw = b"name \xff\n"
    for content in (raw, gzip.compress(raw)):
        (tmp_path / "game.log").write_bytes(content)
        assert read_text(tmp_path / "game.log").encode("utf-8", "surrogateescape") == raw


@pytest.mark.parametrize(
    ("text", "record"),
    [('{"a": 1}\n{"b": 2}\n', {"a": 1}), ('{"a": 1}', {"a": 1}), ("[1]\n", {}), ("{a}\n", {}), ("", {})],
)
def test_a_recording_is_known_by_its_first_record(text: str, record: dict[str, int]) -> None:
    assert first_record(text) == record


def test_what_trust_in_a_recording_costs_is_told_as_a_bad_record() -> None:
    with pytest.raises(BadRecord, match=r"line 7: KeyError\('turn'\)"), Believed("line 7"):
        json_of("{}", "it")["turn"]
    with pytest.raises(BadRecord, match="line 8: "), Believed(lambda: "line 8"):
        json_of("{", "it")
    with pytest.raises(BadRecord, match="line 9: "), Believed("line 9"):
        np.zeros(1, "i4")[:] = np.array([np.nan])


def test_whatever_else_happens_beside_a_recording_is_left_as_it_is() -> None:
    with pytest.raises(YardError, match=r"^a mistake$"), Believed("line 7"):
        raise YardError("a mistake")
    with pytest.raises(KeyboardInterrupt), Believed("line 7"):
        raise KeyboardInterrupt
    with np.errstate(invalid="warn"):
        with Believed("line 7"):
            assert np.geterr()["invalid"] == "raise"
        assert np.geterr()["invalid"] == "warn"
