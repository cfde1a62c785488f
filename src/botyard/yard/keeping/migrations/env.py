"""Alembic runs this module when it migrates; the connection, and with it the transaction, is that of the caller."""

from __future__ import annotations

from alembic import context

from botyard.yard.data.all_tables import ALL_TABLES

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=ALL_TABLES,
    render_as_batch=True,
    compare_type=True,
)
context.run_migrations()
