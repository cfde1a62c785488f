"""Where bugs go (specification 3.3)."""

from __future__ import annotations

import pytest

from botyard.games.hackman.settings import HackmanSettings
from tests.games.hackman.table import CHASES, ROAMS, DrawnMaze, drawn, hackman, rings


def test_a_bug_leaves_the_server_room_by_the_gate() -> None:
    game = hackman(rings(r4c3="<", r0c0="0", r0c6="1"))
    assert game.play("pass pass").board() == drawn(rings(r3c3="^", r0c0="0", r0c6="1"))
    assert game.play("pass pass").board() == drawn(rings(r2c3="^", r0c0="0", r0c6="1"))


def test_bugs_take_these_ways_out_of_the_default_room() -> None:
    plan = HackmanSettings().plan
    ways = {}
    for cell in (7 * 20 + 8, 7 * 20 + 11):
        way = [cell]
        while way[-1] in plan.closed:
            way.append(plan.neighbours[way[-1]][plan.way_out[way[-1]]])
        ways[plan.place(cell)] = [plan.place(one) for one in way[1:]]
    assert ways == {"(8,7)": ["(9,7)", "(9,6)", "(9,5)"], "(11,7)": ["(10,7)", "(10,6)", "(10,5)"]}


def test_a_spawn_point_with_one_neighbour_uses_it_even_if_that_is_a_spawn_point() -> None:
    game = hackman("""
        0 . . . 1
        . x g x .
        . x s x .
        . x s< x .
        . . x . .
    """, map_check=False)  # fmt: skip
    assert game.play("pass pass").state.bugs[0] == 2 * 5 + 2


def test_a_bug_in_a_corridor_goes_on_without_a_draw() -> None:
    assert hackman(rings(r0c1=">", r1c0="0", r1c6="1")).play("pass pass").board() == drawn(
        rings(r0c2=">", r1c0="0", r1c6="1")
    )


def test_a_bug_follows_a_bend() -> None:
    game = hackman(rings(r0c0="<", r2c2="0", r1c6="1"))
    assert game.play("pass pass").board() == drawn(rings(r1c0="v", r2c2="0", r1c6="1"))


def test_a_bug_turns_round_in_a_dead_end() -> None:
    game = hackman("""
        < . . g s
        x x . x x
        0 . . . 1
    """)
    assert game.play("pass pass").board() == drawn("""
        . > . g s
        x x . x x
        0 . . . 1
    """)


def test_a_dead_end_behind_the_gate_leads_back_in_10_6() -> None:
    game = hackman("""
        ^ . 0 . 1
        g x . x .
        s x . . .
    """, map_check=False)  # fmt: skip
    # The only room beside the bug is to the right; from there it may not come back, but it may go on.
    assert game.play("pass pass").state.headings[0] == 3
    stuck = hackman("""
        ^ x 0 . 1
        g x . x .
        s x . . .
    """, map_check=False)  # fmt: skip
    assert stuck.play("pass pass").board() == drawn("""
        . x 0 . 1
        gv x . x .
        s x . . .
    """)


def test_a_bug_that_is_walled_in_stays_and_keeps_its_direction_10_6() -> None:
    game = hackman("""
        s> x 0 . 1
        x x . . .
    """, map_check=False)  # fmt: skip
    before = game.board()
    assert game.play("pass pass").board() == before


def test_a_bug_at_a_junction_may_roam_in_the_order_up_down_left_right() -> None:
    places = []
    for value in range(2):
        game = hackman(rings(r0c3="^", r2c0="0", r2c6="1"))
        game.play("pass pass", draws=[*ROAMS, (2, value)])
        places.append(divmod(int(game.state.bugs[0]), 7))
    assert places == [(0, 2), (0, 4)]
    for value, place in enumerate([(1, 3), (2, 2)]):
        game = hackman(rings(r2c3="<", r2c0="0", r2c6="1"))
        assert divmod(int(game.play("pass pass", draws=[*ROAMS, (2, value)]).state.bugs[0]), 7) == place


def test_a_chasing_bug_takes_the_way_to_the_nearest_player() -> None:
    game = hackman(rings(r0c3="^", r0c0="0", r0c5="1"))
    assert game.play("pass pass", draws=CHASES).board() == drawn(rings(r0c4=">", r0c0="0", r0c5="1"))


def test_a_tie_goes_to_player_0() -> None:
    game = hackman(rings(r0c3="^", r0c1="0", r0c5="1"))
    assert game.play("pass pass", draws=CHASES).board() == drawn(rings(r0c2="<", r0c1="0", r0c5="1"))
    game = hackman(rings(r0c3="^", r0c1="1", r0c5="0"))
    assert game.play("pass pass", draws=CHASES).board() == drawn(rings(r0c4=">", r0c1="1", r0c5="0"))


def test_bugs_see_where_the_players_have_gone() -> None:
    game = hackman(rings(r0c3="^", r0c0="0", r0c6="1"))
    assert game.play("down left", draws=CHASES).board() == drawn(rings(r0c4=">", r1c0="0", r0c5="1"))


