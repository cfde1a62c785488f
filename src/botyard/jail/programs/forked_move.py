"""One move of a Python bot runs in a child of the fork server, as `python OPTIONS FILE TEXT` would run it.

Executed before `fork_server.py` and in the same namespace, by the bot's own interpreter; see there.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` is large, and every page of memory is paid for in every move
    from typing import TextIO

import _random
import _signal  # type: ignore[import-not-found]  # as little as possible is imported, and `signal` brings much along
import _thread
import atexit
import gc
import itertools
import os
import sys
from types import CodeType

LOST_OUTPUT = 120  # the interpreter's own number for it

# Imported once instead of in every move, if the bot names them: harmless to import, and the same after a fork (apart
# from `random`, which is given a new seed).
IMPORTED_EARLY = {
    "argparse", "array", "ast", "bisect", "cmath", "collections", "contextlib", "copy", "dataclasses", "datetime",
    "decimal", "enum", "fractions", "functools", "heapq", "io", "itertools", "json", "math", "numbers", "operator",
    "pathlib", "pprint", "queue", "random", "re", "statistics", "string", "struct", "textwrap", "time", "traceback",
    "types", "typing", "warnings",
}  # fmt: skip

seed = _random.Random.seed


class Unable(Exception):
    """This machine does not let us shut a move in."""


class MoveBot:
    """The bot's file, as `python OPTIONS FILE TEXT` would run it."""

    def __init__(self, named: str, options: list[str]) -> None:
        self._named, self._options = named, options
        self._file = named if os.path.isabs(named) else f"{os.getcwd()}/{named}"
        self._folder = os.path.dirname(os.path.realpath(named))
        with open(named, "rb") as stream:
            self._source = stream.read()
        self._code: CodeType | None = None
        self._dice: _random.Random | None = None  # those of the module `random`, if the bot names it
        self._main = sys.modules["__main__"].__dict__
        self._check_names()

    def _check_names(self) -> None:
        """A file beside the bot may take the place of a standard module; here those are loaded already."""
        standard = getattr(sys, "stdlib_module_names", sys.modules)
        beside = {entry.partition(".")[0] for entry in os.listdir(self._folder)}
        for name in sorted(beside.intersection(standard)):
            raise Unable(f"a file beside the bot is named like the standard module {name}")

    def compile(self) -> CodeType:
        return compile(self._source, self._file, "exec", dont_inherit=True)

    def prepare(self, compiles: bool) -> None:
        """What every move would do first is done once."""
        if compiles:
            self._code = self.compile()
            names = names_in(self._code)
            for name in sorted(names & IMPORTED_EARLY):
                __import__(name)
            if "random" in names:
                self._dice = sys.modules["random"]._inst
        if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
            sys.path[0] = self._folder
        loader = sys.modules["_frozen_importlib_external"].SourceFileLoader("__main__", self._file)
        self._main.update(__file__=self._file, __loader__=loader, __cached__=None)
        sys.argv = [self._named]
        if hasattr(sys, "orig_argv"):
            sys.orig_argv = [sys.orig_argv[0], *self._options, self._named]
        if self._dice is None:
            sys.modules.pop("random", None)  # who comes to it by another way starts it anew, with a new seed
        self._modules = len(sys.modules)
        atexit._clear()  # what was to be done at the end of this process is nothing a move has to do

    def play(self, text: str) -> None:
        """Runs it to its end, which is the end of this process."""
        sys.argv.append(text)
        if hasattr(sys, "orig_argv"):
            sys.orig_argv.append(text)
        # Only now: the sleeper, who is signalled as well, would run a handler of our parent's in our parent's memory.
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        if self._dice is not None:
            seed(self._dice)
        status = 0
        try:
            exec(self._code or self.compile(), self._main)
        except BaseException as error:
            status = show(error)
        leave(status, self._modules)


def names_in(code: CodeType) -> set[str]:
    """Every name a piece of code uses, imports among them."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= names_in(constant)
    return names


def show(error: BaseException) -> int:
    """What the interpreter does with an error nobody caught: words on standard error, and a status to exit with."""
    if isinstance(error, SystemExit):
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        sys.stderr.write(f"{error.code}\n")
        return 1
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_globals is not sys.modules["__main__"].__dict__:
        trace = trace.tb_next  # begins with the bot's own file; one that does not compile has none
    sys.excepthook(type(error), error.with_traceback(trace), trace)
    if isinstance(error, KeyboardInterrupt):
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        os.kill(os.getpid(), _signal.SIGINT)
    return 1


def leave(status: int, ours: int) -> None:
    """Ends as the interpreter does: threads, exit functions, then what the bot made, which may have more to write.

    The modules that were there before the bot are not taken down: that would touch most of the memory we share with
    our parent, and took longer than everything else together.
    """
    try:
        if _thread._count() and "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        atexit._run_exitfuncs()
        flush(sys.stdout, sys.stderr)
        take_down("__main__", ours)
    except BaseException:
        os._exit(status or LOST_OUTPUT)
    os._exit(status & 0xFF)


def take_down(main: str, ours: int) -> None:
    made = list(itertools.islice(reversed(sys.modules), max(0, len(sys.modules) - ours)))
    for name in (main, *made):
        getattr(sys.modules[name], "__dict__", {}).clear()
    gc.collect()
    flush(sys.__stdout__, sys.__stderr__)


def flush(*streams: TextIO | None) -> None:
    for stream in streams:
        if stream is not None and not stream.closed:
            stream.flush()
