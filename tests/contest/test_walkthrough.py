"""docs/contests.md walks an organiser's afternoon, and everything it shows is so: each command, each edit, each line.

A block of `console` holds commands after `$ ` and what they print, where `…` stands for anything in a line, and alone
for any lines. A block of `toml` is a file, or edits of one that is there: its first line names the file.
"""

from __future__ import annotations

import difflib
import io
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from botyard import cli
from botyard.cli.console import out
from botyard.games.starters import all_starters
from tests.conftest import need
from tests.contest.school import UNCOMPILED, folder, source
from tests.waiting import RUN_S

PAGE = (Path(__file__).parents[2] / "docs" / "contests.md").read_text()
WALK = PAGE.partition("## The afternoon")[2].partition("\n## ")[0]
GAME = "hackman"
SEED = re.findall(r"^seed: ([0-9a-f]{64})$", WALK, re.M)[0]  # what is drawn on the page is drawn here
ANYTHING = "…"
KILLED = "Killed"  # what a shell says of a command that was killed
QUESTION = "[y/N]: "
ONE_BY_ONE = ("[run]", 'executor = "inline"')  # no result depends on it, but which games a power cut leaves does
POWER_CUT = """
import contextlib, os, signal, sys
import botyard.cli.bar, botyard.contest.opening
from botyard.cli import main

@contextlib.contextmanager
def power_cut(title, quiet):
    yield lambda news: news.done >= 9 and os.kill(os.getpid(), signal.SIGKILL)

root = bytes.fromhex(sys.argv.pop(1))
botyard.contest.opening.fresh_root = lambda: root
botyard.cli.bar.bar = power_cut
main()
"""


@dataclass(frozen=True)
class Typed:
    """A command on the page, and what the page shows below it."""

    command: str
    shown: tuple[str, ...]

    @property
    def killed(self) -> bool:
        return self.shown[-1:] == (KILLED,)

    @property
    def answer(self) -> str:
        """What the reader answers to a question."""
        return next((line.partition(QUESTION)[2] for line in self.shown if QUESTION in line), "")


@dataclass(frozen=True)
class Edited:
    """A file that the reader writes, or lines of it that the reader changes."""

    file: str
    lines: tuple[str, ...]


def steps(walk: str) -> Iterator[Typed | Edited]:
    """Yields everything the reader does, in the order of the page."""
    for kind, block in re.findall(r"^```(console|toml)\n(.*?)^```$", walk, re.M | re.S):
        if kind == "toml":
            first, *lines = block.splitlines()
            yield Edited(first.removeprefix("# "), tuple(lines))
            continue
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *shown = part.splitlines()
            yield Typed(command, tuple(shown))


def is_shown(shown: tuple[str, ...], printed: str) -> bool:
    pattern = ""
    for line in shown:
        words = ".*?".join(re.escape(part) for part in line.split(ANYTHING))
        pattern += "(?:.*\n)*?" if line == ANYTHING else f"{words}\n"
    return re.fullmatch(pattern, printed) is not None


def edit(path: Path, lines: tuple[str, ...]) -> None:
    """Puts each line in the place of the one with the same key in the same table, or else at the table's end."""
    text = path.read_text().splitlines() if path.exists() else []
    table = ""
    for line in lines:
        if line.startswith("["):
            table = line
            if not any(row.startswith(table) for row in text):
                text += ["", table]
            continue
        begin = next((at for at, row in enumerate(text) if row.startswith(table)), 0) if table else 0
        end = next((at for at in range(begin + 1, len(text)) if text[at].startswith("[") or not text[at]), len(text))
        same = [at for at in range(begin, end) if key_of(text[at]) == key_of(line)]
        text[same[0] if same else end : same[0] + 1 if same else end] = [line]
    path.write_text("\n".join(text) + "\n")


def key_of(line: str) -> str:
    return line.removeprefix("# ").partition(" = ")[0]


# What was handed in


def starter(language: str) -> Path:
    return next(one.folder for one in all_starters() if (one.game, one.language) == (GAME, language))


