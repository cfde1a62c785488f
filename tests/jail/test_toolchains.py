"""Toolchains as the house finds them: their own files at a neutral place, and nothing of the home they live in."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from botyard.jail import toolchains
from botyard.jail.launch import Launch
from botyard.jail.limits import Level
from botyard.jail.location import Located, locate
from botyard.jail.toolchains import (
    PLACE,
    Toolchain,
    Unusable,
    added_toolchain,
    all_toolchains,
    is_installed,
    tool_at,
    tool_named,
)
from botyard.kernel.errors import YardError
from botyard.kernel.verdict import Fault, Verdict
from tests.conftest import need
from tests.jail.output import output_of
from tests.waiting import finished


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of programs that is looked into first, in a home with other things in it."""
    home = tmp_path / "home" / ".local"
    for name in ("bin", "lib", "share", ".ssh"):
        (home / name).mkdir(parents=True)
        (home / name / "private").write_text("nobody's business")
    monkeypatch.setenv("PATH", f"{home / 'bin'}:{os.environ['PATH']}")
    forget()
    yield home
    forget()


def forget() -> None:
    for remembered in (tool_named, tool_at, all_toolchains):
        remembered.cache_clear()


def program(home: Path, name: str, script: str) -> Path:
    file = home / "bin" / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


def lay(home: Path, *files: str) -> None:
    for name in files:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).touch()


def shown(toolchain: Toolchain, home: Path) -> dict[str, str]:
    """Place → what lies there, both without what all of them have in common."""
    return {
        str(place.relative_to(PLACE)): str(lies).removeprefix(f"{home}/") for place, lies in toolchain.shown.items()
    }


def found(name: str) -> Toolchain:
    tool = tool_named(name)
    assert tool is not None
    return tool.toolchain


def test_a_program_that_is_there_and_cannot_run_is_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(path, "rustc", "echo 'error: no default toolchain' >&2; exit 1")
    monkeypatch.setenv("PATH", f"{path / 'bin'}")
    with pytest.raises(Unusable, match="does not run: exit status 1: error: no default toolchain"):
        tool_named("rustc")
    fault = locate(Launch(("rustc", "bot.rs"), Path("/bot"), Level.CAGED))
    assert isinstance(fault, Fault)
    assert fault.verdict is Verdict.UNBUILT
    assert "no default toolchain" in fault.reason


def test_the_next_one_on_the_path_is_asked_then(path: Path) -> None:
    program(path, "lua", "exit 1")
    lua = need("lua")
    forget()
    assert found("lua").programs["lua"] == Path(lua)


def test_rust_in_a_home_shows_its_own_files(path: Path) -> None:
    program(path, "rustc", f"[ $1 = --print ] && echo {path}")
    program(path, "cargo", "echo cargo 1.0")
    lay(path, "lib/librustc_driver-1.so", "lib/rustlib/x86_64/lib", "lib/python3.9/own.py")
    assert shown(found("rustc"), path) == {
        "rust/bin/rustc": "bin/rustc",
        "rust/bin/cargo": "bin/cargo",
        "rust/lib/rustlib": "lib/rustlib",
        "rust/lib/librustc_driver-1.so": "lib/librustc_driver-1.so",
    }
    assert found("cargo").shown == found("rustc").shown


def test_cargo_is_asked_itself_whatever_lies_beside_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(path, "rustc", f"[ $1 = --print ] && echo {path}")
    program(path, "cargo", "echo 'error: cargo is not installed' >&2; exit 1")
    monkeypatch.setenv("PATH", f"{path / 'bin'}")
    with pytest.raises(Unusable, match="cargo is not installed"):
        tool_named("cargo")


def test_node_in_a_home_shows_its_own_files(path: Path) -> None:
    program(path, "node", f"echo {path}/bin/node")
    assert shown(found("node"), path) == {"node/bin/node": "bin/node"}
    lay(path, "lib/node_modules/npm/package.json")
    forget()
    assert shown(found("node"), path) == {"node/bin/node": "bin/node", "node/lib/node_modules": "lib/node_modules"}


