"""Languages are recognised by their files: which one begins a program, and how it is built and run.

A language is sure of a folder if there is a file programs begin with (main.py, go.mod, Cargo.toml, a source with a main
function); it may claim a folder that holds a source of it. Sure ones win. If several programs are left, whether of one
language or of several, the author decides: nothing is picked among equals.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from botyard.jail.bot_files import BotFile
from botyard.jail.first_line import first_line_of
from botyard.kernel.bounded import json_of, toml_of
from botyard.kernel.errors import UnknownName, YardError

Command = tuple[str, ...]

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
AGENT = "agent"  # what is built, and started as ./agent: the convention of one contest, used for all
SHOWN = 6  # candidates that an error names

FIRST = (("main",), ("bot", "agent"))
"""Names of first files by rank: main.py may import bot.py; of two with the same rank neither is likelier."""

NEVER_FIRST = re.compile(
    r"\..*"  # .eslintrc.js
    r"|.*[._-](?:config|conf|rc|setup|tests?|spec)\.\w+"  # webpack.config.js, karma.conf.js, map_test.py
    r"|(?:test|spec)[._-].*|tests?\.\w+"  # test_map.py
    r"|(?:grunt|gulp|jake|rake|cake)file\.\w+"
    r"|(?:setup|conftest|noxfile|fabfile|__init__)\.py|build\.rs|lib\.rs",
    re.IGNORECASE,
)
"""Files that set up, test or describe a program and are never the program."""


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """What a language would do with a folder."""

    language: str
    build: tuple[Command, ...]
    run: Command
    found_by: str = ""
    sure: bool = True
    doubt: YardError | None = None  # why it cannot be done as it stands

    def __str__(self) -> str:
        return f"{self.language} ({self.doubt.message if self.doubt else ' '.join(self.run)})"


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of a bot, and ways to look into them: as text, and as the bytes that a limit allows."""

    files: tuple[BotFile, ...]
    read: Callable[[str], str]
    raw: Callable[[str], bytes]
    single: bool = False  # the bot is one file, named by whoever runs it

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

    def beginnings(self, *suffixes: str, ranks: Sequence[Sequence[str]] = FIRST) -> list[tuple[str, str, bool]]:
        """The files a program may begin with: each with what tells so, and whether that is sure."""
        if self.single:
            return [(name, "the file itself", True) for name in self.ending(*suffixes)]
        top = self.top
        for stems in ranks:
            named = [stem + suffix for stem in stems for suffix in suffixes if stem + suffix in top]
            if named:
                return [(name, f"its name {name}", True) for name in named]
        others = [name for name in self.ending(*suffixes) if not NEVER_FIRST.fullmatch(name)]
        alone = len(self.files) == 1
        return [(name, f"the only {PurePosixPath(name).suffix} file", alone) for name in others]


def plan_of(sources: Sources, language: str = "") -> BuildPlan:
    """The one way to build and run these files, or an error that says what is missing or doubtful."""
    wanted = [LANGUAGES[language]] if language else [*LANGUAGES.values(), prebuilt]
    plans = [plan for look in wanted for plan in look(sources)]
    made = [plan for plan in plans if plan.language == "make" and plan.sure]
    plans = made or [plan for plan in plans if plan.sure] or plans
    if not plans and not language and len(sources.files) == 1 and sources.files[0].executable:
        return BuildPlan("program", (), (f"./{sources.files[0].path}",), "the only file")
    if not plans:
        raise YardError(
            f"no program in {language} found" if language else "no program found",
            hint="name its first file main.py, main.js, Main.java, main.c, main.cpp, main.go, main.rs, main.lua or"
            ' main.sh, add a Makefile that builds `agent`, or write a botyard.toml with run = "…"',
        )
    doubts = [plan.doubt for plan in plans if plan.doubt]
    if len(doubts) == len(plans):
        raise doubts[0]
    if len(plans) > 1:
        raise several(plans)
    return plans[0]


def several(plans: Sequence[BuildPlan]) -> YardError:
    """Nobody can say which of them is the bot but its author."""
    names = ", ".join(map(str, plans[:SHOWN])) + (f" and {len(plans) - SHOWN} more" if len(plans) > SHOWN else "")
    first = next(plan for plan in plans if not plan.doubt)
    hint = f'write a botyard.toml that says run = "{" ".join(first.run)}", or whatever runs it'
    if len({plan.language for plan in plans}) > 1:
        hint = f'write a botyard.toml that says language = "{first.language}", or run = "…"'
    return YardError(f"this could be {names}", hint=hint)


def language_named(name: str) -> str:
    """A language as an author may write it."""
    known = ALIASES.get(name.lower(), name.lower())
    if known not in LANGUAGES:
        raise UnknownName("language", name, LANGUAGES)
    return known


# The languages


