"""Manifests: what a folder tells about how its bot is built and run."""

from __future__ import annotations

import contextlib
import re
import shlex
from pathlib import Path

import pytest

from botyard.jail.languages import LANGUAGES
from botyard.jail.manifest import KEYS, Manifest, manifest_of
from botyard.kernel.errors import YardError
from tests.jail.drawing import drawn

JAVA_MAIN = "public class {} {{ public static void main(String[] words) {{ }} }}"


def steps(manifest: Manifest) -> list[str]:
    """Build and run as they would be typed."""
    return [shlex.join(command) for command in (*manifest.build, manifest.run)]


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
        ("--- -c.py", "python", ["python3 ./-c.py"]),
        ("--- -rf.rs", "rust", ["rustc -O --edition 2021 -o agent ./-rf.rs", "./agent"]),
        ("--- -I.c\nint main(void) {}", "c", ["cc -O2 -o agent ./-I.c -lm", "./agent"]),
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
    manifest = manifest_of(drawn(tmp_path / "asp", folder))
    assert (manifest.language, steps(manifest)) == (language, commands)
    assert (manifest.name, manifest.author, manifest.game, manifest.protocol) == ("asp", "", "", "native")
    assert manifest.folder == tmp_path / "asp"


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
    manifest = manifest_of(bot)
    assert steps(manifest) == commands
    assert (manifest.name, manifest.file, manifest.folder) == ("viper", bot.name, tmp_path)


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
        ("--- package.json\n{", "package.json is not valid JSON"),
        ("--- Cargo.toml\n[dependencies]", "Cargo.toml names no program"),
        ("--- main.py -> /etc/passwd", "main.py: links are not followed"),
        ("--- script.pl", "no program found"),
    ],
)
def test_what_is_missing_or_doubtful_is_named(tmp_path: Path, folder: str, complaint: str) -> None:
    with pytest.raises(YardError, match=re.escape(complaint)):
        manifest_of(drawn(tmp_path / "asp", folder))


@pytest.mark.parametrize(
    ("folder", "found_by"),
    [
        ("--- main.py\n--- bot.py", "its name main.py"),
        ("--- snake.py\n--- README.md", "the only .py file"),
        ("--- snake.py\n--- setup.py\n--- conftest.py\n--- test_snake.py\n--- __init__.py", "the only .py file"),
        ('--- package.json\n{"main": "lib"}\n--- lib/index.js', "main of package.json"),
        ('--- package.json\n{"main": "./lib/../play"}\n--- play.js\n--- main.js', "main of package.json"),
        ("--- play.js\n--- webpack.config.js\n--- karma.conf.js\n--- .eslintrc.js", "the only .js file"),
        ("--- play.mjs\n--- Gruntfile.js\n--- gulpfile.js\n--- jest.setup.js", "the only .mjs file"),
        (f"--- Main.java\n{JAVA_MAIN.format('Main')}\n--- tool.py", "its name Main.java"),
        (f"--- play.java\n{JAVA_MAIN.format('Play')}", "the only main method"),
        ("--- bot.c\nint main(void) {}\n--- plot.py", "the main function in bot.c"),
        ("--- go.mod\n--- bot.go", "go.mod"),
        ("--- bot.go\npackage main", "package main"),
        ('--- Cargo.toml\n[package]\nname = "asp"\n--- src/main.rs\n--- build.rs', "Cargo.toml"),
        ("--- play.rs\nfn main() {}\n--- build.rs", "the only .rs file"),
        ("--- Makefile\nagent: bot.c\n--- bot.c\nint main(void) {}\n--- main.py", "a Makefile that builds agent"),
        ("--- Makefile\nTARGET := agent\n$(TARGET): x\n--- main.py", "a Makefile that builds agent"),
        ("--- Makefile\nall:\n\tcc -o ../bin/agent x.c\n--- main.py", "a Makefile that builds agent"),
        ("--- Makefile\n# for my agent\nlint:\n\truff\n--- main.py", "its name main.py"),
        ("--- Makefile\n# about the agent\n", "a Makefile that speaks of agent"),
        ("--- agent*", "its name agent"),
        ("--- viper*", "the only file"),
        ('--- botyard.toml\nrun = "lua x.lua"', "run in botyard.toml"),
        ('--- botyard.toml\nlanguage = "js"\n--- main.py\n--- main.js', "its name main.js, language in botyard.toml"),
    ],
)
def test_a_manifest_says_what_told_how_the_bot_runs(tmp_path: Path, folder: str, found_by: str) -> None:
    assert manifest_of(drawn(tmp_path / "asp", folder)).found_by == found_by


