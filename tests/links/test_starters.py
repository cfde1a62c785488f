"""Every starter is built, and plays a clean game."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from botyard import cli
from botyard.games import load
from botyard.games.starters import Starter, write_starter
from botyard.jail.manifest import Manifest, manifest_of
from botyard.match.replay import Replay
from tests.conftest import lack, need
from tests.links.matches import rival_of
from tests.waiting import PATIENCE_S


def test_a_starter_is_built_and_plays_a_clean_game(
    starter: Starter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_starter(starter, tmp_path / "mine")
    manifest = manifest_of(tmp_path / "mine")
    need_all(manifest, tmp_path / "mine")
    book = load(starter.game)
    settings = [word for key, value in book.samples.short.items() for word in ("--set", f"{key}={value}")]
    words = ["play", starter.game, "dir:mine", rival_of(starter.game), "--json", *settings]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["botyard", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    captured = capsys.readouterr()
    assert not ended.value.code, captured.err
    played = json.loads(captured.out)
    assert played["missed"] == []
    assert played["outcome"] is not None
    assert played["outcome"]["winner"] != 1 or not book.samples.rival, "a starter loses to nobody as simple as that"
    assert idle_orders(tmp_path / played["replay"], played["entrants"].index(0)) == []


def need_all(manifest: Manifest, folder: Path) -> None:
    """The programs and packages a starter cannot do without."""
    for command in (*manifest.build, manifest.run):
        if "/" not in command[0]:
            need(command[0])
    sources = "".join(path.read_text() for path in folder.glob("*.lua"))
    if 'require("socket")' in sources:
        if subprocess.run(
            [need("lua"), "-e", "require 'socket'"], capture_output=True, check=False, timeout=PATIENCE_S
        ).returncode:
            lack("LuaSocket is not installed")


def idle_orders(path: Path, seat: int) -> list[str]:
    """The orders of a seat that could not do anything where they were given."""
    replay = Replay.read(path)
    names = load(replay.game).facts.orders
    return [
        names[orders[seat]]
        for game, orders in replay.play()
        if seat in orders and names[orders[seat]] not in game.orders(seat)
    ]
