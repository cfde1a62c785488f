"""Closes its standard input and answers all the same."""

import time

from wire import *

next(questions())
os.close(0)
while True:
    time.sleep(30)
    say(good())
