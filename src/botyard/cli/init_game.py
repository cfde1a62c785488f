"""`botyard init-game` writes a small complete game to begin with, in a package of its own.

The folder `new_game` holds that game as a working package under the name `newgame`; the command copies it under
another name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from botyard.cli.console import out, print_json, say
from botyard.cli.options import Json
from botyard.kernel.errors import YardError

TEMPLATE = Path(__file__).parent / "new_game"
LEFT_BEHIND = {"__pycache__", ".pytest_cache"}  # files that work on the template leaves, which are not copied


def init_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the game in code, in lower case.")],
    folder: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER]", help="The new folder to write it to; botyard-NAME by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a game to begin with: a package of your own, with rules, a house bot, a starter, tests and a page.

    Example: botyard init-game treasure

    Botyard finds the game once the package is installed. Its tests pass at once; change it from there.
    """
    check_name(name)
    target = folder or Path(f"botyard-{name}")
    files = write_game(name, target)
    if as_json:
        print_json({"game": name, "folder": str(target), "files": files})
        return
    say("wrote {target}: {count} files; src/botyard_{name}/__init__.py says what is where",
        target=target, count=len(files), name=name)  # fmt: skip
    out.print("next:", highlight=False)
    for command in next_commands(name, target):
        say("    {command}", command=command)


def check_name(name: str) -> None:
    """Refuses a name that no game can have, or that another one has."""
    from botyard.games import GAMES
    from botyard.games.others import GAME_NAME, NAME_WORDS

    if not GAME_NAME.fullmatch(name):
        raise YardError(f"no game can be called {name!r}", hint=f"a name is {NAME_WORDS}, as in treasure")
    if name in GAMES:
        raise YardError(f"there already is a game {name!r}, in {GAMES[name]}", hint="choose another name")


def write_game(name: str, target: Path) -> list[str]:
    """Writes the template under a name into a new or empty folder, and returns the paths of its files."""
    from botyard.games.new_folder import fill_new_folder

    contents = {
        renamed(str(source.relative_to(TEMPLATE)), name): renamed(source.read_text(), name).encode()
        for source in template_files()
    }
    fill_new_folder(target, contents)
    return list(contents)


def template_files() -> list[Path]:
    return [path for path in sorted(TEMPLATE.rglob("*")) if path.is_file() and not LEFT_BEHIND & set(path.parts)]


def renamed(text: str, name: str) -> str:
    """Returns a text of the template with the game's name in all its forms: in code, of classes, and for people."""
    words = name.split("_")
    title = " ".join(words).capitalize()
    classes = "".join(word.capitalize() for word in words)
    return text.replace("newgame", name).replace("Newgame", classes).replace("New game", title)


def next_commands(name: str, folder: Path) -> list[str]:
    from shlex import quote

    return [
        f"cd {quote(str(folder))}",
        'pip install -e ".[test]"',
        "pytest",
        f"botyard play {name} house:gatherer house:gatherer --watch",
    ]
