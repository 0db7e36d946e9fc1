"""Wrong answers to 07/my_report: names are codes, docstrings causes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps

import tensorflow as tf

from course.checks.exercises import wrong_answers

# from what a MatMul asks for, in full, the end of it, and the devices that exist:
# under which name it is counted, or None
Counted = Callable[[str, str, list[str]], str | None]


def _first(exist: list[str]) -> str:
    """The device that runs what asks for none: a GPU, where there are some."""
    return next((name for name in exist if name.startswith("GPU")), exist[0])


def _counted_under(named: Counted, with_idle: bool = True) -> Callable[..., dict]:
    """Return the report that counts a MatMul under the name that it is given."""

    @wraps(named)
    def report(concrete):
        exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
        counts = dict.fromkeys(exist, 0) if with_idle else {}
        for op in concrete.graph.get_operations():
            if op.type == "MatMul":
                name = named(op.device, op.device.split("device:")[-1], exist)
                counts[name] = counts.get(name, 0) + 1
        counts.pop(None, None)
        return counts

    return report


_without_idle = partial(_counted_under, with_idle=False)


@_without_idle
def as_asked(device, name, exist):
    """It reports what the graph ASKS for. A device that does not exist computes
    nothing, and what asks for nothing runs too: both go to the first device. And a
    device without work is not named: it should stand there with 0.
    """
    return name


@_counted_under
def as_asked_all_named(device, name, exist):
    """It reports what the graph ASKS for. A device that does not exist computes
    nothing, and what asks for nothing runs too: both go to the first device.
    """
    return name


@_without_idle
def idle_not_named(device, name, exist):
    """The numbers are right, but a device without work is not named. It is the one
    you look for: it should stand there with 0.
    """
    return name if name in exist else _first(exist)


@_counted_under
def left_out(device, name, exist):
    """What asks for a missing device, or for none, is left out. It runs all the
    same, on the first device.
    """
    return name if name in exist else None


@_counted_under
def ghosts_left_out(device, name, exist):
    """What asks for a device that does not exist is left out. It runs all the same,
    on the first device.
    """
    return name if name in exist else None if name else _first(exist)


@_counted_under
def unplaced_left_out(device, name, exist):
    """What asks for no device is left out. It runs all the same, on the first
    device.
    """
    return name if name in exist else _first(exist) if name else None


@_counted_under
def ghosts_named(device, name, exist):
    """A device that does not exist has work in the report. What asks for it runs on
    the first device.
    """
    return name or _first(exist)


@_counted_under
def unplaced_named(device, name, exist):
    """What asks for no device stands under a name of its own. It runs on the first
    device.
    """
    return name if name in exist or not name else _first(exist)


@_counted_under
def to_the_last(device, name, exist):
    """What asks for a missing device, or for none, is counted on the last device. It
    runs on the first.
    """
    return name if name in exist else exist[-1]


@_counted_under
def nothing_counted(device, name, exist):
    """All numbers are 0: op.device is a long name. Compare what stands after its
    last "device:", and op.type with "MatMul".
    """
    return device if device in exist else None


@_counted_under
def all_on_the_first(device, name, exist):
    """Everything is counted on the first device: no op.device was found among the
    devices. Compare what stands after the last "device:" of both names.
    """
    return device if device in exist else _first(exist)


def names_written_down(concrete):
    """The names of the devices are written down. On a machine with other devices, the
    report is wrong: ask TensorFlow which devices exist, or use devices.
    """
    counts = {"CPU:0": 0, "CPU:1": 0, "CPU:2": 0, "CPU:3": 0}
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            counts[name if name in counts else "CPU:0"] += 1
    return counts


MISTAKES = wrong_answers(__name__)
