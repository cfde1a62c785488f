"""Prints to standard error without end instead of answering."""

from wire import *

begin()
next(questions())
while True:
    os.write(2, b"blah " * 10_000)
