"""The tables of the first release."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "blob", sa.Column("digest", sa.Text(), nullable=False), sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True), sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("pruned_ms", sa.BigInteger(), nullable=True), sa.PrimaryKeyConstraint("digest", name=op.f("pk_blob")),
    )  # fmt: skip
    op.create_table(
        "counter", sa.Column("name", sa.Text(), nullable=False), sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_counter")),
    )  # fmt: skip
    op.create_table(
        "fact", sa.Column("name", sa.Text(), nullable=False), sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_fact")),
    )  # fmt: skip
    op.create_table(
        "ladder", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False), sa.Column("game", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False), sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False), sa.Column("root", sa.Text(), nullable=False),
        sa.Column("root_hash", sa.Text(), nullable=False), sa.Column("stream", sa.Text(), nullable=False),
        sa.Column("season", sa.BigInteger(), nullable=False), sa.Column("rules", sa.BigInteger(), nullable=False),
        sa.Column("predictable", sa.BigInteger(), nullable=False),
        sa.Column("changes", sa.BigInteger(), nullable=False), sa.Column("recorded", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False), sa.Column("deadline_ms", sa.BigInteger(), nullable=True),
        sa.Column("standings", sa.Text(), nullable=True), sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state IN ('open', 'frozen', 'final', 'closed')", name=op.f("ck_ladder_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder")), sa.UniqueConstraint("slug", name=op.f("uq_ladder_slug")),
    )  # fmt: skip
    op.create_table(
        "person", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False), sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=True), sa.Column("role", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False), sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("role IN ('admin', 'organiser', 'player')", name=op.f("ck_person_role")),
        sa.CheckConstraint("state IN ('active', 'banned', 'deleted')", name=op.f("ck_person_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("name_key", name=op.f("uq_person_name_key")),
    )  # fmt: skip
    op.create_table(
        "worker", sa.Column("name", sa.Text(), nullable=False), sa.Column("state", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False), sa.Column("seen_ms", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state IN ('idle', 'busy', 'drained', 'gone')", name=op.f("ck_worker_state")),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_worker")),
    )  # fmt: skip
    op.create_table(
        "bot", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("owner", sa.BigInteger(), nullable=False), sa.Column("game", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False), sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("logs_public", sa.BigInteger(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False), sa.Column("deleted_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["owner"], ["person.id"], name=op.f("fk_bot_owner_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot")),
        sa.UniqueConstraint("game", "name_key", name=op.f("uq_bot_game_name_key")),
    )  # fmt: skip
    with op.batch_alter_table("bot", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_bot_owner"), ["owner"], unique=False)

    op.create_table(
        "encounter", sa.Column("ladder", sa.BigInteger(), nullable=False), sa.Column("one", sa.Text(), nullable=False),
        sa.Column("other", sa.Text(), nullable=False), sa.Column("pairs", sa.BigInteger(), nullable=False),
        sa.Column("last_ms", sa.BigInteger(), nullable=False), sa.Column("orders_hash", sa.Text(), nullable=False),
        sa.Column("settled", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_encounter_ladder_ladder")),
        sa.PrimaryKeyConstraint("ladder", "one", "other", name=op.f("pk_encounter")),
    )  # fmt: skip
    with op.batch_alter_table("encounter", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_encounter_other"), ["other"], unique=False)

    op.create_table(
        "event", sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False), sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True), sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("public", sa.BigInteger(), nullable=False), sa.Column("concerns", sa.BigInteger(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["concerns"], ["person.id"], name=op.f("fk_event_concerns_person")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_event_person_person")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_event")),
    )  # fmt: skip
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_event_concerns"), ["concerns"], unique=False)

    op.create_table(
        "notice", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True), sa.Column("author", sa.BigInteger(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False), sa.Column("body", sa.Text(), nullable=False),
        sa.Column("link", sa.Text(), nullable=False), sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("seen_ms", sa.BigInteger(), nullable=True), sa.Column("hidden_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["author"], ["person.id"], name=op.f("fk_notice_author_person")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_notice_person_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
    )  # fmt: skip
    with op.batch_alter_table("notice", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_notice_person"), ["person"], unique=False)

    op.create_table(
        "pair", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("ladder", sa.BigInteger(), nullable=True), sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("season", sa.BigInteger(), nullable=False), sa.Column("chance", sa.Text(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False), sa.Column("state", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=True), sa.Column("rated", sa.BigInteger(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False), sa.Column("orders_hash", sa.Text(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True), sa.Column("asked_ms", sa.BigInteger(), nullable=False),
        sa.Column("closed_ms", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("kind IN ('ladder', 'final', 'challenge', 'test', 'hand')", name=op.f("ck_pair_kind")),
        sa.CheckConstraint("state IN ('asked', 'begun', 'closed', 'void', 'cancelled')", name=op.f("ck_pair_state")),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_pair_ladder_ladder")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_pair_person_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pair")),
        sa.UniqueConstraint("ladder", "number", name=op.f("uq_pair_ladder_number")),
        sa.UniqueConstraint("ladder", "season", "chance", name=op.f("uq_pair_ladder_season_chance")),
    )  # fmt: skip
    with op.batch_alter_table("pair", schema=None) as batch_op:
        batch_op.create_index("ix_pair_state", ["state", "ladder"], unique=False)
        batch_op.create_index("ix_pair_listed", ["ladder", "id"], unique=False)

    op.create_table(
        "season", sa.Column("ladder", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False), sa.Column("rules", sa.BigInteger(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False), sa.Column("root", sa.Text(), nullable=False),
        sa.Column("root_hash", sa.Text(), nullable=False), sa.Column("opened_ms", sa.BigInteger(), nullable=False),
        sa.Column("ended_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_season_ladder_ladder")),
        sa.PrimaryKeyConstraint("ladder", "number", name=op.f("pk_season")),
    )  # fmt: skip
    op.create_table(
        "session", sa.Column("digest", sa.Text(), nullable=False), sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False), sa.Column("seen_ms", sa.BigInteger(), nullable=False),
        sa.Column("ends_ms", sa.BigInteger(), nullable=False), sa.Column("address", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_session_person_person")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_session")),
    )  # fmt: skip
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_session_person"), ["person"], unique=False)

    op.create_table(
        "ticket", sa.Column("digest", sa.Text(), nullable=False), sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True), sa.Column("name", sa.Text(), nullable=True),
        sa.Column("made_by", sa.BigInteger(), nullable=True), sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("ends_ms", sa.BigInteger(), nullable=False), sa.Column("used_ms", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("purpose IN ('admin', 'password', 'invitation')", name=op.f("ck_ticket_purpose")),
        sa.ForeignKeyConstraint(["made_by"], ["person.id"], name=op.f("fk_ticket_made_by_person")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_ticket_person_person")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_ticket")),
    )  # fmt: skip
    op.create_table(
        "token", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False), sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False), sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False), sa.Column("used_ms", sa.BigInteger(), nullable=True),
        sa.Column("ended_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_token_person_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("digest", name=op.f("uq_token_digest")),
    )  # fmt: skip
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_token_person"), ["person"], unique=False)

    op.create_table(
        "match", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("pair", sa.BigInteger(), nullable=False), sa.Column("half", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False), sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("rules", sa.BigInteger(), nullable=False), sa.Column("botyard", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False), sa.Column("result", sa.Text(), nullable=False),
        sa.Column("ticks", sa.BigInteger(), nullable=False), sa.Column("replay", sa.Text(), nullable=True),
        sa.Column("turns", sa.Text(), nullable=True), sa.Column("film", sa.Text(), nullable=True),
        sa.Column("figures", sa.Text(), nullable=True), sa.Column("orders_hash", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False), sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("begun_ms", sa.BigInteger(), nullable=True), sa.Column("done_ms", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("(state = 'done') = (result <> '')", name=op.f("ck_match_done_has_result")),
        sa.CheckConstraint("state IN ('asked', 'leased', 'done', 'void', 'cancelled')", name=op.f("ck_match_state")),
        sa.ForeignKeyConstraint(["film"], ["blob.digest"], name=op.f("fk_match_film_blob")),
        sa.ForeignKeyConstraint(["pair"], ["pair.id"], name=op.f("fk_match_pair_pair")),
        sa.ForeignKeyConstraint(["replay"], ["blob.digest"], name=op.f("fk_match_replay_blob")),
        sa.ForeignKeyConstraint(["turns"], ["blob.digest"], name=op.f("fk_match_turns_blob")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
        sa.UniqueConstraint("pair", "half", name=op.f("uq_match_pair_half")),
    )  # fmt: skip
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.create_index("ix_match_done", ["game", "done_ms"], unique=False)
        batch_op.create_index("ix_match_listed", ["game", "pair", "half"], unique=False)

    op.create_table(
        "version", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("bot", sa.BigInteger(), nullable=False), sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("tree", sa.Text(), nullable=False), sa.Column("source", sa.Text(), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False), sa.Column("language", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False), sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("activate", sa.BigInteger(), nullable=False), sa.Column("build_log", sa.Text(), nullable=True),
        sa.Column("findings", sa.Text(), nullable=True), sa.Column("check_replay", sa.Text(), nullable=True),
        sa.Column("check_turns", sa.Text(), nullable=True), sa.Column("check_seat", sa.BigInteger(), nullable=False),
        sa.Column("checked_with", sa.Text(), nullable=False), sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state IN ('uploaded', 'building', 'built', 'checking', 'fit', 'unbuilt', 'unfit', 'withdrawn')", name=op.f("ck_version_state")),
        sa.ForeignKeyConstraint(["bot"], ["bot.id"], name=op.f("fk_version_bot_bot")),
        sa.ForeignKeyConstraint(["build_log"], ["blob.digest"], name=op.f("fk_version_build_log_blob")),
        sa.ForeignKeyConstraint(["check_replay"], ["blob.digest"], name=op.f("fk_version_check_replay_blob")),
        sa.ForeignKeyConstraint(["check_turns"], ["blob.digest"], name=op.f("fk_version_check_turns_blob")),
        sa.ForeignKeyConstraint(["source"], ["blob.digest"], name=op.f("fk_version_source_blob")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_version")),
        sa.UniqueConstraint("bot", "number", name=op.f("uq_version_bot_number")),
        sa.UniqueConstraint("bot", "tree", name=op.f("uq_version_bot_tree")),
    )  # fmt: skip
    op.create_table(
        "entry", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("ladder", sa.BigInteger(), nullable=False), sa.Column("bot", sa.BigInteger(), nullable=True),
        sa.Column("house", sa.Text(), nullable=True), sa.Column("version", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False), sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False), sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False), sa.Column("pairs", sa.BigInteger(), nullable=False),
        sa.Column("version_pairs", sa.BigInteger(), nullable=False),
        sa.Column("in_flight", sa.BigInteger(), nullable=False), sa.Column("asked_ms", sa.BigInteger(), nullable=False),
        sa.Column("hosted_ms", sa.BigInteger(), nullable=True), sa.Column("game_ms", sa.BigInteger(), nullable=False),
        sa.Column("seated", sa.Text(), nullable=False), sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.Column("changed", sa.BigInteger(), nullable=False), sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state IN ('settling', 'active', 'benched', 'retired')", name=op.f("ck_entry_state")),
        sa.CheckConstraint("(bot IS NULL) <> (house IS NULL)", name=op.f("ck_entry_one_player")),
        sa.ForeignKeyConstraint(["bot"], ["bot.id"], name=op.f("fk_entry_bot_bot")),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_entry_ladder_ladder")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_entry_version_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entry")),
        sa.UniqueConstraint("ladder", "bot", name=op.f("uq_entry_ladder_bot")),
        sa.UniqueConstraint("ladder", "house", name=op.f("uq_entry_ladder_house")),
    )  # fmt: skip
    with op.batch_alter_table("entry", schema=None) as batch_op:
        batch_op.create_index("ix_entry_changed", ["ladder", "changed"], unique=False)

    op.create_table(
        "task", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False), sa.Column("urgency", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False), sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=False), sa.Column("until_ms", sa.BigInteger(), nullable=True),
        sa.Column("progress", sa.BigInteger(), nullable=False), sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False), sa.Column("version", sa.BigInteger(), nullable=True),
        sa.Column("match", sa.BigInteger(), nullable=True), sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("asked_ms", sa.BigInteger(), nullable=False), sa.Column("begun_ms", sa.BigInteger(), nullable=True),
        sa.Column("ended_ms", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("kind IN ('build', 'check', 'match', 'film')", name=op.f("ck_task_kind")),
        sa.CheckConstraint("state IN ('waiting', 'leased', 'ended', 'failed', 'cancelled')", name=op.f("ck_task_state")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_task_person_person")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_task_version_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task")),
    )  # fmt: skip
    with op.batch_alter_table("task", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_task_match"), ["match"], unique=False)
        batch_op.create_index("ix_task_next", ["state", "urgency", "id"], unique=False)
        batch_op.create_index("ix_task_latest", ["state", "id"], unique=False)
        batch_op.create_index(batch_op.f("ix_task_version"), ["version"], unique=False)

    op.create_table(
        "fault", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("task", sa.BigInteger(), nullable=True), sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False), sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False), sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["task"], ["task.id"], name=op.f("fk_fault_task_task")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fault")),
    )  # fmt: skip
    with op.batch_alter_table("fault", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_fault_task"), ["task"], unique=False)

    op.create_table(
        "milestone", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("ladder", sa.BigInteger(), nullable=False), sa.Column("after", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False), sa.Column("entry", sa.BigInteger(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=True), sa.Column("before", sa.BigInteger(), nullable=True),
        sa.Column("mu", sa.Double(), nullable=True), sa.Column("sigma", sa.Double(), nullable=True),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("kind IN ('activated', 'season')", name=op.f("ck_milestone_kind")),
        sa.ForeignKeyConstraint(["before"], ["version.id"], name=op.f("fk_milestone_before_version")),
        sa.ForeignKeyConstraint(["entry"], ["entry.id"], name=op.f("fk_milestone_entry_entry")),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_milestone_ladder_ladder")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_milestone_version_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_milestone")),
    )  # fmt: skip
    with op.batch_alter_table("milestone", schema=None) as batch_op:
        batch_op.create_index("ix_milestone_entry", ["entry", "before"], unique=False)
        batch_op.create_index("ix_milestone_order", ["ladder", "after", "id"], unique=False)

    op.create_table(
        "rating_step", sa.Column("ladder", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False), sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("season", sa.BigInteger(), nullable=False), sa.Column("version", sa.BigInteger(), nullable=True),
        sa.Column("mu", sa.Double(), nullable=False), sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False), sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["entry"], ["entry.id"], name=op.f("fk_rating_step_entry_entry")),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_rating_step_ladder_ladder")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_rating_step_version_version")),
        sa.PrimaryKeyConstraint("ladder", "number", "entry", name=op.f("pk_rating_step")),
    )  # fmt: skip
    with op.batch_alter_table("rating_step", schema=None) as batch_op:
        batch_op.create_index("ix_rating_step_entry", ["entry", "version", "number"], unique=False)

    op.create_table(
        "seat", sa.Column("match", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False), sa.Column("entry", sa.BigInteger(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=True), sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("house", sa.Text(), nullable=True), sa.Column("name", sa.Text(), nullable=False),
        sa.Column("rank", sa.BigInteger(), nullable=True), sa.Column("score", sa.BigInteger(), nullable=True),
        sa.Column("forfeited", sa.BigInteger(), nullable=False),
        sa.Column("lost_turns", sa.BigInteger(), nullable=False), sa.Column("turns", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("(CASE WHEN version IS NULL THEN 0 ELSE 1 END) + (CASE WHEN person IS NULL THEN 0 ELSE 1 END) + (CASE WHEN house IS NULL THEN 0 ELSE 1 END) = 1", name=op.f("ck_seat_one_player")),
        sa.ForeignKeyConstraint(["entry"], ["entry.id"], name=op.f("fk_seat_entry_entry")),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_seat_match_match")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_seat_person_person")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_seat_version_version")),
        sa.PrimaryKeyConstraint("match", "place", name=op.f("pk_seat")),
    )  # fmt: skip
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_entry"), ["entry"], unique=False)
        batch_op.create_index(batch_op.f("ix_seat_person"), ["person"], unique=False)
        batch_op.create_index("ix_seat_version", ["version", "match"], unique=False)
