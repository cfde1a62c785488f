"""Starts 64 threads that reckon without end."""

import hashlib
import threading
import time

from wire import *


def reckon():
    while True:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 2000)
        time.sleep(0.1)


begin()
for _ in range(64):
    threading.Thread(target=reckon, daemon=True).start()
play()
