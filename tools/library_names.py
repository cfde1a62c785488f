"""Public names of the library as their sources have them: signatures, docstrings, attributes and methods.

Sources are read, never imported, so that nothing depends on the Python that reads them or on packages that are
installed. A name that its source does not explain is an error.
"""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
LINE = 96  # characters of a signature in a row

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Member:
    """An attribute, a property or a method of a class."""

    name: str
    shown: str  # a method's call, or the kind of an attribute
    about: str


@dataclass(frozen=True)
class Entry:
    """A class or a function that users import."""

    call: str
    about: str
    attributes: tuple[Member, ...] = ()
    methods: tuple[Member, ...] = ()


@dataclass
class ModuleSource:
    """One module as it is written."""

    name: str
    text: str
    tree: ast.Module = field(init=False)
    comments: dict[int, str] = field(init=False)  # by line

    def __post_init__(self) -> None:
        self.tree = ast.parse(self.text)
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        self.comments = {at.start[0]: at.string.lstrip("# ") for at in tokens if at.type == tokenize.COMMENT}

    @property
    def public(self) -> list[str]:
        """The names of `__all__`."""
        return [str(name) for name in ast.literal_eval(self.assigned("__all__").value)]

    @property
    def extra(self) -> str:
        """The extra that the module needs; empty if it needs none."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "extra":
                return str(ast.literal_eval(node.args[0]))
        return ""

    @property
    def about(self) -> str:
        return explained(self.name, ast.get_docstring(self.tree))

    def defined(self, name: str) -> ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | None:
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
                return node
        return None

    def assigned(self, name: str) -> ast.Assign:
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and name in written(node.targets):
                return node
        raise LookupError(f"{self.name} has no {name}")

    def imported_from(self, name: str) -> str:
        """The module that a name of this one comes from; empty if it is its own."""
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names):
                return node.module or ""
        return ""

    def words(self, node: ast.AST) -> str:
        return " ".join((ast.get_source_segment(self.text, node) or "").split())


@cache
def module_source(name: str) -> ModuleSource:
    path = SOURCE.joinpath(*name.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ModuleSource(name, file.read_text(encoding="utf-8"))


def written(targets: list[ast.expr]) -> list[str]:
    """The names that an assignment writes."""
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


def explained(where: str, text: str | None) -> str:
    """The text, without examples that were written for one's own names; nothing is not enough."""
    parts = inspect.cleandoc(text or "").split("\n\n")
    told = "\n\n".join(part for part in parts if not part.startswith(">>>"))
    if not told:
        raise LookupError(f"{where} has no docstring, so that the page cannot explain it")
    return told


# Names of a module


def home_of(name: str) -> str:
    """The module that a name of the package itself comes from."""
    for node in ast.walk(module_source("botyard").tree):
        if isinstance(node, ast.ImportFrom) and any(alias.asname == name for alias in node.names):
            return node.module or ""
    raise LookupError(f"botyard has no {name}")


def package_names() -> list[str]:
    return [str(name) for name in ast.literal_eval(module_source("botyard").assigned("_HOMES").value)]


def entry_of(module: str, name: str) -> Entry:
    """The entry of a name that a module defines: a class, a function, or another name for one."""
    source = module_source(module)
    node = source.defined(name)
    if node is None and (made := source.assigned(name).value) and isinstance(made, ast.Call):
        node = source.defined(source.words(made.args[0]))  # a function that is called in another way
    if node is None:
        return Entry("", alias_about(module, name)[1])
    about = explained(f"{module}.{name}", ast.get_docstring(node))
    if not isinstance(node, ast.ClassDef):
        return Entry(signature(source, node, name), about)
    return Entry(constructor(source, node), about, tuple(attributes(source, node)), tuple(methods(source, node)))


def alias_about(module: str, name: str) -> tuple[str, str]:
    """What a name for a type stands for, and what its module says about it."""
    source = module_source(module)
    if (node := source.defined(name)) is not None:
        return "", explained(f"{module}.{name}", ast.get_docstring(node)).partition("\n\n")[0]
    for part, after in pairwise(source.tree.body):
        if not isinstance(part, ast.Assign | ast.AnnAssign) or part.value is None:
            continue
        if name in written(part.targets if isinstance(part, ast.Assign) else [part.target]):
            return source.words(part.value), explained(f"{module}.{name}", text_of(after))
    raise LookupError(f"{module} has no {name}")


