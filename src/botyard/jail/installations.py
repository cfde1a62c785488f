"""Each family of toolchains is laid out in its own way: this module knows which of its files a cage shows, and where.

A program is run once to say what it belongs to; that it answers at all is the proof that it can run. Of an
installation outside the system only files are listed that are its own: never the folder around a program, which may be
somebody's `~/.local`.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from botyard.jail.toolchains import PLACE, PYTHON, Toolchain, Unusable, in_system, real
from botyard.kernel.errors import MACHINE

ASK_S = 30.0
WORDS = 200  # characters of what a failing program said

TELL_PYTHON = """
import json, sys, sysconfig
known = sysconfig.get_config_vars()
library = known["INSTSONAME"] if known.get("Py_ENABLE_SHARED") else ""
print(json.dumps({
    "version": "python%d.%d" % sys.version_info[:2], "program": sys.executable, "base": sys.base_prefix,
    "stdlib": sysconfig.get_path("stdlib"), "lib": sys.platlibdir, "libdir": known.get("LIBDIR") or "",
    "library": library,
}))
"""


def ask(*command: object) -> str:
    """What a program answers, or why it is of no use."""
    try:
        done = subprocess.run(
            list(map(str, command)), cwd="/", stdin=subprocess.DEVNULL, capture_output=True, timeout=ASK_S, check=False,
            text=True, errors="replace",
        )  # fmt: skip
    except OSError as error:
        if error.errno in MACHINE:
            raise
        raise Unusable(error.strerror or str(error)) from None
    except subprocess.TimeoutExpired:
        raise Unusable(f"no answer within {ASK_S:g} s") from None
    if done.returncode:
        words = " ".join((done.stderr or done.stdout).split())[:WORDS]
        raise Unusable(f"exit status {done.returncode}: {words}")
    return (done.stdout or done.stderr).strip()


def python(program: Path) -> Toolchain:
    """An interpreter with its standard library, and the packages of the virtual environment it belongs to.

    The environment is not run: a file among its packages could make it do anything.
    """
    environment = program.parent.parent if (program.parent.parent / "pyvenv.cfg").is_file() else None
    try:
        told = json.loads(ask(real(program) if environment else program, "-I", "-S", "-c", TELL_PYTHON))
        version, interpreter = str(told["version"]), real(told["program"])
    except (ValueError, KeyError, TypeError):
        raise Unusable("it does not report where it is installed") from None
    base = interpreter_alone(version, interpreter, told)
    return virtual_environment(environment, version, base) if environment else base


def interpreter_alone(version: str, interpreter: Path, told: dict[str, str]) -> Toolchain:
    names = ("python", "python3", version)
    programs = dict.fromkeys(names, interpreter)
    if in_system(interpreter):
        return Toolchain.of_system(programs)
    home, library = PLACE / version, Path(told["libdir"]) / told["library"]
    program = home / "bin" / version
    shown = {program: interpreter, home / told["lib"] / version: real(told["stdlib"])}
    if (Path(told["base"]) / "conda-meta").is_dir():  # its modules want the libraries it brings along
        shown = {program: interpreter, home / "lib": real(Path(told["base"]) / "lib")}
    links = {program.with_name(name): version for name in names if name != version}
    places = {name: program.with_name(name) for name in names}
    if not (told["library"] and library.is_file()):
        return Toolchain(version, programs, places, shown, links)
    shown[home / "lib" / library.name] = real(library)
    return Toolchain(version, programs, places, shown, links, environment={"LD_LIBRARY_PATH": str(home / "lib")})


def virtual_environment(prefix: Path, version: str, base: Toolchain) -> Toolchain:
    """Its packages alone. It finds the interpreter by a file that names the real place, so that one is written anew."""
    home, names = PLACE / f"{version}-environment", ("python", "python3", version)
    interpreter = base.places[version]
    packages = Path("lib") / version / "site-packages"
    return Toolchain(
        name=home.name,
        programs=dict.fromkeys(names, prefix / "bin" / "python"),
        places={name: home / "bin" / name for name in names},
        shown={**base.shown, home / packages: real(prefix / packages)},
        links={**base.links, **{home / "bin" / name: str(interpreter) for name in names}},
        texts={home / "pyvenv.cfg": f"home = {interpreter.parent}\n{includes_system(prefix)}\n"},
        environment=base.environment,
    )


def includes_system(prefix: Path) -> str:
    try:
        said = re.search(r"^include-system-site-packages\s*=\s*true", (prefix / "pyvenv.cfg").read_text(), re.M | re.I)
    except (OSError, UnicodeDecodeError):
        said = None
    return f"include-system-site-packages = {'true' if said else 'false'}"


def node(program: Path) -> Toolchain:
    """npm and npx are scripts that lie beside it."""
    machine = program if program.name == "node" else program.with_name("node")
    lies = real(ask(machine, "-p", "process.execPath"))
    if in_system(lies):
        return Toolchain.of_system({program.name: program})
    home, modules = PLACE / "node", lies.parent.parent / "lib" / "node_modules"
    programs, shown, links = {"node": lies}, {home / "bin" / "node": lies}, {}
    if (modules / "npm").is_dir():
        shown[home / "lib" / "node_modules"] = modules
        for name in ("npm", "npx"):
            programs[name] = lies.with_name(name)
            links[home / "bin" / name] = f"../lib/node_modules/npm/bin/{name}-cli.js"
    return Toolchain("node", programs, {name: home / "bin" / name for name in programs}, shown, links)


def java(program: Path) -> Toolchain:
    """A Java machine and its compiler, which is found by the machine that lies beside it."""
    machine = program if program.name == "java" else real(program).with_name("java")
    said = re.search(r"java\.home = (.+)", ask(machine, "-XshowSettings:properties", "-version"))
    if not said:
        raise Unusable("it does not report where it is installed")
    home = Path(said[1].strip())
    if in_system(home / "bin" / program.name):
        return Toolchain.of_system({program.name: program})
    if not (home / "release").is_file():
        raise Unusable(f"{home} is not the folder of a Java installation")
    programs = {name: home / "bin" / name for name in ("java", "javac", "jar") if (home / "bin" / name).is_file()}
    parts = [part for part in ("bin", "lib", "conf", "jmods", "release") if (home / part).exists()]
    place = PLACE / "java"
    shown = {place / part: real(home / part) for part in parts}
    return Toolchain("java", programs, {name: place / "bin" / name for name in programs}, shown)


def go(program: Path) -> Toolchain:
    root = real(ask(program, "env", "GOROOT") if program.name == "go" else real(program).parent.parent)
    if in_system(root):
        return Toolchain.of_system({program.name: program})
    programs = {name: root / "bin" / name for name in ("go", "gofmt") if (root / "bin" / name).is_file()}
    home = PLACE / "go"
    parts = [*(f"bin/{name}" for name in programs), "pkg", "src", "lib", "go.env", "VERSION"]
    shown = {home / part: root / part for part in parts if (root / part).exists()}
    return Toolchain("go", programs, {name: home / "bin" / name for name in programs}, shown)


def rust(program: Path) -> Toolchain:
    """rustc knows where it lies; cargo does not say, but it lies beside it or with it behind rustup."""
    if program.name == "cargo":
        ask(program, "--version")
    compiler = program if program.name == "rustc" else program.with_name("rustc")
    root = real(ask(compiler, "--print", "sysroot"))
    if in_system(root):
        return Toolchain.of_system({program.name: program})
    programs = {name: root / "bin" / name for name in ("rustc", "cargo", "rustdoc") if (root / "bin" / name).is_file()}
    parts = [*(f"bin/{name}" for name in programs), "lib/rustlib", "libexec"]
    parts += [f"lib/{library.name}" for library in sorted((root / "lib").glob("lib*.so*"))]
    home = PLACE / "rust"
    shown = {home / part: root / part for part in parts if (root / part).exists()}
    return Toolchain("rust", programs, {name: home / "bin" / name for name in programs}, shown)


def lua(program: Path) -> Toolchain:
    ask(program, "-v")
    if in_system(program):
        return Toolchain.of_system({program.name: program})
    place = PLACE / "lua" / "bin" / program.name
    return Toolchain("lua", {program.name: program}, {program.name: place}, {place: real(program)})


Family = Callable[[Path], Toolchain]

FAMILIES: dict[str, Family] = {
    "node": node, "npm": node, "npx": node, "java": java, "javac": java, "jar": java, "go": go, "gofmt": go,
    "rustc": rust, "cargo": rust, "rustdoc": rust,
    **dict.fromkeys(("lua", "luajit", "lua5.1", "lua5.2", "lua5.3", "lua5.4"), lua),
}  # fmt: skip

# One program of each family, to find all of them by; every file a cage shows takes time, so each has what it can use.
INTERPRETERS = ("python3", "node", "java", "lua")
COMPILERS = ("go", "rustc")


def family_of(name: str) -> Family | None:
    return python if PYTHON.fullmatch(name) else FAMILIES.get(name)
