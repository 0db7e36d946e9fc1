"""What a graded kernel is locked into: namespaces, an empty disk, limits, no rights.

The fork server runs in bubblewrap already; these calls part the kernels from the
server and from each other. In the order of their use: `enter` and `watch` run in the
outer process, `furnish` and `seal` in the inner one, which is process 1 of its
namespace, and `give_up_rights` in every process that runs a submission's code.
"""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import socket
import struct
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from course.kernels import linux
from course.kernels.cgroup import overflowed
from course.kernels.memory import own_bytes, shared_bytes
from course.kernels.unmapped import Hidden, Unmapped

HOME = "/tmp/home"
COURSE = Path(__file__).parent.parent
PATH_ONLY = os.O_PATH | os.O_DIRECTORY
LOOK_SECONDS = 0.1
BETWEEN_LOOKS = 2  # times its memory; less would end the code before a look says why
SOCKETS = 5  # of a kernel: shell, iopub, stdin, control, heartbeat
SOCKETS_SECONDS = 30
ENDED = os.WEXITED | os.WNOHANG | os.WNOWAIT  # has a child ended? leave it there
FILE_BYTES = 4096  # of the disk, for each file: one without content takes memory, too
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


@dataclass(frozen=True)
class Cage:
    """The limits of one kernel and all processes it starts.

    folder: where its sockets go; the folder above it, with other kernels', is hidden.
    memory, disk: in bytes; disk is its /tmp, which is gone afterwards.
    processes: how many at a time.
    tasks: processes and all their threads together.
    view: holds folders that stand in the place of the course's of the same name.
    gate: the path of a `course.kernels.gate`, to the cgroup that limits its memory;
        without one, its memory is watched.
    """

    folder: str
    memory: int
    disk: int
    processes: int
    tasks: int
    view: str
    gate: str = ""


def enter() -> None:
    """Leave this process's user, process, network and other namespaces for new ones.

    Children are in the new process namespace. Raises OSError where it isn't allowed.
    """
    uid, gid = os.getuid(), os.getgid()
    linux.unshare(
        linux.CLONE_NEWUSER
        | linux.CLONE_NEWPID
        | linux.CLONE_NEWNET
        | linux.CLONE_NEWIPC
        | linux.CLONE_NEWUTS
    )
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def furnish(cage: Cage) -> None:
    """Give the inner process its own /proc, /tmp and loopback, and set the limits."""
    linux.unshare(linux.CLONE_NEWNS)
    linux.mount("", "/", flags=linux.MS_REC | linux.MS_PRIVATE)
    safe = linux.MS_NOSUID | linux.MS_NODEV
    linux.mount("proc", "/proc", "proc", safe | linux.MS_NOEXEC)
    parts = {path: os.open(path, PATH_ONLY) for path in Path(cage.view).iterdir()}
    kept = {cage.folder, *_own_folders_below_tmp()}
    opened = {path: os.open(path, PATH_ONLY) for path in kept}
    size = f"size={cage.disk},nr_inodes={cage.disk // FILE_BYTES},mode=1777"
    linux.mount("tmpfs", "/tmp", "tmpfs", safe, size)
    linux.mount("tmpfs", "/dev/shm", "tmpfs", safe, size)
    # all kernels of the server see this one: nobody leaves anything in it
    only_read = linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY
    linux.mount("", "/dev", flags=only_read | safe)
    # the folder above showed the other kernels' sockets; in the new /tmp it does not
    for path, file in sorted(opened.items()):
        os.makedirs(path, exist_ok=True)
        linux.mount(f"/proc/self/fd/{file}", path, flags=linux.MS_BIND)
        os.close(file)
    for path, file in parts.items():
        linux.mount(
            f"/proc/self/fd/{file}", str(COURSE / path.name), flags=linux.MS_BIND
        )
        os.close(file)
    os.mkdir(HOME)
    _loopback_up()
    # nobody in here may become the root of yet another namespace
    Path("/proc/sys/user/max_user_namespaces").write_text("0")
    if not cage.gate:  # one process must not fill the machine between two looks
        data = _status_bytes("VmData") + BETWEEN_LOOKS * cage.memory
        resource.setrlimit(resource.RLIMIT_DATA, (data, data))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (cage.tasks, cage.tasks))


