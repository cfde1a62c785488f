"""The protocol of Hack-man as transcripts: `>` to the bot, `<` from the bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import botyard
from botyard.games.hackman.map.plan import DEFAULT_LAYOUT
from botyard.games.hackman.settings import HackmanSettings
from botyard.games.hackman.wire import HackmanSession, arguments, field_text, open_session
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.clock import LoopClock
from botyard.match.in_process import FunctionPlayer
from botyard.match.loop import Played, play_game
from botyard.match.wire_player import WirePlayer
from tests.games.hackman.table import hackman, plan_of
from tests.match.stage import Event, ScriptedLink, without_waiting

UP, DOWN, LEFT, RIGHT, PASS = range(5)


def session(number: int = 0, preset: str = "document", **settings: Any) -> HackmanSession:
    return open_session(HackmanSettings.read(settings, preset), number)


def verdict(result: int | Fault | None) -> Verdict:
    assert isinstance(result, Fault)
    return result.verdict


# What is sent (6.2, 6.3)


def test_the_settings_are_sent_once_in_this_order() -> None:
    assert session(1).opening(None).decode().splitlines() == [
        "settings player_names player0,player1",
        "settings your_bot player1",
        "settings timebank 10000",
        "settings time_per_move 100",
        "settings your_botid 1",
        "settings field_width 20",
        "settings field_height 14",
        "settings max_rounds 200",
    ]


def test_a_round_is_eight_updates_and_a_question() -> None:
    game = botyard.new("hackman", seed=1, map_snippet_count=0)
    sent = session().ask(game.view(0)).decode()
    assert sent.endswith("\n")
    field = DEFAULT_LAYOUT.split(",")
    field[7 * 20 + 2], field[7 * 20 + 17] = "0", "1"
    for x, y in ((8, 7), (9, 7), (10, 7), (11, 7), (9, 6), (10, 6)):
        field[20 * y + x] = "x"
    assert sent.splitlines() == [
        "update game round 1",
        "update game field " + ",".join(field),
        "update player0 snippets 0",
        "update player0 has_weapon false",
        "update player0 is_paralyzed false",
        "update player1 snippets 0",
        "update player1 has_weapon false",
        "update player1 is_paralyzed false",
        "action move 10000",
    ]


def test_both_bots_are_told_the_same() -> None:
    game = hackman("""
        player 0: 3 snippets, weapon
        player 1: 11 snippets, paralysed 2
        0 . . g s
        . x x x x
        . . . . 1
    """)
    told = [session(number).ask(game.view(number)) for number in (0, 1)]
    assert told[0] == told[1]
    assert told[0].decode().splitlines()[2:] == [
        "update player0 snippets 3",
        "update player0 has_weapon true",
        "update player0 is_paralyzed false",
        "update player1 snippets 11",
        "update player1 has_weapon false",
        "update player1 is_paralyzed true",
        "action move 10000",
    ]


def test_cells_are_combined_in_the_field_6_4() -> None:
    game = hackman("""
        01 C< W>> g^ s<<
        . x x x x
        . < . . .
    """)
    assert field_text(plan_of(game), game.view(0)) == "01,CE,WEE,xE,xEE,.,x,x,x,x,.,E,.,.,."
    assert field_text(plan_of(game), game.state) == field_text(plan_of(game), game.view(0))


def test_an_item_on_a_closed_cell_looks_like_a_wall() -> None:
    game = botyard.new(
        "hackman", field_width=5, field_height=1, field_layout=".,.,.,C,.", start_points="0,0 1,0",
        bug_spawn_points="4,0", map_snippet_count=0, map_check=True,
    )  # fmt: skip
    assert game.state.snippets[0] == 3
    assert field_text(plan_of(game), game.view(0)) == "0,1,.,x,x"


def test_nothing_announces_the_end_and_nothing_follows_the_command() -> None:
    assert session().closing(None) == b""
    assert arguments("host", 1, 0) == []
    assert not session().introduces


# Answers (6.5, 10.1)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("up", UP), ("down", DOWN), ("left", LEFT), ("right", RIGHT), ("pass", PASS), ("pAsS", PASS),
        ("no_moves", PASS), ("NO_MOVES", PASS), (" pass ", PASS), ("up ", UP), ("up\t", UP), ("up down", UP),
        ("pass now", PASS), ("up\r", UP),
    ],
)  # fmt: skip
def test_answers_that_are_understood(line: str, order: int) -> None:
    assert session().receive(line.encode() + b"\n") == order


@pytest.mark.parametrize(
    "line", [" up", "UP", "up\tx", "jump", "null", "", "\r", "bot 0 up", "PASS now", "  ", "\t", "\xff\x00", "upp"]
)
def test_answers_that_are_not(line: str) -> None:
    assert verdict(session().receive(line.encode("latin-1") + b"\n")) == Verdict.GARBLED


def test_a_line_may_come_in_pieces() -> None:
    one = session()
    assert one.receive(b"") is None
    assert one.receive(b"ri") is None
    assert one.receive(b"ght\n") == RIGHT


def test_the_first_line_after_the_question_counts_and_the_rest_is_forgotten() -> None:
    one = session()
    assert one.receive(b"up\ndown\nle") == UP
    assert one.unasked(b"") == b"down\n"
    assert one.receive(b"ft\n") == LEFT


def test_the_program_takes_the_last_line_of_one_look() -> None:
    one = session(preset="program")
    assert one.receive(b"up\ndown\nle") == DOWN
    assert one.receive(b"ft\n") == LEFT


def test_what_comes_before_a_question_is_dropped() -> None:
    one = session()
    assert one.unasked(b"up\nrig") == b"up\n"
    assert one.receive(b"ht\n") == RIGHT


def test_a_blank_line_ends_the_original_match_without_a_result() -> None:
    one = session(preset="program")
    hung = one.receive(b" \t\n")
    assert isinstance(hung, Fault)
    assert (hung.verdict, hung.ends) == (Verdict.GARBLED, True)  # the bot's own fault, and nobody else's
    for harmless in (one.receive(b"\n"), session().receive(b" \t\n")):
        assert isinstance(harmless, Fault)
        assert (harmless.verdict, harmless.ends) == (Verdict.GARBLED, False)


def test_too_much_output_is_a_flood() -> None:
    one = session(stream_limit_chars=8)
    assert one.receive(b"up\n") == UP
    assert verdict(one.receive(b"left\nleft\n")) == Verdict.FLOODED
    assert verdict(one.receive(b"")) == Verdict.FLOODED


# The time bank (6.6)


def shown(one: HackmanSession) -> int:
    view = botyard.new("hackman", seed=1).view(0)
    return int(one.ask(view).decode().rsplit(" ", 1)[1])


def test_the_bank_shrinks_by_the_time_taken_and_grows_by_a_fixed_amount() -> None:
    one = session(timebank_ms=300, time_per_move_ms=50)
    banks = []
    for _ in range(6):
        banks.append(shown(one))
        assert one.move_ms == banks[-1]
        one.took(91.7, UP)
    assert banks == [300, 259, 218, 177, 136, 95]


def test_the_bank_is_never_fuller_than_at_the_start() -> None:
    one = session()
    one.took(20, UP)
    assert shown(one) == 10_000


def test_a_time_out_empties_the_bank_and_one_too_many_stops_the_bot() -> None:
    one = session(timebank_ms=300, time_per_move_ms=100, max_timeouts=2)
    banks, limits = [], []
    for late in (Verdict.SILENT, Verdict.LATE, Verdict.SILENT, Verdict.SILENT):
        banks.append(shown(one))
        limits.append(one.move_ms)
        one.took(1300, Fault(late, "no answer"))
    assert banks == [300, 100, 100, 100]
    assert limits == [300, 100, 100, 0]
    assert one.stopped
    assert one.settle_ms == 0


def test_an_invalid_answer_is_no_time_out() -> None:
    one = session(timebank_ms=300, time_per_move_ms=100, max_timeouts=0)
    one.took(120, Fault(Verdict.GARBLED, "jump"))
    assert shown(one) == 280
    one.took(5, Fault(Verdict.CRASHED, "gone"))
    assert not one.stopped


def test_the_owed_line_is_waited_for_unless_it_may_answer_the_next_question() -> None:
    assert session().settle_ms == 1000
    assert session(preset="program").settle_ms == 0


# A match on a scripted link


def talk(*acts: Sequence[Event], rounds: int, **settings: Any) -> tuple[list[int], list[Verdict]]:
    """The time banks a bot is shown and what became of its answers."""

    async def main() -> tuple[list[int], list[Verdict]]:
        game = botyard.new("hackman", seed=1, max_rounds=rounds, **settings)
        assert isinstance(game.settings, HackmanSettings)
        link, clock = ScriptedLink([], *acts), LoopClock()
        bot = WirePlayer("bot", open_session(game.settings, 0), link, clock)
        other = FunctionPlayer(lambda view: "pass", game.book.facts, 0, clock)
        played = await play_game(game, [bot, other])
        banks = [int(text.rsplit(b" ", 1)[1]) for text in link.sent if text]
        return banks, [turn.verdict for turn in played.turns if turn.seat == 0]

    return without_waiting(main())


def test_a_match_keeps_the_time_bank() -> None:
    acts: list[list[Event]] = [[90, b"up\n"]] * 4
    banks, verdicts = talk(*acts, rounds=4, timebank_ms=300, time_per_move_ms=50)
    assert banks == [300, 260, 220, 180]
    assert verdicts == [Verdict.OK] * 4


def test_a_late_line_is_waited_for_and_never_answers_the_next_question_10_3() -> None:
    acts: list[list[Event]] = [[900, b"up\n"], [5, b"down\n"], [5, b"nonsense\n"]]
    banks, verdicts = talk(*acts, rounds=3, timebank_ms=300, time_per_move_ms=100)
    assert banks == [300, 100, 195]
    assert verdicts == [Verdict.LATE, Verdict.OK, Verdict.GARBLED]


def test_in_the_program_a_late_line_answers_the_next_question() -> None:
    acts: list[list[Event]] = [[350, b"up\n"], [80, b"down\n"]]
    banks, verdicts = talk(*acts, rounds=2, timebank_ms=300, time_per_move_ms=100, late_answers="next_question")
    assert banks == [300, 100]
    assert verdicts == [Verdict.SILENT, Verdict.OK]


def test_a_late_line_of_white_space_hangs_nothing() -> None:
    acts: list[list[Event]] = [[900, b" \n"], [5, b"up\n"]]
    banks, verdicts = talk(*acts, rounds=2, timebank_ms=300, time_per_move_ms=100, blank_answer="abort")
    assert banks == [300, 100]
    assert verdicts == [Verdict.LATE, Verdict.OK]


def in_turn(first: ScriptedLink, second: ScriptedLink) -> Played:
    """Two rounds of the original's way to ask, between two scripted bots."""

    async def main() -> Played:
        game, clock = botyard.new("hackman", seed=1, max_rounds=2, preset="program"), LoopClock()
        sessions = [open_session(game.settings, number) for number in (0, 1)]  # type: ignore[arg-type]
        links = (first, second)
        bots = [WirePlayer("bot", one, link, clock) for one, link in zip(sessions, links, strict=True)]
        return await play_game(game, bots)

    return without_waiting(main())


