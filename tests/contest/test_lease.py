"""Notes about who holds a store."""

from __future__ import annotations

import socket
import time

import pytest

from botyard.contest.lease import SILENT_S, is_elsewhere, is_held, new_token

HERE = socket.gethostname()


@pytest.mark.parametrize(
    ("note", "elsewhere"),
    [
        ("machine/1/2/mark@5.0", True),
        ("machine/1/2@5", True),
        ("machine/1@5", False),
        ("machine/1/2/mark@soon", False),
        ("machine/1/2/mark", False),
        (f"{HERE}/1/2/mark@5.0", False),
        (f"machine/{HERE}/2/mark@5.0", True),
        ("", False),
    ],
)
def test_a_note_names_a_holder_on_another_machine_or_nobody_there(note: str, elsewhere: bool) -> None:
    assert is_elsewhere(note) is elsewhere


def test_a_holder_elsewhere_is_alive_for_as_long_as_it_may_be_silent_whoever_s_clock_is_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    for silent_s in (SILENT_S - 1, SILENT_S, SILENT_S + 1):
        for beat in (1000 - silent_s, 1000 + silent_s):
            assert is_held(f"machine/1/2/mark@{beat}") is (silent_s < SILENT_S)


def test_who_lives_on_this_machine_holds_however_long_it_was_silent() -> None:
    assert is_held(f"{new_token()}@0")
    assert new_token() != new_token()


@pytest.mark.parametrize("note", [None, 7, b"machine/1/2@5", "", "machine/1/2", "machine/1@5", "machine/1/2@soon"])
def test_a_note_that_cannot_be_read_names_nobody(note: object) -> None:
    assert not is_held(note)
