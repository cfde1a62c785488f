"""The filter on system calls, run by an interpreter of our own: every number gets what its table says."""

from __future__ import annotations

import errno
import os
import re
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botyard.jail.calls import LOOKED_AT, PERMITTED, PRETENDED, REFUSED
from botyard.jail.seccomp import ALLOW, INSTRUCTION, LOCKS, MACHINES, REFUSE, argument, decide, filter_program, refusal
from tests.conftest import lack

TABLES = (PERMITTED, LOOKED_AT, REFUSED, PRETENDED)
WHOLE = 0xFFFFFFFF
ALLOWED, FAILED = 0x7FFF0000, 0x00050000
LAST = 2000  # far above the numbers any kernel has
HEADERS = {
    "x86_64": [Path(f"/usr/include/{folder}asm/unistd_64.h") for folder in ("x86_64-linux-gnu/", "")],
    "aarch64": [Path("/usr/include/asm-generic/unistd.h")],
}


def run(program: bytes, data: bytes) -> tuple[int, int]:
    """What a classic BPF program returns, and after how many instructions."""
    loaded = at = count = 0
    while True:
        code, yes, no, value = INSTRUCTION.unpack_from(program, at * INSTRUCTION.size)
        at, count = at + 1, count + 1
        if code == 0x06:
            return value, count
        if code == 0x20:
            (loaded,) = struct.unpack_from("<I", data, value)
        elif code == 0x05:
            at += value
        else:
            held = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[code]
            at += yes if held else no


def asked(program: bytes, machine: str, number: int, *arguments: int, at: int | None = None) -> tuple[int, int]:
    """A call put to the filter: what comes of it (None if it is allowed, else an error), and what it took."""
    architecture = MACHINES[machine][1] if at is None else at
    words = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<II8x6Q", number, architecture, *(word & 0xFFFFFFFF_FFFFFFFF for word in words))
    told, count = run(program, data)
    if told == ALLOWED:
        return -1, count
    assert told & ~0xFFFF == FAILED
    return told & 0xFFFF, count


def answer(machine: str, name: str, *arguments: int, spared: tuple[str, ...] = (), counted: bool = True) -> int:
    """The error a call gets; -1 if it is allowed."""
    number = {name: numbers for table in TABLES for name, numbers in table.items()}[name][MACHINES[machine][0]]
    assert number is not None
    return asked(filter_program(machine, spared=spared, counted=counted), machine, number, *arguments)[0]


def test_no_call_stands_in_two_tables_and_no_number_twice() -> None:
    names = [name for table in TABLES for name in table]
    assert len(names) == len(set(names))
    for column in range(2):
        numbers = [pair[column] for table in TABLES for pair in table.values() if pair[column] is not None]
        assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_headers(machine: str) -> None:
    header = next((path for path in HEADERS[machine] if path.exists()), None)
    if header is None:
        lack(f"the kernel's headers for {machine} are not installed")
    listed = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)\b", header.read_text())}
    wide = {name: int(number) for name, number in re.findall(r"#define __NR3264_(\w+)\s+(\d+)\b", header.read_text())}
    known = {**listed, **wide, "newfstatat": listed.get("newfstatat", wide.get("fstatat"))}
    newest = max(number for name, number in listed.items() if name != "syscalls")  # which is how many there are
    for table in TABLES:
        for name, pair in table.items():
            number = pair[MACHINES[machine][0]]
            if number is None or number <= newest:
                assert known.get(name) == number, name


@pytest.mark.parametrize("machine", MACHINES)
def test_every_number_gets_the_answer_of_its_table(machine: str) -> None:
    program = filter_program(machine)
    column = MACHINES[machine][0]
    expected = dict.fromkeys(range(LAST), errno.ENOSYS)
    for table, error in ((PERMITTED, -1), (REFUSED, errno.EPERM), (PRETENDED, 0)):
        expected.update((pair[column], error) for pair in table.values() if pair[column] is not None)  # type: ignore[misc]
    for pair in LOOKED_AT.values():
        expected.pop(pair[column] or -1)
    assert {number: asked(program, machine, number)[0] for number in expected} == expected


@given(st.sets(st.integers(0, 12)))
def test_exactly_the_listed_values_of_an_argument_are_allowed(listed: set[int]) -> None:
    program = argument(0) + decide(dict.fromkeys(listed, ALLOW), REFUSE)
    assert {value for value in range(15) if asked(program, "x86_64", 0, value)[0] == -1} == listed


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("base", [0x40000000, 0x80000000, WHOLE - 1000], ids=["x32", "negative", "last"])
def test_numbers_beyond_all_tables_are_not_known(machine: str, base: int) -> None:
    program = filter_program(machine)
    assert {asked(program, machine, base + number)[0] for number in range(1000)} == {errno.ENOSYS}


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_another_architecture_are_not_known(machine: str) -> None:
    program = filter_program(machine)
    others = [0x40000003, 0x40000028, 0, *(other for name, (_, other) in MACHINES.items() if name != machine)]
    assert {asked(program, machine, number, at=at)[0] for number in range(500) for at in others} == {errno.ENOSYS}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_filter_is_small_and_quick(machine: str) -> None:
    program = filter_program(machine)
    assert len(program) // INSTRUCTION.size < 1000  # the kernel takes 4096
    assert max(asked(program, machine, number, 0xFFFF, 0xFFFF)[1] for number in range(LAST)) < 24


