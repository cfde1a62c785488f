"""Answers well after every deadline."""

import time

from wire import *

begin()
for line in questions():
    time.sleep(1.6)
    say(good(line))
