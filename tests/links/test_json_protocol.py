"""Botyard's own protocol: what is said, what is understood, and that no line of a bot can do harm."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.games import load
from botyard.games.game import Game, new
from botyard.kernel.outcome import Outcome
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.json_protocol import ANSWER_BYTES, FOR_EVER_MS, LINE_BYTES, JsonSession
from botyard.match.clock import LoopClock
from botyard.match.in_process import FunctionPlayer
from botyard.match.loop import Played, play_game
from botyard.match.wire_player import WirePlayer
from tests.match.stage import Event, ScriptedLink, idle, without_waiting

READY = b'{"type":"ready","version":1,"name":"tiny"}\n'
HIVE = load("hive")
VIEW = new("hive", seed=4).view()


def session_of(game: str = "hive", **values: Any) -> JsonSession:
    book = load(game)
    return JsonSession(book, book.settings.read(values), 0)


def asked(turns: int = 1) -> JsonSession:
    """A session that has just asked for an order."""
    session = session_of()
    assert session.introduce(READY) == "tiny"
    for _ in range(turns):
        session.unasked(b"")
        session.ask(VIEW)
    return session


def answer(turn: int, order: Any) -> bytes:
    return json.dumps({"turn": turn, "order": order}).encode() + b"\n"


# What we say


def test_hello_says_everything_that_holds_for_the_whole_game(game: str) -> None:
    book = load(game)
    settings = book.settings.read()
    hello = json.loads(JsonSession(book, settings, 0).greet())
    assert (hello["type"], hello["protocol"], hello["version"]) == ("hello", "botyard", 1)
    assert (hello["game"], hello["rules_version"]) == (game, book.facts.rules_version)
    assert hello["orders"] == list(book.facts.orders)
    assert book.settings.read(hello["settings"]).of_group("rules") == settings.of_group("rules")
    assert hello["clock"] == settings.of_group("clock")
    assert hello["limits"]["move_ms"] == book.wire.open_session(settings, 0).move_ms
    assert "seed" not in hello["settings"]


def test_a_question_has_its_number_its_time_and_the_view() -> None:
    session = session_of()
    first, second = (json.loads(session.ask(VIEW)) for _ in range(2))
    assert (first["turn"], second["turn"], first["type"], first["limit_ms"]) == (1, 2, "turn", 2000)
    assert first["view"]["window"] == VIEW.window.tolist()
    assert set(first["view"]) == set(VIEW.fields)


def test_every_message_is_one_line() -> None:
    session = session_of("snakebattle", level_map="☼☼☼\n☼#☼\n☼☼☼")
    for message in (session.greet(), session.closing(None)):
        assert message.endswith(b"\n")
        assert message.count(b"\n") == 1


def test_goodbye_tells_the_outcome() -> None:
    session = session_of()
    assert json.loads(session.closing(Outcome(((1,), (0,)), (3, 12)))) == {
        "type": "goodbye",
        "outcome": {"groups": [[1], [0]], "scores": [3, 12]},
    }
    assert json.loads(session.closing(None))["outcome"] is None
    assert session.opening(VIEW) == b""


# Time


def test_there_is_as_much_time_to_connect_as_in_the_games_own_protocol() -> None:
    assert session_of("hive", connect_timeout_ms=1234).connect_ms == 1234


def test_the_time_bank_is_the_games_own() -> None:
    session = session_of("hackman", timebank_ms=1000, time_per_move_ms=100, max_timeouts=0)
    view = new("hackman", seed=1).view(0)
    assert json.loads(session.ask(view))["limit_ms"] == 1000
    session.took(400, 0)
    assert json.loads(session.ask(view))["limit_ms"] == session.move_ms == 700
    assert session.settle_ms == 1000
    session.took(700, Fault(Verdict.SILENT, ""))
    assert session.stopped
    assert (session.move_ms, session.settle_ms) == (0, 0)


def test_where_a_game_sets_no_limit_there_is_none() -> None:
    session = session_of("battlebots", move_timeout_ms=0)
    assert json.loads(session.ask(new("battlebots", seed=1).view(0)))["limit_ms"] is None
    assert json.loads(session.greet())["limits"]["move_ms"] is None
    assert session.move_ms == FOR_EVER_MS


# Being ready


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"hello\n", "not valid JSON"),
        (b'{"turn":1,"order":0}\n', "the first line of a bot"),
        (b'{"type":"ready"}\n', "version 1"),
        (b'{"type":"ready","version":2}\n', "version 1"),
        (b'{"type":"ready","version":true}\n', "version 1"),
        (b'{"type":"ready","version":1,"name":5}\n', "a name must be a string"),
        (b'["ready"]\n', "not a JSON object"),
    ],
)
def test_who_is_ready_in_another_way_is_told_how(line: bytes, complaint: str) -> None:
    fault = session_of().introduce(line)
    assert isinstance(fault, Fault)
    assert (fault.verdict, complaint in fault.reason) == (Verdict.GARBLED, True)


def test_a_bot_may_be_nameless_or_have_an_odd_name() -> None:
    assert session_of().introduce(b'\r\n{"type":"ready","version":1,"mood":0.5}\r\n') == ""
    assert session_of().introduce(b'{"type":"ready","version":1,"name":"\\ud800x"}\n') == "?x"
    long = b'{"type":"ready","version":1,"name":"' + b"n" * 500 + b'"}\n'
    assert session_of().introduce(long) == "n" * 64


def test_being_ready_may_come_in_pieces() -> None:
    session = session_of()
    assert [session.introduce(READY[at : at + 1]) for at in range(len(READY))][-1] == "tiny"


# Answers


@pytest.mark.parametrize(
    ("line", "order"),
    [
        (answer(1, "move N"), 0),
        (answer(1, "GUARD  nw"), 31),
        (answer(1, 24), 24),
        (answer(1, "24"), 24),
        (b'\n \r\n{"order": 3, "turn": 1, "why": [0.5, {"a": null}]}\r\n', 3),
    ],
)
def test_an_order_is_a_name_or_a_number(line: bytes, order: int) -> None:
    assert asked().receive(line) == order


@pytest.mark.parametrize(
    ("line", "verdict", "complaint"),
    [
        (b"3,0\n", Verdict.GARBLED, "not valid JSON"),
        (b"3\n", Verdict.GARBLED, "not a JSON object"),
        (b'{"order":3}\n', Verdict.GARBLED, "an answer is"),
        (b'{"turn":1}\n', Verdict.GARBLED, "an answer is"),
        (b'{"turn":true,"order":3}\n', Verdict.GARBLED, "an answer is"),
        (b'{"turn":1.0,"order":3}\n', Verdict.GARBLED, "an answer is"),
        (b'{"turn":"1","order":3}\n', Verdict.GARBLED, "an answer is"),
        (b'{"turn":2,"order":3}\n', Verdict.GARBLED, "but the question was for turn 1"),
        (b'{"turn":1,"order":null}\n', Verdict.GARBLED, "an answer is"),
        (b'{"turn":1,"order":true}\n', Verdict.GARBLED, "name or number"),
        (b'{"turn":1,"order":[3]}\n', Verdict.GARBLED, "name or number"),
        (b'{"turn":1,"order":"fly"}\n', Verdict.GARBLED, "unknown order of hive 'fly'"),
        (b'{"turn":1,"order":32}\n', Verdict.INVALID, "no order 32"),
        (b'{"turn":1,"order":-1}\n', Verdict.INVALID, "no order -1"),
        (b'{"turn":1,"order":NaN}\n', Verdict.GARBLED, "NaN is not allowed as a number"),
        (b'{"turn":1,"order":1' + b"0" * 3000 + b"}\n", Verdict.GARBLED, "a number has 3001 digits"),
        (b'{"turn":1,"order":"' + b"9" * 3000 + b'"}\n', Verdict.GARBLED, "at most 64 characters"),
        (b'{"turn":1,"order":3,"order":4}\n', Verdict.GARBLED, "the key 'order' occurs twice"),
        (b'{"turn":1,"order":3,"a":' + b"[" * 2000 + b"]" * 2000 + b"}\n", Verdict.GARBLED, "brackets"),
        (b'{"turn":1,"order":"\xff"}\n', Verdict.GARBLED, "not UTF-8"),
        (b'\xef\xbb\xbf{"turn":1,"order":3}\n', Verdict.GARBLED, "not valid JSON"),
        (b"x" * (LINE_BYTES + 1), Verdict.FLOODED, "a line of more than"),
        (b"x" * (LINE_BYTES + 1) + b"\n", Verdict.FLOODED, "a line of more than"),
        (b"\n" * (ANSWER_BYTES + 1), Verdict.FLOODED, "without an answer among them"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_answer_is_explained(line: bytes, verdict: Verdict, complaint: str) -> None:
    fault = asked().receive(line)
    assert isinstance(fault, Fault)
    assert fault.verdict is verdict
    assert complaint in fault.reason


def test_an_answer_to_an_earlier_turn_never_counts_for_a_later_one() -> None:
    session = asked(turns=3)
    assert session.receive(answer(1, 1) + answer(2, 2)) is None
    assert session.receive(answer(3, 5) + answer(3, 6)) == 5
    session.unasked(b"")
    session.ask(VIEW)
    assert session.receive(b"") is None
    assert session.receive(answer(4, 7)) == 7


def test_what_comes_before_a_question_is_dropped_and_told() -> None:
    session = asked()
    assert session.receive(answer(1, 1)) == 1
    assert session.unasked(answer(2, 2) + b'{"turn":') == answer(2, 2)
    session.ask(VIEW)
    assert session.receive(b'1,"order":4}\n') is None  # begun before the question, and of the turn before
    assert session.receive(answer(2, 3)) == 3


def test_an_endless_line_is_skipped_to_its_end() -> None:
    session = asked()
    assert isinstance(session.receive(b"x" * (LINE_BYTES + 1)), Fault)
    assert session.receive(b"x" * 100_000) is not None  # a flood by now
    session.unasked(b"x" * 100_000)
    session.ask(VIEW)
    assert session.receive(b"xxx\n" + answer(2, 3)) == 3
    assert session.unasked(b"y" * (LINE_BYTES + 1)) == b"y" * (LINE_BYTES + 1)
    session.ask(VIEW)
    assert session.receive(b"y\n" + answer(3, 3)) == 3


def test_a_line_of_the_greatest_length_is_read() -> None:
    session = asked()
    assert session.receive(answer(1, 3).rstrip().ljust(LINE_BYTES)) is None  # its end has not come yet
    assert session.receive(b"\n") == 3
    assert session.unasked(answer(2, 4).rstrip().ljust(LINE_BYTES)) == b""
    session.ask(VIEW)
    assert session.receive(b"\n") == 4


def test_a_frame_is_a_line_of_its_own() -> None:
    session = JsonSession(HIVE, HIVE.settings.read(), 0, framed=True)
    assert session.introduce(READY.rstrip()) == "tiny"
    session.ask(VIEW)
    assert session.receive(b"") is None
    assert session.receive(answer(1, 3).rstrip()) == 3
    session.unasked(b"{")
    session.ask(VIEW)
    assert session.receive(answer(2, 4)) == 4
    session.ask(VIEW)
    assert isinstance(session.receive(b'{"turn":3,'), Fault)


# Whatever a bot sends

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["turn", "order", "x"]), inner),
    max_leaves=6,
)
TALK = st.lists(
    st.binary(max_size=40)
    | JSON_VALUES.map(lambda value: json.dumps(value).encode() + b"\n")
    | st.sampled_from([READY, b"\n", b"\r\n", b"[" * 5000, b'{"a":' * 900, answer(1, 3), answer(99, 3), b"9" * 5000]),
    max_size=8,
)


@given(TALK, TALK, TALK)
def test_nothing_a_bot_sends_raises_or_spoils_the_next_turn(
    first: Sequence[bytes], early: Sequence[bytes], later: Sequence[bytes]
) -> None:
    session = session_of()
    for chunk in first:
        said = session.introduce(chunk)
        assert said is None or isinstance(said, (str, Fault))
    session.unasked(b"".join(early))
    session.ask(VIEW)
    for chunk in later:
        result = session.receive(chunk)
        assert result is None or isinstance(result, Fault) or 0 <= result < len(HIVE.facts.orders)
    session.unasked(b"\n")
    session.ask(VIEW)
    assert session.receive(answer(2, 17)) == 17


@given(TALK, st.integers(1, 7))
def test_it_does_not_matter_how_a_stream_is_cut(talk: Sequence[bytes], size: int) -> None:
    stream = b"".join(talk)[: LINE_BYTES - 1]

    def results(chunks: Sequence[bytes]) -> list[str]:
        session, found = asked(), []
        for chunk in [*chunks, b"\n"]:
            result = session.receive(chunk)
            while result is not None:
                found.append(str(result))
                result = session.receive(b"")
        return found

    assert results([stream]) == results([stream[at : at + size] for at in range(0, len(stream), size)])


# In a match


def play(*acts: Sequence[Event], **settings: Any) -> tuple[Played, ScriptedLink]:
    """A game of Hive Arena between a scripted bot in this protocol, who is player 0, and a function."""

    async def main() -> tuple[Played, ScriptedLink]:
        link, clock = ScriptedLink([], *acts), LoopClock()
        chosen = HIVE.settings.read({"random_seats": False, "max_turns": 6, **settings})
        scripted = WirePlayer("scripted", JsonSession(HIVE, chosen, 0), link, clock)
        rival = FunctionPlayer(idle, HIVE.facts, 2000, clock)
        return await play_game(Game(HIVE, chosen, 4), [scripted, rival]), link

    return without_waiting(main())


def test_a_bot_is_greeted_asked_and_told_the_end() -> None:
    played, link = play([READY], [answer(1, "guard N")], [answer(2, "guard N")], [answer(3, "guard N")])
    assert played.names == ("tiny", "idle")
    assert played.verdicts[0] == {Verdict.OK: 3}
    types = [json.loads(line)["type"] for line in b"".join(link.sent).splitlines()]
    assert types == ["hello", "turn", "turn", "turn", "goodbye"]


def test_a_bot_may_take_its_time_to_be_ready() -> None:
    played, _ = play([20_000, READY], *[[answer(turn, 24)] for turn in (1, 2, 3)])
    assert played.verdicts[0] == {Verdict.OK: 3}
    silent, _ = play([40_000, READY])
    assert silent.replay.missed[0].verdict is Verdict.SILENT
    assert silent.winner == 1


def test_a_bot_that_is_one_turn_behind_loses_those_turns_and_no_others() -> None:
    played, _ = play([READY], [2100, answer(1, "move E")])  # after the deadline, within the settling time
    assert [turn.verdict for turn in played.turns if turn.seat == 0] == [Verdict.LATE]


def test_an_answer_that_comes_a_turn_later_is_quoted() -> None:
    played, _ = play([READY], [answer(1, 24)], [answer(1, 25), 5000])
    mine = [turn for turn in played.turns if turn.seat == 0]
    assert [turn.verdict for turn in mine] == [Verdict.OK, Verdict.SILENT]
    assert "what came does not answer this question" in mine[1].reason
    assert '"turn": 1' in mine[1].reason
