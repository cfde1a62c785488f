"""Reads what is not its own: passwords, homes, other bots, processes, environments."""

import glob

from wire import *

begin()
for pattern in (
    "/etc/shadow",
    "/etc/machine-id",
    "/root/.ssh*",
    "/root/.bash*",
    "/home/*/*",
    "../neighbour*",
    "/var/*",
    "/run/*",
    "/sys/*",
    "/boot/*",
    "/mnt/*",
    "/srv/*",
):
    if found := [path for path in glob.glob(pattern) if not path.startswith("/home/bot")]:
        sys.exit(f"sees {found}")
if open("/etc/hosts").read() != "127.0.0.1 localhost\n":
    sys.exit("sees the hosts of the machine")
others = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
if [pid for pid in others if pid > 64]:
    sys.exit(f"sees processes {others}")
if "hush" in str(dict(os.environ)):
    sys.exit("reads our environment")
for pid in (1, os.getppid()):
    try:
        if b"hush" in open(f"/proc/{pid}/environ", "rb").read():
            sys.exit("reads the environment of its cage")
    except OSError:
        pass
play()
