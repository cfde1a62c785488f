"""Building and running a stranger's program."""
