"""Sleeps for ever when it is first asked."""

import time

from wire import *

begin()
next(questions())
time.sleep(600)
