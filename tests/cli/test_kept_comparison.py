"""`botyard compare --store`: where a comparison is kept, and what is refused there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import test_commands
from tests.cli.test_commands import Run
from tests.contest.yard import QUICK, write

run = test_commands.run  # the fixture

SHORT = ("--set", "max_turns=20", "--pairs", "2", "--executor", "inline", "--quiet")
COMPARE = ("compare", "hive", "house:forager", "house:raider", *SHORT)


def test_a_dot_in_the_name_of_a_store_is_part_of_it(run: Run, tmp_path: Path) -> None:
    for name in ("v1.5", "v1.6", "v1.5.store"):
        assert run(*COMPARE, "--store", name).status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["v1.5.store", "v1.6.store"]


def test_a_store_of_something_else_is_refused_and_what_differs_is_told(run: Run, tmp_path: Path) -> None:
    run(*COMPARE, "--store", "kept")
    before = (tmp_path / "kept.store").read_bytes()
    other = run(*COMPARE, "--set", "max_turns=21", "--store", "kept")
    assert (other.status, "settings.max_turns: 20 → 21" in other.err) == (2, True)
    turned = run("compare", "hive", "house:raider", "house:forager", *SHORT, "--store", "kept")
    assert (turned.status, "the bots stand in another order" in turned.err) == (2, True)
    assert (tmp_path / "kept.store").read_bytes() == before


@pytest.mark.parametrize("name", ["/", "", ".", ".store", "nowhere/x", "league", "league.store", "junk"])
def test_what_cannot_be_a_store_of_its_own_is_refused_before_anything_is_played(
    run: Run, tmp_path: Path, name: str
) -> None:
    write(tmp_path, QUICK)
    (tmp_path / "junk.store").write_text("no database")
    done = run(*COMPARE, "--store", name)
    assert (done.status, done.out) == (2, "")
    assert "name" in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["junk.store", "league.toml"]
