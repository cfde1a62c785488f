"""The system calls a caged bot is refused, as a seccomp filter (classic BPF) that bubblewrap installs.

Namespaces decide what exists for a bot; this filter only closes what they leave open: ways to talk past them (vsock,
keyrings, System V and POSIX queues, locks on shared files), ways to look at others (ptrace, perf), and large corners of
the kernel no bot needs (bpf, io_uring, userfaultfd, mounting, further namespaces). A refused call fails with an error
the program can read; nobody is killed for asking.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
from collections.abc import Collection, Sequence

# Numbers of the refused calls on x86-64 and on aarch64; None: there is no such call.
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # looking at and writing to other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "perf_event_open": (298, 241),
    # channels between bots
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "shmdt": (67, 197),
    "semget": (64, 190), "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192),
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187),
    "mq_open": (240, 180), "mq_unlink": (241, 181), "mq_timedsend": (242, 182), "mq_timedreceive": (243, 183),
    "mq_notify": (244, 184), "mq_getsetattr": (245, 185),
    "inotify_init": (253, None), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27),
    # large machinery
    "bpf": (321, 280), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "fanotify_init": (300, 262), "fanotify_mark": (301, 263),
    # the tree of files and the namespaces
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "unshare": (272, 97), "setns": (308, 268),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    # the machine itself
    "reboot": (169, 142), "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "swapon": (167, 224), "swapoff": (168, 225),
    "acct": (163, 89), "syslog": (103, 116), "settimeofday": (164, 170), "clock_settime": (227, 112),
    "clock_adjtime": (305, 266), "adjtimex": (159, 171), "sethostname": (170, 161), "setdomainname": (171, 162),
    "vhangup": (153, 58), "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None),
    "lookup_dcookie": (212, 18), "nfsservctl": (180, 42), "uselib": (134, None), "ustat": (136, None),
    "sysfs": (139, None), "_sysctl": (156, None), "vmsplice": (316, 75), "move_pages": (279, 239),
    "migrate_pages": (256, 238), "mbind": (237, 235), "set_mempolicy": (238, 237),
}  # fmt: skip

PRETENDED = {"flock": (73, 32)}
"""Answered as if done. A file that two bots may only read is a channel by its locks; but a Java machine locks a file
of its own when it starts, and complains on its standard output if that fails."""

CLONE, CLONE3 = (56, 220), (435, 435)
SOCKET, SOCKETPAIR = (41, 198), (53, 199)
IOCTL, FCNTL = (16, 29), (72, 25)

NEW_NAMESPACES = 0x7E020080  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME
FAMILIES = (1, 2, 10, 16)  # unix, IPv4, IPv6, netlink: inside the cage they lead nowhere
TERMINAL_TRICKS = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX type into somebody's terminal
HINTS = (1036, 1038)  # F_SET_RW_HINT leaves a number with a file for whoever opens it next, also where it is read-only

LOCKING = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)
"""Commands of fcntl for locks, leases and notices: a file that two bots may only read is a channel by its locks."""

LOCKS = ("flock", "fcntl")  # compilers keep their caches in order with them
UNCOUNTED = {"memfd_create": (319, 279)}  # memory no limit per process holds: refused where no group counts it

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
X32 = 0x40000000  # calls of the x32 ABI on x86-64 carry this bit

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
ALLOW, FAIL, DONE = 0x7FFF0000, 0x00050000, 0


def instruction(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("<HBBI", code, yes, no, value)


def fail(number: int) -> bytes:
    return instruction(RETURN, FAIL | number)


def refuse(call: int, error: int) -> bytes:
    return instruction(EQUAL, call, 0, 1) + fail(error)


def argument(at: int) -> bytes:
    """Loads the low half of an argument; the flags and families looked at are 32 bits wide."""
    return instruction(LOAD, ARGUMENTS + 8 * at)


def only_if(call: int, body: bytes) -> bytes:
    """Runs the body for one call. It ends in a decision, or loads the number again."""
    size = len(body) // 8
    return instruction(EQUAL, call, 0, size) + body


def allowed_families(families: Sequence[int]) -> bytes:
    checks = b""
    for left, family in zip(range(len(families) - 1, -1, -1), families, strict=True):
        checks += instruction(EQUAL, family, left + 1)
    return argument(0) + checks + fail(errno.EAFNOSUPPORT) + instruction(RETURN, ALLOW)


def filter_program(
    machine: str | None = None,
    families: Sequence[int] = FAMILIES,
    spared: Collection[str] = (),
    counted: bool = True,
) -> bytes:
    """The filter for this machine's calls, without those it spares; KeyError where the machine is not known."""
    column, architecture = MACHINES[machine or platform.machine()]
    program = instruction(LOAD, ARCHITECTURE) + instruction(EQUAL, architecture, 1) + fail(errno.ENOSYS)
    program += instruction(LOAD, NUMBER)
    if column == 0:
        program += instruction(AT_LEAST, X32, 0, 1) + fail(errno.ENOSYS)
    for name, numbers in (REFUSED if counted else REFUSED | UNCOUNTED).items():
        number = numbers[column]
        if number is not None and name not in spared:
            program += refuse(number, errno.EPERM)
    for name, numbers in PRETENDED.items():
        if name not in spared:
            program += refuse(numbers[column], DONE)
    program += refuse(CLONE3[column], errno.ENOSYS)  # its flags lie in memory, where no filter can look: use clone
    allow = instruction(RETURN, ALLOW)
    flags = argument(0) + instruction(ANY_BIT, NEW_NAMESPACES, 0, 1) + fail(errno.EPERM) + allow
    program += only_if(CLONE[column], flags)
    marks = HINTS if "fcntl" in spared else HINTS + LOCKING
    for call, tricks in ((IOCTL, TERMINAL_TRICKS), (FCNTL, marks)):
        refused = b"".join(refuse(trick, errno.EPERM) for trick in tricks)
        program += only_if(call[column], argument(1) + refused + allow)
    for call in (SOCKET, SOCKETPAIR):
        program += only_if(call[column], allowed_families(families))
    return program + allow


def refusal(calls: Collection[str]) -> bytes:
    """A filter on top of another one: what that had to spare is refused from here on."""
    column, _ = MACHINES[platform.machine()]
    numbers = (REFUSED[call][column] for call in calls)
    refused = b"".join(refuse(number, errno.EPERM) for number in numbers if number is not None)
    return instruction(LOAD, NUMBER) + refused + instruction(RETURN, ALLOW)


def filter_descriptor(spared: Collection[str] = (), counted: bool = True) -> int:
    """An open descriptor with the filter, as bubblewrap takes it."""
    descriptor = os.memfd_create("seccomp", 0)
    os.write(descriptor, filter_program(spared=spared, counted=counted))
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
