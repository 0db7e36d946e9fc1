"""The standard library's fork server, set to import TensorFlow once for all."""

from __future__ import annotations

import multiprocessing
import os

PRELOAD = "course.kernels.warm_preload"


def prepare() -> None:
    """Set what must be set before TensorFlow and NumPy are imported."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a fork copies no other thread


def context() -> multiprocessing.context.ForkServerContext:
    """Return the context whose processes have TensorFlow imported.

    Children import the course as it stands on disk.
    """
    prepare()
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload([PRELOAD])
    return found
