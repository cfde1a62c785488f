"""Turn reports: what is measured, what is kept, and what is said when something is missing."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import botyard
from botyard.kernel.errors import BadRecord, YardError
from botyard.kernel.verdict import Fault, Verdict
from botyard.match import turns as turns_module
from botyard.match.jitter import JitterGauge, Lateness, rank_of
from botyard.match.loop import Played
from botyard.match.player import Answer, Player
from botyard.match.replay import Missed, Replay
from botyard.match.report import MOST_LOST, TurnFilter, TurnReport
from botyard.match.turns import (
    KEPT_BYTES,
    KEPT_IN_ALL,
    KEPT_WORDS,
    TASTE,
    SeatRecord,
    Turn,
    TurnLog,
    TurnRecorder,
    read_turns,
    sidecar_path,
    write_turns,
)
from tests.match.stage import play_hive, without_waiting

NAME = [b"scripted\n"]
HEAD = {"format": "botyard-turns", "version": 2, "game": "hive", "seed": None, "seats": [], "jitter": None}


def log_of(*turns: Turn, **head: Any) -> TurnLog:
    return TurnLog("hive", 3, (SeatRecord("a", "caged", 31.5), SeatRecord("b", "open")), turns=list(turns), **head)


def turn(tick: int, seat: int, verdict: Verdict = Verdict.OK, ms: float = 1.0, **answer: Any) -> Turn:
    result = 0 if verdict is Verdict.OK else Fault(verdict, "because")
    return Turn.of(tick, seat, Answer(result, ms, **{"limit_ms": 100, **answer}))


@pytest.fixture(scope="module")
def played() -> Played:
    return botyard.play("hive", ["house:forager", "house:wanderer"], seed=3, max_turns=40)


# The log


def test_the_log_of_a_game_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "game.replay"
    lateness = Lateness(12, 0.1, 2.5, 3.0)
    log = log_of(turn(0, 0, received=b"\xff\x00\r\n", said="\u202e\x1b[31m", next_ms=70), turn(0, 1), jitter=lateness)
    assert write_turns(path, log) == sidecar_path(path)
    assert read_turns(path) == log


def test_a_megabyte_is_cut_and_counted() -> None:
    noisy = turn(0, 0, received=b"x" * 1_000_000, early=b"y" * 500_000, said="z" * 1_000_000)
    assert (len(noisy.received), noisy.received_bytes) == (KEPT_BYTES, 1_000_000)
    assert (len(noisy.early), noisy.early_bytes) == (KEPT_BYTES, 500_000)
    assert len(noisy.said) < KEPT_WORDS + 100
    assert f"{1_000_000 - KEPT_WORDS} characters dropped" in noisy.said
    assert turn(0, 0, said="z" * KEPT_WORDS).said == "z" * KEPT_WORDS
    assert "… 1 characters dropped …" in turn(0, 0, said="z" * (KEPT_WORDS + 1)).said


def test_of_a_bot_that_never_stops_talking_only_a_taste_is_kept() -> None:
    book = TurnRecorder()
    loud = Answer(0, received=b"x" * 5000, said="y" * 40_000)
    for tick in range(1000):
        book.note(tick, 0, loud)
        book.note(tick, 1, Answer(0, received=b"N\n", said="thinking"))
    of_loud, of_quiet = ([turn for turn in book.turns if turn.seat == seat] for seat in (0, 1))
    assert sum(turn.kept for turn in of_loud) < KEPT_IN_ALL + KEPT_BYTES + KEPT_WORDS + 1000 * 3 * TASTE
    assert len(of_loud[0].received) == KEPT_BYTES
    assert (len(of_loud[-1].received), of_loud[-1].received_bytes) == (TASTE, 5000)
    assert of_loud[-1].said == f"{'y' * 128}\n… {40_000 - TASTE} characters dropped …\n{'y' * 128}"
    assert {(turn.received, turn.said) for turn in of_quiet} == {("N\n", "thinking")}  # who else talks costs it nothing


def test_all_of_a_bots_own_text_counts_as_kept() -> None:
    assert turn(0, 0, Verdict.LATE, received=b"r" * 1000, early=b"e" * 100, said="s" * 20).kept == 1120 + len("because")


def test_a_log_that_unpacks_without_an_end_is_read_no_further_than_its_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.replay"
    sidecar_path(path).write_bytes(gzip.compress(b"x" * (9 << 20), 1))
    with pytest.raises(BadRecord, match="a line longer than 8 MiB"):
        read_turns(path)
    sidecar_path(path).write_bytes(gzip.compress(b"[" * 100_000))
    with pytest.raises(BadRecord, match="nested more than 32 levels deep"):
        read_turns(path)
    write_turns(path, log_of(*(turn(tick, 0, said="word") for tick in range(9))))
    for bound, most in (("TURNS_MAX", 8), ("TEXT_MAX", 35)):
        with monkeypatch.context() as limits:
            limits.setattr(turns_module, bound, most)
            with pytest.raises(BadRecord, match="too large"):
                read_turns(path)
    assert len(read_turns(path).turns) == 9


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([{"format": "botyard-turns", "version": []}], r"version \[\]"),
        ([{**HEAD, "seed": "9" * 99}], "seed"),
        ([{**HEAD, "seats": 5}], "damaged"),
        ([{**HEAD, "seats": ["a"]}], "damaged"),
        ([{**HEAD, "jitter": 5}], "damaged"),
        ([{"format": "botyard-turns", "version": 4}], "version 4"),
        ([{"format": "other", "version": 2}], "is not a turn report"),
        ([[]], "is not a turn report"),
        ([{"format": "botyard-turns", "version": 2}], "is damaged"),
        ([{"format": "botyard-turns", "version": 1}], "version 1"),
        ([HEAD, {"tick": 0}], "is damaged"),
        ([HEAD, {"verdict": "ODD"}], "is damaged"),
    ],
)
def test_a_log_that_makes_no_sense_is_refused(lines: list[Any], complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "game.replay"
    sidecar_path(path).write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    with pytest.raises(BadRecord, match=complaint):
        read_turns(path)


@pytest.mark.parametrize(
    "change",
    [
        {"ms": "1"}, {"tick": True}, {"said": 5}, {"next_ms": "x"}, {"odd": "field"}, {"ms": -1}, {"tick": -2},
        {"seat": -1}, {"sent": "…"}, {"received": "\ud800"}, {"early": "\udcff"},
    ],
)  # fmt: skip
def test_a_turn_with_a_field_of_the_wrong_type_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "game.replay"
    write_turns(path, log_of(turn(0, 0)))
    head, line = gzip.decompress(sidecar_path(path).read_bytes()).decode().splitlines()
    spoilt = json.dumps({**json.loads(line), **change})
    sidecar_path(path).write_bytes(gzip.compress(f"{head}\n{spoilt}\n".encode()))
    with pytest.raises(BadRecord, match="is damaged"):
        read_turns(path)


# What the match loop puts into it


def test_a_turn_tells_the_time_that_is_left_and_what_came_early() -> None:
    played, _ = play_hive(NAME, [b"3,0\n"], [100, b"3,0\n3,1\n"], [b"3,0\n"], [b"3,0\n"])
    mine = [turn for turn in played.turns if turn.seat == 0]
    assert [(turn.limit_ms, turn.next_ms) for turn in mine[:2]] == [(2000, 2000), (2000, 2000)]
    assert mine[1].ms == pytest.approx(100)
    assert (mine[2].early, mine[2].early_bytes) == ("3,1\n", 4)
    assert mine[0].said == "words"


def test_every_seat_says_how_it_was_housed() -> None:
    def cage(link: Any) -> None:
        link.level, link.peak_mb = "caged", 5.25

    played, _ = play_hive(NAME, *[[b"3,0\n"]] * 4, prepare=cage)
    assert played.seats == (SeatRecord("scripted", "caged", 5.25, "words"), SeatRecord("idle", "open", None, ""))
    assert played.log.seats == played.seats


def test_a_bot_that_never_starts_leaves_its_words() -> None:
    def refuse(link: Any) -> None:
        link.refusal = Fault(Verdict.CRASHED, "the program ended")

    played, _ = play_hive(NAME, prepare=refuse)
    assert (played.turns[0].tick, played.turns[0].said) == (-1, "words")


# Jitter


def test_loading_a_house_bot_costs_nobody_time() -> None:
    from botyard.games import load
    from botyard.games.game import Game
    from botyard.match.clock import LoopClock
    from botyard.match.in_process import FunctionPlayer, HousePlayer
    from botyard.match.loop import play_game

    book = load("battlebots")
    settings = book.settings.read({"rounds_per_bout": 3})
    seen: list[str] = []

    class Slow(HousePlayer):
        """Takes long for the first time, as code that is loaded does."""

        def _decide(self, view: Any, memories: Any) -> int:
            if not seen:
                asyncio.get_running_loop()._jumping.now += 5  # type: ignore[attr-defined]
            seen.append("decided")
            return super()._decide(view, memories)

    async def patient(view: Any) -> str:
        await asyncio.sleep(0)
        return "NO"

    async def main() -> Played:
        clock = LoopClock()
        players: list[Player] = [FunctionPlayer(patient, book.facts, 2000, clock), Slow(book, settings, "nop", clock)]
        return await play_game(Game(book, settings, 1), players)

    played = without_waiting(main())
    assert played.verdicts[0] == {Verdict.OK: 3}
    assert len(seen) == 4
    assert max(turn.ms for turn in played.turns) < 1000


def test_a_timer_that_is_held_up_shows_it() -> None:
    async def main() -> Lateness | None:
        gauge, loop = JitterGauge(), asyncio.get_running_loop()
        gauge.begin()
        await asyncio.sleep(0.19)
        loop._jumping.now += 5  # type: ignore[attr-defined]  # something else kept the machine busy
        await asyncio.sleep(0.2)
        return gauge.end()

    lateness = without_waiting(main())
    assert lateness is not None
    assert lateness.samples == pytest.approx(18, abs=2)
    assert lateness.p50_ms == 0
    assert lateness.max_ms == pytest.approx(4990, abs=0.2)  # the timer was due 10 ms later


def test_a_game_that_never_waits_measures_no_jitter(played: Played) -> None:
    assert played.jitter is None
    assert Lateness.worst([]) is None


def test_quantiles_are_values_that_were_measured() -> None:
    counted = Counter({1: 98, 7: 1, 30: 1})
    assert [rank_of(counted, share) for share in (0.5, 0.98, 0.99, 1.0)] == [1, 1, 7, 30]
    with pytest.raises(ValueError, match="nothing was counted"):
        rank_of(Counter(), 0.5)


# The figures


def test_the_figures_are_those_of_the_turns(played: Played) -> None:
    report = TurnReport()
    times = [float(ms) for ms in range(1, 101)]
    log = log_of(
        turn(-1, 1, Verdict.SILENT, ms=900),  # at its start: no answer
        *(turn(at, 0, ms=ms) for at, ms in enumerate(times)),
        turn(100, 1, Verdict.LATE, ms=250),
        turn(101, 1, Verdict.GONE, ms=800),
    )
    report.add("one", played.replay, log)
    first, second = report.shown_bots()
    assert [first.quantile(share) for share in (0.5, 0.99, 1.0)] == [50, 99, 100]
    assert (second.quantile(0.5), second.verdicts[Verdict.GONE], second.turns) == (250, 1, 3)
    assert (first.levels, first.peak_mb, first.limits) == ({"caged"}, 31.5, {100})
    assert (report.lost, [listed.turn.ms for listed in report.slowest]) == (3, [250, 100, 99, 98, 97])


def test_an_order_is_named_where_it_has_a_name(played: Played) -> None:
    report = TurnReport()
    report.add("one", played.replay, log_of(turn(0, 0), replace(turn(1, 1), order=99), turn(2, 0, Verdict.LATE)))
    names = [report.games[0].order_name(listed.turn) for listed in report.listed]
    assert names == ["move N", "99", ""]
    stranger = replace(report.games[0], replay=replace(played.replay, game="chess"))
    assert stranger.order_name(turn(0, 0)) == "0"


def test_somebody_may_want_to_see_less(played: Played) -> None:
    log = log_of(*(turn(at, at % 2, Verdict.LATE if at % 3 == 0 else Verdict.OK) for at in range(12)))

    def ticks(**choice: Any) -> list[int]:
        report = TurnReport(TurnFilter(**choice))
        report.add("one", played.replay, log)
        return [listed.turn.tick for listed in report.listed]

    assert ticks() == list(range(12))
    assert ticks(seat=1) == [1, 3, 5, 7, 9, 11]
    assert ticks(only_faults=True) == [0, 3, 6, 9]
    assert ticks(first_tick=4, last_tick=6) == [4, 5, 6]
    with pytest.raises(YardError, match=r"one has no seat 7.*seats go from 0 to 1"):
        ticks(seat=7)


def test_a_series_counts_bots_wherever_they_sat_and_lists_lost_turns_only(played: Played) -> None:
    report = TurnReport(series=True)
    straight = log_of(turn(0, 0), turn(1, 1, Verdict.LATE, ms=90))
    report.add("one", replace(played.replay, entrants=(0, 1)), straight)
    swapped = replace(straight, seats=straight.seats[::-1])
    report.add("two", replace(played.replay, entrants=(1, 0)), swapped)
    first, second = report.shown_bots()
    assert (first.name, first.seats, first.verdicts) == ("a", {0, 1}, {Verdict.OK: 1, Verdict.LATE: 1})
    assert (second.name, second.turns) == ("b", 2)
    assert [(listed.game, listed.turn.tick) for listed in report.listed] == [(0, 1), (1, 1)]


def test_a_series_keeps_no_more_lost_turns_than_anybody_reads(played: Played) -> None:
    report = TurnReport(series=True)
    report.add("one", played.replay, log_of(*(turn(at, 0, Verdict.LATE) for at in range(MOST_LOST + 5))))
    assert (len(report.listed), report.unlisted, report.lost) == (MOST_LOST, 5, MOST_LOST + 5)


def test_a_replay_alone_tells_what_is_missing(tmp_path: Path) -> None:
    played = botyard.play("hive", [lambda view: "fly", "house:wanderer"], seed=3, random_seats=False)
    path = tmp_path / "game.replay"
    played.replay.write(path)
    report = TurnReport()
    report.add_file(path)
    [game] = report.games
    assert "no game.replay.turns beside it" in game.missing
    assert "keep them together" in game.missing
    [listed] = report.listed
    assert (listed.turn.ms, listed.turn.limit_ms, listed.turn.received_bytes, listed.turn.early_bytes) == (0, 0, 0, 0)
    assert (listed.turn.verdict, "unknown order of hive 'fly'" in listed.turn.reason) == (Verdict.GARBLED, True)
    assert report.slowest == []


def test_turns_of_another_game_are_refused(tmp_path: Path, played: Played) -> None:
    path = tmp_path / "game.replay"
    played.replay.write(path)
    for stranger in (replace(played.log, seed=4), replace(played.log, game="chess"), log_of(turn(0, 9))):
        write_turns(path, stranger)
        with pytest.raises(BadRecord, match="belongs to another game"):
            TurnReport().add_file(path)
    write_turns(path, played.log)
    TurnReport().add_file(path)


def test_a_void_game_says_why(played: Played) -> None:
    report = TurnReport()
    missed = [Missed(5, 0, Verdict.HOUSE, "the rules set their fault flag")]
    report.add("one", replace(played.replay, outcome=None, missed=missed), played.log)
    assert report.games[0].trouble == "the rules set their fault flag"
    missed = [Missed(-1, seat, Verdict.SILENT, "no connection") for seat in range(2)]
    report.add("two", replace(played.replay, outcome=None, missed=missed), played.log)
    assert report.games[1].trouble == "no bot joined the game"
    missed = [
        Missed(3, 1, Verdict.LATE, "late"),
        Missed(7, 0, Verdict.INVALID, "a bystander, in the same tick"),
        Missed(7, 1, Verdict.GARBLED, "hangs the original"),
    ]
    ended = replace(played.replay, outcome=None, missed=missed, culprits=(1,))
    report.add("three", Replay.from_bytes(ended.to_bytes()), played.log)
    assert report.games[2].trouble == f"{played.names[1]}: GARBLED, hangs the original"
    report.add("four", replace(played.replay, outcome=None, missed=missed[:1]), played.log)
    assert report.games[3].trouble == "it was broken off"
