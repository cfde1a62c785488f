"""Recipes: what a folder tells about how its bot is built and run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from botyard.jail.languages import LANGUAGES
from botyard.jail.recipe import KEYS, Recipe, recipe_of
from botyard.kernel.errors import YardError
from tests.jail.drawing import drawn

JAVA_MAIN = "public class {} {{ public static void main(String[] words) {{ }} }}"


def steps(recipe: Recipe) -> list[str]:
    """Build and run as they would be typed."""
    return [shlex.join(command) for command in (*recipe.build, recipe.run)]


@pytest.mark.parametrize(
    ("folder", "language", "commands"),
    [
        ("--- main.py\n--- bot.py\n--- util.py", "python", ["python3 main.py"]),
        ("--- bot.py\n--- maps.py", "python", ["python3 bot.py"]),
        ("--- snake.py\n--- README.md", "python", ["python3 snake.py"]),
        ("--- __main__.py\n--- other.py", "python", ["python3 __main__.py"]),
        (
            "--- package.json\n{'main': 'lib/play.js'}\n--- lib/play.js".replace("'", '"'),
            "javascript",
            ["node lib/play.js"],
        ),
        ('--- package.json\n{"name": "x"}\n--- index.js', "javascript", ["node index.js"]),
        ('--- package.json\n{"main": "../../etc/passwd"}\n--- bot.mjs', "javascript", ["node bot.mjs"]),
        ("--- helper.js\n--- main.js", "javascript", ["node main.js"]),
        (
            f"--- Main.java\n{JAVA_MAIN.format('Main')}\n--- Field.java\nclass Field {{}}",
            "java",
            ["javac -encoding UTF-8 -d build Field.java Main.java", "java -XX:+UseSerialGC -cp build Main"],
        ),
        (
            f"--- src/bot/BotStarter.java\npackage bot;\n{JAVA_MAIN.format('BotStarter')}"
            f"\n--- src/test/Try.java\n{JAVA_MAIN.format('Try')}",
            "java",
            [
                "javac -encoding UTF-8 -d build src/bot/BotStarter.java",
                "java -XX:+UseSerialGC -cp build bot.BotStarter",
            ],
        ),
        (
            "--- play.java\nclass Field {}\nclass Player { static public void main(String[] a) {} }",
            "java",
            ["javac -encoding UTF-8 -d build play.java", "java -XX:+UseSerialGC -cp build Player"],
        ),
        ("--- bot.c\nint main(void) {}\n--- map.c\n--- map.h", "c", ["cc -O2 -o agent bot.c map.c -lm", "./agent"]),
        ("--- bot.cpp\nint main() {}", "c++", ["c++ -O2 -std=c++17 -o agent bot.cpp -lm", "./agent"]),
        ("--- go.mod\n--- bot.go", "go", ["go build -o agent .", "./agent"]),
        ("--- b.go\npackage main\n--- b_test.go\npackage main", "go", ["go build -o agent b.go", "./agent"]),
        (
            '--- Cargo.toml\n[package]\nname = "asp"\n--- src/main.rs',
            "rust",
            ["cargo build --release --offline", "./target/release/asp"],
        ),
        (
            '--- Cargo.toml\n[package]\nname = "asp"\n[[bin]]\nname = "bite"\n--- src/main.rs',
            "rust",
            ["cargo build --release --offline", "./target/release/bite"],
        ),
        ("--- main.rs", "rust", ["rustc -O --edition 2021 -o agent main.rs", "./agent"]),
        ("--- simple.lua", "lua", ["lua simple.lua"]),
        ("--- bot.sh\n#!/usr/bin/env bash\n", "shell", ["bash bot.sh"]),
        ("--- run.sh\necho up", "shell", ["sh run.sh"]),
        ("--- Makefile\nagent: bot.c\n--- bot.c\nint main(void) {}", "make", ["make", "./agent"]),
        ("--- Makefile\ntest:\n\tpytest\n--- main.py", "python", ["python3 main.py"]),
        ("--- agent*", "program", ["./agent"]),
        ("--- main.c\nint main(void) {}\n--- agent*", "c", ["cc -O2 -o agent main.c -lm", "./agent"]),
        ("--- main.py\n--- tool.lua\n--- extra.js", "python", ["python3 main.py"]),
    ],
)
def test_a_folder_shows_its_language(tmp_path: Path, folder: str, language: str, commands: list[str]) -> None:
    recipe = recipe_of(drawn(tmp_path / "asp", folder))
    assert (recipe.language, steps(recipe)) == (language, commands)
    assert (recipe.name, recipe.author, recipe.game, recipe.protocol) == ("asp", "", "", "native")
    assert recipe.folder == tmp_path / "asp"


@pytest.mark.parametrize(
    ("file", "commands"),
    [
        ("--- viper.py\n--- main.py", ["python3 viper.py"]),
        ("--- viper.lua\n--- Makefile\nagent:", ["lua viper.lua"]),
        ("--- viper.c\nint main(void) {}\n--- other.c", ["cc -O2 -o agent viper.c -lm", "./agent"]),
        ("--- viper*\n#!/usr/bin/perl", ["./viper"]),
    ],
)
def test_a_file_is_a_bot_of_its_own_whatever_lies_beside_it(tmp_path: Path, file: str, commands: list[str]) -> None:
    drawn(tmp_path, file)
    bot = next(path for path in tmp_path.iterdir() if path.stem == "viper")
    recipe = recipe_of(bot)
    assert steps(recipe) == commands
    assert (recipe.name, recipe.file, recipe.folder) == ("viper", bot.name, tmp_path)


@pytest.mark.parametrize(
    ("folder", "complaint"),
    [
        ("--- README.md", "no program found: name its first file main.py"),
        (
            "--- one.py\n--- two.py",
            "this could be python (python3 one.py), python (python3 two.py): write a botyard.toml",
        ),
        (
            "--- main.py\n--- main.js",
            "this could be python (python3 main.py), javascript (node main.js): write a botyard.toml",
        ),
        ("--- a.py\n--- b.lua", "this could be python (python3 a.py), lua (lua b.lua)"),
        ("--- a.c\nint main() {}\n--- b.c\nint main() {}", "a.c, b.c all have a main function: keep one"),
        (
            f"--- A.java\n{JAVA_MAIN.format('A')}\n--- B.java\n{JAVA_MAIN.format('B')}",
            "java (java -XX:+UseSerialGC -cp build A), java (java -XX:+UseSerialGC -cp build B)",
        ),
        ("--- package.json\n{", "package.json is no JSON"),
        ("--- Cargo.toml\n[dependencies]", "Cargo.toml names no program"),
        ("--- main.py -> /etc/passwd", "main.py: links are not followed"),
        ("--- script.pl", "no program found"),
    ],
)
def test_what_is_missing_or_doubtful_is_named(tmp_path: Path, folder: str, complaint: str) -> None:
    with pytest.raises(YardError, match=re.escape(complaint)):
        recipe_of(drawn(tmp_path / "asp", folder))


def test_a_bot_that_is_not_there_is_named() -> None:
    with pytest.raises(YardError, match="no file or folder '/nowhere/bot'"):
        recipe_of(Path("/nowhere/bot"))


# botyard.toml


def test_a_manifest_says_it_all(tmp_path: Path) -> None:
    folder = drawn(
        tmp_path,
        """
        --- botyard.toml
        name = "Old Asp"
        author = "Cleo"
        language = "Ada"
        game = "snakepit"
        build = ["gprbuild -q", ["strip", "the asp"]]
        run = "./asp --eager 'two words'"
        protocol = "json"
        --- main.py
        """,
    )
    assert recipe_of(folder) == Recipe(
        name="Old Asp",
        author="Cleo",
        language="Ada",
        game="snakepit",
        build=(("gprbuild", "-q"), ("strip", "the asp")),
        run=("./asp", "--eager", "two words"),
        protocol="json",
        folder=tmp_path,
        found_by="run in botyard.toml",
    )


def test_what_a_manifest_leaves_open_is_seen_from_the_folder(tmp_path: Path) -> None:
    folder = drawn(tmp_path, '--- botyard.toml\nlanguage = "JS"\n--- main.py\n--- main.js\n')
    assert (recipe_of(folder).language, steps(recipe_of(folder))) == ("javascript", ["node main.js"])
    drawn(folder, '--- botyard.toml\nlanguage = "python"\nbuild = "python3 make_tables.py"\n')
    assert steps(recipe_of(folder)) == ["python3 make_tables.py", "python3 main.py"]
    drawn(folder, '--- botyard.toml\nrun = ["python3", "-u", "main.py"]\n')
    assert steps(recipe_of(folder)) == ["python3 -u main.py"]


@pytest.mark.parametrize(
    ("manifest", "complaint"),
    [
        ('nmae = "x"', "'nmae': did you mean 'name'?"),
        ("name = 7", "name = 7: text in quotes is wanted"),
        ('name = " "', "name = ' ': 1 to 60 printable characters"),
        (r'name = "\u001b[31m"', "printable characters"),
        (f'name = "{"x" * 61}"', "1 to 60 printable characters"),
        ('game = "hackmn"', "no game 'hackmn': did you mean 'hackman'?"),
        ('protocol = "xml"', "protocol = 'xml': one of native, json is wanted"),
        ('language = "pyhton"', "no language 'pyhton': did you mean 'python'?"),
        ('language = "lua"', "no program in lua found"),
        ("run = 3", "run = 3: a command line is wanted"),
        ("run = []", "at least one word"),
        ('run = "a \'b"', "No closing quotation"),
        ("build = [1]", "build = [1]: a command line is wanted"),
        ("build = {}", "a command line is wanted"),
        ("name = ", "is no TOML"),
    ],
)
def test_a_wrong_manifest_is_explained(tmp_path: Path, manifest: str, complaint: str) -> None:
    with pytest.raises(YardError, match=re.escape(complaint)):
        recipe_of(drawn(tmp_path, f"--- botyard.toml\n{manifest}\n--- main.py"))


def test_the_page_for_authors_names_every_key_and_language() -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()
    assert [key for key in KEYS if f"\n{key} = " not in page] == []
    assert [language for language in LANGUAGES if f"\n| {language} |" not in page] == []
