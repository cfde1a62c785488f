"""Crashes on its seventh turn, with a traceback."""

from wire import *


begin()
for line in questions():
    if turn() == 7:
        1 / 0
    say(good(line))
