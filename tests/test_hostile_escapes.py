"""What a submission can reach: Python, the packages and its own /tmp, no more."""

import hashlib
import json
import socket
from pathlib import Path

import pytest
from hostile_course import (
    MARKS,
    RIGHT,
    Submission,
    answer,
    assert_as_expected,
    cell,
    grade_class,
    hand_in,
    make_course,
    then,
)

pytestmark = MARKS
SECRET = "a-token-of-the-grader"
FILES = """\
import json, os, stat
found = {"read": [], "seen": [], "sockets": [], "writable": []}
for path in PATHS:
    try:
        os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1)
        found["read"].append(path)
    except OSError:
        pass
for folder, folders, files in os.walk("/"):
    large = ("proc", "sys", "share", "include", "site-packages")
    folders[:] = [each for each in folders if each not in large]
    for name in (*folders, *files):
        path = os.path.join(folder, name)
        try:
            mode = os.lstat(path).st_mode
        except OSError:
            continue
        if name.endswith((".ipynb", "gradebook.db")):
            found["seen"].append(path)
        if stat.S_ISSOCK(mode):
            found["sockets"].append(path)
        if not path.startswith(("/tmp", "/dev/shm", "/dev/pts", "/dev/fd/")):
            if not stat.S_ISLNK(mode) and not stat.S_ISCHR(mode):
                if os.access(path, os.W_OK):
                    found["writable"].append(path)
print(json.dumps(found))
"""
HANDLES = """\
import json, os
found = {"files": [], "environ": [], "processes": []}
for each in os.listdir("/proc/self/fd"):
    try:
        found["files"].append(os.readlink(f"/proc/self/fd/{each}"))
    except OSError:
        pass
for pid in filter(str.isdecimal, os.listdir("/proc")):
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        found["processes"].append([pid, file.read().decode()[:60]])
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            found["environ"].append(file.read().decode())
    except OSError:
        pass
found["environ"].append(str(os.environ))
print(json.dumps(found))
"""
CALLS = """\
import ctypes, json, os, signal, socket
libc = ctypes.CDLL(None, use_errno=True)
outcomes = {}
def call(name, *arguments):
    outcomes[name] = getattr(libc, name.split()[0])(*arguments)
call("unshare user", 0x10000000)
call("unshare mount", 0x20000)
call("mount", b"tmpfs", b"/usr", b"tmpfs", 0, None)
call("umount", b"/tmp")
call("chroot", b"/tmp")
call("setuid", 0)
call("ptrace keeper", 16, 1, None, None)
call("sethostname", b"x", 1)
outcomes["no new privileges"] = libc.prctl(39, 0, 0, 0, 0) - 1
def attempt(name, act):
    try:
        act()
        outcomes[name] = "worked"
    except OSError:
        outcomes[name] = -1
def lower(path):
    with open(path, "w") as file:
        file.write("-1000")
attempt("read memory of 1", lambda: open("/proc/1/mem", "rb").read(1))
attempt("root of 1", lambda: os.listdir("/proc/1/root/"))
attempt("files of 1", lambda: [os.readlink(f"/proc/1/fd/{n}") for n in range(4)])
attempt("namespace of 1", lambda: os.open("/proc/1/ns/mnt", os.O_RDONLY))
attempt("terminal", lambda: os.open("/dev/tty", os.O_RDWR))
attempt("kill outside", lambda: os.kill(PID, 0) if PID > 5000 else os.kill(2**22, 0))
attempt("outside", lambda: socket.create_connection(("1.1.1.1", 53), 2))
attempt("name", lambda: socket.getaddrinfo("example.org", 80))
attempt("host", lambda: socket.create_connection(("127.0.0.1", PORT), 2))
attempt("abstract", lambda: socket.socket(socket.AF_UNIX).connect(ABSTRACT))
attempt("path", lambda: socket.socket(socket.AF_UNIX).connect(UNIX))
attempt("sysctl", lambda: lower("/proc/sys/kernel/core_pattern"))
attempt("memory for ever", lambda: lower("/proc/self/oom_score_adj"))
os.kill(1, signal.SIGKILL)
print(json.dumps(outcomes))
"""
DETACHED = """\
import os, sqlite3, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for _ in range(600):
            for path in PATHS:
                try:
                    sqlite3.connect(path).execute("update grade set auto_score = 99")
                    with open(path, "ab") as file:
                        file.write(b"x")
                except Exception:
                    pass
            time.sleep(0.1)
    os._exit(0)
"""


