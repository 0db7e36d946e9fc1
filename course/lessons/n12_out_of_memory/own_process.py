"""Run a function in a process with a limit on its memory, and show what it prints."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from course.checks.patience import REST_SECONDS, Patience, wait_for
from course.kernels import siblings

MB = 2**20
CPU_SECONDS = 20.0  # it needs about 2


def print_limited(job: Callable[[], object], extra: int) -> None:
    """Run `job()` where it may take `extra` MB more, and print all that it printed.

    Raises:
        RuntimeError: the process did not run to its end.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        child = siblings.start(_limited, job, extra, log=log)
        patience = Patience(CPU_SECONDS, lambda: [child.pid], rest_seconds=REST_SECONDS)
        try:
            wait_for(lambda: child.poll() is not None, patience, "the job to end")
        finally:
            child.kill()
        print(log.read_text(errors="replace"), end="")
        if child.poll() != 0:
            raise RuntimeError(f"The process ended with the code {child.poll()}.")


def hold_only_tensors() -> None:
    """Let this process's memory follow its tensors; call it before TensorFlow works.

    With more threads, each takes buffers of its own for a matrix product; where it gets
    none, the process ends by signal 11 (seen with TensorFlow 2.21 on two cores).
    """
    import ctypes

    import tensorflow as tf

    allocator = ctypes.CDLL(None)
    allocator.mallopt(-3, MB)  # M_MMAP_THRESHOLD: blocks of 1 MB go back when freed
    allocator.mallopt(-8, 1)  # M_ARENA_MAX: no 64 MB set aside for each thread
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.threading.set_intra_op_parallelism_threads(1)


def _limited(job: Callable[[], object], extra: int) -> None:
    import resource

    import psutil
    import tensorflow as tf

    hold_only_tensors()
    tf.matmul(tf.ones((8, 8)), tf.ones((8, 8)))  # what TensorFlow takes once
    top = psutil.Process().memory_info().vms + extra * MB
    resource.setrlimit(resource.RLIMIT_AS, (top, -1))
    job()
