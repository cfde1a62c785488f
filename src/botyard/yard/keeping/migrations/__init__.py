"""Every change of the tables since the first, as revisions that Alembic carries out in order."""
