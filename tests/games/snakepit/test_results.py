"""The results of Snakepit's matches, as its controller counted, wrote and drew them."""

from __future__ import annotations

from typing import Any

import pytest

import botyard
from botyard.games.snakepit.files import exporter, match_files
from botyard.games.snakepit.files.results import Round, Wins, results_text, round_of, round_text
from botyard.games.snakepit.files.window import SNAKE_COLOURS
from botyard.games.snakepit.layout.bodies import alive
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.kernel.contract import MatchFile
from tests.games.snakepit.table import snakepit

# The results file (8.3)

SAMPLE = """\
==Match Settings==
 Best Of 3
 Seed 4
==Snake Scores==
#1: simpleBot [1] Score: 4865
#2: simpleBot [{second}] Score: 1465
#3: simpleBot [{third}] Score: 34
==By Round==
 Round: 1 Winner: simpleBot ID: 1 Pellets: 1 Total Ticks: 21
 Round: 2 Winner: simpleBot ID: 3 Pellets: 5 Total Ticks: 165
 Round: 3 Winner: simpleBot ID: 1 Pellets: 1 Total Ticks: 29
"""

SAMPLE_ROUNDS = [
    Round(0, (1071, 9, 21), (1, 0, 0), 21),
    Round(2, (215, 13, 1415), (1, 0, 5), 165),
    Round(0, (1079, 12, 29), (1, 0, 0), 29),
]


@pytest.mark.parametrize(("labels", "second", "third"), [("correct", 3, 2), ("program", 2, 3)])
def test_the_results_file_of_the_recorded_match(labels: str, second: int, third: int) -> None:
    settings = SnakepitSettings(best_of=3, results_labels=labels)
    tally = Wins(settings, 3)
    for played in SAMPLE_ROUNDS:
        assert not tally.over
        tally.add(played)
    assert tally.over
    assert tally.winner == 0
    assert results_text(tally, settings, 4, ["simpleBot"] * 3) == SAMPLE.format(second=second, third=third)


def test_equal_sums_are_listed_by_id() -> None:
    tally = Wins(SnakepitSettings(best_of=9), 2)
    tally.add(Round(None, (0, 0), (0, 0), 7))
    lines = results_text(tally, SnakepitSettings(best_of=9), 1, ["a", "b"]).splitlines()
    assert lines[4:] == ["#1: a [1] Score: 0", "#2: b [2] Score: 0", "==By Round==", " Round: 1 Tie!"]


def test_the_results_of_one_game_are_an_export() -> None:
    game = botyard.new("snakepit", seed=9, snakes=2, width=12, height=12, best_of=1)
    writer = exporter(".txt", ["left", "right"])
    while not game.over:
        orders = dict.fromkeys(game.asked, 2)
        writer.before(game, orders)
        game.step_orders(orders)
    text = writer.end(game).decode()
    winner = round_of(game).winner
    assert " Seed 9\n" in text
    if winner is None:
        assert text.endswith(" Round: 1 Tie!\n")
    else:
        assert f"ID: {winner + 1} Pellets: 0 Total Ticks: {game.state.tick}\n" in text
        assert f"Score: {game.scores[winner] + 2500}\n" in text


def test_a_game_under_way_has_no_points_yet() -> None:
    played = round_of(botyard.new("snakepit", seed=9))
    assert played == Round(None, (0, 0, 0), (0, 0, 0), 0)


# Matches (4.4, 10.7)


def played(tally: Wins, *winners: int | None, starved: bool = False) -> Wins:
    for winner in winners:
        tally.add(Round(winner, tuple(10 for _ in tally.wins), tuple(0 for _ in tally.wins), 5, starved))
    return tally


def test_a_match_goes_on_until_somebody_has_the_wins() -> None:
    tally = Wins(SnakepitSettings(best_of=3), 3)
    assert not played(tally, 0, 1, 2, None, None).over
    assert played(tally, 1).winner == 1
    assert tally.sums == [60, 2560, 60]


def test_a_match_can_be_capped_and_then_the_most_wins_count() -> None:
    assert played(Wins(SnakepitSettings(match_games_cap=3), 2), 0, 1, 1).winner == 1
    assert played(Wins(SnakepitSettings(match_games_cap=2), 2), 0, 1).winner is None
    assert played(Wins(SnakepitSettings(match_games_cap=2), 2), None, None).winner is None


def test_endless_washes_end_a_match_without_a_winner() -> None:
    tally = played(Wins(SnakepitSettings(wash_limit=2), 2), 0, None, 0, None, None)
    assert tally.over
    assert tally.winner is None
    assert not played(Wins(SnakepitSettings(wash_limit=0), 2), None, None).over


def test_in_a_fixed_match_every_game_counts() -> None:
    tally = played(Wins(SnakepitSettings(match_length="fixed", best_of=4), 2), 0, 0, 0)
    assert not tally.over
    assert played(tally, None).winner == 0


