"""What a bot is called that is known by its command line alone."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.links.program_names import program_name


@pytest.mark.parametrize(
    ("line", "name"),
    [
        # The class, with or without a class path
        ("java bots.Nop", "Nop"),
        ("java -cp x bots.Nop", "Nop"),
        ("java -Xmx64m -cp build:lib/x.jar bots.Nop --eager", "Nop"),
        ("java -jar target/cobra.jar", "cobra"),
        ("java nop.Main", "nop"),
        ("java Cobra.java", "Cobra"),
        ("java --module arena/bots.Nop", "Nop"),
        # The module
        ("python3 -m pkg.bot", "pkg"),
        ("python3 -u -m adders.asp", "asp"),
        ("python3.11 -X dev -m asp.__main__", "asp"),
        # The file
        ("python3 asp.py", "asp"),
        ("/usr/bin/python3 -u bots/huggy.py", "huggy"),
        ("python3 bots/huggy/main.py", "huggy"),
        ("python3 huggy/src/main.py", "huggy"),
        ("node dist/cobra.mjs", "cobra"),
        ("node mamba/index.js", "mamba"),
        ("lua5.4 asp.lua", "asp"),
        ("ruby -W0 asp.rb", "asp"),
        ("ocaml asp.ml", "asp"),
        ("some-new-language asp.py", "asp"),
        ("./asp --book moves.py", "asp"),
        ("/opt/asp/bin/agent", "asp"),
        ("./my.bot", "my.bot"),
        ("cat", "cat"),
        ("python3", "python3"),
        # Build tools
        ("dotnet run --project Viper", "Viper"),
        ("dotnet run --project bots/Viper/Viper.csproj -c Release", "Viper"),
        ("dotnet run -c Release --project Viper", "Viper"),
        ("dotnet bin/Release/net8.0/Viper.dll", "Viper"),
        ("go run ./cmd/asp", "asp"),
        ("go run asp.go", "asp"),
        ("cargo run --release --bin asp", "asp"),
        ("npx ts-node asp.ts", "asp"),
        # Shells and wrappers
        ("bash asp.sh", "asp"),
        ("bash -c 'cd bots && exec ./asp --fast'", "asp"),
        ("sh -c 'export A=1; python3 -m pkg.asp'", "asp"),
        ("sh -c 'make -s && ./asp'", "asp"),
        ("env A=1 python3 asp.py", "asp"),
        ("nice -n 5 timeout 10s ./asp", "asp"),
        ("stdbuf -oL ./asp", "asp"),
        # Nothing that tells more
        ("python3 main.py", "main"),
        ("./agent", "agent"),
        ("node .", "bot"),
        ("dotnet run", "bot"),
        ("dotnet run -c Release", "bot"),
        ("bash -c 'while read line; do echo N; done'", "bot"),
        ("python3 -c 'print(1)'", "bot"),
        ("java -version", "bot"),
    ],
)
def test_a_program_is_named_by_what_it_runs_not_by_its_interpreter(line: str, name: str) -> None:
    assert program_name(shlex.split(line)) == name


@pytest.mark.parametrize("line", ["node .", "dotnet run", "python3 main.py", "./agent", "bash -c 'echo N'", "go run ."])
def test_where_the_words_say_nothing_the_folder_does(line: str) -> None:
    assert program_name(shlex.split(line), "old-asp") == "old-asp"
    assert program_name(shlex.split(line), "src") != "src"


def test_a_telling_word_goes_before_the_folder() -> None:
    assert program_name(["python3", "asp.py"], "bots") == "asp"


@given(st.lists(st.text(), max_size=6))
def test_any_words_have_a_name(words: list[str]) -> None:
    assert program_name(words)
    assert program_name(["java", *words])
    assert program_name(["sh", "-c", *words])
