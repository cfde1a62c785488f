"""One bot plays every game: `examples/anygame.py`, a real program at the other end of pipes."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

from botyard.games import load
from botyard.kernel.verdict import Verdict
from botyard.match.loop import Played
from botyard.testing.random_games import short_settings
from tests.links.matches import play_match
from tests.waiting import finished

BOT = Path(__file__).parents[2] / "examples" / "anygame.py"


async def play(game: str, spec: str = f"json:{sys.executable} {BOT}") -> Played:
    book = load(game)
    house = itertools.cycle(f"house:{bot}" for bot in book.bots.HOUSE_BOTS)
    rivals = itertools.islice(house, book.facts.usual_seats - 1)
    return await play_match(game, [spec, *rivals], short_settings(book), seed=5)


def test_one_bot_plays_it_without_losing_a_turn(game: str) -> None:
    played = finished(play(game))
    assert played.trouble == ""
    seat = played.entrants.index(0)
    assert played.names[seat] == "anygame"
    assert set(played.verdicts[seat]) == {Verdict.OK}, played.replay.missed[:3]
    assert played.verdicts[seat][Verdict.OK] > 0
    assert played.replay.verify().over
    assert (played.seats[seat].peak_mb or 0) > 1  # megabytes of an interpreter


def test_a_folder_says_that_its_bot_speaks_the_yards_protocol(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(BOT.read_text())
    (tmp_path / "botyard.toml").write_text('name = "any"\nprotocol = "json"\n')
    played = finished(play("hackman", f"dir:{tmp_path}"))
    assert played.names[0] == "anygame"
    assert set(played.verdicts[0]) == {Verdict.OK}, played.replay.missed[:3]


def test_a_bot_that_prints_before_it_is_ready_is_told_what_it_printed(tmp_path: Path) -> None:
    chatty = tmp_path / "chatty.py"
    chatty.write_text('print("loading model…", flush=True)\nimport time\ntime.sleep(60)\n')
    played = finished(play("hive", f"json:{sys.executable} {chatty}"))
    [miss] = played.replay.missed
    assert (miss.tick, miss.verdict) == (-1, Verdict.GARBLED)
    assert "loading model" in miss.reason


def test_a_bot_that_fails_to_start_leaves_its_traceback(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import no_such_module\n")
    played = finished(play("hive", f"json:{sys.executable} {broken}"))
    [turn] = [turn for turn in played.turns if turn.tick < 0]
    assert turn.verdict is Verdict.CRASHED
    assert "No module named 'no_such_module'" in turn.said
