"""Imported once by the fork server: everything slow that notebooks import.

Kernels forget the modules of the course, so that each imports them as they stand on
disk: an edit is seen after a restart.
"""

import gc
import logging
import os
import sys

sys.ps1 = ">>> "  # TensorFlow then logs to stdout, as it does in a notebook
os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # else it prints a warning

import anywidget  # noqa: F401
import cloudpickle  # noqa: F401
import ipykernel.debugger
import ipykernel.kernelapp
import ipykernel.zmqshell  # noqa: F401
import ipywidgets  # noqa: F401
import matplotlib.pyplot  # noqa: F401
import platformdirs  # noqa: F401
import psutil  # noqa: F401
import tensorflow  # noqa: F401
from tensorflow import keras

keras.layers, keras.optimizers, keras.losses  # loaded when first touched
del sys.ps1
# a fork copies no thread: one that runs here would be missing in every kernel
threads = len(os.listdir("/proc/self/task"))
if threads > 1:
    logging.getLogger(__name__).warning("the fork server runs %d threads", threads)
gc.collect()
gc.freeze()  # kernels then share these pages: no collection writes to them


def _forget_the_course() -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "course"]:
        del sys.modules[name]


os.register_at_fork(after_in_child=_forget_the_course)
