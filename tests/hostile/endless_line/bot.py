"""Sends a hundred million bytes without a line end."""

from wire import *


begin()
flood = (b"r" if GAME == "snakepit" else b"x") * 100_000_000
next(questions())
say(flood)