def digests(folder):
    """The digest of each file below a folder, but of those that grading writes."""
    written = ("submitted", "autograded", "feedback", "results", "gradebook.db")
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
        and not any(f"/autograder/{each}" in str(path) for each in written)
    }


@pytest.fixture(scope="module")
def listening(tmp_path_factory):
    """Sockets of this process: a port, an abstract name and a path."""
    path = str(tmp_path_factory.mktemp("s") / "s")
    abstract = f"\0course-test-{id(path)}"
    with (
        socket.create_server(("127.0.0.1", 0)) as port,
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX) as hidden,
    ):
        named.bind(path)
        hidden.bind(abstract)
        for each in (named, hidden):
            each.listen()
        yield port.getsockname()[1], abstract, path


@pytest.fixture(scope="module")
def graded(tmp_path_factory, listening):
    import os

    folder = tmp_path_factory.mktemp("escapes")
    places = make_course(folder)
    port, abstract, path = listening
    paths = [
        str(each)
        for each in (
            *(places.root, places.source("02_first_drift"), places.gradebook),
            *(places.solution("02_first_drift"), folder / "in", places.results),
            *(
                Path.home() / ".ssh",
                Path.home() / ".bashrc",
                "/home",
                "/etc/shadow",
                "/etc/ssh",
                "/var/log",
                "/run",
                path,
            ),
        )
    ]
    known = (
        f"PATHS = {paths!r}\nPORT = {port}\nABSTRACT = {abstract!r}\n"
        f"UNIX = {path!r}\nPID = {os.getpid()}\n"
    )
    submissions = [
        Submission(student, then(known + code), points=(3, 0), flag=None)
        for student, code in (
            ("files", FILES),
            ("handles", HANDLES),
            ("calls", CALLS),
            ("detached", DETACHED),
        )
    ]
    submissions.append(Submission("last", answer(RIGHT), points=(3, 0)))
    hand_in(places, folder / "in", submissions)
    before = digests(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET_TOKEN", SECRET)
        found = grade_class(places, folder / "in", patch, cell_seconds=20.0)
    assert digests(folder) == before
    for each in submissions:
        assert_as_expected(found, each)
    return found


@pytest.fixture(scope="module")
def said(graded):
    """What a submission printed, read as JSON."""

    def read(student):
        outputs = cell(graded.notebook(student), "own").outputs
        text = "".join(each.get("text", "") for each in outputs)
        return json.loads(text) if text else outputs

    return read


def test_files(said):
    found = said("files")
    assert found["read"] == [] and found["seen"] == []
    assert found["writable"] == []
    # the five of the kernel itself
    assert all(each.startswith("/tmp/course-") for each in found["sockets"])
    assert len(found["sockets"]) == 5


def test_open_files_environment_and_processes(said):
    found = said("handles")
    kinds = ("pipe:", "socket:", "anon_inode:", "/dev/null", "/proc/", "/tmp/home")
    assert [each for each in found["files"] if not each.startswith(kinds)] == []
    assert SECRET not in str(found["environ"])
    assert len(found["processes"]) == 2  # the kernel and its keeper
    assert not any("sqlite" in each for each in found["environ"])


def test_calls(said):
    assert {name for name, result in said("calls").items() if result == "worked"} == (
        set()
    )
    # with "no new privileges", programs with set-user-id give none either
    numbers = {name: result for name, result in said("calls").items() if result != -1}
    assert numbers == {"no new privileges": 0}


def test_the_gradebook_is_as_the_grader_wrote_it(graded):
    assert graded.points("detached") == (3, 0)
