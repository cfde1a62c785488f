"""Writes the next revision of the yard's tables: what `data/tables.py` has and the newest revision has not.

    .venv/bin/python tools/new_migration.py "Bots have a motto"

Read what it writes, and change it where rows must be moved. Alembic sees no changes of CHECK constraints.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import Script

from botyard.yard.keeping.migrating import MIGRATIONS, Revisions, migrate, without_foreign_keys

ROOM = 112  # of a line, without its indent


def main(message: str) -> None:
    revisions = Revisions()
    number = f"{int(revisions.newest or 0) + 1:04}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "yard.db"
        if revisions.newest:
            migrate(f"sqlite:///{path}")
        with without_foreign_keys(path) as connection:
            config = Config(attributes={"connection": connection})
            config.set_main_option("script_location", str(MIGRATIONS))
            config.set_main_option("path_separator", "newline")
            config.set_main_option("file_template", "r%%(rev)s_%%(slug)s")
            script = command.revision(config, message, autogenerate=True, rev_id=number)
    assert isinstance(script, Script)
    written = Path(script.path)
    written.write_text("\n".join(compact(written.read_text().splitlines())) + "\n")
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", str(written)], check=True)


def compact(lines: list[str]) -> Iterator[str]:
    """The columns of a new table as a paragraph; one a line, the first revision would not fit into a file."""
    parts: list[str] = []
    for line in map(double_quoted, lines):
        if line.startswith("    op.create_table("):
            yield "    op.create_table("
            parts = [line.removeprefix("    op.create_table(")]
        elif line == "    )":
            yield from filled([*parts[:-1], parts[-1] + ","])
            yield "    )  # fmt: skip"
            parts = []
        elif parts:
            parts.append(line.strip())
        elif "# ###" not in line:
            yield line


def filled(parts: list[str]) -> Iterator[str]:
    row = ""
    for part in parts:
        if row and len(row) + 1 + len(part) > ROOM:
            yield f"        {row}"
            row = ""
        row = f"{row} {part}".strip()
    yield f"        {row}"


def double_quoted(line: str) -> str:
    return (
        re.sub(r"op\.f\('([^']*)'\)", r'op.f("\1")', line) if 'sa.CheckConstraint("' in line else line.replace("'", '"')
    )


if __name__ == "__main__":
    main(sys.argv[1])
