"""The fork server is a Python interpreter that is forked for every move of a bot, and never runs a line of it itself.

Run by the bot's own interpreter inside its cage, as `python OPTIONS -c STARTER SOURCE SOURCE CONTROL FILTER LAST FILE
OPTIONS`; the sources are `forked_move.py` and this text, because nothing of botyard is found in there. CONTROL is a
socket. A child is forked ahead and shut in, and waits there for its request, which brings three descriptors: the
arena's text, and the pipes that become standard output and error. Then it runs the bot. How that ended is told when
everything the bot had started is killed, and the next child is made when all of it is gone.

What could carry something from one move to the next, and why it does not:

- The interpreter that is forked. It sees neither request, arena nor output, and what the kernel tells about the end of
  a move lies in a page that is left out of every fork. So it is the same at every move, also for a bot that searches
  its whole memory, in which the freed blocks of its parent can still be read.
- The parent itself, for a bot that wants to write there. It is not dumpable, it stands outside the move's pid and user
  namespaces, and there is no /proc to reach it by.
- Files: every mount is read-only, and in a mount namespace of the move's own. Shared memory, queues and semaphores: an
  ipc namespace of its own. Processes: a pid namespace of its own, all of which is killed. Sockets and keys: the filter.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # it was executed just before
    from botyard.jail.programs.forked_move import MoveBot, Unable, flush, take_down

import _signal  # type: ignore[import-not-found]
import _socket
import _thread
import ctypes
import gc
import mmap
import os
import sys

CLONE_VM, CLONE_PARENT_SETTID, CLONE_NEWNS = 0x100, 0x100000, 0x20000
CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x8000000, 0x10000000, 0x20000000
OWN_NAMESPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC  # beside the pid namespace, which takes a fork
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
SECCOMP_MODE_FILTER, INSTRUCTION_BYTES = 2, 8
P_ALL, WEXITED, WCLONE = 0, 4, 0x80000000
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
SYS_MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY = 442, -100, 0x8000, 1
CAPABILITIES_VERSION_3 = 0x20080522

READY, UNABLE, ENDED = b"+", b"-", b"="  # how our messages begin
PID_AT, INFO_AT, INFO_BYTES = 4, 16, 128  # in the hidden page: a pid, and a siginfo of the kernel
CODE_AT, STATUS_AT = INFO_AT + 8, INFO_AT + 24
CLD_EXITED = 1
RIGHTS_BYTES = 12
DESCRIPTORS = 64  # more than we ever hold
SLEEPER_STACK = 16384
TIMES = 16  # after eight the interpreter has settled on its short cuts
PRACTICE = "print(end='')"
NOBODY = 65534  # everybody's number in here
NOT_ISOLATED = 3  # how a rehearsal exits that could not be shut in

libc = ctypes.PyDLL(None, use_errno=True)
unshare, capset, prctl = libc.unshare, libc.capset, libc.prctl  # looked up once, not in every move
for function in (libc.clone, libc.fork):
    function.restype = None  # a pid tells how many processes earlier moves have started: none is ever kept


def check(result: int, what: str) -> None:
    if result != 0:
        raise Unable(f"{what}: {os.strerror(ctypes.get_errno())}")


class HiddenPage:
    """Memory that no fork inherits: what the kernel says about a move is written here, and sent from here."""

    def __init__(self) -> None:
        page = mmap.mmap(-1, mmap.PAGESIZE)
        page.madvise(mmap.MADV_DONTFORK)
        page[:1] = ENDED
        self._page = memoryview(page)
        self.message = self._page[: INFO_AT + INFO_BYTES]
        address = ctypes.addressof(ctypes.c_char.from_buffer(page))
        self.pid, self.info = ctypes.c_void_p(address + PID_AT), ctypes.c_void_p(address + INFO_AT)

    def clear(self) -> None:
        self.message[1:] = bytes(INFO_AT + INFO_BYTES - 1)

    @property
    def has_pid(self) -> bool:
        return self._page[PID_AT : PID_AT + 4] != bytes(4)

    @property
    def exit_status(self) -> int | None:
        """Of a move that no bot has had a hand in."""
        return self._page[STATUS_AT] if self._page[CODE_AT] == CLD_EXITED else None


class FilterProgram(ctypes.Structure):
    """A seccomp filter, as the kernel takes it."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))

    @classmethod
    def of(cls, program: bytes) -> FilterProgram:
        return cls(len(program) // INSTRUCTION_BYTES, program)

    @property
    def call(self) -> tuple[object, ...]:
        """What prctl takes to install it."""
        return PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(self), 0, 0


class Bounds:
    """The rights that are given up: most of them by this process already, the rest by each move."""

    def __init__(self, lasting: bytes, last: bytes) -> None:
        self._lasting, self._last = FilterProgram.of(lasting).call, FilterProgram.of(last).call
        self._no_capabilities = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION_3, 0), (ctypes.c_uint32 * 6)()

    def harden(self) -> None:
        """Nothing can be written, no other process be found, nobody may look into this one, nothing odd be called."""
        check(libc.mount(b"none", b"/proc", b"tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, b"size=4k"), "an empty /proc")
        read_only = (ctypes.c_uint64 * 4)(MOUNT_ATTR_RDONLY)
        size = ctypes.c_size_t(ctypes.sizeof(read_only))
        changed = libc.syscall(SYS_MOUNT_SETATTR, AT_FDCWD, b"/", AT_RECURSIVE, ctypes.byref(read_only), size)
        check(changed, "read-only mounts")
        check(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "a hidden memory")
        check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "giving up privileges")
        check(prctl(*self._lasting), "the filter")

    def shut_in(self) -> None:
        """From here on the calling process, a move, can compute, and write to what it holds."""
        check(unshare(OWN_NAMESPACES), "namespaces of a move")
        check(capset(*self._no_capabilities), "giving up capabilities")
        check(prctl(*self._last), "the filter of a move")


class MoveForker:
    """Forks the moves. It runs in the first process of a pid namespace, in which nothing outlives a move."""

    def __init__(self, control: _socket.socket, bounds: Bounds, bot: MoveBot) -> None:
        self._control, self._bounds, self._bot = control, bounds, bot
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY)
        self._hidden = HiddenPage()
        # The first process of a move's own pid namespace sleeps. It shares our memory, so that it costs next to
        # nothing. The bot must not be the first itself, because signals do not end that one.
        self._stack = mmap.mmap(-1, SLEEPER_STACK)
        top = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(self._stack)) + SLEEPER_STACK)
        sleep = ctypes.cast(libc.pause, ctypes.c_void_p)
        self._sleeper = sleep, top, CLONE_VM | CLONE_PARENT_SETTID, None, self._hidden.pid

    def begin(self) -> bool:
        """Forks into a new pid namespace; true in the child."""
        self._hidden.clear()
        check(libc.setns(self._own, CLONE_NEWPID), "our own pid namespace")
        check(unshare(CLONE_NEWPID), "a pid namespace")
        libc.clone(*self._sleeper)
        if not self._hidden.has_pid:
            raise Unable(f"a first process: {os.strerror(ctypes.get_errno())}")
        libc.fork()  # not Python's own: there are no threads, and what it does about them costs more than the fork
        return os.getpid() != 1

    def end(self) -> None:
        """Waits for the child, and kills whatever it left behind."""
        libc.waitid(P_ALL, 0, self._hidden.info, WEXITED)
        os.kill(-1, _signal.SIGKILL)

    def sweep(self) -> None:
        """Waits until all of that is gone: the first process of a pid namespace ends last."""
        libc.waitid(P_ALL, 0, None, WEXITED | WCLONE)

    def rehearse(self) -> None:
        """A move without a bot: can it be shut in, does the file compile? Only what a child survived is done here."""
        if self.begin():
            try:
                self._bounds.shut_in()
            except Unable as reason:
                self._control.send(UNABLE + str(reason).encode())
                os._exit(NOT_ISOLATED)
            try:
                self._bot.compile()
            except BaseException:
                os._exit(1)  # every move will say so in its own words
            os._exit(0)
        self.end()
        self.sweep()
        if self._hidden.exit_status == NOT_ISOLATED:
            os._exit(1)
        self._bot.prepare(compiles=self._hidden.exit_status == 0)

    def serve(self) -> str:
        """One child after the other, each made before it is asked. Returns in the children, with the arena's text."""
        for _ in range(TIMES):
            practise()
        self._control.send(READY)
        gc.collect()
        gc.freeze()  # what no collector touches stays shared between us and the moves
        while True:
            if self.begin():
                return self._enter()
            self.end()
            try:
                self._control.send(self._hidden.message)
            except OSError:
                os._exit(0)  # nobody is left who would ask
            self.sweep()  # nobody waits for it but the next child

    def _enter(self) -> str:
        """Shut in already, a move waits for its request."""
        try:
            self._bounds.shut_in()
        except Unable as reason:
            self._control.send(UNABLE + str(reason).encode())
            os._exit(NOT_ISOLATED)
        os.setpgid(0, 0)  # or a signal to its own group would reach us; a session of its own costs 2 ms
        return receive(self._control, 3)


