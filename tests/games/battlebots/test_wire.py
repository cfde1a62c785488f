"""The protocol of BattleBots: the text for a bot, and what is made of its answer (specification 6)."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.games.battlebots.facts import DIRECTIONS, FACTS
from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.games.battlebots.wire import WHITE, arena_text, arguments, open_session, read_answer, trimmed
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.verdict import Fault, Verdict
from tests.games.battlebots.table import battle, fresh


def text(drawing: str) -> str:
    return dedent(drawing).strip() + "\n"


# The text


def test_the_first_text_of_every_bout() -> None:
    game = fresh("program")
    assert arena_text(game.view(0)) == text("""
        ..........
        .Y........
        ..........
        ..........
        ..........
        ..........
        ..........
        ..........
        ........X.
        ..........
        Y hp=10
        X hp=10
    """)


def test_both_bots_are_shown_the_same_from_their_own_side() -> None:
    game = fresh("program").play("B SE / M N")
    assert arena_text(game.view(1)) == text("""
        ..........
        .X........
        ..........
        ..........
        ....B.....
        ..........
        ........M.
        ..........
        ........Y.
        ..........
        Y hp=10
        X hp=10
        B x=4 y=4 dir=SE
        M x=8 y=6 dir=N
    """)
    assert arena_text(game.view(0)).startswith("..........\n.Y........\n")


def test_the_text_after_two_rounds_to_the_byte() -> None:
    game = fresh("program").play("B SE / M N", "M SE / NO")
    session = open_session(game.settings, 0)
    assert session.ask(game.view(0)) == (
        b"..........\n.Y........\n..........\n...M......\n........M.\n..........\n..........\n.......B..\n"
        b"........X.\n..........\nY hp=10\nX hp=10\nB x=7 y=7 dir=SE\nM x=8 y=4 dir=N\nM x=3 y=3 dir=SE\n"
    )


def test_the_documents_example_10_11() -> None:
    game = battle("""
        round 30, hp 7/10
        1 . . . . . L L L .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        M . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . B . . . . . 2
        B x=3 y=9 dir=W
        B x=3 y=9 dir=S
        M x=0 y=4 dir=S
        L x=6 y=0
        L x=7 y=0
        L x=8 y=0
    """)
    shown = arena_text(game.view(1))
    assert len(shown.encode()) == 203
    assert shown == text("""
        X.....LLL.
        ..........
        ..........
        ..........
        M.........
        ..........
        ..........
        ..........
        ..........
        ...B.....Y
        Y hp=10
        X hp=7
        B x=3 y=9 dir=W
        B x=3 y=9 dir=S
        M x=0 y=4 dir=S
        L x=6 y=0
        L x=7 y=0
        L x=8 y=0
    """)


def test_one_sign_a_square_bots_over_missiles_over_bullets_over_mines() -> None:
    game = battle("""
        1 M M B 2
        . . . . .
        B x=1 y=0 dir=N
        B x=3 y=0 dir=N
        B x=0 y=0 dir=N
        M x=2 y=0 dir=N
        M x=1 y=0 dir=N
        M x=4 y=0 dir=N
        L x=2 y=0
        L x=3 y=0
        L x=4 y=0
    """)
    assert arena_text(game.view(0)).startswith("YMMBX\n")


# The answer

BOTH = [True, False]


@pytest.mark.parametrize("strict", BOTH)
@pytest.mark.parametrize("order", FACTS.orders)
def test_every_order_by_its_name(order: str, strict: bool) -> None:
    assert read_answer(order.encode(), strict) == FACTS.orders.index(order)
    assert read_answer(f"\n {order}\r\n\n\t".encode(), strict) == FACTS.orders.index(order)


@pytest.mark.parametrize(
    ("answer", "order"),
    [
        ("N\r\n\n\n", "N"),
        ("  W", "W"),
        (" P \n", "P"),
        ("E\u00a0\n", "E"),
        ("\u3000SE\u2028", "SE"),
        ("\u0085NW\v\f", "NW"),
        ("B NW\r\n", "B NW"),
    ],
)
@pytest.mark.parametrize("strict", BOTH)
def test_white_space_at_both_ends_does_not_matter(answer: str, order: str, strict: bool) -> None:
    assert read_answer(answer.encode(), strict) == FACTS.orders.index(order)


@pytest.mark.parametrize(
    ("answer", "order"),
    [
        ("  B  NW  \n", "B NW"),
        ("B  N", "B N"),
        ("B\tE\n", "B E"),
        ("L\nS\n", "L S"),
        ("L\u00a0E\n", "L E"),
        ("M \r\n\u2003 SW", "M SW"),
    ],
)
def test_between_weapon_and_direction_the_program_takes_any_white_space(answer: str, order: str) -> None:
    assert read_answer(answer.encode(), strict_spacing=False) == FACTS.orders.index(order)
    assert isinstance(read_answer(answer.encode(), strict_spacing=True), Fault)


@pytest.mark.parametrize(
    "answer",
    [
        b"n", b"p", b"b N", b"B ne", b"no", b"NN", b"N E", b"N N", b"NO N", b"P N", b"B", b"L X", b"M N E", b"BN",
        b"B N\nB S", b"hello\nN", b'"N"', b"0", b"B SN", b"\x1cN", b"N\x1f", b"B\x1dN", b"\xffN", b"\x85N", b"N\x00",
        b"\xef\xbb\xbfN", b"B  ", b"X N",
    ],
)  # fmt: skip
@pytest.mark.parametrize("strict", BOTH)
def test_anything_else_is_no_action(answer: bytes, strict: bool) -> None:
    fault = read_answer(answer, strict)
    assert isinstance(fault, Fault)
    assert fault.verdict is Verdict.GARBLED
    game, twin = fresh(), fresh()
    game.step_orders({0: NO_ORDER, 1: NO_ORDER})
    assert game.bytes() == twin.play("NO / NO").bytes()


def test_an_empty_answer_says_so() -> None:
    for answer in (b"", b"\n", b" \t \xc2\xa0"):
        fault = read_answer(answer, strict_spacing=True)
        assert isinstance(fault, Fault)
        assert "wrote nothing" in fault.reason


def test_white_space_is_exactly_this_10_2() -> None:
    spaces = {
        *range(0x9, 0xE),
        0x20,
        0x85,
        0xA0,
        0x1680,
        *range(0x2000, 0x200B),
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
    }
    assert {ord(sign) for sign in WHITE} == spaces
    for code in range(0x3100):
        taken = trimmed(f"{chr(code)}N".encode()) == "N"
        assert taken == (code in spaces), hex(code)


# Sessions


def test_an_answer_is_what_was_written_when_the_bot_exits() -> None:
    session = open_session(BattlebotsSettings(), 0)
    session.ask(fresh().view(0))
    assert session.receive(b"") is None
    assert session.receive(b"B ") is None
    assert session.receive(b"N\n") is None
    assert session.ended() == FACTS.orders.index("B N")


def test_nothing_of_an_answer_is_left_for_the_next() -> None:
    session = open_session(BattlebotsSettings(), 0)
    view = fresh().view(0)
    session.ask(view)
    session.receive(b"B N")
    session.ask(view)
    session.receive(b"S")
    assert session.ended() == FACTS.orders.index("S")
    session.receive(b"B ")
    assert session.unasked(b"late") == b"late"
    session.receive(b"E")
    assert session.ended() == FACTS.orders.index("E")
    assert isinstance(session.ended(), Fault)


def test_too_much_is_flooded_10_3() -> None:
    session = open_session(BattlebotsSettings(max_output_bytes=10), 0)
    assert session.receive(b"N" + b" " * 9) is None
    fault = session.receive(b"\n")
    assert isinstance(fault, Fault)
    assert fault.verdict is Verdict.FLOODED
    assert "more than 10 bytes" in fault.reason


def test_in_the_program_an_answer_may_be_of_any_length() -> None:
    session = open_session(BattlebotsSettings.read(preset="program"), 1)
    assert session.receive(b"N" + b"\n" * 100_000) is None
    assert session.ended() == FACTS.orders.index("N")


def test_bots_are_not_greeted_and_say_no_name() -> None:
    session = open_session(BattlebotsSettings(), 0)
    assert not session.introduces
    assert session.introduce(b"me") == ""
    assert session.opening(fresh().view(0)) == b""
    assert session.closing(None) == b""
    assert (session.connect_ms, session.start_ms, session.move_ms) == (0, 0, 2000)
    assert arguments("localhost", 1, 0) == []


@given(st.binary(max_size=40), st.booleans())
def test_no_answer_raises_and_every_order_is_one(answer: bytes, strict: bool) -> None:
    order = read_answer(answer, strict)
    assert isinstance(order, Fault) or 0 <= order < len(FACTS.orders)


@given(st.sampled_from("BML"), st.text(WHITE, min_size=1, max_size=3), st.sampled_from(DIRECTIONS))
def test_strict_and_lenient_spacing_part_exactly_at_one_blank(weapon: str, gap: str, direction: str) -> None:
    answer = f"{weapon}{gap}{direction}".encode()
    expected = FACTS.orders.index(f"{weapon} {direction}")
    assert read_answer(answer, strict_spacing=False) == expected
    assert (read_answer(answer, strict_spacing=True) == expected) == (gap == " ")


def test_a_late_process_owes_nothing() -> None:
    session = open_session(BattlebotsSettings(), 0)
    session.took(5.0, 0)
    assert session.settle_ms == 0
