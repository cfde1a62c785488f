"""Answers a moment after every deadline."""

import time

from wire import *

begin()
for line in questions():
    time.sleep({"hackman": 0.6, "hive": 1.1, "snakepit": 1.1}[GAME])
    say(good(line))
