"""What a game may leave out: the house does without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.games import load
from botyard.kernel.contract import ContestRecord
from botyard.kernel.errors import UnknownName
from botyard.kernel.habits import Habits
from botyard.kernel.recording import Conformance
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.samples import Samples
from botyard.kernel.settings import Settings, describe


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rulebook:
    """A game of which nothing is known but its package."""
    (tmp_path / "bare_game").mkdir()
    (tmp_path / "bare_game" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    return Rulebook("bare_game")


def test_a_game_without_an_original_has_nothing_to_export_and_recognises_nothing(bare: Rulebook) -> None:
    assert not bare.files.EXPORTS
    assert not bare.files.PLAYABLE
    assert not bare.files.match_files(Settings())
    assert not bare.files.recognise("{}")
    bare.files.check("{}", Conformance("bare", "file"), None, lambda settings, seed: None)
    with pytest.raises(UnknownName, match=r"unknown export format '\.log'"):
        bare.files.exporter(".log", ("a", "b"))


def test_a_game_without_a_contest_of_its_own_leaves_the_formats_as_they_are(bare: Rulebook) -> None:
    assert bare.contest.USUAL_FORMAT == ""
    assert bare.contest.note is None
    assert bare.contest.format_defaults("round_robin", Settings()) == {}
    assert bare.contest.contest_files(ContestRecord(Settings(), 1, "round_robin", {}, ("a", "b"), ())) == {}


def test_a_game_without_samples_has_plain_ones(bare: Rulebook) -> None:
    assert bare.samples == Samples()


def test_parts_that_are_there_are_used() -> None:
    assert load("snakepit").contest.USUAL_FORMAT == "king_of_the_hill"
    assert load("hive").files.EXPORTS.keys() == {".log"}
    assert load("hive").samples.golden


def test_settings_that_say_nothing_have_the_habits_of_the_house() -> None:
    assert Settings().habits == Habits()
    assert Settings().with_fixed_seats() == Settings()


def test_without_an_original_there_is_one_preset() -> None:
    [profile] = [row for row in describe(Settings) if row.key == "profile"]
    assert (profile.allowed, profile.program) == ("document", "document")
    with pytest.raises(UnknownName, match="unknown preset 'program'"):
        Settings.read(preset="program")
