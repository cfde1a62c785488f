"""This module packs the drawn boards of a replay, so that a page can step through the game."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from typing import Any

from botyard.games.game import Game
from botyard.kernel.plain import clean
from botyard.kernel.scene import Scene
from botyard.match.replay import Replay

MOST_FRAMES = 240  # of one game; a longer one shows every second, third, … tick


def packed(replay: Replay) -> str:
    """Returns the frames of a replay as gzip in base64, which browsers can unpack."""
    text = json.dumps(frames(replay), separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def frames(replay: Replay) -> dict[str, Any]:
    """Returns the styles by number, and for each frame its tick, headline, seat lines and cells with their styles."""
    styles: dict[str, int] = {}
    last = len(replay.ticks)
    step = max(1, -(-last // MOST_FRAMES))
    shown = []
    legend: dict[str, tuple[str, str]] = {}
    for tick, game in moments(replay):
        if tick % step and tick != last:
            continue
        scene = game.book.scene.scene(game.arena, game.state)
        shown.append(frame(tick, scene, styles))
        for mark, meaning in scene.legend:
            legend.setdefault(meaning, (mark.glyph.strip(), mark.style))
    return {
        "names": [clean(name) for name in replay.names],
        "ticks": last,
        "styles": list(styles),
        "legend": [[glyph, style, meaning] for meaning, (glyph, style) in legend.items()],
        "frames": shown,
    }


def moments(replay: Replay) -> Iterator[tuple[int, Game]]:
    for tick, (game, _) in enumerate(replay.play()):
        yield tick, game


def frame(tick: int, scene: Scene, styles: dict[str, int]) -> list[Any]:
    rows = []
    for row in scene.rows:
        runs: list[list[Any]] = []  # neighbouring glyphs of one style are joined
        for mark in row:
            style = styles.setdefault(mark.style, len(styles))
            if runs and runs[-1][0] == style:
                runs[-1][1] += mark.glyph
            else:
                runs.append([style, mark.glyph])
        rows.append(runs)
    return [tick, scene.headline, list(scene.seats), rows]