def test_a_chase_of_one_step_is_dropped_and_no_other_player_chased() -> None:
    game = hackman(rings(r0c3="^", r0c2="0", r0c6="1"))
    game.play("pass pass", draws=[*CHASES, (2, 1)])
    assert game.board() == drawn(rings(r0c4=">", r0c2="0", r0c6="1"))


def test_bugs_can_be_made_to_step_on_a_neighbour() -> None:
    game = hackman(rings("player 0: 4 snippets", r0c3="^", r0c2="0", r0c6="1"), chase_min_path=1)
    game.play("pass pass", draws=CHASES)
    assert game.scores == (0, 0)
    assert game.state.bug_count == 0


@pytest.mark.parametrize("min_path", [1, 2])
def test_a_bug_on_the_cell_of_a_player_does_not_chase_him(min_path: int) -> None:
    game = hackman(rings("player 0: 9 snippets", r0c3="^", r1c3="0", r2c6="1"), chase_min_path=min_path)
    game.play("up pass", draws=[*CHASES, (2, 0)])  # the bug is above; the player comes, the bug moves on
    assert game.board() == drawn(rings(r0c3="0", r0c2="<", r2c6="1"))


def test_a_player_straight_behind_is_no_prey() -> None:
    game = hackman(rings(r0c3="^", r1c3="01"))
    game.play("pass pass", draws=[*CHASES, (2, 0)])
    assert game.board() == drawn(rings(r0c2="<", r1c3="01"))


def test_the_cell_behind_is_shut_on_the_whole_way() -> None:
    # Player 1 is two steps away through the cell behind the bug, and farther around the ring.
    game = hackman(rings(r0c3="^", r1c3="0", r2c3="1"))
    game.play("pass pass", draws=CHASES)
    assert game.board() == drawn(rings(r0c2="<", r1c3="0", r2c3="1"))


def test_player_1_is_chased_if_there_is_no_way_to_player_0() -> None:
    game = hackman(rings(r0c3="^", r1c3="0", r0c6="1"))
    assert game.play("pass pass", draws=CHASES).board() == drawn(rings(r0c4=">", r1c3="0", r0c6="1"))


def test_a_bug_that_came_from_nowhere_has_no_cell_shut_behind_it() -> None:
    game = hackman(rings(r0c3="v", r2c3="0", r0c6="1"))
    assert game.play("pass pass", draws=CHASES).board() == drawn(rings(r1c3="v", r2c3="0", r0c6="1"))


def real(chance: float) -> list[tuple[int, int]]:
    bits = int(chance * (1 << 53))
    return [(1 << 26, bits >> 27), (1 << 27, bits & ((1 << 27) - 1))]


@pytest.mark.parametrize(("rounds", "chance"), [(0, 0.2), (100, 0.2 + 100 * 0.004), (199, 0.2 + 199 * 0.004)])
def test_the_chance_to_chase_grows_and_includes_its_bound(rounds: int, chance: float) -> None:
    head = f"round {rounds}, collected 0, next bug 1"
    drawing = rings(head, r0c3="^", r0c0="0", r0c6="1")
    feeds = [(14, 0)] if rounds == 199 else []  # round 200 is divisible by 8
    just = DrawnMaze.drawn("hackman", drawing)
    just.play("pass pass", draws=[*real(chance), *feeds])
    above = real(chance)
    above[1] = (1 << 27, above[1][1] + 1)
    DrawnMaze.drawn("hackman", drawing).play("pass pass", draws=[*above, (2, 0), *feeds])


def test_bugs_of_the_set_up_grow_with_the_length_of_the_game_3_8() -> None:
    settings = HackmanSettings(max_rounds=80, initial_enemy_count=1)
    assert settings.chase_chance(41, True) == pytest.approx(0.2 + 40 * 0.01)
    assert settings.chase_chance(41, False) == pytest.approx(0.2 + 40 * 0.004)
    head = "round 40, collected 0, next bug 2\nplayer 0: 0 snippets\nplayer 1: 0 snippets\nbugs: "
    chance = real(0.5)  # between the two
    first = hackman(rings(head + "0", r0c3="^", r0c0="0", r0c6="1"), max_rounds=80, initial_enemy_count=1)
    first.play("pass pass", draws=chance)
    later = hackman(rings(head + "1", r0c3="^", r0c0="0", r0c6="1"), max_rounds=80, initial_enemy_count=1)
    later.play("pass pass", draws=[*chance, (2, 0)])


def test_a_given_growth_is_for_all_bugs_and_chances_stay_between_0_and_1() -> None:
    settings = HackmanSettings(chase_growth="0.5", max_rounds=80)
    assert [settings.chase_chance(at, of_set_up) for at in (2, 9) for of_set_up in (True, False)] == [0.7, 0.7, 1, 1]
    assert HackmanSettings(chase_growth="-1").chase_chance(5, False) == 0
