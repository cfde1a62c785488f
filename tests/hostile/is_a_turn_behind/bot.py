"""Answers each question when the next one comes."""

from wire import *


begin()
owed = b""
for line in questions():
    if owed:
        say(owed)
    owed = good(line)
