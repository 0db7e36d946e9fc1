"""Is this machine fit for the course? One line, which unfolds only on trouble."""

from __future__ import annotations

import html
import os

import psutil
import tensorflow as tf
from IPython.display import HTML, display

TENSORFLOW = "2.21."  # the version every claim of the course was seen on
NEEDED_GB = 1.0  # a notebook's kernel with TensorFlow and its models


def self_test(devices: list[str]) -> None:
    """Show one line on this machine, such as "4 devices, 2 cores, 23 GB: fine"."""
    memory = psutil.virtual_memory()
    line = (
        f"{len(devices)} devices ({devices[0]} to {devices[-1]}), {_cores()} "
        f"core{'s' if _cores() > 1 else ''}, {memory.total / 2**30:.0f} GB, "
        f"TensorFlow {tf.__version__}"
    )
    troubles = find_troubles(tf.__version__, memory.available / 2**30)
    if not troubles:
        display(HTML(f"<p>{html.escape(line)}: fine.</p>"))
        return
    items = "".join(f"<li>{html.escape(trouble)}</li>" for trouble in troubles)
    display(
        HTML(
            f"<details open><summary>{html.escape(line)}: please read.</summary>"
            f"<ul>{items}</ul></details>"
        )
    )


def find_troubles(version: str, free_gb: float) -> list[str]:
    """Return a sentence for each thing that may spoil the course here."""
    troubles = []
    if not version.startswith(TENSORFLOW):
        troubles.append(
            f"This is TensorFlow {version}; the course was made and tested with "
            f"{TENSORFLOW}x. Results may differ: install the course's own "
            "requirements (make lab)."
        )
    if free_gb < NEEDED_GB:
        troubles.append(
            f"Only {free_gb:.1f} GB of memory is free. Close other notebooks with "
            "Kernel > Shut Down All Kernels, then run this cell again."
        )
    return troubles


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # what a container may really use
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
