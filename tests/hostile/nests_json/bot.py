"""Answers with JSON a hundred thousand levels deep, or with a key twice."""

from wire import *


for line in questions():
    turn = json.loads(line)["turn"]
    say(b'{"turn":%d,"order":"pass","order":"up"}\n' % turn if turn % 2 else b'{"turn":' + b"[" * 4000 + b"\n")
