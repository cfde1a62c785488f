"""Writes until nothing more can be written: one large file, one with a hole, and many small ones."""

from wire import *


def fill(folder):
    try:
        with open(folder + "/large", "wb") as file:
            while True:
                file.write(b"x" * 1_000_000)
    except OSError as error:
        print(folder, error.strerror, file=sys.stderr)
    try:
        with open(folder + "/sparse", "wb") as file:
            file.truncate(1 << 40)
        sys.exit(9)
    except OSError as error:
        print(folder, error.strerror, file=sys.stderr)
    try:
        for number in range(2000):
            open(f"{folder}/{number}", "wb").close()
    except OSError as error:
        print(folder, error.strerror, file=sys.stderr)


begin()
for place in ("/tmp", os.environ["HOME"], "/dev/shm", ".", "/", "/usr", "/dev", "/etc"):
    fill(place)
sys.stderr.flush()
play()
