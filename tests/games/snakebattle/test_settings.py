"""The settings of Snake Battle (specification 5)."""

from __future__ import annotations

import pytest

from botyard.games.snakebattle.layout import capacity, layouts, make_arena, seats
from botyard.games.snakebattle.map.alphabet import MAP_ROWS, START, ground_of, map_rows
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.kernel.errors import SettingsError
from botyard.kernel.records import record_of


def test_the_presets_are_the_two_columns_of_the_table() -> None:
    document, program = SnakebattleSettings(), SnakebattleSettings.read(preset="program")
    assert (document.die_penalty, document.stone_score, document.rounds_players_per_room) == (-10, -1, 15)
    assert (program.die_penalty, program.stone_score, program.rounds_players_per_room) == (0, 5, 5)
    assert (document.rounds_enabled, program.rounds_enabled) == (True, False)
    assert (document.wait_for_answer, program.wait_for_answer) == (False, True)


def test_the_default_map_is_as_the_specification_counts_it() -> None:
    text = "".join(MAP_ROWS)
    assert [text.count(symbol) for symbol in "☼#○●$"] == [169, 15, 15, 22, 1]
    assert ground_of("%") == ground_of("@") == ground_of("?") == ground_of("►") == 0
    assert SnakebattleSettings().starts == 15


def test_a_map_may_be_rows_or_one_line() -> None:
    rows = ("☼☼☼☼", "☼# ☼", "☼○ ☼", "☼☼☼☼")
    assert map_rows("\n".join(rows)) == map_rows("".join(rows)) == rows
    arena = record_of(make_arena(SnakebattleSettings(level_map="\n".join(rows))))
    assert (arena.side, arena.start_count) == (4, 1)
    assert arena.ground[arena.starts[0]] == START


@pytest.mark.parametrize(
    ("values", "key", "hint"),
    [
        ({"level_map": "☼☼☼\n☼☼"}, "level_map", "square"),
        ({"level_map": "☼☼\n☼☼"}, "level_map", "3 to 100 rows"),
        ({"level_map": ""}, "level_map", "3 to 100 rows"),
        ({"level_map": "☼" * 101 * 101}, "level_map", "3 to 100 rows"),
        ({"rounds_players_per_room": 1}, "rounds_players_per_room", "at least 2"),
        ({"rounds_players_per_room": 27}, "rounds_players_per_room", "at most 26"),
        ({"rounds_time": 0}, "rounds_time", "at least 1"),
        ({"played_as": "war"}, "played_as", "match, room"),
    ],
)
def test_an_impossible_value_names_key_and_remedy(values: dict[str, object], key: str, hint: str) -> None:
    with pytest.raises(SettingsError, match=hint) as raised:
        SnakebattleSettings.read(values)
    assert raised.value.key == key


def test_one_player_may_play_alone_without_rounds_or_in_a_room() -> None:
    assert SnakebattleSettings(rounds_players_per_room=1, rounds_enabled=False)
    assert SnakebattleSettings(rounds_players_per_room=1, played_as="room")


def test_the_number_of_bots_is_the_number_of_seats() -> None:
    assert seats(SnakebattleSettings().seated(4)) == 4


def test_small_maps_share_the_compiled_records_and_large_ones_have_their_own() -> None:
    small = SnakebattleSettings(level_map="☼" * 9)
    assert layouts(small) == capacity()
    assert capacity().state.itemsize <= 32 * 1024
    large = SnakebattleSettings(level_map="☼" * 40 * 40, rounds_players_per_room=20)
    assert layouts(large).state["picture"].shape == (42, 42)
    assert layouts(large).state["cover"].base.itemsize == 4
