"""A process for every move: the arena goes in as the last argument, and what was written at the exit is the answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from botyard.games import load
from botyard.games.battlebots.settings import LONGEST_TEXT
from botyard.jail.cgroups import cgroups_hold
from botyard.jail.limits import Level, Limits
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.cage_policy import CagePolicy, CommandBot
from botyard.links.per_move import OUTPUT_LIMIT, FreshStarter
from botyard.match.loop import Played
from botyard.match.turns import Turn
from tests.conftest import need
from tests.links.duel import FIRST, NOP, WALKER, answers, bot, duel, silent_at_first, verdicts, words
from tests.links.matches import play_match
from tests.links.yard import PATIENT_MS
from tests.waiting import finished

pytestmark = pytest.mark.usefixtures("nothing_is_left")

SECOND = """\
..........
.{}........
..........
..........
....B.....
..........
........M.
..........
........{}.
..........
Y hp=10
X hp=10
B x=4 y=4 dir=SE
M x=8 y=6 dir=N
"""

THIRD = (
    "..........\n.Y........\n..........\n...M......\n........M.\n..........\n..........\n.......B..\n........X.\n..........\n"
    "Y hp=10\nX hp=10\nB x=7 y=7 dir=SE\nM x=8 y=4 dir=N\nM x=3 y=3 dir=SE\n"
)


def echoing(first: str, later: str) -> str:
    """Answers differently once something flies, and repeats on standard error what it was told."""
    return f"""
        import sys
        sys.stderr.write(sys.argv[-1])
        print({later!r} if "dir=" in sys.argv[-1] else {first!r})
    """


def check_conversation(played: Played) -> None:
    """Section 6 of the specification, byte for byte."""
    assert words(played, 0) == [FIRST, SECOND.format("Y", "X"), THIRD]
    assert words(played, 1)[:2] == [FIRST.translate({ord("Y"): "X", ord("X"): "Y"}).replace(
        "X hp=10\nY hp=10", "Y hp=10\nX hp=10"
    ), SECOND.format("X", "Y")]  # fmt: skip
    assert answers(played, 0) == ["B SE\n", "M SE\n", "M SE\n"]
    assert answers(played, 1) == ["M N\n", "NO\n", "NO\n"]
    assert not played.replay.missed


def test_the_conversation_of_the_specification_with_warm_python(tmp_path: Path) -> None:
    one = bot(tmp_path, echoing("B SE", "M SE"), "one.py")
    two = bot(tmp_path, echoing("M N", "NO"), "two.py")
    check_conversation(duel(one, two, preset="program"))


def test_the_conversation_of_the_specification_with_c_and_shell(tmp_path: Path) -> None:
    source = """
        #include <stdio.h>
        #include <string.h>
        int main(int count, char **words) {
            fputs(words[count - 1], stderr);
            puts(strstr(words[count - 1], "dir=") ? "M SE" : "B SE");
        }
    """
    folder = tmp_path / "inc"
    folder.mkdir()
    (folder / "bot.c").write_text(dedent(source))
    need("cc")
    shell = tmp_path / "bot.sh"
    shell.write_text('#!/bin/sh\nprintf %s "$1" >&2\ncase "$1" in *dir=*) echo NO;; *) echo M N;; esac\n')
    shell.chmod(0o755)
    check_conversation(duel(f"dir:{folder}", f"cmd:{shell}", preset="program"))


def test_answers_that_were_tried_on_the_original(tmp_path: Path) -> None:
    tried = {r"N\r\n\n\n": Verdict.OK, r"  B  NW  \n": Verdict.OK, "": Verdict.GARBLED, r"B\tE": Verdict.OK}
    for text, verdict in tried.items():
        spec = bot(tmp_path, f"import sys\nsys.stdout.write('{text}')")
        assert verdicts(duel(spec, NOP, rounds=1, preset="program")) == [verdict], text


def test_both_sides_of_a_round_run_at_the_same_time(tmp_path: Path) -> None:
    """The second begins before the first can have ended: a clock they share tells."""
    spec = bot(tmp_path, "import sys, time\nprint(time.monotonic(), file=sys.stderr)\ntime.sleep(3)\nprint('NO')")
    played = duel(spec, spec, rounds=1)
    [one], [two] = (words(played, seat) for seat in (0, 1))
    assert abs(float(one) - float(two)) < 3


# What goes wrong


@pytest.mark.parametrize(
    ("then", "verdict", "reason"),
    [
        ("time.sleep(600)", Verdict.SILENT, "no answer within 1500 ms"),
        ("print('N', flush=True); time.sleep(600)", Verdict.LATE, "it wrote 'N\\n'"),
        ("os.close(1); os.close(2); time.sleep(600)", Verdict.SILENT, "no answer within 1500 ms"),
        ("while True: print('N' * 1000)", Verdict.FLOODED, "more than 65536 bytes: 'NNN"),
        ("while True: print('N', end='')", Verdict.FLOODED, "more than 65536 bytes"),
        ("sys.exit(3)", Verdict.CRASHED, "exit status 3"),
        ("os.abort()", Verdict.CRASHED, "killed by SIGABRT"),
        ("os.kill(0, 9)", Verdict.CRASHED, "killed by SIGKILL"),
        ("os.kill(os.getpid(), 40)", Verdict.CRASHED, "killed by signal 40"),
        ("os.write(1, b'\\xff\\x00\\x1b[2J'); os._exit(0)", Verdict.GARBLED, r"\xff\x00\x1b[2J"),
        ("print('n')", Verdict.GARBLED, "not a direction"),
        ("os._exit(0)", Verdict.GARBLED, "wrote nothing"),
    ],
)
def test_a_bad_move_costs_that_move_and_is_named(tmp_path: Path, then: str, verdict: Verdict, reason: str) -> None:
    spec = bot(tmp_path, silent_at_first(then))
    limit = {Verdict.SILENT: 1500, Verdict.LATE: 5000}.get(verdict, 60_000)
    played = duel(spec, WALKER, rounds=3, move_timeout_ms=limit)
    assert reason in played.replay.missed[0].reason
    assert verdicts(played)[0] is verdict
    if limit == 60_000:
        assert verdicts(played)[1:] == [Verdict.OK] * 2
    assert verdicts(played, 1) == [Verdict.OK] * 3


def test_endless_words_are_drained_and_cut(tmp_path: Path) -> None:
    source = """
        import sys
        print("first", file=sys.stderr)
        for _ in range(3000):
            print("x" * 999, file=sys.stderr)
        print("last", file=sys.stderr)
        print("NO")
    """
    spec = bot(tmp_path, source)
    played = duel(spec, NOP, rounds=1)
    assert verdicts(played) == [Verdict.OK]
    [said] = words(played)
    assert said.startswith("first\nxxx")
    assert said.endswith("x\nlast\n")
    assert "bytes dropped" in said
    assert len(said) < 20_000


def test_without_limits_of_the_settings_a_flood_still_ends(tmp_path: Path) -> None:
    spec = bot(tmp_path, "while True: print('N' * 100)")
    played = duel(spec, NOP, rounds=1, max_output_bytes=0, move_timeout_ms=0)
    assert verdicts(played) == [Verdict.FLOODED]


@pytest.mark.parametrize(("extra", "verdict"), [(0, Verdict.OK), (1, Verdict.FLOODED)])
def test_as_many_bytes_as_our_own_limit_has_are_no_flood(tmp_path: Path, extra: int, verdict: Verdict) -> None:
    spec = bot(tmp_path, f"print(' ' * {OUTPUT_LIMIT + extra - 2} + 'S')")
    assert verdicts(duel(spec, NOP, rounds=1, max_output_bytes=0)) == [verdict]


def test_a_limit_of_the_settings_holds_also_where_it_is_larger_than_ours(tmp_path: Path) -> None:
    spec = bot(tmp_path, "print(' ' * 1_500_000 + 'S')")
    assert verdicts(duel(spec, NOP, rounds=1, max_output_bytes=2_000_000)) == [Verdict.OK]
    assert verdicts(duel(spec, NOP, rounds=1, max_output_bytes=1_500_000)) == [Verdict.FLOODED]


def test_who_inherited_the_output_is_neither_waited_for_nor_left(tmp_path: Path) -> None:
    leaver = """
        import os, sys, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            time.sleep(600)
        print("S")
    """
    for spec in (bot(tmp_path, leaver), bot(tmp_path, leaver, "also.py") + " more"):  # warm, and afresh
        played = duel(spec, NOP, rounds=2)
        assert answers(played) == ["S\n", "S\n"]
        assert max(turn.ms for turn in played.turns) < 60_000


def test_a_program_that_is_started_afresh_leaves_nothing_in_its_cage(tmp_path: Path) -> None:
    shell = tmp_path / "bot.sh"
    shell.write_text(
        "#!/bin/sh\nsaid=S\n"
        'for place in . /tmp /dev/shm "$HOME"; do\n'
        '  if [ -e "$place/memo" ]; then said=N; fi\n'
        '  (: > "$place/memo") 2>/dev/null && kept="$kept $place"\n'
        "done\n"
        'for process in /proc/[0-9]*/comm; do read -r name < "$process"; [ "$name" = sleep ] && said=N; done\n'
        "setsid sleep 600 &\n"
        'echo "$kept" >&2\necho $said\n'
    )
    shell.chmod(0o755)
    played = duel(f"cmd:{shell}", NOP, rounds=3)
    assert answers(played) == ["S\n"] * 3
    assert words(played) == [" /tmp /dev/shm /home/bot\n"] * 3  # it could write, and did


def test_an_output_that_outlives_every_process_holds_nobody_up(tmp_path: Path) -> None:
    """Sent into a socket that was sent into itself, a descriptor stays open until the kernel looks for such circles."""
    source = """
        import os, socket, sys
        one, two = socket.socketpair()
        socket.send_fds(one, [b"."], [1, 2, one.fileno(), two.fileno()])
        socket.send_fds(two, [b"."], [1, 2, one.fileno(), two.fileno()])
        print("S")
    """
    assert answers(duel(bot(tmp_path, source), NOP, rounds=5)) == ["S\n"] * 5


def test_a_fork_bomb_ends_with_its_move(tmp_path: Path) -> None:
    source = """
        import os, time
        count = 0
        try:
            while True:
                if os.fork() == 0:
                    time.sleep(600)
                count += 1
        except BlockingIOError:
            print("S" if 10 < count < 64 else count)
    """
    assert answers(duel(bot(tmp_path, source), NOP, rounds=3)) == ["S\n"] * 3


def test_a_program_that_goes_away_does_nothing_from_then_on(tmp_path: Path) -> None:
    program = tmp_path / "mybot"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)

    def takes_it_away(turns: Sequence[Turn]) -> bool:
        program.unlink(missing_ok=True)
        return False

    settings = load("battlebots").settings.read({"rounds_per_bout": 2, "move_timeout_ms": PATIENT_MS}, "document")
    open_to_all = CagePolicy(Level.OPEN)
    played = finished(play_match("battlebots", [f"cmd:{program}", NOP], settings, 1, open_to_all, enough=takes_it_away))
    assert verdicts(played) == [Verdict.UNBUILT] * 2
    assert played.outcome is not None
    assert played.outcome.draw


def test_memory_is_limited_and_named(tmp_path: Path) -> None:
    spec = bot(tmp_path, silent_at_first("x = bytearray(1 << 32)"))
    played = duel(spec, WALKER, rounds=2, limits=Limits(memory_mb=200))
    assert verdicts(played)[0] in (Verdict.MEMORY, Verdict.CRASHED)
    assert verdicts(played)[1] is Verdict.OK
    assert "MemoryError" in words(played)[0] or "memory" in played.replay.missed[0].reason


def test_where_the_original_stops_the_contest_the_game_has_no_result(tmp_path: Path) -> None:
    spec = bot(tmp_path, silent_at_first("sys.exit(3)"))
    played = duel(spec, WALKER, preset="program", on_bot_failure="abort")
    assert played.outcome is None
    assert "mybot.py: CRASHED" in played.trouble or "CRASHED, the program ended: exit status 3" in played.trouble
    assert [miss.verdict for miss in played.replay.missed] == [Verdict.CRASHED]  # and nobody's HOUSE
    garbled = bot(tmp_path, "print('x')")
    assert duel(garbled, NOP, on_bot_failure="abort").outcome is not None


def test_a_child_that_took_all_memory_is_no_silence(tmp_path: Path) -> None:
    """Its parent waits for it for ever: the author must not be sent looking for a flush that is not missing."""
    if not cgroups_hold("memory"):
        pytest.skip("no control group holds the memory here")
    source = """
        import subprocess, sys, time
        subprocess.run([sys.executable, "-c", "x = [bytearray(1 << 24) for _ in iter(int, 1)]"])
        time.sleep(600)
    """
    played = duel(bot(tmp_path, source), NOP, rounds=1, limits=Limits(memory_mb=100), move_timeout_ms=3000)
    assert verdicts(played) == [Verdict.MEMORY]


def test_the_longest_arena_can_be_handed_over(tmp_path: Path) -> None:
    async def main() -> bytes:
        starter = FreshStarter(CommandBot(["sh", "-c", "echo ${#0}"], CagePolicy()).launch)
        move = await starter.begin(b"." * LONGEST_TEXT)
        assert not isinstance(move, Fault), move
        try:
            return await move.receive()
        finally:
            await starter.stop()

    assert int(finished(main())) == LONGEST_TEXT
