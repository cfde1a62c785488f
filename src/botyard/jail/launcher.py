"""Inside the cage of a TCP bot: opens the one port it may reach, hands it out, and becomes the bot.

The cage has a network of its own in which nothing else listens. Run as `python -I -S -c SOURCE PORT DESCRIPTOR
COMMAND…`, with as little imported as possible: every millisecond here is one of every start.
"""

import _socket
import os
import sys

LOOPBACK = "127.0.0.1"


def main() -> None:
    port, descriptor, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    door = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    door.bind((LOOPBACK, port))
    door.listen(8)
    channel = _socket.socket(fileno=descriptor)
    rights = door.fileno().to_bytes(4, sys.byteorder)
    channel.sendmsg([b"!"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
    channel.close()
    door.close()
    try:
        os.execv(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(126)


if __name__ == "__main__":
    main()
