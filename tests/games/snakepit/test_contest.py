"""The competition of the original: what its settings say of formats, and the results files of its matches."""

from __future__ import annotations

from typing import Any

import pytest

from botyard.games.game import new
from botyard.games.snakepit.contest import contest_files, file_of, format_defaults, note
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.contract import ContestRecord, CountedGame
from botyard.kernel.errors import BadRecord

BOTS = ("anna", "bert")
PLAYED = {"winner": 1, "points": [4, 1009], "pellets": [0, 0], "ticks": 9}
ALONE = {"winner": None, "points": [54], "pellets": [1], "ticks": 4}
HILL = {"solo_games": 2, "best_of": 3, "bonus": 2500, "match_bonus": True}


def record(kind: str, options: dict[str, Any], *games: CountedGame, **values: Any) -> ContestRecord:
    return ContestRecord(SnakepitSettings(snakes=2, **values), 4, kind, options, BOTS, games)


def game(match: str, noted: dict[str, Any] | None = PLAYED) -> CountedGame:
    return CountedGame(match, BOTS if noted is None or len(noted["points"]) == 2 else BOTS[:1], None, noted)


def test_the_settings_of_the_original_are_the_options_of_its_formats() -> None:
    settings = SnakepitSettings(best_of=5, koth_best_of=7, solo_games=3, match_winner=9, wash_limit=8)
    of_match = {"bonus": 9, "wash_limit": 8, "match_games_cap": 0, "rng_per_game": True}
    assert format_defaults("best_of", settings) == {**of_match, "games": 5}
    assert format_defaults("fixed", settings) == {**of_match, "games": 5}
    assert format_defaults("first_to", settings) == {**of_match, "wins": 3}
    of_hill = {"solo_games": 3, "solo_replays": False, "best_of": 7, "match_bonus": True, "rank_method": "competition"}
    assert format_defaults("king_of_the_hill", settings) == {**of_match, **of_hill}
    assert format_defaults("swiss", settings) == {}


def test_the_hill_and_every_solo_match_have_a_file() -> None:
    games = [game("solo anna", ALONE), game("hill"), game("hill"), game("hill", None)]
    files = contest_files(record("king_of_the_hill", HILL, *games))
    assert list(files) == ["bs_results_solo_anna.txt", "bs_results.txt"]
    assert files["bs_results.txt"].startswith("==Match Settings==\n Best Of 3\n Seed 4\n==Snake Scores==\n")
    assert f"#1: bert [2] Score: {2 * 1009 + 2500}\n" in files["bs_results.txt"]
    assert "#1: anna [1] Score: 54\n" in files["bs_results_solo_anna.txt"]


def test_the_bonus_of_the_hill_may_not_count() -> None:
    files = contest_files(record("king_of_the_hill", {**HILL, "match_bonus": False}, game("hill"), game("hill")))
    assert f"#1: bert [2] Score: {2 * 1009}\n" in files["bs_results.txt"]


@pytest.mark.parametrize(
    ("kind", "options", "shown"),
    [("best_of", {"games": 3}, 3), ("first_to", {"wins": 2}, 3), ("fixed", {"games": 2}, 2)],
)
def test_one_match_has_one_file(kind: str, options: dict[str, int], shown: int) -> None:
    files = contest_files(record(kind, {**options, "bonus": 0}, game("match")))
    assert list(files) == ["bs_results.txt"]
    assert f" Best Of {shown}\n" in files["bs_results.txt"]


def test_files_are_left_out_or_joined_as_the_settings_say() -> None:
    games = [game("solo anna", ALONE), game("hill")]
    assert contest_files(record("king_of_the_hill", HILL, *games, preserve_results=False)) == {}
    [joined] = contest_files(record("king_of_the_hill", HILL, *games, preserve_mode="a")).values()
    assert joined.count("==Match Settings==") == 2
    assert contest_files(record("swiss", {}, game("match"))) == {}


def test_a_file_stays_in_the_folder_of_the_report() -> None:
    assert file_of(SnakepitSettings(results_file="/etc/results.log"), "solo ../../x") == "results_solo_.._.._x.log"


def test_a_finished_game_is_noted_in_plain_values() -> None:
    pit = new("snakepit", seed=3, snakes=2, width=8, height=8, initial_len=1)
    while not pit.over:
        pit.step_orders({0: 0, 1: 0})
    noted = note(pit)
    assert noted.keys() >= PLAYED.keys()
    assert list(contest_files(record("fixed", {"games": 1, "bonus": 0}, game("match", noted)))) == ["bs_results.txt"]


@pytest.mark.parametrize(
    "noted",
    [{**PLAYED, "more": 1}, {**PLAYED, "points": [1, 2, 3]}, {**PLAYED, "winner": 2}, {**PLAYED, "ticks": "9"}],
    ids=["unknown key", "a snake too many", "no such winner", "text"],
)
def test_a_note_that_cannot_be_is_refused(noted: dict[str, Any]) -> None:
    broken = CountedGame("match", BOTS, None, noted)
    with pytest.raises(BadRecord, match="the note"):
        contest_files(record("fixed", {"games": 1, "bonus": 0}, broken))
