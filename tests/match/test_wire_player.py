"""A player at the other end of a wire: what it is sent, and how much it may send."""

from __future__ import annotations

import pytest

import botyard
from botyard.kernel.verdict import Verdict
from botyard.match.clock import LoopClock
from botyard.match.wire_player import ANSWER_BYTES, WirePlayer
from tests.match.stage import ScriptedLink, play_hive, without_waiting

PASS = [b"pass\n"]


def test_settings_are_sent_once_and_what_was_told_is_not_sent_again_with_the_question() -> None:
    async def main() -> tuple[list[bytes], bytes]:
        game = botyard.new("hackman", seed=4)
        link = ScriptedLink([], PASS, [], PASS, PASS)
        session = game.book.wire.open_session(game.settings, 0)
        player = WirePlayer("scripted", session, link, LoopClock())
        view = game.view(0)
        assert await player.start() is None
        await player.ask(view)
        await player.tell(view)
        await player.ask(view)
        await player.ask(view)
        await player.stop()
        return link.sent, session.tell(view)

    (first, told, question, whole), updates = without_waiting(main())
    assert first.startswith(b"settings player_names ")
    assert first.endswith(updates + question)
    assert told == updates
    assert question.startswith(b"action move ")
    assert whole == updates + question


@pytest.mark.parametrize(("excess", "verdict"), [(0, Verdict.SILENT), (1, Verdict.FLOODED)])
def test_only_so_many_bytes_may_come_without_an_answer(excess: int, verdict: Verdict) -> None:
    noise = b"x" * (ANSWER_BYTES + excess)
    played, _ = play_hive([b"alpha\n"], [noise], max_line_bytes=1_000_000)
    assert played.turns[0].verdict is verdict
