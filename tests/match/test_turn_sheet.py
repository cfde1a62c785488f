"""The turn sheet: what a viewer shows beside the board is what happened, escaped, and never too much."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.kernel.verdict import Fault, Verdict
from botyard.match import turn_sheet as sheets
from botyard.match.board_notes import TurnNotes
from botyard.match.loop import Played
from botyard.match.player import Answer
from botyard.match.replay import Missed
from botyard.match.report import log_of
from botyard.match.turn_sheet import LENGTHS, NO_LOG, ONLY_HOUSE, TEXT_IN_ALL, fitting_length, turn_sheet
from botyard.match.turns import START_TICK, SeatRecord, Turn, TurnLog, read_turns, write_turns
from tests.links.yard import play, tiny_bot

HARM = "<img src=x onerror=alert(1)>\x1b[2J\u202e\\n"


@pytest.fixture(scope="module")
def house() -> Played:
    return botyard.play("hive", ["house:forager", "house:wanderer"], seed=3, max_turns=40)


@pytest.fixture(scope="module")
def clumsy(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A program that answers well twice, prints, and then says what nobody understands."""
    body = """
        for at, _ in enumerate(turns()):
            print("thinking", at, flush=True)
            print('@yard {"cell": [1, 2], "colour": "red"}')
            print('@yard {"mark": "odd", "turn": 1}')
            print('@yard []', flush=True)
            say("3,0\\n" if at < 2 else "GUARD\\n")
    """
    return play(tiny_bot(tmp_path_factory.mktemp("bots"), body), "house:wanderer", max_turns=6)


def sheet_of(played: Played, *turns: Turn, **how: Any) -> dict[str, Any]:
    """As a viewer gets it: through JSON."""
    log = replace(played.log, turns=list(turns)) if turns else played.log
    made: dict[str, Any] = json.loads(json.dumps(turn_sheet(played.replay, log, **how)))
    return made


def turn(tick: int, seat: int = 0, verdict: Verdict = Verdict.OK, reason: str = "because", **answer: Any) -> Turn:
    result = 3 if verdict is Verdict.OK else Fault(verdict, reason)
    return Turn.of(tick, seat, Answer(result, **{"ms": 1.0, "limit_ms": 100, "sent": b"view\n", **answer}))


def test_a_turn_is_told_as_it_was(clumsy: Played) -> None:
    sheet = sheet_of(clumsy)
    [seat, rival] = sheet["seats"]
    assert (sheet["about"], sheet["ticks"], sheet["left_out"]) == ("", len(clumsy.replay.ticks), 0)
    assert rival == {"name": "wanderer", "house": True, "turns": [], "notes": [], "notes_left_out": 0}
    own = [turn for turn in clumsy.turns if turn.seat == 0]
    assert [row["tick"] for row in seat["turns"]] == [turn.tick for turn in own]
    first = seat["turns"][0]
    assert first["order"] == "guard N"
    assert first["sent"] == [[*own[0].sent.rstrip("\n").split("\n"), ""], 0]
    assert first["received"] == [["3,0", ""], 0]
    assert first["said"] == [["thinking 0", ""], 0]
    assert (first["ms"], first["limit"]) == (round(own[0].ms, 1), own[0].limit_ms)
    assert (first["notes_dropped"], first["notes_reason"]) == (1, "a note is a JSON object, not []")
    assert not {"reason", "remedy", "early"} & first.keys()


def test_a_lost_turn_has_its_reason_and_the_remedy_that_a_check_would_give(clumsy: Played) -> None:
    sheet = sheet_of(clumsy)
    lost = [row for row in sheet["seats"][0]["turns"] if row["verdict"] != "OK"]
    assert lost
    assert {row["verdict"] for row in lost} == {"GARBLED"}
    assert "GUARD" in lost[0]["reason"]
    assert [sheet["remedies"][row["remedy"]] for row in lost] == [
        "the connection is for answers only; print everything else"
    ] * len(lost)


def test_notes_stand_at_the_tick_they_name_or_were_read_in(clumsy: Played) -> None:
    cell, mark = {"cell": [1, 2], "colour": "#d62828"}, {"mark": "odd"}
    ticks = [turn.tick for turn in clumsy.turns if turn.seat == 0]
    noted = sheet_of(clumsy)["seats"][0]["notes"]
    assert [row for row in noted if "cell" in row[1]] == [[tick, cell] for tick in ticks]
    assert [row for row in noted if "mark" in row[1]] == [[1, mark]] * len(ticks)


