"""These tables hold the system calls a caged program may make, with the programs that need them, and those refused.

The list was made from what the interpreters, compilers and shells of our languages were seen to call while they made
threads, processes, files and connections, and from what their libraries do elsewhere. Four tables:

- PERMITTED: allowed as they are.
- LOOKED_AT: allowed or not by their arguments (`seccomp.py` says which).
- REFUSED: known, and refused on purpose. The program is told so (EPERM).
- PRETENDED: answered as if done.

Everything else, calls of kernels yet to come included, does not exist in a cage (ENOSYS): libraries then do what they
do on an older kernel. Among what is left out like this:

- openat2, which can be told to open only what the kernel remembers (RESOLVE_CACHED): it tells who looked there before.
- futex_waitv, futex_wake, futex_wait, futex_requeue: further ways to wake a stranger; the old futex is enough.
- clone3, whose flags lie in memory, where no filter can look.
- io_setup and io_submit, which can be told not to wait for the disk, and tell by that what is in memory.
- mlock and its kin, personality, landlock, seccomp, memfd_secret, statmount, listmount, lsm_*, mseal, file_getattr.
"""

from __future__ import annotations

Numbers = tuple[int | None, int | None]  # on x86-64 and on aarch64; None: there is no such call

PERMITTED: dict[str, Numbers] = {
    # Reading and writing what is open: every program. What preadv2 and pwritev2 are asked for is looked at.
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "pwrite64": (18, 68), "preadv": (295, 69), "pwritev": (296, 70), "lseek": (8, 62), "close": (3, 57),
    "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "pipe": (22, None),
    "pipe2": (293, 59), "sendfile": (40, 71), "splice": (275, 76), "tee": (276, 77), "copy_file_range": (326, 285),
    "fsync": (74, 82), "fdatasync": (75, 83), "truncate": (76, 45), "ftruncate": (77, 46), "fallocate": (285, 47),
    # Finding files, and making them in the folders of its own: every program, every build (cp, tar, make, mv, sed, ln).
    "open": (2, None), "openat": (257, 56), "creat": (85, None), "access": (21, None), "faccessat": (269, 48),
    "faccessat2": (439, 439), "stat": (4, None), "lstat": (6, None), "fstat": (5, 80), "newfstatat": (262, 79),
    "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44), "getdents": (78, None), "getdents64": (217, 61),
    "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "readlink": (89, None), "readlinkat": (267, 78),
    "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276), "mkdir": (83, None), "mkdirat": (258, 34),
    "rmdir": (84, None), "link": (86, None), "linkat": (265, 37), "unlink": (87, None), "unlinkat": (263, 35),
    "symlink": (88, None), "symlinkat": (266, 36), "mknod": (133, None), "mknodat": (259, 33), "chmod": (90, None),
    "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None), "fchown": (93, 55),
    "lchown": (94, None), "fchownat": (260, 54), "umask": (95, 166), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88),
    # Attributes of files: cp, mv, tar and sed take them along.
    "getxattr": (191, 8), "lgetxattr": (192, 9), "fgetxattr": (193, 10), "listxattr": (194, 11),
    "llistxattr": (195, 12), "flistxattr": (196, 13), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    # Memory: every allocator. Protection keys: V8, in Node. The shadow stack: glibc, on processors that have one. What
    # madvise is asked for is looked at.
    "brk": (12, 214), "mmap": (9, 222), "munmap": (11, 215), "mremap": (25, 216), "mprotect": (10, 226),
    "msync": (26, 227), "pkey_alloc": (330, 289), "pkey_free": (331, 290), "pkey_mprotect": (329, 288),
    "map_shadow_stack": (453, 453),
    # A file in memory: Python's os.memfd_create, Java's collectors, compilers that run what they made. Refused where no
    # group counts memory, because no limit of a single process holds it.
    "memfd_create": (319, 279),
    # Threads: C and C++, Java, Go, Rust, Python. Java and V8 use membarrier, glibc rseq and the robust list.
    "futex": (202, 98), "set_tid_address": (218, 96), "set_robust_list": (273, 99), "get_robust_list": (274, 100),
    "rseq": (334, 293), "membarrier": (324, 283), "sched_yield": (24, 124), "arch_prctl": (158, None),
    "exit": (60, 93),
    # Processes: subprocess, multiprocessing, shells, make, compilers. A namespace in the flags of clone is looked for.
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281), "exit_group": (231, 94),
    "wait4": (61, 260), "waitid": (247, 95), "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178),
    "setpgid": (109, 154), "getpgid": (121, 155), "getpgrp": (111, None), "setsid": (112, 157),
    "getsid": (124, 156),
    # Signals: every runtime. Go stops its goroutines with them, Python waits for them.
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132), "signalfd": (282, None),
    "signalfd4": (289, 74), "pause": (34, None), "restart_syscall": (219, 128),
    # Time and timers: every runtime; Python's signal module, timeout of coreutils.
    "time": (201, None), "gettimeofday": (96, 169), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "nanosleep": (35, 101), "times": (100, 153), "alarm": (37, None),
    "getitimer": (36, 102), "setitimer": (38, 103), "timer_create": (222, 107), "timer_settime": (223, 110),
    "timer_gettime": (224, 108), "timer_getoverrun": (225, 109), "timer_delete": (226, 111),
    "timerfd_create": (283, 85), "timerfd_settime": (286, 86), "timerfd_gettime": (287, 87),
    # Waiting for many descriptors: asyncio, libuv in Node, Go's poller, Java's selectors, tokio, make.
    "select": (23, None), "pselect6": (270, 72), "poll": (7, None), "ppoll": (271, 73), "epoll_create": (213, None),
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441), "eventfd": (284, None), "eventfd2": (290, 19),
    # Sockets, in a network of its own: bots that connect to their arena, asyncio's and multiprocessing's own pairs. The
    # families are looked at.
    "bind": (49, 200), "listen": (50, 201), "accept": (43, 202), "accept4": (288, 242), "connect": (42, 203),
    "getsockname": (51, 204), "getpeername": (52, 205), "sendto": (44, 206), "recvfrom": (45, 207),
    "sendmsg": (46, 211), "recvmsg": (47, 212), "sendmmsg": (307, 269), "recvmmsg": (299, 243),
    "getsockopt": (55, 209), "setsockopt": (54, 208), "shutdown": (48, 210),
    # Who it is: setpriv becomes the bot's user under this filter, bash, make, tar and Python's os look. A bot has no
    # capability to become anybody else.
    "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getgroups": (115, 158), "getresuid": (118, 148), "getresgid": (120, 150), "setuid": (105, 146),
    "setgid": (106, 144), "setreuid": (113, 145), "setregid": (114, 143), "setresuid": (117, 147),
    "setresgid": (119, 149), "setgroups": (116, 159), "capget": (125, 90), "capset": (126, 91),
    # What it may use and has used: Java and Go read limits when they start, Node the memory of the machine, gcc and
    # make times. Which core it runs on may be asked, not chosen.
    "getrlimit": (97, 163), "setrlimit": (160, 164), "prlimit64": (302, 261), "getrusage": (98, 165),
    "sysinfo": (99, 179), "uname": (63, 160), "getrandom": (318, 278), "getcpu": (309, 168),
    "getpriority": (140, 141), "setpriority": (141, 140), "sched_getaffinity": (204, 123),
    "sched_getscheduler": (145, 120), "sched_getparam": (143, 121), "sched_getattr": (315, 275),
    "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126), "sched_rr_get_interval": (148, 127),
}  # fmt: skip

