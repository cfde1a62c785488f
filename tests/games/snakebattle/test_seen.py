"""What a board of Snake Battle shows where snakes sleep, die or lie above each other (2.3)."""

from __future__ import annotations

import pytest

from botyard.games.snakebattle.layout import cell_at
from botyard.games.snakebattle.map.alphabet import ENEMY, HEAD_FLY
from tests.games.snakebattle.table import HEAD_ON, Battle, face_to_face, game


def test_the_sleeping_have_glyphs_of_their_own() -> None:
    battle = Battle(HEAD_ON, 2)
    battle.on_set({"hero": {"active": False}, "enemy": {"active": False}})
    assert battle.board()[2] == "☼ ~════& ☼"
    assert battle.board()[4] == "☼     *─ø☼"


def test_of_two_dead_heads_the_shorter_snakes_is_seen() -> None:
    assert "☻" in face_to_face("╘►", "<─ö").board()[1]
    assert "☺" in face_to_face("╘═►", "<ö").board()[1]
    assert "☻" in face_to_face("╘►", "<ö").board()[1]  # of equal ones the first in the list


def test_of_equal_snakes_the_first_in_the_list_is_seen() -> None:
    assert "♠" in face_to_face("╘═♠", "♦─ö").board()[1]


@pytest.mark.parametrize("roster", [[0, 1], [1, 0]])
@pytest.mark.parametrize(("snake", "hero", "enemy", "seen"), [
    ("hero", "╘═══►", "<ö", "♠"), ("enemy", "╘►", "<──ö", "♦"),
])  # fmt: skip
def test_the_last_board_of_a_flight_still_shows_it_above(
    snake: str, hero: str, enemy: str, seen: str, roster: list[int]
) -> None:
    width = len(hero) + len(enemy) + 5
    blank = "☼" + " " * (width - 2) + "☼"
    battle = Battle("\n".join(["☼" * width, f"☼ {hero} {enemy} ☼", *[blank] * (width - 3), "☼" * width]), 2)
    battle.on_set({snake: {"flying": 2}})
    battle.field.game.state.roster[:2] = roster
    assert seen in battle.play().board()[1]


def test_the_third_snake_is_drawn_above_the_first_like_any_other() -> None:
    match = game("""
        ☼☼☼☼☼☼☼☼☼
        ☼#      ☼
        ☼☼      ☼
        ☼#      ☼
        ☼☼      ☼
        ☼#      ☼
        ☼☼      ☼
        ☼☼      ☼
        ☼☼☼☼☼☼☼☼☼
    """, 3, rounds_enabled=False)  # fmt: skip
    match.state.snakes[2]["flying"] = 9
    up, down = (match.book.facts.order_named(name) for name in ("up", "down"))
    for first, third in ((0, 0), (0, 0), (down, up), (down, up)):
        match.step_orders({0: first, 2: third})
    heads = {int(match.state.snakes[seat]["head"]) for seat in (0, 2)}
    assert heads == {cell_at(match.arena, 3, 5)}
    assert match.view(1).board[3, 3] == ENEMY + HEAD_FLY


def test_a_flying_snake_is_drawn_above_a_shorter_one() -> None:
    battle = face_to_face("╘════►", "♦──ö")
    assert "♦" in battle.board()[1]
    battle = face_to_face("╘══♠", "<ö")
    assert "♠" in battle.board()[1]
