"""Languages as they are recognised: which file begins a program, how it is built, how it is run.

A language is sure of a folder if there is a file programs begin with (main.py, go.mod, Cargo.toml, a source with a main
function); it may claim a folder that holds one source of it. Sure ones win. If several are left, the author decides.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from botyard.jail.contents import BotFile
from botyard.kernel.errors import UnknownName, YardError

Command = tuple[str, ...]

BEGINNINGS = ("main", "bot", "agent")  # in this order: main.py may import bot.py
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
AGENT = "agent"  # what is built, and started as ./agent: Hive Arena's convention, used for all


@dataclass(frozen=True, slots=True)
class Plan:
    """What a language would do with a folder."""

    language: str
    build: tuple[Command, ...]
    run: Command
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of a bot, and a way to look into them."""

    files: tuple[BotFile, ...]
    read: Callable[[str], str]

    @property
    def top(self) -> dict[str, BotFile]:
        """The files that lie directly in the folder."""
        return {file.path.name: file for file in self.files if len(file.path.parts) == 1}

    def ending(self, *suffixes: str) -> list[str]:
        """The files directly in the folder with such an ending."""
        return [name for name in self.top if PurePosixPath(name).suffix in suffixes]

    def deep(self, suffix: str) -> list[str]:
        """The files anywhere with such an ending, tests apart."""
        found = (file.path for file in self.files if file.path.suffix == suffix)
        return [str(path) for path in found if not {"test", "tests"} & set(path.parts)]

    def beginning(self, *suffixes: str, also: tuple[str, ...] = ()) -> tuple[str, bool] | None:
        """The file a program begins with and whether that is sure."""
        for stem in (*also, *BEGINNINGS):
            for suffix in suffixes:
                if stem + suffix in self.top:
                    return stem + suffix, True
        only = self.ending(*suffixes)
        return (only[0], len(self.files) == 1) if len(only) == 1 else None


def plan_of(sources: Sources, language: str = "") -> Plan:
    """The one way to build and run these files, or an error that says what is missing or doubtful."""
    if not language and (made := make(sources)):
        return made
    wanted = {language: LANGUAGES[language]} if language else LANGUAGES
    plans = [plan for look in wanted.values() if (plan := look(sources))]
    plans = [plan for plan in plans if plan.sure] or plans
    if len(plans) == 1:
        return plans[0]
    if plans:
        names = ", ".join(f"{plan.language} ({' '.join(plan.run)})" for plan in plans)
        hint = f'write a botyard.toml that says language = "{plans[0].language}", or run = "…"'
        raise YardError(f"this could be {names}", hint=hint)
    if not language and AGENT in sources.top:
        return Plan("program", (), (f"./{AGENT}",))
    if not language and len(sources.files) == 1 and sources.files[0].executable:
        return Plan("program", (), (f"./{sources.files[0].path}",))
    raise YardError(
        f"no program in {language} found" if language else "no program found",
        hint="name its first file main.py, main.js, Main.java, main.c, main.cpp, main.go, main.rs, main.lua or main.sh,"
        ' add a Makefile that builds `agent`, or write a botyard.toml with run = "…"',
    )


def language_named(name: str) -> str:
    """A language as an author may write it."""
    known = ALIASES.get(name.lower(), name.lower())
    if known not in LANGUAGES:
        raise UnknownName("language", name, LANGUAGES)
    return known


# The languages


def make(sources: Sources) -> Plan | None:
    """A makefile that speaks of `agent` builds it; one that does not is about something else."""
    found = next((name for name in MAKEFILES if name in sources.top), None)
    if found is None or not re.search(rf"\b{AGENT}\b", sources.read(found)):
        return None
    return Plan("make", (("make",),), (f"./{AGENT}",))


def python(sources: Sources) -> Plan | None:
    found = sources.beginning(".py", also=("__main__",))
    return found and Plan("python", (), ("python3", found[0]), found[1])


def javascript(sources: Sources) -> Plan | None:
    named = package_main(sources)
    found = (named, True) if named else sources.beginning(".js", ".mjs", ".cjs", also=("index",))
    return found and Plan("javascript", (), ("node", found[0]), found[1])


def package_main(sources: Sources) -> str | None:
    """The file package.json names, if it is there."""
    if "package.json" not in sources.top:
        return None
    try:
        package = json.loads(sources.read("package.json"))
    except (ValueError, RecursionError) as error:
        raise YardError("package.json is no JSON", hint=str(error)) from None
    named = package.get("main") if isinstance(package, dict) else None
    inside = str(PurePosixPath(named)) if isinstance(named, str) else None
    return inside if inside in {str(file.path) for file in sources.files} else None


JAVA_MAIN = re.compile(r"\b(?:public\s+static|static\s+public)\s+(?:final\s+)?void\s+main\s*\(")
JAVA_FIRST = ("Main", "Bot", "BotStarter", "MyBot", "Agent", "YourSolver")


