"""Every game in the registry is complete. What every game keeps beyond that is in tests/testing/test_laws.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.games import GAMES, OWN_GAMES, golden, load
from botyard.games.golden import playthrough
from botyard.games.hive.settings import HiveSettings
from botyard.games.hive.wire import HiveSession
from botyard.kernel.contract import RoomPart
from botyard.kernel.errors import YardError
from botyard.kernel.habits import Habits
from botyard.kernel.recording import read_text
from botyard.kernel.rule import INTERPRETED
from botyard.testing.laws import check_golden, exported, strange_names
from tests.conftest import SIXTH_GAME

TESTS = Path(__file__).parents[1]


def golden_file(game: str) -> Path:
    """Where the golden playthrough of a game is kept: beside the tests of its package."""
    return TESTS / "golden" / f"{game}.txt" if game in OWN_GAMES else SIXTH_GAME / "tests" / "golden.txt"


def test_the_golden_playthrough_comes_out_the_same(game: str) -> None:
    check_golden(load(game), golden_file(game))


def test_a_golden_playthrough_that_differs_is_told_by_line_and_remedy(tmp_path: Path) -> None:
    text = playthrough(load("hive"))
    path = tmp_path / "hive.txt"
    path.write_text(text.replace("Hive Arena", "Bee Arena", 1))
    with pytest.raises(AssertionError, match=r"line 2 of .*: if the rules changed on purpose: botyard golden hive"):
        check_golden(load("hive"), path)
    path.write_text(text + "more\n")
    with pytest.raises(AssertionError, match="lines long instead of"):
        check_golden(load("hive"), path)


def test_a_playthrough_that_is_cut_short_has_no_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "TICKS", 2)
    assert playthrough(load("hive")).endswith("outcome None\n")


def test_no_golden_playthrough_is_left_over() -> None:
    assert {path.stem for path in (TESTS / "golden").glob("*.txt")} == set(OWN_GAMES)


@pytest.mark.parametrize(
    "path", sorted((TESTS / "conformance").rglob("*.*")), ids=lambda path: "-".join(path.parts[-2:])
)
def test_a_recording_is_recognised_by_its_own_game_alone(path: Path) -> None:
    text = read_text(path)
    assert [game for game in GAMES if load(game).files.recognise(text)] == [path.parent.name]


@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_game_of_ours_has_its_originals_preset_and_three_house_bots(game: str) -> None:
    book = load(game)
    assert set(book.settings.PRESETS) == {"document", "program"}
    assert len(book.bots.HOUSE_BOTS) >= 3


@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_game_of_ours_has_its_tests_its_recordings_and_its_page(game: str) -> None:
    for name in ("test_rules", "test_wire", "test_files", "test_scene", "test_settings", "test_laws", "test_bots"):
        assert (TESTS / "games" / game / f"{name}.py").is_file(), f"{game} lacks {name}"
    assert any((TESTS / "conformance" / game).iterdir())
    page = load(game).folder / "README.md"
    assert all(bot in page.read_text() for bot in load(game).bots.HOUSE_BOTS)


def test_a_misspelt_member_of_a_session_is_found() -> None:
    class Misspelt(HiveSession):
        hangs_ms = 5

    assert strange_names(Misspelt(HiveSettings())) == ["hangs_ms"]


def test_a_game_has_rooms_where_players_come_and_go_and_nowhere_else(game: str) -> None:
    book = load(game)
    assert book.has_rooms == ({"join", "leave"} <= set(vars(book.rules)))
    if book.has_rooms:
        assert exported(RoomPart) <= set(vars(book.room))
    else:
        with pytest.raises(YardError, match=f"{game} cannot be played in a room"):
            assert book.room


def test_some_scenes_have_pictures_for_a_seat_and_events() -> None:
    """Both are looked up by name, so a misspelt one would be missed nowhere else."""
    scenes = {game: set(vars(load(game).scene)) for game in OWN_GAMES}
    assert {game for game in scenes if "seat_picture" in scenes[game]} == set(OWN_GAMES) - {"snakepit"}
    assert {game for game in scenes if "events" in scenes[game]} == {"battlebots", "snakebattle"}


def test_every_bot_is_a_rule_that_sees_a_view_and_a_memory(game: str) -> None:
    decide = load(game).bots.decide
    code = decide.__code__ if INTERPRETED else decide.py_func.__code__  # type: ignore[attr-defined]
    assert code.co_varnames[: code.co_argcount] == ("bot", "arena", "view", "memory")


def test_the_habits_of_a_game_and_its_files_follow_from_any_of_its_presets(game: str) -> None:
    book = load(game)
    for preset in book.settings.PRESETS:
        settings = book.settings.read(preset=preset)
        assert isinstance(settings.habits, Habits)
        assert type(settings.with_fixed_seats()) is book.settings
        assert {file.suffix for file in book.files.match_files(settings)} <= set(book.files.EXPORTS)


HABITS = [
    ("hive", {"port": 4}, Habits(port=4, hides=True)),
    ("battlebots", {"on_bot_failure": "abort"}, Habits(failure_ends_the_game=True)),
    (
        "snakepit",
        {"ask_mode": "one_by_one", "rng_per_game": False, "update_freq": 7, "host": "::1", "port": 5},
        Habits(asks_in_turn=True, own_seeds=False, ticks_per_s=7, host="::1", port=5),
    ),
    (
        "hackman",
        {"ask_mode": "sequential", "propagate_bot_exit_code": True, "memory_warning_kb": 9},
        Habits(asks_in_turn=True, failure_is_exit_status=True, warning_kb=9),
    ),
]


@pytest.mark.parametrize(("game", "values", "habits"), HABITS, ids=[game for game, _, _ in HABITS])
def test_settings_choose_the_habits_of_their_game(game: str, values: dict[str, object], habits: Habits) -> None:
    assert load(game).settings.read(values).habits == habits
