"""Loaded by the Dask workers of test_grade_cluster.py: notes jobs, and does harm.

What it does to a job is asked for by a word in the submission.
"""

import json
import os
import signal
from pathlib import Path

from distributed import get_worker, worker_state_machine

from autograder.grading import task

FOLDER = Path(os.environ["CLUSTER_TEST_FOLDER"])  # shared with the test
the_real_task = task.run_there


class Attack:
    """When it is unpickled, it leaves a file named after the process that did it."""

    def __init__(self, kind: str) -> None:
        self.code = (
            f"open({str(FOLDER)!r} + '/unpickled-{kind}-' "
            "+ str(__import__('os').getpid()), 'w').close()"
        )

    def __reduce__(self):
        return eval, (self.code,)


class AttackingError(Exception):
    """An error that is the same attack."""

    def __reduce__(self):
        return Attack("error").__reduce__()


def run_there(isolated, digest, text):
    worker = get_worker()
    with (FOLDER / f"jobs-{worker.name}").open("a") as file:
        file.write(f"{os.getpid()}\n")
    if "kill_the_worker" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    if "attack_by_result" in text:
        return Attack("result")
    if "attack_by_error" in text:
        raise AttackingError("no")
    if "attack_by_type" in text:
        return AttackingType()
    if "attack_by_unsendable" in text:
        return Unsendable()
    if "attack_by_warning" in text:
        attack = worker_state_machine.pickle.dumps(Attack("warning"))
        worker.log_event("warn", {"message": attack, "category": attack})
        worker.log_event("print", {"args": ("a worker prints here",)})
    if "attack_by_nonsense" in text:
        notebook = json.loads(json.loads(text)["text"])
        for cell in notebook["cells"]:
            cell["outputs"] = [{"output_type": "display_data", "data": [{}]}]
        said = {"text": json.dumps(notebook), "reasons": [], "flags": []}
        return json.dumps({**said, "seconds": 1.0}).encode()
    return the_real_task(isolated, digest, text)


class Unsendable:
    """Dask sends its own error in place of it, which is raised while it is read."""

    def __reduce__(self):
        raise TypeError("not to be sent")


class AttackingType:
    """Its type is sent as an attack, besides the result."""


def dumps_with_attack(value, *arguments, **options):
    if value is AttackingType:
        value = Attack("type")
    return the_real_dumps(value, *arguments, **options)


the_real_dumps = worker_state_machine.pickle.dumps
worker_state_machine.pickle.dumps = dumps_with_attack
run_there.__module__ = "autograder.grading.task"
task.run_there = run_there
if os.environ.get("CLUSTER_TEST_OTHER_COURSE"):
    task.course_digest = lambda: "another"
