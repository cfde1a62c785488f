"""The protocol of Hive Arena, by transcripts: `>` we send, `<` the bot sends in one read, `=` what we make of it."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

import botyard
from botyard.games.hive.settings import HiveSettings
from botyard.games.hive.wire import HiveSession, arguments, open_session
from botyard.games.view import View
from botyard.kernel.outcome import Outcome
from botyard.kernel.verdict import Fault, Verdict

ORDERS = botyard.new("hive", seed=0).book.facts.orders


def some_view() -> View:
    return botyard.new("hive", seed=1003, preset="program").view(0)


def talk(transcript: str, **settings: object) -> None:
    """Plays a transcript: `name` and `ask` begin a phase, `early` is what came before the question."""
    session, phase = HiveSession(HiveSettings.read(settings)), "name"
    answer: object = None
    for line in dedent(transcript).strip().splitlines():
        word, _, rest = line.partition(" ")
        raw = rest.encode().decode("unicode_escape").encode("latin-1")
        if word == "name":
            phase = "name"
        elif word == "early":
            session.unasked(raw)
        elif word == "ask":
            session.ask(some_view())
            phase, answer = "ask", session.receive(b"")
        elif word == "<":
            answer = session.introduce(raw) if phase == "name" else session.receive(raw)
        elif word == "=":
            assert shown(answer) == rest, line
        else:
            raise AssertionError(line)


def shown(answer: object) -> str:
    if isinstance(answer, Fault):
        return str(answer.verdict)
    if isinstance(answer, int):
        return ORDERS[answer]
    return "nothing" if answer is None else repr(answer)


def test_the_view_line_is_the_original_one() -> None:
    sent = open_session(HiveSettings(), 0).ask(some_view())
    assert sent == b"0,0,0,10,2,9000000900000590500009001000900100090710009001500\n"


def test_nothing_is_said_before_the_first_view_and_gameover_at_the_end() -> None:
    session = open_session(HiveSettings(), 0)
    assert session.opening(some_view()) == b""
    assert session.closing(None) == session.closing(Outcome(((0,), (1,)), (1, 0))) == b"gameover\n"
    assert arguments("127.0.0.1", 8000, 1) == ["127.0.0.1", "8000"]


def test_every_answer_has_the_same_time() -> None:
    session = open_session(HiveSettings(), 0)
    session.took(1999.0, 3)
    assert session.move_ms == 2000


def test_limits_come_from_the_settings() -> None:
    session = open_session(HiveSettings(reply_timeout_ms=5, name_timeout_ms=6, connect_timeout_ms=7), 0)
    assert (session.move_ms, session.start_ms, session.connect_ms, session.introduces) == (5, 6, 7, True)


def test_names_are_taken_as_they_are() -> None:
    talk(r"""
        < alpha\n
        = 'alpha'
        name
        < \n
        = ''
        name
        < two, words\r\n
        = 'two, words\r'
    """)


def test_bytes_that_are_no_text_survive_in_a_name() -> None:
    name = open_session(HiveSettings(), 0).introduce(b"caf\xe9\n")
    assert isinstance(name, str)
    assert name.encode("utf-8", "surrogateescape") == b"caf\xe9"


@pytest.mark.parametrize(
    "line", ["1,3", "  1,3", "1, 3", "+1,+3", "01,003", r"1,3\r", "1,3xyz", "1,3,9", r"\t\v\f1,\r3", "1,3 "]
)
def test_the_lenient_syntax_reads_what_the_program_reads(line: str) -> None:
    talk(f"ask\n< {line}\\n\n= forage SE")


@pytest.mark.parametrize("line", ["-1,3", "4,0", "1,8", "1,-2", "4294967297,3", "1," + "9" * 150])
def test_numbers_out_of_range_are_invalid(line: str) -> None:
    talk(f"ask\n< {line}\\n\n= INVALID")


@pytest.mark.parametrize(
    "line", ["", " ", "1", "1,", "1 ,3", "1.0,3", "1;3", "0x1,3", "abc", "gameover", r"\x00", r"\xb2,3", r"1,\xc2\xa03"]
)
def test_anything_else_is_garbled(line: str) -> None:
    talk(f"ask\n< {line}\\n\n= GARBLED")


def test_the_strict_syntax_takes_two_digits_and_nothing_else() -> None:
    talk("ask\n< 1,3\\n\n= forage SE", command_syntax="strict")
    invalid, garbled = ["4,0", "3,8"], [" 1,3", "01,3", "1,3 ", "1,3\\r"]
    for line in invalid + garbled:
        verdict = "INVALID" if line in invalid else "GARBLED"
        talk(f"ask\n< {line}\\n\n= {verdict}", command_syntax="strict")
    talk("ask\n< 1,3\\n\n= forage SE", command_syntax="strict", line_framing="packet")


def test_stream_collects_pieces() -> None:
    talk(r"""
        < al
        = nothing
        < pha\n
        = 'alpha'
        ask
        < 1
        = nothing
        < ,3\n0,0\n
        = forage SE
        early 0,1\n
        ask
        = nothing
        < 0,2\n
        = move E
    """)


def test_stream_drops_complete_lines_that_came_too_early_10_5() -> None:
    session = open_session(HiveSettings(), 0)
    assert session.introduce(b"alpha\n0,0\n") == "alpha"
    assert session.unasked(b"0,1\n0,2\n0,") == b"0,0\n0,1\n0,2\n"
    session.ask(some_view())
    assert session.receive(b"") is None
    assert session.receive(b"5\n") == ORDERS.index("move SW")


def test_stream_takes_an_empty_line_as_the_answer() -> None:
    talk("ask\n< \\n1,3\\n\n= GARBLED")


def test_stream_gives_up_as_soon_as_a_line_is_too_long() -> None:
    talk(f"ask\n< {'1' * 199}\n= nothing\n< 1\n= GARBLED")
    talk(f"ask\n< {'0' * 195}1,3\\n\n= forage SE")
    talk(f"ask\n< {'0' * 197}1,3\\n\n= GARBLED")


def test_packet_wants_a_whole_line_in_one_read() -> None:
    talk("ask\n< 1,\n= GARBLED", line_framing="packet")
    talk("ask\n< 1,3\n= GARBLED", line_framing="packet")
    talk("ask\n< 1,3\\n\n= forage SE", line_framing="packet")


def test_packet_counts_bytes_of_one_read() -> None:
    talk(f"ask\n< 1,3{' ' * 196}\\n\n= forage SE", line_framing="packet")
    talk(f"ask\n< 1,3{' ' * 197}\\n\n= GARBLED", line_framing="packet")


def test_packet_loses_the_second_of_two_lines_and_swallows_an_empty_one() -> None:
    talk(
        r"""
        ask
        < 1,3\n0,0\n
        = forage SE
        ask
        = nothing
        < \n0,2\n
        = move E
        """,
        line_framing="packet",
    )


def test_packet_leaves_what_is_past_the_limit_for_the_next_turn() -> None:
    session = open_session(HiveSettings(line_framing="packet"), 0)
    burst = b"1,3" + b" " * 196 + b"\n" + b"0,0" + b" " * 196 + b"\n"
    session.ask(some_view())
    assert session.receive(burst) == ORDERS.index("forage SE")
    session.ask(some_view())
    assert session.receive(b"") == ORDERS.index("move N")


def test_packet_uses_a_command_sent_ahead_and_merges_two() -> None:
    session = open_session(HiveSettings(line_framing="packet"), 0)
    assert session.unasked(b"0,1\n") == b""
    assert session.unasked(b"0,2\n") == b""
    session.ask(some_view())
    assert session.receive(b"") == ORDERS.index("move NE")
    assert session.receive(b"") is None


def test_packet_holds_no_more_than_a_socket_would() -> None:
    session = open_session(HiveSettings(line_framing="packet"), 0)
    for _ in range(10):
        session.unasked(b"x" * 60_000)
    assert len(session._held) == 64 * 1024


def test_packet_takes_name_and_first_command_as_one_name() -> None:
    session = open_session(HiveSettings(line_framing="packet"), 0)
    assert session.introduce(b"") is None
    assert session.introduce(b"alpha\n0,2\n") == "alpha\n0,2"
    refused = open_session(HiveSettings(line_framing="packet"), 0).introduce(b"alpha")
    assert isinstance(refused, Fault)


def test_a_name_without_an_end_is_garbled() -> None:
    refused = open_session(HiveSettings(), 0).introduce(b"x" * 200)
    assert isinstance(refused, Fault)
    assert refused.verdict is Verdict.GARBLED


@given(
    chunks=st.lists(st.binary(max_size=40), max_size=12),
    framing=st.sampled_from(["stream", "packet"]),
    syntax=st.sampled_from(["lenient", "strict"]),
)
def test_no_bytes_can_break_a_session(chunks: list[bytes], framing: str, syntax: str) -> None:
    session = open_session(HiveSettings(line_framing=framing, command_syntax=syntax, max_line_bytes=20), 0)
    for chunk in chunks:
        session.unasked(chunk)
        answer = session.receive(chunk)
        assert answer is None or isinstance(answer, Fault) or 0 <= answer < 32
        if isinstance(answer, Fault):
            assert answer.verdict in (Verdict.GARBLED, Verdict.INVALID)
            break
        assert len(session._held) <= 20 + 2 * 40 * 12


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "1" + "0" * 4999])
def test_a_number_of_any_length_is_read(number: str) -> None:
    session = open_session(HiveSettings.read({"max_line_bytes": 100_000}), 0)
    answer = session.receive(f"{number},0\n".encode())
    assert isinstance(answer, Fault)
    assert answer.verdict is Verdict.INVALID


def test_leading_zeros_mean_nothing() -> None:
    session = open_session(HiveSettings.read({"max_line_bytes": 100_000}), 0)
    assert session.receive(b"0" * 5000 + b"1,+" + b"0" * 5000 + b"2\n") == 8 + 2
