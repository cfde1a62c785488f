"""The map of a game, and what is worked out from it once: where steps lead, and the ways between cells."""
