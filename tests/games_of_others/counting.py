"""How long a game is: its lines of code, without blank lines, comments and docstrings."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}


def code_lines(folder: Path) -> int:
    """Lines of code in all Python files below a folder."""
    return sum(len(lines_of_code(path.read_text())) for path in folder.rglob("*.py"))


def lines_of_code(source: str) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    spoken = {
        line
        for token in tokens
        if token.type not in SILENT and token.type != tokenize.ENDMARKER
        for line in range(token.start[0], token.end[0] + 1)
    }
    return spoken - docstring_lines(ast.parse(source))


def docstring_lines(tree: ast.Module) -> set[int]:
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            text = node.body[0]
            lines.update(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    return lines
