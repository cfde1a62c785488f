"""A report is readable whatever a bot printed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import botyard
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.board_notes import TurnNotes
from botyard.match.jitter import Lateness
from botyard.match.loop import Played
from botyard.match.player import Answer
from botyard.match.report import TurnFilter, TurnReport
from botyard.match.report_json import report_json
from botyard.match.report_text import report_lines
from botyard.match.turns import SeatRecord, Turn


@pytest.fixture(scope="module")
def played() -> Played:
    return botyard.play("hive", ["house:forager", "house:wanderer"], seed=3, max_turns=4)


def reported(played: Played, *answers: Answer, choice: TurnFilter | None = None, **log: Any) -> TurnReport:
    turns = [Turn.of(at, 0, answer) for at, answer in enumerate(answers)]
    report = TurnReport(choice)
    report.add("game.replay", played.replay, replace(played.log, turns=turns, **log))
    return report


def text_of(report: TurnReport, **options: Any) -> str:
    return "\n".join(line.text for line in report_lines(report, **options))


def test_a_lost_turn_is_shown_with_all_that_belongs_to_it(played: Played) -> None:
    bad = Answer(Fault(Verdict.GARBLED, "not action,direction: 'fly'"), 12.34, 2000, b"7,0,1\n", b"fly\n", b"old\n",
                 "Traceback\n  boom\n", 1900)  # fmt: skip
    shown = text_of(reported(played, Answer(3, 1.0, 2000, b"6,0,1\n", b"3,0\n"), bad))
    assert "1 turn was lost" in shown
    assert f"GARBLED: {Verdict.GARBLED.meaning}" in shown
    name = played.names[0]
    assert shown.endswith(
        f'tick 0, seat 0 {name}  OK move SE  1.0 of 2000 ms, 1999 left\n  > "6,0,1\\n"\n  < "3,0\\n"\n'
        f"tick 1, seat 0 {name}  GARBLED  12.3 of 2000 ms, 1988 left, then 1900\n"
        "  why: not action,direction: 'fly'\n"
        '  early, and dropped: "old\\n"\n  > "7,0,1\\n"\n  < "fly\\n"\n  | Traceback\n  |   boom'
    )


def test_the_summary_stands_on_top(played: Played) -> None:
    housed = (SeatRecord("mine", "caged", 31.4), SeatRecord("theirs", "open"))
    report = reported(played, Answer(3, 7.0, 2000), seats=housed, jitter=Lateness(40, 0.2, 1.5, 80.0))
    lines = text_of(report).splitlines()
    assert lines[0] == "hive, seed 3, 4 ticks: draw; mine 0, theirs 0"
    assert lines[1] == "host jitter: our own timer woke 0.2 ms late (p50), 1.5 ms (p99), 80.0 ms (worst of 40)"
    assert " ".join(lines[3].split()) == "bot seat cage turns p50 ms p99 ms worst limit memory verdicts"
    assert " ".join(lines[4].split()) == "mine 0 caged 1 7.0 7.0 7.0 2000 31.4 MB OK 1"
    assert " ".join(lines[5].split()) == "theirs 1 open 0 ? ? ? ? ? none"
    assert "no turn was lost" in lines
    assert "  tick 0, seat 0 mine  7.0 of 2000 ms, 1993 left  OK" in lines
    assert [line.style for line in report_lines(report)][3:6] == ["bold", "", ""]  # the head of the table


def test_a_game_without_an_outcome_is_void_and_says_why(played: Played) -> None:
    report = TurnReport()
    report.add("one", replace(played.replay, outcome=None), played.log)
    assert text_of(report).startswith("hive, seed 3, 4 ticks: void, it was broken off\n")


@pytest.mark.parametrize(("games", "others"), [(1, ""), (3, " (2 other games lack data, too)")])
def test_what_is_missing_is_told_of_one_game_and_counted_of_the_others(played: Played, games: int, others: str) -> None:
    report = TurnReport(series=True)
    for number in range(games):
        report.add_without_turns(f"{number}.replay", played.replay, "times are missing")
    assert text_of(report).splitlines()[1] == f"0.replay: times are missing{others}"


def test_a_busy_machine_is_named(played: Played) -> None:
    assert "too busy" in text_of(reported(played, jitter=Lateness(40, 0.2, 60.0, 80.0)))
    assert "too busy" not in text_of(reported(played, jitter=Lateness(40, 0.2, 6.0, 80.0)))
    assert "not measured" in text_of(reported(played, jitter=None))


GARBAGE = bytes(range(256)) + "\u202e\u2066\u200b\ud7ff\x9b☺\u0489".encode() + b"\x1b]0;title\x07<script>"


def test_garbage_everywhere_leaves_a_report_that_can_be_printed(played: Played) -> None:
    words = GARBAGE.decode("latin-1") + GARBAGE.decode("utf-8", "replace")
    answer = Answer(Fault(Verdict.CRASHED, words), 1.0, 100, GARBAGE, GARBAGE, GARBAGE, words)
    housed = (SeatRecord(words, words, None, words), SeatRecord(words, words, 5, words))
    report = reported(played, answer, seats=housed)
    report.games[0] = replace(report.games[0], label=words, missing=words)
    for full in (False, True):
        for line in report_lines(report, full=full):
            assert line.text.isprintable()
    assert json.dumps(report_json(report), ensure_ascii=False).isprintable()


def test_a_megabyte_gives_a_report_of_some_pages(played: Played) -> None:
    flood = Answer(Fault(Verdict.FLOODED, "f" * 1_000_000), 1.0, 100, b"s", b"x" * 1_000_000, b"", "line\n" * 200_000)
    shown = text_of(reported(played, flood))
    assert "(1000000 bytes)" in shown
    assert "lines before …" in shown
    assert len(shown) < 10_000
    assert len(text_of(reported(played, flood), full=True)) < 100_000


def test_lost_turns_get_more_room_than_good_ones(played: Played) -> None:
    said = "\n".join(map(str, range(60)))
    good = text_of(reported(played, Answer(3, said=said)))
    lost = text_of(reported(played, Answer(Fault(Verdict.CRASHED, "it ended"), said=said)))
    assert (good.count("\n  | "), lost.count("\n  | ")) == (6, 51)
    assert "| … 10 lines before …" in lost


def test_a_replay_without_its_turns_shows_no_times(played: Played) -> None:
    from botyard.match.replay import Missed

    lost = replace(played.replay, missed=[Missed(2, 1, Verdict.LATE, "answered after 250 ms")])
    report = TurnReport()
    report.add_without_turns("game.replay", lost, "times are missing")
    shown = text_of(report)
    assert "game.replay: times are missing" in shown
    assert shown.endswith(f"tick 2, seat 1 {played.names[1]}  LATE\n  why: answered after 250 ms")
    [turn] = report_json(report)["turns"]
    assert turn == {"game": 0, "tick": 2, "seat": 1, "verdict": "LATE", "reason": "answered after 250 ms"}


def test_words_after_the_last_turn_are_shown(played: Played) -> None:
    housed = (SeatRecord("mine", said="bye\x1b\n"), SeatRecord("theirs", said="oh"))
    shown = text_of(reported(played, seats=housed, choice=TurnFilter(seat=0)))
    assert shown.endswith("printed after the last turn by seat 0 mine\n  | bye\\x1b")


def test_a_series_names_the_game_of_each_turn(played: Played) -> None:
    report = TurnReport(series=True)
    late = Turn.of(9, 1, Answer(Fault(Verdict.LATE, "answered after 99 ms"), 99, 50))
    for label in ("seed 3", "seed 4"):
        report.add(label, played.replay, replace(played.log, turns=[late]))
    shown = text_of(report)
    assert shown.startswith("2 games\n")
    assert f"seed 4, tick 9, seat 1 {played.names[1]}  LATE  99.0 of 50 ms, 0 left" in shown
    report.unlisted = 3
    assert text_of(report).endswith("… and 3 more lost turns")


def test_json_cuts_nothing_and_says_what_a_turn_had_left(played: Played) -> None:
    answer = Answer(3, 20.5, 100, b"s" * 3000, b"\x1b", b"e", "a\nb\n", 110)
    told = json.loads(json.dumps(report_json(reported(played, answer))))
    [turn] = told["turns"]
    assert len(turn.pop("sent")) == 3000
    assert turn == {
        "game": 0, "tick": 0, "seat": 0, "verdict": "OK", "reason": "", "ms": 20.5,
        "order": "move SE", "limit_ms": 100, "left_ms": 79.5,
        "next_limit_ms": 110, "received": "\\x1b", "received_bytes": 1, "early": "e", "early_bytes": 1,
        "said": ["a", "b"], "notes": None,
    }  # fmt: skip
    assert told["bots"][0]["ms"] == {"p50": 20.5, "p99": 20.5, "max": 20.5}
    assert told["games"][0]["outcome"]["scores"] == list(played.replay.outcome.scores if played.replay.outcome else ())


def test_notes_are_counted_and_what_is_wrong_with_them_is_told(played: Played) -> None:
    notes = TurnNotes(({"mark": "\x1b[31m"}, {"cell": [0, 0], "colour": "white"}), 3, "unknown key '\x1b'")
    report = reported(played, Answer(0, notes=notes), Answer(0, notes=TurnNotes(({"mark": "x"},))))
    assert "  @ notes for the viewer: 2\n  @ notes dropped: 3 (unknown key '\\x1b')\n" in text_of(report)
    assert text_of(report).count("@ notes dropped") == 1
    first, second = report_json(report)["turns"]
    assert first["notes"] == {
        "kept": [{"mark": r"\x1b[31m"}, {"cell": [0, 0], "colour": "#ffffff"}],
        "dropped": 3,
        "reason": r"unknown key '\x1b'",
    }
    assert second["notes"]["dropped"] == 0