def text_of(node: ast.stmt) -> str | None:
    """The text of a statement that is nothing but one."""
    value = node.value if isinstance(node, ast.Expr) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def kinds_of(module: str, base: str) -> Iterator[tuple[str, str]]:
    """The classes of a module that stand right below another, each with the first paragraph about it."""
    for node in module_source(module).tree.body:
        if isinstance(node, ast.ClassDef) and base in written(node.bases):
            yield node.name, explained(f"{module}.{node.name}", ast.get_docstring(node)).partition("\n\n")[0]


# Members of a class


def family(source: ModuleSource, node: ast.ClassDef) -> Iterator[tuple[ModuleSource, ast.ClassDef]]:
    """A class and those of its bases that are ours."""
    yield source, node
    for base in node.bases:
        if isinstance(base, ast.Name) and source.imported_from(base.id).startswith("botyard."):
            above = module_source(source.imported_from(base.id))
            inherited = above.defined(base.id)
            if isinstance(inherited, ast.ClassDef):
                yield from family(above, inherited)


def attributes(source: ModuleSource, node: ast.ClassDef) -> Iterator[Member]:
    """The attributes that a class declares, and its properties."""
    seen: set[str] = set()
    for at, kind in family(source, node):
        for part in kind.body:
            member = attribute(at, kind.name, part)
            if member is not None and member.name not in seen:
                seen.add(member.name)
                yield member


def attribute(source: ModuleSource, owner: str, part: ast.stmt) -> Member | None:
    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
        name = part.target.id
        about = source.comments.get(part.end_lineno or part.lineno, "")
        return Member(name, source.words(part.annotation), about) if is_public(name) else None
    if isinstance(part, FUNCTIONS) and is_public(part.name) and "property" in decorators(part):
        about = explained(f"{owner}.{part.name}", ast.get_docstring(part))
        return Member(part.name, source.words(part.returns) if part.returns else "", about)
    return None


def methods(source: ModuleSource, node: ast.ClassDef) -> Iterator[Member]:
    seen: set[str] = set()
    for at, kind in family(source, node):
        for part in kind.body:
            if not isinstance(part, FUNCTIONS) or not is_public(part.name) or "property" in decorators(part):
                continue
            if part.name not in seen:
                seen.add(part.name)
                about = explained(f"{kind.name}.{part.name}", ast.get_docstring(part))
                called = f"{node.name}.{part.name}" if "classmethod" in decorators(part) else part.name
                yield Member(part.name, signature(at, part, called), about)


def is_public(name: str) -> bool:
    return not name.startswith("_") and not name.isupper()


def decorators(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [one.id for one in node.decorator_list if isinstance(one, ast.Name)]


# Signatures


def constructor(source: ModuleSource, node: ast.ClassDef) -> str:
    for at, kind in family(source, node):
        for part in kind.body:
            if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                return signature(at, part, node.name)
    return ""


def signature(source: ModuleSource, node: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> str:
    """How a function is called, with kinds wherever they say something."""
    returned = "" if node.returns is None else source.words(node.returns)
    after = "" if returned in ("", "None", "Any") else f" -> {returned}"
    return f"{name}({', '.join(parameters(source, node.args))}){after}"


def parameters(source: ModuleSource, given: ast.arguments) -> Iterator[str]:
    plain = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    for argument, default in zip(plain, defaults, strict=True):
        if argument.arg not in ("self", "cls"):
            yield parameter(source, argument, default)
    if given.vararg is not None:
        yield f"*{parameter(source, given.vararg, None)}"
    elif given.kwonlyargs:
        yield "*"
    for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        yield parameter(source, argument, default)
    if given.kwarg is not None:
        yield f"**{parameter(source, given.kwarg, None)}"


def parameter(source: ModuleSource, argument: ast.arg, default: ast.expr | None) -> str:
    kind = "" if argument.annotation is None else source.words(argument.annotation)
    named = argument.arg if kind in ("", "Any") else f"{argument.arg}: {kind}"
    if default is None:
        return named
    return f"{named} = {source.words(default)}" if ":" in named else f"{named}={source.words(default)}"


def in_rows(call: str) -> str:
    """A signature in rows that are short enough, broken between its parameters."""
    if len(call) <= LINE:
        return call
    name, _, rest = call.partition("(")
    inside, _, after = rest.rpartition(")")
    rows, row = [], ""
    for part in between_commas(inside):
        if row and len(row) + len(part) > LINE - 8:
            rows.append(row)
            row = ""
        row += part + " "
    return "\n".join([f"{name}(", *(f"    {one.strip()}" for one in [*rows, row]), f"){after}"])


def between_commas(text: str) -> Iterator[str]:
    """The parameters of a signature, each with its comma; those inside brackets part nothing."""
    depth, start = 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            yield text[start : at + 1].strip()
            start = at + 1
    yield text[start:].strip()
