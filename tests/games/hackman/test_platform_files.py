"""What the platform kept of a match: its replay, its result, and the talk of its wrapper with the engine."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.games.hackman import files
from botyard.games.hackman.files.platform import ReplayWriter
from botyard.games.hackman.map.plan import DEFAULT_LAYOUT
from botyard.games.hackman.settings import HackmanSettings
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.verdict import Verdict
from tests.games.hackman.table import DrawnMaze, bare, hackman


def told(suffix: str, game: Game, *rounds: dict[int, int]) -> Any:
    writer = files.exporter(suffix, ("a", "b"))
    for orders in rounds:
        writer.before(game, orders)
        game.step_orders(orders)
    return json.loads(writer.end(game))


def small_game(**settings: Any) -> DrawnMaze:
    return hackman("""
        round 7, collected 4
        player 0: 3 snippets
        player 1: 5 snippets, weapon, paralysed 1
        0 C . g s<
        . x x x x
        . . W . 1
    """, **settings)  # fmt: skip


def test_a_replay_holds_every_state_with_the_moves_that_led_there() -> None:
    game = small_game(max_rounds=9)
    game.feed([(1, 0), (1, 0), (4, 0), (8, 0), (1, 0)])
    replay = told(".json", game, {0: 3, 1: 2}, {0: 0, 1: 9})
    assert replay["settings"] == {"players": {"count": 2, "names": ["player0", "player1"]}}
    assert (replay["winner"], replay["score"]) == (1, 9)
    assert [state["round"] for state in replay["states"]] == [8, 9, 10]
    players = [state["players"] for state in replay["states"]]
    assert players[0][0] == {
        "id": 0, "x": 0, "y": 0, "score": 3, "hasWeapon": False, "move": "pass", "exception": None
    }  # fmt: skip
    assert [(one["x"], one["score"], one["move"]) for one in players[1]] == [(1, 4, "right"), (4, 5, "paralyzed")]
    assert [(one["move"], one["exception"]) for one in players[2]] == [
        (None, "Invalid move: Can't move this direction."),
        (None, "Invalid input: Move isn't valid"),
    ]
    assert replay["states"][0]["enemies"] == [{"id": 0, "x": 4, "y": 0, "move": "left"}]
    assert replay["states"][0]["collectibles"] == [{"x": 1, "y": 0}]
    assert replay["states"][0]["weapons"] == [{"x": 2, "y": 2}]


def test_a_result_is_texts_in_json() -> None:
    game = small_game(max_rounds=9)
    game.feed([(1, 0), (1, 0), (4, 0), (8, 0), (1, 0)])
    result = told(".result", game, {0: 3, 1: 4}, {0: 0, 1: -1})
    assert json.loads(result["details"]) == {"score": 9, "winner": "1"}
    assert len(json.loads(result["game"])["states"]) == 3
    log = result["players"][0]["log"].splitlines()
    assert log[:2] == ["settings player_names player0,player1", "settings your_bot player0"]
    assert log.count("action move 10000") == 2
    assert log[-2:] == ['Output from your bot: "up"', 'Engine warning: "Can\'t move this direction."']
    other = result["players"][1]["log"].splitlines()
    assert other[-2:] == ['Output from your bot: ""', 'Engine warning: "Invalid input: Move isn\'t valid"']
    assert 'Output from your bot: "pass"' in other


def test_a_result_of_a_draw_and_of_players_who_never_came() -> None:
    game = Game(load("hackman"), bare(max_rounds=2), 1)
    for seat in (0, 1):
        game.change("forfeit", seat)
    result = told(".result", game, {}, {})
    assert json.loads(result["details"]) == {"score": 2, "winner": "null"}
    assert "action move" not in result["players"][0]["log"]


@pytest.mark.parametrize(("scores", "score"), [((3, 5), 5), ((4, 1), 4), ((2, 2), 2)])
def test_the_score_can_be_the_winners_snippets_10_4(scores: tuple[int, int], score: int) -> None:
    game = Game(load("hackman"), bare(max_rounds=1, score_is_rounds=False), 1)
    game.state.scores[:] = scores
    assert told(".json", game, {0: 4, 1: 4})["score"] == score


def test_the_result_before_the_end_has_no_winner() -> None:
    game = Game(load("hackman"), bare(), 1)
    writer = ReplayWriter()
    assert writer.replay(game)["winner"] is None
    assert set(files.EXPORTS) == {".json", ".result", ".talk"}


# With the log of a game's turns, as `botyard play` has it


def turn(tick: int, seat: int, verdict: Verdict, ms: float, limit_ms: int = 500, **more: Any) -> SimpleNamespace:
    said = {"sent": f"asked {tick}\n", "received": "", "said": "", **more}
    return SimpleNamespace(tick=tick, seat=seat, verdict=verdict, ms=ms, limit_ms=limit_ms, **said)


def log_of(*turns: SimpleNamespace, peak_mb: float | None = None) -> SimpleNamespace:
    seats = [SimpleNamespace(said="last words\n", peak_mb=peak_mb), SimpleNamespace(said="", peak_mb=None)]
    return SimpleNamespace(turns=turns, seats=seats)


def result_of(game: Game, log: SimpleNamespace, rounds: int) -> Any:
    writer = files.exporter(".result", ())
    writer.hear(log)
    for _ in range(rounds):
        writer.before(game, {0: NO_ORDER, 1: NO_ORDER})
        game.step_orders({})
    return json.loads(writer.end(game))


def test_a_result_quotes_what_was_said_and_how_long_it_took() -> None:
    log = log_of(
        turn(-1, 0, Verdict.OK, 9.0, said="first words\n"),
        turn(0, 0, Verdict.OK, 20.7, received="UP\nno more\n", said="words\n"),
        turn(0, 1, Verdict.OK, 30.2, received="pass\n"),
        turn(1, 0, Verdict.SILENT, 500.0),
        turn(1, 1, Verdict.OK, 1.5, limit_ms=0, sent=""),
        turn(2, 0, Verdict.SILENT, 0.0, limit_ms=0),
    )
    result = result_of(Game(load("hackman"), bare(max_rounds=3, max_timeouts=0), 1), log, 3)
    own, other = result["players"]
    assert own["log"].splitlines() == [
        "asked 0",
        'Output from your bot: "UP"',
        'Engine warning: "Invalid input: Move isn\'t valid"',
        "asked 1",
        "Response timed out (500ms), let your bot return 'no_moves' instead of nothing or make it faster.",
        'Output from your bot: ""',
        'Engine warning: "Invalid input: Move isn\'t valid"',
        "asked 2",
        "Maximum number (0) of time-outs reached: skipping all moves.",
        'Engine warning: "Invalid input: Move isn\'t valid"',
    ]
    assert (own["errors"], own["responseTimes"]) == ("first words\nwords\nlast words\n", [20, 500])
    assert (own["totalResponseTime"], other["responseTimes"]) == (520, [30])
    assert result["timeElapsed"] == 530  # they think at the same time


def test_a_result_adds_the_times_of_bots_that_are_asked_in_turn() -> None:
    log = log_of(turn(0, 0, Verdict.OK, 20.7, received="up\n"), turn(0, 1, Verdict.OK, 30.4, received="up\n"))
    game = Game(load("hackman"), bare(max_rounds=1, ask_mode="sequential"), 1)
    assert result_of(game, log, 1)["timeElapsed"] == 51


@pytest.mark.parametrize(("line", "quoted"), [("first", "up\rx"), ("last", "down ")])
def test_a_result_quotes_the_line_that_counted(line: str, quoted: str) -> None:
    log = log_of(turn(0, 0, Verdict.OK, 1, received="up\rx\nleft\ndown \r\nri"))
    result = result_of(Game(load("hackman"), bare(max_rounds=1, answer_line=line), 1), log, 1)
    assert f'\nOutput from your bot: "{quoted}"\n' in result["players"][0]["log"]


def test_a_bot_with_an_empty_bank_times_out_before_it_is_given_up() -> None:
    log = log_of(
        turn(0, 0, Verdict.SILENT, 50.0, limit_ms=50),
        turn(1, 0, Verdict.SILENT, 0.0, limit_ms=0),
        turn(2, 0, Verdict.SILENT, 0.0, limit_ms=0, sent=""),
    )
    settings = bare(max_rounds=3, timebank_ms=50, time_per_move_ms=0, max_timeouts=1)
    own = result_of(Game(load("hackman"), settings, 1), log, 3)["players"][0]
    remarks = [line for line in own["log"].splitlines() if line.startswith(("Response", "Maximum", "action"))]
    assert [" ".join(line.split()[:4]) for line in remarks] == [
        "Response timed out (50ms),", "Response timed out (0ms),", "action move 0", "Maximum number (1) of"
    ]  # fmt: skip
    assert own["responseTimes"] == [50, 0]


def test_a_result_tells_of_a_round_that_somebody_broke_off() -> None:
    log = log_of(turn(0, 0, Verdict.GARBLED, 2.0, received=" \n"))
    result = result_of(Game(load("hackman"), bare(), 1), log, 0)
    assert (result["details"], result["game"]) == ("", "")
    assert result["players"][0]["log"].splitlines() == ["asked 0", 'Output from your bot: " "']


@pytest.mark.parametrize(("used", "warned"), [(None, False), (50 / 1024, False), (51 / 1024, True)])
def test_a_result_warns_a_bot_that_used_much_memory(used: float | None, warned: bool) -> None:
    game = Game(load("hackman"), bare(max_rounds=1, memory_warning_kb=50), 1)
    own, other = result_of(game, log_of(peak_mb=used), 1)["players"]
    assert ("Memory use of 51 kB is above 50 kB." in own["log"]) == warned
    assert "Memory" not in other["log"]


def test_the_talk_with_the_engine_has_the_bots_own_words() -> None:
    game = Game(load("hackman"), bare(max_rounds=2), 1)
    writer = files.exporter(".talk", ())
    said = [turn(0, 0, Verdict.OK, 1, received="UP x\n"), turn(1, 0, Verdict.LATE, 1, received="up\n")]
    mine = turn(0, 1, Verdict.OK, 1, sent="", received="3")  # of the house: there were no words
    writer.hear(log_of(turn(-1, 0, Verdict.OK, 1), *said, mine))
    for orders in ({0: NO_ORDER, 1: 3}, {0: NO_ORDER, 1: NO_ORDER}):
        writer.before(game, orders)
        game.step_orders(orders)
    lines = writer.end(game).decode().splitlines()
    answers = [line for line in lines if line.startswith("Engine in: 'bot ")]
    assert [line[12:-1] for line in answers] == ["bot 0 UP x", "bot 1 right", "bot 0 null", "bot 1 null"]
    assert lines[-3:] == ["Engine out: 'end'", "Engine in: 'details'", "Engine in: 'game'"]


def test_the_engine_is_told_the_settings_that_are_not_its_own() -> None:
    settings = HackmanSettings(
        max_rounds=2, enemy_snippet_loss=3, chase_min_path=1, field_layout="C" + DEFAULT_LAYOUT[1:]
    )
    game, writer = Game(load("hackman"), settings, 7), files.exporter(".talk", ())
    writer.before(game, {})
    told = writer.end(game).decode().splitlines()[2].removeprefix("Engine in: 'configuration ").removesuffix("'")
    assert " " not in told
    assert json.loads(told) == {
        "maxRounds": {"type": "integer", "value": 2},
        "enemySnippetLoss": {"type": "integer", "value": 3},
        "fieldLayout": {"type": "String", "value": settings.field_layout},
        "seed": {"type": "String", "value": "7"},
    }


def talk_of(settings: HackmanSettings, *received: str, orders: dict[int, int], rounds: int = 1) -> list[str]:
    """The talk of a game from its first question on."""
    writer, game = files.exporter(".talk", ()), Game(load("hackman"), settings, 1)
    writer.hear(log_of(*(turn(0, at, Verdict.OK, 1, received=text) for at, text in enumerate(received))))
    for _ in range(rounds):
        writer.before(game, orders)
        game.step_orders(orders)
    lines = writer.end(game).decode().splitlines()
    return lines[lines.index("Engine out: 'bot 0 ask action move'") :]


def test_the_wrapper_makes_a_pass_of_no_moves_and_the_engine_warns_6_8() -> None:
    assert talk_of(bare(max_rounds=1), " No_Moves\r\n", "left\n", orders={0: 4, 1: 2}) == [
        "Engine out: 'bot 0 ask action move'",
        "Engine in: 'bot 0 pass'",
        "Engine out: 'bot 1 ask action move'",
        "Engine in: 'bot 1 left'",
        "Engine out: 'bot 1 warning Can't move this direction.'",
        "Engine out: 'end'",
        "Engine in: 'details'",
        "Engine in: 'game'",
    ]


def test_the_engine_hears_the_line_that_counted_and_no_end_where_there_was_none() -> None:
    orders = {0: 1, 1: NO_ORDER}
    assert talk_of(bare(answer_line="last"), "up\ndown\n", "pass\nPASS now\n", orders=orders) == [
        "Engine out: 'bot 0 ask action move'",
        "Engine in: 'bot 0 down'",
        "Engine out: 'bot 1 ask action move'",
        "Engine in: 'bot 1 PASS now'",
        "Engine out: 'bot 1 warning Invalid input: Move isn't valid'",
    ]


@pytest.mark.parametrize(
    ("chosen", "left"),
    [
        ({}, []),
        ({"result_file": "r.json"}, [("r.json", ".result")]),
        ({"debug": True}, [("game-resultfile.json", ".json"), ("", ".talk")]),
        ({"debug": True, "suppress_engine_io": True}, [("game-resultfile.json", ".json")]),
    ],
)
def test_the_wrapper_leaves_the_files_its_settings_name(chosen: dict[str, Any], left: list[tuple[str, str]]) -> None:
    wanted = files.match_files(HackmanSettings.read(chosen))
    assert [(file.path, file.suffix) for file in wanted] == left
    assert not any(file.of_series or file.append for file in wanted)
