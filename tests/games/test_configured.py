"""Settings as users of the library write them, for one game and for many, and how things show themselves in a line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import botyard
from botyard import Batch
from botyard.games import load
from botyard.games.configured import configured
from botyard.kernel.errors import SettingsError, UnknownName, YardError
from botyard.kernel.settings import in_short


def test_a_batch_takes_what_new_takes(game: str) -> None:
    golden = load(game).samples.golden
    seats = botyard.new(game, seed=3, **golden).seats
    preset = list(load(game).settings.PRESETS)[-1]
    for options in (golden, {**golden, "seats": seats}, {**golden, "preset": preset}):
        alone, games = botyard.new(game, seed=3, **options), Batch(game, n=1, seed=3, **options)
        assert games.settings == alone.settings
        assert games.states.tobytes() == alone.arrays[1].tobytes()


def made(game: str, base: Any = None, preset: str | None = None, seats: int | None = None, **named: Any) -> Any:
    return configured(load(game), base, preset, seats, named)


def test_settings_may_still_come_second() -> None:
    settings = load("hive").settings.read({"max_turns": 3})
    assert made("hive", settings) is settings
    assert made("hive", {"max_turns": 3}) == made("hive", max_turns=3) == settings
    assert made("hive", {"max_turns": 3}, rows=9) == load("hive").settings.read({"max_turns": 3, "rows": 9})
    assert made("hive", {"profile": "program"}) == made("hive", preset="program") != made("hive")


@pytest.mark.parametrize("seats", [2, 5])
def test_seats_are_counted_where_a_game_lets_them(game: str, seats: int) -> None:
    book = load(game)
    if not book.facts.seats_min <= seats <= book.facts.seats_max:
        with pytest.raises(YardError, match=f"{seats} seats: .* is played by {book.facts.seats}"):
            made(game, seats=seats)
        return
    for base in (None, book.settings()):
        assert book.layout.seats(made(game, base, seats=seats)) == seats
    assert made("snakepit", snakes=seats, seats=seats) == made("snakepit", seats=seats)


@pytest.mark.parametrize(
    ("game", "options", "kind", "complaint"),
    [
        ("hive", {"seats": 3}, YardError, "3 seats: Hive Arena is played by 2"),
        ("snakepit", {"seats": 27}, YardError, "27 seats: Snakepit is played by 1–26"),
        ("snakepit", {"seats": 2.0}, TypeError, "seats = 2.0: give a whole number"),
        ("snakepit", {"seats": True}, TypeError, "seats = True"),
        ("snakepit", {"seats": 4, "snakes": 3}, YardError, "seats=4 beside snakes=3: snakes is the number of seats"),
        ("hive", {"max_turn": 3}, UnknownName, "unknown setting 'max_turn': did you mean 'max_turns'"),
        ("hive", {"max_turns": 0.5}, SettingsError, "setting max_turns = 0.5"),
        ("hive", {"preset": "programme"}, UnknownName, "unknown preset 'programme': did you mean 'program'"),
        ("hive", {"preset": "program", "profile": "document"}, YardError, "given twice, as profile and preset"),
    ],
)
def test_what_does_not_fit_is_explained(game: str, options: Any, kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind, match=complaint):
        botyard.new(game, **options)
    with pytest.raises(kind, match=complaint):
        Batch(game, **options)


def test_seats_are_refused_where_settings_do_not_follow_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a game of somebody else's whose facts promise more than its settings keep."""
    book = load("hive")
    monkeypatch.setitem(vars(book), "facts", replace(book.facts, seats_max=4))
    with pytest.raises(YardError, match="3 seats: under these settings there are 2"):
        made("hive", seats=3)


@pytest.mark.parametrize(
    ("settings", "options", "complaint"),
    [
        ({"max_turns": 3}, {"max_turns": 4}, "setting max_turns is given twice: give it in the mapping or by keyword"),
        ({"seed": 3}, {}, "a seed among the settings: give it by itself"),
        ({"preset": "program"}, {"preset": "program"}, "the preset is given twice, as preset and preset"),
        (load("hive").settings(), {"preset": "program"}, "preset= beside settings: settings are complete"),
        (load("hive").settings(), {"max_turns": 4}, "max_turns= beside settings"),
        (load("snakepit").settings(), {}, "SnakepitSettings for a game of hive: use HiveSettings"),
        (4096, {}, "4096 for the settings of hive: give a mapping or settings; the number of games is n=…"),
        (None, {"n": 0}, "a batch of 0 games"),
        (None, {"n": 1.5}, "1.5 is not a number of games"),
        (None, {"n": 1 << 45}, r"there is no memory for [0-9,]+ GB: play fewer games at once"),
        (None, {"autorest": "off"}, "unknown setting 'autorest': did you mean 'autoreset'"),
    ],
)
def test_what_a_batch_cannot_take_is_explained(settings: Any, options: Any, complaint: str) -> None:
    with pytest.raises(YardError, match=complaint):
        Batch("hive", settings, **options)


def test_things_tell_in_one_line_what_matters() -> None:
    game = botyard.new("snakepit", seed=1, **load("snakepit").samples.golden)
    assert repr(game).startswith("<Game of snakepit, snakes=5, width=8, height=7, initial_len=0, 1 more settings, ")
    assert repr(game).endswith(", seed 1, tick 0>")
    assert repr(game.view(0)).startswith("<View of snakepit: tick=0, pellet_x=")
    assert "heads 12×2" in repr(game.view(0))
    games = Batch("hive", n=2, autoreset="off", max_turns=3)
    assert repr(games) == "<Batch of 2 games of hive, max_turns=3, 2 seats, on cpu, off>"


SMALL_MAP = load("snakebattle").samples.golden["level_map"]


def test_settings_in_short_are_the_nearest_preset_and_what_differs() -> None:
    assert in_short(made("snakepit")) == ""
    assert in_short(made("snakepit", preset="program", seats=2)) == "preset program, snakes=2"
    assert in_short(made("snakebattle", level_map=SMALL_MAP)) == "level_map='☼☼☼☼☼☼☼☼☼\\n☼#○  ®  …"


def test_the_line_is_one_line_however_long_a_setting_is(game: str) -> None:
    alone = botyard.new(game, seed=1, **load(game).samples.golden)
    told = [repr(alone), repr(alone.view(alone.asked[0])), repr(Batch(game, alone.settings))]
    assert all("\n" not in line and len(line) < 250 for line in told), told