def hand_in(home: Path) -> None:
    """Lays out the folders that the page begins with."""
    main = (starter("python") / "main.py").read_text()
    bold = main.replace('feared = [] if game.armed(game.me) else list(at["E"])', "feared = []")
    debugging = main.replace("print(decide(game), flush=True)", r'print("debug x=3\npass", flush=True)')
    assert main not in (bold, debugging)
    subs, late, mended = (home / name for name in ("subs", "late", "mended"))
    for place in (subs, late, mended):
        place.mkdir()
    shutil.copytree(starter("python"), subs / "Anna")
    with zipfile.ZipFile(subs / "anna.zip", "w") as archive:
        archive.write(starter("lua") / "main.lua", "anna/main.lua")
    folder(subs, "Käfer (9b)", "main.py")
    (subs / "Käfer (9b)" / "main.py").write_text(bold)
    folder(subs, "Nina", "main.c")
    (subs / "Nina" / "main.c").write_text(UNCOMPILED)
    (subs / "Otto.py").write_text(debugging)
    (subs / "Quirin.zip").write_bytes(b"PK\x03\x04 half of an upload")
    (subs / "Rosa.py").write_text(source("main.py", "left"))
    (subs / "list.csv").write_text("name;class\nAnna;9a\n")
    shutil.copytree(starter("python"), late / "Zoë")
    (late / "Zoë" / "main.py").write_text(bold)
    (mended / "Otto.py").write_text(main)


# The reader


@dataclass(frozen=True)
class Reader:
    """Does in a folder what the page says; at 80 columns, without a terminal but with somebody who answers."""

    home: Path
    patch: pytest.MonkeyPatch

    def type(self, typed: Typed) -> str:
        """Returns what a command prints."""
        words = shlex.split(typed.command)
        if words[0] != "botyard":
            return self.shell(typed.command)
        words = [one for word in words[1:] for one in (self.matched(word) if "*" in word else [word])]
        return self.until_the_power_cut(words) if typed.killed else self.botyard(words, typed.answer)

    def matched(self, pattern: str) -> list[str]:
        return sorted(str(path.relative_to(self.home)) for path in self.home.glob(pattern))

    def shell(self, command: str) -> str:
        given = {**os.environ, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.home, env=given, capture_output=True, text=True, check=True, timeout=RUN_S
        )
        return done.stdout

    def botyard(self, words: list[str], answer: str) -> str:
        screen, keys = io.StringIO(), io.StringIO(f"{answer}\n")
        with self.patch.context() as given:
            given.setattr(keys, "isatty", lambda: bool(answer), raising=False)
            given.setattr(sys, "stdin", keys)
            given.setattr(sys, "stdout", screen)
            given.setattr(sys, "stderr", screen)
            given.setattr(sys, "argv", ["botyard", *words])
            with pytest.raises(SystemExit):
                cli.main()
        return screen.getvalue().replace(QUESTION, f"{QUESTION}{answer}\n")

    def until_the_power_cut(self, words: list[str]) -> str:
        command = [sys.executable, "-c", POWER_CUT, SEED, *words]
        cut = subprocess.run(
            command, cwd=self.home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            timeout=RUN_S, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert cut.returncode == -signal.SIGKILL, cut.stdout
        return f"{cut.stdout}{KILLED}\n"


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("botyard.contest.opening.fresh_root", lambda: bytes.fromhex(SEED))
    monkeypatch.setattr("botyard.contest.lookout.REST_S", 0.0)  # nobody writes to the files
    assert out.width == 80
    return Reader(tmp_path, monkeypatch)


def test_the_afternoon_goes_as_the_page_says(reader: Reader) -> None:
    for tool in ("gcc", "lua"):
        need(tool)
    hand_in(reader.home)
    for step in steps(WALK):
        if isinstance(step, Edited):
            edit(reader.home / step.file, step.lines)
            edit(reader.home / step.file, ONE_BY_ONE)
            continue
        printed = reader.type(step)
        if not is_shown(step.shown, printed):
            differences = "\n".join(difflib.ndiff(step.shown, printed.splitlines()))
            pytest.fail(f"$ {step.command}\nthe page (-) and what is printed (+) differ:\n{differences}")


def test_a_word_that_differs_from_the_page_is_noticed() -> None:
    shown = ("9 games stay", "…", "about … s")
    assert is_shown(shown, "9 games stay\nand\nmore\nabout 12 s\n")
    assert is_shown(shown, "9 games stay\nabout 12 s\n")
    for printed in ("8 games stay\nabout 12 s\n", "9 games stay\nabout 12 s\nmore\n", "9 games stay\n", "9 games stay"):
        assert not is_shown(shown, printed)
