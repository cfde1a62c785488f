"""Looks around in its cage and tells what it sees, as JSON. Every question it can ask is a function."""

import ctypes
import errno
import json
import os
import socket
import sys

libc = ctypes.CDLL(None, use_errno=True)
INTEL = os.uname().machine == "x86_64"
NUMBERS = {  # on x86-64 and on aarch64
    "keyctl": (250, 219), "io_uring_setup": (425, 425), "shmget": (29, 194), "mq_open": (240, 180), "bpf": (321, 280),
    "ptrace": (101, 117), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "unshare": (272, 97),
    "setns": (308, 268), "mount": (165, 40), "clone": (56, 220), "clone3": (435, 435), "msgget": (68, 186),
    "semget": (64, 190), "add_key": (248, 217), "open_by_handle_at": (304, 265), "process_vm_readv": (310, 270),
    "pidfd_getfd": (438, 438), "inotify_init1": (294, 26), "fadvise64": (221, 223), "readahead": (187, 213),
    "mincore": (27, 232), "cachestat": (451, 451), "openat2": (437, 437), "preadv2": (327, 286), "prctl": (157, 167),
    "madvise": (28, 233), "ioctl": (16, 29), "fcntl": (72, 25), "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119), "setpriority": (141, 140), "splice": (275, 76), "renameat2": (316, 276),
    "futex_waitv": (449, 449), "io_setup": (206, 0), "statmount": (457, 457), "listmount": (458, 458),
}  # fmt: skip
PAGE = 4096
THERE = -100  # AT_FDCWD


def system_file():
    """A file every cage shows: an open descriptor, a mapping of its first page, and where that begins."""
    file = os.open("/usr/bin/env", os.O_RDONLY)
    libc.mmap.restype = ctypes.c_void_p
    return file, libc.mmap(None, ctypes.c_size_t(PAGE), 1, 1, file, ctypes.c_long(0))


def calls_to_try():
    """With arguments under which the kernel itself would do it, or complain about something else."""
    file, mapped = system_file()
    room = ctypes.create_string_buffer(PAGE)
    part = (ctypes.c_uint64 * 2)(ctypes.addressof(room), PAGE)
    where, size = ctypes.c_void_p(mapped), ctypes.c_size_t(PAGE)
    cached = (ctypes.c_uint64 * 3)(0, 0, 0x20)  # RESOLVE_CACHED: only what the kernel remembers
    pages = (ctypes.c_uint64 * 2)(0, PAGE)
    mask = (ctypes.c_uint64 * 1)(1)
    rank = ctypes.c_int(0)
    return {
        "keyctl": (0, -3, 1), "io_uring_setup": (1, 0), "shmget": (0, 4096, 0o1600),
        "mq_open": (b"q", 0o102, 0o600, 0), "bpf": (99, 0, 0), "ptrace": (0, 0, 0, 0),
        "perf_event_open": (0, 0, -1, -1, 99), "userfaultfd": (1,), "unshare": (0x10000000,), "setns": (-1, 0),
        "mount": (b"none", b"/tmp", b"tmpfs", 0, 0), "clone": (0x10000000 | 17, 0, 0, 0, 0), "clone3": (0, 0),
        "msgget": (0, 0o1600), "semget": (0, 1, 0o1600), "add_key": (b"user", b"k", b"v", 1, -3),
        "open_by_handle_at": (-1, 0, 0), "process_vm_readv": (os.getppid(), 0, 0, 0, 0, 0), "pidfd_getfd": (-1, 0, 0),
        "inotify_init1": (0,), "fadvise64": (file, 0, size, 4), "readahead": (file, 0, size),
        "mincore": (where, size, room), "cachestat": (file, pages, room, 0),
        "openat2": (THERE, b"/usr/bin/env", cached, ctypes.sizeof(cached)),
        "preadv2 that does not wait": (file, part, 1, 0, 0, 8), "preadv2 without a trace": (file, part, 1, 0, 0, 128),
        "preadv2 as always": (file, part, 1, 0, 0, 0),
        "madvise cold": (where, size, 20), "madvise page out": (where, size, 21), "madvise merge": (where, size, 12),
        "madvise populate": (where, size, 22), "madvise collapse": (where, size, 25), "madvise will need": (where, size, 3),
        "madvise don't need": (where, size, 4), "prctl merge": (67, 1, 0, 0, 0), "prctl core": (62, 0, 0, 1, mask),
        "ioctl scan": (file, 0xC0606610, room), "ioctl type": (0, 0x5412, room), "fcntl lease": (file, 1024, 0),
        "fcntl delegation": (file, 1039, room), "fcntl lock": (file, 5, room), "sched_setaffinity": (0, 8, mask),
        "sched_setscheduler": (0, 3, ctypes.byref(rank)), "setpriority": (0, 0, 19), "splice": (-1, 0, -1, 0, 1, 2),
        "renameat2": (THERE, b"/tmp/from", THERE, b"/tmp/to", 1), "futex_waitv": (0, 0, 0, 0, 0),
        "io_setup": (1, room), "statmount": (0, 0, 0, 0), "listmount": (0, 0, 0, 0),
    }  # fmt: skip


def tried(what, *arguments):
    """The name of the error something fails with, or what it gives."""
    try:
        return what(*arguments)
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))


