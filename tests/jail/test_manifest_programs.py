"""What a botyard.toml may name as a program, and what it is refused for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from botyard.jail.manifest import PART_MAX, PATH_MAX, manifest_of
from botyard.kernel.errors import YardError
from tests.jail.drawing import drawn

WORD, QUOTE = '"a",', "'"


@pytest.mark.parametrize(
    ("run", "program"),
    [
        ("python3 main.py", "python3"),
        ("g++-12 x", "g++-12"),
        ("./agent --fast", "./agent"),
        ("bin/../agent", "./agent"),
        ("bin/agent", "./bin/agent"),
        (".//bin/./agent", "./bin/agent"),
        ("'./my agent'", "./my agent"),
        ("./..agent", "./..agent"),
    ],
)
def test_a_program_is_a_bare_name_or_a_file_inside_the_bot(tmp_path: Path, run: str, program: str) -> None:
    manifest = manifest_of(drawn(tmp_path, f'--- botyard.toml\nrun = "{run}"\nbuild = "{run}"'))
    assert (manifest.run[0], manifest.build[0][0]) == (program, program)


@pytest.mark.parametrize(
    "word",
    [
        "/bin/sh", "//bin/bash", "/proc/1/root/bin/sh", "/tmp/../home/org/run.sh", "../run.sh", "x/../../rival/agent",
        "x/../../../ben", "./../agent", "a/..", ".", "..", "./", "a/", "/", "", "~", "~/run.sh", "~root/run.sh", "-c",
        ".hidden", "PATH=evil", "a b", "a;b", "é", "x" * 300, "./" + "x" * 256, "./" + "x/" * 2050 + "y",
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", ["run", "build"])
def test_a_program_elsewhere_is_refused_with_what_is_allowed(tmp_path: Path, key: str, word: str) -> None:
    value = f'["{word}", "x"]'
    manifest = f"run = {value}" if key == "run" else f'run = "./agent"\nbuild = [["make"], {value}]'
    with pytest.raises(YardError, match="name a program of a toolchain without its path") as refused:
        manifest_of(drawn(tmp_path, f"--- botyard.toml\n{manifest}"))
    assert "a file inside the bot" in refused.value.hint


def test_a_program_may_have_the_longest_name_that_a_file_system_has(tmp_path: Path) -> None:
    deepest = "./" + "d/" * (PATH_MAX // 2 - 2) + "xy"
    assert len(deepest) == PATH_MAX
    for word in ("./" + "x" * PART_MAX, deepest):
        manifest = manifest_of(drawn(tmp_path, f'--- botyard.toml\nrun = "{word}"'))
        assert manifest.run == (word,)


@pytest.mark.parametrize(
    ("manifest", "complaint"),
    [
        (f"run = [{WORD * 1001}]", "1001 words"),
        (f'run = ["./agent", "{QUOTE * 5000}"]', "at most 1000 words and 16 KB"),
        (f"run = [{WORD * 40_000}]", "is larger than 16 KiB"),
        ("a." * 8000 + "a = 1", "key of more than 16 parts"),
        ("name = " + "[" * 8000, "brackets nested more than 32 levels deep"),
        ("name = " + "9" * 5000, "thousands of digits"),
        ("name = 0x" + "f" * 5000, "more than 64 bits"),
        ('run = "./agent \\u0000"', "zero byte"),
        ("name = [[[[1]]]]", "must be a string in quotes"),
        ("build = [[[[1]]]]", "must be a command line"),
        ("run = 1979-05-27", "must be a command line"),
    ],
    ids=lambda value: value[:30],
)
def test_a_manifest_that_means_harm_is_refused(tmp_path: Path, manifest: str, complaint: str) -> None:
    with pytest.raises(YardError, match=re.escape(complaint)):
        manifest_of(drawn(tmp_path, f"--- botyard.toml\n{manifest}\n--- main.py"))


def test_a_manifest_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "botyard.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(YardError, match="is not UTF-8 text"):
        manifest_of(tmp_path)
