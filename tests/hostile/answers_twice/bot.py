"""Sends a second, bad answer after every good one."""

from wire import *


begin()
for line in questions():
    say(good(line) + b"?\n")
