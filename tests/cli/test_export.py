"""`botyard export` as pictures and films: real files, options that fit the game, and nothing half written."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageColor

from botyard.cli.export import PICTURES, export
from botyard.match.replay import Replay
from botyard.render.themes import theme_named
from tests.cli.test_commands import Run, run
from tests.render.footage import HOSTILE, game
from tests.waiting import PATIENCE_S, ending, wait_until

__all__ = ["run"]  # the fixture

TICKS = 60


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    path = tmp_path / "g.replay"
    game(TICKS).write(path)
    return path


def opened(path: str) -> Any:
    """A picture whose file is not left open."""
    return Image.open(io.BytesIO(Path(path).read_bytes()))


def test_a_png_shows_a_tick_at_the_size_and_in_the_theme_that_were_asked_for(run: Run, replay: Path) -> None:
    done = run("export", replay, "--to", "t.png", "--tick", "30", "--size", "600", "--theme", "dark")
    assert done.status == 0
    assert done.out.startswith("wrote t.png: a picture of a tick, ")
    picture, dark = opened("t.png").convert("RGB"), theme_named("dark")
    assert picture.width == 600
    assert picture.getpixel((0, 0)) == ImageColor.getrgb(dark.colours["page"])
    assert picture.getpixel((2, picture.height - 18)) == ImageColor.getrgb(dark.colours["ground"])  # the last meadow


def test_without_a_tick_the_end_is_shown(run: Run, replay: Path) -> None:
    for to, tick in (("end.png", ()), ("last.png", ("--tick", f"{TICKS}")), ("first.png", ("--tick", "0"))):
        assert run("export", replay, "--to", to, *tick).status == 0
    assert Path("end.png").read_bytes() == Path("last.png").read_bytes() != Path("first.png").read_bytes()


def test_a_gif_has_the_ticks_that_were_asked_for(run: Run, replay: Path) -> None:
    assert run("export", replay, "--to", "all.gif", "--size", "120").status == 0
    assert opened("all.gif").n_frames == TICKS + 1
    assert run("export", replay, "--to", "part.gif", "--from", "10", "--until", "20", "--size", "120").status == 0
    part = opened("part.gif")
    assert (part.n_frames, part.width, part.info["duration"]) == (11, 120, 100)
    assert run("export", replay, "--to", "fast.gif", "--speed", "200", "--size", "120").status == 0
    assert opened("fast.gif").n_frames == TICKS // 4 + 1


def test_a_page_holds_the_game_and_what_each_seat_saw(run: Run, replay: Path) -> None:
    assert run("export", replay, "--to", "g.html").status == 0
    page = Path("g.html").read_text()
    assert page.startswith("<!doctype html>")
    assert len(page) < 400_000
    for key in ("by-film", "by-film-0", "by-film-1"):
        assert f'id="{key}"' in page
    assert 'id="by-film-2"' not in page


def test_every_option_of_pictures_is_for_some_format() -> None:
    taken = {name for name in signature(export).parameters if name not in ("replay", "to", "assignments")}
    named = {name.replace("first", "from").replace("_", "-") for name in taken}
    assert named == {o for kind in PICTURES.values() for o in kind.options}


def test_a_seat_s_film_is_what_it_saw(run: Run, replay: Path) -> None:
    run("export", replay, "--to", "all.png", "--tick", "30")
    run("export", replay, "--to", "seat.png", "--tick", "30", "--seat", "1")
    unseen = ImageColor.getrgb(theme_named("light").colours["unknown"])

    def share(path: str) -> float:
        pixels = np.asarray(opened(path).convert("RGB"))
        return float((pixels == unseen).all(-1).mean())

    assert share("all.png") == 0
    assert share("seat.png") > 0.3


@pytest.mark.long
def test_an_svg_needs_no_pillow_and_other_pictures_name_it(replay: Path, tmp_path: Path) -> None:
    without = "import sys; sys.modules['PIL'] = None; from botyard.cli import main; main()"

    def export(to: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", without, "export", str(replay), "--to", str(tmp_path / to)]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)

    assert export("x.svg").returncode == 0
    assert (tmp_path / "x.svg").read_text().startswith("<svg ")
    for suffix in (".png", ".gif", ".mp4"):
        done = export(f"x{suffix}")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"a {suffix} file needs Pillow" in done.stderr
        assert "pip install 'botyard[film]'" in done.stderr
        assert not (tmp_path / f"x{suffix}").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--until", "61"), "no tick 61"),
        (("--tick", "6"), "--tick means nothing for a .gif file"),
        (("--from", "70"), "no tick 70"),
        (("--from", "30", "--until", "20"), "--from 30 is after --until 20"),
        (("--seat", "2"), "no seat 2"),
        (("--theme", "blue"), "unknown theme 'blue'"),
    ],
)
def test_options_that_do_not_fit_the_game_are_told(run: Run, replay: Path, options: tuple[str, ...], told: str) -> None:
    done = run("export", replay, "--to", "x.gif", *options)
    assert done.status == 2
    assert told in done.err
    assert "hint:" in done.err
    assert not Path("x.gif").exists()


def test_a_film_that_would_never_end_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch, replay: Path) -> None:
    monkeypatch.setattr("botyard.cli.export.MOST_FRAMES", 20)
    done = run("export", replay, "--to", "x.gif")
    assert done.status == 2
    assert "61 frames" in done.err
    assert "--from" in done.err


def test_a_picture_of_too_many_pixels_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch, replay: Path) -> None:
    monkeypatch.setattr("botyard.cli.export.MOST_PIXELS", 1000)
    done = run("export", replay, "--to", "x.png")
    assert (done.status, "choose a smaller --size" in done.err) == (2, True)


def test_the_original_s_svg_is_written_unless_a_picture_is_asked_for(run: Run) -> None:
    """One game's original left a picture of its window, too."""
    run("play", "snakepit", "house:careful", "house:careful", "--set", "snakes=2", "--seed", "1", "--quiet",
        "--replay", "p.replay")  # fmt: skip
    assert "the original controller's window" in run("export", "p.replay", "--to", "w.svg").out
    assert "<symbol" not in Path("w.svg").read_text()
    assert "a picture of a tick" in run("export", "p.replay", "--to", "w.svg", "--tick", "3").out
    assert "<symbol" in Path("w.svg").read_text()


