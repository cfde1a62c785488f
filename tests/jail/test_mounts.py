"""Which folders a cage may show."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from botyard.jail import mounts
from botyard.jail.mounts import check_narrow
from botyard.kernel.errors import YardError


def test_nobodys_home_is_shown_and_nothing_that_holds_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = tmp_path / "people" / "ann"
    (ann / "bots" / "asp").mkdir(parents=True)
    monkeypatch.setattr(mounts, "homes", lambda: (ann,))
    (tmp_path / "link").symlink_to(ann)
    for folder in (ann, ann.parent, tmp_path / "link", Path("/etc/ssl"), Path("/run/user"), Path("/opt")):
        with pytest.raises(YardError, match="would show the bot all of"):
            check_narrow(folder)
    check_narrow(ann / "bots" / "asp")


def test_everybody_on_this_machine_has_a_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ann").mkdir()
    people = [SimpleNamespace(pw_dir=place) for place in (f"{tmp_path}/ann", "/", "/usr/games", "/nowhere", "")]
    monkeypatch.setattr("pwd.getpwall", lambda: people)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert mounts.homes.__wrapped__() == (tmp_path, tmp_path / "ann")
