"""`botyard yard`: what its commands print, and how they end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from botyard.yard.config import YardConfig
from botyard.yard.data.times import DAY
from botyard.yard.keeping import locks
from botyard.yard.opening import make_folder, open_for_serving
from botyard.yard.site import Yard
from tests.cli.test_commands import Run, run
from tests.yard.planting import add_entry, add_ladder, add_match, add_person, large

__all__ = ["run"]


@pytest.fixture
def yard(tmp_path: Path) -> Iterator[Yard]:
    """A yard in the folder `yard`, with one old match; nobody serves it."""
    config = YardConfig(tmp_path / "yard")
    make_folder(config.folder)
    with open_for_serving(config) as (yard, _), yard.database.writing() as connection:
        ladder, ada = add_ladder(connection), add_person(connection, "Ada", "admin")
        left = add_entry(connection, yard, ladder, ada, "left", "retired")
        add_match(connection, yard, ladder, [left], 5, replay=large("replay"), turns=b"turns")
    yield Yard(config, yard.database)
    yard.close()


def test_a_yard_is_backed_up_and_restored_and_pruned(run: Run, yard: Yard) -> None:
    told = run("yard", "backup", "--to", "kept.tar", "--json").json
    assert (told["file"], told["blobs"], told["damaged"]) == ("kept.tar", 1, [])
    assert "restored" in run("yard", "restore", "kept.tar", "other").out
    assert run("yard", "restore", "kept.tar", "other").status == 2
    pruned = run("yard", "prune", "other", "--keep", "90d", "--free", "1KB", "--json").json
    assert pruned["blobs"] == {
        "turn logs": 1, "films": 0, "replays of rounds in rooms": 0, "replays of unrated matches": 0,
        "replays of rated matches": 1,
    }  # fmt: skip
    assert "nothing was old enough" in run("yard", "prune", "other").out
    said = run("yard", "migrate", "other")
    assert (said.status, "nothing was to be done" in said.out) == (0, True)


def test_verify_lists_what_it_finds_and_ends_with_1(run: Run, yard: Yard) -> None:
    found = run("yard", "verify", "--json")
    assert found.status == 1, "the match was made up"
    assert {"matches", "people", "blobs"} <= found.json["checked"].keys() | {"matches"}
    assert {row["check"] for row in found.json["troubles"]} >= {"replays", "versions", "ratings"}
    assert "troubles" in run("yard", "verify").out
    next(iter(yard.blobs.files())).unlink()
    damaged = run("yard", "backup", "--to", "kept.tar")
    assert damaged.status == 1
    assert "1 blobs are missing or altered" in damaged.err


def check_admin_link(run: Run, yard: Yard) -> None:
    from botyard.yard.people.tickets import ticket_of

    link = run("yard", "admin-link", "--address", "http://bots.lan:8000/").out.strip()
    assert link.startswith("http://bots.lan:8000/ticket/")
    with yard.database.reading() as connection:
        ticket = ticket_of(connection, link.rpartition("/")[2], yard.clock())
        assert (ticket.purpose, ticket.ends_ms - ticket.made_ms) == ("admin", 7 * DAY)


def test_a_link_is_made_and_wrong_use_is_told_with_a_remedy(run: Run, yard: Yard) -> None:
    check_admin_link(run, yard)
    assert "there is no yard in" in run("yard", "verify", "elsewhere").err
    assert "write days or weeks" in run("yard", "prune", "--keep", "soon").err
    assert "write a size" in run("yard", "prune", "--free", "much").err
    assert "cannot be read as a backup" in run("yard", "restore", str(yard.config.folder / "yard.toml"), "other").err
    with locks.serving(yard.config):
        assert "is being served by process" in run("yard", "migrate").err
        assert "is being served by process" in run("serve", "--as-root").err
    with locks.keeping(yard.config):
        assert "another backup or prune" in run("yard", "backup").err
    with locks.alone(yard.config):
        assert "is being replaced" in run("yard", "verify").err
    with yard.database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    assert "a later Botyard" in run("yard", "verify").err
