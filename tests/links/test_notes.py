"""Notes of real bots on every link that hears what a program prints, also of those that mean harm."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from botyard.games import load
from botyard.kernel.verdict import Verdict
from botyard.match.board_notes import COLOURS, TurnNotes
from botyard.match.loop import Played
from botyard.match.turns import Turn
from tests.links.duel import NOP, bot, duel
from tests.links.matches import play_match, rival_of, short_match
from tests.links.websocket.test_matches import play as socket_match
from tests.links.websocket.test_matches import tiny_bot as socket_bot
from tests.links.yard import play, tiny_bot
from tests.waiting import finished

pytestmark = pytest.mark.usefixtures("nothing_is_left")

NOTING = """
import json, sys
def note(**what): print("@yard", json.dumps(what), file=sys.stderr, flush=True)
def annotate():
    print("before", file=sys.stderr)
    note(cell=[1, 2], colour="red", text="here")
    note(line=[[0, 0], [1, 1]])
    note(mark="look", turn=0)
    note(cell=[-1, 2])
    print("after", file=sys.stderr, flush=True)
"""
KEPT = ({"cell": [1, 2], "colour": "red", "text": "here"}, {"line": [[0, 0], [1, 1]]}, {"mark": "look", "turn": 0})


def turns_of(played: Played, seat: int = 0) -> list[Turn]:
    return [turn for turn in played.turns if turn.seat == seat and turn.tick >= 0]


def over_tcp(folder: Path, what: str, many: str) -> Played:
    return play(tiny_bot(folder, f"{what}\nfor _ in turns():\n    {many}\n    say('3,0\\n')"), "house:wanderer")


def program(folder: Path, source: str) -> str:
    (folder / "noting.py").write_text(source)
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(folder / 'noting.py'))}"


def over_pipes(folder: Path, what: str, many: str) -> Played:
    body = f"""{what}
for line in sys.stdin:
    if line.startswith("action"):
        {many}
        print("pass", flush=True)
"""
    settings = load("hackman").settings.read(short_match("hackman"))
    return finished(play_match("hackman", [f"cmd:{program(folder, body)}", rival_of("hackman")], settings))


def in_our_protocol(folder: Path, what: str, many: str) -> Played:
    body = f"""{what}
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps({{"type": "ready", "version": 1}}), flush=True)
    elif asked["type"] == "turn":
        {many}
        print(json.dumps({{"type": "order", "turn": asked["turn"], "order": "guard N"}}), flush=True)
