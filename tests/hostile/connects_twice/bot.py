"""Connects a second time and speaks there as well."""

from wire import *


begin()
for line in questions():
    try:
        second = socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=1)
        second.sendall(b"impostor\n" + good(line))
        sys.exit("was let in twice")
    except OSError:
        pass
    say(good(line))
