"""Leaves files, shared memory, keys and locks for its twin and for its next game, and looks for them."""

import ctypes
import fcntl

from wire import *

libc = ctypes.CDLL(None, use_errno=True)
KEY, IPC_CREAT, KEYRING = 0x0B07, 0o1666, -4
PLACES = ("/tmp", os.environ["HOME"], "/dev/shm", "/var/tmp", "/run")

for place in PLACES:
    if os.path.exists(place + "/trace"):
        sys.exit(f"found a trace in {place}")
    try:
        open(place + "/trace", "w").close()
    except OSError:
        pass
if libc.shmget(KEY, 4096, 0) >= 0 or libc.shmget(KEY, 4096, IPC_CREAT) >= 0:
    sys.exit("has shared memory of the machine")
if libc.syscall(250 if os.uname().machine == "x86_64" else 219, 11, KEYRING, 0, 0) >= 0:
    sys.exit("has a keyring")
for shared in (__file__, "/usr/bin/env"):
    try:
        once, again = open(shared), open(shared)
        fcntl.flock(once, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"can lock {shared}")
    try:
        fcntl.lockf(once, fcntl.LOCK_SH | fcntl.LOCK_NB)
        sys.exit(f"can lock parts of {shared}")
    except PermissionError:
        pass
begin()
play()