def java(sources: Sources) -> Plan | None:
    files = sources.deep(".java")
    mains = {PurePosixPath(file).stem: file for file in files if JAVA_MAIN.search(sources.read(file))}
    if not mains:
        return None
    first = next((name for name in JAVA_FIRST if name in mains), None) or sorted(mains)[0]
    if len(mains) > 1 and first not in JAVA_FIRST:
        hint = 'name one of them Main.java, or say run = "java -cp build CLASS" in botyard.toml'
        raise YardError(f"{', '.join(sorted(mains))} all have a main method", hint=hint)
    build = ("javac", "-encoding", "UTF-8", "-d", "build", *files)
    # One collector thread: a bot has little memory to tidy, and a core to itself at best.
    run = ("java", "-XX:+UseSerialGC", "-cp", "build", java_class(sources.read(mains[first]), first))
    return Plan("java", (build,), run)


def java_class(text: str, stem: str) -> str:
    """The full name of the class with the main method; it need not be called like its file."""
    package = re.search(r"^\s*package\s+([\w.]+)\s*;", text, re.MULTILINE)
    found = JAVA_MAIN.search(text)
    before = re.findall(r"\b(?:class|record|enum|interface)\s+(\w+)", text[: found.start() if found else 0])
    name = stem if stem in before or not before else before[-1]
    return f"{package[1]}.{name}" if package else name


C_MAIN = re.compile(r"^\s*(?:int|auto|void)\s+main\s*\(", re.MULTILINE)


def compiled(sources: Sources, suffixes: tuple[str, ...], language: str, compiler: Command) -> Plan | None:
    files = sources.ending(*suffixes)
    mains = [file for file in files if C_MAIN.search(sources.read(file))]
    if not mains:
        return None
    if len(mains) > 1:
        raise YardError(f"{', '.join(mains)} all have a main function", hint="keep one, or write a Makefile")
    return Plan(language, ((*compiler, "-o", AGENT, *files, "-lm"),), (f"./{AGENT}",))


def c(sources: Sources) -> Plan | None:
    return compiled(sources, (".c",), "c", ("cc", "-O2"))


def cpp(sources: Sources) -> Plan | None:
    return compiled(sources, (".cpp", ".cc", ".cxx"), "c++", ("c++", "-O2", "-std=c++17"))


def go(sources: Sources) -> Plan | None:
    if "go.mod" in sources.top:
        return Plan("go", (("go", "build", "-o", AGENT, "."),), (f"./{AGENT}",))
    files = [name for name in sources.ending(".go") if not name.endswith("_test.go")]
    if not any(re.search(r"^package\s+main\b", sources.read(name), re.MULTILINE) for name in files):
        return None
    return Plan("go", (("go", "build", "-o", AGENT, *files),), (f"./{AGENT}",))


def rust(sources: Sources) -> Plan | None:
    if "Cargo.toml" in sources.top:
        program = f"./target/release/{cargo_program(sources)}"
        return Plan("rust", (("cargo", "build", "--release", "--offline"),), (program,))
    found = sources.beginning(".rs")
    build = ("rustc", "-O", "--edition", "2021", "-o", AGENT, found[0] if found else "")
    return found and Plan("rust", (build,), (f"./{AGENT}",), found[1])


def cargo_program(sources: Sources) -> str:
    """The program a package builds: its first [[bin]], or the package itself."""
    try:
        cargo = tomllib.loads(sources.read("Cargo.toml"))
        named = cargo["bin"][0] if cargo.get("bin") else cargo["package"]
        return str(named["name"])
    except (tomllib.TOMLDecodeError, KeyError, TypeError, IndexError, AttributeError):
        raise YardError("Cargo.toml names no program", hint='[package] with name = "…" is wanted') from None


def lua(sources: Sources) -> Plan | None:
    found = sources.beginning(".lua")
    return found and Plan("lua", (), ("lua", found[0]), found[1])


def shell(sources: Sources) -> Plan | None:
    found = sources.beginning(".sh", also=("run",))
    return found and Plan("shell", (), (shell_of(sources.read(found[0])), found[0]), found[1])


def shell_of(text: str) -> str:
    """The shell a script asks for in its first line."""
    first = re.match(r"#!.*\b(bash|dash|ksh|zsh|sh)\s*$", text.partition("\n")[0])
    return first[1] if first else "sh"


LANGUAGES: dict[str, Callable[[Sources], Plan | None]] = {
    "python": python,
    "javascript": javascript,
    "java": java,
    "c": c,
    "c++": cpp,
    "go": go,
    "rust": rust,
    "lua": lua,
    "shell": shell,
    "make": make,
}

ALIASES = {
    "py": "python",
    "python3": "python",
    "js": "javascript",
    "node": "javascript",
    "cpp": "c++",
    "golang": "go",
    "rs": "rust",
    "sh": "shell",
    "bash": "shell",
    "makefile": "make",
}
