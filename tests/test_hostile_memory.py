"""Submissions that use memory which no process maps; the limit holds for it, too.

Each class is graded twice: with a cgroup, where this machine lets us make one, and
with the watch that takes its place elsewhere.
"""

import os

import pytest
from hostile_course import (
    ALL_CHILDREN,
    GIGABYTES,
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

from autograder.memory_guards import GUARDS
from course.kernels import cgroup_places

pytestmark = MARKS
MEMORY = 3 * 2**28
DISK = 2**30  # more than the memory: a file there must not get around it
TOO_MUCH = "more than the 0.8 GB of memory that are allowed"
THREE_GIGABYTES = 3 * 2**10  # in pieces of 1 MB
HOLD = "\nimport time; time.sleep(60)"
FILE_OF_MEMORY = f"""\
import os
file = os.memfd_create("x")
for _ in range({THREE_GIGABYTES}):
    os.write(file, bytes(2**20)){HOLD}
"""
IN_MANY_FILES = f"""\
import os
for _ in range(3):
    if os.fork() == 0:
        break
files = [os.memfd_create("x") for _ in range(40)]
for piece in range({THREE_GIGABYTES} // 3):
    os.write(files[piece % 40], bytes(2**20)){HOLD}
"""
SYSTEM_V = f"""\
import ctypes
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
libc.shmdt.argtypes = [ctypes.c_void_p]
for _ in range({THREE_GIGABYTES} // 64):
    segment = libc.shmget(0, 2**26, 0o1600)  # a new one
    place = libc.shmat(segment, None, 0)
    ctypes.memset(place, 1, 2**26)
    libc.shmdt(place){HOLD}
"""
POSIX = f"""\
import os
for number in range({THREE_GIGABYTES} // 64):
    file = os.open(f"/dev/shm/{{number}}", os.O_CREAT | os.O_RDWR)
    for _ in range(64):
        os.write(file, bytes(2**20))
    os.close(file){HOLD}
"""
HIDDEN = f"""\
import ctypes
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: /proc shows no files of it
{FILE_OF_MEMORY}"""
LET_GO = """\
import mmap
shared = mmap.mmap(-1, 2**30)
for place in range(0, 2**30, 2**26):
    shared[place : place + 2**26] = bytes(2**26)
    shared.madvise(mmap.MADV_DONTNEED)  # no longer mapped, and not free either
"""
WITHIN = """\
import os
file = os.memfd_create("x")
for _ in range(64):
    os.write(file, bytes(2**20))
print(os.statvfs("/tmp").f_files, os.statvfs("/dev/shm").f_files)
"""
SUBMISSIONS = [
    *(
        Submission(student, then(code), (3, 0), reason=TOO_MUCH, flag=flag)
        for student, code, flag in (
            ("file", FILE_OF_MEMORY, ""),
            ("many-files", IN_MANY_FILES, ""),
            ("system-v", SYSTEM_V, "ctypes"),
            ("posix", POSIX, ""),
            ("mapped", GIGABYTES, ""),
            ("mapped-by-many", ALL_CHILDREN, ""),
        )
    ),
    # where it is watched, hiding ends it
    Submission("hidden", then(HIDDEN), (3, 0), reason="memory", flag="ctypes"),
    Submission("let-go", then(LET_GO), (3, 0), reason=None),
    Submission("within", then(WITHIN), points=(3, 0)),
    Submission("last", answer(RIGHT), points=(3, 0)),
]


@pytest.fixture(scope="module", params=["cgroup", "watching"])
def guard(request):
    """What limits the memory of this class."""
    if request.param == "cgroup":
        try:
            cgroup_places.find_place()
        except cgroup_places.NoCgroup as error:
            pytest.skip(f"no cgroup can be made here: {error}")
    return request.param


@pytest.fixture(scope="module")
def graded(tmp_path_factory, guard):
    folder = tmp_path_factory.mktemp("memory")
    places = make_course(folder)
    hand_in(places, folder / "in", SUBMISSIONS)
    with pytest.MonkeyPatch.context() as patch:
        if guard == "watching":
            patch.setattr(cgroup_places, "candidates", lambda *_: iter(()))
        return grade_class(places, folder / "in", patch, memory=MEMORY, disk=DISK)


@pytest.mark.parametrize("expected", SUBMISSIONS, ids=lambda each: each.student)
def test_submission(graded, expected):
    assert_as_expected(graded, expected)


def test_a_cgroup_counts_what_no_watch_can_see(graded, guard):
    if guard == "cgroup":
        assert TOO_MUCH in graded.record("let-go").reasons[0]


def test_record_and_report_say_what_limited_it(graded, guard):
    found = {graded.record(each.student).memory_guard for each in SUBMISSIONS}
    assert found == {guard}
    page = (graded.places.results / "report.html").read_text(encoding="utf-8")
    assert GUARDS[guard] in page


def test_files_without_content_have_a_limit_too(graded):
    outputs = cell(graded.notebook("within"), "own").outputs
    (said,) = [each.text.split() for each in outputs if each.output_type == "stream"]
    assert said == [str(DISK // 4096)] * 2


def test_no_group_is_left(graded, guard):
    if guard == "cgroup":
        place = cgroup_places.find_place()
        assert list(place.folder.glob(f"course-{os.getpid()}-*")) == []
