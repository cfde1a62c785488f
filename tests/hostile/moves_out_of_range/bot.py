"""Answers with an order there is none of."""

from wire import *


begin()
for line in questions():
    say({"hackman": b"north-north-west\n", "hive": b"9,9\n", "snakepit": b"9"}[GAME])
