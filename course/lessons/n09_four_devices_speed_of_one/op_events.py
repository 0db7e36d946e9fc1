"""Which operations TensorFlow's profiler saw, and in which thread or GPU's stream."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import tensorflow as tf
from tensorflow.tsl.profiler.protobuf import xplane_pb2

OpEvent = tuple[int, str]  # thread, "name of the operation:its type"
# Of TensorFlow's trace: who launched a kernel, and in which run of the operation.
HOST, GPU, LAUNCHED_BY, RUN = "/host:CPU", "/device:GPU:", "tf_op", "scope_range_id"
_OPERATION = re.compile(r"[\w./-]+:_?[A-Z]\w*")


def profile(call: Callable[[], object], times: int) -> list[OpEvent]:
    """Call `call()` again and again under the profiler; return the operations it saw.

    Threads are numbered from 0. Operations of one thread are in the order they ran.
    """
    call()  # traces, outside of the recording
    with tempfile.TemporaryDirectory() as folder:
        tf.profiler.experimental.start(folder)
        try:
            for _ in range(times):
                call()
        finally:
            tf.profiler.experimental.stop()
        space = xplane_pb2.XSpace()
        for path in Path(folder).rglob("*.xplane.pb"):
            space.MergeFromString(path.read_bytes())
    return operations_of(space)


def operations_of(space: xplane_pb2.XSpace) -> list[OpEvent]:
    """Return the operations in a trace, of the host's threads and a GPU's streams."""
    rows = []
    for plane in space.planes:
        if plane.name == HOST:
            rows += [_on_host(plane, line) for line in plane.lines]
        elif plane.name.startswith(GPU):
            rows += [_on_gpu(plane, line) for line in plane.lines]
    return [
        (thread, name)
        for thread, names in enumerate(filter(None, rows))
        for name in names
    ]


def _on_host(plane: xplane_pb2.XPlane, line: xplane_pb2.XLine) -> list[str]:
    """Return the operations of one row of the trace; the other events are left out."""
    names = [plane.event_metadata[each.metadata_id].name for each in _in_order(line)]
    # oneDNN's own version of an operation has a type such as _MklMatMul
    return [name.replace(":_Mkl", ":") for name in names if _OPERATION.fullmatch(name)]


def _on_gpu(plane: xplane_pb2.XPlane, line: xplane_pb2.XLine) -> list[str]:
    """Return the operations that launched a row's kernels, once for all of one run."""
    told = [_stats(plane, event) for event in _in_order(line)]
    runs = dict.fromkeys((each.get(RUN), each.get(LAUNCHED_BY, "")) for each in told)
    return [name for _, name in runs if _OPERATION.fullmatch(name)]


def _stats(plane: xplane_pb2.XPlane, event: xplane_pb2.XEvent) -> dict[str, object]:
    known = plane.stat_metadata
    values = {
        known[each.metadata_id].name: getattr(each, each.WhichOneof("value"))
        for each in event.stats
    }
    if LAUNCHED_BY in values and isinstance(values[LAUNCHED_BY], int):
        values[LAUNCHED_BY] = known[values[LAUNCHED_BY]].name
    return values


def _in_order(line: xplane_pb2.XLine) -> list[xplane_pb2.XEvent]:
    return sorted(line.events, key=lambda event: event.offset_ps)
