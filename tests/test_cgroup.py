"""Cgroups for caged kernels: where one is made, what it holds, what is removed."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from course.kernels import cgroup, cgroup_places, gate
from course.kernels.cgroup import Group, Place
from course.kernels.cgroup_places import NoCgroup

MEMORY = 2**26
FILL = f"""\
import os, sys, time
sys.stdin.read(1)
file = os.memfd_create("filler")
for _ in range(2 * {MEMORY} // 2**20):
    os.write(file, bytes(2**20))
"""
APP = "user.slice/user-7.slice/user@7.service/app.slice"
EVENTS = "low 0\nhigh 0\nmax 9\noom {}\noom_kill {}\noom_group_kill 0\n"
CONTROL = "oom_kill_disable 0\nunder_oom 0\noom_kill {}\n"


class Machine:
    """Files as Linux shows them, in a folder: `proc` for /proc/self, `top` mounted."""

    def __init__(self, folder: Path) -> None:
        self.proc, self.top = folder / "proc", folder / "a mount"
        self.proc.mkdir()
        self.top.mkdir()

    def tell(self, own: str, mount: str) -> None:
        """The lines of `cgroup` and `mountinfo`; a space in a path becomes \\040."""
        (self.proc / "cgroup").write_text(own)
        where = str(self.top).replace(" ", "\\040")
        (self.proc / "mountinfo").write_text(mount.replace("TOP", where))

    def version_2(self, own: str) -> None:
        (self.top / "cgroup.controllers").write_text("cpu memory pids\n")
        self.tell(f"0::/{own}\n", "30 23 0:26 / TOP rw,nosuid - cgroup2 cgroup2 rw\n")

    def group(self, path: str, hands_on: str = "", limit: str = "max") -> Path:
        folder = self.top / path
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "cgroup.subtree_control").write_text(hands_on)
        (folder / "memory.max").write_text(limit)
        return folder

    def folders(self) -> list[Path]:
        return [each.folder for each in cgroup_places.candidates(self.proc)]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.fixture
def files_of_a_new_group(monkeypatch):
    """Let each group that is made have these files: name -> text."""
    files: dict[str, str] = {}

    def make(folder):
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text)
        return folder

    monkeypatch.setattr(cgroup, "_make", make)
    monkeypatch.setattr(Path, "rmdir", lambda folder: shutil.rmtree(folder))
    return files


@pytest.fixture(scope="module")
def place():
    """A place where groups can really be made."""
    try:
        return cgroup_places.find_place()
    except NoCgroup as error:
        pytest.skip(f"no cgroup can be made here: {error}")


def fill(group):
    """Fill more than a group may hold, without mapping it; return the exit code."""
    with subprocess.Popen(
        [sys.executable, "-c", FILL], stdin=subprocess.PIPE
    ) as filler:
        group.take(filler.pid)
        filler.communicate(b"x", 60)
        return filler.returncode


def number_of_nobody():
    """The number of a process that has ended."""
    with subprocess.Popen(["true"]) as ended:
        pass
    return ended.pid


def test_version_2_goes_up_to_where_limits_can_be_set(machine):
    machine.version_2(f"{APP}/terminal.scope")
    machine.group("", "cpu memory pids")
    for folder in ("user.slice", "user.slice/user-7.slice"):
        machine.group(folder, "memory")
    machine.group(str(Path(APP).parent))
    app = machine.group(APP, "memory pids")
    machine.group(f"{APP}/terminal.scope")
    assert machine.folders()[0] == app
    assert machine.top in machine.folders()


def test_version_2_does_not_leave_a_group_that_has_a_limit(machine):
    machine.version_2(f"{APP}/grader.scope/inner")
    machine.group(APP, "memory pids")
    scope = machine.group(f"{APP}/grader.scope", "memory", limit="8589934592")
    machine.group(f"{APP}/grader.scope/inner")
    assert machine.folders() == [scope]


def test_version_1_is_below_our_own_group_only(machine):
    line = "35 31 0:32 /docker/abc TOP rw - cgroup cgroup rw,memory\n"
    own = machine.top / "grader"
    own.mkdir()
    machine.tell("4:memory:/docker/abc/grader\n0::/\n", line)
    assert list(cgroup_places.candidates(machine.proc)) == [Place(own, 1)]


@pytest.mark.parametrize(
    ("own", "mount"),
    [
        ("", ""),
        ("0::/\n", "41 31 0:38 / TOP rw - cgroup2 cgroup2 rw\n"),  # without memory
        ("8:pids:/\n", "40 31 0:37 / TOP rw - cgroup cgroup rw,pids\n"),
        ("4:memory:/else\n", "35 31 0:32 /own TOP rw - cgroup cgroup rw,memory\n"),
    ],
)
def test_without_a_limit_of_memory_there_is_a_reason(machine, own, mount):
    machine.tell(own, mount)
    with pytest.raises(NoCgroup, match="no cgroup below which"):
        cgroup_places.find_place(machine.proc)


def test_a_place_whose_limit_does_not_hold_is_none(machine, files_of_a_new_group):
    """Folders alone: what a sandbox may show that only looks like Linux."""
    machine.version_2("")
    machine.group("", "memory")
    names = ("memory.max", "cgroup.procs")
    files_of_a_new_group |= dict.fromkeys(names, "")
    files_of_a_new_group["memory.events"] = EVENTS.format(0, 0)
    with pytest.raises(NoCgroup, match="does not hold"):
        cgroup_places.find_place(machine.proc)
    assert list(machine.top.glob("course-*")) == []


@pytest.mark.parametrize(
    ("version", "files", "written"),
    [
        (
            2,
            ("memory.max", "memory.swap.max", "memory.oom.group", "pids.max"),
            {
                "memory.max": "1000",
                "memory.swap.max": "0",
                "memory.oom.group": "1",
                "pids.max": "7",
            },
        ),
        (2, ("memory.max",), {"memory.max": "1000"}),
        (
            1,
            ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"),
            {"memory.limit_in_bytes": "1000", "memory.memsw.limit_in_bytes": "1000"},
        ),
        (1, ("memory.limit_in_bytes",), {"memory.limit_in_bytes": "1000"}),
    ],
)
def test_limits_are_written(tmp_path, files_of_a_new_group, version, files, written):
    files_of_a_new_group |= dict.fromkeys(files, "max")
    group = Group(Place(tmp_path, version), memory=1000, tasks=7)
    found = {each.name: each.read_text() for each in group.folder.iterdir()}
    assert found == written
    group.remove()
    assert not group.folder.exists()


def test_a_group_without_its_limit_is_not_kept(tmp_path, files_of_a_new_group):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Group, "_write", refuse)
        with pytest.raises(PermissionError):
            Group(Place(tmp_path, 2), memory=1000, tasks=7)
    assert list(tmp_path.iterdir()) == []


def refuse(*_):
    raise PermissionError


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((), False),
        ((EVENTS.format(0, 0),), False),
        ((EVENTS.format(1, 1),), True),
        ((EVENTS.format(1, 0),), False),  # refused, and nobody was killed
        ((EVENTS.format(0, 1),), False),  # the machine was full, not the group
        ((CONTROL.format(1), "1000000000\n", "1000000000\n"), True),
        ((CONTROL.format(0), "1000000000\n", "1000000000\n"), False),
        ((CONTROL.format(1), "900000000\n", "1000000000\n"), False),
    ],
)
def test_a_group_is_blamed_only_where_it_was_full(tmp_path, texts, expected):
    opened = []
    for number, text in enumerate(texts):
        (tmp_path / str(number)).write_text(text)
        opened.append(os.open(tmp_path / str(number), os.O_RDONLY))
    assert cgroup.overflowed(opened) is expected
    for each in opened:
        os.close(each)


def test_only_what_a_killed_grader_left_is_swept(tmp_path):
    gone = number_of_nobody()
    left = tmp_path / f"course-{gone}-left"
    locked, full = tmp_path / f"course-{gone}-locked", tmp_path / f"course-{gone}-full"
    kept = [
        *(locked, full, full / "a process is in it"),
        tmp_path / f"course-{os.getpid()}-of-this-one",
        *(tmp_path / "course-of-somebody", tmp_path / f"system-{gone}-x"),
    ]
    for each in (left, *kept):
        each.mkdir()
    with subprocess.Popen(["flock", str(locked), "sleep", "60"]) as holder:
        try:
            wait_until_locked(locked)
            cgroup.sweep(Place(tmp_path, 2))
        finally:
            holder.terminate()
    assert not left.exists()
    assert all(each.exists() for each in kept)


def wait_until_locked(folder):
    while subprocess.run(["flock", "-n", str(folder), "true"]).returncode == 0:
        pass


def test_memory_that_nobody_maps_is_counted(place):
    group = Group(place, MEMORY, 64)
    try:
        counters = group.counters()
        assert not cgroup.overflowed(counters)
        assert fill(group) == -signal.SIGKILL
        assert cgroup.overflowed(counters)
        for each in counters:
            os.close(each)
    finally:
        group.remove()
    assert not group.folder.exists()


def test_what_is_still_in_a_group_is_killed_with_it(place):
    group = Group(place, MEMORY, 64)
    with subprocess.Popen(["sleep", "600"]) as sleeper:
        group.take(sleeper.pid)
        assert group.members() == [sleeper.pid]
        group.remove()
        assert sleeper.wait(30) == -signal.SIGKILL
    assert not group.folder.exists()


def test_what_a_killed_grader_left_is_swept_for_real(place):
    left = place.folder / f"course-{number_of_nobody()}-{os.getpid()}"
    left.mkdir()
    cgroup.sweep(place)
    assert not left.exists()


class Paper:
    """A group on paper: takes down who was put in."""

    def __init__(self, file: Path) -> None:
        self.file, self.taken, self.removed = file, [], False
        file.write_text(EVENTS.format(1, 1))

    def counters(self):
        return [os.open(self.file, os.O_RDONLY)]

    def take(self, process):
        self.taken.append(process)

    def remove(self):
        self.removed = True


@pytest.fixture
def paper_gate(tmp_path):
    made = gate.Gate(Paper(tmp_path / "events"), tmp_path / "gate")
    yield made
    made.close()
    assert made.group.removed


def test_the_second_at_a_gate_is_put_in_and_nobody_after_it(paper_gate):
    path = str(paper_gate.path)
    counters = gate.counters(path)
    assert cgroup.overflowed(counters)
    os.close(counters[0])
    enter = f"from course.kernels import gate; gate.enter({path!r}); print('in')"
    with subprocess.Popen(
        [sys.executable, "-c", enter], stdout=subprocess.PIPE, text=True
    ) as second:
        assert second.communicate(timeout=60)[0] == "in\n"
    assert paper_gate.group.taken == [second.pid]
    assert not paper_gate.path.exists()
    with pytest.raises(OSError):
        gate.enter(path)


def test_who_can_not_be_put_in_hears_of_it(paper_gate, monkeypatch):
    os.close(gate.counters(str(paper_gate.path))[0])
    monkeypatch.setattr(paper_gate.group, "take", refuse)
    with pytest.raises(OSError, match="could not be entered"):
        gate.enter(str(paper_gate.path))


def test_a_gate_that_nobody_came_to_closes(tmp_path):
    made = gate.Gate(Paper(tmp_path / "events"), tmp_path / "gate")
    made.close()
    with pytest.raises(OSError), socket.socket(socket.AF_UNIX) as late:
        late.connect(str(made.path))
