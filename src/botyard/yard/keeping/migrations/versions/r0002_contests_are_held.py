"""Contests are held."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

KINDS = "kind IN ('ladder', 'final', 'challenge', 'test', 'hand', 'contest')"


def upgrade() -> None:
    op.create_table(
        "contest", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False), sa.Column("organiser", sa.BigInteger(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False), sa.Column("game", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False), sa.Column("bots_per_person", sa.BigInteger(), nullable=False),
        sa.Column("predictable", sa.BigInteger(), nullable=False),
        sa.Column("deadline_ms", sa.BigInteger(), nullable=True), sa.Column("release", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False), sa.Column("why", sa.Text(), nullable=False),
        sa.Column("root", sa.Text(), nullable=False), sa.Column("root_hash", sa.Text(), nullable=False),
        sa.Column("run", sa.BigInteger(), nullable=False), sa.Column("past", sa.Text(), nullable=False),
        sa.Column("watched", sa.BigInteger(), nullable=False), sa.Column("plan", sa.Text(), nullable=True),
        sa.Column("identity", sa.Text(), nullable=True), sa.Column("changes", sa.BigInteger(), nullable=False),
        sa.Column("wanted", sa.BigInteger(), nullable=False), sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False), sa.Column("begun_ms", sa.BigInteger(), nullable=True),
        sa.Column("ended_ms", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("release IN ('nothing', 'own', 'all')", name=op.f("ck_contest_release")),
        sa.CheckConstraint("state IN ('open', 'running', 'paused', 'over', 'cancelled')", name=op.f("ck_contest_state")),
        sa.ForeignKeyConstraint(["organiser"], ["person.id"], name=op.f("fk_contest_organiser_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contest")),
        sa.UniqueConstraint("slug", name=op.f("uq_contest_slug")),
    )  # fmt: skip
    with op.batch_alter_table("contest", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_contest_organiser"), ["organiser"], unique=False)

    op.create_table(
        "contest_game", sa.Column("contest", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False), sa.Column("match", sa.BigInteger(), nullable=True),
        sa.Column("bots", sa.Text(), nullable=False), sa.Column("name", sa.Text(), nullable=False),
        sa.Column("game", sa.BigInteger(), nullable=False), sa.Column("chance", sa.Text(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["contest"], ["contest.id"], name=op.f("fk_contest_game_contest_contest")),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_contest_game_match_match")),
        sa.PrimaryKeyConstraint("contest", "number", name=op.f("pk_contest_game")),
    )  # fmt: skip
    with op.batch_alter_table("contest_game", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_contest_game_match"), ["match"], unique=False)

    op.create_table(
        "entrant", sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("contest", sa.BigInteger(), nullable=False), sa.Column("key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False), sa.Column("house", sa.Text(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=True), sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("guest", sa.BigInteger(), nullable=False), sa.Column("listed", sa.BigInteger(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=False), sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("left_ms", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("house IS NULL OR version IS NULL", name=op.f("ck_entrant_one_player")),
        sa.ForeignKeyConstraint(["contest"], ["contest.id"], name=op.f("fk_entrant_contest_contest")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_entrant_person_person")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_entrant_version_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entrant")),
        sa.UniqueConstraint("contest", "key", name=op.f("uq_entrant_contest_key")),
    )  # fmt: skip
    with op.batch_alter_table("entrant", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_entrant_person"), ["person"], unique=False)

    with op.batch_alter_table("bot", schema=None) as batch_op:
        batch_op.add_column(sa.Column("contest", sa.BigInteger(), nullable=True))
        batch_op.alter_column("owner", existing_type=sa.BIGINT(), nullable=True)
        batch_op.create_index(batch_op.f("ix_bot_contest"), ["contest"], unique=False)
        batch_op.create_foreign_key(batch_op.f("fk_bot_contest_contest"), "contest", ["contest"], ["id"])

    with op.batch_alter_table("pair", schema=None) as batch_op:
        batch_op.add_column(sa.Column("contest", sa.BigInteger(), nullable=True))
        batch_op.add_column(sa.Column("held", sa.BigInteger(), nullable=False, server_default="0"))
        batch_op.drop_constraint(op.f("ck_pair_kind"), type_="check")
        batch_op.create_check_constraint(op.f("ck_pair_kind"), KINDS)
        batch_op.create_index(batch_op.f("ix_pair_contest"), ["contest"], unique=False)
        batch_op.create_foreign_key(batch_op.f("fk_pair_contest_contest"), "contest", ["contest"], ["id"])
    with op.batch_alter_table("pair", schema=None) as batch_op:
        batch_op.alter_column("held", existing_type=sa.BigInteger(), existing_nullable=False, server_default=None)
