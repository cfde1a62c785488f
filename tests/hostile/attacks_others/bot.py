"""Sends signals to everybody, traces, mounts, unshares and raises its limits."""

import ctypes
import resource
import signal

from wire import *

libc = ctypes.CDLL(None, use_errno=True)


def refused(what, *arguments):
    if what(*arguments) != -1:
        sys.exit(f"{what.__name__}{arguments} was not refused")


def fails(what, *arguments):
    try:
        what(*arguments)
    except (OSError, ValueError):
        return
    sys.exit(f"{what.__name__}{arguments} was not refused")


begin()
refused(libc.ptrace, 16, 1, 0, 0)
refused(libc.mount, b"none", b"/tmp", b"tmpfs", 0, None)
refused(libc.umount2, b"/tmp", 2)
refused(libc.unshare, 0x10000000)
refused(libc.chroot, b"/tmp")
refused(libc.sethostname, b"mine", 4)
fails(os.nice, -5)
fails(os.setuid, 0)
fails(resource.setrlimit, resource.RLIMIT_NOFILE, (100_000, 100_000))
fails(os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(1))
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for pid in (1, -1, os.getppid()):
    try:
        os.kill(pid, signal.SIGTERM)
    except OSError:
        pass
play()
