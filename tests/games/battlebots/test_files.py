"""The files of the original: recordings that must hold, and what its control program prints (specification 8)."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from textwrap import dedent
from typing import Any

import pytest

from botyard.games import load
from botyard.games.battlebots.files import (
    Bout,
    Match,
    check,
    contest_text,
    exporter,
    load_recorded,
    match_text,
    recognise,
    recorded_form,
    results_text,
)
from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.games.game import Game
from botyard.kernel.errors import BadRecord, YardError
from botyard.kernel.recording import Conformance, read_text
from tests.conftest import outside_recordings, recorded_file
from tests.games.battlebots.table import fresh

HUGGY_VS_NOP = "huggy vs nop\n0 1 2 3 4 \n\nResults:\nBot\tMatches\tBouts\nhuggy\t0\t0\nnop\t1\t5\n"


def conform(text: str) -> Conformance:
    result = Conformance("battlebots", "here")
    assert recognise(text)
    check(text, result, None, partial(Game, load("battlebots")))
    return result


# Recordings of the rule code


def test_every_recorded_round_is_played_alike() -> None:
    result = conform(read_text(recorded_file("battlebots")))
    assert result.first is None
    assert (result.games, result.steps, result.equal) == (65, 2098, 2098)
    assert result.holds


def recorded() -> dict[str, Any]:
    """A short recording, made here: three rounds to the end of a bout."""
    game = fresh("program", rounds_per_bout=3)
    steps = []
    initial = recorded_form(game)
    for first, second in (("B SE", "M N"), ("L E", "N"), ("P", "hello")):
        sent = [game.book.wire.open_session(game.settings, seat).ask(game.view(seat)).decode() for seat in (0, 1)]
        game.step([first, "NO" if second == "hello" else second])
        raw = [f"{first}\n", f" {second}\r\n"]
        steps.append({"sent": sent, "raw": raw, "actions": [first, second], "state": recorded_form(game)})
    settings = {**game.settings.of_group("rules"), "profile": "program", "strict_spacing": False}
    return {
        "game": "battlebots", "id": "here", "settings": settings, "initial": initial, "steps": steps, "rounds": 3,
        "winner": 1,
    }  # fmt: skip


def test_a_recording_made_here_holds() -> None:
    result = conform(json.dumps(recorded()))
    assert result.first is None
    assert (result.games, result.steps, result.equal) == (1, 3, 3)


def test_answers_with_any_white_space_are_read_as_one_line() -> None:
    record = recorded()
    record["steps"][1]["raw"][1] = "\u2028N\u0085\n"
    text = json.dumps(record, ensure_ascii=False)
    result = conform(f"{text}\n{text}\n")
    assert (result.holds, result.games, result.steps) == (True, 2, 6)


def change_sent(record: Any) -> None:
    record["steps"][1]["sent"][1] += "L x=1 y=1\n"


def change_action(record: Any) -> None:
    record["steps"][1]["actions"][0] = "L  E"


def change_raw(record: Any) -> None:
    record["steps"][0]["raw"][0] = record["steps"][0]["actions"][0] = "B S"


def change_state(record: Any) -> None:
    record["steps"][1]["state"]["landmines"] = [{"x": 3, "y": 3, "dead": True}]
    record["steps"][1]["state"]["bullets"] = [{"x": 3, "y": 3, "dir": "E"}]


def change_initial(record: Any) -> None:
    record["initial"]["bots"][0]["hp"] = 9


def change_winner(record: Any) -> None:
    record["winner"] = -1


def cut_short(record: Any) -> None:
    record["steps"].pop()
    record["rounds"] = 2


def go_on(record: Any) -> None:
    record["steps"].append(record["steps"][-1])


@pytest.mark.parametrize(
    ("change", "step", "what", "equal"),
    [
        (change_sent, 1, "text for bot 2", 2),
        (change_action, 1, "answer of bot 1", 2),
        (change_raw, 0, "bullets", 2),
        (change_state, 1, "bullets", 1),
        (change_initial, -1, "bots", 2),
        (change_winner, 3, "end", 3),
        (cut_short, 2, "end", 2),
        (go_on, 3, "end", 3),
    ],
)
def test_every_difference_is_found_and_does_not_hide_the_next(
    change: Callable[[Any], None], step: int, what: str, equal: int
) -> None:
    record = recorded()
    change(record)
    result = conform(json.dumps(record))
    assert result.first is not None
    assert (result.first.step, result.first.what) == (step, what)
    assert result.first.recorded != result.first.ours
    assert result.equal == equal
    assert not result.holds


def test_a_flooding_answer_in_a_recording_is_no_action() -> None:
    record = recorded()
    record["settings"]["max_output_bytes"] = 8
    record["steps"][2]["raw"][1] = "S" + 8 * "\n"
    record["steps"][2]["actions"][1] = "S"
    assert conform(json.dumps(record)).holds


def test_a_recorded_state_is_taken_over_as_it_is() -> None:
    game, other = fresh("program"), fresh("program")
    game.play("L SE / B N", "L SE / M N")
    load_recorded(other, recorded_form(game))
    other.state.rounds = game.state.rounds
    assert other.bytes() == game.bytes()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"game": "battlebots", "steps": []}', "line 1 is not a recorded bout"),
        ('{"game": "battlebots", "steps": [}', "line 1 is not a recorded bout"),
        ('{"game": "battlebots", "settings": {"widht": 3}, "id": "x", "steps": []}', "unknown setting 'widht'"),
    ],
)
def test_a_damaged_recording_is_the_users_mistake(line: str, message: str) -> None:
    with pytest.raises(YardError, match=message):
        check(line, Conformance("battlebots", "here"), None, partial(Game, load("battlebots")))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("bots", [{"x": 200, "y": 1, "hp": 10}] * 2),
        ("bots", [{"x": 77, "y": 1, "hp": 10}] * 2),
        ("bullets", [{"x": 1, "y": 1, "dir": "UP"}]),
        ("missiles", [{"x": 1, "y": 1, "dir": "N"}] * 50),
        ("landmines", [{"x": 1, "y": 1, "dead": False}] * 2),
    ],
)
def test_a_recorded_state_that_cannot_be_is_refused(key: str, value: Any) -> None:
    record = recorded()
    record["initial"][key] = value
    with pytest.raises(BadRecord):
        conform(json.dumps(record))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"game": "hive", "steps": []}',
        '{"game": "battlebots"}',
        "# Player 0: a",
        "a vs b\n",
        "1 0",
    ],
)
def test_other_files_are_not_recognised(text: str) -> None:
    assert not recognise(text)


# Output of the control program


def test_the_recorded_output_of_huggy_against_nop() -> None:
    result = conform(HUGGY_VS_NOP)
    assert result.holds
    assert (result.games, result.steps) == (5, 8)


def test_a_wrong_line_of_output_is_found() -> None:
    for text in (HUGGY_VS_NOP.replace("\t1\t5", "\t1\t4"), HUGGY_VS_NOP + "\n"):
        result = conform(text)
        assert result.first is not None
        assert result.first.what == "line"
        assert not result.holds


def test_only_the_sample_bots_can_play_again() -> None:
    for text in (HUGGY_VS_NOP.replace("nop", "mine"), "huggy vs nop\n0 1 "):
        with pytest.raises(BadRecord, match="sample bots"):
            conform(text)


def test_two_huggies_on_display() -> None:
    """Only bot 1 pays for the pulses of both, and loses: how the program shows the last two rounds of a bout."""
    settings = BattlebotsSettings.read(preset="program")
    book = load("battlebots")
    writer, game = exporter(".display", ["huggy1", "huggy2"]), Game(book, settings, 0)
    for orders in [["SE", "NW"]] * 3 + [["P", "P"]] * 10:
        writer.before(game, {})
        game.step(orders)
    text = writer.end(game).decode()
    assert text.startswith("huggy1 vs huggy2\n0 Round: 0\n..........\n.Y........\n")
    assert text.endswith(
        dedent("""
        ....Y.....
        .....X....
        ..........
        ..........
        ..........
        ..........
        Y hp=1
        X hp=10

        The bots are paralyzed.


        Results:
        Bot\tMatches\tBouts
        huggy1\t0\t0
        huggy2\t1\t1
        """)
    )
    assert text.count("The bots are paralyzed.\n") == 9


def test_output_outside_this_repository_is_played_alike() -> None:
    folder = outside_recordings("battlebots")
    shown = conform(read_text(folder / "battlebots_display_huggy_vs_huggy.txt"))
    assert (shown.holds, shown.games, shown.steps) == (True, 5, 963)
    assert conform(read_text(folder / "battlebots_stdout_huggy_vs_nop.txt")).holds


def test_the_display_of_a_match_is_read_again() -> None:
    writer, game = exporter(".display", ["huggy", "nop"]), fresh("program")
    bout = None
    while not game.over:
        near = int(abs(game.state.bots[0].astype(int) - game.state.bots[1]).max()) <= 1
        writer.before(game, {})
        game.step(["P" if near else "SE", "NO"])
    assert game.outcome is not None
    bout = Bout(game.outcome.winner, writer.rounds)
    assert conform(contest_text(["huggy", "nop"], [Match((0, 1), [bout] * 5)])).holds


def test_a_bout_is_exported_as_a_contest_of_its_own() -> None:
    game = fresh(rounds_per_bout=1, start_inset=4)
    writer = exporter(".txt", ["ann", "bob"])
    writer.before(game, {0: 0, 1: 0})
    assert writer.end(game) == b"ann vs bob\n0 \n"
    game.play("M SE / NO")
    assert writer.end(game) == b"ann vs bob\n0 \n\nResults:\nBot\tMatches\tBouts\nann\t1\t1\nbob\t0\t0\n"


def test_draws_count_for_nobody() -> None:
    names = ["a", "b", "c"]
    matches = [
        Match((0, 1), [Bout(0), Bout(1), Bout(None)]),
        Match((0, 2), [Bout(1), Bout(1), Bout(0)]),
        Match((1, 2), [Bout(None), Bout(0), Bout(None)]),
    ]
    assert [match.winner for match in matches] == [None, 1, 0]
    assert match_text(names, matches[1]) == "a vs c\n0 1 2 \n"
    assert results_text(names, matches) == "\nResults:\nBot\tMatches\tBouts\na\t0\t2\nb\t1\t2\nc\t1\t2\n"
    assert contest_text(names, iter(matches)).startswith("a vs b\n0 1 2 \na vs c\n0 1 2 \nb vs c\n0 1 2 \n\nResults:\n")
