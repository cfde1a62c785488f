"""Forks as fast as it can, in every process, whatever is refused."""

from wire import *


begin()
next(questions())
while True:
    try:
        os.fork()
    except OSError:
        pass
