"""Names that were left and ratings of earlier versions are kept; whatever waits has a reason; games are compared."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

MILESTONE = sa.table("milestone", *map(sa.column, ("id", "entry", "before", "mu", "sigma")))
KEPT = sa.table("kept_rating", *map(sa.column, ("entry", "version", "mu", "sigma")))


def upgrade() -> None:
    op.create_table(
        "left_name", sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True), sa.Column("until_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_left_name_person_person")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_left_name")),
    )  # fmt: skip
    with op.batch_alter_table("left_name", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_left_name_person"), ["person"], unique=False)
    keep_ratings()
    with op.batch_alter_table("version", schema=None) as batch_op:
        batch_op.add_column(sa.Column("message", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("version", schema=None) as batch_op:
        batch_op.alter_column("message", existing_type=sa.Text(), existing_nullable=False, server_default=None)
    op.execute("UPDATE task SET why = 'it waits for its turn' WHERE why = ''")
    with op.batch_alter_table("task", schema=None) as batch_op:
        reasoned = "why <> '' OR state NOT IN ('waiting', 'leased')"
        batch_op.create_check_constraint(op.f("ck_task_unfinished_has_why"), reasoned)
    with op.batch_alter_table("fault", schema=None) as batch_op:
        batch_op.add_column(sa.Column("match", sa.BigInteger(), nullable=True))
        batch_op.add_column(sa.Column("replay", sa.Text(), nullable=True))
        batch_op.create_foreign_key(op.f("fk_fault_replay_blob"), "blob", ["replay"], ["digest"])
    with op.batch_alter_table("worker", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_worker_state"), type_="check")
        states = "state IN ('idle', 'busy', 'drained', 'refused', 'gone')"
        batch_op.create_check_constraint(op.f("ck_worker_state"), states)


def keep_ratings() -> None:
    """Moves the ratings with which versions were left from the milestones to a table of their own."""
    op.create_table(
        "kept_rating", sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False), sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["entry"], ["entry.id"], name=op.f("fk_kept_rating_entry_entry")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_kept_rating_version_version")),
        sa.PrimaryKeyConstraint("entry", "version", name=op.f("pk_kept_rating")),
    )  # fmt: skip
    left = sa.select(MILESTONE).where(MILESTONE.c.before.is_not(None), MILESTONE.c.mu.is_not(None))
    connection = op.get_bind()
    latest = {(row.entry, row.before): row for row in connection.execute(left.order_by(MILESTONE.c.id))}
    for row in latest.values():
        kept = {"entry": row.entry, "version": row.before, "mu": row.mu, "sigma": row.sigma}
        connection.execute(sa.insert(KEPT).values(kept))
    with op.batch_alter_table("milestone", schema=None) as batch_op:
        batch_op.drop_index("ix_milestone_entry")
        batch_op.drop_constraint(op.f("fk_milestone_before_version"), type_="foreignkey")
        for column in ("before", "mu", "sigma"):
            batch_op.drop_column(column)
