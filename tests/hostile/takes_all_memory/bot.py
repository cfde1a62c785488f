"""Takes memory until somebody stops it."""

from wire import *


begin()
next(questions())
kept = []
while True:
    kept.append(b"x" * 10_000_000)
