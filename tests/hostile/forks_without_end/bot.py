"""Starts processes until it may not, each of which does the same."""

import time

from wire import *

begin()
next(questions())
first = os.getpid()
while True:
    try:
        os.fork()
    except OSError:
        if os.getpid() == first:
            raise
        time.sleep(600)
