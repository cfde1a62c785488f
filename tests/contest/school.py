"""A class hands in its bots for Hack-man: 25 submissions in eight languages, some broken, as a teacher gets them."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

PYTHON = """import sys
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["action"]:
        print("bixie" if words[1] == "character" else "{order}", flush=True)
"""
JAVASCRIPT = """const lines = require("readline").createInterface({{ input: process.stdin }});
lines.on("line", (line) => {{
  const words = line.split(" ");
  if (words[0] === "action") console.log(words[1] === "character" ? "bixie" : "{order}");
}});
"""
JAVA = """import java.util.Scanner;
public class Main {{
  public static void main(String[] given) {{
    Scanner in = new Scanner(System.in);
    while (in.hasNextLine()) {{
      String[] words = in.nextLine().split(" ");
      if (words[0].equals("action")) System.out.println(words[1].equals("character") ? "bixie" : "{order}");
    }}
  }}
}}
"""
C = """#include <stdio.h>
#include <string.h>
int main(void) {{
  static char line[65536];
  while (fgets(line, sizeof line, stdin)) {{
    if (strncmp(line, "action", 6) == 0) {{
      puts(strncmp(line, "action character", 16) == 0 ? "bixie" : "{order}");
      fflush(stdout);
    }}
  }}
  return 0;
}}
"""
CPP = """#include <iostream>
#include <string>
int main() {{
  std::string line;
  while (std::getline(std::cin, line))
    if (line.rfind("action", 0) == 0)
      std::cout << (line.rfind("action character", 0) == 0 ? "bixie" : "{order}") << std::endl;
}}
"""
GO = """package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {{
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {{
		if strings.HasPrefix(in.Text(), "action character") {{
			fmt.Println("bixie")
		}} else if strings.HasPrefix(in.Text(), "action") {{
			fmt.Println("{order}")
		}}
	}}
}}
"""
RUST = """use std::io::{{self, BufRead, Write}};
fn main() {{
    for line in io::stdin().lock().lines() {{
        let line = line.unwrap();
        if line.starts_with("action") {{
            println!("{{}}", if line.starts_with("action character") {{ "bixie" }} else {{ "{order}" }});
            io::stdout().flush().unwrap();
        }}
    }}
}}
"""
LUA = """for line in io.lines() do
  if line:sub(1, 6) == "action" then
    print(line:sub(8, 16) == "character" and "bixie" or "{order}")
    io.stdout:flush()
  end
end
"""
SOURCES = {
    "main.py": PYTHON, "main.js": JAVASCRIPT, "Main.java": JAVA, "main.c": C, "main.cpp": CPP, "main.go": GO,
    "main.rs": RUST, "main.lua": LUA,
}  # fmt: skip

UNCOMPILED = C.format(order="up").replace("return 0;", "return nothing")
TALKATIVE = PYTHON.replace("print(", 'print("debug x=3", flush=True); print(')
CRASHING = "import sys\nsys.stdin.readline()\nraise RuntimeError('no idea')\n"


def source(file: str, order: str = "pass") -> str:
    return SOURCES[file].format(order=order)


def folder(home: Path, name: str, file: str, order: str = "pass") -> None:
    (home / name).mkdir(parents=True)
    (home / name / file).write_text(source(file, order))
    (home / name / "README.md").write_text(f"# {name}\n\nMy bot.\n")


def zipped(home: Path, name: str, file: str, order: str = "pass", around: str = "") -> None:
    with zipfile.ZipFile(home / f"{name}.zip", "w") as archive:
        archive.writestr(f"{around}{file}", source(file, order))
        archive.writestr("__MACOSX/._main", "litter")


def tarred(home: Path, name: str, file: str, order: str = "pass") -> None:
    content = source(file, order).encode()
    with tarfile.open(home / f"{name}.tar.gz", "w:gz") as archive:
        row = tarfile.TarInfo(f"{name}/{file}")
        row.size = len(content)
        archive.addfile(row, io.BytesIO(content))


def hand_in(home: Path) -> None:
    """All that lies in the teacher's folder at noon: 24 submissions and a list; the 25th comes late."""
    home.mkdir()
    folder(home, "Anna", "main.py", "up")
    zipped(home, "anna", "main.js", "down")  # another Anna
    folder(home, "Käfer (9b)", "main.py")
    folder(home, "Jürgen Groß", "Main.java", "left")
    folder(home, "C-Team", "main.c", "right")
    folder(home, "Zwei Plus Plus", "main.cpp")
    tarred(home, "gopher", "main.go", "up")
    folder(home, "Ferris", "main.rs", "down")
    zipped(home, "Mondschein", "main.lua", "left", around="mond/")
    (home / "solo.py").write_text(source("main.py", "right"))
    (home / "Straße.js").write_text(source("main.js", "up"))
    for number, name in enumerate(("Ada", "Bo", "Çelik", "Dédé", "Emil", "Fatma", "Gül", "Hao")):
        folder(home, name, "main.py" if number % 2 else "main.lua", ("up", "down", "left", "right")[number % 4])
    folder(home, "Nina", "main.c")
    (home / "Nina" / "main.c").write_text(UNCOMPILED)
    (home / "Otto.py").write_text(TALKATIVE.format(order="up"))
    (home / "Pia.py").write_text(CRASHING)
    (home / "Quirin.zip").write_bytes(b"PK\x03\x04 half of an upload")
    folder(home, "Rosa", "main.py", "left")
    (home / "Liste.csv").write_text("Name;Klasse\nAnna;9a\n")


LATE = "Zoë"
BROKEN = ("Nina", "Otto", "Pia", "Quirin")
