"""Which file of a command line is the bot's own, what of its folder is shown, and with which permissions."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest

from botyard.jail import bot_cache
from botyard.jail.bot_cache import USED
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.jail.manifest import manifest_of
from botyard.jail.toolchains import Toolchain, added_toolchain, tool_at
from botyard.kernel.errors import YardError
from botyard.kernel.verdict import Verdict
from botyard.links import cage_policy as policies
from botyard.links.cage_policy import Bot, CagePolicy, CommandBot, FolderBot, FunctionBot, own_file
from tests.conftest import need
from tests.jail.output import output_of
from tests.waiting import finished


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    need("bwrap")
    if trouble := obstacle(Level.CAGED):
        pytest.skip(trouble)
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setattr(bot_cache, "usable_home", lambda: folder)
    return folder


def lay(folder: Path, *files: str, mode: int = 0o644) -> None:
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho {name}\n")
        path.chmod(mode)


def output(*words: str, policy: CagePolicy | None = None) -> str:
    """What a command prints in its cage."""

    bot = CommandBot(words, policy or CagePolicy())
    assert finished(bot.build()) is None
    return finished(output_of(bot.launch()))


@pytest.mark.parametrize(
    ("command", "own"),
    [
        ("python3 bots/huggy.py", "bots/huggy.py"),
        ("python3 -O bots/huggy.py bots/data.txt", "bots/huggy.py"),
        ("bots/agent --fast", "bots/agent"),
        ("bots/agent bots/data.txt", "bots/agent"),
        ("./run.sh bots/data.txt", "run.sh"),  # what lies below the program's folder is the program's
        ("tools/interpreter bots/huggy.py", "bots/huggy.py"),  # what runs the bot is not the bot
        ("/usr/bin/python3 bots/huggy.py", "bots/huggy.py"),
        ("java -jar bots/bot.jar", "bots/bot.jar"),
        ("java bots.Nop", ""),
        ("python3 -c pass", ""),
        ("sh -c 'cat bots/huggy.py'", ""),
        ("python3 bots", ""),  # a folder is no file
        (f"python3 -c {'x' * 5000}", ""),  # too long for a name
        ("python3 a\0b", ""),
    ],
)
def test_the_bots_own_file_is_the_first_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, own: str
) -> None:
    lay(tmp_path, "bots/huggy.py", "bots/data.txt", "bots/bot.jar")
    lay(tmp_path, "bots/agent", "run.sh", "tools/interpreter", mode=0o755)
    monkeypatch.chdir(tmp_path)
    words = command.replace("'", "").split(" ", 2) if command.startswith("sh") else command.split()
    assert own_file(words, tmp_path, CagePolicy()) == (tmp_path / own if own else None)


def test_a_program_that_runs_the_bot_is_shown_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, "tools/interpreter", mode=0o755)
    (tmp_path / "tools" / "interpreter").write_text("#!/bin/sh\nls tools bots; cat $1\n")
    lay(tmp_path, "tools/private-notes", "bots/huggy.py")
    monkeypatch.chdir(tmp_path)
    said = output("tools/interpreter", "bots/huggy.py")
    assert "huggy.py" in said
    assert "interpreter" in said
    assert "private-notes" not in said


def test_what_others_may_not_read_is_left_out_unless_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path, "bots/list.sh", "bots/open.txt", "bots/deep/open.txt")
    lay(tmp_path, "bots/closed/open.txt", "bots/closed/below/open.txt")
    lay(tmp_path, "bots/named.key", "bots/private.key", "bots/deep/private.key", mode=0o600)
    lay(tmp_path, "bots/group.key", mode=0o640)
    (tmp_path / "bots" / "closed").chmod(0o700)
    (tmp_path / "bots" / "list.sh").write_text("cd bots; find . -type f | sort; cat named.key; stat -c '%a %U' $1\n")
    monkeypatch.chdir(tmp_path)
    listed = output("sh", "bots/list.sh", "named.key", "bots/named.key").splitlines()
    assert listed[:4] == ["./deep/open.txt", "./list.sh", "./named.key", "./open.txt"]
    assert "echo bots/named.key" in listed
    assert listed[-1] == "600 bot"


def test_no_copy_may_be_read_by_more_people_than_what_it_is_a_copy_of(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path, "bots/show.sh", mode=0o600)
    lay(tmp_path, "bots/other.sh", mode=0o640)
    monkeypatch.chdir(tmp_path)
    assert "bots/show.sh" in output("sh", "bots/show.sh")
    files = [path for path in (home / "bots").rglob("*") if path.is_file()]
    copies = [path for path in files if not path.name.startswith(USED)]
    assert {path.name for path in copies} == {"show.sh"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in copies} == {0o600}
    if os.geteuid() == 0:
        assert len({path.stat().st_uid for path in copies}) == 2  # ours, and one that is its bot's alone
    assert {stat.S_IMODE(path.stat().st_mode) & 0o066 for path in (home / "bots").iterdir()} == {0}


def test_a_folder_of_a_person_is_not_shown_whatever_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Path.home()
    for name in (f"{person}/../{person.name}/bot.py", f"//{person}/bot.py"):
        monkeypatch.setattr(Path, "is_file", lambda path: True)
        with pytest.raises(YardError, match="would show the bot all of"):
            CommandBot(["python3", name], CagePolicy())


def test_scripts_may_call_python_and_localhost_by_these_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, "bot.sh")
    (tmp_path / "bot.sh").write_text("python -c 'import socket; print(socket.gethostbyname(\"localhost\"))'\n")
    monkeypatch.chdir(tmp_path)
    assert output("sh", "bot.sh") == "127.0.0.1\n"


def test_a_strangers_program_is_not_asked_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To ask is to run it, outside any cage."""
    for name in ("python3", "node", "java", "go", "rustc", "lua"):
        program = tmp_path / "bots" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\ntouch {tmp_path}/{name}-ran\necho me\n")
        program.chmod(0o755)
        monkeypatch.chdir(tmp_path)
        assert tool_at(program) is None
        assert output(f"bots/{name}").startswith("me\n")
    assert not list(tmp_path.glob("*-ran"))


