"""An upload becomes a version, once: names, games, quotas and the same content twice, on both databases."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from botyard.games import GAMES
from botyard.kernel.errors import YardError
from botyard.yard.bots.outcomes import record_begun, record_build
from botyard.yard.bots.uploads import Accepted, UploadTarget, accept_upload, check_target, enter_upload
from botyard.yard.bots.versions import delete_bot, rename_bot, withdraw
from botyard.yard.config import Quotas
from botyard.yard.data.events import events_after
from botyard.yard.data.tables import BOT, BUILD, FIT, LADDER, TASK, VERSION
from botyard.yard.data.times import DAY
from botyard.yard.refusals import InTheWay, NotThere, Refusal, TooMuch
from botyard.yard.site import Yard
from botyard.yard.work.building import BuildReport
from tests.waiting import PATIENCE_S, finished
from tests.yard.conftest import Hands
from tests.yard.handing_in import GAME, add_person, hand_in, spooled, unpacked, zipped

OTHER = sorted(GAMES)[1]


@pytest.fixture
def ada(yard: Yard) -> int:
    with yard.database.writing() as connection:
        return add_person(connection, "Ada")


def count(yard: Yard, table: sa.Table) -> int:
    with yard.database.reading() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def set_state(yard: Yard, version: int, state: str) -> None:
    with yard.database.writing() as connection:
        connection.execute(sa.update(VERSION).where(VERSION.c.id == version).values(state=state))


def test_an_upload_is_kept_with_its_build_and_told_to_its_owner(yard: Yard, ada: int, tmp_path: Path) -> None:
    """All of it, with a real cage: what was unpacked is what a worker is going to get."""

    async def upload() -> Accepted:
        files = {"bot.zip": zipped({"botyard.toml": f'game = "{GAME}"\nname = "Beetle"'.encode(), "main.py": b"1"})}
        with spooled(tmp_path, files) as spool:
            return await accept_upload(yard, ada, UploadTarget(game=GAME), spool)

    accepted = finished(upload())
    with yard.database.reading() as connection:
        version = connection.execute(sa.select(VERSION)).one()
        task = connection.execute(sa.select(TASK)).one()
        assert connection.execute(sa.select(BOT.c.name, BOT.c.game)).one() == ("Beetle", GAME)
        assert (version.id, version.number, version.state) == (accepted.version, 1, "uploaded")
        assert json.loads(version.manifest)["run"] == ["python3", "main.py"]
        assert (task.kind, task.urgency, task.state, task.version, task.person) == (
            "build",
            0,
            "waiting",
            version.id,
            ada,
        )
        assert task.why, "whatever waits says why"
        assert [event.kind for event in events_after(connection, 0, person=ada)] == ["bot.made", "version.uploaded"]
        assert [event.kind for event in events_after(connection, 0)] == ["bot.made"], "others hear of a bot, not more"
        assert yard.blobs.read(connection, version.source).startswith(b"\x1f\x8b")


def test_the_same_content_is_the_same_version(yard: Yard, ada: int) -> None:
    first = hand_in(yard, ada)
    set_state(yard, first.version, FIT)
    again = hand_in(yard, ada)
    assert again == replace(first, known=True)
    assert again.words == "this is version 1 already"
    assert (count(yard, VERSION), count(yard, TASK)) == (1, 1)
    second = hand_in(yard, ada, "2")
    assert (second.bot, second.number) == (first.bot, 2)


def test_the_same_content_is_tried_again_after_it_failed(yard: Yard, ada: int) -> None:
    first = hand_in(yard, ada)
    with yard.database.writing() as connection:
        record_begun(connection, BUILD, first.version, 1)
        record_build(connection, yard.blobs, BuildReport(first.version, reason="main.c:3: error"), 2)
    again = hand_in(yard, ada)
    assert (again.number, again.known, again.again) == (1, True, True)
    assert count(yard, TASK) == 2
    with yard.database.reading() as connection:
        assert connection.execute(sa.select(VERSION.c.state, VERSION.c.reason, VERSION.c.build_log)).one() == (
            "uploaded",
            "",
            None,
        )


def test_a_name_belongs_to_one_bot_of_a_game(yard: Yard, ada: int, hands: Hands) -> None:
    ant = hand_in(yard, ada, name="Ant")
    with yard.database.writing() as connection:
        bob = add_person(connection, "Bob")
    with pytest.raises(InTheWay, match="there is a bot ANT"):
        hand_in(yard, bob, name="ANT")
    with pytest.raises(YardError, match="the name of the bot"):
        hand_in(yard, bob, name="a\u202eb")
    assert hand_in(yard, bob, name="ANT", game=OTHER).bot != ant.bot
    with yard.database.writing() as connection:
        withdraw(connection, ant.version, hands(), person=ada)
        rename_bot(connection, ant.bot, "Emmet", hands(), person=ada)
    bee = hand_in(yard, ada, name="Ant")
    assert bee.bot != ant.bot, "the name was free again"
    with yard.database.writing() as connection:
        with pytest.raises(InTheWay, match="there is a bot emmet"):
            rename_bot(connection, bee.bot, "emmet", hands(), person=ada)
        delete_bot(connection, bee.bot, hands(), person=ada)
    assert hand_in(yard, ada, name="ant").number == 1


def test_a_bot_of_another_game_or_another_owner_is_refused(yard: Yard, ada: int) -> None:
    ant = hand_in(yard, ada)
    with yard.database.writing() as connection:
        bob = add_person(connection, "Bob")

    def enter(person: int, target: UploadTarget, said: str = "") -> None:
        with yard.database.writing() as connection:
            upload = unpacked({"main.py": b"2"}, said)
            enter_upload(connection, yard.blobs, Quotas(unfinished_builds=9), person, target, upload, 1)

    with pytest.raises(Refusal, match=f"says it plays {OTHER}, not {GAME}"):
        enter(ada, UploadTarget(ant.bot), OTHER)
    with pytest.raises(Refusal, match=f"says it plays {GAME}, not {OTHER}"):
        enter(ada, UploadTarget(game=OTHER, name="x"), GAME)
    with pytest.raises(NotThere):
        enter(bob, UploadTarget(ant.bot))
    with pytest.raises(YardError, match="unknown game"):
        enter(bob, UploadTarget(game="chess", name="x"))
    assert (count(yard, BOT), count(yard, VERSION)) == (1, 1)


def test_uploads_are_frozen_with_the_ladder(yard: Yard, ada: int) -> None:
    with yard.database.writing() as connection:
        row = dict.fromkeys(("title", "settings", "policy", "root", "root_hash", "stream"), "")
        row |= {"slug": "s", "game": GAME, "state": "frozen"}
        connection.execute(sa.insert(LADDER).values(**row, season=1, rules=1, made_ms=0))
    with pytest.raises(InTheWay, match="are closed"):
        hand_in(yard, ada)


def test_a_person_has_one_unfinished_build_and_twenty_uploads_a_day(yard: Yard, ada: int, hands: Hands) -> None:
    for number in range(20):
        accepted = hand_in(yard, ada, str(number))
        if number == 0:
            with pytest.raises(TooMuch, match="is at work"):
                hand_in(yard, ada, "another")
        set_state(yard, accepted.version, FIT)
        hands.pass_ms(1000)
    with pytest.raises(TooMuch, match="20 uploads a day") as refused:
        hand_in(yard, ada, "another")
    assert refused.value.retry_after_s == DAY // 1000 - 20
    with yard.database.writing() as connection, pytest.raises(TooMuch):
        check_target(connection, yard.config.quotas, ada, UploadTarget(game=GAME, name="Ant"), hands())
    hands.pass_ms(DAY - 20_000)
    assert hand_in(yard, ada, "another").number == 21


def test_two_uploads_at_once_do_not_share_the_last_place(yard: Yard, ada: int) -> None:
    both_there = threading.Barrier(2, timeout=PATIENCE_S)
    outcomes: list[str] = []

    def upload(content: str) -> None:
        both_there.wait(PATIENCE_S)
        try:
            hand_in(yard, ada, content)
            outcomes.append("accepted")
        except TooMuch:
            outcomes.append("refused")

    threads = [threading.Thread(target=upload, args=(content,)) for content in ("1", "2")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(outcomes) == ["accepted", "refused"]
    assert (count(yard, VERSION), count(yard, TASK), count(yard, BOT)) == (1, 1, 1)


def test_the_same_content_twice_at_once_is_one_version(yard: Yard, ada: int) -> None:
    both_there = threading.Barrier(2, timeout=PATIENCE_S)
    accepted: list[Accepted] = []

    def upload() -> None:
        both_there.wait(PATIENCE_S)
        accepted.append(hand_in(yard, ada))

    threads = [threading.Thread(target=upload) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(known.known for known in accepted) == [False, True]
    assert count(yard, VERSION) == 1
