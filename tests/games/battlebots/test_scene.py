"""BattleBots drawn: text that parses back, and pictures."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from botyard.games import load
from botyard.games.battlebots.layout import COL_STEPS, ROW_STEPS
from botyard.games.battlebots.scene.picture import SHOT, events
from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.games.battlebots.wire import arena_text
from botyard.games.game import Game
from botyard.games.picture import Picture, scene_of, words_of
from botyard.kernel.errors import BadRecord, SettingsError
from tests.games.battlebots.table import DrawnBout, battle, fresh
from tests.games.drawn import board
from tests.games.pictured import as_text, glyphs, keyed_orders, seen, taken

DRAWN = """
    round 12, hp 9/7, paralysed 1
    . . . . .
    . 1 B . L
    . L M . 2
    B x=2 y=1 dir=E
    B x=2 y=1 dir=NW
    M x=2 y=2 dir=S
    L x=4 y=1
    L x=1 y=2 spent
"""


def test_a_drawing_is_drawn_again() -> None:
    assert str(battle(DRAWN)) == board(DRAWN)
    assert str(battle(DRAWN, "program")) == board(DRAWN)


@pytest.mark.parametrize(
    "head", ["round 3, hp 0/-4, over", "round 3, hp 2/2, forfeited 1, over", "round 1000, hp 2/2, over"]
)
def test_the_end_is_drawn_too(head: str) -> None:
    assert str(battle(f"{head}\n1 . 2\n. . .")).startswith(head + "\n")


def test_a_fault_is_drawn_too() -> None:
    assert battle("round 3, hp 2/2, fault\n1 . 2\n. . .").fault


def test_squares_that_cannot_be_used_are_drawn_and_read() -> None:
    game = fresh("program")
    assert str(game).startswith("round 0, hp 10/10\n# # # # # # # # # #\n# 1 . . ")
    assert DrawnBout.drawn("battlebots", str(game)).settings.min_coordinate == 1


def test_a_board_of_the_settings_own_size_keeps_the_settings() -> None:
    settings = BattlebotsSettings(start_inset=3, bullet_speed=1)
    drawing = str(Game(fresh().book, settings, 0))
    assert Game.drawn("battlebots", drawing, settings).settings is settings


def test_without_a_header_it_is_the_start() -> None:
    game = battle("1 . 2\n. . .", start_hp=4)
    assert str(game).startswith("round 0, hp 4/4\n")


def test_signs_of_weapons_may_be_left_out() -> None:
    assert battle("1 . 2\n. . .\nL x=1 y=0").board() == "1 L 2\n. . .\nL x=1 y=0"


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ("", "not a drawing"),
        ("1 . 2\n. .", "not a drawing"),
        ("1 . .\n. . .", "bot 2 is on the board 0 times"),
        ("1 1 2\n. . .", "bot 1 is on the board 2 times"),
        ("1 B 2\n. . .", "'B' at x=1 y=0"),
        ("1 L 2\n. . .\nB x=1 y=0 dir=N", "it must be 'B'"),
        ("1 ? 2\n. . .", "'?' at x=1 y=0"),
        ("# # #\n# # #\n# # #", "bot 1 is on the board 0 times"),
        ("1 . 2\n. . .\nB x=1 y=0 dir=NN", "'B x=1 y=0 dir=NN' is not a weapon"),
        ("1 . 2\n. . .\nL x=1 y=0 dir=N", "is not a weapon"),
        ("1 . 2\n. . .\nB x=3 y=0 dir=N", "square x=3 y=0 does not exist"),
        ("1 . 2\n. . .\nL x=0 y=2", "square x=0 y=2 does not exist"),
        ("1 . 2\n. . .\nL x=0 y=0\nL x=0 y=0 spent", "there is a mine already"),
        ("1 . 2\n. . .\n" + "M x=0 y=0 dir=E\n" * 21, "no room for 'M x=0 y=0 dir=E'"),
        ("round 3, hp 2/2, tired\n1 . 2\n. . .", "unknown word 'tired'"),
        ("round 3, hp 2/2, over 3\n1 . 2\n. . .", "unknown word 'over 3'"),
        ("round 3, hp 2/2, paralysed\n1 . 2\n. . .", "unknown word 'paralysed'"),
        ("round 3, hp 2/2, forfeited 2, over\n1 . 2\n. . .", "unknown word 'forfeited 2'"),
        ("round 3, hp 2/2, paralysed 3\n1 . 2\n. . .", "paralysis must be from 0 to 2"),
        ("round 3, hp 2/2, over\n1 . 2\n. . .", "a bout must end when"),
        ("round 3, hp 0/2\n1 . 2\n. . .", "a bout must end when"),
        ("round 3, hp 12/2\n1 . 2\n. . .", "hit points must not exceed the 10 of the start"),
        ("round 1001, hp 2/2, over\n1 . 2\n. . .", "rounds must be from 0 to 1000"),
    ],
)
def test_what_no_bout_can_be_in_is_refused(drawing: str, message: str) -> None:
    with pytest.raises(BadRecord) as error:
        battle(drawing)
    assert message in str(error.value)


def test_a_board_too_small_for_two_bots_is_refused() -> None:
    with pytest.raises(SettingsError):
        battle("1")


def test_a_view_is_drawn_as_the_text_for_the_bot() -> None:
    assert str(battle("1 . 2\n. . .").view(1)) == "Y at x=2 y=0, X at x=0 y=0\nX.Y\n...\nY hp=10\nX hp=10"


def test_a_picture_shows_the_board_and_a_terminal_fits_it() -> None:
    game = battle(DRAWN)
    assert as_text(game, taken(game)) == ". . . . .\n. 1! B\\ . L\n. L- Mv . 2!"
    bare = Picture(taken(game).grid, taken(game).pieces[:0])
    assert as_text(game, bare) == ". . . . .\n. . . . L\n. L- . . ."
    scene = scene_of(game)
    assert scene.headline == "round 12, no movement for 1 more"
    assert scene.seats == ("health 9", "health 7")
    assert [tile.style for tile in scene.rows[1]] == ["empty", "seat", "item", "empty", "danger"]
    signs = [tile.glyph.strip() for tile in scene.legend]
    assert signs == ["#", "L", "L-", "B^", "M^", "1", "1!", "1x"]
    whole = scene_of(fresh("program"))
    assert (whole.rows[0][0].glyph.strip(), whole.rows[0][0].style) == ("#", "wall")
    assert all(len("".join(tile.glyph for tile in row)) <= 80 for row in whole.rows)


def test_of_several_on_a_square_bots_are_seen_then_missiles_then_the_last_bullet() -> None:
    game = battle("""
        1 . . .
        . . . .
        . . . 2
        B x=1 y=1 dir=N
        B x=2 y=1 dir=E
        B x=2 y=1 dir=SW
        M x=1 y=1 dir=W
        B x=0 y=0 dir=S
    """)
    assert as_text(game, taken(game)) == "1 . . .\n. M< B/ .\n. . . 2"


def test_the_pieces_are_shots_and_bots_with_their_health() -> None:
    game = battle("round 3, hp 0/-4, over\n1 . 2\n. . .\nM x=1 y=1 dir=SE")
    assert as_text(game, taken(game)) == "1x . 2x\n. M\\ ."
    pieces = taken(game).pieces
    assert pieces[["id", "number", "row", "col"]].tolist()[1:] == [(0, 0, 0, 0), (1, -4, 0, 2)]
    tile = game.book.scene.palette(game.arena)[pieces[0]["tile"]]
    assert (tile.name, tile.sprite) == ("missile", "missile-diagonal/1")


def test_a_shot_keeps_its_id_as_long_as_it_flies() -> None:
    game = fresh(bullet_speed=2, width=12, height=6)
    places: dict[int, list[tuple[int, int]]] = {}
    for orders in ("B E / M NW", "B E / NO", "NO / NO", "NO / NO", "NO / NO"):
        game.play(orders)
        for piece in shots_of(game):
            places.setdefault(piece["id"], []).append((piece["row"], piece["col"]))
    assert sorted(places.values()) == [
        [(1, 3), (1, 5), (1, 7), (1, 9)],
        [(1, 3), (1, 5), (1, 7), (1, 9), (1, 11)],
        [(2, 8), (0, 6)],
    ]


def test_equal_shots_have_ids_of_their_own_and_keep_them() -> None:
    shots = ["B x=1 y=1 dir=E"] * 3 + ["B x=4 y=1 dir=E", "M x=1 y=1 dir=E"]
    game = battle("\n".join(["1 . . . . . . .", ". . . . . . . .", "2 . . . . . . .", *shots]))
    before = [piece["id"] for piece in shots_of(game)]
    assert len(set(before)) == len(shots)
    assert [piece["id"] for piece in shots_of(game.play("NO / NO"))] == before


def test_a_shot_does_not_take_the_id_of_one_that_just_vanished() -> None:
    game = fresh(width=4, height=4, start_hp=1000)
    flying: set[int] = set()
    for _ in range(30):
        game.play("M E / B N")
        now = {piece["id"] for piece in shots_of(game)}
        assert not flying & now  # on this board none flies for two rounds
        flying = now
    assert flying


@settings(max_examples=20)  # interpreted rules take their time
@given(orders=st.lists(st.tuples(st.integers(0, 33), st.integers(0, 33)), max_size=30))
@example(orders=[(8 + at % 24, 31 - at % 24) for at in range(60)])
def test_pictures_show_what_drawings_and_the_protocol_say(orders: list[tuple[int, int]]) -> None:
    game = fresh(start_hp=1000, spent_mines_linger=True)
    for pair in orders:
        before = {piece["id"]: piece for piece in shots_of(game)}
        bots = game.state.bots.tolist()
        game.step_orders(dict(enumerate(pair)))
        assert signs(game, taken(game)) == game.board().split("\n")[:10]
        follow(before, shots_of(game), [*bots, *game.state.bots.tolist()])
        for seat in range(2):
            told = arena_text(game.view(seat)).splitlines()[:10]
            assert signs(game, seen(game, seat)) == [" ".join(row) for row in told]
        assert len(list(events(game.arena, game.state))) == (32 in pair)


def shots_of(game: Game) -> list[Any]:
    return list(taken(game).pieces[:-2])


def signs(game: Game, picture: Picture) -> list[str]:
    return [" ".join(glyph[0] for glyph in row) for row in glyphs(game, picture)]


def follow(before: dict[int, Any], shots: list[Any], bots: list[list[int]]) -> None:
    """Each shot has flown on under its id, or was launched by a bot."""
    for piece in shots:
        kind, direction = divmod(int(piece["tile"]) - SHOT, 8)
        row = int(piece["row"]) - (3 - kind) * ROW_STEPS[direction]
        col = int(piece["col"]) - (3 - kind) * COL_STEPS[direction]
        if (old := before.get(piece["id"])) is not None:
            assert (old["row"], old["col"], old["tile"]) == (row, col, piece["tile"])
        else:
            assert [col, row] in bots


def test_a_seat_sees_itself_and_the_enemy_but_not_which_bot_it_is() -> None:
    game = battle(DRAWN, spent_mines_linger=True)
    assert as_text(game, seen(game, 0)) == ". . . . .\n. Y B\\ . L\n. . Mv . X"
    assert as_text(game, seen(game, 1)) == ". . . . .\n. X B\\ . L\n. . Mv . Y"
    assert seen(game, 1).pieces[["id", "number", "row", "col"]].tolist() == [(0, 7, 2, 4), (1, 9, 1, 1)]


def test_settings_say_whether_mines_are_hidden() -> None:
    assert not fresh().settings.habits.hides
    assert fresh("program").settings.habits.hides
    assert fresh(spent_mines_linger=True).settings.habits.hides
    hidden = battle("1 . 2\n. . .\nL x=1 y=0", show_mines=False)
    assert hidden.settings.habits.hides
    assert as_text(hidden, taken(hidden)) == "1 L 2\n. . ."
    assert as_text(hidden, seen(hidden, 1)) == "X . Y\n. . ."


def test_words_tell_health_and_who_is_out() -> None:
    told = words_of(fresh())
    assert (told.headline, told.numbers, told.conditions) == ("round 0", {"health": (10, 10)}, ("", ""))
    down = words_of(battle("round 3, hp 0/2, over\n1 . 2\n. . ."))
    assert (down.conditions, down.out) == (("down", ""), frozenset({0}))
    gone = words_of(battle("round 3, hp 2/2, forfeited 1, over\n1 . 2\n. . ."))
    assert (gone.conditions, gone.out) == (("", "forfeited"), frozenset({1}))


def test_a_pulse_is_an_event_of_its_round() -> None:
    game = fresh()
    assert not list(events(game.arena, game.state))
    assert list(events(game.arena, game.play("P / NO").state)) == [(-1, "pulse")]
    assert not list(events(game.arena, game.play("NO / NO").state))
    assert list(events(game.arena, game.play("NO / P").state)) == [(-1, "pulse")]
    weak = fresh(emp_rounds=0)
    assert not list(events(weak.arena, weak.play("P / NO").state))


def test_a_person_can_give_every_order() -> None:
    book = load("battlebots")
    assert set(keyed_orders(book.scene.KEYS)) == set(book.facts.orders)