@pytest.mark.parametrize("machine", MACHINES)
def test_arguments_are_held_to_their_lists(machine: str) -> None:
    for name, arguments, error in ARGUMENTS:
        assert answer(machine, name, *arguments) == error, (name, arguments)


OK = -1
ARGUMENTS: list[tuple[str, tuple[int, ...], int]] = [
    ("clone", (17,), OK),
    ("clone", (0x3D0F00,), OK),  # a thread
    *(("clone", (bit | 17,), errno.EPERM) for bit in (1 << 17, 1 << 25, *(1 << at for at in range(26, 31)))),
    *(("socket", (family, 1, 0), OK) for family in (1, 2, 10, 16)),
    *(("socket", (family, 1, 0), errno.EAFNOSUPPORT) for family in (0, 3, 9, 15, 17, 29, 38, 40, 44, 45, 1000)),
    *(("socket", (16, 3, protocol), errno.EPROTONOSUPPORT) for protocol in (1, 4, 9, 15, 16, 21)),
    ("socketpair", (1, 1, 0), OK),
    ("socketpair", (30, 1, 0), errno.EAFNOSUPPORT),
    *(("ioctl", (0, command), OK) for command in (0x5401, 0x5413, 0x541B, 0x5421, 0x5451, 0x8912, 0x40049409)),
    *(("ioctl", (0, command), errno.EPERM) for command in (0x5412, 0x541C, 0x541D, 0x5423, 0x5437)),
    ("ioctl", (0, 0xFFFFFFFF_00005412), errno.EPERM),  # the kernel reads half of it, and so do we
    # FIBMAP, FIGETBSZ, PAGEMAP_SCAN, FS_IOC_FIEMAP, FS_IOC_GETFLAGS, FIDEDUPERANGE, PIDFD_GET_INFO, NS_GET_PARENT
    *(
        ("ioctl", (0, command), errno.ENOTTY)
        for command in (1, 2, 0xC0606610, 0xC020660B, 0x80086601, 0xC0189436, 0xC048FF0B, 0xB702)
    ),
    *(("fcntl", (0, command), OK) for command in (0, 1, 2, 3, 4, 8, 9, 1030, 1031, 1032, 1033, 1034, 1035)),
    *(("fcntl", (0, command), errno.EPERM) for command in (5, 6, 7, 36, 37, 38, 1024, 1025, 1026, 1036, 1038)),
    *(("fcntl", (0, command), errno.EINVAL) for command in (1027, 1028, 1029, 1037, 1039, 1040, 1041, 5000)),
    *(("prctl", (option,), OK) for option in (1, 4, 15, 16, 22, 23, 24, 36, 38, 47)),
    *(("prctl", (option,), errno.EINVAL) for option in (31, 32, 35, 43, 57, 59, 62, 67, 68, 78, 79, 1000)),
    *(("madvise", (0, 0, advice), OK) for advice in (0, 1, 2, 3, 4, 8, 10, 14, 15, 16, 18)),
    *(("madvise", (0, 0, advice), errno.EINVAL) for advice in (9, 12, 13, 20, 21, 22, 23, 24, 25, 26, 100, 101, 102)),
    *(
        (name, (0, 0, 0, 0, 0, flags), error)
        for name in ("preadv2", "pwritev2")
        for flags, error in (
            (0, OK),
            (2 | 4 | 16, OK),
            *((1 << at, errno.EOPNOTSUPP) for at in (0, 3, 6, 7, 8, 31)),
            (8 | 2, errno.EOPNOTSUPP),
        )
    ),
]


@pytest.mark.parametrize("machine", MACHINES)
def test_who_builds_may_lock_files_and_lease_none(machine: str) -> None:
    assert answer(machine, "flock", 0, 2, spared=LOCKS) == OK
    assert {answer(machine, "fcntl", 0, command, spared=LOCKS) for command in (5, 6, 7, 36, 37, 38)} == {OK}
    assert {answer(machine, "fcntl", 0, command, spared=LOCKS) for command in (1024, 1026, 1036)} == {errno.EPERM}


@pytest.mark.parametrize("machine", MACHINES)
def test_memory_that_nobody_counts_is_not_given(machine: str) -> None:
    assert answer(machine, "memfd_create") == OK
    assert answer(machine, "memfd_create", counted=False) == errno.EPERM


def test_what_a_fork_server_is_spared_its_moves_are_refused() -> None:
    machine = os.uname().machine
    if machine not in MACHINES:
        pytest.skip(f"there is no filter for {machine}")
    dividing = ("unshare", "setns")
    assert {answer(machine, name, spared=dividing) for name in dividing} == {OK}
    on_top, column = refusal(dividing), MACHINES[machine][0]
    refused = {number for number in range(LAST) if asked(on_top, machine, number)[0] != OK}
    assert refused == {REFUSED[name][column] for name in dividing}
