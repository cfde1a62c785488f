"""Ends its lines with CR and LF, and adds blanks."""

from wire import *


begin()
for line in questions():
    say(good(line).rstrip() + {"hackman": b"  \r\n", "hive": b"\t \r\n", "snakepit": b"\r\n"}[GAME])
