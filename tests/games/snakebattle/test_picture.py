"""Snake Battle in pictures and words."""

from __future__ import annotations

from typing import Any

import pytest

from botyard.games.game import Game
from botyard.games.picture import Picture, camera_of, scene_of, words_of
from botyard.games.snakebattle.layout import LEFT
from botyard.games.snakebattle.scene.palette import palette
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.kernel.records import record_of
from botyard.kernel.scene import NOBODY, Tile
from tests.games.snakebattle.table import BOOK, Battle, after, game, rows_of

TWO = "☼☼☼☼☼\n☼#  ☼\n☼#  ☼\n☼   ☼\n☼☼☼☼☼"


def drawn(rows: str, *snakes: str) -> Game:
    """A field with snakes: `0 points, head 1,2 right l`, one a seat."""
    absent = ["0 points, gone"] * (2 - len(snakes))  # a match in rounds has two seats
    seats = [f"seat {seat}: {words}" for seat, words in enumerate([*snakes, *absent])]
    return Game.drawn("snakebattle", "\n".join([*rows_of(rows), *seats]))


def sprites(match: Game, picture: Picture | None = None) -> list[list[str]]:
    """The sprites of the grid without what is not a snake."""
    camera = camera_of(match)
    rows = (picture or camera.take(match)).grid.tolist()
    return [[name_of(camera.palette[tile]) for tile in row[1:-1]] for row in rows[1:-1]]


def name_of(tile: Tile) -> str:
    return tile.sprite.removeprefix("snake-") if tile.sprite.startswith("snake-") else "."


def pieces(match: Game) -> list[tuple[int, int, int, str, int]]:
    """Each piece as seat, row, column, sprite and number."""
    camera = camera_of(match)
    taken = camera.take(match).pieces
    return [
        (int(one["id"]), int(one["row"]), int(one["col"]), camera.palette[one["tile"]].sprite, int(one["number"]))
        for one in taken
    ]


def plain(match: Game) -> list[str]:
    rows = scene_of(match).rows
    return ["".join(f"{tile.plain:2}" for tile in row) for row in rows]


def test_a_body_joins_at_every_corner() -> None:
    rows = """
        ☼☼☼☼☼☼☼
        ☼.....☼
        ☼.aaa.☼
        ☼.a.a.☼
        ☼.aAa.☼
        ☼...a.☼
        ☼☼☼☼☼☼☼
    """
    match = drawn(rows, "0 points, head 3,2 right luurrddd")
    assert sprites(match) == [
        [".", ".", ".", ".", "."],
        [".", "corner/1", "body", "corner/2", "."],
        [".", "body/1", ".", "body/1", "."],
        [".", "corner", ".", "body/1", "."],
        [".", ".", ".", "tail/3", "."],
    ]
    assert pieces(match) == [(0, 4, 3, "snake-head", 0)]


@pytest.mark.parametrize(
    ("snake", "head", "tail"),
    [
        ("head 2,2 left r", "snake-head/2", "tail/2"),
        ("head 2,2 right l", "snake-head", "tail"),
        ("head 2,2 up d", "snake-head/3", "tail/3"),
        ("head 2,2 down u", "snake-head/1", "tail/1"),
    ],
)
def test_heads_and_tails_are_turned(snake: str, head: str, tail: str) -> None:
    at = {"right": (2, 3), "left": (2, 1), "up": (1, 2), "down": (3, 2)}[snake.split()[2]]
    back = {(2, 3): (2, 1), (2, 1): (2, 3), (1, 2): (3, 2), (3, 2): (1, 2)}[at]
    board = [list("☼☼☼☼☼"), *(list("☼...☼") for _ in range(3)), list("☼☼☼☼☼")]
    board[2][2], board[back[0]][back[1]] = "A", "a"
    match = drawn("\n".join("".join(row) for row in board), f"0 points, {snake}")
    assert pieces(match) == [(0, 2, 2, head, 0)]
    assert any(tail in row for row in sprites(match))


def test_the_kind_of_a_head_is_seen_and_an_effect_has_its_time() -> None:
    battle = Battle("☼☼☼☼☼\n☼╘♠ ☼\n☼×♣ ☼\n☼   ☼\n☼☼☼☼☼", 2)
    battle.on_set({"hero": {"stones": 2}})
    match = battle.field.game
    assert pieces(match) == [(0, 1, 2, "snake-head-fly", 10), (1, 2, 2, "snake-head-fury", 10)]
    assert words_of(match).conditions == ("stones 2, flying 10", "furious 10")
    dead = Battle("☼☼☼☼☼\n☼ ╘►☼\n☼   ☼\n☼   ☼\n☼☼☼☼☼").play()
    assert pieces(dead.field.game) == [(0, 1, 4, "snake-head-dead", 0)]
    assert words_of(dead.field.game).conditions[0] == "dead"
    asleep = game(TWO)
    assert [row[3] for row in pieces(asleep)] == ["snake-head-sleep", "snake-head-sleep"]
    assert "~ z0" in plain(asleep)[1] + plain(asleep)[2]


