"""Contests: this package reads a contest file, has all games of the format played, and writes the report."""
