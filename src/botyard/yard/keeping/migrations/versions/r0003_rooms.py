"""Rooms, their members and points, and what was written down of their rounds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "room",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("house", sa.Text(), nullable=False),
        sa.Column("door", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("closed_ms", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("door IN ('anybody', 'accounts')", name=op.f("ck_room_door")),
        sa.CheckConstraint("state IN ('open', 'closed')", name=op.f("ck_room_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_room")),
        sa.UniqueConstraint("slug", name=op.f("uq_room_slug")),
    )
    op.create_table(
        "chronicle",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("room", sa.BigInteger(), nullable=False),
        sa.Column("replay", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("rules", sa.BigInteger(), nullable=False),
        sa.Column("ticks", sa.BigInteger(), nullable=False),
        sa.Column("beats", sa.BigInteger(), nullable=False),
        sa.Column("begun_ms", sa.BigInteger(), nullable=False),
        sa.Column("ended_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["replay"], ["blob.digest"], name=op.f("fk_chronicle_replay_blob")),
        sa.ForeignKeyConstraint(["room"], ["room.id"], name=op.f("fk_chronicle_room_room")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chronicle")),
    )
    op.create_index(op.f("ix_chronicle_ended_ms"), "chronicle", ["ended_ms"], unique=False)
    op.create_index("ix_chronicle_listed", "chronicle", ["room", "id"], unique=False)
    op.create_table(
        "member",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("room", sa.BigInteger(), nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("house", sa.Text(), nullable=True),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("removed_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_member_person_person")),
        sa.ForeignKeyConstraint(["room"], ["room.id"], name=op.f("fk_member_room_room")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_member")),
        sa.UniqueConstraint("room", "name_key", name=op.f("uq_member_room_name_key")),
        sa.UniqueConstraint("room", "person", name=op.f("uq_member_room_person")),
        sa.UniqueConstraint("user", name=op.f("uq_member_user")),
    )
    op.create_index(op.f("ix_member_person"), "member", ["person"], unique=False)
    op.create_index(op.f("ix_member_room"), "member", ["room"], unique=False)
    op.create_table(
        "member_day",
        sa.Column("member", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["member"], ["member.id"], name=op.f("fk_member_day_member_member")),
        sa.PrimaryKeyConstraint("member", "day", name=op.f("pk_member_day")),
    )
    op.create_table(
        "stint",
        sa.Column("chronicle", sa.BigInteger(), nullable=False),
        sa.Column("member", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["chronicle"], ["chronicle.id"], name=op.f("fk_stint_chronicle_chronicle")),
        sa.ForeignKeyConstraint(["member"], ["member.id"], name=op.f("fk_stint_member_member")),
        sa.PrimaryKeyConstraint("chronicle", "member", "since", name=op.f("pk_stint")),
    )
    op.create_index(op.f("ix_stint_member"), "stint", ["member"], unique=False)
