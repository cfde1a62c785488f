"""Accounts, on both databases: who comes, who goes, and what can never happen."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import sqlalchemy as sa

from botyard.kernel.errors import YardError
from botyard.yard.caller import Caller
from botyard.yard.config import Quotas, YardConfig
from botyard.yard.data.database import Database, inserted_id
from botyard.yard.data.tables import ADMIN, BOT, ORGANISER, PERSON, PLAYER, SESSION, TICKET, TOKEN
from botyard.yard.data.times import DAY, MINUTE
from botyard.yard.people import quotas
from botyard.yard.people.accounts import (
    ban,
    delete,
    find_named,
    person_of,
    register,
    rename,
    set_password,
    set_role,
    unban,
)
from botyard.yard.people.left_names import KEPT
from botyard.yard.people.notices import notices_of, notify
from botyard.yard.people.quotas import check_quota
from botyard.yard.people.sessions import (
    LASTS,
    MOST_SESSIONS,
    UserAgent,
    bearer_of,
    end_session,
    open_session,
    see_session,
    sessions_of,
)
from botyard.yard.people.tickets import FOR_PASSWORD, make_ticket
from botyard.yard.people.tokens import caller_of_token, end_token, make_token, tokens_of
from botyard.yard.refusals import InTheWay, NotAllowed, NotThere, TooMuch
from botyard.yard.site import Yard
from tests.yard.conftest import Hands
from tests.yard.postgres import Postgres
from tests.yard.residents import HERE, add_version, caller_for, event_kinds, one_after_the_other, resident, session_of


def test_a_name_is_given_once_whoever_comes_first(yard: Yard) -> None:
    ada = resident(yard, "Ada")

    def registered(connection: sa.Connection) -> int:
        return register(connection, "Bob", None, 1).id

    refused = one_after_the_other(yard, registered, registered)
    assert isinstance(refused, InTheWay)
    with yard.database.writing() as connection:
        for alike in ("ADA", "Ａda", " ada "):
            with pytest.raises(InTheWay, match="is taken"):
                register(connection, alike, None, 1)
        with pytest.raises(YardError, match="sounds like an office"):
            register(connection, "Admin", None, 1)
        assert register(connection, "Admin", None, 1, role=ADMIN).role == ADMIN
        assert find_named(connection, "aDA") == ada
        assert find_named(connection, "Ad\x00a") is None


def test_a_person_is_renamed_unless_the_name_is_somebody_elses(yard: Yard) -> None:
    ada, bob = resident(yard, "Ada"), resident(yard, "Bob")
    with yard.database.writing() as connection:
        assert rename(connection, ada.id, "ADA", 2, by=bob.id) == "ADA"
        with pytest.raises(InTheWay, match="is taken"):
            rename(connection, ada.id, "bob", 2, by=bob.id)
        assert person_of(connection, ada.id).name == "ADA"
    taken = one_after_the_other(
        yard,
        lambda connection: register(connection, "Eve", None, 3).name,
        lambda connection: rename(connection, ada.id, "eve", 3, by=bob.id),
    )
    assert isinstance(taken, InTheWay)
    with yard.database.reading() as connection:
        assert person_of(connection, ada.id).name == "ADA"


def test_a_banned_person_is_out_everywhere_and_comes_back_when_let_in(yard: Yard) -> None:
    admin, eve = resident(yard, "Root", ADMIN), resident(yard, "Eve")
    caller, secret = caller_for(yard, eve), session_of(yard, eve)
    with yard.database.writing() as connection:
        token = make_token(connection, caller, "laptop", ["read"], Quotas(), 1)
        bot = {"owner": eve.id, "game": "some", "name": "b", "name_key": "b", "made_ms": 1}
        number = inserted_id(connection, BOT, **bot)
        ban(connection, eve.id, "insults", 2, by=admin.id)
    with yard.database.writing() as connection:
        assert bearer_of(connection, secret, yard.clock()) is None
        assert caller_of_token(connection, token) is None
        with pytest.raises(NotAllowed):
            check_quota(connection, eve.id, quotas.BOTS, Quotas(), 3)
        with pytest.raises(InTheWay, match="yourself"):
            ban(connection, admin.id, "me", 3, by=admin.id)
        unban(connection, eve.id, 4, by=admin.id)
        assert caller_of_token(connection, token) is not None
        assert bearer_of(connection, secret, yard.clock()) is None
        assert connection.execute(sa.select(BOT.c.owner).where(BOT.c.id == number)).scalar() == eve.id
    assert [kind for kind in event_kinds(yard) if "ban" in kind or "withdrawn" in kind] == [
        "bot.withdrawn",
        "person.banned",
        "person.unbanned",
    ]


def test_a_deleted_persons_name_is_nowhere_and_free_again_one_day(yard: Yard) -> None:
    admin, eve = resident(yard, "Root", ADMIN), resident(yard, "Evelyn")
    caller = caller_for(yard, eve)
    with yard.database.writing() as connection:
        make_token(connection, caller, "laptop", ["read"], Quotas(), 1)
        make_ticket(connection, FOR_PASSWORD, 1, by=admin.id, person=eve.id)
        notify(connection, eve.id, "Benched", "why", 1)
        rename(connection, eve.id, "Evelyn B", 1, by=admin.id)
        ban(connection, eve.id, "insults", 2, by=admin.id)
        delete(connection, eve.id, 3, by=admin.id)
    with yard.database.writing() as connection:
        for table in (SESSION, TOKEN, TICKET):
            left = sa.select(sa.func.count()).select_from(table).where(table.c.person == eve.id)
            assert connection.execute(left).scalar() == 0, table.name
        assert notices_of(connection, eve.id) == []
        for table in TABLES_OF_TEXT:
            assert not any("evelyn" in str(row).lower() for row in connection.execute(sa.select(table))), table.name
        with pytest.raises(NotThere):
            delete(connection, eve.id, 4, by=admin.id)
        with pytest.raises(InTheWay):
            register(connection, "Evelyn B", None, 4)
        assert register(connection, "Evelyn B", None, 3 + KEPT).id != eve.id


TABLES_OF_TEXT = PERSON.metadata.tables.values()


def test_there_is_always_an_active_admin(yard: Yard) -> None:
    root = resident(yard, "Root", ADMIN)
    with yard.database.writing() as connection:
        with pytest.raises(InTheWay, match="no admin left"):
            set_role(connection, root.id, PLAYER, 1, by=root.id)
        with pytest.raises(InTheWay, match="no admin left"):
            delete(connection, root.id, 1, by=root.id)


@pytest.mark.parametrize("leaving", ["role", "ban", "delete"])
def test_of_two_admins_who_send_each_other_away_at_once_one_stays(yard: Yard, leaving: str) -> None:
    one, other = resident(yard, "One", ADMIN), resident(yard, "Other", ADMIN)

    def send_away(who: int, by: int) -> object:
        def act(connection: sa.Connection) -> None:
            if leaving == "role":
                set_role(connection, who, ORGANISER, 1, by=by)
            elif leaving == "ban":
                ban(connection, who, "a quarrel", 1, by=by)
            else:
                delete(connection, who, 1, by=by)

        return act

    refused = one_after_the_other(yard, send_away(other.id, one.id), send_away(one.id, other.id))  # type: ignore[arg-type]
    assert isinstance(refused, InTheWay), refused
    with yard.database.reading() as connection:
        assert person_of(connection, one.id) == one


def test_somebody_can_be_told_something_while_their_account_is_changed(
    postgres: Postgres, tmp_path: Path, hands: Hands
) -> None:
    """The one who tells holds the counter of events, and must not wait for the one who changes, who wants it next.

    SQLite has one writer at a time.
    """
    yard = Yard(YardConfig(tmp_path), Database.at(postgres.emptied_database()), hands)
    root, ada = resident(yard, "Root", ADMIN), resident(yard, "Ada")
    with yard.database.writing() as changing:
        check_quota(changing, ada.id, quotas.TOKENS, Quotas(), 1)
        with yard.database.writing() as telling:
            telling.exec_driver_sql("SET LOCAL lock_timeout = '5s'")
            notify(telling, ada.id, "Benched", "why", 1)
        ban(changing, ada.id, "insults", 2, by=root.id)
    with yard.database.reading() as connection:
        assert len(notices_of(connection, ada.id)) == 1
    yard.close()


def test_the_last_of_a_quota_is_used_once(yard: Yard) -> None:
    caller = caller_for(yard, resident(yard, "Ada"))
    few = dataclasses.replace(Quotas(), tokens=2)

    def made(connection: sa.Connection) -> str:
        return make_token(connection, caller, "one", ["read"], few, 1)

    with yard.database.writing() as connection:
        made(connection)
    assert isinstance(one_after_the_other(yard, made, made), TooMuch)
    with yard.database.writing() as connection:
        assert caller.person is not None
        tokens = tokens_of(connection, caller.person)
        assert len(tokens) == 2
        end_token(connection, caller.person, tokens[0].id, 2)
        assert made(connection)


def test_daily_quotas_say_when_there_is_room_again(yard: Yard) -> None:
    ada = resident(yard, "Ada")
    with yard.database.writing() as connection:
        for at_ms in (DAY + 1, DAY + MINUTE):
            row = {"name": f"b{at_ms}", "name_key": f"b{at_ms}", "made_ms": at_ms}
            bot = inserted_id(connection, BOT, owner=ada.id, game="some", **row)
            add_version(connection, bot, at_ms)
        assert check_quota(connection, ada.id, quotas.UPLOADS, Quotas(), 2 * DAY) == 2
        assert check_quota(connection, ada.id, quotas.UPLOADS, Quotas(), 2 * DAY + 2) == 1
        one = dataclasses.replace(Quotas(), uploads_a_day=1, unfinished_builds=0)
        with pytest.raises(TooMuch) as refused:
            check_quota(connection, ada.id, quotas.UPLOADS, one, 2 * DAY + 2)
        assert refused.value.retry_after_s == 60
        for none in (quotas.BUILDS, quotas.BOTS):
            with pytest.raises(TooMuch):
                check_quota(connection, ada.id, none, dataclasses.replace(one, bots=2), 9 * DAY)
        for quota in (quotas.CHALLENGES, quotas.TEST_GAMES, quotas.REVIVALS):
            assert check_quota(connection, ada.id, quota, Quotas(), 2 * DAY) == 0


def test_sessions_are_listed_last_while_used_and_end_one_by_one(yard: Yard, hands: Hands) -> None:
    ada, bob = resident(yard, "Ada"), resident(yard, "Bob")
    first, second = session_of(yard, ada), session_of(yard, ada)
    hands.pass_ms(LASTS - 1)
    with yard.database.writing() as connection:
        bearer = bearer_of(connection, first, yard.clock())
        assert bearer is not None
        assert (bearer.caller.name, bearer.caller.session != first) == ("Ada", True)
        see_session(connection, bearer.caller.session, yard.clock())
    hands.pass_ms(1)
    with yard.database.writing() as connection:
        assert bearer_of(connection, second, yard.clock()) is None
        listed = sessions_of(connection, ada.id, yard.clock(), bearer.caller.session)
        assert [(each.current, each.address) for each in listed] == [(True, HERE.address)]
        for wrong in ("", "%", listed[0].handle[:8], "_" * 16, "\x00" * 16):
            with pytest.raises(NotThere):
                end_session(connection, ada.id, wrong, yard.clock())
        with pytest.raises(NotThere):
            end_session(connection, bob.id, listed[0].handle, yard.clock())
        end_session(connection, ada.id, listed[0].handle, yard.clock())
        assert bearer_of(connection, first, yard.clock()) is None


def test_a_new_session_replaces_the_one_of_the_same_browser_and_the_oldest_of_many(yard: Yard) -> None:
    ada = resident(yard, "Ada")
    caller = caller_for(yard, ada)
    with yard.database.writing() as connection:
        again = dataclasses.replace(HERE, session=caller.session)
        open_session(connection, ada.id, again, yard.clock())
        assert len(sessions_of(connection, ada.id, yard.clock())) == 1
        for late in range(MOST_SESSIONS + 3):
            latest = open_session(connection, ada.id, UserAgent("::1", "x" * 999), yard.clock() + late)
        assert len(sessions_of(connection, ada.id, yard.clock())) == MOST_SESSIONS
        set_password(connection, ada.id, "kept", yard.clock())
        assert bearer_of(connection, latest, yard.clock()) is None


def test_tokens_are_good_for_what_was_ticked_and_for_no_account(yard: Yard) -> None:
    caller = caller_for(yard, resident(yard, "Ada"))
    root = caller_for(yard, resident(yard, "Root", ADMIN))
    with yard.database.writing() as connection:
        for scopes, kind in ((["admin"], NotAllowed), ([], YardError), (["all"], YardError)):
            with pytest.raises(kind):
                make_token(connection, caller, "laptop", scopes, Quotas(), 1)
        secret = make_token(connection, caller, "laptop", ["upload", "read"], Quotas(), 1)
        office = make_token(connection, root, "office", ["admin"], Quotas(), 1)
        found, _ = caller_of_token(connection, secret) or (Caller(), 0)
        admin, _ = caller_of_token(connection, office) or (Caller(), 0)
    assert found.scopes == {"read", "upload"}
    assert found.need("upload") == caller.person
    with pytest.raises(NotAllowed):
        found.need("play")
    for refused in (found.need_admin, found.need_session):
        with pytest.raises(NotAllowed):
            refused()
    assert admin.is_admin
    with yard.database.writing() as connection:
        with pytest.raises(NotAllowed):
            make_token(connection, found, "more", ["read"], Quotas(), 1)
        assert root.person is not None
        set_role(connection, caller.person or 0, ADMIN, 1, by=root.person)
        set_role(connection, root.person, PLAYER, 1, by=root.person)
        demoted, _ = caller_of_token(connection, office) or (Caller(), 0)
    assert not demoted.is_admin
