"""A telling name for a program that is known by its command line alone.

`java bots.Nop`, `python3 -m pkg.asp` and `node .` all begin with a word that says nothing: the interpreter's. The name
is that of what the interpreter runs: a class, a module, a file, a folder. Where that is called main, bot or the like,
as half of all bots are, the folder or package around it tells more. Nothing is looked up: the words alone decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

NAMELESS = "bot"  # of a command line without any telling word

PLAIN_STEMS = {
    "", ".", "..", "agent", "app", "bot", "botstarter", "client", "index", "init", "main", "mybot",
    "play", "player", "program", "run", "runner", "solution", "start", "strategy", "yoursolver",
}  # fmt: skip
"""What bots are called that have no name of their own."""

PLAIN_FOLDERS = {
    "/", "bin", "build", "classes", "cmd", "debug", "dist", "home", "java", "lib", "out", "release", "scripts",
    "source", "sources", "src", "target", "tmp", "tools",
}  # fmt: skip
"""Folders that say no more than the file in them."""

ENDINGS = {
    ".awk", ".bash", ".class", ".cjs", ".clj", ".cr", ".cs", ".csproj", ".csx", ".dart", ".dll", ".erl", ".ex",
    ".exe", ".exs", ".fsproj", ".fsx", ".go", ".hs", ".jar", ".java", ".jl", ".js", ".jsx", ".kt", ".kts", ".lisp",
    ".lua", ".mjs", ".ml", ".mts", ".nim", ".out", ".phar", ".php", ".pl", ".ps1", ".py", ".pyc", ".pyz", ".r",
    ".rb", ".rkt", ".rs", ".scala", ".scm", ".sh", ".swift", ".tcl", ".ts", ".tsx", ".wasm", ".zsh",
}  # fmt: skip
"""What is left out at the end of a file's name."""

SHELLS = re.compile(r"(?:sh|bash|dash|zsh|ksh|fish|busybox)")
CLASS_RUNNERS = re.compile(r"(?:java|javaw|kotlin|scala)")
INTERPRETERS = re.compile(
    r"python|pypy|ruby|lua|luajit|php|perl|node|nodejs|bun|deno|dotnet|mono|go|cargo|npm|npx|yarn|pnpm|tsx|ts-node|make|"
    r"uv|uvx|poetry|pipenv|rscript|julia|wine|ocaml|runghc|runhaskell|elixir|escript|clojure|guile|racket|sbcl|tclsh|"
    r"awk|gawk|mawk|dart|swift|nim|crystal|wasmtime|wasmer|pwsh|groovy"
)
WRAPPERS = {
    "env", "exec", "nice", "nohup", "stdbuf", "setsid", "taskset", "time", "timeout", "ionice", "chrt", "prlimit",
    "valgrind", "strace", "ltrace", "gdb", "perf", "unbuffer",
}  # fmt: skip
"""Programs that start the one which follows them, after options and numbers of their own."""

SUBCOMMANDS = {"run", "exec", "start", "script", "tool", "x", "dlx"}
"""`dotnet run`, `go run`, `npm start`: what is done, not to what."""

WITH_VALUE = {
    "-cp", "-classpath", "--class-path", "-p", "--module-path", "--add-modules", "--add-opens", "--add-exports",
    "-W", "-X", "-r", "--require", "--import", "--loader", "-I", "-l", "-L", "--configuration", "--framework",
    "--manifest-path", "--profile",
}  # fmt: skip
"""Options whose value is the next word."""

PROGRAM_OPTIONS = {"--bin", "--project", "--example", "--package", "-jar"}  # their value is the program
MODULE_OPTIONS = {"-m", "--module"}
CODE_OPTIONS = {"-c", "-e", "-ec", "-lc", "-xc", "-ic", "--eval", "-E"}  # their value is a program's text

ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
AMOUNT = re.compile(r"[0-9][0-9.,]*[a-zA-Z]?")  # a number, perhaps with a unit
VERSION = re.compile(r"[-.]?[0-9][.0-9]*$")  # python3.11, lua-5.4

SHELL_STEPS = re.compile(r"&&|\|\||[;|&\n]")
SHELL_WORDS = {
    "do",
    "done",
    "then",
    "else",
    "fi",
    "if",
    "while",
    "until",
    "for",
    "case",
    "esac",
    "in",
    "{",
    "}",
    "(",
    ")",
}
SHELL_CHORES = {
    "cd",
    "export",
    "set",
    "ulimit",
    "wait",
    "true",
    "echo",
    "printf",
    "sleep",
    "read",
    "umask",
    "trap",
    ":",
}