LOOKED_AT: dict[str, Numbers] = {
    "clone": (56, 220), "socket": (41, 198), "socketpair": (53, 199), "ioctl": (16, 29), "fcntl": (72, 25),
    "prctl": (157, 167), "madvise": (28, 233), "preadv2": (327, 286), "pwritev2": (328, 287),
}  # fmt: skip

REFUSED: dict[str, Numbers] = {
    # Looking at and writing to other processes.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "perf_event_open": (298, 241),
    # Which pages of a file are in memory, and putting them there or out: what one bot leaves the next one reads.
    "fadvise64": (221, 223), "readahead": (187, 213), "mincore": (27, 232), "cachestat": (451, 451),
    # Choosing the core, or a class before others: a bot would sit where its rival runs.
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "sched_setparam": (142, 118),
    "sched_setattr": (314, 274), "ioprio_set": (251, 30),
    # Pages and the node they lie on; whether somebody else has them too shows in the answers.
    "move_pages": (279, 239), "migrate_pages": (256, 238), "mbind": (237, 235), "set_mempolicy": (238, 237),
    "vmsplice": (278, 75),
    # Channels between bots: keys and queues of the kernel, notices of who opened which file.
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "shmget": (29, 194), "shmat": (30, 196),
    "shmctl": (31, 195), "shmdt": (67, 197), "semget": (64, 190), "semop": (65, 193), "semctl": (66, 191),
    "semtimedop": (220, 192), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187),
    "mq_open": (240, 180), "mq_unlink": (241, 181), "mq_timedsend": (242, 182), "mq_timedreceive": (243, 183),
    "mq_notify": (244, 184), "mq_getsetattr": (245, 185), "inotify_init": (253, None), "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27), "inotify_rm_watch": (255, 28), "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    # Large machinery with a history of holes.
    "bpf": (321, 280), "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # The tree of files and the namespaces.
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "mount_setattr": (442, 442), "unshare": (272, 97), "setns": (308, 268),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    # The machine itself. The whole machine would wait for sync.
    "sync": (162, 81), "syncfs": (306, 267), "reboot": (169, 142), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89),
    "syslog": (103, 116), "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266),
    "adjtimex": (159, 171), "sethostname": (170, 161), "setdomainname": (171, 162), "vhangup": (153, 58),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42), "uselib": (134, None), "ustat": (136, None), "sysfs": (139, None),
    "_sysctl": (156, None),
}  # fmt: skip

PRETENDED: dict[str, Numbers] = {"flock": (73, 32)}
"""Answered as if done. A file that two bots may only read is a channel by its locks; but a Java machine locks a file
of its own when it starts, and complains on its standard output if that fails."""
