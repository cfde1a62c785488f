"""What a caged program sees and what it is refused, whoever started the cage: root, or somebody without privileges."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import botyard
from botyard.jail.calls import REFUSED
from botyard.jail.cgroups import cgroups_hold
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level, Limits
from botyard.jail.seccomp import MACHINES
from botyard.jail.uids import COUNT, FIRST
from tests.conftest import need
from tests.jail.cell import PYTHON, caged
from tests.waiting import PATIENCE_S, finished

HERE = Path(__file__).parent
SOURCE = Path(botyard.__file__).parent
NOBODY = 65534
SECRET = "hush-hush"

Asking = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def yard() -> Iterator[Path]:
    """A folder everybody can reach, with the probe, and the jail for those who have no other way to it."""
    need("bwrap")
    need(PYTHON)
    if trouble := obstacle(Level.CAGED):
        pytest.skip(trouble)
    with TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "bot").mkdir()
        shutil.copy(HERE / "probe.py", folder / "bot")
        for script in ("cell.py", "latecomer.py", "site.py"):
            shutil.copy(HERE / script, folder)
        for part in ("jail", "kernel"):
            shutil.copytree(SOURCE / part, folder / "botyard" / part)
        shutil.copy(SOURCE / "__init__.py", folder / "botyard")
        yield folder


def as_ourselves(yard: Path, question: str, *arguments: str, port: int = 0, **limits: Any) -> dict[str, Any]:
    return finished(caged(yard / "bot", Limits(**limits), question, *arguments, port=port))


def as_nobody(
    yard: Path, question: str, *arguments: str, port: int = 0, script: str = "cell.py", **limits: Any
) -> dict[str, Any]:
    command = [PYTHON, str(yard / script), str(yard / "bot"), str(port), json.dumps(limits), question, *arguments]
    environment = {"PYTHONPATH": str(yard), "PATH": os.defpath, "SECRET": SECRET, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def as_site(yard: Path, question: str, *arguments: str, port: int = 0, **limits: Any) -> dict[str, Any]:
    """As a site does that root has started, and that has become nobody."""
    asked = ["cells", [str(yard / "bot"), port, limits, False, question, *arguments]]
    environment = {"PYTHONPATH": str(yard), "PATH": os.defpath, "SECRET": SECRET, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [PYTHON, str(yard / "site.py")], input=json.dumps(asked), env=environment, capture_output=True, text=True,
        check=False, timeout=PATIENCE_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)[0]  # type: ignore[no-any-return]


@pytest.fixture(
    params=[as_ourselves, as_nobody, pytest.param(as_site, marks=pytest.mark.long)], ids=["ourselves", "nobody", "site"]
)
def ask(request: pytest.FixtureRequest, yard: Path, monkeypatch: pytest.MonkeyPatch) -> Asking:
    """Puts a question to a program in a cage."""
    monkeypatch.setenv("SECRET", SECRET)
    if request.param is not as_ourselves and os.geteuid() != 0:
        pytest.skip("only root can become somebody else; who runs this is without privileges already")

    def asked(question: str, *arguments: str, **limits: Any) -> dict[str, Any]:
        seen: dict[str, Any] = request.param(yard, question, *arguments, **limits)
        return seen

    return asked


def answer(seen: dict[str, Any]) -> Any:
    assert seen["written"], seen
    return json.loads(seen["written"])


def test_its_environment_tells_nothing(ask: Asking) -> None:
    environment = answer(ask("environment"))
    assert set(environment) == {"HOME", "LANG", "PATH", "TMPDIR", "USER", "SHLVL"}
    assert SECRET not in str(environment)


def test_it_sees_no_process_but_its_own_and_reads_nobodys_environment(ask: Asking) -> None:
    processes = answer(ask("processes"))
    assert len(processes) <= 3
    assert SECRET not in str(processes)


def test_it_has_no_privileges(ask: Asking) -> None:
    user = answer(ask("user"))
    assert {user[key] for key in user if key.startswith("Cap")} == {"0" * 16}
    assert user["NoNewPrivs"] == "1"
    assert user["Seccomp"] == "2"
    assert user["Groups"] in ("", str(NOBODY))


def test_under_root_it_is_somebody_nobody_else_is(yard: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can start a program as somebody else")

    async def two() -> list[dict[str, Any]]:
        return await asyncio.gather(*(caged(yard / "bot", Limits(), "user") for _ in range(2)))

    first, second = (int(answer(seen)["Uid"].split()[0]) for seen in finished(two()))
    assert first != second
    assert all(FIRST <= user < FIRST + COUNT for user in (first, second))


def test_it_sees_the_system_its_folder_and_nothing_else(ask: Asking) -> None:
    folders = answer(ask("folders"))
    system = {"bin", "lib", "lib32", "lib64", "libx32", "sbin", "usr"}
    assert set(folders["/"]) <= system | {"bot", "dev", "etc", "home", "proc", "tmp", "toolchains"}
    assert "shadow" not in folders["/etc"]
    assert folders["/home"] == ["bot"]
    assert folders["/root"] == "ENOENT"
    assert folders["/tmp"] == []
    assert not {"sda", "vda", "mem", "kmsg", "fuse", "kvm", "vsock"} & set(folders["/dev"])


def test_the_kernel_tells_it_nothing_of_the_machine_and_of_others_on_it(ask: Asking) -> None:
    assert set(answer(ask("machine")).values()) <= {0, "ENOENT", "EACCES"}


def test_it_can_write_only_to_its_own_three_folders(ask: Asking) -> None:
    assert answer(ask("writable")) == ["/dev/shm", "/home/bot", "/tmp"]


@pytest.mark.parametrize("place", ["/tmp", "/home/bot", "/dev/shm"])
def test_each_of_these_holds_only_so_much(ask: Asking, place: str) -> None:
    size, error = answer(ask("fill", place, scratch_mb=8))
    assert error == "ENOSPC"
    assert size <= 8 << 20


REFUSED_OF_THE_PROBE = [
    "keyctl", "add_key", "io_uring_setup", "shmget", "msgget", "semget", "mq_open", "ptrace", "bpf", "perf_event_open",
    "userfaultfd", "mount", "unshare", "setns", "clone", "open_by_handle_at", "process_vm_readv", "pidfd_getfd",
    "inotify_init1", "fadvise64", "readahead", "mincore", "cachestat", "sched_setaffinity", "sched_setscheduler",
    "ioctl type", "fcntl lease", "fcntl lock",
]  # fmt: skip
UNKNOWN_OF_THE_PROBE = ["clone3", "openat2", "futex_waitv", "io_setup", "statmount", "listmount"]
OTHER_ANSWERS = {
    "preadv2 that does not wait": "ENOTSUP", "preadv2 without a trace": "ENOTSUP", "preadv2 as always": 4096,
    "madvise cold": "EINVAL", "madvise page out": "EINVAL", "madvise merge": "EINVAL", "madvise populate": "EINVAL",
    "madvise collapse": "EINVAL", "madvise will need": 0, "madvise don't need": 0, "prctl merge": "EINVAL",
    "prctl core": "EINVAL", "ioctl scan": "ENOTTY", "fcntl delegation": "EINVAL", "setpriority": 0, "splice": "EBADF",
    "renameat2": "ENOENT",
}  # fmt: skip


def test_it_is_refused_what_leads_past_its_namespaces_or_tells_of_others(ask: Asking) -> None:
    refused, unknown = dict.fromkeys(REFUSED_OF_THE_PROBE, "EPERM"), dict.fromkeys(UNKNOWN_OF_THE_PROBE, "ENOSYS")
    assert answer(ask("calls")) == {**refused, **unknown, **OTHER_ANSWERS}


def test_every_refused_call_is_refused(ask: Asking) -> None:
    column = MACHINES[os.uname().machine][0]
    numbers = [str(pair[column]) for pair in REFUSED.values() if pair[column] is not None]
    assert answer(ask("numbers", *numbers)) == dict.fromkeys(numbers, "EPERM")


def test_calls_that_are_not_on_the_list_do_not_exist(ask: Asking) -> None:
    """Those of newer kernels, of kernels yet to come, and of the x32 kind."""
    later = {*range(444, 451), *range(454, 600), 1 << 20, (1 << 31) - 1}
    numbers = [str(number) for number in sorted(later | {0x40000000 + number for number in (0, 39, 520, 534)})]
    assert answer(ask("numbers", *numbers)) == dict.fromkeys(numbers, "ENOSYS")


def test_the_door_of_32_bits_is_shut(ask: Asking) -> None:
    if os.uname().machine != "x86_64":
        pytest.skip("this machine has no such door")
    assert answer(ask("old_ways")) in ("ENOSYS", "SIGSEGV")


def test_of_netlink_it_has_only_what_lists_its_own_network(ask: Asking) -> None:
    told = answer(ask("netlink"))
    assert told.pop("0") is None
    assert set(told.values()) == {"EPROTONOSUPPORT"}


def test_its_locks_are_granted_and_hold_nobody(ask: Asking) -> None:
    assert answer(ask("locks")) == {"whole": [None, None], "part": "EPERM"}


@pytest.mark.parametrize(("builds", "second"), [(True, "EAGAIN"), (False, None)])
def test_only_a_build_has_real_locks_whatever_else_is_in_memory(yard: Path, builds: bool, second: str | None) -> None:
    seen = finished(caged(yard / "bot", Limits(), "locks", builds=builds, scratch=Path("/work")))
    assert answer(seen)["whole"] == [None, second]


def test_it_knows_its_own_name(ask: Asking) -> None:
    assert answer(ask("name")) == "bot"


def test_it_has_no_sockets_but_those_that_lead_nowhere(ask: Asking) -> None:
    assert set(answer(ask("sockets")).values()) == {"EAFNOSUPPORT"}


def test_it_reaches_no_port_of_the_machine(ask: Asking) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        assert answer(ask("ports", port)) == {port: "ECONNREFUSED"}


def test_a_tcp_bot_reaches_its_one_port_and_no_other(ask: Asking) -> None:
    wanted = ("8000", "22", "80", "8001", "65535")
    seen = ask("ports", *wanted, port=8000)
    assert json.loads(seen["said"]) == {"8000": "reached", **dict.fromkeys(wanted[1:], "ECONNREFUSED")}


def test_a_tcp_bot_reaches_its_port_however_late_that_is_opened(yard: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    seen = as_nobody(yard, "ports", "8000", "8001", port=8000, script="latecomer.py")
    assert json.loads(seen["said"]) == {"8000": "reached", "8001": "ECONNREFUSED"}


def test_its_limits_hold_and_cannot_be_raised(ask: Asking) -> None:
    limits = answer(ask("limits", open_files=64, file_mb=8))
    count, error = limits["files"]
    assert count < 64
    assert error == "EMFILE"
    assert limits["sparse"] == "EFBIG"
    assert limits["core"] == [0, 0]
    assert limits["raised"] == -1


def test_too_many_processes_are_refused(ask: Asking) -> None:
    count, error = answer(ask("fork", processes=20))
    assert error == "EAGAIN"
    assert count <= 20


def test_too_much_memory_is_the_verdict_memory(ask: Asking) -> None:
    seen = ask("hog", memory_mb=100)
    if seen["verdict"] != "MEMORY":  # without a group the program may be told before it is caught
        assert "MemoryError" in seen["said"], seen
    if os.geteuid() == 0 and cgroups_hold("memory") and not seen["said"]:
        assert seen["verdict"] == "MEMORY"
        assert seen["peak_mb"] <= 110  # what the kernel gives a dying process counts as well


def test_a_million_empty_files_are_too_much_memory(ask: Asking) -> None:
    seen = ask("litter", memory_mb=100)
    assert seen["verdict"] == "MEMORY", seen


def test_too_large_a_file_is_forbidden(ask: Asking) -> None:
    seen = ask("large", file_mb=1)
    assert (seen["verdict"], seen["reason"]) == ("FORBIDDEN", "wrote a file of more than 1 MB")


def test_files_in_shared_memory_count_as_memory(yard: Path) -> None:
    if not cgroups_hold("memory"):
        pytest.skip("no control group counts memory here")
    seen = as_ourselves(yard, "fill", "/dev/shm", scratch_mb=256, memory_mb=64)
    assert seen["verdict"] == "MEMORY", seen