def test_a_file_that_is_named_is_the_program_whatever_its_name(tmp_path: Path) -> None:
    drawn(tmp_path, "--- setup.py\n--- main.py")
    manifest = manifest_of(tmp_path / "setup.py")
    assert (manifest.run, manifest.found_by) == (("python3", "setup.py"), "the file itself")


TWO_MAINS = f"--- a/Main.java\n{JAVA_MAIN.format('Main')}\n--- b/Main.java\n{JAVA_MAIN.format('Main')}"


@pytest.mark.parametrize(
    ("folder", "candidates"),
    [
        ("--- bot.py\n--- agent.py", ["python3 bot.py", "python3 agent.py"]),
        ("--- index.js\n--- main.js", ["node index.js", "node main.js"]),
        ("--- main.js\n--- main.mjs", ["node main.js", "node main.mjs"]),
        (f"--- Play.java\n{JAVA_MAIN.format('Play')}\n--- snake.py", ["python3 snake.py", "build Play"]),
        (f"--- client/Main.java\n{JAVA_MAIN.format('Main')}\n--- snake.py", ["python3 snake.py", "build Main"]),
        (f"--- src/{TWO_MAINS[4:].replace('--- b', '--- src/b')}", ["build Main", "build Main"]),
        (f"--- Bot.java\n{JAVA_MAIN.format('Bot')}\n--- MyBot.java\n{JAVA_MAIN.format('MyBot')}", ["MyBot", "Bot"]),
        ("--- agent*\n--- snake.py", ["python3 snake.py", "./agent"]),
        ("--- Makefile\n# the agent\n--- snake.py", ["python3 snake.py", "make (./agent)"]),
        (
            '--- Cargo.toml\n[package]\nname = "a"\n[[bin]]\nname = "x"\n[[bin]]\nname = "y"',
            ["./target/release/x", "./target/release/y"],
        ),
        (
            '--- Cargo.toml\n[package]\nname = "a"\n--- src/bin/x.rs\n--- src/bin/y/main.rs',
            ["./target/release/x", "./target/release/y"],
        ),
    ],
)
def test_among_equals_nothing_is_picked(tmp_path: Path, folder: str, candidates: list[str]) -> None:
    with pytest.raises(YardError, match="this could be") as refused:
        manifest_of(drawn(tmp_path / "asp", folder))
    assert [one for one in candidates if one not in refused.value.message] == []
    assert "write a botyard.toml that says" in refused.value.hint


def test_a_package_of_several_programs_may_say_which_it_runs(tmp_path: Path) -> None:
    cargo = '--- Cargo.toml\n[package]\nname = "a"\ndefault-run = "y"\n[[bin]]\nname = "x"\n[[bin]]\nname = "y"'
    assert manifest_of(drawn(tmp_path / "asp", cargo)).run == ("./target/release/y",)


@pytest.mark.parametrize("name", ["webpack.config.js", "karma.conf.js", ".eslintrc.js", "setup.py", "test_map.py"])
def test_what_sets_up_or_tests_a_program_is_never_the_program(tmp_path: Path, name: str) -> None:
    with pytest.raises(YardError, match="no program found"):
        manifest_of(drawn(tmp_path / "asp", f"--- {name}\n--- README.md"))


@pytest.mark.parametrize("name", ["../../../bin/x", "a/b", "", "x" * 300, "\\u0000", "a b"])
def test_a_package_names_its_program_by_a_plain_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(YardError, match=r"Cargo\.toml"):
        manifest_of(drawn(tmp_path / "asp", f'--- Cargo.toml\n[package]\nname = "a"\n[[bin]]\nname = "{name}"'))


