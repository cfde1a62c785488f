"""Leaves children behind: in sessions of their own, orphaned, deaf to SIGTERM."""

import signal
import time

from wire import *

if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
begin()
play()
