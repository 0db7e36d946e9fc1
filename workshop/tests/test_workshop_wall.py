"""What a learner's session can see and do: tried out from the inside."""

import json
import socket
import sys

import pytest
from checkout import ROOT
from workshop_room import instructors_folder, run_as_instructor

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="a workshop needs Linux"),
    pytest.mark.xdist_group("workshop"),
]
TASKS = 300
OUTSIDE = """
import os, subprocess, sys
from pathlib import Path
from workshop import wall
from workshop.folders import Folders
from workshop.options import Options

folders = Folders(Path(sys.argv[1]) / "room")
folders.make()
options = Options("/nowhere", "teacher", tasks={tasks})
for learner in ("ada", "bob"):
    wall.make_homes(folders, learner)
    (folders.home(learner) / "own.txt").write_text(learner)
(folders.private / "accounts.csv").write_text("secret")
inside = [sys.executable, "-P", "-c", sys.argv[2]]
command = [*wall.wall(folders, options, "ada"), *inside]
env = {{**os.environ, "HOME": wall.HOME}}
raise SystemExit(subprocess.run(command, timeout=60, env=env).returncode)
"""


@pytest.fixture(scope="module")
def folder():
    with instructors_folder() as found:
        yield found


def inside(folder, code):
    """Run code behind the wall of "ada"; return what it printed as JSON."""
    outside = OUTSIDE.format(tasks=TASKS)
    done = run_as_instructor(
        folder, sys.executable, "-P", "-c", outside, str(folder), code
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_session_sees_its_own_files_and_the_course_and_nothing_else(folder):
    hidden = [
        ROOT / "solutions",
        ROOT / "autograder",
        ROOT / "tests",
        ROOT / "workshop" / "cli.py",
        ROOT / "workshop" / "tests",
        ROOT / ".git",
        folder / "room",
        "/home/teacher",
        "/var/log",
        "/etc/shadow",
    ]
    code = f"""
import json, os, sys
from pathlib import Path
import course, workshop.inside.live_view
def found(name):
    for folder, folders, files in os.walk("/"):
        if folder in ("/proc", "/sys", sys.prefix):  # a hundred thousand files
            folders.clear()
        if name in files:
            yield folder
print(json.dumps({{
    "hidden": [p for p in {[str(each) for each in hidden]} if os.path.exists(p)],
    "own": Path.home().joinpath("own.txt").read_text(),
    "homes": os.listdir("/home"),
    "exchange": sorted(os.listdir("/srv/exchange/tf-parallel-course")),
    "run": sorted(os.listdir("/run/course")),
    "files": list(found("accounts.csv")),
}}))
"""
    assert inside(folder, code) == {
        "hidden": [],
        "own": "ada",
        "homes": ["jovyan"],
        "exchange": ["feedback", "inbound", "outbound"],
        "run": [],
        "files": [],
    }


def test_a_session_writes_only_what_is_its_own(folder):
    code = f"""
import json, os
from pathlib import Path
def can_write(place):
    try:
        Path(place, "try").write_text("x")
        os.unlink(Path(place, "try"))
        return True
    except OSError:
        return False
exchange = "/srv/exchange/tf-parallel-course"
places = ["/usr", {str(ROOT / "course")!r}, {sys.prefix!r}, "/run/course",
          exchange + "/outbound", exchange + "/feedback",
          str(Path.home()), exchange + "/inbound", "/tmp", "/dev/shm"]
print(json.dumps([place for place in places if can_write(place)]))
"""
    assert inside(folder, code) == [
        "/home/jovyan",
        "/srv/exchange/tf-parallel-course/inbound",
        "/tmp",
        "/dev/shm",
    ]


def test_a_session_has_no_network_but_its_own_loopback(folder):
    with socket.create_server(("127.0.0.1", 0)) as outside:
        port = outside.getsockname()[1]
        code = f"""
import json, os, socket
def reaches(host, port):
    try:
        socket.create_connection((host, port), timeout=3).close()
        return True
    except OSError:
        return False
own = socket.create_server(("127.0.0.1", 0))
print(json.dumps([reaches("127.0.0.1", {port}), reaches("1.1.1.1", 53),
                  reaches("127.0.0.1", own.getsockname()[1]),
                  sorted(os.listdir("/sys/class/net")) if os.path.exists("/sys") else []
                 ]))
"""
        assert inside(folder, code) == [False, False, True, []]


def test_a_session_sees_its_own_processes_and_has_no_rights(folder):
    code = """
import json, os, subprocess
from pathlib import Path
status = dict(line.split(":\\t", 1) for line in
              Path("/proc/self/status").read_text().splitlines() if ":\\t" in line)
more = subprocess.run(["unshare", "--user", "true"], capture_output=True)
print(json.dumps({
    "processes": len([p for p in os.listdir("/proc") if p.isdigit()]),
    "capabilities": int(status["CapEff"], 16) | int(status["CapBnd"], 16),
    "no_new": status["NoNewPrivs"],
    "namespace": more.returncode == 0,
}))
"""
    found = inside(folder, code)
    assert found["processes"] <= 3  # bwrap's first, prlimit became Python, and Python
    assert (found["capabilities"], found["no_new"]) == (0, "1")
    assert not found["namespace"]


def test_a_session_has_only_so_many_processes(folder):
    code = """
import json, os, signal
count = 0
try:
    for count in range(2000):
        if os.fork() == 0:
            signal.pause()
except OSError as error:
    print(json.dumps([count, error.strerror]), flush=True)
os.kill(-1, signal.SIGKILL)
"""
    outside = OUTSIDE.format(tasks=TASKS)
    done = run_as_instructor(
        folder, sys.executable, "-P", "-c", outside, str(folder), code
    )
    count, why = json.loads(done.stdout)
    assert TASKS - 10 <= count <= TASKS
    assert "temporarily unavailable" in why


def test_tmp_is_a_few_hundred_megabytes(folder):
    code = """
import json, shutil
print(json.dumps([shutil.disk_usage(p).total // 2**20 for p in ("/tmp", "/dev/shm")]))
"""
    assert inside(folder, code) == [512, 512]


def test_the_course_command_says_whom_to_ask(folder):
    code = """
import json, subprocess, sys
done = subprocess.run([sys.prefix + "/bin/course", "practice", "1"],
                      capture_output=True, text=True)
print(json.dumps([done.returncode, done.stderr]))
"""
    code, said = inside(folder, code)
    assert (code, "Assignment List" in said) == (1, True)


def test_root_is_told_to_make_an_account(monkeypatch):
    from autograder.places import CourseError
    from workshop import command

    monkeypatch.setattr(command.os, "geteuid", lambda: 0)
    with pytest.raises(CourseError, match="adduser"):
        command.folders_at(None)
