"""Every language the yard recognises: a small bot for Hack-man is built, caged, and plays without a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.games import load
from botyard.jail.languages import LANGUAGES
from botyard.jail.manifest import manifest_of
from botyard.kernel.verdict import Verdict
from botyard.match.loop import Played
from tests.conftest import need
from tests.jail.drawing import drawn
from tests.links.matches import play_match, rival_of, short_match
from tests.waiting import finished

ROUNDS = 5

BOTS = {
    "python": """
        --- main.py
        import sys
        from words import ANSWER
        for line in sys.stdin:
            if line.startswith("action"):
                print(ANSWER, flush=True)
        --- words.py
        ANSWER = "pass"
    """,
    "javascript": """
        --- package.json
        {"type": "module", "main": "src/play.js"}
        --- src/play.js
        import readline from "readline";
        readline.createInterface({input: process.stdin}).on("line", (line) => {
            if (line.startsWith("action")) console.log("pass");
        });
    """,
    "java": """
        --- src/bot/BotStarter.java
        package bot;
        import java.util.Scanner;
        public class BotStarter {
            public static void main(String[] words) {
                Scanner lines = new Scanner(System.in);
                while (lines.hasNextLine()) if (lines.nextLine().startsWith("action")) System.out.println("pass");
            }
        }
    """,
    "c": """
        --- bot.c
        #include <stdio.h>
        #include <string.h>
        #include "answer.h"
        int main(void) {
            static char line[65536];
            while (fgets(line, sizeof line, stdin))
                if (strncmp(line, "action", 6) == 0) { puts(answer()); fflush(stdout); }
        }
        --- answer.c
        const char *answer(void) { return "pass"; }
        --- answer.h
        const char *answer(void);
    """,
    "c++": """
        --- bot.cpp
        #include <iostream>
        #include <string>
        int main() {
            std::string line;
            while (std::getline(std::cin, line))
                if (line.rfind("action", 0) == 0) std::cout << "pass" << std::endl;
        }
    """,
    "go": """
        --- play.go
        package main
        import ("bufio"; "fmt"; "os"; "strings")
        func main() {
            lines := bufio.NewScanner(os.Stdin)
            for lines.Scan() {
                if strings.HasPrefix(lines.Text(), "action") { fmt.Println("pass") }
            }
        }
    """,
    "rust": """
        --- main.rs
        use std::io::BufRead;
        fn main() {
            for line in std::io::stdin().lock().lines() {
                if line.unwrap().starts_with("action") { println!("pass"); }
            }
        }
    """,
    "lua": """
        --- bot.lua
        for line in io.lines() do
            if line:sub(1, 6) == "action" then print("pass") io.stdout:flush() end
        end
    """,
    "shell": """
        --- bot.sh
        #!/bin/bash
        while read -r line; do [[ $line == action* ]] && echo pass; done
    """,
    "make": """
        --- Makefile
        agent: bot.sh
        \tcp bot.sh agent
        \tchmod +x agent
        --- bot.sh
        #!/bin/sh
        while read -r line; do case $line in action*) echo pass;; esac; done
    """,
}

CARGO = """
    --- Cargo.toml
    [package]
    name = "asp"
    version = "0.1.0"
    edition = "2021"
    --- src/main.rs
""" + BOTS["rust"].partition("main.rs\n")[2]


def played_by(folder: Path) -> Played:
    manifest = manifest_of(folder)
    for command in (*manifest.build, manifest.run):
        if "/" not in command[0]:
            need(command[0])
    settings = load("hackman").settings.read(short_match("hackman", max_rounds=ROUNDS))
    return finished(play_match("hackman", [f"dir:{folder}", rival_of("hackman")], settings))


def test_there_is_a_bot_in_every_language() -> None:
    assert BOTS.keys() == LANGUAGES.keys()


@pytest.mark.parametrize("language", BOTS)
def test_a_bot_is_built_and_plays(tmp_path: Path, language: str) -> None:
    folder = drawn(tmp_path / "bot", BOTS[language])
    assert manifest_of(folder).language == language
    own = [turn for turn in played_by(folder).turns if turn.seat == 0]
    assert [turn.verdict for turn in own] == [Verdict.OK] * ROUNDS
    assert {turn.received for turn in own} == {"pass\n"}


def test_a_package_of_cargo_is_built_and_plays(tmp_path: Path) -> None:
    played = played_by(drawn(tmp_path / "bot", CARGO))
    assert not played.replay.missed


def test_a_single_file_is_built_and_plays_whatever_lies_beside_it(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "bots", BOTS["c++"] + "\n        --- broken.cpp\n        int main() {\n")
    assert not played_by(folder / "bot.cpp").replay.missed
