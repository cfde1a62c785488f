"""Burns processor time when it is not asked."""

import threading

from wire import *


def ponder():
    while True:
        sum(range(1000))


begin()
threading.Thread(target=ponder, daemon=True).start()
play()
