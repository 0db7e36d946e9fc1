"""The standard library's fork server, set to import TensorFlow once for all."""

from __future__ import annotations

import multiprocessing
import os

PRELOAD = "course.kernels.warm_preload"


def context() -> multiprocessing.context.ForkServerContext:
    """Return the context whose processes have TensorFlow imported.

    Children import the course as it stands on disk.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a fork copies no other thread
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload([PRELOAD])
    return found
