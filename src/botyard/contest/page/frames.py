"""Games as pictures in text: what a page needs to step through a replay, packed small."""

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

MOST_FRAMES = 240  # of one game; of longer ones every second, third, … tick is shown


def packed(replay: Replay) -> str:
    """The frames of a replay: gzip in base64, which every browser unpacks by itself."""
    text = json.dumps(frames(replay), separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def frames(replay: Replay) -> dict[str, Any]:
    """Styles by number, and per frame its tick, headline, a line per seat, glyphs and styles cell by cell."""
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
        runs: list[list[Any]] = []  # glyphs of one style are one run
        for mark in row:
            style = styles.setdefault(mark.style, len(styles))
            if runs and runs[-1][0] == style:
                runs[-1][1] += mark.glyph
            else:
                runs.append([style, mark.glyph])
        rows.append(runs)
    return [tick, scene.headline, list(scene.seats), rows]
