"""Begins a line and never ends it."""

import time

from wire import *

begin()
line = next(questions())
say(good(line)[:2])
time.sleep(600)
