"""Contests: one file, one command, a table one can trust. Reads the file, runs a format to its end, reports."""