def test_a_starved_solo_game_counts_in_a_fixed_match_only() -> None:
    solo = SnakepitSettings(snakes=1, solo_starved="score")
    assert played(Wins(solo, 1), None, starved=True).sums == [0]
    fixed = SnakepitSettings(snakes=1, solo_starved="score", match_length="fixed", best_of=1)
    tally = played(Wins(fixed, 1), None, starved=True)
    assert tally.over
    assert tally.sums == [10]


def test_a_starved_solo_game_may_be_played_again() -> None:
    again = SnakepitSettings(snakes=1, solo_starved="replay", match_length="fixed", best_of=1)
    tally = played(Wins(again, 1), None, starved=True)
    assert not tally.over
    assert played(tally, 0).over


def test_a_starved_game_is_no_win_even_where_its_points_count() -> None:
    drawing = "tick 0, hunger 0, pellet 1,2\nA facing r, pellets 1, growing 0, body 2,1 l\na A . .\n* . . ."
    game = snakepit(drawing, tick_timeout=1, solo_starved="score").play(A="r")
    assert round_of(game) == Round(None, (51,), (1,), 1, starved=True)


# What the controller left by itself, and its window


def straight_on(seed: int, **settings: Any) -> Any:
    """A game in which nobody ever turns."""
    game = botyard.new("snakepit", seed=seed, **settings)
    while not game.over:
        game.step_orders({})
    return game


def test_the_results_file_of_a_match_tells_of_all_its_games() -> None:
    writer = exporter(".txt", ["a", "b", "c"])
    games = [straight_on(seed, best_of=3) for seed in (7, 8)]
    texts = [writer.end(game).decode() for game in games]
    assert [text.count(" Round: ") for text in texts] == [1, 2]
    assert all(" Seed 7\n" in text for text in texts)
    assert " Round: 1 " + round_text(round_of(games[0]), "abc") in texts[1]


@pytest.mark.parametrize(
    ("chosen", "left"),
    [
        ({}, [MatchFile("bs_results.txt", ".txt", append=False, of_series=True)]),
        ({"preserve_mode": "a", "results_file": "r"}, [MatchFile("r", ".txt", append=True, of_series=True)]),
        ({"preserve_results": False}, []),
    ],
)
def test_the_results_file_is_left_where_the_settings_want_it(chosen: dict[str, Any], left: list[MatchFile]) -> None:
    assert match_files(SnakepitSettings.read(chosen)) == left


def test_the_window_is_a_picture_of_the_end() -> None:
    game = straight_on(7, width=12, height=9, initial_len=1, pixel_size=4, pellet_color="1,2,3", info_color="WHITE")
    pixels = exporter(".svg", ["<a>", "b\x1b", "c"]).end(game).decode()
    assert pixels.startswith('<svg xmlns="http://www.w3.org/2000/svg" width="48" height="36" viewBox="0 0 48 36">\n')
    assert '<rect width="48" height="36" fill="rgb(0,0,0)"/>' in pixels
    x, y = int(game.state.pellet_x), int(game.state.pellet_y)
    assert f'<circle cx="{4 * x - 2}" cy="{4 * y - 2}" r="2" fill="rgb(1,2,3)"/>' in pixels
    last = next(seat for seat in range(3) if alive(game.state, seat))
    head = game.state.snakes[last]
    corner = f'x="{4 * (int(head["head_x"]) - 1)}" y="{4 * (int(head["head_y"]) - 1)}" width="4" height="4"'
    assert f'<rect {corner} fill="rgb({SNAKE_COLOURS[last]})"/>' in pixels
    assert pixels.count(' width="4" ') == 2  # the dead are not there
    assert f'fill="rgb(255,255,255)">Ticks: {game.state.tick}</text>' in pixels
    assert 'fill="rgb(255,0,0)">Game Over!</text>' in pixels
    names = ["[&lt;a&gt;]", "[b·]", "[c]"]
    for seat, name in enumerate(names):
        fate = "" if seat == last else " [DEAD]"
        won = int(round_of(game).winner == seat)
        assert f">{name} ID: {seat + 1} P: 0 L: 2 W: {won}{fate}</text>" in pixels
    assert pixels.endswith("</svg>\n")


def test_the_window_without_words_and_before_the_end() -> None:
    game = botyard.new("snakepit", seed=7, show_info=False)
    writer = exporter(".svg", ["a", "b", "c"])
    writer.before(game, {})
    assert "<text" not in writer.end(game).decode()
    talking = exporter(".svg", ["a", "b", "c"]).end(botyard.new("snakepit", seed=7)).decode()
    assert "Game Over!" not in talking
    assert talking.count('width="10" height="10"') == 18


def test_bodies_that_are_kept_are_red_in_the_window() -> None:
    game = straight_on(7, preserve_dead=True)
    assert exporter(".svg", ["a", "b", "c"]).end(game).decode().count('height="10" fill="rgb(255,0,0)"') == 12


def test_the_window_of_a_full_board_has_no_pellet() -> None:
    game = botyard.new("snakepit", seed=7)
    game.state.pellet_x = 0
    assert "<circle" not in exporter(".svg", ["a", "b", "c"]).end(game).decode()
