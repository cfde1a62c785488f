"""The examples of docs/api.md: taken out of the page, to be run in the order in which they stand there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
FENCED = re.compile(r"^```(sh|json|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "@@ example {} @@"
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """Some lines of the shell, or a program in Python, and the answer that the page shows, as JSON."""

    language: str
    code: str
    answer: str = ""


def examples() -> list[Example]:
    found: list[Example] = []
    for language, text in FENCED.findall(PAGE.read_text()):
        if language == "json":
            found[-1] = Example(found[-1].language, found[-1].code, text)
        else:
            found.append(Example(language, text))
    return found


def headings() -> list[str]:
    return HEADING.findall(PAGE.read_text())


def script() -> str:
    """All examples as one script for a shell, which ends with the first that fails and says where each begins."""
    parts = ["set -euo pipefail"]
    for at, example in enumerate(examples()):
        parts.append(f"echo; echo '{MARK.format(at)}'")
        code = (
            example.code
            if example.language == "sh"
            else f"TOKEN=$TOKEN SITE=$SITE python3 - <<'END'\n{example.code}END\n"
        )
        parts.append(code)
    return "\n".join(parts)


def printed(output: str, at: int) -> str:
    """What one example printed."""
    return output.partition(MARK.format(at))[2].partition(MARK.format(at + 1))[0].strip()


def lacking(shown: Any, given: Any, where: str = "") -> list[str]:
    """The fields that a page shows and an answer lacks, or the other way round, as far as both have them."""
    if isinstance(shown, dict) and isinstance(given, dict):
        loose = not shown or not given  # an empty object stands for one with any fields
        wrong = [] if loose else [f"{where}.{key}" for key in shown.keys() ^ given.keys()]
        return wrong + [
            one for key in shown.keys() & given.keys() for one in lacking(shown[key], given[key], f"{where}.{key}")
        ]
    if isinstance(shown, list) and isinstance(given, list) and shown and given:
        return lacking(shown[0], given[0], f"{where}[0]")
    return [] if isinstance(shown, dict | list) == isinstance(given, dict | list) or None in (shown, given) else [where]
