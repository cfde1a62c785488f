"""Locks on a yard as a whole: one server at a time, wherever it was started."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from botyard.kernel.errors import YardError
from botyard.yard.config import YardConfig
from botyard.yard.keeping import locks
from tests.yard.postgres import Postgres


def test_two_folders_with_one_database_have_one_server(postgres: Postgres, tmp_path: Path) -> None:
    for address in (postgres.new_database(), f"sqlite:///{tmp_path / 'db' / 'yard.db'}"):
        one, other = (YardConfig(tmp_path / name, database=address) for name in ("one", "other"))
        with locks.serving(one):
            with (
                pytest.raises(YardError, match=r"has a server already|is being served by process"),
                locks.serving(other),
            ):
                pass
            with locks.using(other), locks.using(one):
                pass  # commands may look at it meanwhile
        with locks.serving(other):
            pass  # whoever ends lets go


def test_a_database_is_replaced_only_while_nobody_uses_it(tmp_path: Path) -> None:
    config = YardConfig(tmp_path)
    with locks.using(config), pytest.raises(YardError, match="is in use"), locks.alone(config):
        pass
    replaced = f"is being replaced by process {os.getpid()}"
    with locks.alone(config), pytest.raises(YardError, match=replaced), locks.using(config):
        pass


def test_nobody_is_led_elsewhere_by_a_link_in_place_of_a_lock(tmp_path: Path) -> None:
    (tmp_path / locks.SERVING).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(YardError, match="cannot lock"), locks.serving(YardConfig(tmp_path)):
        pass
