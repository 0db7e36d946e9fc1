"""Is this machine fit for the course? One line, which unfolds only on trouble."""

from __future__ import annotations

import html
import os
from importlib.metadata import version

import psutil
import tensorflow as tf
from IPython.display import HTML, display

OLDEST, NEWEST = (2, 18), (2, 21)  # of TensorFlow, as `make prove-versions` runs it
OLDEST_KERAS = (3, 10)
NEEDED_GB = 1.0  # a notebook's kernel with TensorFlow and its models


def self_test(devices: list[str]) -> None:
    """Show one line on this machine, such as "4 devices, 2 cores, 23 GB: fine"."""
    memory = psutil.virtual_memory()
    line = f"{len(devices)} devices ({devices[0]} to {devices[-1]}). {found_here()}"
    troubles = find_troubles(
        tf.__version__, version("keras"), memory.available / 2**30, devices
    )
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


def found_here() -> str:
    """Return what there is: "TensorFlow 2.21.0, Keras 3.15.1, no GPU, 2 cores, 23 GB".

    No device is made by asking.
    """
    cores, memory = _cores(), psutil.virtual_memory().total / 2**30
    return (
        f"TensorFlow {tf.__version__}, Keras {version('keras')}, {_gpus()}, {cores} "
        f"core{'s' if cores > 1 else ''}, {memory:.0f} GB"
    )


def find_troubles(
    tensorflow: str, keras: str, free_gb: float, devices: list[str]
) -> list[str]:
    """Return a sentence for each thing that may spoil the course here.

    Args:
        tensorflow: its version, such as "2.21.0".
        keras: its version.
        free_gb: memory that is free, in GB.
        devices: names of the virtual devices.
    """
    troubles = []
    if not OLDEST <= _numbers(tensorflow) <= NEWEST:
        troubles.append(
            f"This is TensorFlow {tensorflow}; the course is tested with "
            f"{_said(OLDEST)} to {_said(NEWEST)}. Results may differ: install the "
            "course's own requirements (make lab)."
        )
    if _numbers(keras) < OLDEST_KERAS:
        troubles.append(
            f"This is Keras {keras}. Before {_said(OLDEST_KERAS)}, `fit` on several "
            "replicas logs another loss, and before 3.8 it trains other weights: what "
            "00, 03 and 06 say of `fit` is wrong here. Install a newer one."
        )
    if free_gb < NEEDED_GB:
        troubles.append(
            f"Only {free_gb:.1f} GB of memory is free. Close other notebooks with "
            "Kernel > Shut Down All Kernels, then run this cell again."
        )
    if devices[0].startswith("GPU"):
        troubles.append(
            "The devices are parts of one GPU. Checks and pictures work as on a "
            "processor; but 07 speaks of CPUs, and in 12 the limit of memory does not "
            "hold for what stands on the GPU."
        )
    return troubles


def _gpus() -> str:
    found = tf.config.list_physical_devices("GPU")
    if not found:
        return "no GPU"
    name = tf.config.experimental.get_device_details(found[0]).get("device_name", "")
    return f"{len(found)} GPU{'s' if found[1:] else ''}{f' ({name})' if name else ''}"


def _numbers(text: str) -> tuple[int, int]:
    """The first two numbers of a version."""
    major, minor, *_ = text.split(".")
    return int(major), int(minor)


def _said(numbers: tuple[int, int]) -> str:
    return ".".join(map(str, numbers))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # what a container may really use
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
