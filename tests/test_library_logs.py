"""What libraries log is kept in a file; errors of the grader's own stay visible."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import clean_environment

PROGRAMS = Path(sys.executable).parent  # nbgrader calls alembic by its name
BEGIN = (
    "import asyncio, gc, logging, pathlib, sys\n"
    "from autograder.grading.library_logs import keep_library_logs\n"
    "keep_library_logs(pathlib.Path(sys.argv[1]))\n"
)
TASK = """
async def kernel_dies():
    raise RuntimeError("the kernel died")


async def run():
    task = asyncio.ensure_future(kernel_dies())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del task
    gc.collect()


asyncio.run(run())
"""
PENDING = """
async def wait():
    await asyncio.sleep(60)


loop = asyncio.new_event_loop()
task = loop.create_task(wait())
loop.run_until_complete(asyncio.sleep(0))
loop.close()
del task, loop
gc.collect()
"""
TRANSPORT = """
import socket

async def open_one():
    here, there = socket.socketpair()
    await asyncio.open_connection(sock=here)


loop = asyncio.new_event_loop()
kept = loop.run_until_complete(open_one())
loop.close()
del kept
gc.collect()
"""
CALLBACK = """
from tornado.ioloop import IOLoop

async def run():
    IOLoop.current().add_callback(lambda: 1 / 0)
    await asyncio.sleep(0.1)


asyncio.run(run())
"""
DATABASE = """
from nbgrader.api import Gradebook, InvalidEntry

book = Gradebook("sqlite://")
book.add_student("ada")
try:
    book.add_student("ada")
except InvalidEntry:
    pass
"""
LIBRARIES = {
    "a task": (TASK, "RuntimeError: the kernel died"),
    "a task at the end": ("\n" + PENDING, "Task was destroyed but it is pending"),
    "a loop": (PENDING + TRANSPORT, "Task was destroyed but it is pending"),
    "a callback": (CALLBACK, "ZeroDivisionError"),
    "nbgrader": (DATABASE, "Rolling back session"),
}
OURS = {
    "an error": ("1 / 0", "ZeroDivisionError"),
    "a warning": ("logging.warning('our disk')", "our disk"),
    "in __del__": (
        "class A:\n    def __del__(self): 1 / 0\nA()\n",
        "ZeroDivisionError",
    ),
    "in a thread": (
        "import threading\nthreading.Thread(target=lambda: 1 / 0).start()",
        "ZeroDivisionError",
    ),
}


def run(code, folder):
    return subprocess.run(
        [sys.executable, "-W", "ignore::ResourceWarning", "-c", BEGIN + code, folder],
        capture_output=True,
        text=True,
        env=clean_environment(PATH=f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"),
    )


@pytest.mark.parametrize("case", LIBRARIES)
def test_what_a_library_logs_is_in_the_file(tmp_path, case):
    code, words = LIBRARIES[case]
    done = run(code, tmp_path / "results")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert words in (tmp_path / "results/libraries.log").read_text("utf-8")


@pytest.mark.parametrize("case", OURS)
def test_an_error_of_ours_is_on_the_terminal(tmp_path, case):
    code, words = OURS[case]
    assert words in run(code, tmp_path / "results").stderr
    assert not (tmp_path / "results").exists()


def test_each_run_begins_a_new_file(tmp_path):
    (tmp_path / "libraries.log").write_text("of the run before")
    run("", tmp_path)
    assert not (tmp_path / "libraries.log").exists()


def test_a_file_that_can_not_be_written_stops_nothing(tmp_path):
    (tmp_path / "results").write_text("no folder")
    done = run(TASK, tmp_path / "results")
    assert (done.returncode, done.stderr) == (0, "")
