"""The chase of the bugs: the search, its table, and where the table is kept."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.games.hackman.layout import layouts
from botyard.games.hackman.map import paths
from botyard.games.hackman.map.plan import LEFT, RIGHT, MapPlan, survey
from botyard.games.hackman.settings import HackmanSettings
from botyard.kernel import cache
from botyard.kernel.records import record_of
from botyard.kernel.rule import INTERPRETED, opened
from tests.games.hackman.table import CHASES


def small_plan() -> MapPlan:
    layout = ",".join("........xx.xx........xxx.xxxxxx.xxx")
    return survey(7, 5, layout, "0,0 6,0", "3,4")


def test_a_table_is_the_same_made_of_lists_or_records() -> None:
    plan = small_plan()
    table = paths.make_table(plan)  # of lists where rules are interpreted
    assert table.tolist() == paths.make_table(plan, by_lists=False).tolist()
    assert len(table) == paths.table_size(plan) == len(plan.decisions) * 35
    row = plan.decisions.index((3, 10)) * 35  # above the middle, having come up
    assert [divmod(int(table[row + goal]), 4) for goal in (0, 6, 17)] == [(3, LEFT), (3, RIGHT), (8, LEFT)]
    assert table[row + 10] == paths.NO_PATH
    assert table[row + 3] == paths.SAME_CELL


def test_the_straight_distance_sorts_like_the_square_root() -> None:
    sums = [(d, dy * dy + dx * dx) for d in range(6) for dy in range(12) for dx in range(12)]
    exact = [d * (1 << 32) + math.isqrt(n << 64) for d, n in sums]
    floats = [d + np.sqrt(float(n)) for d, n in sums]
    order = sorted(range(len(sums)), key=floats.__getitem__)
    assert order == sorted(range(len(sums)), key=exact.__getitem__)


def test_a_table_is_kept_on_disk_by_its_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = small_plan()
    assert paths.table_path(plan).parent == cache.usable_home() / "hackman"
    monkeypatch.setattr(paths, "table_path", lambda plan: tmp_path / "new" / "table")
    paths.table.cache_clear()
    made = paths.table(plan)
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["table"]
    paths.table.cache_clear()
    monkeypatch.setattr(paths, "make_table", lambda plan: pytest.fail("made again"))
    assert paths.table(plan).tolist() == made.tolist()
    paths.table.cache_clear()


@pytest.mark.parametrize("damage", [b"", b"short", None])
def test_a_damaged_table_is_made_again(damage: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, plan = tmp_path / "table", small_plan()
    monkeypatch.setattr(paths, "table_path", lambda plan: path)
    paths.table.cache_clear()
    made = paths.table(plan).tolist()
    raw = bytearray(path.read_bytes())
    raw[5] ^= 1
    path.write_bytes(raw if damage is None else damage)
    paths.table.cache_clear()
    assert paths.table(plan).tolist() == made
    assert paths.read_table(path, len(made)) is not None
    paths.table.cache_clear()


def test_a_table_that_cannot_be_kept_is_used_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.setattr(paths, "table_path", lambda plan: blocked / "table")
    paths.table.cache_clear()
    assert paths.table(small_plan()).any()
    paths.table.cache_clear()


def test_other_walls_or_other_spawn_points_are_another_table() -> None:
    plan = small_plan()
    items = MapPlan(7, 5, "C" + plan.content[1:], plan.starts, plan.spawns)
    walls = MapPlan(7, 5, "x" + plan.content[1:], plan.starts, plan.spawns)
    spawns = MapPlan(7, 5, plan.content, plan.starts, (24,))
    assert paths.table_path(items) == paths.table_path(plan)
    assert len({paths.table_path(one) for one in (plan, walls, spawns)}) == 3


WIDE = HackmanSettings(
    field_width=24, field_height=24, field_layout=",".join("." * 575 + "."), start_points="0,0 0,23",
    bug_spawn_points="23,23", map_snippet_count=0,
)  # fmt: skip


def test_on_a_map_too_large_for_a_table_the_rules_search() -> None:
    assert paths.table_size(WIDE.plan) == 0
    assert layouts(WIDE).state["space"]["came"].shape[0] >= 576
    game = Game(load("hackman"), WIDE, 1)
    state = game.state
    state.bug_count, state.bugs[0], state.headings[0], state.next_bug = 1, 12 * 24 + 5, 3, 1
    state.cells[:] = 9 * 24 + 2, 23 * 24 + 23 - 10 * 24
    before = bytes(state.space.tobytes())
    game.feed(CHASES)
    game.step_orders({})
    assert game.draws_fit
    assert not any(before)
    assert not any(state.space.tobytes())
    # Three up and three left of the bug, which goes right and cannot turn: the straight distance prefers up.
    assert state.bugs[0] == 11 * 24 + 5


def test_the_search_finds_what_the_table_holds() -> None:
    plan = HackmanSettings().plan
    pairs = plan.decisions[:: 90 if INTERPRETED else 9]
    grounds, spaces = np.zeros(1, paths.ground_layout(280)), np.zeros(1, paths.space_layout(280))
    paths.fill_ground(plan, record_of(grounds))
    answers = np.zeros(len(pairs) * 280, "<u2")
    numbers = np.array([number for pair in pairs for number in pair], np.int64)
    rooms = np.array(plan.rooms[::7], np.int64)
    paths.tabulate(opened(grounds), opened(spaces), numbers, rooms, answers)
    table = paths.table(plan).reshape(-1, 280)
    for row, pair in enumerate(pairs):
        theirs = table[plan.decisions.index(pair)][rooms]
        assert answers.reshape(-1, 280)[row][rooms].tolist() == theirs.tolist()
    assert not any(spaces.tobytes())