def _own_folders_below_tmp() -> set[str]:
    """Python's folders and the course's, if the checkout stands below /tmp."""
    folders = {sys.prefix, sys.base_prefix, str(COURSE)}
    return {each for each in folders if each.startswith("/tmp/")}


def seal(cage: Cage) -> bool:
    """Wait for the kernel's sockets, then make their folder read-only.

    Without it a kernel could fill the disk there. Returns whether they came.
    """
    until = time.monotonic() + SOCKETS_SECONDS
    while len(os.listdir(cage.folder)) < SOCKETS:
        if time.monotonic() > until or os.waitid(os.P_ALL, 0, ENDED) is not None:
            return False
        time.sleep(0.01)
    flags = linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY
    linux.mount("", cage.folder, flags=flags | linux.MS_NOSUID | linux.MS_NODEV)
    return True


def give_up_rights() -> None:
    """Drop all capabilities and the way back to them, before foreign code runs."""
    linux.drop_all_capabilities()


def watch(
    inner: int, cage: Cage, forward: set[int], end: int, counters: list[int]
) -> tuple[int, str]:
    """Wait for the inner process; kill it where it goes beyond its limits.

    Signals in `forward` go on to it, `end` kills it; they and SIGCHLD must be blocked
    before it is started. `counters` are those of its cgroup, if it is in one. Returns
    its exit code and why it was killed.
    """
    awaited = {signal.SIGCHLD, end, *forward}
    unmapped = None if cage.gate else Unmapped(inner)
    reason = ""
    while True:
        caught = signal.sigtimedwait(awaited, LOOK_SECONDS)
        if caught is not None and caught.si_signo in forward:
            os.kill(inner, caught.si_signo)
        if caught is not None and caught.si_signo == end:
            os.kill(inner, signal.SIGKILL)
        pid, status = os.waitpid(inner, os.WNOHANG)
        if not reason and overflowed(counters):  # also where it has ended of that
            reason = _too_much(cage)
        if pid:
            return os.waitstatus_to_exitcode(status), reason
        reason = reason or _excess(inner, cage, unmapped)
        if reason:
            os.kill(inner, signal.SIGKILL)  # the end of its process namespace too


def _excess(inner: int, cage: Cage, unmapped: Unmapped | None) -> str:
    tree = [each.pid for each in _tree(inner)]
    # first: a bomb's processes are too many to add up while they fork
    if len(tree) > cage.processes:
        return f"it ran {len(tree)} processes at a time; {cage.processes} are allowed"
    if unmapped is None:
        return ""
    mapped = sum(map(own_bytes, tree))
    if mapped + unmapped.at_most() <= cage.memory:
        return ""
    try:
        mapped_by_none = unmapped.bytes(tree)
    except Hidden:
        return (
            "one of its processes hid which files it has open, and with them how much "
            "memory it used"
        )
    if mapped + mapped_by_none <= cage.memory:
        return ""
    # the exact sum takes longer: only where this one, which counts some twice, is over
    used = sum(map(shared_bytes, tree)) + mapped_by_none
    return _too_much(cage) if used > cage.memory else ""


def _too_much(cage: Cage) -> str:
    gigabytes = cage.memory / 2**30
    return f"it used more than the {gigabytes:.1f} GB of memory that are allowed"


def _tree(inner: int) -> list[psutil.Process]:
    try:
        top = psutil.Process(inner)
        return [top, *top.children(recursive=True)]
    except psutil.Error:
        return []


def _status_bytes(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    return 0


def _loopback_up() -> None:
    request = struct.pack("16sh14x", b"lo", 0)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        answer = fcntl.ioctl(any_socket, SIOCGIFFLAGS, request)
        flags = struct.unpack("16sh14x", answer)[1] | IFF_UP
        request = struct.pack("16sh14x", b"lo", flags)
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, request)
