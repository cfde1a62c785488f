"""Closes the way it answers on, and runs on."""

import time

from wire import *

begin()
next(questions())
if connection() is None:
    os.close(1)
else:
    connection().shutdown(socket.SHUT_WR)
time.sleep(600)