def program_name(words: Sequence[str], folder: str = "") -> str:
    """The name of the bot that a command line starts; `folder` is the name of the one it runs in, where that counts."""
    name = name_in(list(words))
    if is_telling(name):
        return name
    if is_telling(folder) and folder.lower() not in PLAIN_FOLDERS:
        return folder
    return name if is_word(name) else NAMELESS


def name_in(words: list[str]) -> str:
    """The best that the words themselves say; perhaps nothing, perhaps one that tells little."""
    words = without_wrappers(words)
    if not words:
        return ""
    first, *rest = words
    tool = VERSION.sub("", stem_of(PurePosixPath(first).name)).lower()
    if SHELLS.fullmatch(tool) or CLASS_RUNNERS.fullmatch(tool) or INTERPRETERS.fullmatch(tool):
        return name_of_run(tool, rest) if rest else stem_of(first)
    if "/" not in first:  # a program on the search path, perhaps an interpreter we have never heard of
        for word in rest:
            if PurePosixPath(word).suffix.lower() in ENDINGS and not word.startswith("-"):
                return name_of_path(word)
    return name_of_path(first)


def without_wrappers(words: list[str]) -> list[str]:
    """The command line behind `env A=1`, `nice -n 5`, `timeout 10` and the like."""
    wrapped = False
    while words:
        word = words[0]
        if PurePosixPath(word).name in WRAPPERS and len(words) > 1:
            wrapped = True
        elif not ASSIGNMENT.fullmatch(word) and not (wrapped and (word.startswith("-") or AMOUNT.fullmatch(word))):
            break
        words = words[1:]
    return words


def name_of_run(tool: str, words: list[str]) -> str:
    """What an interpreter or a build tool is told to run; nothing if that cannot be seen."""
    told = False  # whether the tool has been told what to do
    while words:
        word, *rest = words
        key, equals, value = word.partition("=")
        following = value if equals else rest[0] if rest else ""
        if key in PROGRAM_OPTIONS:
            return name_of_path(following)
        if key in MODULE_OPTIONS:
            return name_of_dotted(following.rpartition("/")[2])
        if word in CODE_OPTIONS and tool != "dotnet":
            return name_in_shell(following) if SHELLS.fullmatch(tool) else ""
        if word.startswith("-"):
            words = rest[1:] if word in WITH_VALUE | CODE_OPTIONS else rest  # dotnet's -c Release
        elif word in SUBCOMMANDS and not told and not SHELLS.fullmatch(tool):
            words, told = rest, True
        elif CLASS_RUNNERS.fullmatch(tool) and "/" not in word and PurePosixPath(word).suffix not in ENDINGS:
            return name_of_dotted(word)
        else:
            return name_in(words) if rest else name_of_path(word)  # npx ts-node bot.ts: one more behind this one
    return ""


def name_in_shell(text: str) -> str:
    """The program that a shell's one-liner starts in the end."""
    for step in reversed(SHELL_STEPS.split(text)):
        words = step.replace("'", " ").replace('"', " ").split()
        while words and words[0] in SHELL_WORDS:
            words = words[1:]
        if words and words[0] not in SHELL_CHORES:
            return name_in(words)
    return ""


def name_of_dotted(dotted: str) -> str:
    """Of a class or a module: the last part, or the package around it if that part says nothing."""
    parts = [part for part in reversed(re.split(r"[.:]", dotted)) if part]
    return next((part for part in parts if is_telling(part)), parts[0] if parts else "")


def name_of_path(path: str) -> str:
    """Of a file or folder: its stem, or the folder around it if the stem says nothing."""
    folders = [part for part in reversed(PurePosixPath(path).parts[:-1]) if part.lower() not in PLAIN_FOLDERS]
    stem = stem_of(path)
    return next((part for part in (stem, *folders) if is_telling(part)), stem)


def stem_of(path: str) -> str:
    """The last part of a path without the ending of a program; `my.bot` keeps its dot."""
    pure = PurePosixPath(path)
    return pure.stem if pure.suffix.lower() in ENDINGS else pure.name


def is_word(name: str) -> bool:
    return re.search(r"\w", name) is not None


def is_telling(name: str) -> bool:
    return is_word(name) and name.strip("-_0123456789").lower() not in PLAIN_STEMS
