"""Just enough of three native protocols, and of our own, for a bot to get as far as it wants to misbehave.

Copied beside every hostile bot. A bot of Hack-man is started without arguments, one of Hive Arena with host and port,
one of Snakepit with host, port and id; `json` as the only argument asks for Botyard's own protocol.
"""

import json
import os
import socket
import sys

GAMES = {1: "hackman", 2: "json", 3: "hive", 4: "snakepit"}
GAME = GAMES[len(sys.argv)]
ENDS = {"hackman": b"action move", "json": b'"turn"', "hive": b",", "snakepit": b"mov"}
RING = "uurrddll"  # a round trip longer than the snake

link = None
asked = 0


def turn():
    """How often it was asked."""
    return asked


def connection():
    """The socket, or nothing where the game is played over pipes."""
    return link


def begin(name="hostile"):
    """Connects and says its name, where that is the way."""
    global link
    if GAME in ("hive", "snakepit"):
        link = socket.create_connection((sys.argv[1], int(sys.argv[2])))
    if GAME == "hive":
        say(name.encode() + b"\n")


def say(data):
    """Bytes to the arena, as they are."""
    if link is not None:
        link.sendall(data)
        return
    while data:
        data = data[os.write(1, data) :]


def questions():
    """Every question, until the game is over."""
    global asked
    lines = sys.stdin.buffer if link is None else link.makefile("rb")
    for line in lines:
        if GAME == "json" and b'"hello"' in line:
            say(b'{"type":"ready","version":1}\n')
            continue
        if line.startswith((b"gameover", b"quit")):
            return
        if ENDS[GAME] in line:
            asked += 1
            yield line


def good(line=b""):
    """An answer that is in order and does no harm."""
    if GAME == "hackman":
        return b"pass\n"
    if GAME == "hive":
        return b"3,0\n"
    if GAME == "snakepit":
        return RING[(asked - 1) % len(RING)].encode()
    return json.dumps({"turn": json.loads(line)["turn"], "order": "pass"}).encode() + b"\n"


def play():
    """Plays on like everybody else."""
    for line in questions():
        say(good(line))