def test_a_flying_snake_leaves_what_lies_under_its_head_to_be_seen() -> None:
    rows = """
        ☼☼☼☼☼☼
        ☼.bb.☼
        ☼.bA.☼
        ☼..a.☼
        ☼....☼
        ☼☼☼☼☼☼
    """
    over = drawn(rows, "0 points, head 3,3 up d, flying 4", "0 points, head 2,3 left rul")
    assert pieces(over)[0] == (0, 2, 3, "snake-head-fly/3", 4)
    assert sprites(over)[1][2] == "corner/3"
    tail = drawn(rows.replace("☼.bb.☼", "☼....☼"), "0 points, head 3,3 up d, flying 4", "0 points, head 2,3 left r")
    assert sprites(tail)[1][2] == "tail/2"
    own = drawn(rows.replace("b", "."), "0 points, head 3,3 up d, flying 4")
    assert sprites(own)[1][2] == "."


def test_a_head_under_another_snake_is_not_seen() -> None:
    rows = """
        ☼☼☼☼☼☼
        ☼....☼
        ☼.aaA☼
        ☼....☼
        ☼....☼
        ☼☼☼☼☼☼
    """
    match = drawn(rows, "0 points, head 4,3 right ll, flying 4", "0 points, head 3,3 left r")
    assert [piece[0] for piece in pieces(match)] == [0]
    assert sprites(match)[1] == [".", "tail", "body", "tail/2"]  # the last one lies under the head that is seen


def test_a_head_outside_the_field_is_no_piece() -> None:
    battle = after("☼☼☼☼☼\n☼   ☼\n☼  ╘►\n☼   ☼\n☼☼☼☼☼", "")
    assert words_of(battle.field.game).conditions[0] == "dead"
    assert pieces(battle.field.game) == []


def test_a_picture_shows_what_a_drawing_shows() -> None:
    match = Game(BOOK, SnakebattleSettings(rounds_players_per_room=15), 3)
    seen: set[str] = set()
    camera = camera_of(match)
    for tick in range(60):
        picture = camera.take(match)
        board = str(match).splitlines()[1:31]
        for line, row in zip(board, picture.stamped().tolist(), strict=True):
            for sign, number in zip(line, row, strict=True):
                tile = camera.palette[number]
                assert (tile.seat != NOBODY) == sign.isalpha()
                if sign.isalpha():
                    assert tile.seat == ord(sign.lower()) - ord("a")
                    assert (tile.style == "seat") == sign.isupper()
        seen |= {tile.plain[:1] for row in scene_of(match).rows for tile in row}
        match.step_orders({seat: (tick + seat) % 5 for seat in match.asked})
    assert seen >= set("<>^vxz-|+~#_o@$")


def test_a_seat_sees_what_its_bot_is_told() -> None:
    battle = Battle("☼☼☼☼☼\n☼╘♠ ☼\n☼×♣ ☼\n☼ ○ ☼\n☼☼☼☼☼", 2)
    match = battle.field.game
    camera = camera_of(match)
    shots = [camera.take_view(match, match.view(seat)) for seat in (0, 1)]
    glyphs = [[[camera.palette[tile].glyph for tile in row] for row in shot.stamped().tolist()] for shot in shots]
    assert glyphs[0][1:4] == [
        ["# ", "╘", "♠", ". ", "# "],
        ["# ", "×", "♣", ". ", "# "],
        ["# ", ". ", "o ", ". ", "# "],
    ]
    assert glyphs[1][1:3] == [["# ", "×", "♦", ". ", "# "], ["# ", "╘", "♥", ". ", "# "]]
    assert [len(shot.pieces) for shot in shots] == [1, 1]
    own = {camera.palette[shot.pieces[0]["tile"]] for shot in shots}
    assert {(tile.name, tile.style, tile.seat) for tile in own} == {
        ("own flying head", "seat", NOBODY),
        ("own furious head", "seat", NOBODY),
    }
    assert shots[0].grid[1, 2] == 0  # what lies under its own head no bot is told


def test_a_seat_without_a_snake_has_no_head_to_see() -> None:
    match = game("☼☼☼☼☼\n☼#  ☼\n☼   ☼\n☼   ☼\n☼☼☼☼☼", 2, played_as="room")
    for seat in range(2):
        match.change("join", seat)
    assert len(camera_of(match).take_view(match, match.view(1)).pieces) == 0


