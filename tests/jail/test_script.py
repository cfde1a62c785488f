"""Which command lines run a Python file."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.jail.launch import Launch
from botyard.jail.limits import Level
from botyard.jail.script import Script, script_of


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("python3 bot.py", Script("python3", (), "bot.py")),
        ("python bot.py", Script("python", (), "bot.py")),
        ("/usr/bin/python3.11 sub/bot.py", Script("/usr/bin/python3.11", (), "sub/bot.py")),
        ("python3 -O -uB bot.py", Script("python3", ("-O", "-uB"), "bot.py")),
        ("python3 -W error -Xdev bot.py", Script("python3", ("-W", "error", "-Xdev"), "bot.py")),
        ("./warm", Script("python3", (), "./warm")),
        ("./direct", Script("/usr/bin/python3", (), "./direct")),
        ("python3 -m bot", None),
        ("python3 -c pass", None),
        ("python3 -i bot.py", None),
        ("python3 -", None),
        ("python3", None),
        ("python3 bot.py easy", None),
        ("python3 nowhere.py", None),
        ("python2 bot.py", None),
        ("pypy3 bot.py", None),
        ("./warm easy", None),
        ("./odd", None),
        ("./shell", None),
        ("./locked", None),
        ("./nowhere", None),
        ("warm", None),
        ("node bot.py", None),
    ],
)
def test_a_plain_run_of_a_python_file_is_told_from_everything_else(
    tmp_path: Path, command: str, script: Script | None
) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("bot.py", "sub/bot.py"):
        (tmp_path / name).write_text("print('NO')\n")
    (tmp_path / "warm").write_text("#!/usr/bin/env python3\nprint('NO')\n")
    (tmp_path / "direct").write_text("#! /usr/bin/python3\nprint('NO')\n")
    (tmp_path / "odd").write_text("#!/usr/bin/python3 -i\nprint('NO')\n")
    (tmp_path / "shell").write_text("#!/bin/sh\necho NO\n")
    for name in ("warm", "direct", "odd", "shell"):
        (tmp_path / name).chmod(0o755)
    (tmp_path / "locked").write_text("#!/usr/bin/env python3\nprint('NO')\n")
    assert script_of(Launch(tuple(command.split()), tmp_path, Level.OPEN)) == script


def test_files_are_looked_for_where_the_cage_has_them_from(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("print('NO')\n")
    launch = Launch(("python3", "bot.py"), Path("/bot"), Level.CAGED, shows={Path("/bot"): tmp_path})
    assert script_of(launch) == Script("python3", (), "bot.py")
    absolute = Launch(("python3", "/bot/bot.py"), Path("/bot"), Level.CAGED, shows={Path("/bot"): tmp_path})
    assert script_of(absolute) == Script("python3", (), "/bot/bot.py")