def test_java_and_go_in_a_home_show_their_own_files(path: Path) -> None:
    program(path, "java", f"echo '    java.home = {path}' >&2")
    assert tool_at(path / "bin" / "java") is None  # it names a folder that is no home of a Java machine
    lay(path, "release", "conf/net.properties")
    forget()
    assert set(shown(found("java"), path)) == {"java/bin", "java/lib", "java/conf", "java/release"}
    program(path, "go", f"echo {path}")
    lay(path, "src/fmt/print.go", "pkg/tool", "VERSION")
    assert set(shown(found("go"), path)) == {"go/bin/go", "go/src", "go/pkg", "go/lib", "go/VERSION"}


def test_a_virtual_environment_shows_its_packages_and_is_never_run(path: Path) -> None:
    environment = path / "venv"
    packages = environment / "lib" / f"python3.{sys.version_info[1]}" / "site-packages"
    packages.mkdir(parents=True)
    ran = path / "ran"
    (packages / "evil.pth").write_text(f"import pathlib; pathlib.Path({str(ran)!r}).touch()\n")
    (packages / "useful.py").write_text("WORD = 'useful'\n")
    (environment / "bin").mkdir()
    (environment / "bin" / "python").symlink_to(toolchains.INTERPRETER)
    (environment / "pyvenv.cfg").write_text(f"home = {toolchains.INTERPRETER.parent}\n")
    (environment / "secret").touch()
    tool = tool_at(environment / "bin" / "python")
    assert tool is not None
    assert not ran.exists()
    own = {place: lies for place, lies in shown(tool.toolchain, path).items() if lies.startswith("venv")}
    assert own == {f"{tool.toolchain.name}/lib/{packages.parent.name}/site-packages": str(packages.relative_to(path))}
    said = run(str(environment / "bin" / "python"), "-c", "import useful, sys; print(useful.WORD, sys.prefix)")
    assert said.startswith(f"useful {PLACE / tool.toolchain.name}\n")
    assert not ran.exists()


@pytest.mark.parametrize("said", ["false", "true"])
def test_a_virtual_environment_has_the_packages_of_the_system_only_if_it_says_so(path: Path, said: str) -> None:
    environment = path / "venv"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin" / "python").symlink_to(toolchains.INTERPRETER)
    setting = f"include-system-site-packages = {said}\n"
    (environment / "pyvenv.cfg").write_text(f"home = {toolchains.INTERPRETER.parent}\n{setting}")
    tool = tool_at(environment / "bin" / "python")
    assert tool is not None
    [written] = tool.toolchain.texts.values()
    assert written.endswith(setting)


def run(*words: str) -> str:
    need("bwrap")
    return finished(output_of(Launch(words, Path("/tmp"), Level.CAGED, callers=True)))