def test_only_seats_that_exist_have_tiles() -> None:
    for seats in (2, 26):
        arena = record_of(BOOK.layout.make_arena(SnakebattleSettings(rounds_players_per_room=seats)))
        assert {tile.seat for tile in palette(arena)} == {NOBODY, *range(seats)}


def test_snakes_of_dead_and_gone_players_are_told_of() -> None:
    match = game("☼☼☼☼☼\n☼#  ☼\n☼   ☼\n☼   ☼\n☼☼☼☼☼", 3, played_as="room")
    for seat in range(3):
        match.change("join", seat)
    match.change("leave", 0)
    said = words_of(match)
    assert said.conditions == ("gone", "no free start cell", "no free start cell")
    assert said.out == {0, 1, 2}
    assert said.line(1) == "points 0, length 0, no free start cell"


def test_the_headline_tells_the_clock_and_the_round_it_counts_down_to() -> None:
    match = game(TWO, rounds_time_before_start=2, rounds_time=3, rounds_per_match=2, rounds_min_ticks_for_win=1)
    said = []
    for _ in range(7):
        said.append(words_of(match))
        match.step_orders({})
    assert [words.headline for words in said] == [
        "tick 0, round 1 begins in 2",
        "tick 1, round 1 begins in 1",
        "tick 2, round 1 begins in 0",
        "tick 3, round 1, 2 ticks left",
        "tick 4, round 1, 1 ticks left",
        "tick 5, round 2 begins in 2",
        "tick 6, round 2 begins in 1",
    ]
    assert [words.round_number for words in said] == [1, 1, 1, 1, 1, 2, 2]
    assert said[0].conditions == ("asleep", "asleep")
    assert said[0].out == set()
    free = game(TWO, rounds_enabled=False)
    assert words_of(free).headline == "tick 0"


def test_a_new_snake_is_out_until_the_next_round() -> None:
    match = game("☼☼☼☼☼\n☼#  ☼\n☼#  ☼\n☼#  ☼\n☼☼☼☼☼", 3, rounds_time_before_start=1, rounds_time=30)
    match.step_orders({})
    match.step_orders({0: 10})  # it dies by its own order
    assert words_of(match).out == {0}
    match.step_orders({})
    assert words_of(match).conditions[0] == "asleep"
    assert words_of(match).out == {0}


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("☼☼☼☼☼☼\n☼╘►®.☼\n☼    ☼\n☼    ☼\n☼    ☼\n☼☼☼☼☼☼", [(0, "takes a fury pill")]),
        ("☼☼☼☼☼☼\n☼╘►©.☼\n☼    ☼\n☼    ☼\n☼    ☼\n☼☼☼☼☼☼", [(0, "takes a flying pill")]),
        ("☼☼☼☼☼☼\n☼╘►$.☼\n☼    ☼\n☼    ☼\n☼    ☼\n☼☼☼☼☼☼", [(0, "finds gold")]),
        ("☼☼☼☼☼☼\n☼╘►○.☼\n☼    ☼\n☼    ☼\n☼    ☼\n☼☼☼☼☼☼", []),
    ],
)
def test_what_points_do_not_tell_is_an_event(field: str, said: list[tuple[int, str]]) -> None:
    match = after(field, "").field.game
    assert list(BOOK.scene.events(match.arena, match.state)) == said  # type: ignore[attr-defined]


def told(match: Game) -> list[Any]:
    return list(BOOK.scene.events(match.arena, match.state))  # type: ignore[attr-defined]


def test_prey_and_victories_are_events() -> None:
    log = "events 0 EAT[1]; 1 EAT[3]; 1 WIN; 0 STONE; 0 DIE; 1 [Round 2]"
    rows = "☼☼☼☼☼\n☼aA.☼\n☼bB.☼\n☼...☼\n☼☼☼☼☼"
    text = f"{rows}\nseat 0: 0 points, head 2,3 right l\nseat 1: 0 points, head 2,2 right l\n{log}"
    assert told(Game.drawn("snakebattle", text)) == [
        (0, "eats 1 cell of another"),
        (1, "eats 3 cells of another"),
        (1, "wins the round"),
        (0, "swallows a stone"),
    ]


def test_the_directions_of_the_pad_are_those_of_the_field() -> None:
    keys = {key.names[0]: key.orders for key in BOOK.scene.KEYS.keys}
    assert keys["ArrowLeft"] == ("left", "left drop", "left die", "left drop die")
    assert BOOK.facts.order_named("left") == 1 + LEFT
    assert keys["Enter"] == ("straight", "drop", "die", "drop die")
