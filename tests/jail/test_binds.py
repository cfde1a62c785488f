"""What a cage shows of the tools a bot needs."""

from __future__ import annotations

from pathlib import Path

from botyard.jail.binds import tool_places


def test_every_link_on_the_way_to_a_tool_is_followed(tmp_path: Path) -> None:
    real, shared, project = tmp_path / "real", tmp_path / "shared", tmp_path / "project"
    for folder in (real, shared):
        (folder / "bin").mkdir(parents=True)
    (real / "bin" / "python3.11").touch()
    (shared / "bin" / "python3").symlink_to(real / "bin" / "python3.11")
    (shared / "bin" / "python").symlink_to("python3")
    project.mkdir()
    (project / "venv").symlink_to(shared)
    assert tool_places(project / "venv" / "bin" / "python") == [project / "venv", shared, real]


def test_the_system_needs_no_showing() -> None:
    assert tool_places(Path("/usr/bin/env")) == []
