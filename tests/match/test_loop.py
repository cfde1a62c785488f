"""The match loop: every answer a bot can give, early, late, torn or not at all, without waiting for any of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import botyard
from botyard.games.game import Game
from botyard.kernel.outcome import Outcome
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.clock import LoopClock
from botyard.match.in_process import FunctionPlayer
from botyard.match.loop import STOP_S, Played, play_game, stop_all, together
from botyard.match.player import Answer, Player
from botyard.match.wire_player import WirePlayer
from tests.match.stage import ScriptedLink, idle, play_hive, without_waiting
from tests.waiting import finished, soon

HELLO = [b"alpha\n"]
OK = [b"3,0\n"]


def verdicts(played: Played, seat: int = 0) -> list[str]:
    return [str(turn.verdict) for turn in played.turns if turn.seat == seat]


def lost_by(played: Played, verdict: Verdict) -> str:
    """That player 0 lost for this reason and the rival was untouched; the reason given."""
    assert played.outcome is not None
    assert played.outcome.winner == 1
    assert set(verdicts(played, 1)) <= {"OK"}
    [miss] = played.replay.missed
    assert (miss.seat, miss.verdict) == (0, verdict)
    assert played.replay.verify().outcome == played.outcome
    return miss.reason


def test_a_game_is_played_to_its_end() -> None:
    played, link = play_hive(HELLO, OK, OK, OK, OK)
    assert verdicts(played) == ["OK"] * 4
    assert played.names == ("alpha", "idle")
    assert played.outcome == Outcome(((0, 1),), (0, 0))
    assert played.winner is None
    assert link.sent[0].startswith(b"0,0,0,10,2,")
    assert link.sent[-1] == b"gameover\n"
    assert link.closed
    assert played.verdicts == ({Verdict.OK: 4}, {Verdict.OK: 4})


def test_an_answer_just_in_time_counts() -> None:
    played, _ = play_hive(HELLO, [1999, b"3,0\n"], OK, OK, OK)
    assert verdicts(played) == ["OK"] * 4
    assert played.turns[0].ms == pytest.approx(1999)


def test_host_jitter_is_measured_while_a_bot_is_waited_for() -> None:
    played, _ = play_hive(HELLO, [1990, b"3,0\n"], OK, OK, OK)
    assert played.jitter is not None
    assert played.jitter.samples == pytest.approx(99, abs=1)  # every 20 ms
    assert played.jitter.max_ms < 1


def test_an_answer_after_the_deadline_is_late() -> None:
    played, _ = play_hive(HELLO, OK, [2100, b"3,0\n"])
    assert lost_by(played, Verdict.LATE) == "answered after 2100 ms; the limit is 2000 ms"
    assert played.turns[-1].received == "3,0\n"


def test_no_answer_is_silent() -> None:
    played, _ = play_hive(HELLO, OK, [])
    assert lost_by(played, Verdict.SILENT) == "no answer within 2000 ms"


def test_a_fragment_is_quoted() -> None:
    played, _ = play_hive(HELLO, [b"3,"])
    assert "it sent '3,' without a line end" in lost_by(played, Verdict.SILENT)


def test_one_byte_per_second_is_silent() -> None:
    played, _ = play_hive(HELLO, [b"3", 900, b",", 900, b"0", 900, b"\n"])
    assert lost_by(played, Verdict.SILENT)


def test_an_answer_in_pieces_counts() -> None:
    played, _ = play_hive(HELLO, [b"3", 5, b",", 5, b"0", 5, b"\n"], OK, OK, OK)
    assert verdicts(played) == ["OK"] * 4


def test_two_answers_to_one_question_do_not_answer_the_next() -> None:
    played, _ = play_hive(HELLO, [b"3,0\n2,2\n"], OK, OK, OK)
    assert verdicts(played) == ["OK"] * 4
    assert played.replay.ticks[2] == [[24]]  # guard N, the fresh answer, not build E
    assert played.turns[2].early == "2,2\n"


def test_answers_before_the_question_are_dropped() -> None:
    played, _ = play_hive([b"alpha\n", b"0,1\n" * 100], OK, OK, OK, OK)
    assert verdicts(played) == ["OK"] * 4
    assert played.replay.ticks[0] == [[24]]
    assert played.turns[0].early == "0,1\n" * 100


def test_the_program_uses_an_answer_that_came_early() -> None:
    played, _ = play_hive([b"alpha\n", 1, b"0,2\n"], [], OK, OK, rival=slow_rival, line_framing="packet")
    assert played.replay.ticks[0] == [[2]]


async def slow_rival(view: Any) -> str:
    await asyncio.sleep(0.05)
    return "guard N"


def test_garbage_is_garbled_and_shown() -> None:
    played, _ = play_hive(HELLO, [b"\x1b[2Jhello\n"])
    assert "\\x1b[2Jhello" in lost_by(played, Verdict.GARBLED)


def test_an_order_out_of_range_is_invalid() -> None:
    played, _ = play_hive(HELLO, OK, OK, [b"4,0\n"])
    assert lost_by(played, Verdict.INVALID) == "no action 4: they go from 0 to 3"


def test_a_bot_that_leaves_is_gone() -> None:
    played, link = play_hive(HELLO, OK, [None])
    assert lost_by(played, Verdict.GONE)
    assert link.closed


def test_a_bot_that_leaves_in_the_grace_time_is_silent() -> None:
    played, _ = play_hive(HELLO, [2100, None])
    assert lost_by(played, Verdict.SILENT)


def test_a_flood_is_noticed_at_the_next_question() -> None:
    def flood(link: ScriptedLink) -> None:
        link.flooded = True

    played, _ = play_hive(HELLO, OK, prepare=flood)
    assert "far more" in lost_by(played, Verdict.FLOODED)
    assert played.turns[0].ms == 0  # nobody waited for it


def test_an_empty_name_is_a_name() -> None:
    played, _ = play_hive([b"\n"], *[[b"3,0\n"]] * 4)
    assert played.names == ("", "idle")
    assert not played.replay.missed


def test_a_bot_that_says_no_name_forfeits_before_the_first_turn() -> None:
    played, _ = play_hive([])
    assert lost_by(played, Verdict.SILENT) == "no name line within 2000 ms"
    assert played.replay.ticks == [[{"forfeit": 0}]]
    assert played.replay.missed[0].tick == -1


@pytest.mark.parametrize(("act", "verdict"), [([b"x" * 300], Verdict.GARBLED), ([None], Verdict.GONE)])
def test_a_bot_with_a_bad_name_line_forfeits(act: Any, verdict: Verdict) -> None:
    played, _ = play_hive(act)
    assert lost_by(played, verdict)


def test_a_bot_that_cannot_be_opened_forfeits() -> None:
    def refuse(link: ScriptedLink) -> None:
        link.refusal = Fault(Verdict.UNBUILT, "no compiler")

    played, link = play_hive(prepare=refuse, connect_timeout_ms=500)
    assert lost_by(played, Verdict.UNBUILT)
    assert link.limit == 0.5


def test_without_a_limit_a_connection_is_waited_for() -> None:
    _, link = play_hive(HELLO, OK, OK, OK, OK)
    assert link.limit is None


class Absent(Player):
    """A player that never comes."""

    name = "absent"

    async def start(self) -> Fault | None:
        return Fault(Verdict.SILENT, "no connection")

    async def ask(self, view: Any) -> Answer:
        raise AssertionError("nobody asks a bot that is not there")

    async def finish(self, outcome: Outcome | None) -> None:
        pass

    async def stop(self) -> None:
        await asyncio.sleep(3600)


def test_if_nobody_comes_there_is_no_game() -> None:
    game = botyard.new("hive", seed=4)
    played = without_waiting(play_game(game, [Absent(), Absent()]))
    assert played.outcome is None
    assert played.trouble == "no bot joined the game"
    assert played.scores == (0, 0)
    assert played.winner is None
    assert len(played.replay.missed) == 2
    assert played.replay.verify()


def test_our_own_failure_voids_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(game: Game, orders: Any) -> None:
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr(Game, "step_orders", broken)
    played, link = play_hive(HELLO, OK)
    assert played.outcome is None
    assert "a bug of ours" in played.trouble
    assert {miss.verdict for miss in played.replay.missed} == {Verdict.HOUSE}
    assert {miss.seat for miss in played.replay.missed} == {0, 1}
    assert link.closed


def test_a_fault_of_the_rules_voids_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "fault", property(lambda game: game.state.turn == 2))
    played, _ = play_hive(HELLO, OK, OK, OK)
    assert played.outcome is None
    assert "capacity" in played.trouble
    assert len(played.replay.ticks) == 2


class Lingering(Absent):
    """Takes its time to stop."""

    def __init__(self) -> None:
        self.asked, self.may_go, self.gone = asyncio.Event(), asyncio.Event(), False

    async def stop(self) -> None:
        self.asked.set()
        await self.may_go.wait()
        self.gone = True


def test_who_cancels_a_match_while_its_players_stop_waits_for_them() -> None:
    async def main() -> None:
        player = Lingering()
        stopping = asyncio.create_task(stop_all([player]))
        await soon(player.asked.wait())
        stopping.cancel()
        for _ in range(3):
            await asyncio.sleep(0)
        assert not stopping.done()
        player.may_go.set()
        with pytest.raises(asyncio.CancelledError):
            await soon(stopping)
        assert player.gone

    finished(main())


def test_a_player_that_does_not_let_go_is_not_waited_for_for_ever() -> None:
    async def main() -> None:
        player = Lingering()
        stopping = asyncio.create_task(stop_all([player]))
        await asyncio.sleep(2 * STOP_S)
        assert stopping.done()
        assert not player.gone

    without_waiting(main())


def test_who_is_waited_for_together_has_ended_before_the_failure_of_one_is_told() -> None:
    ended = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("waits")

    async def fails() -> None:
        raise ValueError("one of them")

    async def main() -> None:
        with pytest.raises(ValueError, match="one of them"):
            await together([waits(), fails()])
        assert ended == ["waits"]

    finished(main())


def test_cancelling_a_match_still_stops_its_players() -> None:
    async def main() -> bool:
        link = ScriptedLink(HELLO, [])
        game = botyard.new("hive", seed=4, random_seats=False)
        from botyard.games.hive.wire import HiveSession
        from botyard.match.wire_player import WirePlayer

        scripted = WirePlayer("scripted", HiveSession(game.settings), link, LoopClock())  # type: ignore[arg-type]
        idler = FunctionPlayer(idle, game.book.facts, 0, LoopClock())
        task = asyncio.create_task(play_game(game, [scripted, idler]))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return link.closed

    assert without_waiting(main())


def test_a_watcher_sees_every_tick() -> None:
    seen: list[int] = []

    async def watch(game: Game, answers: dict[int, Answer]) -> None:
        seen.append(int(game.state.turn))

    game = botyard.new("hive", seed=4, max_turns=3)
    players = [FunctionPlayer(idle, game.book.facts, 0, LoopClock()) for _ in range(2)]
    finished(play_game(game, players, watch))
    assert seen == [1, 2, 3]


def test_a_game_can_be_broken_off_and_then_has_no_outcome() -> None:
    game = botyard.new("hive", seed=4)
    players = [FunctionPlayer(idle, game.book.facts, 0, LoopClock()) for _ in range(2)]
    played = finished(play_game(game, players, enough=lambda turns: len(turns) == 3))
    assert len(played.turns) == len(played.replay.ticks) == 3
    assert (played.outcome, played.trouble, played.replay.missed) == (None, "", [])
    assert not played.replay.verify().over


def test_a_bot_that_floods_is_not_asked_again() -> None:
    def flood(link: ScriptedLink) -> None:
        link.flooded = True

    played, link = play_hive(HELLO, OK, prepare=flood)
    assert "far more than was asked for" in lost_by(played, Verdict.FLOODED)
    assert link.closed
    assert link.sent == [b"gameover\n"]


def test_noise_without_an_answer_is_a_flood() -> None:
    played, _ = play_hive(HELLO, [b"\n"], line_framing="stream")
    assert verdicts(played) == ["GARBLED"]
    blank = [b"x" * 50 for _ in range(2000)]
    played, _ = play_hive(HELLO, blank, max_line_bytes=1_000_000)
    assert "bytes without an answer" in lost_by(played, Verdict.FLOODED)


@pytest.mark.parametrize("detection", ["at_once", "timeout"])
def test_a_bot_whose_program_was_struck_is_not_told_to_flush(detection: str) -> None:
    """Also where the original notices no end and waits the time out, its author is told what has happened."""

    class Struck(ScriptedLink):
        def fate(self) -> Fault | None:
            return Fault(Verdict.MEMORY, "used more than 100 MB of memory")

    async def main() -> Played:
        game = botyard.new("hackman", seed=4, max_rounds=1, timebank_ms=500, crash_detection=detection)
        session = game.book.wire.open_session(game.settings, 0)
        rival = FunctionPlayer(lambda view: "pass", game.book.facts, 0, LoopClock())
        return await play_game(game, [WirePlayer("struck", session, Struck([], []), LoopClock()), rival])

    [miss] = without_waiting(main()).replay.missed
    assert miss.verdict is (Verdict.MEMORY if detection == "at_once" else Verdict.SILENT)
    assert "used more than 100 MB" in miss.reason
    assert "flush" not in miss.reason


def test_a_bot_that_has_spoken_is_not_told_to_flush() -> None:
    played, _ = play_hive(HELLO, [])
    assert "flush" not in lost_by(played, Verdict.SILENT)


@pytest.mark.parametrize("timeout_ms", [10_000, 700])
def test_a_line_that_hangs_the_original_is_waited_for_as_long_as_it_waited(timeout_ms: int) -> None:
    """Hack-man 6.7: the wrapper gives its engine some time, then there is no result."""
    values: dict[str, Any] = {"blank_answer": "abort", "engine_timeout_ms": timeout_ms, "max_rounds": 5}

    async def main() -> tuple[Played, float]:
        link, clock = ScriptedLink([], [b"up\n"], [b"  \n"]), LoopClock()
        game = botyard.new("hackman", seed=4, preset=None, **values)
        scripted = WirePlayer("scripted", game.book.wire.open_session(game.settings, 0), link, clock)
        played = await play_game(game, [scripted, FunctionPlayer(lambda view: "pass", game.book.facts, 0, clock)])
        return played, clock.now()

    played, now = without_waiting(main())
    assert played.outcome is None
    assert "hangs the original engine" in played.trouble
    assert now == pytest.approx(timeout_ms / 1000)
