"""Has a walker play as every kind of bot, alone and in a contest, and tells as JSON what each of them saw.

    python -m tests.jail.visible.everyone FOLDER

FOLDER becomes a yard: a contest with its store, a bot of every kind in a folder of its own, in each a file nobody else
may read, and a home with a key.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

from botyard.contest.messages import Job
from botyard.contest.prepared import PreparedContest
from botyard.contest.reading import read_plan
from botyard.games import load
from botyard.match.loop import Played
from tests.links.matches import play_match, rival_of, short_match
from tests.waiting import finished

WALKER = Path(__file__).with_name("walker.py")
PRIVATE = 0o600

# By kind of bot: the game it plays, and the words that name it. {bot} is the folder of its own.
KINDS = {
    "cmd": ("hackman", "cmd:python3 {bot}/walker.py"),
    "json": ("hackman", "json:python3 {bot}/walker.py json"),
    "dir": ("hackman", "dir:{bot}"),
    "py": ("hackman", "py:{bot}/walker.py:bot"),
    "nothing": ("hackman", "cmd:python3 -c {code}"),
    "move": ("battlebots", "cmd:python3 {bot}/walker.py"),
    "fresh-move": ("battlebots", "cmd:bash {bot}/walk.sh"),
    "tcp": ("hive", "cmd:python3 {bot}/walker.py"),
    "websocket": ("snakebattle", "dir:{bot}"),
}
QUICK = {
    "hackman": short_match("hackman", max_rounds=1),
    "battlebots": short_match("battlebots", rounds_per_bout=1),
    "hive": short_match("hive", max_turns=2, random_seats=False),
    "snakebattle": short_match("snakebattle", max_ticks=2),
}


def lay_out(yard: Path) -> dict[str, str]:
    """The yard's files; the bots by kind, as they are named there."""
    yard.chmod(0o755)
    code = shlex.quote(WALKER.read_text())
    (yard / "home" / ".ssh").mkdir(parents=True)
    (yard / "home" / ".ssh" / "id").write_text("a key")
    bots = {}
    for kind, (_, words) in KINDS.items():
        folder = yard / "contest" / "bots" / kind
        folder.mkdir(parents=True)
        shutil.copy(WALKER, folder)
        (folder / "walker.py").chmod(0o644)
        (folder / "walk.sh").write_text("exec python3 $(dirname $0)/walker.py\n") if kind == "fresh-move" else None
        (folder / "data").mkdir()
        (folder / "data" / "table.bin").write_text("for everybody")
        (folder / "secret.key").write_text("for its owner")
        (folder / "secret.key").chmod(PRIVATE)
        bots[kind] = words.format(bot=f"bots/{kind}", code=code)
    return bots


async def play_alone(kind: str, spec: str) -> Played:
    game = KINDS[kind][0]
    return await play_match(game, [spec, rival_of(game)], load(game).settings.read(QUICK[game]).seated(2))


async def play_in_contest(kind: str, bots: dict[str, str], yard: Path) -> Played:
    """With all the others of its game beside it."""
    game = KINDS[kind][0]
    others = {name: spec for name, spec in bots.items() if KINDS[name][0] == game}
    rows = "".join(f"{name} = {json.dumps(spec)}\n" for name, spec in others.items())
    chosen = "".join(f"{key} = {json.dumps(value)}\n" for key, value in QUICK[game].items())
    path = yard / "contest" / f"{game}.toml"
    path.write_text(
        f'game = "{game}"\nseed = 7\n[settings]\n{chosen}[bots]\n{rows}rival = "{rival_of(game)}"\n'
        '[format]\nkind = "round_robin"\n'
    )
    plan = read_plan(path)
    plan.store_path.write_bytes(b"the store")
    contest = PreparedContest(plan.brief)
    job = Job(1, (kind, "rival"), seed=4)
    return await contest.play_through(contest.new_game(job), job)


def told_by(played: Played) -> dict[str, Any]:
    seat = played.entrants.index(0)
    said = "".join(turn.said for turn in played.turns if turn.seat == seat) + played.seats[seat].said
    rows = [line.removeprefix("SEEN ") for line in said.splitlines() if line.startswith("SEEN ")]
    assert rows, f"{played.replay.missed} {played.trouble} {said[-2000:]}"
    told: dict[str, Any] = json.loads(rows[0])
    return {**told, "level": played.seats[seat].level}


def main(yard: Path) -> None:
    bots = lay_out(yard)
    seen = {}
    with contextlib.chdir(yard / "contest"):
        for kind, spec in bots.items():
            seen[f"{kind} alone"] = told_by(finished(play_alone(kind, spec)))
            seen[f"{kind} in a contest"] = told_by(finished(play_in_contest(kind, bots, yard)))
    print(json.dumps({"user": os.getuid(), "seen": seen}))  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]))
