"""Breaks its connection off in the middle of a turn and comes again."""

import struct
import time

from wire import *

begin()
next(questions())
connection().setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
connection().close()
try:
    again = socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=5)
    again.sendall(b"ghost\n")
except OSError:
    pass
time.sleep(600)