@pytest.mark.parametrize("suffix", [".svg", ".png", ".gif"])
def test_hostile_names_do_no_harm(run: Run, tmp_path: Path, suffix: str) -> None:
    record = replace(game(TICKS), names=(HOSTILE, HOSTILE))
    record.write(tmp_path / "h.replay")
    done = run("export", "h.replay", "--to", f"x{suffix}", "--size", "120")
    assert (done.status, done.err) == (0, "")
    content = Path(f"x{suffix}").read_bytes()
    assert b"<script>" not in content
    assert b"\x1b[2J" not in content


def test_a_replay_without_a_tick_is_a_film_of_one_frame(run: Run, tmp_path: Path) -> None:
    record: Replay = replace(game(TICKS), ticks=[])
    record.write(tmp_path / "none.replay")
    assert run("export", "none.replay", "--to", "x.gif").status == 0
    assert opened("x.gif").n_frames == 1


def test_interrupted_it_leaves_the_file_as_it_was(replay: Path, tmp_path: Path) -> None:
    """The film is large enough to be under way when the interrupt comes: `ready` is written at the first frame."""
    program = (
        "import sys, pathlib\n"
        "from botyard.render import gif\n"
        "real = gif.changed_part\n"
        "def slow(*parts):\n"
        "    pathlib.Path('ready').touch()\n"
        "    import time; time.sleep(0.2)\n"
        "    return real(*parts)\n"
        "gif.changed_part = slow\n"
        "from botyard.cli import main; main()\n"
    )
    target = tmp_path / "x.gif"
    target.write_bytes(b"as it was")
    command = [sys.executable, "-c", program, "export", str(replay), "--to", str(target)]
    started = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with ending(started) as process:
        wait_until((tmp_path / "ready").exists)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode not in (0, None)
    assert b"Traceback" not in errors
    assert target.read_bytes() == b"as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.replay", "ready", "x.gif"]


def test_a_page_tells_of_turns_only_if_it_is_asked_to(run: Run) -> None:
    assert run("play", "hive", "house:forager", "house:raider", "--seed", "7", "--replay", "g.replay").status == 0
    for to, options in (("plain.html", ()), ("turns.html", ("--with-turns",)), ("notes.html", ("--with-notes",))):
        assert run("export", "g.replay", "--to", to, *options).status == 0
    assert 'id="by-turns"' not in Path("plain.html").read_text()
    assert 'id="by-turns"' in Path("turns.html").read_text()
    assert 'id="by-turns"' in Path("notes.html").read_text()
    refused = run("export", "g.replay", "--to", "t.gif", "--with-turns")
    assert refused.status == 2
    assert "--with-turns means nothing for a .gif file\nhint:  it is for .html" in refused.err