def receive(control: _socket.socket, spare: int) -> str:
    """The arena's text. Standard input, output and error become the move's own; what is open from `spare` on goes."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # flags of an open file are shared with all who have it from us
    asked, rights, _, _ = control.recvmsg(1, _socket.CMSG_SPACE(RIGHTS_BYTES))
    if not asked:
        os._exit(0)
    arena, out, err = memoryview(rights[0][2]).cast("i")
    text = os.read(arena, os.fstat(arena).st_size)
    os.dup2(out, 1)
    os.dup2(err, 2)
    os.closerange(spare, DESCRIPTORS)
    return os.fsdecode(text)


def practise() -> None:
    """Does what every move does, without a bot: what interpreter and linker learn on the way is then known to all
    children, who would each have to learn it in memory of their own."""
    ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    streams = [os.dup(number) for number in range(3)]
    lent = b"".join(os.open(os.devnull, os.O_RDWR).to_bytes(4, sys.byteorder) for _ in range(3))
    ours.sendmsg([b"."], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, lent)])
    try:
        os.setpgid(0, 0)
    except OSError:
        pass  # it was to be called, not to succeed
    receive(theirs, DESCRIPTORS)
    module = sys.modules["practice"] = type(sys)("practice")
    exec(PRACTICE, module.__dict__)
    flush(sys.stdout, sys.stderr)
    take_down("practice", len(sys.modules))
    del sys.modules["practice"]
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    ours.close()
    theirs.close()
    os.closerange(streams[0], DESCRIPTORS)  # everything we hold was opened before


def settle(control: _socket.socket) -> None:
    """Becomes the first process of namespaces that are our own to divide."""
    if _thread._count():
        raise Unable("this interpreter runs threads of its own")  # a fork would leave them in the middle of something
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))  # who wakes us has more to do, for the other side too
    user, group = os.getuid(), os.getgid()
    check(unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWPID), "namespaces")
    maps = ("setgroups", "deny"), ("uid_map", f"{NOBODY} {user} 1"), ("gid_map", f"{NOBODY} {group} 1")
    for name, text in maps:  # who has no number cannot make further user namespaces
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    prctl(PR_SET_PDEATHSIG, _signal.SIGKILL, 0, 0, 0)
    first = os.fork()
    if first:
        control.close()
        _, status = os.waitpid(first, 0)
        os._exit(1 if status else 0)
    prctl(PR_SET_PDEATHSIG, _signal.SIGKILL, 0, 0, 0)
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)


def keep_only(descriptor: int) -> int:
    """Keeps one of the descriptors we were lent, under a low number, and closes the others.

    With low numbers only, what a move must not have is closed quickly and surely.
    """
    kept = os.dup(descriptor)
    for number in map(int, os.listdir("/proc/self/fd")):
        if number > 2 and number != kept:
            try:
                os.close(number)
            except OSError:
                continue  # the listing's own
    return kept


def main() -> None:
    descriptor, lasting, last, named, *options = sys.argv[3:]
    control = _socket.socket(fileno=keep_only(int(descriptor)))
    try:
        bot = MoveBot(named, options)
        settle(control)
        bounds = Bounds(bytes.fromhex(lasting), bytes.fromhex(last))
        forker = MoveForker(control, bounds, bot)
        bounds.harden()
        forker.rehearse()
    except (Unable, OSError) as reason:
        control.send(UNABLE + str(reason).encode())
        os._exit(1)
    bot.play(forker.serve())


main()
