"""Which command lines run a Python file."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.jail.first_line import first_line_of
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


FIRST_LINES = {
    b"#!/bin/sh\n": ("/bin/sh", "sh", True),
    b"#! /usr/bin/env\tpython3 \necho": ("python3", "python3", True),
    b"#!/usr/bin/env -S python3 -O\n": ("python3", "python3", False),
    b"#!/bin/bash -e\n": ("/bin/bash", "bash", False),
    b"#!/bin/bash\r\n": ("/bin/bash\r", "bash", True),
    b"#!/usr/bin/env": ("/usr/bin/env", "env", False),
    b"#!/opt/\xffpython\n": ("/opt/\udcffpython", "\udcffpython", True),
    b"#!/" + b"x" * 300 + b"\n": (f"/{'x' * 253}", "x" * 253, False),
}


@pytest.mark.parametrize("beginning", FIRST_LINES, ids=repr)
def test_a_first_line_names_the_program_that_runs_the_script(beginning: bytes) -> None:
    line = first_line_of(beginning)
    assert line is not None
    assert (line.program, line.name, line.alone) == FIRST_LINES[beginning]


@pytest.mark.parametrize("beginning", [b"", b"#!", b"#!  \n", b"echo\n", b"\n#!/bin/sh\n", b"\x7fELF"])
def test_a_file_that_names_no_program_is_no_script(beginning: bytes) -> None:
    assert first_line_of(beginning) is None