def test_a_link_in_the_system_to_somebodys_home_is_of_that_home(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cage shows the link, and none what it leads to."""
    program(path, "lua", "echo Lua 5.4").rename(path / "share" / "lua")
    (path / "bin" / "lua").symlink_to(path / "share" / "lua")
    monkeypatch.setattr(toolchains, "SYSTEM", (str(path / "bin"),))
    assert shown(found("lua"), path) == {"lua/bin/lua": "share/lua"}


def test_our_own_interpreter_is_installed_wherever_it_lies(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = (path / "share" / name for name in ("ours", "theirs"))
    ours.touch()
    theirs.touch()
    monkeypatch.setattr(toolchains, "INTERPRETER", ours)
    assert is_installed(ours)
    assert not is_installed(theirs)


def test_compilers_are_shown_to_who_builds_alone(path: Path) -> None:
    program(path, "rustc", f"[ $1 = --print ] && echo {path}")
    assert "rust" in {toolchain.name for toolchain in all_toolchains(builds=True)}
    assert "rust" not in {toolchain.name for toolchain in all_toolchains(builds=False)}


def test_of_two_of_a_family_the_one_that_is_named_is_shown(path: Path) -> None:
    for name in ("lua", "lua5.1"):
        program(path, name, f"echo {name}")
    located = locate(Launch(("lua5.1", "make.lua"), Path("/bot"), Level.CAGED, builds=True))
    assert isinstance(located, Located)
    assert [set(shown(chain, path)) for chain in located.toolchains if chain.name == "lua"] == [{"lua/bin/lua5.1"}]


def test_a_script_sees_the_languages_it_may_call_and_a_program_only_its_own(path: Path, tmp_path: Path) -> None:
    program(path, "node", f"echo {path}/bin/node")
    for name, first, wanted in (
        ("shell", "#!/bin/sh", True),
        ("node", "#!/usr/bin/env node", True),
        ("split", "#!/usr/bin/env -S node --quiet", True),
        ("python", "#!/usr/bin/python3", False),
        ("binary", "\x7fELF", False),
    ):
        (tmp_path / name).write_text(f"{first}\n")
        (tmp_path / name).chmod(0o755)
        located = locate(Launch((f"./{name}",), Path("/bot"), Level.CAGED, shows={Path("/bot"): tmp_path}))
        assert isinstance(located, Located), located
        assert ("node" in {toolchain.name for toolchain in located.toolchains}) is wanted, name


@pytest.mark.parametrize(
    "word",
    [
        "/tmp/../home/org/run.sh", "//bin/../home/x", "x/../../rival/agent", "../ben", "/proc/1/root/bin/sh",
        "/bot/../etc", "n" * 300, f"{'x/' * 3000}x", "a\0b",
    ],
)  # fmt: skip
def test_a_bots_words_lead_to_nothing_outside_it(tmp_path: Path, word: str) -> None:
    fault = locate(Launch((word,), Path("/bot"), Level.CAGED, shows={Path("/bot"): tmp_path}))
    assert isinstance(fault, Fault)
    assert fault.verdict is Verdict.UNBUILT


def test_a_program_that_is_there_is_still_outside_the_bot(path: Path, tmp_path: Path) -> None:
    """Or a bot would be shown its rival's, for the name of it."""
    rival = program(path, "agent", "echo me")
    fault = locate(Launch((str(rival),), Path("/bot"), Level.CAGED, shows={Path("/bot"): tmp_path / "bot"}))
    assert isinstance(fault, Fault)
    assert "lies outside the bot" in fault.reason


def test_a_program_of_no_toolchain_is_the_organisers_to_add(path: Path) -> None:
    zig = program(path, "zig", "echo zig")
    fault = locate(Launch(("zig",), Path("/bot"), Level.CAGED))
    assert isinstance(fault, Fault)
    assert "--toolchain zig=FOLDER" in fault.reason
    added = added_toolchain("zig", zig)
    assert shown(added, path) == {"zig/zig": "bin/zig"}
    located = locate(Launch(("zig",), Path("/bot"), Level.CAGED, toolchains=(added,)))
    assert isinstance(located, Located)
    assert located.inside == PLACE / "zig" / "zig"
    with pytest.raises(YardError, match="no program in"):
        added_toolchain("zig", path / "share")


@pytest.mark.parametrize("name", ["../etc/x", "a/b", "", ".hidden", "system", "bin", "botyard", "x" * 41, "zig\n"])
def test_a_toolchain_is_called_by_a_plain_name_of_its_own(path: Path, name: str) -> None:
    with pytest.raises(YardError, match="no toolchain can be called"):
        added_toolchain(name, program(path, "zig", "echo zig"))


def test_another_compiler_is_another_toolchain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    before = toolchains.program_marks(["cc"])
    compiler = tmp_path / "cc"
    compiler.write_text("one")
    compiler.chmod(0o755)
    first = toolchains.program_marks(["cc"])
    compiler.write_text("another")
    assert len({tuple(before), tuple(first), tuple(toolchains.program_marks(["cc"]))}) == 3
    assert toolchains.program_marks(["cc"]) == toolchains.program_marks(["cc"])
