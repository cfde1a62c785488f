"""Puts links, pipes and devices where somebody may look for its files."""

from wire import *

for target in ("bot.py", "log", "output", "agent"):
    for place in (".", "/tmp", os.environ["HOME"]):
        for trick in (lambda at: os.symlink("/etc/shadow", at), os.mkfifo, lambda at: os.mknod(at, 0o20666, 0x103)):
            try:
                os.rename(place + "/" + target, "/tmp/away")
            except OSError:
                pass
            try:
                trick(place + "/" + target)
            except OSError:
                pass
begin()
play()