def test_a_folder_whose_program_is_nowhere_is_told_when_it_is_built(tmp_path: Path) -> None:
    lay(tmp_path, "asp/asp.zig")
    (tmp_path / "asp" / "botyard.toml").write_text('run = "no-such-language asp.zig"\n')
    fault = finished(FolderBot(manifest_of(tmp_path / "asp"), CagePolicy()).build())
    assert fault is not None
    assert fault.verdict is Verdict.UNBUILT
    assert "there is no program 'no-such-language'" in fault.reason


def test_the_organiser_adds_a_toolchain_and_every_bot_sees_it_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path, "opt/zig/zig", mode=0o755)
    (tmp_path / "opt" / "zig" / "zig").write_text("#!/bin/sh\necho zig ran $1 from $0\n")
    lay(tmp_path, "opt/hush-hush", "bots/bot.zig")
    monkeypatch.chdir(tmp_path)
    policy = CagePolicy(added={"zig": tmp_path / "opt" / "zig"})
    assert output("zig", "bots/bot.zig", policy=policy) == "zig ran bots/bot.zig from /toolchains/zig/zig\n"
    assert "hush-hush" not in output("sh", "-c", f"ls -R /toolchains {tmp_path}", policy=policy)
    with pytest.raises(YardError, match="would show every bot all of"):
        CommandBot(["zig", "bots/bot.zig"], CagePolicy(added={"zig": Path("/")})).launch()


def test_its_environment_is_what_the_page_says(tmp_path: Path) -> None:
    tell = tmp_path / "tell.py"
    tell.write_text("import os\nprint(*os.environ)\n")
    bots: list[Bot] = [
        CommandBot(["python3", str(tell)], CagePolicy()),
        FunctionBot(tell, ["python3", str(tell)], CagePolicy()),
    ]
    seen = [set(finished(output_of(bot.launch())).split()) for bot in bots]
    page = (Path(__file__).parents[2] / "docs" / "cages.md").read_text()
    sentence = page.partition("Its environment has")[2].partition(". ")[0]
    named = set(re.findall(r"`([A-Z_]+)`", sentence)) - ({"LD_LIBRARY_PATH"} - seen[0])
    assert seen == [named - {"PYTHONPATH", "BOTYARD_COMPILER"}, named]


def test_what_is_added_is_looked_through_once_and_not_for_every_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path, "opt/zig/zig", mode=0o755)
    lay(tmp_path, "bots/bot.py", "folder/main.py")
    monkeypatch.chdir(tmp_path)
    looked: list[str] = []

    def look(name: str, folder: Path) -> Toolchain:
        looked.append(name)
        return added_toolchain(name, folder)

    monkeypatch.setattr(policies, "added_toolchain", look)
    policy = CagePolicy(added={"zig": tmp_path / "opt" / "zig"})
    bots: list[Bot] = [
        CommandBot(["python3", "bots/bot.py"], policy),
        FunctionBot(Path("bots/bot.py"), ["python3", "bot.py"], policy),
        FolderBot(manifest_of(tmp_path / "folder"), policy),
    ]
    for bot in bots:
        assert finished(bot.build()) is None
        assert {len(bot.launch("move").toolchains) for _ in range(3)} <= {1, 2}
    assert looked == ["zig"] * len(bots)