def make(sources: Sources) -> list[BuildPlan]:
    """A makefile that builds `agent` is sure; one that only speaks of it may be about something else."""
    found = next((name for name in MAKEFILES if name in sources.top), None)
    text = sources.read(found) if found else ""
    if not re.search(rf"\b{AGENT}\b", text):
        return []
    sure = any(map(builds_agent, text.splitlines()))
    told = f"a {found} that {'builds' if sure else 'speaks of'} agent"
    return [BuildPlan("make", (("make",),), (f"./{AGENT}",), told, sure)]


def builds_agent(line: str) -> bool:
    """A rule for `agent`, a variable that holds its name, or a linker that is told to write it."""
    before, equals, value = line.partition("#")[0].partition("=")
    targets, colon, _ = before.rpartition(":")
    if equals:
        return names_agent(value.split()[-1:])
    if colon and not line[0].isspace():
        return names_agent(targets.split())
    words = line.split()
    return names_agent([b if a == "-o" else a.removeprefix("-o") for a, b in pairwise(["", *words]) if a[:2] == "-o"])


def names_agent(words: Sequence[str]) -> bool:
    return any(posixpath.basename(word) == AGENT for word in words)


def as_word(file: str) -> str:
    """A file as a word of a command line, where a name such as `-x.py` must not be taken for an option."""
    return f"./{file}" if file.startswith(("-", "@")) else file


def interpreted(language: str, program: str, found: list[tuple[str, str, bool]]) -> list[BuildPlan]:
    return [BuildPlan(language, (), (program, as_word(name)), told, sure) for name, told, sure in found]


def python(sources: Sources) -> list[BuildPlan]:
    return interpreted("python", "python3", sources.beginnings(".py", ranks=(("__main__",), *FIRST)))


def javascript(sources: Sources) -> list[BuildPlan]:
    try:
        named = package_main(sources)
    except YardError as error:
        return [BuildPlan("javascript", (), (), sure=False, doubt=error)]
    if named:
        return [BuildPlan("javascript", (), ("node", as_word(named)), "main of package.json")]
    found = sources.beginnings(".js", ".mjs", ".cjs", ranks=(("index", "main"), *FIRST[1:]))
    return interpreted("javascript", "node", found)


def package_main(sources: Sources) -> str | None:
    """The file package.json names, if it is there; as with Node, an ending or the index of a folder may be missing."""
    if "package.json" not in sources.top:
        return None
    package = json_of(sources.raw("package.json"), "package.json")
    named = package.get("main") if isinstance(package, dict) else None
    if not isinstance(named, str):
        return None
    inside, files = posixpath.normpath(named), {str(file.path) for file in sources.files}
    return next((path for path in (inside, f"{inside}.js", f"{inside}/index.js") if path in files), None)


JAVA_MAIN = re.compile(r"\b(?:public\s+static|static\s+public)\s+(?:final\s+)?void\s+main\s*\(")
JAVA_FIRST = (("Main",), ("Bot", "BotStarter", "MyBot", "Agent", "YourSolver"))


def java(sources: Sources) -> list[BuildPlan]:
    """By a class of one of the usual names, at the top or in src; any other main method may be a tool's."""
    files = sources.deep(".java")
    mains = [file for file in files if JAVA_MAIN.search(sources.read(file))]
    build = ("javac", "-encoding", "UTF-8", "-d", "build", *map(as_word, files))

    def plan(file: str, told: str, sure: bool) -> BuildPlan:
        # One collector thread: a bot has little memory to tidy, and a core to itself at best.
        name = java_class(sources.read(file), PurePosixPath(file).stem)
        return BuildPlan("java", (build,), ("java", "-XX:+UseSerialGC", "-cp", "build", name), told, sure)

    if sources.single:
        return [plan(file, "the file itself", True) for file in mains]
    near = [file for file in mains if len(PurePosixPath(file).parts) == 1 or PurePosixPath(file).parts[0] == "src"]
    for stems in JAVA_FIRST:
        if named := [file for file in near if PurePosixPath(file).stem in stems]:
            return [plan(file, f"its name {PurePosixPath(file).name}", True) for file in named]
    return [plan(file, "the only main method", len(sources.files) == 1) for file in mains]


def java_class(text: str, stem: str) -> str:
    """The full name of the class with the main method; it need not be called like its file."""
    package = re.search(r"^[ \t]*package[ \t]+([\w.]+)[ \t]*;", text, re.MULTILINE)
    found = JAVA_MAIN.search(text)
    before = re.findall(r"\b(?:class|record|enum|interface)\s+(\w+)", text[: found.start() if found else 0])
    name = stem if stem in before or not before else before[-1]
    return f"{package[1]}.{name}" if package else name


C_MAIN = re.compile(r"^[ \t]*(?:int|auto|void)\s+main\s*\(", re.MULTILINE)


