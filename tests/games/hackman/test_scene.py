"""Hack-man drawn: text that parses back, and pictures."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import botyard
from botyard.games import load
from botyard.games.game import Game
from botyard.games.golden import playthrough
from botyard.games.hackman.settings import HackmanSettings
from botyard.games.hackman.wire import field_text
from botyard.games.picture import Picture, scene_of, words_of
from botyard.kernel.errors import BadRecord
from tests.games.hackman.table import drawn, hackman, plan_of, rings
from tests.games.pictured import as_text, glyphs, keyed_orders, seen, taken

BOARD = "0 . C g s\n. x x x x\n. W . . 1"

WHOLE = """round 12, collected 9, next bug 8
player 0: 1 snippet, weapon
player 1: 5 snippets, paralysed 2
bugs: 7 3 5
0   .   C>  g   s^<
.   x   x   x   x
.   W   .   .   1"""


def test_a_drawing_parses_back() -> None:
    assert str(hackman(WHOLE)) == WHOLE.replace(", next bug 8", "")
    head, _, rest = WHOLE.partition("\n")
    other = f"{head.replace('8', '11')}\n{rest}"
    assert str(hackman(other)) == other


def test_an_ended_game_parses_back() -> None:
    drawing = "round 3, collected 0, over, fault, winner 1\nplayer 0: -4 snippets, out\nplayer 1: 0 snippets, absent\n"
    drawing += BOARD.replace(" ", "  ").replace("  ", " ")
    again = str(hackman(drawing))
    assert again.splitlines()[:3] == drawing.splitlines()[:3]
    assert str(hackman(again)) == again


def test_a_whole_game_parses_back_at_every_round() -> None:
    game = botyard.new("hackman", seed=4, initial_enemy_count=5, map_weapon_count=3, player_snippet_count=9)
    for at in range(40):
        twin = Game.drawn("hackman", str(game), game.settings)
        assert str(twin) == str(game)
        assert twin.settings == game.settings
        game.step_orders({0: at * 3 % 5, 1: at * 7 % 5})


def test_the_lines_above_the_board_may_be_missing() -> None:
    game = hackman("0 . C> g s<\n. x x x x\n. W . . 1")
    assert game.state.next_bug == 2
    assert game.scores == (0, 0)


def test_the_map_of_the_settings_is_kept_if_it_is_drawn() -> None:
    settings = HackmanSettings(start_points="0,0 19,0")
    game = botyard.Game(load("hackman"), settings, 1)
    assert Game.drawn("hackman", str(game), settings).settings == settings
    small = hackman(BOARD)
    assert (plan_of(small).width, plan_of(small).starts) == (5, (0, 14))


@pytest.mark.parametrize(
    ("drawing", "hint"),
    [
        ("", "not a drawing"),
        ("0 . 1\n. .", "not a drawing"),
        (BOARD.replace("W", "Q"), "unknown cell 'Q'"),
        (BOARD.replace("C", "10"), "unknown cell '10'"),
        (BOARD.replace("1", "."), "not a map that can be played"),
        (BOARD.replace("x x x x", "x x x 0"), "not a map that can be played"),
        (BOARD.replace("s", "."), "not a map that can be played"),
        ("bugs: 3\n" + BOARD, "the line 'bugs: 3'"),
        ("player 2: 3 snippets\n" + BOARD, "the line"),
        ("player 0: 3 snippets, asleep\n" + BOARD, "unknown word 'asleep'"),
        ("round 1, collected 2, winner 3\n" + BOARD, "unknown word 'winner 3'"),
        ("round 1, collected 2, winner 1\n" + BOARD, "before the end -1"),
        (BOARD.replace("C", "<" * 33), "too many bugs"),
    ],
)
def test_what_is_no_drawing_is_refused(drawing: str, hint: str) -> None:
    with pytest.raises(BadRecord, match=hint):
        hackman(drawing)


def test_every_player_is_drawn_once_on_the_default_map_too() -> None:
    drawing = str(botyard.new("hackman", seed=1)).replace(" 0 x ", " . x ")
    with pytest.raises(BadRecord, match="each player once"):
        hackman(drawing)


def test_a_view_is_drawn_without_the_walls() -> None:
    assert str(hackman(WHOLE).view(1)) == "\n".join(
        [
            "round 13, player 1",
            "player 0 at (0,0), 1 snippets, weapon",
            "player 1 at (4,2), 5 snippets, paralysed",
            "snippets (2,0)",
            "weapons (1,2)",
            "bugs (2,0) (4,0) (4,0)",
        ]
    )
    assert "bugs none" in str(hackman(BOARD).view(0))


def test_a_picture_shows_the_maze_what_lies_in_it_and_what_moves() -> None:
    game = hackman(WHOLE)
    shown = taken(game)
    assert as_text(game, shown) == "0W . E> - E<\n. # # # #\n. W . . 1!"
    bare = Picture(shown.grid, shown.pieces[:0])
    assert as_text(game, bare) == ". . C - :\n. # # # #\n. W . . ."
    assert shown.pieces[["id", "number", "row", "col"]].tolist() == [
        (3, 0, 0, 4), (5, 0, 0, 4), (7, 0, 0, 2), (-2, 1, 0, 0), (-1, 5, 2, 4),
    ]  # fmt: skip


@pytest.mark.parametrize(("arrow", "sprite"), [("^", "bug/3"), ("v", "bug/1"), ("<", "bug/2"), (">", "bug/0")])
def test_a_bug_is_turned_to_where_it_heads(arrow: str, sprite: str) -> None:
    game = hackman(BOARD.replace("C", arrow))
    tile = game.book.scene.palette(game.arena)[taken(game).stamped()[0, 2]]
    assert (tile.glyph, tile.sprite) == (f"E{arrow}", sprite)


def test_two_players_on_a_cell_are_both_seen() -> None:
    game = hackman("01 . C g s\n. x x x x\n. W . . .")
    assert as_text(game, taken(game)) == as_text(game, seen(game, 0)) == "01 . C - :\n. # # # #\n. W . . ."
    assert game.book.scene.palette(game.arena)[taken(game).stamped()[0, 0]].name == "both players"


def test_bugs_keep_their_ids_when_others_are_gone() -> None:
    game = hackman("bugs: 4 9\n" + rings(r0c0="0", r0c1="<", r2c0="^", r2c6="1"), enemy_snippet_loss=0)
    game.step(["pass", "pass"])
    assert [piece["id"] for piece in taken(game).pieces] == [9, -2, -1]


def test_a_seat_sees_everything_but_the_headings_of_bugs() -> None:
    game = hackman(WHOLE)
    for seat in range(2):
        assert as_text(game, seen(game, seat)) == "0W . E - E\n. # # # #\n. W . . 1!"
        assert seen(game, seat).pieces[["id", "number", "row", "col"]].tolist() == [(-2, 1, 0, 0), (-1, 5, 2, 4)]
    assert not game.settings.habits.hides


def test_words_tell_snippets_and_what_became_of_a_player() -> None:
    told = words_of(hackman(WHOLE))
    assert told.headline == "round 12 of 200, 9 snippets collected"
    assert told.numbers == {"snippets": (1, 5)}
    assert told.conditions == ("carries a weapon", "cannot move for 2 rounds")
    assert told.out == frozenset()
    head = "round 3, collected 0, over, winner 1\nplayer 0: -4 snippets, paralysed 1, out\nplayer 1: 0 snippets, absent"
    ended = words_of(hackman(f"{head}\n{BOARD}"))
    assert ended.conditions == ("cannot move for 1 round, could not pay", "forfeited")
    assert ended.out == {0, 1}


def test_a_terminal_shows_a_board_that_fits_and_explains_its_signs() -> None:
    shown = scene_of(botyard.new("hackman", seed=4, initial_enemy_count=5))
    assert {len(tile.glyph) for row in shown.rows for tile in row} == {2}
    assert len(shown.rows[0]) * 2 <= 80
    assert shown.seats == ("snippets 0", "snippets 0")
    signs = [tile.glyph.strip() for tile in shown.legend]
    assert signs == ["#", ":", "-", "C", "W", "E^", "0", "0W", "0!"]


def test_a_person_can_give_every_order() -> None:
    book = load("hackman")
    assert sorted(keyed_orders(book.scene.KEYS)) == sorted(book.facts.orders)


@settings(max_examples=20)  # interpreted rules take their time
@given(seed=st.integers(0, 2**64 - 1), orders=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12))
@example(seed=2, orders=[(at * 3 % 5, at * 7 % 5) for at in range(80)])
def test_pictures_show_what_drawings_and_the_protocol_say(seed: int, orders: list[tuple[int, int]]) -> None:
    game = botyard.new("hackman", seed=seed, initial_enemy_count=6, map_weapon_count=4, player_snippet_count=99)
    for pair in orders:
        game.step_orders(dict(enumerate(pair)))
        drawn_cells = [line.split() for line in drawn(str(game)).splitlines()]
        assert [[sign_of(cell) for cell in row] for row in glyphs(game, taken(game))] == [
            [seen_of(cell) for cell in row] for row in drawn_cells
        ]
        told = field_text(plan_of(game), game.view(0)).split(",")
        board = [sign_of(cell) for row in glyphs(game, seen(game, 0)) for cell in row]
        assert [told_of(sign) for sign in board] == [only(cell) for cell in told]


def seen_of(cell: str) -> str:
    """What a picture shows of a drawn cell."""
    players = "".join(sign for sign in cell if sign in "01")
    if players or cell[-1] in "^v<>":
        return players or f"E{cell[-1]}"
    return {"x": "#", "s": ":", "g": "-"}.get(cell[-1], cell[-1])


def sign_of(glyph: str) -> str:
    """What a terminal shows of a cell, without how a player fares."""
    return glyph.rstrip("W!") or glyph


def told_of(sign: str) -> str:
    """What bots are told where they see this: closed cells are walls to them."""
    return {"#": "x", ":": "x", "-": "x"}.get(sign, sign)


def only(cell: str) -> str:
    """The part of a told cell that a picture shows."""
    players = "".join(sign for sign in cell if sign in "01")
    return players or cell[-1]


def test_the_golden_game_meets_many_rules() -> None:
    text = playthrough(load("hackman"))
    for word in ("weapon", "paralysed", "bugs:", "01", "winner", "over", "g^", "out"):
        assert word in text, word
