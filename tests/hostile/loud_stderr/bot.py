"""Prints a megabyte to standard error each turn."""

from wire import *


begin()
for line in questions():
    os.write(2, b"first" + b"x" * 1_000_000 + b"last")
    say(good(line))
