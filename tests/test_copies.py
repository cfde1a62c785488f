"""Nothing is written twice: no stretch of code stands in two places, and no class name means two things."""

from __future__ import annotations

import ast
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "botyard"
MODULES = sorted(path for path in SOURCE.rglob("*.py") if "starters" not in path.parts)
STRETCH = 6  # equal lines that matter, one after another, are a copy
BRACKETS = set("()[]{},:")

Line = tuple[str, int]  # the line without its spaces at both ends, and its number


def lines_that_matter(source: str) -> list[Line]:
    """The lines of a module without what every module has: blank lines, comments, docstrings, imports and lines of
    closing brackets."""
    left_out = set(numbers_left_out(ast.parse(source))) | set(comment_lines(source))
    numbered = [(text.strip(), number) for number, text in enumerate(source.splitlines(), 1)]
    return [(text, number) for text, number in numbered if set(text) - BRACKETS and number not in left_out]


def numbers_left_out(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        is_text = (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        )
        if is_text or isinstance(node, ast.Import | ast.ImportFrom):
            assert isinstance(node, ast.stmt)
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def comment_lines(source: str) -> Iterator[int]:
    for token in tokenize.generate_tokens(iter(source.splitlines(keepends=True)).__next__):
        if token.type == tokenize.COMMENT and token.line.strip().startswith("#"):
            yield token.start[0]


def copies(modules: dict[str, str]) -> list[str]:
    """Every pair of stretches that are equal and as long as they can be, as sentences."""
    windows: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)  # where each stretch begins
    lines = {name: lines_that_matter(source) for name, source in modules.items()}
    for name, own in lines.items():
        for at in range(len(own) - STRETCH + 1):
            windows[tuple(text for text, _ in own[at : at + STRETCH])].append((name, at))
    places = {pair for found in windows.values() for pair in pairs_of(found)}
    told = []
    for one, other in sorted(places):
        if ((one[0], one[1] - 1), (other[0], other[1] - 1)) in places:
            continue  # told where it begins
        length = STRETCH
        while ((one[0], one[1] + length - STRETCH + 1), (other[0], other[1] + length - STRETCH + 1)) in places:
            length += 1
        starts = " and ".join(f"{name}:{lines[name][at][1]}" for name, at in (one, other))
        told.append(f"{length} equal lines at {starts}")
    return told


def pairs_of(found: list[tuple[str, int]]) -> Iterator[tuple[tuple[str, int], tuple[str, int]]]:
    for at, one in enumerate(found):
        yield from ((one, other) for other in found[at + 1 :])


def class_names(modules: dict[str, str]) -> dict[str, list[str]]:
    """The modules in which each class name is given."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, source in modules.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(name)
    return found


def sources() -> dict[str, str]:
    return {str(path.relative_to(SOURCE)): path.read_text() for path in MODULES}


def test_no_stretch_of_code_stands_twice() -> None:
    assert copies(sources()) == []


def test_no_class_name_means_two_things() -> None:
    assert {name: places for name, places in class_names(sources()).items() if len(places) > 1} == {}


def test_a_copy_is_found_where_it_begins_with_all_its_lines() -> None:
    body = "".join(f"    call({number})\n\n    # why\n" for number in range(7))
    one = f"import os\n\ndef first():\n    '''Says.'''\n{body}"
    other = f"def second():\n    other()\n{body}    last()\n"
    assert copies({"one": one, "other": other}) == ["7 equal lines at one:5 and other:3"]
    assert copies({"one": one, "other": other.replace("call(3)", "call(33)")}) == []
    twice = f"def both():\n{body}    between()\n{body}"
    assert copies({"twice": twice}) == ["7 equal lines at twice:2 and twice:24"]


def test_imports_docstrings_and_closing_brackets_are_no_copies() -> None:
    alike = "import a\nimport b\nimport c\nfrom d import (\n    e,\n    f,\n)\n'''One\ntwo\nthree\nfour.'''\n)\n]\n}\n"
    bent = "x = [[[\n    1,\n]\n]\n]\n"
    assert lines_that_matter(alike.rpartition("'''")[0] + "'''\n" + bent) == [("x = [[[", 12), ("1,", 13)]
