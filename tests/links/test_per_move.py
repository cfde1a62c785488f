"""A process for every move: the arena goes in as the last argument, and what was written at the exit is the answer."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from botyard.jail import nursery
from botyard.jail.binds import INTERPRETER
from botyard.jail.errand import Errand
from botyard.jail.limits import Level, Limits
from botyard.jail.script import Script
from botyard.kernel.verdict import Fault, Verdict
from botyard.links.custody import CommandBot, Custody
from botyard.links.per_move import Starter, Warm, starter_of
from botyard.match.loop import Played
from tests.conftest import need
from tests.links.duel import NOP, answers, bot, duel, verdicts, words
from tests.links.yard import children

FIRST = """\
..........
.Y........
..........
..........
..........
..........
..........
..........
........X.
..........
Y hp=10
X hp=10
"""

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


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    open_files = len(list(Path("/proc/self/fd").iterdir()))
    yield
    assert children() == []
    assert len(list(Path("/proc/self/fd").iterdir())) <= open_files + 2  # an event loop's own may come and go


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


def silent_at_first(then: str) -> str:
    """Misbehaves in the first round, in which the enemy has not moved."""
    return f"""
        import os, sys, time
        if sys.argv[1].splitlines()[8][8] == "X":
            {then}
        print("NO")
    """


WALKER = "house:hugger"


@pytest.mark.parametrize(
    ("then", "verdict", "reason"),
    [
        ("time.sleep(600)", Verdict.SILENT, "no answer within 1500 ms"),
        ("print('N', flush=True); time.sleep(600)", Verdict.LATE, "it had written 'N\\n'"),
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


def test_a_program_that_is_not_there_does_nothing_every_round(tmp_path: Path) -> None:
    played = duel(f"cmd:{tmp_path}/nowhere", NOP, rounds=2)
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


# Which bots are warm


def warm_runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes the files that are run from a warm interpreter."""
    files: list[str] = []
    start = nursery.Nursery.start.__func__  # type: ignore[attr-defined]

    async def noted(cls: type[nursery.Nursery], errand: Errand, script: Script) -> nursery.Nursery:
        files.append(Path(script.file).name)
        return await start(cls, errand, script)  # type: ignore[no-any-return]

    monkeypatch.setattr(nursery.Nursery, "start", classmethod(noted))
    return files


def test_a_folder_with_a_python_bot_is_warm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = warm_runs(monkeypatch)
    (tmp_path / "main.py").write_text("import plan\nprint(plan.MOVE)\n")
    (tmp_path / "plan.py").write_text("MOVE = 'E'\n")
    assert answers(duel(f"dir:{tmp_path}", NOP, rounds=2)) == ["E\n"] * 2
    assert files == ["main.py"]


def test_a_timed_out_move_takes_its_interpreter_along_and_the_next_has_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = warm_runs(monkeypatch)
    spec = bot(tmp_path, silent_at_first("time.sleep(600)"))
    played = duel(spec, WALKER, rounds=3, move_timeout_ms=4000)
    assert verdicts(played) == [Verdict.SILENT, Verdict.OK, Verdict.OK]
    assert files == ["mybot.py"] * 2


async def one_move(starter: Starter) -> bytes:
    move = await starter.begin(FIRST.encode())
    assert not isinstance(move, Fault)
    output = b""
    while chunk := await move.receive():
        output += chunk
    assert await move.judge() is None
    await starter.end()
    return output


def test_an_interpreter_that_dies_between_two_moves_is_replaced(tmp_path: Path) -> None:
    async def main() -> None:
        (tmp_path / "mybot.py").write_text("print('S')")
        command = CommandBot([str(INTERPRETER), str(tmp_path / "mybot.py")], Custody(Level.OPEN))
        starter = starter_of(command.errand, pytest.fail)
        try:
            assert await one_move(starter) == b"S\n"
            for pid in children():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            assert isinstance(starter, Warm)
            assert starter._nursery
            while starter._nursery.ready:  # until it is noticed
                await asyncio.sleep(0.01)
            assert await one_move(starter) == b"S\n"
        finally:
            await starter.stop()

    asyncio.run(main())


@pytest.mark.parametrize("level", [Level.CAGED, Level.LIMITED, Level.OPEN])
def test_every_level_is_warm(tmp_path: Path, level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    files = warm_runs(monkeypatch)
    tmp_path.chmod(0o755)
    for parent in list(tmp_path.parents)[:-2]:
        parent.chmod(parent.stat().st_mode | 0o055)
    played = duel(bot(tmp_path, "print('W')", python=need("/usr/bin/python3")), NOP, rounds=2, level=level)
    assert answers(played) == ["W\n"] * 2
    assert files == ["mybot.py"]
    assert played.housing[0].level == level


def test_a_bot_that_brings_a_module_of_the_standard_librarys_name_is_started_afresh(tmp_path: Path) -> None:
    (tmp_path / "colorsys.py").write_text("def choice(moves): return 'E'\n")
    told: list[str] = []
    played = duel(bot(tmp_path, "import colorsys\nprint(colorsys.choice('N'))"), NOP, rounds=2, notice=told.append)
    assert answers(played) == ["E\n"] * 2
    [text] = told
    assert "a new interpreter for every move" in text
    assert "named like the standard module colorsys" in text


def test_without_namespaces_every_move_is_started_afresh_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nursery, "DIVIDING", ())  # as on a machine that refuses further namespaces
    told: list[str] = []
    played = duel(bot(tmp_path, "print('E')"), NOP, rounds=2, notice=told.append)
    assert answers(played) == ["E\n"] * 2
    assert len(told) == 1
    assert "Operation not permitted" in told[0]


def test_the_runners_memory_stays_flat(tmp_path: Path) -> None:
    spec = bot(tmp_path, "import sys\nsys.stderr.write('x' * 20000)\nprint('NO' + ' ' * 30000)")
    duel(spec, NOP, rounds=5)
    peaks = []
    for rounds in (120, 240):  # what is kept of a bot's words is full after about 100
        tracemalloc.start()
        duel(spec, NOP, rounds=rounds)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 120 * 5000  # the bot wrote 120 * 50,000 bytes more


def test_programs_walk_like_the_house_bots_that_do_what_they_do(tmp_path: Path) -> None:
    source = """
        import sys
        lines = sys.argv[1].split("\\n")
        at = {sign: (line.index(sign), y) for y, line in enumerate(lines[:10]) for sign in "XY" if sign in line}
        dx, dy = at["X"][0] - at["Y"][0], at["X"][1] - at["Y"][1]
        near = max(abs(dx), abs(dy)) <= 1
        print("P" if near else ("N" if dy < 0 else "S" if dy > 0 else "") + ("W" if dx < 0 else "E" if dx > 0 else ""))
    """
    ours = duel("house:hugger", NOP, rounds=40).replay
    theirs = duel(bot(tmp_path, source), NOP, rounds=40).replay
    assert theirs.ticks == ours.ticks
    assert len(ours.ticks) > 10


def test_the_interpreter_that_runs_the_tests_is_no_part_of_a_bots_world(tmp_path: Path) -> None:
    spec = bot(tmp_path, "import sys\nprint(sorted(sys.modules), file=sys.stderr)\nprint('NO')")
    [said] = words(duel(spec, NOP, rounds=1))
    assert "botyard" not in said
    assert "numpy" in sys.modules
    assert "numpy" not in said