def test_without_notes_nothing_of_them_is_in_the_sheet(clumsy: Played) -> None:
    text = json.dumps(sheet_of(clumsy, notes=False))
    assert "odd" not in text
    assert "notes" not in text


def test_a_game_among_house_bots_says_so(house: Played) -> None:
    sheet = sheet_of(house)
    assert sheet["about"] == ONLY_HOUSE
    assert [(seat["name"], seat["house"], seat["turns"]) for seat in sheet["seats"]] == [
        ("forager", True, []),
        ("wanderer", True, []),
    ]
    assert len(json.dumps(sheet)) < 1000


def test_without_a_log_the_lost_turns_of_the_replay_are_told(house: Played) -> None:
    late = Missed(7, 1, Verdict.LATE, "answered after 99 ms")
    sheet = turn_sheet(replace(house.replay, missed=[late]), None)
    assert sheet["about"] == NO_LOG
    [row] = sheet["seats"][1]["turns"]
    assert row == {"tick": 7, "verdict": "LATE", "reason": "answered after 99 ms", "remedy": 0} | {
        key: value for key, value in row.items() if key == "remedy"
    }
    assert sheet["remedies"][row["remedy"]].startswith("think less")
    assert sheet["ms"] == [0.0] * len(house.replay.ticks)


def test_a_tick_lasts_as_long_as_its_slowest_bot_or_as_all_of_them_if_they_were_asked_in_turn(house: Played) -> None:
    log = replace(house.log, turns=[turn(0, 0, ms=20.04), turn(0, 1, ms=5.0), turn(2, 1, ms=7.0)])
    assert turn_sheet(house.replay, log)["ms"][:4] == [20.0, 0.0, 7.0, 0.0]
    assert turn_sheet(house.replay, replace(log, in_turn=True))["ms"][:4] == [25.0, 0.0, 7.0, 0.0]


@pytest.mark.parametrize("in_turn", [False, True])
def test_the_log_knows_whether_seats_were_asked_in_turn(in_turn: bool, tmp_path: Path) -> None:
    mode: dict[str, Any] = {"ask_mode": "sequential" if in_turn else "parallel"}
    played = botyard.play("hackman", ["house:collector", "house:collector"], seed=1, max_rounds=2, **mode)
    write_turns(tmp_path / "game.replay", played.log)
    assert read_turns(tmp_path / "game.replay").in_turn is in_turn


def test_whatever_a_bot_said_is_escaped(house: Played) -> None:
    raw = HARM.encode() + b"\xff\nnext"
    noted = TurnNotes(({"mark": HARM[:40]}, {"cell": [0, 0], "text": "\u202e"}), 1, f"unknown {HARM!r}")
    told = turn(0, 0, Verdict.GARBLED, repr(HARM), sent=raw, received=raw, early=raw, said=HARM, notes=noted)
    log = TurnLog("hive", 3, (SeatRecord(HARM, said=HARM), SeatRecord("b")), turns=[told])
    sheet = turn_sheet(house.replay, log)
    row = sheet["seats"][0]["turns"][0]
    escaped = r"<img src=x onerror=alert(1)>\x1b[2J\u202e\\n"
    assert row["sent"] == row["received"] == row["early"] == [[escaped + r"\xff", "next"], 0]
    assert row["said"] == sheet["seats"][0]["said"] == [[escaped], 0]
    assert sheet["seats"][0]["name"] == escaped
    text = json.dumps(sheet, ensure_ascii=False)
    assert text.isprintable()
    assert "\u202e" not in text


def test_long_texts_are_cut_and_say_how_much_is_missing(house: Played) -> None:
    most = LENGTHS[0]
    long = turn(0, sent=b"x" * (most + 5), received=b"y" * 9000, said="a" * most + "b" * most)
    row = sheet_of(house, long)["seats"][0]["turns"][0]
    assert row["sent"] == [["x" * most], 5]
    assert row["received"] == [["y" * 4096], 9000 - 4096]
    half = most // 2
    assert row["said"] == [["a" * half, f"… {most} characters …", "b" * half], most]


