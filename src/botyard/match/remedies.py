"""What is usually the matter with an answer that nobody could read, and how to mend it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Sequence
from typing import TypeAlias

from botyard.kernel.verdict import Fault

Reader: TypeAlias = Callable[[bytes], int | Fault | None]
"""What a protocol makes of bytes, all by themselves."""

FLUSH = {
    "python": "print(answer, flush=True)",
    "javascript": "console.log writes at once; do not collect answers",
    "java": "System.out.println, or flush() on a writer of your own",
    "c": "fflush(stdout)",
    "c++": "std::endl instead of '\\n', or std::cout.flush()",
    "go": "Flush() on a bufio.Writer",
    "rust": "io::stdout().flush()",
    "lua": "io.stdout:flush()",
}

BYTE_ORDER_MARK = "\ufeff".encode()

TRACES = (
    re.compile(r"^Traceback \(most recent call last\)", re.MULTILINE),
    re.compile(r"^Exception in thread ", re.MULTILINE),
    re.compile(r"^panic: ", re.MULTILINE),
    re.compile(r"^thread '.*' panicked at ", re.MULTILINE),
    re.compile(r"^lua[0-9.]*: ", re.MULTILINE),
    re.compile(r"^\s+at .*\(.*:\d+(:\d+)?\)", re.MULTILINE),
)
PYTHON_ERROR = re.compile(r"^\w[\w.]*(?:Error|Exception|Interrupt|Exit)\b.*$", re.MULTILINE)
TRACE_CHARACTERS = 200

WANTS_WORDS = (
    re.compile(r"^\s*usage\b", re.IGNORECASE | re.MULTILINE),
    re.compile(r"\b(?:sys\.)?argv\b", re.IGNORECASE),  # the line of a traceback, or an author's own complaint
    re.compile(r"\bargs?\[\d+\]"),
    re.compile(r"ArrayIndexOutOfBoundsException.*\n\s+at [\w.$]*main\("),
    re.compile(
        r"\b(?:missing|required|expected|unrecogni[sz]ed|unknown|too (?:few|many)|not enough)\b.*\barguments?\b", re.I
    ),
    re.compile(r"\barguments?\b.*\b(?:missing|required|expected|needed)\b", re.IGNORECASE),
)
"""How programs complain that they were started with other words than they want."""


def is_order(read: Reader, raw: bytes) -> bool:
    """Whether these bytes alone are an answer, as they are or with a line end."""
    return isinstance(read(raw), int) or isinstance(read(raw + b"\n"), int)


def flush_remedy(language: str, by_printing: bool) -> str:
    how = FLUSH.get(language)
    where = "your output" if by_printing else "what you send"
    if how is None or not by_printing:
        return f"flush {where}: an answer that waits in a buffer never arrives"
    return f"flush {where}: {how}"


def wants_words(text: str) -> bool:
    """Whether a program's last words are about the words it was started with."""
    return any(sign.search(text) for sign in WANTS_WORDS)


def words_remedy(own: Sequence[str], added: int, example: str) -> str:
    """How to start a program with other words: what the game adds cannot be changed, what stands before it can."""
    count = {0: "the game adds no arguments of its own", 1: "the last argument comes from the game"}
    adds = count.get(added, f"the last {added} arguments come from the game")
    run = json.dumps(shlex.join([*own, example]))
    return (
        f"{adds}; put others that your program needs, such as {example}, before them in botyard.toml: run = {run} "
        "(or onto the command line of a cmd: bot)"
    )


def memory_remedy(limit_mb: int) -> str:
    there_is = f"than the {limit_mb} MB allowed" if limit_mb else "memory"
    return f"use less {there_is}; --memory MB allows more"


def other_text(by_printing: bool) -> str:
    if by_printing:
        return "you print debug text on standard output, which is for answers only; print it to standard error"
    return "the connection is for answers only; print everything else"


def garbled_remedy(raw: bytes, read: Reader, by_printing: bool) -> str:
    """Tries what authors usually get wrong: what would have been understood is the remedy. Nothing if nothing would."""
    if stack_trace(raw.decode("utf-8", "replace")):
        return "your program wrote this error message where an answer was expected"
    if raw.lstrip().startswith(b"{"):
        return 'you answer in JSON: write protocol = "json" in botyard.toml, or use the protocol of the game'
    lines = [line for line in raw.splitlines() if line.strip()]
    if len(lines) > 1 and any(is_order(read, line) for line in lines):
        return other_text(by_printing)
    answer = lines[0] if lines else b""
    for said, mended in mendings(answer):
        if mended != answer and is_order(read, mended):
            return said
    return ""


def mendings(answer: bytes) -> list[tuple[str, bytes]]:
    """What could be meant, each with the words for its author."""
    bare = answer.removeprefix(BYTE_ORDER_MARK).strip()
    unquoted = bare.strip(b"\"'`")
    return [
        ("your output begins with a byte order mark: write UTF-8 without one", answer.removeprefix(BYTE_ORDER_MARK)),
        ("leave out the spaces around the answer", bare),
        ("write the answer in lower case", bare.lower()),
        ("write the answer in upper case", bare.upper()),
        ("leave out the quotes", unquoted),
        ("leave out the quotes, and write in lower case", unquoted.lower()),
        ("separate the parts by one space", b" ".join(bare.split())),
        ("leave out the spaces between the parts", b"".join(bare.split())),
    ]


def stack_trace(text: str) -> str:
    """The telling line of an error report, or nothing."""
    if not any(sign.search(text) for sign in TRACES):
        return ""
    named = PYTHON_ERROR.findall(text)
    shown = (
        named[-1] if named else next(line for line in text.splitlines() if any(sign.search(line) for sign in TRACES))
    )
    return str(shown).strip()[:TRACE_CHARACTERS]
