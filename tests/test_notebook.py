"""Games and replays show themselves in notebooks."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

import botyard
from botyard.games import GAMES
from tests.links.matches import rival_of, short_match
from tests.waiting import RUN_S


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_a_picture_of_its_board(game: str) -> None:
    position = botyard.new(game, seed=4)
    first, second = position._repr_html_(), position._repr_html_()
    assert first is not None
    assert second is not None
    assert ElementTree.fromstring(first).tag.endswith("svg")
    names = [set(re.findall(r'id="([^"]+)"', drawing)) for drawing in (first, second)]
    assert names[0]
    assert names[0].isdisjoint(names[1]), "two pictures on one page may not share names"


def test_what_was_played_is_a_viewer_that_reaches_nothing_around_it() -> None:
    played = botyard.play("hive", [rival_of("hive")] * 2, seed=4, **short_match("hive", max_turns=9))
    for shown in (played._repr_html_(), played.replay._repr_html_()):
        assert shown is not None
        frame = ElementTree.fromstring(shown)
        assert (frame.tag, frame.get("sandbox")) == ("iframe", "allow-scripts")
        page = frame.get("srcdoc")
        assert page is not None
        assert page == html.unescape(html.escape(page))
        assert page.startswith("<!doctype html>")
        assert all(f'id="by-film{which}"' in page for which in ("", "-0", "-1"))


def test_names_of_bots_do_not_leave_the_frame() -> None:
    played = botyard.play("hive", [rival_of("hive")] * 2, seed=4, **short_match("hive", max_turns=9))
    played.replay.names = ('"><script>alert(1)</script>', "</iframe>")
    shown = played.replay._repr_html_()
    assert shown is not None
    assert ElementTree.fromstring(shown).tag == "iframe"
    assert "<script" not in shown
    assert shown.count("</iframe>") == 1


def test_importing_the_package_loads_nothing_that_draws() -> None:
    code = "import botyard, sys; print(any(name.startswith(('numpy', 'numba', 'rich')) for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=RUN_S)
    assert done.stdout.strip() == "False"
