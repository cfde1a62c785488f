"""Tic-tac-toe: the smallest game that is one, kept in a package of its own as somebody else would."""
