"""What goes over the wire (specification 3.1 and 6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import botyard
from botyard.games import load
from botyard.games.snakebattle.facts import FACTS
from botyard.games.snakebattle.map.alphabet import GROUND_NAMES, NAMES, PART_NAMES, SYMBOLS
from botyard.games.snakebattle.settings import SnakebattleSettings
from botyard.games.snakebattle.wire import SnakebattleSession, answer_text, arguments, merged, open_session, read_answer
from botyard.kernel.verdict import Fault, Verdict


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("LEFT", "left"),
        ("down", "down"),
        ("LEFT,ACT", "left drop"),
        ("ACT , left", "left drop"),
        ("left act", "left drop"),
        ("UPDOWN", "down"),
        ("up,right", "right"),
        ("react", "drop"),
        ("hello", "straight"),
        ("STOP", "straight"),
        ("", "straight"),
        ("ACT", "drop"),
        ("ACT,ACT", "drop"),
        ("ACT(0)", "die"),
        ("ACT(0,)", "die"),
        ("ACT(-0)", "die"),
        ("ACT(0 , )", "die"),
        ("ACT(00000000000000)", "die"),
        ("ACT(1)", "drop"),
        ("ACT(0,0)", "drop"),
        ("ACT(1,-2)", "drop"),
        ("ACT()", "drop"),
        ("ACT(,)", "drop"),
        ("ACT( 0)", "drop"),
        ("ACT(,0)", "straight"),
        ("ACT(-)", "straight"),
        ("ACT(2147483647)", "drop"),
        ("ACT(2147483648)", "straight"),
        ("ACT(-2147483648)", "drop"),
        ("ACT(-2147483649)", "straight"),
        ("ACT,ACT(0)", "drop die"),
        ("LEFT,ACT(0),RIGHT,ACT", "left die"),
        ("message", "straight"),
        ("message('left')", "straight"),
        ("message('left') up", "up"),
        ("message('up') down') right", "right"),
        ("message('up')\ndown') right", "right"),
        ("message('up')\rdown')", "down"),
        ("message('up')\x85down')", "down"),
        ("message('up')\u2028down')", "down"),
        ("message(left)", "left"),
    ],
)
def test_an_answer_is_searched_for_words(text: str, order: str) -> None:
    assert FACTS.orders[read_answer(text)] == order


@given(st.text(max_size=60))
def test_no_answer_is_wrong(text: str) -> None:
    assert 0 <= read_answer(text) < len(FACTS.orders)


@given(st.binary(max_size=80))
def test_the_session_never_raises_on_what_a_bot_sends(chunk: bytes) -> None:
    answer = SnakebattleSession(SnakebattleSettings()).receive(chunk)
    assert answer is None if not chunk else isinstance(answer, int)


def test_an_order_in_words_is_read_back() -> None:
    for order in range(len(FACTS.orders)):
        assert read_answer(answer_text(order)) == order
    assert answer_text(7) == "RIGHT, ACT"
    assert answer_text(-1) == answer_text(20) == ""


def test_the_answers_of_several_sockets_are_carried_out_in_turn() -> None:
    left, act, die = (FACTS.order_named(name) for name in ("left", "drop", "die"))
    assert FACTS.orders[merged(left, act)] == "left drop"
    assert FACTS.orders[merged(merged(act, left), die)] == "left drop die"
    assert FACTS.orders[merged(die, left)] == "die"


def test_a_board_is_one_line_of_the_own_point_of_view() -> None:
    game = botyard.new("snakebattle", seed=4, rounds_players_per_room=2)
    session = open_session(game.settings, 0)  # type: ignore[arg-type]
    sent = session.ask(game.view(0)).decode()
    other = session.ask(game.view(1)).decode()
    assert sent.startswith("board=")
    assert len(sent) == 906
    assert sent.count("~&") == other.count("~&") == 1
    assert sent.count("*ø") == other.count("*ø") == 1
    assert sent.replace("~&", "*ø") == other.replace("~&", "*ø")


def test_a_transcript_of_the_original_client() -> None:
    """The Python client answers every board; what comes between two boards is dropped (6.4)."""
    game = botyard.new("snakebattle", seed=4, rounds_players_per_room=2, rounds_time_before_start=1)
    session = open_session(game.settings, 0)  # type: ignore[arg-type]
    assert not session.introduces
    assert session.introduce(b"") == ""
    assert session.opening(game.view(0)) == b""
    assert session.unasked(b"UP") == b"UP"
    session.ask(game.view(0))
    assert session.receive(b"") is None
    assert session.receive(b"RIGHT") == FACTS.order_named("right")
    session.ask(game.view(0))
    assert session.receive(b"left,act") == FACTS.order_named("left drop")
    assert session.closing(None) == b""
    assert (session.move_ms, session.waits) == (1000, False)


def test_an_endless_answer_is_refused() -> None:
    session = SnakebattleSession(SnakebattleSettings(max_answer_chars=10))
    assert session.receive(b"LEFT      ") == 1
    refused = session.receive(b"LEFT       ")
    assert isinstance(refused, Fault)
    assert refused.verdict is Verdict.GARBLED


def test_a_bot_is_given_the_address_of_its_board_page() -> None:
    assert arguments("localhost", 8080, 3) == [
        "http://localhost:8080/codenjoy-contest/board/player/player3?code=3",
    ]


def test_every_symbol_has_its_own_name() -> None:
    assert len(SYMBOLS) == len(set(SYMBOLS)) == len(NAMES) == len(set(NAMES)) == 47
    table = dict(zip(NAMES, SYMBOLS, strict=True))
    assert table["START_FLOOR"] == "#"
    assert (table["HEAD_UP"], table["ENEMY_HEAD_UP"]) == tuple("▲˄")
    assert (table["TAIL_END_DOWN"], table["ENEMY_TAIL_END_DOWN"]) == tuple("╙¤")
    assert (table["TAIL_END_LEFT"], table["TAIL_END_RIGHT"], table["TAIL_END_UP"]) == tuple("╘╕╓")
    assert (table["BODY_LEFT_DOWN"], table["BODY_RIGHT_UP"], table["ENEMY_BODY_LEFT_UP"]) == tuple("╗╚┘")
    assert (table["ENEMY_TAIL_INACTIVE"], table["ENEMY_HEAD_SLEEP"], table["HEAD_EVIL"]) == tuple("*ø♥")


def test_the_clock_of_the_field_waits_for_nobody() -> None:
    session = open_session(SnakebattleSettings(), 0)
    session.took(12.0, 0)
    assert session.settle_ms == 0


def test_the_page_names_every_code_of_a_cell() -> None:
    text = " ".join((load("snakebattle").folder / "README.md").read_text().split())
    for names in (GROUND_NAMES, PART_NAMES):
        assert ", ".join(f"{code} {name}" for code, name in enumerate(names)) in text
