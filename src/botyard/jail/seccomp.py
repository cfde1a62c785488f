"""System calls of a cage pass a filter (seccomp, classic BPF), which bubblewrap or a fork server installs.

It is a list of permissions: `calls.py` says what is on it, and why. A call that is refused on purpose fails with EPERM,
one that is not on the list with ENOSYS, as if the kernel did not have it; nobody is killed for asking. Where the
arguments decide, what is not on their list gets the answer an older kernel would give.

A call is looked up in a tree of comparisons, seven deep instead of three hundred in a row. What is allowed whatever its
arguments the kernel remembers, and does not look up again.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from botyard.jail.calls import LOOKED_AT, PERMITTED, PRETENDED, REFUSED

NEW_NAMESPACES = 0x7E020080  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME

# Unix, IPv4, IPv6 and netlink: inside the cage they lead nowhere. Of netlink only what lists the network's interfaces.
FAMILIES = (1, 2, 10, 16)
NETLINK, NETLINK_ROUTE = 16, 0

# Terminals, the own pseudo-terminals among them (0x54..), sockets (0x89..), and FICLONE and FICLONERANGE, which cp and
# pathlib try. Others reach into file systems and devices, or ask which pages of a mapping are in memory (PAGEMAP_SCAN).
CONTROLS = (
    *range(0x5400, 0x5500), *range(0x8900, 0x8A00), 0x40049409, 0x4020940D,
    0x802C542A, 0x402C542B, 0x402C542C, 0x402C542D,  # TCGETS2, TCSETS2, TCSETSW2, TCSETSF2: newer C libraries
    0x80045430, 0x40045431, 0x80045432, 0x80045438, 0x80045439, 0x80045440,  # TIOCGPTN, TIOCSPTLCK and what they set
)  # fmt: skip
# TIOCSTI and TIOCLINUX type into somebody's terminal; TIOCCONS, TIOCSETD and TIOCVHANGUP change what a terminal is.
TERMINAL_TRICKS = (0x5412, 0x541C, 0x541D, 0x5423, 0x5437)

# Descriptors and their flags, owners and signals, the size of pipes, seals, and reading a hint.
COMMANDS = (0, 1, 2, 3, 4, 8, 9, 10, 11, 15, 16, 1030, 1031, 1032, 1033, 1034, 1035)
LOCKING = (5, 6, 7, 36, 37, 38)  # a file that two bots may only read is a channel by its locks,
LEASES = (1024, 1025, 1026)  # by its leases and notices,
HINTS = (1036, 1038)  # and by F_SET_RW_HINT, which leaves a number with a file for whoever opens it next

OPTIONS = (
    1, 2, 36, 37,  # the signal when a parent ends, and who takes in orphans: multiprocessing, shells
    3, 4, 15, 16, 29, 30, 38, 39, 41, 42,  # dumpable, name, timer slack, no new privileges, huge pages: every runtime
    7, 8, 23, 24, 27, 28, 47,  # capabilities kept, bounded, secured, ambient: setpriv gives them up
    21, 22,  # further filters: those of a fork server's moves
    50, 51, 54, 55, 56, 60, 61,  # vector length, pointer keys and tags on aarch64: Java, C libraries
    0x53564D41,  # a name for a piece of memory: Go, C libraries
)  # fmt: skip
"""What prctl may be asked for. Not among them: merging equal pages, which tells who else has them
(PR_SET_MEMORY_MERGE), and sharing a core (PR_SCHED_CORE)."""

ADVICE = (0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19)
"""What madvise may be told: normal, random, sequential, will need, don't need, free, (don't) fork, (no) huge pages,
(don't) dump, wipe or keep on fork. On a mapped file, "don't need" only forgets the mapping, and "will need" only reads
it, as touching does: neither tells or takes away what is in memory. Allocators need them, Java's MappedByteBuffer.load,
Python's mmap. Cold, page out and collapse change pages others have too; merging tells who has the same page."""

FLAGS = 2 | 4 | 16 | 32
"""How preadv2 and pwritev2 may read and write: synchronised, or (not) at the end. RWF_NOWAIT tells what is in memory,
and RWF_DONTCACHE reads without a trace, so that the time it took can be asked for again and again."""

LOCKS = ("flock", "fcntl")  # compilers keep their caches in order with them
UNCOUNTED = ("memfd_create",)  # memory no limit per process holds: refused where no group counts it

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

LOAD, EQUAL, AT_LEAST, ANY_BIT, JUMP, RETURN = 0x20, 0x15, 0x35, 0x45, 0x05, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
ALLOWED, FAILED = 0x7FFF0000, 0x00050000
FAR = 255  # instructions a comparison can jump over
INSTRUCTION = struct.Struct("<HBBI")


def instruction(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return INSTRUCTION.pack(code, yes, no, value)


def fail(number: int) -> bytes:
    return instruction(RETURN, FAILED | number)


ALLOW, PRETEND, REFUSE, UNKNOWN = instruction(RETURN, ALLOWED), fail(0), fail(errno.EPERM), fail(errno.ENOSYS)


def argument(at: int) -> bytes:
    """Loads the low half of an argument; the kernel, too, reads 32 bits of those that are looked at."""
    return instruction(LOAD, ARGUMENTS + 8 * at)


def decide(decisions: Mapping[int, bytes], otherwise: bytes) -> bytes:
    """For each value of what is loaded the instructions that decide about it; numbers in a row count once."""
    runs: list[tuple[int, bytes]] = [(0, otherwise)]
    for value in sorted(decisions):
        for start, decision in ((value, decisions[value]), (value + 1, otherwise)):
            if runs[-1][0] == start:
                runs.pop()
            if not runs or runs[-1][1] != decision:
                runs.append((start, decision))
    return tree(runs)


def tree(runs: Sequence[tuple[int, bytes]]) -> bytes:
    """Which run holds what is loaded: compares with the first number of the middle one, and goes on in one half."""
    if len(runs) == 1:
        return runs[0][1]
    middle = len(runs) // 2
    below, above = tree(runs[:middle]), tree(runs[middle:])
    size = len(below) // INSTRUCTION.size
    if size <= FAR:
        return instruction(AT_LEAST, runs[middle][0], size) + below + above
    return instruction(AT_LEAST, runs[middle][0], 0, 1) + instruction(JUMP, size) + below + above


def one_of(at: int, permitted: Iterable[int], otherwise: int, refused: Iterable[int] = ()) -> bytes:
    """An argument that must be on a list."""
    decisions = {**dict.fromkeys(permitted, ALLOW), **dict.fromkeys(refused, REFUSE)}
    return argument(at) + decide(decisions, fail(otherwise))


def without(at: int, bits: int, otherwise: int) -> bytes:
    """An argument that must have none of some bits."""
    return argument(at) + instruction(ANY_BIT, bits, 0, 1) + fail(otherwise) + ALLOW


def one_of_families(families: Iterable[int]) -> bytes:
    decisions = dict.fromkeys(families, ALLOW)
    if NETLINK in decisions:
        decisions[NETLINK] = one_of(2, [NETLINK_ROUTE], errno.EPROTONOSUPPORT)
    return argument(0) + decide(decisions, fail(errno.EAFNOSUPPORT))


def looks(families: Iterable[int], locking: bool) -> dict[str, bytes]:
    """For each call of LOOKED_AT how its arguments decide. Unknown ones get the kernel's answer to what it lacks."""
    kept, lost = ((*COMMANDS, *LOCKING), ()) if locking else (COMMANDS, LOCKING)
    in_family = one_of_families(families)
    as_known = without(5, ~FLAGS & 0xFFFFFFFF, errno.EOPNOTSUPP)
    return {
        "clone": without(0, NEW_NAMESPACES, errno.EPERM),
        "socket": in_family,
        "socketpair": in_family,
        "ioctl": one_of(1, CONTROLS, errno.ENOTTY, TERMINAL_TRICKS),
        "fcntl": one_of(1, kept, errno.EINVAL, (*lost, *LEASES, *HINTS)),
        "prctl": one_of(0, OPTIONS, errno.EINVAL),
        "madvise": one_of(2, ADVICE, errno.EINVAL),
        "preadv2": as_known,
        "pwritev2": as_known,
    }


@cache  # a millisecond, for every cage
def filter_program(
    machine: str | None = None,
    families: tuple[int, ...] = FAMILIES,
    spared: tuple[str, ...] = (),
    counted: bool = True,
) -> bytes:
    """The filter for this machine's calls, which permits also those it is to spare; KeyError for an unknown machine.

    `counted`: whether a group counts the memory of all processes together.
    """
    column, architecture = MACHINES[machine or platform.machine()]
    decisions = {
        **dict.fromkeys(PERMITTED, ALLOW),
        **dict.fromkeys(REFUSED, REFUSE),
        **dict.fromkeys(() if counted else UNCOUNTED, REFUSE),
        **dict.fromkeys(PRETENDED, PRETEND),
        **dict.fromkeys(spared, ALLOW),
        **looks(families, locking="fcntl" in spared),
    }
    tables = PERMITTED | LOOKED_AT | REFUSED | PRETENDED
    numbered = {tables[name][column]: decision for name, decision in decisions.items()}
    known = {number: decision for number, decision in numbered.items() if number is not None}
    # Calls of another architecture (32 bits) have other numbers; those of x32 lie above all of ours.
    ours = instruction(LOAD, ARCHITECTURE) + instruction(EQUAL, architecture, 1) + UNKNOWN
    return ours + instruction(LOAD, NUMBER) + decide(known, UNKNOWN)


def refusal(calls: Collection[str]) -> bytes:
    """A filter on top of another one: what that had to spare is refused from here on."""
    column, _ = MACHINES[platform.machine()]
    numbers = (REFUSED[call][column] for call in calls)
    refused = {number: REFUSE for number in numbers if number is not None}
    return instruction(LOAD, NUMBER) + decide(refused, ALLOW)