@pytest.mark.parametrize("name", ["a.c", "A.java", "a.go", "Makefile", "a.sh", "package.json", "Cargo.toml"])
@pytest.mark.parametrize("filling", ["\n", "int\n", "agent ", "-o", "public static ", "#! sh ", "a.", "{", "class A "])
def test_a_megabyte_of_anything_is_looked_at_in_no_time(tmp_path: Path, name: str, filling: str) -> None:
    (tmp_path / name).write_text(filling * (1_000_000 // len(filling)))
    with contextlib.suppress(YardError):
        manifest_of(tmp_path)


def test_a_bot_that_cannot_be_looked_at_is_its_own_misfortune(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for odd in ("x" * 300, "loop", "a\0b"):
        with pytest.raises(YardError, match=r"cannot access|no file or folder"):
            manifest_of(tmp_path / odd)


def test_a_bot_that_is_not_there_is_named() -> None:
    with pytest.raises(YardError, match="no file or folder '/nowhere/bot'"):
        manifest_of(Path("/nowhere/bot"))


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
    assert manifest_of(folder) == Manifest(
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
    assert (manifest_of(folder).language, steps(manifest_of(folder))) == ("javascript", ["node main.js"])
    drawn(folder, '--- botyard.toml\nlanguage = "python"\nbuild = "python3 make_tables.py"\n')
    assert steps(manifest_of(folder)) == ["python3 make_tables.py", "python3 main.py"]
    drawn(folder, '--- botyard.toml\nrun = ["python3", "-u", "main.py"]\n')
    assert steps(manifest_of(folder)) == ["python3 -u main.py"]


@pytest.mark.parametrize(
    ("manifest", "complaint"),
    [
        ('nmae = "x"', "'nmae': did you mean 'name'?"),
        ("name = 7", "name = 7: must be a string in quotes"),
        ('name = " "', "name = ' ': must have 1 to 60 printable characters"),
        (r'name = "\u001b[31m"', "printable characters"),
        (f'name = "{"x" * 61}"', "1 to 60 printable characters"),
        ('game = "hackmn"', "unknown game 'hackmn': did you mean 'hackman'?"),
        ('protocol = "xml"', "protocol = 'xml': must be one of native, json"),
        ('language = "pyhton"', "unknown language 'pyhton': did you mean 'python'?"),
        ('language = "lua"', "no program in lua found"),
        ("run = 3", "run = 3: must be a command line"),
        ("run = []", "at least one word"),
        ('run = "a \'b"', "No closing quotation"),
        ("build = [1]", "build = [1]: must be a command line"),
        ("build = {}", "must be a command line"),
        ("name = ", "is not valid TOML"),
    ],
)
def test_a_wrong_manifest_is_explained(tmp_path: Path, manifest: str, complaint: str) -> None:
    with pytest.raises(YardError, match=re.escape(complaint)):
        manifest_of(drawn(tmp_path, f"--- botyard.toml\n{manifest}\n--- main.py"))


@pytest.mark.parametrize("content", ["[" * 100_000, "9" * 5000, '{"main": "a", "main": "b"}', "[NaN]"])
def test_a_package_file_that_means_harm_is_refused_but_hides_no_other_program(tmp_path: Path, content: str) -> None:
    folder = drawn(tmp_path, f"--- package.json\n{content}\n")
    with pytest.raises(YardError, match=r"package\.json"):
        manifest_of(folder)
    assert manifest_of(drawn(folder, "--- main.py")).run == ("python3", "main.py")


def test_sources_too_many_for_one_command_line_are_refused(tmp_path: Path) -> None:
    for number in range(600):
        (tmp_path / f"{'x' * 200}{number}.c").write_text("")
    with pytest.raises(YardError, match="a command line of more than 96 KB"):
        manifest_of(drawn(tmp_path, "--- main.c\nint main(void) {}"))
    for path in tmp_path.iterdir():
        path.unlink()
    java = f"--- Main.java\npackage {'p' * 20_000};\n{JAVA_MAIN.format('Main')}"
    with pytest.raises(YardError, match="at most 1000 words"):
        manifest_of(drawn(tmp_path, java))


def test_the_page_for_authors_names_every_key_and_language() -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()
    assert [key for key in KEYS if f"\n{key} = " not in page] == []
    assert [language for language in LANGUAGES if f"\n| {language} |" not in page] == []