def test_bots_that_are_asked_in_turn_are_all_told_before_the_first_question_6_5() -> None:
    # Bot 0 thinks. Bot 1 speaks up as soon as it is told; a question forgets what came before it.
    told: list[list[Event]] = [[b"down\n"], [b"left\n"]]
    second = ScriptedLink([], told[0], [5, b"up\n"], told[1], [5, b"jump\n"])
    played = in_turn(ScriptedLink([], [50, b"pass\n"], [50, b"pass\n"]), second)
    turns = [turn for turn in played.turns if turn.seat == 1]
    assert [turn.early for turn in turns] == ["down\n", "left\n"]
    assert [turn.order for turn in turns] == [UP, None]
    assert [round(turn.ms) for turn in turns] == [5, 5]
    assert [text.split()[0] for text in second.sent[:4]] == [b"settings", b"action", b"update", b"action"]
    assert b"".join(second.sent).decode() == "".join(turn.sent for turn in turns)


@pytest.mark.parametrize(("answer", "culprits"), [(b"up\n", (0,)), (b" \n", (0, 1))])
def test_after_the_answer_that_hangs_the_original_the_other_bot_is_heard_too(
    answer: bytes, culprits: tuple[int, ...]
) -> None:
    """Else whoever is asked first would forfeit alone, although both did the same in this round."""
    played = in_turn(ScriptedLink([], [5, b" \n"]), ScriptedLink([], [], [5, answer]))
    assert played.outcome is None
    assert [turn.seat for turn in played.turns] == [0, 1]
    assert played.culprits == culprits


