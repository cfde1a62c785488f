"""Every game in the registry is complete."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from botyard.games import GAMES, OWN_GAMES, golden, load
from botyard.games.golden import playthrough
from botyard.games.hive.settings import HiveSettings
from botyard.games.hive.wire import HiveSession
from botyard.kernel.contract import OPTIONAL_PARTS, PARTS, RoomPart
from botyard.kernel.errors import YardError
from botyard.kernel.recording import read_text
from botyard.kernel.rule import INTERPRETED
from botyard.kernel.session import MoveSession, Session
from botyard.kernel.settings import describe
from botyard.testing.laws import strange_names

TESTS = Path(__file__).parents[1]
ALL_PARTS = {**PARTS, **OPTIONAL_PARTS}


@pytest.mark.parametrize("part", ALL_PARTS)
@pytest.mark.parametrize("game", GAMES)
def test_a_part_exports_what_the_house_uses_of_it(game: str, part: str) -> None:
    if part in OPTIONAL_PARTS and not load(game).has_part(part):
        return
    module = import_module(f"{GAMES[game]}.{part}")
    wanted = exports_of(ALL_PARTS[part])
    assert wanted <= set(vars(module)), f"{game}.{part} lacks {wanted - set(vars(module))}"


@pytest.mark.parametrize("game", GAMES)
def test_a_session_is_one_of_those_that_the_match_knows(game: str) -> None:
    book = load(game)
    session = book.wire.open_session(book.settings(), 0)
    assert isinstance(session, MoveSession if book.facts.link == "process-per-move" else Session)
    assert strange_names(session) == []


def test_a_misspelt_member_of_a_session_is_found() -> None:
    class Misspelt(HiveSession):
        hangs_ms = 5

    assert strange_names(Misspelt(HiveSettings())) == ["hangs_ms"]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_rooms_where_players_come_and_go_and_nowhere_else(game: str) -> None:
    book = load(game)
    assert book.has_rooms == ({"join", "leave"} <= set(vars(book.rules)))
    if book.has_rooms:
        assert exports_of(RoomPart) <= set(vars(book.room))
    else:
        with pytest.raises(YardError, match=f"no rooms of {game}"):
            assert book.room


def exports_of(part: type) -> set[str]:
    return {name for name in {**vars(part), **part.__annotations__} if not name.startswith("_")}


@pytest.mark.parametrize(
    "path", sorted((TESTS / "conformance").rglob("*.*")), ids=lambda path: "-".join(path.parts[-2:])
)
def test_a_recording_is_recognised_by_its_own_game_alone(path: Path) -> None:
    text = read_text(path)
    assert [game for game in GAMES if load(game).files.recognise(text)] == [path.parent.name]


@pytest.mark.parametrize("game", GAMES)
def test_facts_and_settings_are_filled_in(game: str) -> None:
    book = load(game)
    assert book.facts.name == game
    assert book.facts.rules_version >= 1
    assert len(set(book.facts.orders)) == len(book.facts.orders)
    assert "document" in book.settings.PRESETS
    assert ("program" in book.settings.PRESETS) == book.has_part("files"), "both stand for the original"
    for preset in book.settings.PRESETS:
        assert book.settings.read(preset=preset)
    assert all(row.meaning for row in describe(book.settings))


@pytest.mark.parametrize("game", GAMES)
def test_every_house_bot_has_a_sentence_and_each_game_of_ours_has_three(game: str) -> None:
    bots = load(game).bots.HOUSE_BOTS
    assert len(bots) >= (3 if game in OWN_GAMES else 1)
    assert all(sentence.endswith(".") for sentence in bots.values())


@pytest.mark.parametrize("game", OWN_GAMES)
def test_the_golden_playthrough_comes_out_the_same(game: str) -> None:
    stored_at = TESTS / "golden" / f"{game}.txt"
    ours, theirs = playthrough(load(game)).splitlines(), stored_at.read_text().splitlines()
    for number, (mine, stored) in enumerate(zip(ours, theirs, strict=False), 1):
        assert mine == stored, f"line {number} of {stored_at}; if the rules changed on purpose: botyard golden {game}"
    assert len(ours) == len(theirs)


def test_a_playthrough_that_is_cut_short_has_no_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "TICKS", 2)
    assert playthrough(load("hive")).endswith("outcome None\n")


def test_no_golden_playthrough_is_left_over() -> None:
    assert {path.stem for path in (TESTS / "golden").glob("*.txt")} == set(OWN_GAMES)


@pytest.mark.parametrize("game", OWN_GAMES)
def test_every_game_of_ours_has_its_tests_its_recordings_and_its_page(game: str) -> None:
    for name in ("test_rules", "test_wire", "test_files", "test_scene", "test_settings", "test_laws", "test_bots"):
        assert (TESTS / "games" / game / f"{name}.py").is_file(), f"{game} lacks {name}"
    assert any((TESTS / "conformance" / game).iterdir())
    page = load(game).folder / "README.md"
    assert page.is_file()
    assert all(bot in page.read_text() for bot in load(game).bots.HOUSE_BOTS)


@pytest.mark.parametrize("game", GAMES)
def test_every_bot_is_a_rule_that_sees_a_view_and_a_memory(game: str) -> None:
    decide = load(game).bots.decide
    code = decide.__code__ if INTERPRETED else decide.py_func.__code__  # type: ignore[attr-defined]
    assert code.co_varnames[: code.co_argcount] == ("bot", "arena", "view", "memory")
