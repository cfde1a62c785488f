"""Ends while a child still holds its output open."""

import time

from wire import *

begin()
next(questions())
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
os._exit(3)
