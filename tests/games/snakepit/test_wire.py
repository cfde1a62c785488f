"""The protocol of Snakepit in transcripts.

`>` we send a line, `<` the bot sends bytes after the question, `~` it sends them before, `=` what it sent before
answers now, `!` nothing comes in time.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import botyard
import botyard.games.snakepit as snakepit_package
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.games.snakepit.wire import arguments, open_session
from botyard.kernel.chance import TAPE
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.verdict import Fault, Verdict
from tests.games.snakepit.table import snakepit

ODD = {"snakes": 1, "tick_timeout": 8}  # the set-up of the recorded misbehaving bots


def start(
    preset: str = "program", pellet: tuple[int, int] = (10, 21), head: tuple[int, int] = (42, 6), **more: Any
) -> Any:
    game = botyard.new("snakepit", seed=1, preset=preset, **{**ODD, **more})
    width, height = int(game.arena.width), int(game.arena.height)
    game.arena.chance_kind = TAPE
    game.feed([draw for x, y in (pellet, head) for draw in ((width, x - 1), (height, y - 1))])
    game.begin()
    assert game.draws_fit
    return game


def converse(game: Any, transcript: str, game_number: int = 1) -> Any:
    """Plays a transcript; `si` lines are left out of it."""
    session = open_session(game.settings, 0)
    session.game_number = game_number
    view = game.view(0)
    pending = spoken(session.opening(view) + session.ask(view))
    early = b""
    for line in transcript.strip().splitlines():
        kind, _, text = line.strip().partition(" ")
        sent = text.encode().decode("unicode_escape").encode("latin-1")
        if kind == ">":
            assert pending
            assert pending.pop(0) == text
            continue
        assert not pending, f"{pending} before {line}"
        if kind == "~":
            early += sent
            continue
        order = answer(session, kind, sent)
        game.step_orders({0: order})
        assert session.unasked(early) == (b"" if session._keeps else ANY)
        early = b""
        pending = spoken(session.closing(game.outcome) if game.over else session.ask(game.view(0)))
    assert not pending
    return session


class Anything:
    def __eq__(self, other: object) -> bool:
        return isinstance(other, bytes)

    __hash__ = None  # type: ignore[assignment]


ANY = Anything()


def spoken(raw: bytes) -> list[str]:
    assert raw == b"" or raw.endswith(b"\n")
    return [line for line in raw.decode().splitlines() if not line.startswith("si ")]


def answer(session: Any, kind: str, sent: bytes) -> int:
    held = session.receive(b"")
    if kind == "=":
        assert isinstance(held, int)
        return held
    assert held is None
    if kind == "!":
        return NO_ORDER
    given = session.receive(sent)
    assert given is not None
    return NO_ORDER if isinstance(given, Fault) else int(given)


# Openings (6.2)


def test_the_opening_tells_the_board_the_pellet_and_every_body() -> None:
    game: Any = botyard.new("snakepit", seed=3, snakes=2, width=12, height=9, initial_len=2)
    session, view = open_session(game.settings, 1), game.view(1)
    assert session.opening(view).decode().splitlines() == [
        "bi 12,9",
        f"p {view.pellet_x},{view.pellet_y}",
        *(
            f"si {seat + 1} {view.heads[seat][0]},{view.heads[seat][1] + below}"
            for seat in (0, 1)
            for below in (0, 1, 2)
        ),
        "ready",
    ]
    assert session.ask(view) == b"mov\n"


def test_from_the_second_game_on_the_program_repeats_the_heads() -> None:
    game = start(head=(41, 56))
    view = game.view(0)
    first, second = open_session(game.settings, 0), open_session(game.settings, 0)
    second.game_number = 2
    assert first.opening(view).endswith(b"si 1 41,61\nready\n")  # below the board
    assert second.opening(view).endswith(b"si 1 41,61\nready\ns 1 41,56,-1,-1\n")
    quiet = open_session(SnakepitSettings.read({**ODD, "opening_deltas": False}, "program"), 0)
    quiet.game_number = 2
    assert quiet.opening(view).endswith(b"ready\n")


# Answers (6.4), as they were recorded with the original


def test_the_line_feed_after_an_answer_kills_in_the_next_tick() -> None:
    converse(start(), """
        > bi 60,60
        > p 10,21
        > ready
        > mov
        < u\\n
        > s 1 42,5,42,11
        > mov
        =
    """)  # fmt: skip


def test_surplus_bytes_answer_later_questions_one_by_one() -> None:
    converse(start(), """
        > bi 60,60
        > p 10,21
        > ready
        > mov
        < rruul
        > s 1 43,6,42,11
        > mov
        =
        > s 1 44,6,42,10
        > mov
        =
        > s 1 44,5,42,9
        > mov
        =
        > s 1 44,4,42,8
        > mov
        =
        > s 1 43,4,42,7
        > mov
        !
        > s 1 42,4,42,6
        > mov
        !
        > s 1 41,4,43,6
        > mov
        !
    """)  # fmt: skip


@pytest.mark.parametrize("garbage", ["x", "R", "1"])
def test_an_unknown_byte_kills(garbage: str) -> None:
    converse(start(), f"""
        > bi 60,60
        > p 10,21
        > ready
        > mov
        < u
        > s 1 42,5,42,11
        > mov
        < u
        > s 1 42,4,42,10
        > mov
        < {garbage}
    """)  # fmt: skip


def test_bytes_before_the_first_question_answer_it() -> None:
    game = start()
    session = open_session(game.settings, 0)
    assert session.unasked(b"llll") == b""
    assert [session.receive(b"") for _ in range(5)] == [1, 1, 1, 1, None]


def test_a_late_byte_answers_the_next_question() -> None:
    converse(start(), """
        > bi 60,60
        > p 10,21
        > ready
        > mov
        < r
        > s 1 43,6,42,11
        > mov
        !
        > s 1 44,6,42,10
        > mov
        < u
        > s 1 44,5,42,9
        > mov
        < r
        > s 1 45,5,42,8
        > mov
    """)  # fmt: skip


def test_a_bot_that_is_silent_goes_right_until_the_game_starves() -> None:
    converse(start(tick_timeout=2), """
        > bi 60,60
        > p 10,21
        > ready
        > mov
        !
        > s 1 43,6,42,11
        > mov
        !
    """)  # fmt: skip


# The document's way


def test_the_document_drops_what_was_not_asked_for_and_says_goodbye() -> None:
    converse(start("document", tick_timeout=4), """
        > bi 60,60
        > p 10,21
        > ready
        > mov
        < rruul
        > s 1 43,6,42,11
        > mov
        ~ lll
        < \\r\\nu\\n
        > s 1 43,5,42,10
        > mov
        !
        > s 1 43,4,42,9
        > mov
        < u
        > quit
    """)  # fmt: skip


def test_dropped_bytes_are_handed_over_for_the_report() -> None:
    session = open_session(SnakepitSettings(), 0)
    assert session.receive(b"ruu") == 0
    assert session.unasked(b"\nl") == b"uu\nl"
    assert session.receive(b"") is None


def test_line_ends_are_no_answers_in_the_document_s_way() -> None:
    session = open_session(SnakepitSettings(), 0)
    assert session.receive(b"\n") is None
    assert session.receive(b"\r\n") is None
    assert session.receive(b"d") == 3


def test_an_unknown_byte_may_be_ignored_but_is_the_answer() -> None:
    session = open_session(SnakepitSettings(unknown_answer="ignore"), 0)
    given = session.receive(b"\nxu")
    assert isinstance(given, Fault)
    assert given.verdict is Verdict.GARBLED
    assert "r l u d" in given.reason
    assert session.unasked(b"") == b"u"


def test_eating_and_growing_on_the_wire_example_1() -> None:
    settings = {"snakes": 1, "width": 10, "height": 6, "initial_len": 2, "clean_start": True}
    game = start("document", pellet=(4, 2), head=(3, 2), **settings, tick_timeout=9)
    session = open_session(game.settings, 0)
    game.feed([(10, 8), (6, 4)])
    sent = []
    for _ in range(4):
        game.step("r")
        sent.append(session.ask(game.view(0)).decode())
    assert sent == [
        "p 9,5\ns 1 4,2,-1,-1\nmov\n", "s 1 5,2,-1,-1\nmov\n", "s 1 6,2,-1,-1\nmov\n", "s 1 7,2,3,4\nmov\n",
    ]  # fmt: skip


def test_the_dead_are_told_of_no_more() -> None:
    game: Any = snakepit("a A . .\n. . . .\n. b B .\n. c C .\n. . . .").play(A="u", B="r", C="d")
    lines = open_session(game.settings, 1).ask(game.view(1)).decode().splitlines()
    assert lines == ["s 2 4,3,2,3", "s 3 3,5,2,4", "mov"]


def test_times_and_the_command_line() -> None:
    session = open_session(SnakepitSettings(client_timeout=2, server_timeout=7), 0)
    assert (session.move_ms, session.connect_ms, session.introduces) == (2000, 7000, False)
    assert session.introduce(b"hello") == ""
    assert arguments("127.0.0.1", 41309, 1) == ["127.0.0.1", "41309", "2"]


def test_a_late_byte_is_left_alone_where_it_answers_the_next_question() -> None:
    kept, dropped = open_session(SnakepitSettings(stale_answers="keep"), 0), open_session(SnakepitSettings(), 0)
    assert (kept.settle_ms, dropped.settle_ms) == (0, 250)
    kept.took(3.0, 1)
    for _ in range(10):
        kept.unasked(b"u" * 60_000)
    assert len(kept._held) == 64 * 1024  # no more than a socket would hold


def test_goodbye_may_be_silent() -> None:
    assert open_session(SnakepitSettings(send_quit=False), 0).closing(None) == b""
    assert open_session(SnakepitSettings(), 0).closing(None) == b"quit\n"


@given(chunks=st.lists(st.binary(max_size=6)), preset=st.sampled_from(["document", "program"]))
def test_nothing_a_bot_sends_raises(chunks: list[bytes], preset: str) -> None:
    session = open_session(SnakepitSettings.read({}, preset), 0)
    for at, chunk in enumerate(chunks):
        if at % 3 == 0:
            assert isinstance(session.unasked(chunk), bytes)
        given = session.receive(chunk)
        assert given is None or given in range(5)


def test_the_exchange_on_the_game_s_page_is_a_real_one() -> None:
    page = (Path(snakepit_package.__file__).parent / "README.md").read_text()
    lines = [re.split(r"\s{2,}", line.strip())[0] for line in page.splitlines() if re.match(r"    [<>] ", line)]
    game: Any = botyard.new("snakepit", seed=1, snakes=2, width=12, height=9, initial_len=1)
    game.arena.chance_kind = TAPE
    game.feed([draw for x, y in ((5, 2), (5, 4), (3, 2)) for draw in ((12, x - 1), (9, y - 1))])
    game.begin()
    game.feed([(12, 8), (9, 4)])  # the second pellet
    session, rival = open_session(game.settings, 0), iter("rrl")  # which turns back and dies
    said = [f"> {line}" for line in session.opening(game.view(0)).decode().splitlines()]
    for answer in (line[2:] for line in lines if line.startswith("<")):
        said += [f"> {line}" for line in session.ask(game.view(0)).decode().splitlines()]
        said.append(f"< {answer}")
        game.step({0: answer, 1: next(rival)})
    assert game.over
    said += [f"> {line}" for line in session.closing(game.outcome).decode().splitlines()]
    assert said == lines
