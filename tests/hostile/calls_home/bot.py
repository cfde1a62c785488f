"""Looks for a way out: other ports, other addresses, names, IPv6, vsock, sockets of the machine."""

import contextlib

from wire import *

AF_VSOCK = 40


def reached(family, kind, address):
    try:
        with socket.socket(family, kind) as way:
            way.settimeout(1)
            way.connect(address)
            if kind == socket.SOCK_DGRAM:
                way.send(b"hello")
                way.recv(1)
            return True
    except OSError:
        return False


begin()
ways = [(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port)) for port in (22, 25, 53, 80, 443, 5432, 8080)]
ways += [(socket.AF_INET, kind, ("1.1.1.1", 53)) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)]
ways += [(socket.AF_INET, socket.SOCK_STREAM, ("169.254.169.254", 80))]
ways += [(socket.AF_INET6, socket.SOCK_STREAM, ("2606:4700:4700::1111", 53)), (AF_VSOCK, socket.SOCK_STREAM, (2, 22))]
ways += [(socket.AF_UNIX, socket.SOCK_STREAM, path) for path in ("/run/docker.sock", "\0/tmp/.X11-unix/X0")]
for way in ways:
    if reached(*way):
        sys.exit(f"reached {way}")
with contextlib.suppress(OSError):
    sys.exit(f"resolved {socket.getaddrinfo('example.com', 80)}")
play()