def test_much_text_is_cut_until_all_of_it_fits(house: Played) -> None:
    turns = [turn(tick, sent=b"s" * 4096, received=b"r" * 4096, said="w" * 30_000) for tick in range(2000)]
    replay = replace(house.replay, ticks=[[[0, 0]]] * 2000)
    sheet = turn_sheet(replay, replace(house.log, turns=turns))
    assert len(json.dumps(sheet)) < 1.2 * TEXT_IN_ALL
    rows = sheet["seats"][0]["turns"]
    assert rows[0]["sent"] == rows[-1]["sent"]
    assert rows[0]["sent"][1] > 0


def test_no_log_makes_a_sheet_without_a_bound(house: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_TURNS", 50)
    turns = [turn(tick, verdict=Verdict.CRASHED, reason=f"reason {chr(65 + tick % 26) * 9}") for tick in range(40)]
    sheet = sheet_of(house, *turns, *(turn(tick, 1) for tick in range(40)))
    assert sheet["left_out"] == 30
    assert len(sheet["seats"][1]["turns"]) == 10
    twice = sheet_of(house, turn(1), turn(1, received=b"again"), turn(99), turn(3, seat=7), turn(START_TICK))
    assert [row["tick"] for row in twice["seats"][0]["turns"]] == [START_TICK, 1]


def test_many_ways_to_lose_turns_are_explained_up_to_a_bound(house: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_REMEDIES", 3)
    verdicts = [Verdict.LATE, Verdict.SILENT] * 4
    sheet = sheet_of(house, *(turn(tick, verdict=verdict) for tick, verdict in enumerate(verdicts)))
    told = [sheet["remedies"][row["remedy"]] for row in sheet["seats"][0]["turns"]]
    assert told[:3] == ["think less, or stop in time and answer with the best move found so far", told[1], told[0]]
    assert told[3:] == [verdict.meaning for verdict in verdicts[3:]]


def test_a_tick_has_no_more_notes_than_a_turn_may_have(house: Played) -> None:
    crowd = TurnNotes(({"mark": "x", "turn": 0},) * 64)
    late = TurnNotes(({"mark": "y", "turn": 4000},))
    sheet = sheet_of(house, turn(0, notes=crowd), turn(1, notes=crowd), turn(2, notes=late))
    assert len(sheet["seats"][0]["notes"]) == 64
    assert sheet["seats"][0]["notes_left_out"] == 65


def test_notes_that_came_after_the_last_turn_stand_at_it(house: Played) -> None:
    seat = SeatRecord("a", notes=TurnNotes(({"mark": "end"}, {"mark": "mid", "turn": 2})))
    log = TurnLog("hive", 3, (seat, SeatRecord("b")), turns=[turn(0), turn(5)])
    assert turn_sheet(house.replay, log)["seats"][0]["notes"] == [[2, {"mark": "mid"}], [5, {"mark": "end"}]]


def test_a_game_of_rules_that_are_not_here_has_a_sheet_too(house: Played) -> None:
    strange = replace(house.replay, game="chess")
    log = replace(house.log, game="chess", turns=[turn(0, verdict=Verdict.GARBLED), turn(1)])
    sheet = turn_sheet(strange, log)
    assert sheet["remedies"] == [Verdict.GARBLED.meaning]
    assert sheet["seats"][0]["turns"][1]["order"] == "3"


def test_the_sheet_of_files_is_that_of_the_game(clumsy: Played, tmp_path: Path) -> None:
    path = tmp_path / "game.replay"
    clumsy.replay.write(path)
    write_turns(path, clumsy.log)
    assert turn_sheet(clumsy.replay, log_of(path, clumsy.replay)) == turn_sheet(clumsy.replay, clumsy.log)


def test_the_length_is_the_longest_that_fits() -> None:
    assert fitting_length([], ()) == LENGTHS[0]
    just = TEXT_IN_ALL // LENGTHS[1]
    long = "x" * LENGTHS[0]
    assert fitting_length([], [SeatRecord("a", said=long)] * just) == LENGTHS[1]
    assert fitting_length([], [SeatRecord("a", said=long)] * (just + 1)) == LENGTHS[2]
