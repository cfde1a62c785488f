"""Contests of a yard: contest files that people enter, played by the same code as on the command line."""
