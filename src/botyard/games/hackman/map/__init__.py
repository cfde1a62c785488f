"""The map of a game, and what is computed from it once: where steps lead, and the ways between cells."""
