"""Sends blank lines for ever."""

from wire import *


begin()
next(questions())
while True:
    say(b"\n" * 4096)
