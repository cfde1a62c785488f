"""Bots travel to workers that do not see the contest's folder, and play there as they play here."""

from __future__ import annotations

import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from botyard.contest.executors.parcels import opened_work, packed_work
from botyard.contest.messages import ALL_TURNS, Brief, GameReport, Job, Share
from botyard.contest.prepared import PreparedContest
from botyard.contest.travelling import Travellers, packed_bots
from botyard.contest.worker import Worker
from botyard.jail.canonical import kept_tree
from botyard.jail.toolchains import INTERPRETER
from botyard.kernel.errors import YardError
from tests.contest.test_worker import ANSWERS
from tests.contest.yard import PATIENT, QUICK, plan_of
from tests.waiting import finished

LEAGUE = (
    QUICK.split("[settings]")[0]
    + "[settings]\nmax_turns = 3\n"
    + PATIENT
    + '[bots]\nwanderer = "house:wanderer"\nBOTS[format]\nkind = "round_robin"\nbouts = 1\n[run]\nexecutor = "inline"\n'
)
SPEAKS = ANSWERS.replace("WORD", "guard N")
IMPORTS = "from beside import ORDER\n\ndef choose(view):\n    return ORDER\n"
MANIFEST = 'protocol = "json"\nrun = "python3 talk/main.py"\n'


def bots_in(folder: Path) -> dict[str, str]:
    """A bot of every kind that is a file or a folder, as a contest file names it."""
    for path, content in {
        "bots/whole/talk/main.py": SPEAKS, "bots/whole/botyard.toml": MANIFEST,
        "bots/function/bot.py": IMPORTS, "bots/function/beside.py": "ORDER = 'guard N'\n",
        "bots/line/words.py": SPEAKS,
        "bots/around/inner/botyard.toml": 'protocol = "json"\nrun = "python3 ../shared/main.py"\n',
        "bots/around/shared/main.py": SPEAKS,
    }.items():  # fmt: skip
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)
    with zipfile.ZipFile(folder / "bots/packed.zip", "w") as archive:
        archive.write(folder / "bots/whole/talk/main.py", "wrapped/talk/main.py")
        archive.write(folder / "bots/whole/botyard.toml", "wrapped/botyard.toml")
    return {
        "whole": "dir:bots/whole",
        "packed": "dir:bots/packed.zip",
        "around": "dir:bots/around//inner",
        "function": "py:bots/function/bot.py:choose",
        "line": f"json:{INTERPRETER} bots/line/words.py",
    }


def brief_of(folder: Path, bots: dict[str, str]) -> Brief:
    listed = "".join(f'{key} = "{spec}"\n' for key, spec in bots.items())
    return replace(plan_of(folder, LEAGUE.replace("BOTS", listed)).brief, turn_logs=ALL_TURNS)


def played(brief: Brief, travellers: Travellers | None = None) -> list[GameReport]:
    keys = [key for key in brief.bots if key != "wanderer"]
    jobs = tuple(Job(number, (key, "wanderer"), 7) for number, key in enumerate(keys, 1))
    parcel, sources = packed_work(Share(brief, jobs, travellers))
    share: Share = opened_work(parcel, lambda digest: sources[digest].content())
    return finished(Worker().play(share))


def test_bots_play_elsewhere_as_they_play_here(tmp_path: Path) -> None:
    brief = brief_of(tmp_path, bots_in(tmp_path))
    here = played(brief)
    assert [report.trouble for report in here] == 5 * [""]
    assert {verdict for report in here for counts in (report.verdicts or {}).values() for verdict in counts} == {"OK"}
    travellers = packed_bots(brief, {})
    shutil.rmtree(tmp_path / "bots")
    there = played(replace(brief, folder="/nowhere/at/all"), travellers)
    assert [report.trouble for report in there] == 5 * [""]
    assert [report.replay for report in there] == [report.replay for report in here]


def test_a_bot_that_is_not_built_here_forfeits_there_and_one_that_is_not_built_there_is_played_elsewhere(
    tmp_path: Path,
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "fine").mkdir()
    (tmp_path / "fine/main.py").write_text("")
    brief = brief_of(tmp_path, {"empty": "dir:empty", "fine": "dir:fine"})
    unbuilt = finished(PreparedContest(brief).build())
    assert list(unbuilt) == ["empty"]
    travellers = packed_bots(brief, unbuilt)
    other = packed_bots(replace(brief, bots={"any": "dir:fine/main.py"}), {}).bots["dir:fine/main.py"]
    broken = Travellers({"dir:fine": replace(other, spec="dir:gone")}, travellers.unbuilt)
    forfeit, lost = sorted(played(replace(brief, folder="/nowhere"), broken), key=lambda report: report.number)
    assert (forfeit.trouble, forfeit.result) == ("", "wanderer:0>empty!:0")
    assert "a bot could not be built on" in lost.trouble


def test_secrets_beside_a_bot_do_not_travel_and_what_cannot_travel_is_said(tmp_path: Path) -> None:
    bots = bots_in(tmp_path)
    secret = tmp_path / "bots/function/password"
    secret.write_text("hush")
    secret.chmod(0o600)
    brief = brief_of(tmp_path, {"function": bots["function"], "tool": "json:true"})
    travellers = packed_bots(brief, {})
    assert list(travellers.bots) == [bots["function"]], "a program on the search path is there, or it is not"
    bot = travellers.bots[bots["function"]]
    assert sorted(path.name for path in kept_tree(bot.source).rglob("*.*")) == ["beside.py", "bot.py"]
    assert not list(kept_tree(bot.source).rglob("password"))
    (tmp_path / "bots/whole").rename(tmp_path / "bots/elsewhere")
    with pytest.raises(YardError, match="whole cannot travel to other machines"):
        packed_bots(replace(brief, bots={"whole": "dir:bots/whole"}), {})
