"""A `dir:` bot at the level `limited`: a user of its own, and no cage around it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from botyard.jail import bot_cache
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level
from botyard.jail.manifest import manifest_of
from botyard.jail.uids import FIRST
from botyard.links.cage_policy import CagePolicy, FolderBot
from tests.hostile.aftermath import nothing_left
from tests.jail.output import outputs_of
from tests.waiting import finished

TAMPERS = """\
cat secret.txt
ls deep >&2
for file in notes deep/notes; do echo "was here" >>$file && echo kept; done 2>/dev/null
echo "echo tampered" >>run.sh && echo kept
chmod u+w . run.sh && echo kept
mv run.sh old.sh && echo kept
rm -f secret.txt deep/tool && echo kept
true
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    if trouble := obstacle(Level.LIMITED):
        pytest.skip(trouble)
    (folder := tmp_path / "tampers").mkdir()
    (folder / "deep").mkdir()
    for name, text, mode in (("run.sh", TAMPERS, 0o755), ("secret.txt", "mine\n", 0o600), ("deep/tool", "", 0o777)):
        (folder / name).write_text(text)
        (folder / name).chmod(mode)
    folder.chmod(0o777)
    (folder / "deep").chmod(0o700)
    return folder


async def games(bot: Path, count: int) -> list[str]:
    entry = FolderBot(manifest_of(bot), CagePolicy(Level.LIMITED))
    assert await entry.build() is None
    return [(await outputs_of(entry.launch()))[0] for _ in range(count)]


def test_it_reads_what_its_author_could_and_changes_nothing_from_game_to_game(bot: Path) -> None:
    with nothing_left():
        assert finished(games(bot, 2)) == ["mine\n", "mine\n"]


@pytest.mark.parametrize(
    ("mode", "lent"), [(0o755, 0o555), (0o600, 0o440), (0o666, 0o444), (0o070, 0o000), (0o604, 0o444), (0o711, 0o551)]
)
def test_what_is_lent_can_be_read_by_the_bot_as_by_its_owner_and_written_by_nobody(
    tmp_path: Path, mode: int, lent: int
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can hand out files")
    (copy := tmp_path / "bot").mkdir()
    (copy / "file").touch()
    (copy / "file").chmod(mode)
    about = (finished(bot_cache.lent_copy(copy, FIRST)) / "file").stat()
    assert (about.st_uid, about.st_gid, stat.S_IMODE(about.st_mode)) == (0, FIRST, lent)
