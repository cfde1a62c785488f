"""The ways in which a source can be broken: one operator, number, condition or statement at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """One change of one source."""

    area: str
    number: int  # among the mutants of its area, from 1
    path: Path
    function: str
    line: int
    text: str  # the line as it stands
    change: str
    source: str  # the whole changed module


def mutants(area: str, sources: list[Path]) -> Iterator[Mutant]:
    """Every mutant of some sources, in their order."""
    number = 0
    for path in sources:
        text = path.read_text()
        for at in range(len(places(ast.parse(text)))):
            tree = ast.parse(text)
            node, change, function = places(tree)[at]
            line, number = getattr(node, "lineno", 0), number + 1
            said = apply(node, change)
            shown = text.splitlines()[line - 1].strip()
            yield Mutant(area, number, path, function, line, shown, said, ast.unparse(tree))


def places(tree: ast.Module) -> list[tuple[ast.AST, str, str]]:
    """Every place that can be changed, with the kind of change and the function it is in."""
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    return [(node, change, function.name) for function in functions for node, change in changes(function)]


def changes(function: Function) -> Iterator[tuple[ast.AST, str]]:
    for node in own_nodes(function):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
            yield node, "compare"
        elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in ARITHMETIC:
            yield node, "arithmetic"
        elif isinstance(node, ast.BoolOp):
            yield node, "logic"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, "not"
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield node, "number"
        yield from ((child, "drop") for child in statements(node) if droppable(child))
    yield from ((child, "drop") for child in function.body if droppable(child))


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """What is in a function and in none of those inside of it, which are asked for their own; types are not run."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, (*Function.__args__, ast.ClassDef)):
            continue
        yield node
        waiting += [child for child in ast.iter_child_nodes(node) if child is not getattr(node, "annotation", None)]


def statements(node: ast.AST) -> list[ast.stmt]:
    """The statements right inside of another one."""
    if not isinstance(node, ast.stmt | ast.excepthandler):
        return []
    return [child for block in ("body", "orelse", "finalbody") for child in getattr(node, block, [])]


def droppable(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):  # a docstring is no rule
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        return isinstance(value, ast.Call)
    return isinstance(node, (ast.Assign, ast.AugAssign)) and isinstance(target_of(node), (ast.Attribute, ast.Subscript))


def target_of(node: ast.Assign | ast.AugAssign) -> ast.expr:
    return node.targets[0] if isinstance(node, ast.Assign) else node.target


def apply(node: ast.AST, change: str) -> str:
    """Changes the node in place and says how."""
    before = ast.unparse(node)
    if change == "compare":
        assert isinstance(node, ast.Compare)
        node.ops[0] = COMPARISONS[type(node.ops[0])]()
    elif change == "arithmetic":
        assert isinstance(node, (ast.BinOp, ast.AugAssign))
        node.op = ARITHMETIC[type(node.op)]()
    elif change == "logic":
        assert isinstance(node, ast.BoolOp)
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif change == "not":
        assert isinstance(node, ast.UnaryOp)
        node.op = ast.UAdd()
    elif change == "number":
        assert isinstance(node, ast.Constant)
        assert isinstance(node.value, int)
        node.value += 1
    else:
        dropped = ast.parse("0").body[0]
        node.__class__, node.__dict__ = type(dropped), {**node.__dict__, **dropped.__dict__}
        return f"without {before}"
    return f"{before} → {ast.unparse(node)}"
