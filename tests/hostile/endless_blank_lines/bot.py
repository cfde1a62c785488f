"""Sends blank lines for ever."""

import time

from wire import *

begin()
next(questions())
say(b"\n")
time.sleep(0.2)
while True:
    say(b"\n" * 4096)
