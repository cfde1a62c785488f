"""Files of a yard, bent in every way: read or refused, and never anything else."""

from __future__ import annotations

from pathlib import Path

from botyard.games import GAMES
from botyard.kernel.bounded import json_of
from botyard.yard.config import CONFIG_FILE
from botyard.yard.default_file import default_file
from botyard.yard.reading import BadConfig, YardReader, read_config
from tests.fuzz.harness import fuzz
from tests.fuzz.test_contests import bend_contest

FULL = f"""
title = "Ours"
host = "0.0.0.0"
port = 8001
public_url = "https://bots.example.org"
hosts = ["bots.lan"]
proxies = ["10.0.0.0/8"]
database = "postgresql+psycopg://yard@/yard"
[quotas]
bots = 3
[cage]
level = "caged"
memory_mb = 64
[toolchains]
zig = "/opt/zig"
[[ladders]]
slug = "spring"
game = "{next(iter(GAMES))}"
seats = 2
predictable = true
deadline = "2027-03-20T18:00+01:00"
"""


def test_no_file_of_a_yard_is_too_odd_to_be_refused(in_memory: Path) -> None:
    path = in_memory / CONFIG_FILE
    samples = [FULL.encode(), default_file().encode()]

    def read(raw: bytes) -> None:
        if raw.startswith(b"{"):
            reader = YardReader(path)
            reader.read(json_of(raw, "the content"))
            if reader.mistakes:
                raise BadConfig(path, reader.mistakes)
        else:
            path.write_bytes(raw)
            read_config(in_memory)

    assert fuzz("yard", samples, read, bend=bend_contest) >= 1000
