"""This module makes Numba compile each rule once, as a part of whatever calls it, and find the result on disk again.

This module uses names inside Numba. `compiler.py` tries it out and does without it where it fails. A rule is compiled
in one of two ways, depending on who calls it:

* A rule *called from Python* is an entry: machine code, which is kept on disk.
* A rule *called by another rule* is a part: its types are inferred and its instructions generated once, for 64-bit
  integers whatever field or constant they come from, but they become machine code only within the entry. Numba alone
  would do all of that for every rule, together with all it calls, and again for every width and every constant: twice
  the time for slower code (`docs/decisions/013-parts-and-entries.md`).

Loading is quick because it does not start the compiler. Numba alone would import all it knows of NumPy, fill its
registries and compile its runtime, some 0.15 s at every start. The machine code of rules needs none of that.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba.core import caching, codegen, compiler, types
from numba.core.typing import templates

from botyard.kernel import cache

njit: Any = numba.njit  # type checkers know too little of these
unliteral: Any = types.unliteral
FunctionCache: Any = caching.FunctionCache
Flags: Any = compiler.Flags
Compiler: Any = compiler.Compiler
compile_extra: Any = compiler.compile_extra
make_template: Any = templates.make_concrete_template
JITCodeLibrary: Any = codegen.JITCodeLibrary
parse_assembly: Any = binding.parse_assembly


def compile_in_parts(function: Callable[..., Any], options: dict[str, Any], folder: Path | None = None) -> Any:
    """Returns a rule that is compiled when it is first called, unless it is on disk (in `folder`, if one is named)."""
    # Rules allocate nothing, so they need no runtime that counts references; nobody calls them from C.
    dispatcher = njit(**options, _nrt=False, no_cfunc_wrapper=True, pipeline_class=EntryCompiler)(function)
    # A CUDA kernel compiles the rule again with the same options, and does not know these two.
    dispatcher.targetoptions = {"nopython": True, **options}
    dispatcher._compilation_chain_init_hook = no_extensions
    dispatcher._cache = QuickCache(function, folder)
    parts = Parts(dispatcher)
    dispatcher.get_call_template, dispatcher.get_overload = parts.get_call_template, parts.get_overload
    return dispatcher


def no_extensions() -> None:
    """Does nothing, where Numba would search all installed packages for extensions of itself."""


class QuickCache:
    """The disk cache of one entry, with the methods that Numba calls. Most rules never use theirs."""

    def __init__(self, function: Callable[..., Any], folder: Path | None) -> None:
        self._function, self._folder = function, folder

    @cached_property
    def _files(self) -> Any:
        cache.install(self._function, caching, self._folder)
        return FunctionCache(self._function)

    @property
    def cache_path(self) -> str:
        return str(self._files.cache_path)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        return self._files._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):  # no room: the rule runs all the same
            self._files.save_overload(sig, data)


class Parts:
    """One rule as other rules call it, compiled for each list of argument types."""

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher
        self._signatures: dict[tuple[Any, ...], Any] = {}
        self._libraries: dict[tuple[Any, ...], PartLibrary] = {}

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Returns what Numba's type inference needs to know of a call."""
        wide = {name: widened(kind) for name, kind in kws.items()}
        python_signature, folded = self._dispatcher.fold_argument_types(tuple(map(widened, args)), wide)
        kinds = tuple(folded)
        if kinds not in self._libraries:
            self._compile(kinds)
        name = self._dispatcher.py_func.__name__
        # Only the signature that fits, or Numba would compare it with those for records of other games.
        return make_template(name, key=name, signatures=[self._signatures[kinds]]), python_signature, kinds, {}

    def get_overload(self, kinds: Any) -> PartLibrary:
        """Returns the part for these types, as Numba's code generation asks for it."""
        return self._libraries[tuple(kinds)]

    def _compile(self, kinds: tuple[Any, ...]) -> None:
        of = self._dispatcher
        flags = Flags()
        of.targetdescr.options.parse_as_flags(flags, of.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        flags.nrt = False
        library = PartLibrary(of.targetctx.codegen(), of.py_func.__qualname__)
        made = compile_extra(of.typingctx, of.targetctx, of.py_func, kinds, None, flags, {}, library)
        of.targetctx.insert_user_function(library, made.fndesc, [library])
        self._signatures[kinds], self._libraries[kinds] = made.signature, library


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Holds the instructions of a part and the parts they call; nothing is linked or optimised here."""

    def finalize(self) -> None:
        self._finalized = True


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Holds an entry with all its parts."""

    def finalize(self) -> None:
        """Links every part once and makes it private, so that LLVM sees all its callers and drops it after inlining."""
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        for library in called_by(self):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage = "internal"
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def serialize_using_object_code(self) -> Any:
        """Returns what is kept on disk: machine code and its names. Numba alone would keep all instructions as well."""
        self._ensure_finalized()
        names = [one.name for one in self._final_module.functions if not one.is_declaration]
        stubs = "".join(f'define void @"{name}"() {{ unreachable }}\n' for name in names)
        return self.name, "object", (self._get_compiled_object(), parse_assembly(stubs).as_bitcode())


def called_by(library: Any) -> list[Any]:
    """Returns the libraries that a library needs, each once, parts of parts included, and each after all its callers.

    LLVM links a part only if something that is linked already calls it. A call in a branch that is never taken, because
    of the size of a board, say, is gone by then: what a part behind it calls must wait for its other callers.
    """
    found: list[Any] = []
    collect_called(library, found)
    return found[::-1]


def collect_called(library: Any, found: list[Any]) -> None:
    """Adds the libraries that a library needs, each before its callers."""
    for called in library._linking_libraries:
        if called not in found:
            if isinstance(called, PartLibrary):  # Numba's own libraries contain what they call
                collect_called(called, found)
            found.append(called)


class EntryCompiler(Compiler):  # type: ignore[misc]
    """Numba's own compiler, except that it fills our kind of library."""

    def compile_extra(self, func: Any) -> Any:
        self.state.library = EntryLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()  # so that it can be kept on disk
        return super().compile_extra(func)


def widened(kind: Any) -> Any:
    """Returns the type with which a rule takes an argument: integers are widened to 64 bits."""
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else unliteral(kind)