def compiled(sources: Sources, suffixes: tuple[str, ...], language: str, compiler: Command) -> list[BuildPlan]:
    files = sources.ending(*suffixes)
    mains = [file for file in files if C_MAIN.search(sources.read(file))]
    if len(mains) > 1:
        names = ", ".join(mains[:SHOWN])
        doubt = YardError(f"{names} all have a main function", hint="keep one, or write a Makefile")
        return [BuildPlan(language, (), (), sure=False, doubt=doubt)]
    build = (*compiler, "-o", AGENT, *map(as_word, files), "-lm")
    return [BuildPlan(language, (build,), (f"./{AGENT}",), f"the main function in {main}") for main in mains]


def c(sources: Sources) -> list[BuildPlan]:
    return compiled(sources, (".c",), "c", ("cc", "-O2"))


def cpp(sources: Sources) -> list[BuildPlan]:
    return compiled(sources, (".cpp", ".cc", ".cxx"), "c++", ("c++", "-O2", "-std=c++17"))


def go(sources: Sources) -> list[BuildPlan]:
    if "go.mod" in sources.top:
        return [BuildPlan("go", (("go", "build", "-o", AGENT, "."),), (f"./{AGENT}",), "go.mod")]
    files = [name for name in sources.ending(".go") if not name.endswith("_test.go")]
    if not any(re.search(r"^package\s+main\b", sources.read(name), re.MULTILINE) for name in files):
        return []
    return [BuildPlan("go", (("go", "build", "-o", AGENT, *map(as_word, files)),), (f"./{AGENT}",), "package main")]


def rust(sources: Sources) -> list[BuildPlan]:
    if "Cargo.toml" in sources.top:
        build = (("cargo", "build", "--release", "--offline"),)
        try:
            names = cargo_programs(sources)
        except YardError as error:
            return [BuildPlan("rust", (), (), sure=False, doubt=error)]
        return [BuildPlan("rust", build, (f"./target/release/{name}",), "Cargo.toml") for name in names]
    rustc = ("rustc", "-O", "--edition", "2021", "-o", AGENT)
    return [
        BuildPlan("rust", ((*rustc, as_word(name)),), (f"./{AGENT}",), told, sure)
        for name, told, sure in sources.beginnings(".rs")
    ]


CARGO_NAME = re.compile(r"[\w-]{1,100}", re.ASCII)


def cargo_programs(sources: Sources) -> list[str]:
    """The programs of a package: the one it runs by default, its [[bin]]s, those in src/bin, or the package itself."""
    cargo = toml_of(sources.raw("Cargo.toml"), "Cargo.toml")
    package, bins = cargo.get("package"), cargo.get("bin") or []
    inside = [PurePosixPath(file) for file in sources.deep(".rs") if file.startswith("src/bin/")]
    names: list[Any] = [one.get("name") if isinstance(one, dict) else None for one in listed(bins)]
    if isinstance(package, dict) and "default-run" in package:
        names = [package["default-run"]]
    elif not names and inside and "src/main.rs" not in {str(file.path) for file in sources.files}:
        names = sorted({path.stem if len(path.parts) == 3 else path.parts[2] for path in inside})
    elif not names and isinstance(package, dict):
        names = [package.get("name")]
    if not names or not all(isinstance(name, str) and CARGO_NAME.fullmatch(name) for name in names):
        hint = 'it needs [package] with name = "…", made of letters, digits, - and _'
        raise YardError("Cargo.toml names no program", hint=hint)
    return names


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def lua(sources: Sources) -> list[BuildPlan]:
    return interpreted("lua", "lua", sources.beginnings(".lua"))


def shell(sources: Sources) -> list[BuildPlan]:
    found = sources.beginnings(".sh", ranks=(("run",), *FIRST))
    return [
        BuildPlan("shell", (), (shell_of(sources.raw(name)), as_word(name)), told, sure) for name, told, sure in found
    ]


SHELLS = ("bash", "dash", "ksh", "zsh", "sh")


def shell_of(beginning: bytes) -> str:
    """The shell a script asks for in its first line."""
    line = first_line_of(beginning)
    return line.name if line and line.name in SHELLS else "sh"


def prebuilt(sources: Sources) -> list[BuildPlan]:
    """A program that its author has built, by the conventional name. What builds it anew is surer."""
    there = AGENT in sources.top
    return [BuildPlan("program", (), (f"./{AGENT}",), "its name agent", sure=False)] if there else []


LANGUAGES: dict[str, Callable[[Sources], list[BuildPlan]]] = {
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

PROGRAMS = {
    "python": ("python3",), "javascript": ("node",), "java": ("javac", "java"), "c": ("cc",), "c++": ("c++",),
    "go": ("go",), "rust": ("rustc", "cargo"), "lua": ("lua",), "shell": ("bash",), "make": ("make",),
}  # fmt: skip
"""What a bot in each of them is built and run with."""
