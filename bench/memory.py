"""How much memory the server of a yard takes after a long season.

    PYTHONPATH=src:. python bench/memory.py [--matches N] [--bots N] [--games N]

A real `botyard serve` runs on SQLite with the history of a season that was filled in. Two bots in cages play short
games on another ladder while pages and answers of the API are read again and again. Printed is what the server's
process holds, its workers not included: when it answers, and after so many games. The bar is 400 MB.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from urllib.request import Request, urlopen

import sqlalchemy as sa
from full_yard import GAME, Filled, fill
from full_yard import SLUG as SEASON
from tests.yard.league import PLAN, League
from tests.yard.players import speaker
from tests.yard.test_serve import serving

from botyard.yard.config import CONFIG_FILE
from botyard.yard.data.database import Database
from botyard.yard.data.tables import DONE, MATCH
from botyard.yard.keeping.migrating import migrate
from botyard.yard.reading import read_config
from botyard.yard.site import Yard

CONFIG = f"""
proxies = ["127.0.0.1"]  # every request may come from another address, so that no limit is met
[[ladders]]
slug = "{SEASON}"
game = "{GAME}"
deadline = "2020-01-01T00:00+00:00"
[[ladders]]
slug = "{PLAN.slug}"
game = "{PLAN.game}"
[ladders.settings]
"""


def held_mb(process: int) -> dict[str, float]:
    """Returns what a process holds in memory now, and the most that it has held."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    sizes = {line.split(":")[0]: line.split()[1] for line in lines if line.endswith("kB")}
    return {name: round(int(sizes[key]) / 1024, 1) for name, key in (("now", "VmRSS"), ("peak", "VmHWM"))}


def paths(filled: Filled) -> list[str]:
    ladder, bot, match = f"/ladders/{SEASON}", f"/bots/{filled.bot}", f"/matches/{filled.match}"
    pages = ["/", ladder, f"{ladder}/matches", match, bot, "/status", "/languages", f"/games/{GAME}"]
    return [*pages, *(f"/api/v1{path}" for path in (f"{ladder}/table", f"{match}/film", f"{bot}/rivals", "/events"))]


def recorded(yard: Yard) -> int:
    with yard.database.reading() as connection:
        last = sa.select(sa.func.count()).select_from(MATCH).where(MATCH.c.game == PLAN.game, MATCH.c.state == DONE)
        return int(connection.execute(last).scalar_one())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--bots", type=int, default=100)
    parser.add_argument("--games", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as above:
        folder = Path(above) / "yard"
        folder.mkdir()
        settings = "".join(f"{key} = {value}\n" for key, value in PLAN.settings.items())
        (folder / CONFIG_FILE).write_text(CONFIG + settings)
        config = read_config(folder)
        migrate(config.database_address)
        yard = Yard(config, Database.at(config.database_address))
        filled = fill(yard, options.bots, options.matches)
        league = League(yard)
        for name in ("Ant", "Bee"):
            bot = league.bot(league.person(f"owner of {name}"), name)
            league.enter(bot, league.version(bot, speaker(name)))
        with serving(folder) as (process, told):
            print(f"begun, {options.matches} matches there: {held_mb(process.pid)} MB", flush=True)
            asked = 0
            while (done := recorded(yard)) < options.games:
                for path in paths(filled):
                    asked += 1
                    said = {"X-Forwarded-For": f"198.18.{asked >> 8 & 255}.{asked & 255}"}
                    try:
                        with urlopen(Request(told["address"] + path, headers=said)) as answer:
                            answer.read()
                    except OSError as error:  # on a machine with much else to do, an answer may take too long
                        print(f"{path}: {error}", flush=True)
                time.sleep(0.2)
            print(f"{done} games played, {asked} answers given: {held_mb(process.pid)} MB")
        yard.close()


if __name__ == "__main__":
    main()
