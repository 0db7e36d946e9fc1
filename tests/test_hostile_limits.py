"""Submissions that crash, never end, or use up what the machine has."""

import os
import re
from pathlib import Path

import psutil
import pytest
from hostile_course import (
    ALL_CHILDREN,
    GIGABYTES,
    MARKS,
    RIGHT,
    SECOND,
    Submission,
    answer,
    assert_as_expected,
    cell,
    class_of,
    then,
)
from nbformat.v4 import new_code_cell

from autograder.grading.runner import shorter

pytestmark = MARKS
MEMORY = 3 * 2**28  # a busy machine fills it within a cell's time, too
DIED, INTERRUPTED, STOPPED = "died while", "was interrupted", "be interrupted"
# slow enough for what was printed to be read while it goes on, on any machine
PRINT_SLOWLY = """\
import time
while True:
    print("x" * 4999)
    time.sleep(0.01)
"""
STUBBORN = """\
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""
IN_THE_CHECK = "def my_first_drift(copies, sequential):\n    "
FORK_BOMB = """\
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
THREADS = """\
import threading, time
while True:
    threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
"""
DISK = """\
import os
for folder in ("/tmp", "/dev/shm", "/dev", os.path.expanduser("~"), os.getcwd(), "/"):
    written = 0
    try:
        with open(f"{folder}/filler", "wb") as file:
            while written < 2**30:
                written += file.write(bytes(2**20))
                file.flush()
    except OSError as error:
        print(folder, error.strerror, written < 2**26)
    else:
        print(folder, "took a gigabyte")
"""
SLEEP = f"86{os.getpid()}"  # seconds, and the mark to know it by
# a fork of this kernel would count as twice its memory while it lives
LEFT_BEHIND = f"""\
import subprocess
subprocess.run(["sh", "-c", "setsid sleep {SLEEP} &"], check=True)
"""
HUGE_HTML = "from IPython.display import HTML\nHTML('<p>x</p>' * (50 * 2**20 // 8))"


def hangs_often(notebook):
    """Two cells without an end, and a right answer below them."""
    answer(RIGHT)(notebook)
    place = notebook.cells.index(cell(notebook, "my_first_drift-fix"))
    notebook.cells[place:place] = [
        new_code_cell("while True:\n    pass", id=f"own-{number}") for number in (1, 2)
    ]


# student, code after the right first answer, a part of the reason
AFTER_RIGHT = (
    ("abort", "import os; os.abort()", DIED),
    ("segfault", "import faulthandler; faulthandler._sigsegv()", DIED),
    (
        "kill",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "ended the kernel",
    ),
    ("abrt", "import os, signal; os.kill(os.getpid(), signal.SIGABRT)", DIED),
    ("exit", "import os; os._exit(0)", DIED),
    ("kill-all", "import os, signal; os.kill(-1, signal.SIGKILL)", ""),
    ("loop", "while True:\n    pass", INTERRUPTED),
    ("stubborn", STUBBORN, STOPPED),
    ("sleep", "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", STOPPED),
    ("silent", "get_ipython().kernel.iopub_thread.stop()", None),
    ("threads", THREADS, None),
    ("memory", GIGABYTES, "are allowed"),
    ("memory-of-many", ALL_CHILDREN, "are allowed"),
    ("fork-bomb", FORK_BOMB, "are allowed"),
    ("disk", DISK, ""),
    ("left-behind", LEFT_BEHIND, ""),
)
SUBMISSIONS = [
    *(
        Submission(student, then(code), points=(3, 0), reason=reason, flag=None)
        for student, code, reason in AFTER_RIGHT
    ),
    *(
        Submission(student, then(code), (3, 0), reason=reason, flag="output was cut")
        for student, code, reason in (
            ("print", "print('x' * 20 * 2**20)", ""),
            ("print-for-ever", "while True:\n    print('x' * 999)", "interrupted"),
            ("print-slowly", PRINT_SLOWLY, INTERRUPTED),
            ("display", HUGE_HTML, ""),
        )
    ),
    Submission("loop-in-check", answer(f"{IN_THE_CHECK}while 1: pass"), reason=None),
    Submission("hangs-often", hangs_often, (3, 0), reason=INTERRUPTED),
    Submission(
        "exit-in-check",
        answer(f"{IN_THE_CHECK}import os; os._exit(0)"),
        reason=DIED,
        flag=None,
    ),
    Submission("last", answer(RIGHT), points=(3, 0)),
]


@pytest.fixture(scope="module", autouse=True)
def before():
    """The processes of this one before grading."""
    return {each.pid for each in psutil.Process().children(recursive=True)}


graded = class_of(SUBMISSIONS, memory=MEMORY)


@pytest.mark.parametrize("expected", SUBMISSIONS, ids=lambda each: each.student)
def test_submission(graded, expected):
    assert_as_expected(graded, expected)


def text_of(cell):
    return "".join(each.get("text", "") for each in cell.outputs)


def test_a_reason_stands_in_the_cell_that_was_stopped(graded):
    for student in ("abort", "stubborn", "loop", "fork-bomb"):
        notebook = graded.notebook(student)
        (error,) = [
            each
            for each in cell(notebook, "own").outputs
            if each.output_type == "error"
            and each.ename in ("Stopped", "CellTimeoutError")
        ]
        assert error.evalue
    check = cell(graded.notebook("abort"), SECOND)
    assert check.outputs[0].evalue.startswith("Not run: ")


def test_code_after_an_interrupted_cell_runs(graded):
    for student in ("kill-all", "loop", "print-slowly", "disk"):
        assert cell(graded.notebook(student), "play").execution_count


def test_what_hangs_again_is_not_waited_for_as_long(graded):
    first, second = (
        float(re.search(r"stopped after (\d+) s", reason)[1])
        for reason in graded.record("hangs-often").reasons
    )
    assert second <= first
    assert [shorter(120, longest) for longest in (0, 1, 5, 50)] == [30, 30, 50, 120]


def test_output_is_cut_and_says_so(graded):
    for student in ("print", "print-for-ever", "print-slowly", "display"):
        assert graded.places.autograded(student, "02_first_drift").stat().st_size < 2e6
        page = graded.page(student)
        assert len(page) < 2e6
        assert "output was cut" in page


def test_the_disk_was_never_filled(graded):
    said = text_of(cell(graded.notebook("disk"), "own"))
    assert "took a gigabyte" not in said
    assert said.count(" True\n") == 6  # each folder refused before 64 MB


def test_nothing_is_left(graded, before):
    assert graded.socket_folders and not any(map(Path.exists, graded.socket_folders))
    left = psutil.Process().children(recursive=True)
    assert [each.cmdline() for each in left if each.pid not in before] == []
    for each in psutil.process_iter(["cmdline"]):
        assert each.info["cmdline"] != ["sleep", SLEEP]