def test_nobody_waits_for_a_bot_that_was_stopped() -> None:
    banks, verdicts = talk(rounds=6, timebank_ms=300, time_per_move_ms=100, settle_ms=10)
    assert banks == [300, 100, 100]  # then it is not asked any more
    assert verdicts == [Verdict.SILENT] * 6


def test_a_crash_is_a_crash_in_every_round_10_2() -> None:
    _, verdicts = talk([b"up\n"], [None], rounds=4)
    assert verdicts[0] == Verdict.OK
    assert set(verdicts[1:]) <= {Verdict.GONE, Verdict.CRASHED}


def test_the_end_of_a_process_is_noticed_at_once_or_waited_out_10_2() -> None:
    gone: list[list[Event]] = [[5, b"up\n"], [5, None]]
    banks, verdicts = talk(*gone, rounds=5, timebank_ms=300, time_per_move_ms=50)
    assert banks == [300, 300]
    assert verdicts == [Verdict.OK, *[Verdict.GONE] * 4]
    banks, verdicts = talk(*gone, rounds=5, timebank_ms=300, time_per_move_ms=50, preset="program")
    assert banks == [300, 300, 50, 50]  # three time-outs, and it is stopped
    assert verdicts == [Verdict.OK, *[Verdict.SILENT] * 4]
