"""Sends a hundred answers at once, then plays on."""

from wire import *


begin()
for line in questions():
    say(good(line) * (100 if turn() == 1 else 1))
