"""Execute one submission in a kernel of its own, whatever it does.

What comes back is the notebook with its outputs and the reasons why some may be
missing. Nothing here knows the gradebook, so it can run on any machine.
"""

from __future__ import annotations

import nbformat
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from autograder.grading.jobs import Executed, Job
from autograder.grading.kernels import Kernels
from autograder.grading.runner import Runner, all_too_long


def execute(job: Job, kernels: Kernels) -> Executed:
    """Execute a prepared notebook; whatever the code does, there is a result.

    Raises:
        NotStarted: its code has not run at all.
    """
    notebook = nbformat.reads(job.text, as_version=4)
    with kernels.scratch() as folder:
        runner = Runner(notebook, job, kernels, folder)
        try:
            runner.run()
        except CellTimeoutError:
            # a kernel that is being killed does not answer in time either
            runner.reasons.append(runner.kernel_reason() or _too_long(runner))
        except DeadKernelError as error:
            runner.refuse_to_blame(error)
            runner.reasons.append(
                runner.kernel_reason()
                or f"the notebook's kernel died while {runner.where} ran"
            )
        except Exception as error:
            runner.refuse_to_blame(error)
            runner.reasons.append(
                f"the notebook could not be run to its end ({type(error).__name__}: "
                f"{str(error)[:300]})"
            )
        runner.finish()
    return Executed(
        nbformat.writes(notebook),
        tuple(runner.reasons),
        tuple(dict.fromkeys(runner.flags)),
        runner.cell_seconds,
        runner.observed,
        kernels.memory_guard,
        tuple(dict.fromkeys(runner.suspicions)),
    )


def _too_long(runner: Runner) -> str:
    if runner.seconds_left() <= 0:
        return all_too_long(runner.job.limits)
    return (
        f"{runner.where} ran longer than {runner.waited:.0f} s and did not "
        "let itself be interrupted, so the notebook was stopped there"
    )
