"""One process with TensorFlow and Jupyter imported, for all sessions on a machine.

A session is a group of processes in namespaces of their own. Its Jupyter server and its
kernels are forks of this process, which stands outside: the pages that an import fills
are then in memory once, not once a session. Who connects gets a process in its own
namespaces, with its own rights and no others; so it gains nothing by asking that it
could not do itself.

    python -P -m workshop.zygote SOCKET TASKS

The other end is `course.kernels.adopted.Adopted`, used by `course.kernels.warm_server`
and `workshop.inside.start`.
It needs Linux 6.5, which names the process at the other end of a socket for certain.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import socket
import sys
import traceback
from multiprocessing.connection import Connection
from pathlib import Path

from course.kernels import fork_server, linux
from course.kernels.adopted import LENGTH, REFUSED, SECONDS, exactly
from workshop.inside.server import serve
from workshop.priority import come_after

SO_PEERPIDFD = 77
JOINED = (
    linux.CLONE_NEWUSER
    | linux.CLONE_NEWNS
    | linux.CLONE_NEWPID
    | linux.CLONE_NEWNET
    | linux.CLONE_NEWIPC
    | linux.CLONE_NEWUTS
)
FIRST_TO_DIE = 500  # of the kernel's scale to 1000, when the machine's memory ends
LARGEST = 2**20  # bytes of a request
LARGEST_FILE = 2**30  # bytes of a file that a session writes, its log among them
OPEN_FILES = 1024  # of one process of a session
SERVER = (  # what a learner's Jupyter server imports
    "jupyterhub.singleuser.extension",
    "jupyterlab.labapp",
    "nbgrader.server_extensions.assignment_list.handlers",
)


def main() -> None:
    """Import what sessions need, then fork for whoever connects, until killed."""
    path, tasks = sys.argv[1], int(sys.argv[2])
    listening = socket.socket(socket.AF_UNIX)
    Path(path).unlink(missing_ok=True)
    listening.bind(path)
    os.chmod(path, 0o600)
    listening.listen(64)  # who comes early waits
    fork_server.prepare()
    for module in SERVER:
        importlib.import_module(module)
    from course.kernels import warm_preload  # noqa: F401 - the last: it freezes all

    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)  # what it sent away stays its child,
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # and leaves no zombie
    while True:
        line, _ = listening.accept()
        with line, contextlib.suppress(OSError):
            try:
                peer = line.getsockopt(socket.SOL_SOCKET, SO_PEERPIDFD)
            except OSError:
                line.sendall(LENGTH.pack(REFUSED))
                continue
            first = os.fork()
            if first == 0:
                listening.close()
                _go_there(line, peer, tasks)
            os.close(peer)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(first, 0)  # nothing in it waits for the other end


def _go_there(line: socket.socket, peer: int, tasks: int) -> None:
    """Enter the peer's namespaces, and serve its request in a child; never return."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        Path("/proc/self/oom_score_adj").write_text(str(FIRST_TO_DIE))
        come_after()
        linux.setns(peer, JOINED)
        linux.drop_all_capabilities()
        linux.prctl(linux.PR_SET_DUMPABLE, 1)  # its /proc files are its own again
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
        resource.setrlimit(resource.RLIMIT_NPROC, (tasks, tasks))
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
        os.close(peer)
        if os.fork() == 0:  # only a child is in the peer's process namespace
            _serve(line)
    except BaseException:  # else nobody would ever hear why
        traceback.print_exc()
    finally:
        os._exit(0)


def _serve(line: socket.socket) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):  # the zygote's log is not the peer's to write
        os.dup2(nothing, standard)
    line.settimeout(SECONDS)
    head, files, _, _ = socket.recv_fds(line, LENGTH.size, 2)
    length = LENGTH.unpack(head)[0]
    if length > LARGEST:
        return
    file, output = files
    wanted = json.loads(exactly(line, length))
    for standard in (1, 2):
        os.dup2(output, standard)
    line.sendall(LENGTH.pack(os.getpid()))
    if wanted["run"] == "keep":
        from course.kernels.keeper import keep

        keep(wanted["request"], Connection(file), line)
    else:
        serve(wanted["request"], file, line)


if __name__ == "__main__":
    main()
