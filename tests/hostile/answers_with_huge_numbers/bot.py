"""Answers with NaN, or a number of three thousand digits."""

from wire import *


begin()
for line in questions():
    say(b"NaN,0\n" if turn() % 2 else b"9" * 3000 + b",0\n")