"""
    return play(f"json:{program(folder, body)}", "house:wanderer")


def per_forked_move(folder: Path, what: str, many: str) -> Played:
    return duel(bot(folder, f"{what}\n{many}\nprint('NO')\n"), NOP)


def per_fresh_move(folder: Path, what: str, many: str) -> Played:
    """In the one language that every machine has and that is never forked."""
    lines = ["before", *(f"@yard {json.dumps(note)}" for note in (*KEPT, {"cell": [-1, 2]})), "after"]
    script = "".join(f"echo {shlex.quote(line)} >&2\n" for line in lines)
    (folder / "noting.sh").write_text(f"{script}echo NO\n")
    return duel(f"cmd:sh {folder / 'noting.sh'}", NOP)


def as_a_function(folder: Path, what: str, many: str) -> Played:
    (folder / "noting.py").write_text(f"{what}\ndef bot(view):\n    {many}\n    return 'guard N'\n")
    return play(f"py:{folder / 'noting.py'}", "house:wanderer")


def over_a_websocket(folder: Path, what: str, many: str) -> Played:
    body = f"{what}\nfor board in boards(link):\n    {many}\n    send_at_once('DOWN')\n"
    return socket_match(socket_bot(folder, body), "house:original")


LINKS: list[Callable[[Path, str, str], Played]] = [
    over_tcp, over_pipes, in_our_protocol, per_forked_move, per_fresh_move, as_a_function, over_a_websocket,
]  # fmt: skip


@pytest.mark.parametrize("link", LINKS)
def test_notes_stand_with_the_turn_in_which_they_were_printed(link: Any, tmp_path: Path) -> None:
    turns = turns_of(link(tmp_path, NOTING, "annotate()"))
    assert len(turns) > 1
    for turn in turns:
        assert turn.verdict is Verdict.OK, turn
        assert turn.notes == TurnNotes(KEPT, 1, "a cell is [row, column], counted from 0, not [-1, 2]")
        assert turn.said.endswith("before\nafter\n")
        assert "@yard" not in turn.said


HOSTILE = {
    "a hundred thousand": 'sys.stderr.write(\'@yard {"mark": "x"}\\n\' * 100_000)',
    "lines of a megabyte": "sys.stderr.write('@yard ' + 'x' * (1 << 20) + '\\n')",
    "no end of a line": "sys.stderr.write('@yard ' + '[' * 5000)",
    "no UTF-8": 'sys.stderr.buffer.write(b\'@yard {"mark": "\\xff\\xfe"}\\n\')',
    "a nested bomb": "sys.stderr.write('@yard ' + '[' * 4000 + '\\n')",
    "a nested object": "sys.stderr.write('@yard ' + '{\"cell\":' * 500 + '\\n')",
    "a huge number": "sys.stderr.write('@yard {\"cell\": [1e999, ' + '9' * 3000 + ']}\\n')",
}


@pytest.mark.parametrize("link", [over_tcp, per_forked_move, as_a_function])
@pytest.mark.parametrize("what", HOSTILE)
def test_no_notes_disturb_a_game(what: str, link: Any, tmp_path: Path) -> None:
    played = link(tmp_path, "import sys", f"{HOSTILE[what]}; sys.stderr.write('\\nword\\n'); sys.stderr.flush()")
    turns = turns_of(played)
    assert {turn.verdict for turn in turns} == {Verdict.OK}
    notes = [turn.notes for turn in turns if turn.notes]
    assert sum(turn.said.count("word\n") for turn in turns) + played.seats[0].said.count("word") >= len(turns)
    assert all("@yard" not in turn.said for turn in turns)
    assert sum(one.dropped for one in notes) >= len(turns) - 1
    assert all(len(one.kept) <= 64 and one.size < 16_384 and one.reason for one in notes)
    assert sum(len(json.dumps(turn.said)) for turn in turns) < 100 * len(turns)


def test_words_that_mean_harm_are_kept_as_words(tmp_path: Path) -> None:
    text = "<script>\x1b]0;x\x07\u202e"
    many = f"note(mark={text!r}); note(cell=[0, 0], text='</script>')"
    turns = turns_of(as_a_function(tmp_path, NOTING, many))
    assert turns[0].notes == TurnNotes(({"mark": text}, {"cell": [0, 0], "text": "</script>"}))


def test_what_a_bot_notes_when_the_game_is_over_is_kept_with_its_seat(tmp_path: Path) -> None:
    source = f"{NOTING}\nfor _ in turns(): say('3,0\\n')\nnote(mark='that was all')\nprint('bye', flush=True)"
    seat = play(tiny_bot(tmp_path, dedent(source)), "house:wanderer").seats[0]
    assert seat.notes == TurnNotes(({"mark": "that was all"},))
    assert seat.said == "bye\n"


def test_the_notes_of_the_documentation_are_notes(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()
    example = page.partition("## Annotate your board")[2].partition("```python\n")[2].partition("```")[0]
    defined, calls = example.partition("note(cell")[0], "note(cell" + example.partition("note(cell")[2]
    turns = turns_of(as_a_function(tmp_path, defined, "; ".join(calls.strip().splitlines())))
    assert turns[0].notes == TurnNotes(
        (
            {"cell": [3, 7], "colour": "red", "text": "trap"},
            {"line": [[3, 7], [5, 7]], "colour": "#2b8a3e"},
            {"mark": "plan B", "turn": 12},
        )
    )
    colours = " ".join(page.split()).partition('`"#rrggbb"` or one of ')[2].partition(".")[0]
    assert colours.split(", ") == list(COLOURS)