def name():
    import pwd

    return pwd.getpwuid(os.getuid()).pw_name


def locks():
    """What a second lock on a file gives that is locked already."""
    import fcntl

    exclusive = fcntl.LOCK_EX | fcntl.LOCK_NB
    with open("/usr/bin/env") as once, open("/usr/bin/env") as again:
        whole = [tried(fcntl.flock, file, exclusive) for file in (once, again)]
        return {"whole": whole, "part": tried(fcntl.lockf, once, fcntl.LOCK_SH | fcntl.LOCK_NB)}


def break_in(process, *files):
    """What comes of reading files of others, and of a signal to a process of theirs."""
    read = {file: tried(lambda: open(file).read()) for file in files}
    return {"signal": tried(lambda: os.kill(int(process), 9)), "uid": os.getuid(), **read}


def rest():
    import time

    time.sleep(600)


def environment():
    return dict(os.environ)


def user():
    status = dict(line.split(":\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\t" in line)
    keys = ("Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")
    return {key: status[key].strip() for key in keys}


def processes():
    pids = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
    return {pid: tried(lambda: open(f"/proc/{pid}/environ").read()) for pid in pids}


def folders():
    return {
        place: tried(lambda: sorted(os.listdir(place))) for place in ("/", "/etc", "/home", "/root", "/tmp", "/dev")
    }


def machine():
    """What the kernel tells of this machine and of others on it."""
    names = ("cmdline", "config.gz", "keys", "locks")
    return {name: tried(lambda: len(open(f"/proc/{name}", "rb").read())) for name in names}


def writable():
    """Where a file can be made."""
    found = []
    for place, _, _ in os.walk("/"):
        if place.startswith(("/proc", "/usr/")):
            continue
        try:
            with open(place + "/mark", "x"):
                found.append(place)
        except OSError:
            pass
    return sorted(found)


def asked(number, *arguments):
    """What the kernel says to a call: the name of an error, or what it gives."""
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result == -1 and ctypes.get_errno():
        return errno.errorcode.get(ctypes.get_errno(), ctypes.get_errno())
    return result


def calls():
    found = {}
    for name, arguments in calls_to_try().items():
        told = asked(NUMBERS[name.split()[0]][0 if INTEL else 1], *arguments)
        if name == "clone" and told == 0:
            os._exit(0)
        found[name] = told
    return found


def numbers(*wanted):
    """Each without arguments."""
    zeros = [ctypes.c_long(0)] * 6
    return {number: asked(int(number), *zeros) for number in wanted}


def old_ways():
    """A call by the door of 32 bits, which has numbers of its own: its answer, or the signal that says there is none."""
    import mmap
    import signal

    page = mmap.mmap(-1, PAGE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    child = os.fork()
    if child == 0:
        told = call()
        os._exit(-told if told < 0 else 0)
    _, status = os.waitpid(child, 0)
    ended = os.waitstatus_to_exitcode(status)
    return signal.Signals(-ended).name if ended < 0 else errno.errorcode.get(ended, "done")


def netlink():
    return {protocol: tried(lambda: socket.socket(16, 3, protocol).close()) for protocol in range(23)}


def sockets():
    families = {"vsock": 40, "packet": 17, "bluetooth": 31, "alg": 38, "can": 29, "xdp": 44, "tipc": 30, "key": 15}
    return {
        name: tried(lambda: socket.socket(family, socket.SOCK_STREAM).fileno()) for name, family in families.items()
    }


def ports(*wanted):
    def reach(port):
        with socket.create_connection(("127.0.0.1", port), timeout=2):
            return "reached"

    return {port: tried(reach, int(port)) for port in wanted}


def limits():
    import resource

    files = []
    full = tried(lambda: [files.append(os.dup(0)) for _ in range(100_000)])
    many = len(files)
    for file in files:
        os.close(file)
    return {
        "files": [many, full],
        "sparse": tried(lambda: os.truncate(os.open("/tmp/large", os.O_CREAT | os.O_RDWR) and "/tmp/large", 1 << 40)),
        "core": resource.getrlimit(resource.RLIMIT_CORE),
        "raised": tried(lambda: libc.prlimit64(0, 7, (ctypes.c_uint64 * 2)(1 << 20, 1 << 20), None)),
    }


def fill(place):
    """How many bytes fit in there."""
    total = 0
    try:
        for number in range(10_000):
            with open(f"{place}/{number}", "wb", 0) as file:
                for _ in range(16):
                    total += file.write(b"x" * 65536)
    except OSError as error:
        return [total, errno.errorcode[error.errno]]
    return [total, ""]


def litter():
    """Makes empty files, which take none of the room a folder has."""
    for number in range(1_000_000):
        os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
    return "a million"


def hog():
    kept = []
    while True:
        kept.append(b"x" * 1_000_000)


def fork():
    count = 0
    try:
        while True:
            if os.fork() == 0:
                import time

                time.sleep(60)
            count += 1
    except OSError as error:
        return [count, errno.errorcode[error.errno]]


def large():
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with open("/tmp/large", "wb") as file:
        while True:
            file.write(b"x" * 65536)


question, *arguments = sys.argv[1:]
print(json.dumps(globals()[question](*arguments)), flush=True)
