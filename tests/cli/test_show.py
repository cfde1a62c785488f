"""`botyard show` in a terminal: keys, drawing in the room there is, and a terminal given back on every way out."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from rich.console import Console
from rich.segment import Segment

from botyard import play
from botyard.cli.film_desk import FilmDesk
from botyard.cli.film_sheet import sheet
from botyard.cli.playback import Playback
from botyard.games import GAMES
from botyard.kernel.verdict import Verdict
from botyard.match.filming import film_of
from botyard.match.replay import Missed, Replay
from botyard.render.frames import FilmReader, frames
from tests.cli.terminal import COMMAND, terminal
from tests.links.matches import rival_of, short_match
from tests.waiting import RUN_S

TICKS = 250


@pytest.fixture(scope="module")
def record() -> Replay:
    replay = play("hive", ["house:forager", "house:raider"], seed=7, max_turns=TICKS).replay
    replay.missed.append(Missed(120, 1, Verdict.LATE, "too \x1b[2Jslow"))
    return replay


@pytest.fixture
def folder(record: Replay, tmp_path: Path) -> Path:
    record.write(tmp_path / "game.replay")
    return tmp_path


def desk_of(record: Replay) -> FilmDesk:
    return FilmDesk(film_of(record), Playback(100, 100, False, 0.0), lambda seat: film_of(record, seat))


def drawn(desk: FilmDesk, cols: int = 80, rows: int = 24, colours: Literal["standard"] | None = None) -> list[str]:
    console = Console(file=io.StringIO(), color_system=colours, force_terminal=True, no_color=False)
    lines = sheet(desk, console, cols, rows)
    assert len(lines) == rows
    assert max(Segment.get_line_length(line) for line in lines) <= cols
    return ["".join(segment.text for segment in line).rstrip() for line in lines]


# Any frame of a film


def test_frames_in_any_order_are_those_in_order(record: Replay) -> None:
    film = film_of(record)
    whole, reader = list(frames(film)), FilmReader(film)
    assert reader.last == TICKS == len(whole) - 1
    for tick in (0, 249, 3, 199, 200, 100, 99, 101, 250, 1, 0):
        assert reader.frame(tick).picture == whole[tick].picture
        assert reader.frame(tick).words == whole[tick].words


# Keys


def test_keys_go_through_the_film(record: Replay) -> None:
    desk = desk_of(record)
    for key, tick in [
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Shift+ArrowRight", 11), (".", 21), (",", 11),
        ("Shift+ArrowLeft", 1), ("ArrowLeft", 0), ("ArrowLeft", 0), ("End", TICKS), ("ArrowRight", TICKS), ("Home", 0),
    ]:  # fmt: skip
        desk.press(key, 0.0)
        assert desk.tick == tick, key


def test_marks_and_lost_turns_are_gone_to(record: Replay) -> None:
    desk = desk_of(record)
    ticks = sorted({mark[0] for mark in desk.head["marks"]})
    for tick in ticks[:3]:
        desk.press("n", 0.0)
        assert desk.tick == tick
    desk.press("p", 0.0)
    assert desk.tick == ticks[1]
    desk.press("Home", 0.0)
    desk.press("f", 0.0)
    assert desk.tick == 120
    desk.press("f", 0.0)
    assert (desk.tick, desk.message) == (120, "no lost turn after this tick")
    assert "1: LATE: too ·[2Jslow" in "\n".join(drawn(desk, 120, 40))


def test_a_number_goes_to_its_tick(record: Replay) -> None:
    desk = desk_of(record)
    for key in ("g", "1", "3", "Backspace", "7", "x", "Enter"):
        desk.press(key, 0.0)
    assert desk.tick == 17
    for key in ("g", *"99999999999", "Enter"):
        desk.press(key, 0.0)
    assert desk.tick == TICKS
    for key in ("g", "5", "Escape"):
        desk.press(key, 0.0)
    assert (desk.tick, desk.left) == (TICKS, False)


def test_time_moves_a_film_at_its_speed(record: Replay) -> None:
    desk = desk_of(record)
    desk.press(" ", 0.0)
    desk.advance(0.105)
    assert desk.tick == 10
    desk.press("ArrowUp", 0.105)
    desk.advance(0.205)
    assert desk.tick == 30
    for _ in range(20):
        desk.press("ArrowDown", 0.205)
    assert desk.playback.words == "0.25x"
    for _ in range(20):
        desk.press("ArrowUp", 0.205)
    assert desk.playback.words == "64x"
    desk.press("k", 1.0)
    desk.advance(100.0)
    assert desk.tick == 30, "a film that stands still stays where it is"
    desk.press("k", 100.0)
    desk.advance(200.0)
    assert (desk.tick, desk.playback.playing) == (TICKS, False)
    desk.press(" ", 200.0)
    assert (desk.tick, desk.playback.playing) == (0, True), "from the end a film begins again"


def test_a_digit_shows_what_a_seat_saw(record: Replay) -> None:
    desk = desk_of(record)
    desk.press("1", 0.0)
    assert desk.sees_view
    seen = "\n".join(drawn(desk))
    assert "░░" in seen
    assert "seat 1's view" in seen
    desk.press("1", 0.0)
    assert "░" not in "\n".join(drawn(desk))
    desk.press("7", 0.0)
    assert desk.message == "there is no seat 7"


# The screen


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40), (40, 12), (20, 6)])
def test_every_game_fits_every_screen(game: str, cols: int, rows: int) -> None:
    replay = play(game, [rival_of(game)] * 2, seed=4, **short_match(game)).replay
    desk = desk_of(replay)
    for key in ("End", "z", "0", "?"):
        desk.press(key, 0.0)
        drawn(desk, cols, rows)
        drawn(desk, cols, rows, "standard")


def test_a_board_that_fits_has_two_columns_for_a_cell(record: Replay) -> None:
    lines = drawn(desk_of(record), 120, 40)
    board = [line[:60].rstrip() for line in lines[:25]]
    assert board == [line.rstrip() for line in text_board(record)]
    assert "Hive Arena" in lines[0]
    assert lines[-1].startswith("tick 0 of 250")


def text_board(record: Replay) -> list[str]:
    frame = next(iter(frames(film_of(record))))
    palette = film_of(record).palette
    return ["".join(f"{palette[tile].glyph:2}" for tile in row) for row in frame.picture.stamped().tolist()]


def test_a_board_that_does_not_fit_is_seen_through_a_window(record: Replay) -> None:
    desk = desk_of(record)
    lines, whole = drawn(desk), text_board(record)
    first = desk.painter.window.row
    assert [line[:60].rstrip() for line in lines[:22]] == [line.rstrip() for line in whole[first : first + 22]]
    assert f"rows {first} to {first + 21} of 25" in " ".join(line[60:].strip() for line in lines)


def test_the_whole_board_is_shown_smaller_on_demand(record: Replay) -> None:
    desk = desk_of(record)
    desk.press("z", 0.0)
    coloured, plain = drawn(desk, colours="standard"), drawn(desk)
    assert "▀" in coloured[0] + coloured[1] + coloured[2]
    assert len([line for line in coloured if line[30:31] == "│"]) == 13
    assert "▀" not in "".join(plain), "without colours, half a character says nothing"
    assert "A" in "".join(line[:30] for line in plain[:22])


def test_a_list_of_keys_is_shown(record: Replay) -> None:
    desk = desk_of(record)
    desk.press("?", 0.0)
    assert "next lost turn" in "\n".join(drawn(desk))
    desk.press("q", 0.0)
    assert not desk.left
    assert "next lost turn" not in "\n".join(drawn(desk))


# Real terminals


def test_keys_of_a_real_terminal(folder: Path) -> None:
    with terminal("show", "game.replay", folder=folder) as screen:
        screen.see("tick 0 of 250", "Hive Arena")
        assert (screen.screen.alternate, screen.screen.hidden) == (True, True)
        screen.press("ArrowRight", "ArrowRight", "Shift+ArrowRight")
        screen.see("tick 12 of 250")
        screen.press("f")
        screen.see("tick 120 of 250", "LATE")
        screen.press("0")
        screen.see("seat 0's view")
        screen.press("0", "Home", "ArrowDown", " ")
        screen.see("▶")
        screen.press("End")
        screen.see("tick 250 of 250", "forager wins")
        assert not screen.screen.overflow
        assert "94" in " ".join(screen.screen.styled), "seats have colours"
        screen.press("q")
        assert screen.ended() == 0


def test_names_of_strangers_do_not_steer_the_terminal(record: Replay, tmp_path: Path) -> None:
    """The screen of these tests fails at every escape that is none of ours."""
    hostile = replace(record, names=("\x1b]0;title\x07\x1b[2J[red]", "\u202eraider\n\x9b2J"))
    hostile.write(tmp_path / "game.replay")
    with terminal("show", "game.replay", folder=tmp_path, cols=120) as screen:
        screen.see("tick 0 of 250", "0 ·]0;title··[2J[red]", "1 ·raider··2J")
        screen.press("q")
        assert screen.ended() == 0
        assert "\u202e" not in screen.raw.decode()


@pytest.mark.long
def test_a_film_that_plays_at_once_ends_by_itself(folder: Path) -> None:
    with terminal("show", "game.replay", "--play", "--pace", "1000", folder=folder, rows=60) as screen:
        assert screen.ended() == 0
        assert "tick 250 of 250" in screen.text


@pytest.mark.long
def test_another_size_is_another_drawing(folder: Path) -> None:
    with terminal("show", "game.replay", folder=folder) as screen:
        screen.see("rows", "tick 0 of 250")
        screen.resize(120, 40)
        screen.wait(lambda: screen.screen.lines[-1].startswith("tick 0 of 250"))
        assert "bee to act, with a flower" in screen.text
        assert "rows" not in screen.text
        screen.press("Escape")
        assert screen.ended() == 0


@pytest.mark.parametrize(
    "way", ["Ctrl-C", *(pytest.param(way, marks=pytest.mark.long) for way in ("SIGTERM", "SIGHUP"))]
)
def test_a_terminal_is_given_back_on_every_way_out(way: str, folder: Path) -> None:
    with terminal("show", "game.replay", folder=folder) as screen:
        screen.see("tick 0 of 250")
        if way == "Ctrl-C":
            screen.press("\x03")
        else:
            screen.process.send_signal(signal.Signals[way])
        status = screen.ended()
    assert status == {"SIGTERM": 143, "SIGHUP": 129}.get(way, status)
    assert status != 0


@pytest.mark.long
def test_a_terminal_is_given_back_after_a_failure(folder: Path) -> None:
    """The drawing itself fails here: any exception may leave the screen, none with it in disorder."""
    broken = "import botyard.cli.screen as s\ndef fail(*_): raise ZeroDivisionError\ns.sheet = fail\n"
    with terminal("show", "game.replay", folder=folder, before=broken) as screen:
        assert screen.ended() == 1
        assert "ZeroDivisionError" in screen.text


def test_stopped_by_the_shell_it_gives_the_terminal_back_and_takes_it_again(folder: Path) -> None:
    with terminal("show", "game.replay", folder=folder) as screen:
        screen.see("tick 0 of 250")
        screen.press("\x1a")
        screen.wait(lambda: not screen.screen.alternate)
        screen.process.send_signal(signal.SIGCONT)
        screen.see("tick 0 of 250")
        screen.press("ArrowRight")
        screen.see("tick 1 of 250")
        screen.press("q")
        assert screen.ended() == 0


@pytest.mark.parametrize(
    ("env", "shown"),
    [({"NO_COLOR": "1"}, False), ({"PYTHONIOENCODING": "ascii"}, True)],
    ids=["without colours", "without Unicode"],
)
@pytest.mark.long
def test_terminals_that_show_less(env: dict[str, str], shown: bool, folder: Path) -> None:
    with terminal("show", "game.replay", folder=folder, env=env) as screen:
        screen.see("tick 0 of 250")
        screen.press("q")
        assert screen.ended() == 0
        coloured = any("94" in style.split(";") for style in screen.screen.styled)
        assert coloured is shown
        assert screen.raw.isascii() is shown


@pytest.mark.parametrize("words", [("game.replay",), ("game.replay", "--tick", "3")])
@pytest.mark.long
def test_a_dumb_terminal_gets_plain_text(words: tuple[str, ...], folder: Path) -> None:
    with terminal("show", *words, folder=folder, env={"TERM": "dumb"}, rows=60) as screen:
        assert screen.ended() == 0
        assert b"\x1b" not in screen.raw
        assert f"tick {words[-1] if len(words) > 1 else TICKS} of 250" in screen.text


def test_a_pipe_gets_plain_text(folder: Path) -> None:
    command = [sys.executable, "-c", COMMAND, "show", "game.replay"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=RUN_S)
    assert "tick 250 of 250" in done.stdout
    assert "\x1b" not in done.stdout
