"""A small WebSocket client (RFC 6455) with what a bot needs, using only the standard library.

You need not read this to write a bot. If you may install packages, `websockets` does the same.
"""

import base64
import hashlib
import os
import socket
import ssl
from urllib.parse import urlsplit

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUED, TEXT, CLOSE, PING, PONG = 0, 1, 8, 9, 10


def connect(address):
    """Opens ws://… or wss://…; if the server refuses, the error quotes it."""
    url = urlsplit(address)
    secure = url.scheme == "wss"
    link = socket.create_connection((url.hostname, url.port or (443 if secure else 80)))
    if secure:
        link = ssl.create_default_context().wrap_socket(link, server_hostname=url.hostname)
    key = base64.b64encode(os.urandom(16)).decode()
    head = [
        f"GET {url.path}?{url.query} HTTP/1.1",
        f"Host: {url.netloc}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
    ]
    link.sendall("".join(f"{line}\r\n" for line in [*head, ""]).encode())
    stream = link.makefile("rb")
    status = stream.readline().decode().strip()
    headers = {}
    while line := stream.readline().strip():
        name, _, value = line.decode().partition(":")
        headers[name.lower()] = value.strip()
    accept = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()
    if " 101" not in status or headers.get("sec-websocket-accept") != accept:
        raise ConnectionError(f"{address} says: {status}")
    return WebSocket(link, stream)


class WebSocket:
    """Sends and receives text messages."""

    def __init__(self, link, stream):
        self.link, self.stream = link, stream

    def receive(self):
        """Returns the next text, or None once the server has closed."""
        text = b""
        while True:
            final, kind, payload = self.read_frame()
            if kind == CLOSE:
                self.write_frame(CLOSE, payload)
                return None
            if kind is None:
                return None
            if kind == PING:
                self.write_frame(PONG, payload)
            elif kind in (TEXT, CONTINUED):
                text += payload
                if final:
                    return text.decode()

    def send(self, text):
        self.write_frame(TEXT, text.encode())

    def read_frame(self):
        head = self.stream.read(2)
        if len(head) < 2:
            return True, None, b""
        size = head[1] & 127
        if size >= 126:
            size = int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
        return bool(head[0] & 128), head[0] & 15, self.stream.read(size)

    def write_frame(self, kind, payload):
        """Sends a whole message in one frame, masked as clients must."""
        mask = os.urandom(4)
        size = len(payload)
        head = bytes([128 | kind, 128 | size]) if size < 126 else bytes([128 | kind, 254]) + size.to_bytes(2, "big")
        self.link.sendall(head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload)))
