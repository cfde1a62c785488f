"""Sends one byte now and then."""

import time

from wire import *

begin()
for line in questions():
    for at in range(5):
        say(good(line)[at : at + 1])
        time.sleep(0.8)
