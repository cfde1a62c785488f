"""A stranger that lists everything it can see, on standard error, and then plays as well as it has to."""

import json
import os
import socket
import sys

NOT_ENTERED = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/dev", "/sys")


def is_entered(path):
    if path.startswith("/toolchains/") and path.count("/") > 2 and not path.endswith("/bin"):
        return False  # /toolchains/NAME/lib/…: the library of a language is large
    return path not in NOT_ENTERED and not path.startswith("/etc/") and not os.path.islink(path)


def seen():
    found = []
    for place, folders, files in os.walk("/"):
        found += [os.path.join(place, name) for name in folders + files]
        folders[:] = [name for name in folders if is_entered(os.path.join(place, name))]
    return sorted(found)


def tell():
    sys.stderr.write("SEEN " + json.dumps({"paths": seen(), "open": descriptors(), "here": os.getcwd()}) + "\n")
    sys.stderr.flush()


def descriptors():
    found = []
    for number in range(64):
        try:
            os.fstat(number)
        except OSError:
            continue
        found.append(number)
    return found


def bot(view):
    return 0


tell()
if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1][:1].isdigit():
        socket.create_connection((sys.argv[1], int(sys.argv[2]))).sendall(b"walker\n")
    elif len(sys.argv) > 1:
        print("{}", flush=True)
