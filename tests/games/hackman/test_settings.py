"""The settings of Hack-man, and the maps that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.games.hackman.layout import bugs_possible, layouts
from botyard.games.hackman.map.plan import NOWHERE
from botyard.games.hackman.settings import HackmanSettings
from botyard.kernel.errors import SettingsError
from botyard.kernel.settings import describe
from tests.games.hackman.table import plan_of

SMALL = {
    "field_width": 5,
    "field_height": 3,
    "field_layout": ",".join("......x.x......"),
    "start_points": "0,0 0,2",
    "bug_spawn_points": "4,1",
}


def small(**changes: Any) -> HackmanSettings:
    return HackmanSettings(**{**SMALL, **changes})


def refused(key: str, hint: str, **changes: Any) -> None:
    with pytest.raises(SettingsError, match=hint) as caught:
        small(**changes)
    assert caught.value.key == key


def test_the_default_map_is_as_described() -> None:
    plan = HackmanSettings().plan
    assert (plan.content.count("x"), plan.content.count(".")) == (118, 162)
    assert len(plan.closed) == 6
    assert len(plan.rooms) == 156
    # The 24 junctions with three ways to come, and two cells above the gate; from nowhere any cell can be a decision.
    assert sum(behind != NOWHERE for _, behind in plan.decisions) == 74
    assert sum(behind == NOWHERE for _, behind in plan.decisions) == 156


def test_a_small_map_of_ones_own_is_taken() -> None:
    game = Game(load("hackman"), small(), 3)
    assert sorted(plan_of(game).closed) == [4, 9, 14]
    assert game.arena.room_count == 10


@pytest.mark.parametrize(
    ("key", "hint", "changes"),
    [
        ("field_layout", "15 cells", {"field_layout": ".,."}),
        ("field_layout", r"cell \(1,0\)", {"field_layout": ",".join(".o....x.x......")}),
        ("field_layout", r"3 open cells .* \(3,0\)", {"field_layout": ",".join("..x...x.x...x..")}),
        ("start_points", "with a space", {"start_points": "0,0;0,2"}),
        ("start_points", "2 points", {"start_points": "0,0"}),
        ("start_points", "not on a board", {"start_points": "0,0 0,3"}),
        ("start_points", "is a wall", {"start_points": "0,0 1,1"}),
        ("start_points", "closed to players", {"start_points": "0,0 4,0"}),
        ("bug_spawn_points", "must not name a point twice", {"bug_spawn_points": "4,1 4,1"}),
        ("bug_spawn_points", "is a wall", {"bug_spawn_points": "1,1"}),
        ("bug_spawn_points", "give each spawn point an open neighbour", {"field_layout": ",".join("...xx.x.x....xx")}),
        ("chase_start", "from 0 to 1", {"chase_start": "1.5"}),
        ("chase_start", "a number", {"chase_start": "often"}),
        ("chase_growth", "or null", {"chase_growth": "nan"}),
        ("chase_growth_total", "a number", {"chase_growth_total": ""}),
        ("snippet_spawn_rate", "at least 1", {"snippet_spawn_rate": 0}),
        ("max_rounds", "at most", {"max_rounds": 1_000_000}),
        ("collision_order", "one of", {"collision_order": "none"}),
    ],
)
def test_what_cannot_be_is_refused_with_a_remedy(key: str, hint: str, changes: dict[str, Any]) -> None:
    refused(key, hint, **changes)


def test_a_gate_that_leads_only_to_closed_cells_is_no_gate() -> None:
    layout = ",".join("..x....x....x..")
    refused("bug_spawn_points", "cannot get out", field_layout=layout, bug_spawn_points="3,0 4,1 3,2 3,1 4,0 4,2")
    refused("bug_spawn_points", "cannot get out", field_layout=layout, bug_spawn_points="3,1 4,0 4,2")


def test_two_spawn_points_that_lead_to_each_other_are_no_way_out() -> None:
    refused("bug_spawn_points", "cannot get out", field_layout=",".join("..x....xxx....."), bug_spawn_points="3,0 4,0")


def test_the_map_check_can_be_switched_off() -> None:
    assert small(field_layout=",".join("..x...x.x...x.."), map_check=False).plan.rooms
    with pytest.raises(SettingsError):
        small(field_layout=".", map_check=False)


def test_numbers_null_and_points_may_come_as_such() -> None:
    settings = HackmanSettings.read(
        {"chase_start": 0.25, "chase_growth": None, "chase_growth_total": 1, "start_points": [[2, 7], (17, 7)]}
    )
    assert (settings.chase_start, settings.chase_growth, settings.chase_growth_total) == ("0.25", "null", "1")
    assert settings.start_points == "2,7 17,7"
    assert HackmanSettings.read({"chase_growth": 0.01}).chase_chance(11, True) == pytest.approx(0.3)
    with pytest.raises(SettingsError, match="a list of points"):
        HackmanSettings.read({"start_points": [1, 2]})
    with pytest.raises(SettingsError, match="must be a string"):
        HackmanSettings.read({"chase_start": True})


def test_the_program_differs_in_its_wire_and_takes_any_map() -> None:
    settings = HackmanSettings.read({}, "program")
    assert (settings.ask_mode, settings.late_answers, settings.answer_line) == ("sequential", "next_question", "last")
    assert (settings.blank_answer, settings.crash_detection) == ("abort", "timeout")
    assert HackmanSettings().ask_mode == "parallel"


def test_every_setting_of_the_specification_is_there() -> None:
    keys = {row.key for row in describe(HackmanSettings)}
    rules = "max_rounds player_snippet_count map_snippet_count snippet_spawn_rate snippet_spawn_count"
    rules += " initial_enemy_count enemy_spawn_delay enemy_spawn_rate enemy_spawn_count enemy_snippet_loss"
    rules += " map_weapon_count weapon_spawn_delay weapon_spawn_rate weapon_spawn_count weapon_snippet_loss"
    rules += " weapon_paralysis_duration field_width field_height field_layout seed start_points bug_spawn_points"
    rules += " chase_start chase_growth chase_growth_total chase_reference_rounds chase_min_path"
    wrapper = "timebank_ms time_per_move_ms max_timeouts engine_timeout_ms memory_warning_kb stream_limit_chars"
    wrapper += " result_file propagate_bot_exit_code debug suppress_engine_io"
    switches = "collision_order clamp_snippets spawn_after_end blank_answer late_answers answer_line ask_mode"
    switches += " score_is_rounds settle_ms crash_detection"
    assert set(f"{rules} {wrapper} {switches}".split()) <= keys


def test_records_are_sized_for_the_bugs_that_can_come() -> None:
    assert bugs_possible(HackmanSettings()) == 54 // 5
    assert layouts(HackmanSettings()).state["bugs"].shape == (32,)
    # Weapons that bring more snippets than they cost: two a round is all that can be collected.
    many = HackmanSettings(weapon_spawn_rate=1, enemy_spawn_rate=1, initial_enemy_count=3)
    assert bugs_possible(many) == 403
    assert layouts(many).state["bugs"].shape == (2048,)
    assert layouts(HackmanSettings(max_rounds=300)).arena["chase"].shape == (2, 512)


def test_a_state_is_small() -> None:
    assert layouts(HackmanSettings()).state.itemsize <= 2048
